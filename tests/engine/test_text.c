/* text.c and text_table.c: every text says the same in both languages, in the tone of the page. */
#include "text.h"

#include "bilingual.h"
#include "tests/tap.h"

#include <ctype.h>

enum { ARGUMENTS = 3 };

/* The same in every language, or made of arguments and marks alone. */
static bool is_no_language(size_t text)
{
    static const enum text TEXTS[] = {TEXT_ONE_FAULT,           TEXT_ROW_ECC,
                                      TEXT_ROW_SUPPORT_PYTORCH, TEXT_ROW_SUPPORT_TENSORFLOW,
                                      TEXT_ROW_SUPPORT_JAX,     TEXT_ROW_SUPPORT_LLAMA_CPP};
    size_t i = 0;

    while (i < sizeof TEXTS / sizeof TEXTS[0] && (size_t)TEXTS[i] != text) {
        i++;
    }
    return i < sizeof TEXTS / sizeof TEXTS[0];
}

/* Of a problem, or of a figure: a beginning of its own. */
static bool is_title(size_t text)
{
    return text < TEXT_NO_CATALOGUE || (text >= TEXT_TIER_LOW && text <= TEXT_ROW_SCORE);
}

static void test_row(size_t text)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *english = TEXT_TABLE[text][LANGUAGE_EN];
    const char *chinese = TEXT_TABLE[text][LANGUAGE_ZH];

    if (english == NULL || chinese == NULL || *english == '\0' || *chinese == '\0') {
        (void)tap_ok(false, "text %zu is there in both languages", text);
        return;
    }
    unsigned named = placeholders(english, ARGUMENTS);
    const char *foreign = foreign_word(chinese);

    (void)tap_ok(named == placeholders(chinese, ARGUMENTS) && named < 1u << 7 &&
                     (named & (named + 1)) == 0,
                 "\"%s\": both name the same arguments, from {0} on", english);
    (void)tap_ok(is_title(text) == (isupper((unsigned char)english[0]) != 0) || english[0] == '{' ||
                     is_term(english, strspn(english, LETTERS)),
                 "\"%s\": a title begins with a capital, what follows a name does not", english);
    (void)tap_ok(english[strlen(english) - 1] != '.' && strstr(chinese, "。") == NULL,
                 "\"%s\": no full stop", english);
    (void)tap_ok(is_no_language(text) || holds_han(chinese), "\"%s\": Chinese is Chinese", english);
    (void)tap_ok(is_spaced(chinese) && has_wide_marks(chinese) && strstr(chinese, "您") == NULL,
                 "\"%s\": with blanks and marks as Chinese has them", chinese);
    (void)tap_ok(foreign == NULL, "\"%s\": no English word: %s", chinese,
                 foreign == NULL ? "none" : foreign);
}

/* Every text is written with all its arguments, and holds them. */
static void test_said(size_t text, struct arena *arena)
{
    static const char *const WORDS[ARGUMENTS] = {"Alpha", "Beta", "Gamma"};
    bool is_good = true;

    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        unsigned named = placeholders(TEXT_TABLE[text][language], ARGUMENTS);
        const char *said = text_say(SAY((enum text)text, WORDS[0], WORDS[1], WORDS[2]),
                                    (enum language)language, arena);

        is_good &= said != NULL && strpbrk(said, "{}") == NULL;
        for (size_t i = 0; said != NULL && i < ARGUMENTS; i++) {
            is_good &= ((named >> i & 1) != 0) == (strstr(said, WORDS[i]) != NULL);
        }
    }
    (void)tap_ok(is_good, "\"%s\": said with its arguments", TEXT_TABLE[text][LANGUAGE_EN]);
}

static void test_no_two_alike(void)
{
    for (size_t text = 0; text < TEXT_COUNT; text++) {
        for (size_t other = 0; other < text; other++) {
            if (strcmp(TEXT_TABLE[text][LANGUAGE_EN], TEXT_TABLE[other][LANGUAGE_EN]) == 0) {
                (void)tap_ok(false, "\"%s\" stands twice", TEXT_TABLE[text][LANGUAGE_EN]);
            }
        }
    }
    (void)tap_ok(true, "all texts were compared");
}

static void test_say(struct arena *arena)
{
    char name[] = "a100";
    struct wording kept;

    (void)tap_text(text_say(SAY(TEXT_HEADS_UNEVEN, "3", "gpt2"), LANGUAGE_EN, arena),
                   "3 cards cannot share the heads of gpt2 evenly; strategy=pp can", "English");
    (void)tap_text(text_say(SAY(TEXT_HEADS_UNEVEN, "3", "gpt2"), LANGUAGE_ZH, arena),
                   "3 块卡没法平分 gpt2 的注意力头，可以用 strategy=pp", "Chinese");
    (void)tap_text(text_say(SAY(TEXT_CARD_UNKNOWN, "显卡"), LANGUAGE_ZH, arena), "没有叫 显卡的卡",
                   "no blank between Chinese and Chinese");
    (void)tap_text(text_say(SAY(TEXT_MUST_BE_ONE_OF, "new, used, any"), LANGUAGE_EN, arena),
                   "must be one of new, used, any", "a list in English");
    (void)tap_text(text_say(SAY(TEXT_MUST_BE_ONE_OF, "new, used, any"), LANGUAGE_ZH, arena),
                   "只能是其中之一：new、used、any", "and in Chinese");
    (void)tap_text(text_say(SAY(TEXT_CARD_UNKNOWN, "a,b"), LANGUAGE_ZH, arena), "没有叫 a,b 的卡",
                   "but no other comma");
    (void)tap_text(text_say(SAY(TEXT_SERVICE_FAULT, "a, b"), LANGUAGE_ZH, arena),
                   "服务的说明（英文）：a, b", "nor what is English anyway");
    (void)tap_text(text_plain(TEXT_TRY_LATER, LANGUAGE_ZH), "稍后再试", "a text as it is");
    (void)tap_ok(text_keep(SAY(TEXT_CARD_UNKNOWN, name), arena, &kept), "a wording is kept");
    name[0] = 'x';
    (void)tap_text(text_say(&kept, LANGUAGE_EN, arena), "no card is known as a100",
                   "with copies of its arguments");
}

/* Room for part of a text: never a character cut inside, always a NUL. */
static void test_print(void)
{
    static const char WHOLE[] = "没有叫 a 的卡";
    bool is_good = true;

    for (size_t room = 1; room <= sizeof WHOLE + 2; room++) {
        char out[sizeof WHOLE + 2];

        memset(out, 'x', sizeof out);
        text_print(SAY(TEXT_CARD_UNKNOWN, "a"), LANGUAGE_ZH, out, room);
        size_t length = strlen(out);

        is_good &= length < room && strncmp(out, WHOLE, length) == 0 &&
                   ((unsigned char)WHOLE[length] & 0xC0U) != 0x80U &&
                   (length == sizeof WHOLE - 1 || length + 4 > room);
    }
    (void)tap_ok(is_good, "cut between characters, as late as there is room");
}

static void test_refusal(void)
{
    struct error err = {0};
    char longest[200];

    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    (void)tap_ok(!error_refuse(&err, "context", SAY(TEXT_TOKENS_MOST, "gpt2", "1024")) &&
                     err.code == ERROR_BAD_PARAMETER,
                 "a refusal is an error");
    (void)tap_text(err.text, "context: gpt2 takes at most 1024 tokens", "with a text for logs");
    (void)tap_text(err.parameter, "context", "its parameter");
    (void)tap_ok(err.refusal == TEXT_TOKENS_MOST && strcmp(err.arguments[1], "1024") == 0,
                 "and its wording as data");
    (void)error_refuse(&err, "context", SAY(TEXT_TOKENS_MOST, longest, "1024"));
    (void)tap_ok(strlen(err.arguments[0]) == ERROR_ARGUMENT_BYTES - 1, "cut to fit");
    (void)error_set(&err, ERROR_SYSTEM, "no");
    (void)tap_ok(err.parameter == NULL, "another error names no parameter");
}

static void test_memory(void)
{
    struct arena small;
    struct wording kept = {.text = TEXT_COUNT};

    arena_init(&small, 8);
    (void)tap_ok(text_say(SAY(TEXT_TRY_LATER), LANGUAGE_EN, &small) == NULL,
                 "an exhausted arena gives no text");
    (void)tap_ok(!text_keep(SAY(TEXT_CARD_UNKNOWN, "rtx-3090-ti"), &small, &kept) &&
                     kept.text == TEXT_COUNT,
                 "and keeps no wording");
    arena_fini(&small);
}

int main(void)
{
    struct arena arena;

    arena_init(&arena, 1024 * 1024);
    for (size_t text = 0; text < TEXT_COUNT; text++) {
        test_row(text);
        test_said(text, &arena);
    }
    test_no_two_alike();
    test_say(&arena);
    test_print();
    test_refusal();
    test_memory();
    arena_fini(&arena);
    return tap_done();
}
