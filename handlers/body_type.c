/* Reads Content-Type. Pure. */
#include "body_type.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool body_type_is(const char *content_type, const char *type)
{
    size_t length = strlen(type);

    return content_type != NULL && strncasecmp(content_type, type, length) == 0 &&
           strchr("; \t", content_type[length]) != NULL;
}
