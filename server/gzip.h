/* Compresses bodies of answers as gzip (RFC 1952). */
#ifndef GPUWISE_GZIP_H
#define GPUWISE_GZIP_H

#include "../handlers/engine/error.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct gzip;

enum { GZIP_MARK_BYTES = 16 };

/* One compressor, for one thread (0.3 MB); NULL: out of memory. */
struct gzip *gzip_new(void) MUST_CHECK;
void gzip_free(struct gzip *gzip); /* NULL is accepted */

/* How much work a body is worth. */
enum gzip_effort { GZIP_QUICK /* it is answered once */, GZIP_BEST /* it is kept for long */ };

/* The same bytes and effort give the same result. It lives in the arena. False: no memory for it.
 */
bool gzip_pack(struct gzip *gzip, enum gzip_effort effort, struct arena *arena, const char *bytes,
               size_t byte_count, const char **packed, size_t *packed_bytes) MUST_CHECK;

/* Letters, digits and '-' that tell what it makes from what another version of the library, or
 * another effort, makes of the same bytes: for strong tags. */
void gzip_mark(char mark[GZIP_MARK_BYTES]);

#endif
