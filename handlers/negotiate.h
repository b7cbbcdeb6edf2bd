/* What the asker accepts: media types (RFC 9110 section 12.5.1) and languages (12.5.4). */
#ifndef GPUWISE_NEGOTIATE_H
#define GPUWISE_NEGOTIATE_H

#include "engine/message.h"

#include <stdbool.h>

/* False when Accept excludes the type ("application", "json"). NULL or empty accepts everything. */
bool negotiate_accepts(const char *accept, const char *type, const char *subtype);

/* The supported language liked best; English when none is named. zh covers zh-CN, zh-Hans and so
 * on. */
enum language negotiate_language(const char *accept_language);

#endif
