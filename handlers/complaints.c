/* Collects complaints about parameters. It knows no HTTP. One request, one thread. */
#include "complaints.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DETAIL_BYTES = 1024 }; /* the longest names the allowed values of one parameter */

/* The length without the last character, which may have been cut inside. */
static int whole_characters(const char *text, int length)
{
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0U) == 0x80U) {
        length--;
    }
    return length > 0 ? length - 1 : 0;
}

void complaints_init(struct complaints *complaints, struct arena *arena)
{
    *complaints = (struct complaints){.arena = arena};
}

void complaints_add(struct complaints *complaints, const char *parameter, size_t parameter_length,
                    const char *format, ...)
{
    char text[DETAIL_BYTES];
    va_list arguments;

    if (complaints->count == LIMIT_PROBLEM_ERRORS) {
        complaints->is_incomplete = true;
        return;
    }
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);

    va_end(arguments);
    if (length < 0) {
        length = 0;
    }
    if ((size_t)length >= sizeof text) {
        length = whole_characters(text, (int)sizeof text - 1);
    }
    char *name = arena_copy_text(complaints->arena, parameter, parameter_length);
    char *detail = arena_copy_text(complaints->arena, text, (size_t)length);

    if (name == NULL || detail == NULL) {
        complaints->is_out_of_memory = true;
        return;
    }
    complaints->items[complaints->count++] = (struct complaint){name, detail};
}

const char *complaints_add_error(struct complaints *complaints, const struct error *err)
{
    const char *colon = strchr(err->text, ':');
    size_t name_bytes = colon == NULL ? 0 : (size_t)(colon - err->text);
    const char *detail = colon == NULL ? err->text : colon + 1 + strspn(colon + 1, " ");
    size_t before = complaints->count;

    complaints_add(complaints, err->text, name_bytes, "%s", detail);
    return complaints->count > before ? complaints->items[before].parameter : NULL;
}
