/* Columns of text on a terminal, and lines broken where people break them. */
#include "../../handlers/text_width.h"

#include "../tap.h"

static void has(const char *text, size_t columns, const char *what)
{
    tap_ok(text_width(text) == columns, "%s has %zu columns", what, columns);
}

static void test_widths(void)
{
    has("", 0, "nothing");
    has("RTX 3090", 8, "ASCII");
    has("\xE6\x98\xBE\xE5\xAD\x98", 4, "\xE6\x98\xBE\xE5\xAD\x98"); /* two Chinese characters */
    has("\xEF\xBC\x92\xEF\xBC\x94", 4, "full-width 24");
    has("\xEF\xBD\xB1", 1, "half-width katakana");
    has("e\xCC\x81", 1, "e with a combining accent");
    has("\xC3\xA9", 1, "e with an accent in one character");
    has("a\xE2\x80\x8B"
        "b",
        2, "a zero width space");
    has("\xF0\x9F\x98\x80", 2, "an emoji");
    has("\xF0\xA0\x80\x80", 2, "a rare Chinese character");
    has("\xE1\x84\x80\xE1\x85\xA1", 2, "a Hangul syllable of two letters");
    has("\xE2\x80\x94", 1, "a dash");
    has("\xFF\xC3", 2, "two bytes that are no character");
    has("\xE6\x98", 2, "a cut character");
}

static void breaks(const char *text, size_t columns, const char *const *lines, size_t count,
                   const char *what)
{
    const char *rest = text;
    bool is_as_wanted = true;
    size_t found = 0;

    while (*rest != '\0' && found < 20) {
        const char *line = rest;
        size_t bytes = text_width_line(&rest, columns);

        is_as_wanted = is_as_wanted && found < count && bytes == strlen(lines[found]) &&
                       memcmp(line, lines[found], bytes) == 0;
        if (!is_as_wanted) {
            printf("# line %zu: %.*s\n", found, (int)bytes, line);
        }
        found++;
    }
    tap_ok(is_as_wanted && found == count, "%s", what);
}

#define BREAKS(text, columns, what, ...)                                                           \
    breaks(text, columns, (const char *const[]){__VA_ARGS__},                                      \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), what)

static void test_lines(void)
{
    BREAKS("one two three", 8, "at the last blank that fits", "one two", "three");
    BREAKS("one two three", 7, "where it fits exactly", "one two", "three");
    BREAKS("one two", 100, "a short text is one line", "one two");
    BREAKS("one   two", 4, "blanks at the break are left out", "one", "two");
    BREAKS("abcdefgh ij", 4, "a word wider than the line is cut", "abcd", "efgh", "ij");
    BREAKS("a bcdefgh", 4, "but begins a line of its own", "a", "bcde", "fgh");
    BREAKS("显存不足", 4, "Chinese breaks anywhere", "显存", "不足");
    BREAKS("显存不足", 5, "and half a character does not fit", "显存", "不足");
    BREAKS("显存，不足", 4, "but not before a comma", "显", "存，", "不足");
    BREAKS("用（显存）", 5, "and not behind an opening bracket", "用", "（显", "存）");
    BREAKS("要 24 GiB 显存", 8, "mixed text breaks at blanks", "要 24", "GiB 显存");
    BREAKS("e\xCC\x81"
           "e\xCC\x81"
           "e\xCC\x81",
           2, "accents stay with their letter",
           "e\xCC\x81"
           "e\xCC\x81",
           "e\xCC\x81");
    BREAKS("显", 1, "one character stands even where it does not fit", "显");
    BREAKS("abc", 0, "also where nothing fits", "a", "b", "c");
}

static void test_unbroken(void)
{
    tap_ok(text_width_unbroken("one three two") == 5, "the longest word");
    tap_ok(text_width_unbroken("显存不足") == 2, "one character of Chinese");
    tap_ok(text_width_unbroken("显存，") == 4, "with the comma behind it");
    tap_ok(text_width_unbroken("") == 0, "nothing");
}

/* Whatever the bytes, every line takes some, and all of them come out. */
static void test_any_bytes(void)
{
    uint64_t state = 20261130;
    bool is_good = true;

    for (int round = 0; round < 2000; round++) {
        char text[40];
        const char *rest = text;

        for (size_t i = 0; i < sizeof text - 1; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text[i] = (char)(state >> 56 == 0 ? 1 : state >> 56);
        }
        text[sizeof text - 1] = '\0';
        while (*rest != '\0' && is_good) {
            const char *line = rest;
            size_t bytes = text_width_line(&rest, (size_t)(state % 12));

            is_good = bytes > 0 && rest >= line + bytes && rest <= text + sizeof text - 1;
        }
    }
    tap_ok(is_good, "2000 texts of any bytes end");
}

int main(void)
{
    test_widths();
    test_lines();
    test_unbroken();
    test_any_bytes();
    return tap_done();
}
