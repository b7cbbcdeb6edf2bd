/* Appends bytes; it knows no format. One request, one thread. */
#include "text_out.h"

#include <string.h>

enum { FIRST_ROOM_BYTES = 4096 }; /* a short table; it doubles from there */

void text_out_init(struct text_out *out, struct arena *arena)
{
    *out = (struct text_out){.arena = arena};
}

/* Room for so many more bytes; false: out of memory. */
static bool make_room(struct text_out *out, size_t length)
{
    size_t room = out->room == 0 ? FIRST_ROOM_BYTES : out->room;

    if (out->has_failed || length > SIZE_MAX / 4 - out->length) {
        out->has_failed = true;
        return false;
    }
    if (length <= out->room - out->length) {
        return true;
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

void text_out_bytes(struct text_out *out, const char *bytes, size_t length)
{
    if (length > 0 && make_room(out, length)) {
        memcpy(out->bytes + out->length, bytes, length);
        out->length += length;
    }
}

void text_out_text(struct text_out *out, const char *text)
{
    text_out_bytes(out, text, strlen(text));
}

void text_out_repeat(struct text_out *out, char byte, size_t count)
{
    if (count > 0 && make_room(out, count)) {
        memset(out->bytes + out->length, byte, count);
        out->length += count;
    }
}
