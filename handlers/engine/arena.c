/* A chain of blocks that only grows. One thread at a time per arena. */
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BLOCK_BYTES = 64 * 1024 }; /* most answers fit one block */

struct arena_block {
    struct arena_block *older;
    size_t size_bytes;
    size_t used_bytes;
    max_align_t bytes[];
};

static size_t aligned(size_t size_bytes)
{
    size_t step = sizeof(max_align_t);

    return (size_bytes + step - 1) / step * step;
}

static bool add_block(struct arena *arena, size_t size_bytes)
{
    size_t room = size_bytes > ARENA_BLOCK_BYTES ? size_bytes : ARENA_BLOCK_BYTES;
    struct arena_block *block = malloc(sizeof *block + room);

    if (block == NULL) {
        return false;
    }
    block->older = arena->newest;
    block->size_bytes = room;
    block->used_bytes = 0;
    arena->newest = block;
    return true;
}

void arena_init(struct arena *arena, size_t maximum_bytes)
{
    *arena = (struct arena){.maximum_bytes = maximum_bytes};
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
    if (size_bytes > arena->maximum_bytes - arena->used_bytes) {
        return NULL;
    }
    size_t needed = aligned(size_bytes == 0 ? 1 : size_bytes);

    if (needed > arena->maximum_bytes - arena->used_bytes) {
        return NULL;
    }
    struct arena_block *block = arena->newest;

    if (block == NULL || needed > block->size_bytes - block->used_bytes) {
        if (!add_block(arena, needed)) {
            return NULL;
        }
        block = arena->newest;
    }
    void *place = (char *)block->bytes + block->used_bytes;

    block->used_bytes += needed;
    arena->used_bytes += needed;
    memset(place, 0, needed);
    return place;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size_bytes)
{
    if (size_bytes != 0 && count > SIZE_MAX / size_bytes) {
        return NULL;
    }
    return arena_alloc(arena, count * size_bytes);
}

char *arena_copy_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = length == SIZE_MAX ? NULL : arena_alloc(arena, length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);

    va_end(arguments);
    if (length < 0) {
        return NULL;
    }
    char *text = arena_alloc(arena, (size_t)length + 1);

    if (text == NULL) {
        return NULL;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)length + 1, format,
                    arguments); /* measured above: cannot be cut */
    va_end(arguments);
    return text;
}

void arena_reset(struct arena *arena)
{
    struct arena_block *kept = arena->newest;

    arena->used_bytes = 0;
    if (kept == NULL) {
        return;
    }
    struct arena_block *block = kept->older;

    while (block != NULL) {
        struct arena_block *older = block->older;

        free(block);
        block = older;
    }
    kept->older = NULL;
    kept->used_bytes = 0;
}

void arena_fini(struct arena *arena)
{
    arena_reset(arena);
    free(arena->newest);
    *arena = (struct arena){0};
}
