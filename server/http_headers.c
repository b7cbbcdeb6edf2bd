/* Reads Accept-Encoding and If-None-Match. Pure functions; any thread. */
#include "http_headers.h"

#include "../handlers/header_list.h"

#include <string.h>
#include <strings.h>

enum { NOT_NAMED = -1 };

static bool is_named(const struct header_element *element, const char *name)
{
    return element->length == strlen(name) &&
           strncasecmp(element->name, name, element->length) == 0;
}

enum http_coding http_headers_coding(const char *accept_encoding)
{
    const char *rest = accept_encoding;
    int gzip = NOT_NAMED, identity = NOT_NAMED, any = NOT_NAMED;
    struct header_element element;

    if (accept_encoding == NULL) {
        return HTTP_CODING_IDENTITY;
    }
    while (header_list_next(&rest, &element)) {
        if (is_named(&element, "gzip") || is_named(&element, "x-gzip")) {
            gzip = element.quality > gzip ? element.quality : gzip;
        } else if (is_named(&element, "identity")) {
            identity = element.quality;
        } else if (is_named(&element, "*")) {
            any = element.quality;
        }
    }
    if (gzip == NOT_NAMED) {
        gzip = any;
    }
    bool is_identity_refused = identity == 0 || (identity == NOT_NAMED && any == 0);

    if (gzip > 0) {
        return is_identity_refused ? HTTP_CODING_GZIP_ONLY
               : identity > gzip   ? HTTP_CODING_IDENTITY
                                   : HTTP_CODING_GZIP;
    }
    return is_identity_refused ? HTTP_CODING_NONE : HTTP_CODING_IDENTITY;
}

bool http_headers_has_tag(const char *if_none_match, const char *tag)
{
    const char *rest = if_none_match;
    size_t tag_bytes = strlen(tag);

    while (rest != NULL) {
        rest += strspn(rest, " \t,");
        if (*rest == '*') {
            return true;
        }
        if (strncmp(rest, "W/", 2) == 0) {
            rest += 2;
        }
        if (*rest != '"') {
            return false; /* the end, or no list of tags */
        }
        const char *end = strchr(rest + 1, '"');

        if (end == NULL) {
            return false;
        }
        if ((size_t)(end - rest) + 1 == tag_bytes && memcmp(rest, tag, tag_bytes) == 0) {
            return true;
        }
        rest = end + 1;
    }
    return false;
}
