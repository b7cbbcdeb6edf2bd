/* Turns a text and its arguments into words. The texts themselves are in text_table.c. Pure; any
 * thread. */
#include "text.h"

#include <assert.h>
#include <string.h>

static size_t put(char *out, size_t room, size_t at, const char *text, size_t length)
{
    if (at < room) {
        memcpy(out + at, text, length < room - at ? length : room - at);
    }
    return at + length;
}

/* An argument that is a list, "bf16, mig", as the language writes lists. */
static size_t put_list(char *out, size_t room, size_t at, const char *list, const char *comma)
{
    const char *rest = list;

    for (const char *found = strstr(rest, ", "); found != NULL; found = strstr(rest, ", ")) {
        at = put(out, room, at, rest, (size_t)(found - rest));
        at = put(out, room, at, comma, strlen(comma));
        rest = found + 2;
    }
    return put(out, room, at, rest, strlen(rest));
}

/* A byte of a longer UTF-8 form: of these texts' characters only the Chinese have one. */
static bool is_chinese(char byte)
{
    return ((unsigned char)byte & 0x80U) != 0;
}

size_t text_fill(const char *sentence, const char *const *arguments, size_t count,
                 const char *comma, char *out, size_t room)
{
    const char *at = sentence;
    size_t used = 0;

    while (*at != '\0') {
        size_t plain = strcspn(at, "{");

        used = put(out, room, used, at, plain);
        at += plain;
        if (*at == '{') {
            size_t number = (size_t)(at[1] - '0');

            assert(number < count);
            assert(at[2] == '}');
            assert(arguments[number] != NULL);
            size_t length = strlen(arguments[number]);

            used = put_list(out, room, used, arguments[number], comma);
            at += 3;
            /* the blank is between digits or Latin letters and Chinese only */
            if (length > 0 && is_chinese(arguments[number][length - 1]) && at[0] == ' ' &&
                is_chinese(at[1])) {
                at++;
            }
        }
    }
    return used;
}

static size_t fill(const struct wording *wording, enum language language, char *out, size_t room)
{
    const char *const arguments[] = {wording->first, wording->second, wording->third};

    assert(wording->text < TEXT_COUNT);
    assert(language < LANGUAGE_COUNT);
    /* what the service says of itself is English in every language */
    return text_fill(TEXT_TABLE[wording->text][language], arguments,
                     sizeof arguments / sizeof arguments[0],
                     wording->text == TEXT_SERVICE_FAULT ? ", " : TEXT_COMMAS[language], out, room);
}

const char *text_plain(enum text text, enum language language)
{
    assert(text < TEXT_COUNT);
    assert(language < LANGUAGE_COUNT);
    assert(strchr(TEXT_TABLE[text][language], '{') == NULL);
    return TEXT_TABLE[text][language];
}

const char *text_say(const struct wording *wording, enum language language, struct arena *arena)
{
    size_t length = fill(wording, language, NULL, 0);
    char *out = arena_alloc(arena, length + 1); /* zeroed */

    if (out != NULL) {
        (void)fill(wording, language, out, length); /* the same length again */
    }
    return out;
}

void text_print(const struct wording *wording, enum language language, char *out, size_t room)
{
    assert(room > 0);
    size_t length = fill(wording, language, out, room);

    if (length >= room) {
        length = room - 1; /* of the first byte that is left out; no character is cut inside */
        while (length > 0 && ((unsigned char)out[length] & 0xC0U) == 0x80U) {
            length--;
        }
    }
    out[length] = '\0';
}

bool text_keep(const struct wording *wording, struct arena *arena, struct wording *kept)
{
    const char *const arguments[] = {wording->first, wording->second, wording->third};
    const char *copies[sizeof arguments / sizeof arguments[0]] = {NULL};

    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        if (arguments[i] != NULL) {
            copies[i] = arena_copy_text(arena, arguments[i], strlen(arguments[i]));
            if (copies[i] == NULL) {
                return false;
            }
        }
    }
    *kept = (struct wording){wording->text, copies[0], copies[1], copies[2]};
    return true;
}
