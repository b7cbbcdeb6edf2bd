/* Appends bytes; it knows no format. One request, one thread. */
#include "text_out.h"

enum { FIRST_ROOM_BYTES = 4096 }; /* a short answer; it doubles from there */

void text_out_init(struct text_out *out, struct arena *arena)
{
    *out = (struct text_out){.arena = arena};
}

bool text_out_grow(struct text_out *out, size_t length)
{
    size_t room = out->room == 0 ? FIRST_ROOM_BYTES : out->room;

    if (out->has_failed || length > SIZE_MAX / 4 - out->length) {
        out->has_failed = true;
        return false;
    }
    while (room < out->length + length) {
        room *= 2;
    }
    char *bytes = arena_alloc(out->arena, room);

    if (bytes == NULL) {
        out->has_failed = true;
        return false;
    }
    if (out->length > 0) {
        memcpy(bytes, out->bytes, out->length);
    }
    out->bytes = bytes;
    out->room = room;
    return true;
}

void text_out_text(struct text_out *out, const char *text)
{
    text_out_bytes(out, text, strlen(text));
}

void text_out_repeat(struct text_out *out, char byte, size_t count)
{
    while (count-- > 0) {
        text_out_byte(out, byte);
    }
}
