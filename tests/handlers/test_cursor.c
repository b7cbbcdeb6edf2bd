/* What is written is read back; anything else is refused. */
#include "../../handlers/cursor.h"

#include "../tap.h"

#include <math.h>
#include <stdlib.h>

enum { LIST = 0x1234ABCD };

static struct arena arena;

static bool same_text(const char *a, const char *b, size_t bytes_max)
{
    return strncmp(a == NULL ? "" : a, b == NULL ? "" : b, bytes_max) == 0;
}

static void test_there_and_back(void)
{
    static const char LONG[] =
        "0123456789012345678901234567890123456789012345678901234567890123456";
    const struct cursor CURSORS[] = {
        {NULL, (double)NAN, {"a"}, 0, 1},
        {NULL, 24, {"nvidia-geforce-rtx-3090"}, 0, 1},
        {NULL, -0.1, {"a", NULL, "c", ""}, UINT64_MAX, 3},
        {"2020-09-24", (double)NAN, {"a", "b", "c", "d"}, 1, 12345678},
        {"", (double)NAN, {""}, 0, 1},
        {"\xE6\x98\xBE\xE5\x8D\xA1 <&>\"", (double)NAN, {"?/+"}, 7, 1},
        {LONG, (double)NAN, {LONG, LONG, LONG, LONG}, UINT64_MAX, 1000000000000000},
    };

    for (size_t i = 0; i < sizeof CURSORS / sizeof CURSORS[0]; i++) {
        const struct cursor *it = &CURSORS[i];
        const char *text = cursor_write(it, LIST, &arena);
        struct cursor read = {0};
        bool is_same = text != NULL && cursor_read(text, strlen(text), LIST, &arena, &read) &&
                       (read.text == NULL) == (it->text == NULL) &&
                       same_text(read.text, it->text, CURSOR_TEXT_BYTES) &&
                       (memcmp(&read.number, &it->number, sizeof read.number) == 0 ||
                        (isnan(read.number) && isnan(it->number))) &&
                       read.serial == it->serial && read.passed == it->passed;

        for (size_t k = 0; k < CURSOR_IDS; k++) {
            is_same = is_same && same_text(read.ids[k], it->ids[k], CURSOR_ID_BYTES);
        }
        tap_ok(is_same && strlen(text) <= LIMIT_PARAMETER_VALUE_BYTES &&
                   strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-_") == strlen(text),
               "%zu bytes: %.60s", strlen(text), text);
    }
}

/* Every cursor with one character changed, taken out or put in is refused or is another place; none
 * of it crashes. */
static void test_broken(void)
{
    const struct cursor cursor = {"name", (double)NAN, {"a", "b"}, 99, 2};
    const char *text = cursor_write(&cursor, LIST, &arena);
    size_t length = strlen(text);
    size_t refused = 0, tried = 0;
    struct cursor read;

    for (size_t at = 0; at < length; at++) {
        for (int byte = 1; byte < 256; byte += 7) {
            char changed[LIMIT_PARAMETER_VALUE_BYTES + 1];

            (void)snprintf(changed, sizeof changed, "%s", text);
            changed[at] = (char)byte;
            tried++;
            refused += cursor_read(changed, length, LIST, &arena, &read) ? 0 : 1;
        }
        tap_ok(!cursor_read(text, at, LIST, &arena, &read), "cut off at %zu", at);
    }
    tap_ok(refused > tried / 2, "%zu of %zu changed ones are refused", refused, tried);
    tap_ok(!cursor_read(text, length, LIST + 1, &arena, &read), "one of another list");
    static const char *const OTHERS[] = {"",   "0",    "50",           "-1",
                                         "MQ", "====", "MTEyMzRhYmNk", "MTEyMzRhYmNkHw"};

    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        tap_ok(!cursor_read(OTHERS[i], strlen(OTHERS[i]), LIST, &arena, &read), "\"%s\"",
               OTHERS[i]);
    }
}

int main(void)
{
    arena_init(&arena, 16 * 1024 * 1024);
    test_there_and_back();
    test_broken();
    arena_fini(&arena);
    return tap_done();
}
