/* One growing buffer of an arena for text that is no JSON.
 *
 * Running out of memory is remembered in has_failed, so that only the end of a document needs a
 * check. */
#ifndef GPUWISE_TEXT_OUT_H
#define GPUWISE_TEXT_OUT_H

#include "engine/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_out {
    struct arena *arena;
    char *bytes; /* in the arena; not NUL-terminated */
    size_t length, room;
    bool has_failed;
};

void text_out_init(struct text_out *out, struct arena *arena);
void text_out_bytes(struct text_out *out, const char *bytes, size_t length);
void text_out_text(struct text_out *out, const char *text);
void text_out_repeat(struct text_out *out, char byte, size_t count);

#endif
