/* handlers/engine/character.c: every code point there and back, and what is none. */
#include "../../handlers/engine/character.h"

#include "../tap.h"

#include <string.h>

/* UTF-8 by the table of RFC 3629 section 3, written apart from the reader. */
static size_t encode(uint32_t code, char out[4])
{
    static const unsigned char LEADS[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = count; i > 1; i--) {
        out[i - 1] = (char)(0x80U | (code & 0x3FU));
        code >>= 6;
    }
    out[0] = (char)(LEADS[count] | code);
    return count;
}

static void test_every_character(void)
{
    size_t wrong = 0, cut_taken = 0, surrogates = 0;

    for (uint32_t code = 0; code < 0x110000; code++) {
        char bytes[4];
        uint32_t found = 0xFFFFFFFF;
        size_t count = encode(code, bytes);

        if (code >= 0xD800 && code <= 0xDFFF) {
            surrogates += character_read(bytes, count, &found) == 0 ? 0 : 1;
            continue;
        }
        wrong += character_read(bytes, count, &found) == count && found == code ? 0 : 1;
        cut_taken += count > 1 && character_read(bytes, count - 1, &found) != 0 ? 1 : 0;
    }
    tap_ok(wrong == 0, "every character is read as what it is");
    tap_ok(cut_taken == 0, "none of which a byte is missing");
    tap_ok(surrogates == 0, "no surrogate");
}

static void test_no_characters(void)
{
    static const char *const NONE[] = {
        "\x80",
        "\xBF",
        "\xC0\x80",
        "\xC1\xBF",
        "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF",
        "\xC3\x28",
        "\xE2\x82\x28",
        "\xF0\x9F\x98\x28",
        "\xFF",
        "\xFE",
        "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80",
    };

    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        uint32_t code = 7;

        tap_ok(character_read(NONE[i], strlen(NONE[i]), &code) == 0 && code == 7,
               "no character: bytes %zu", i);
    }
}

static void test_kinds(void)
{
    static const uint32_t INVISIBLE[] = {0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
                                         0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF};
    static const uint32_t VISIBLE[] = {' ',    '~',    0xA0,   0x2010, 0x2027, 0x202F,
                                       0x205F, 0x2070, 0x4E2D, 0xFF11, 0x1F600};

    for (size_t i = 0; i < sizeof INVISIBLE / sizeof INVISIBLE[0]; i++) {
        tap_ok(character_is_invisible(INVISIBLE[i]) && !character_is_control(INVISIBLE[i]),
               "U+%04X is invisible", (unsigned)INVISIBLE[i]);
    }
    for (size_t i = 0; i < sizeof VISIBLE / sizeof VISIBLE[0]; i++) {
        tap_ok(!character_is_invisible(VISIBLE[i]) && !character_is_control(VISIBLE[i]),
               "U+%04X is neither", (unsigned)VISIBLE[i]);
    }
    tap_ok(character_is_control(0) && character_is_control('\t') && character_is_control(0x1F) &&
               character_is_control(0x7F) && character_is_control(0x85) &&
               character_is_control(0x9F),
           "controls of ASCII and of Latin-1");
}

static void test_plain(void)
{
    static const char *const PLAIN[] = {"", "RTX 3090", "显卡", "a\tb"};
    static const char *const NOT_PLAIN[] = {"a\nb", "a\x7F", "a\xC2\x85", "a\xE2\x80\x8B", "a\xFF"};

    for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++) {
        tap_ok(character_is_plain(PLAIN[i], strlen(PLAIN[i]), "\t"), "plain: %zu", i);
    }
    for (size_t i = 0; i < sizeof NOT_PLAIN / sizeof NOT_PLAIN[0]; i++) {
        tap_ok(!character_is_plain(NOT_PLAIN[i], strlen(NOT_PLAIN[i]), "\t"), "not plain: %zu", i);
    }
    tap_ok(!character_is_plain("a\tb", 3, "") && !character_is_plain("a\0b", 3, "\t"),
           "a tab where none is allowed, and NUL nowhere");
}

int main(void)
{
    test_every_character();
    test_no_characters();
    test_kinds();
    test_plain();
    return tap_done();
}
