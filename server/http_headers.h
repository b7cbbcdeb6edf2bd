/* The two request headers that the transport answers by itself. */
#ifndef GPUWISE_HTTP_HEADERS_H
#define GPUWISE_HTTP_HEADERS_H

#include <stdbool.h>

enum http_coding {
    HTTP_CODING_IDENTITY,  /* as it is */
    HTTP_CODING_GZIP,      /* gzip where it pays */
    HTTP_CODING_GZIP_ONLY, /* gzip always: identity is not acceptable */
    HTTP_CODING_NONE       /* neither is acceptable */
};

/* The coding of an answer by Accept-Encoding (RFC 9110 section 12.5.3): gzip unless identity is
 * named with a greater weight. NULL: as it is, for who says nothing may understand nothing. */
enum http_coding http_headers_coding(const char *accept_encoding);

/* True when a list of If-None-Match holds the tag, weakly compared (RFC 9110 section 13.1.2), or is
 * "*". NULL holds nothing. */
bool http_headers_has_tag(const char *if_none_match, const char *tag);

#endif
