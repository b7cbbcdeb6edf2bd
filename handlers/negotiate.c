/* Reads Accept and Accept-Language. Malformed elements are skipped: a preference is no order. Pure.
 */
#include "negotiate.h"

#include "header_list.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* How exactly the range names the type: 3 type/subtype, 2 type/ *, 1 * / *, 0 not at all. */
static int precision_of(const struct header_element *element, const char *type, const char *subtype)
{
    const char *slash = memchr(element->name, '/', element->length);

    if (slash == NULL) {
        return 0;
    }
    size_t type_bytes = (size_t)(slash - element->name);
    const char *sub = slash + 1;
    size_t sub_bytes = element->length - type_bytes - 1;
    bool any_sub = sub_bytes == 1 && sub[0] == '*';

    if (any_sub && type_bytes == 1 && element->name[0] == '*') {
        return 1;
    }
    if (type_bytes != strlen(type) || strncasecmp(element->name, type, type_bytes) != 0) {
        return 0;
    }
    if (any_sub) {
        return 2;
    }
    return sub_bytes == strlen(subtype) && strncasecmp(sub, subtype, sub_bytes) == 0 ? 3 : 0;
}

bool negotiate_accepts(const char *accept, const char *type, const char *subtype)
{
    const char *rest = accept == NULL ? "" : accept;
    struct header_element element;
    int best_precision = 0;
    int quality = 0;
    bool is_empty = true;

    while (header_list_next(&rest, &element)) {
        int precision = precision_of(&element, type, subtype);

        is_empty = false;
        if (precision > best_precision) { /* the most exact range decides */
            best_precision = precision;
            quality = element.quality;
        }
    }
    return is_empty || quality > 0;
}

enum language negotiate_language(const char *accept_language)
{
    const char *rest = accept_language == NULL ? "" : accept_language;
    struct header_element element;
    enum language best = LANGUAGE_EN;
    int best_quality = 0;

    while (header_list_next(&rest, &element)) {
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            bool is_named = element.length >= 2 &&
                            strncasecmp(element.name, LANGUAGE_NAMES[language], 2) == 0 &&
                            (element.length == 2 || element.name[2] == '-');

            if (is_named && element.quality > best_quality) {
                best_quality = element.quality;
                best = (enum language)language;
            }
        }
    }
    return best;
}
