/* What the asker accepts: media types (RFC 9110 section 12.5.1) and languages (12.5.4). */
#ifndef GPUWISE_NEGOTIATE_H
#define GPUWISE_NEGOTIATE_H

#include "engine/arena.h"
#include "engine/message.h"

#include <stdbool.h>
#include <stddef.h>

/* The representations of an answer, in the order in which they are offered. */
enum media { MEDIA_JSON, MEDIA_HTML, MEDIA_TEXT, MEDIA_CSV, MEDIA_COUNT };
extern const char *const MEDIA_NAMES[MEDIA_COUNT];         /* values of format=, as "csv" */
extern const char *const MEDIA_TYPES[MEDIA_COUNT];         /* as asked for in Accept: "text/csv" */
extern const char *const MEDIA_CONTENT_TYPES[MEDIA_COUNT]; /* as sent, with their parameters */

/* False when Accept excludes the media type ("application/json"). */
bool negotiate_accepts(const char *accept, const char *type);

/* Sets the one of the first `count` representations that Accept likes best; false when it excludes
 * all of them. NULL or empty accepts everything. Of a type the most exact range decides
 * (type/subtype, then type/ *, then * / *). Equal q: the type named more exactly, then the order
 * above, but plain text first where text/ * asks. */
bool negotiate_media(const char *accept, size_t count, enum media *media) MUST_CHECK;

/* The first `count` types joined by ", ", for a message; NULL: the arena is exhausted. */
const char *negotiate_list(size_t count, struct arena *arena) MUST_CHECK;

/* The supported language liked best; English when none is named. zh covers zh-CN, zh-Hans and so
 * on. */
enum language negotiate_language(const char *accept_language);

#endif
