/* One growing buffer of an arena, for text of any form.
 *
 * Running out of memory is remembered in has_failed, so that only the end of a document needs a
 * check. */
#ifndef GPUWISE_TEXT_OUT_H
#define GPUWISE_TEXT_OUT_H

#include "engine/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text_out {
    struct arena *arena;
    char *bytes; /* in the arena; not NUL-terminated */
    size_t length, room;
    bool has_failed;
};

void text_out_init(struct text_out *out, struct arena *arena);

/* Room for so many more bytes; false: out of memory. */
bool text_out_grow(struct text_out *out, size_t length);

static inline void text_out_bytes(struct text_out *out, const char *bytes, size_t length)
{
    if (length > 0 && (length <= out->room - out->length || text_out_grow(out, length))) {
        memcpy(out->bytes + out->length, bytes, length);
        out->length += length;
    }
}

static inline void text_out_byte(struct text_out *out, char byte)
{
    text_out_bytes(out, &byte, 1);
}

void text_out_text(struct text_out *out, const char *text);
void text_out_repeat(struct text_out *out, char byte, size_t count);

#endif
