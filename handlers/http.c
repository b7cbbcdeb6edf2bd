/* Headers of a response. No state, any thread. */
#include "http.h"

#include <assert.h>

void http_response_add_header(struct http_response *response, const char *name, const char *value)
{
    assert(response->header_count < LIMIT_RESPONSE_HEADERS);
    response->headers[response->header_count++] = (struct http_header){name, value};
}
