/* The media type of a request's body. */
#ifndef GPUWISE_BODY_TYPE_H
#define GPUWISE_BODY_TYPE_H

#include <stdbool.h>

/* True when the Content-Type (NULL: none was sent) is the type, with parameters or without. */
bool body_type_is(const char *content_type, const char *type);

#endif
