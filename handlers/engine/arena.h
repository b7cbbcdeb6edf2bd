/* Memory that is released all at once: one arena per request, one per catalogue. */
#ifndef GPUWISE_ENGINE_ARENA_H
#define GPUWISE_ENGINE_ARENA_H

#include "error.h"

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *newest; /* chain of blocks, newest first; NULL: nothing taken yet */
    size_t used_bytes;          /* handed out since init or reset, alignment included */
    size_t maximum_bytes;       /* an allocation beyond it fails */
};

/* In place; takes no memory yet. */
void arena_init(struct arena *arena, size_t maximum_bytes);

/* Zeroed memory aligned for any type, valid until reset or fini; NULL when the maximum would be
 * exceeded or the heap is empty. size_bytes 0 is served as 1. */
void *arena_alloc(struct arena *arena, size_t size_bytes) MUST_CHECK;

/* count elements of size_bytes each; NULL on overflow too. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size_bytes) MUST_CHECK;

/* A copy of length bytes with a NUL behind it; NULL as above. */
char *arena_copy_text(struct arena *arena, const char *text, size_t length) MUST_CHECK;

/* Formatted text; NULL as above. */
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3))) MUST_CHECK;

/* Gives everything back but one block, which is kept for the next request. */
void arena_reset(struct arena *arena);

/* Gives everything back. Accepts a zeroed arena. */
void arena_fini(struct arena *arena);

#endif
