/* message.c and message_table.c: every code says the same in both languages, in the tone of the
 * page. */
#include "message.h"

#include "bilingual.h"
#include "tests/tap.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void test_pair(const char *name, size_t variant, const char *english, const char *chinese)
{
    if (english == NULL || chinese == NULL) {
        (void)tap_ok(english == chinese, "%s, sentence %zu: in both languages or in none", name,
                     variant);
        return;
    }
    unsigned named = placeholders(english, NOTE_MAX_ARGUMENTS);
    const char *foreign = foreign_word(chinese);

    (void)tap_ok(named == placeholders(chinese, NOTE_MAX_ARGUMENTS) && named < 1u << 7,
                 "%s, sentence %zu: both name the same arguments", name, variant);
    (void)tap_ok(ends_with(english, ".") && strchr(english, '!') == NULL &&
                     (english[0] == '{' || (english[0] >= 'A' && english[0] <= 'Z')),
                 "%s, sentence %zu: a whole English sentence", name, variant);
    (void)tap_ok(ends_with(chinese, "。") && has_wide_marks(chinese) && holds_han(chinese) &&
                     strstr(chinese, "您") == NULL && is_spaced(chinese),
                 "%s, sentence %zu: a whole Chinese sentence with full-width punctuation", name,
                 variant);
    (void)tap_ok(foreign == NULL, "%s, sentence %zu: no English word: %s", name, variant,
                 foreign == NULL ? "none" : foreign);
}

/* Every sentence is written with all its arguments, and holds them. */
static void test_written(enum message_code code, size_t variant, struct arena *arena)
{
    static const char *const WORDS[NOTE_MAX_ARGUMENTS] = {"Alpha", "Beta",    "Gamma",
                                                          "Delta", "Epsilon", "Zeta"};
    struct note note = {.code = code, .variant = (enum message_variant)variant};
    bool is_good = true;

    memcpy(note.arguments, WORDS, sizeof WORDS);
    for (size_t language = 0; language < LANGUAGE_COUNT; language++) {
        unsigned named =
            placeholders(MESSAGE_TABLE[code].sentences[variant][language], NOTE_MAX_ARGUMENTS);
        const char *text = message_text(&note, (enum language)language, arena);

        is_good &= text != NULL && strpbrk(text, "{}") == NULL;
        for (size_t i = 0; text != NULL && i < NOTE_MAX_ARGUMENTS; i++) {
            is_good &= ((named >> i & 1) != 0) == (strstr(text, WORDS[i]) != NULL);
        }
    }
    (void)tap_ok(is_good, "%s, sentence %zu: written with its arguments", message_code_name(code),
                 variant);
}

static void test_table(struct arena *arena)
{
    bool names_differ = true;

    for (size_t code = 0; code < MESSAGE_COUNT; code++) {
        const struct message_row *row = &MESSAGE_TABLE[code];

        (void)tap_ok(row->name != NULL && row->sentences[VARIANT_USUAL][LANGUAGE_EN] != NULL,
                     "code %zu has a name and a sentence", code);
        for (size_t other = 0; other < code; other++) {
            names_differ &= strcmp(row->name, MESSAGE_TABLE[other].name) != 0;
        }
        for (size_t variant = 0; variant < MESSAGE_VARIANT_COUNT; variant++) {
            test_pair(row->name, variant, row->sentences[variant][LANGUAGE_EN],
                      row->sentences[variant][LANGUAGE_ZH]);
            if (row->sentences[variant][LANGUAGE_EN] != NULL) {
                test_written((enum message_code)code, variant, arena);
            }
        }
    }
    (void)tap_ok(names_differ, "no two codes share a name");
    (void)tap_text(message_code_name(MESSAGE_NO_FLASH_ATTENTION_2), "no-flash-attention-2",
                   "codes are named as the contract says");
}

static void test_units(struct arena *arena)
{
    struct note stale = {.code = MESSAGE_PRICE_STALE,
                         .arguments = {"37 months", "560 USD", "1,070 USD", "1,190 USD"}};
    struct note even = {.code = MESSAGE_RENT_BUY_EVEN, .arguments = {"4,770 h", "24 months"}};
    struct note budget = {.code = MESSAGE_OVER_BUDGET, .arguments = {"8,568 CNY", "5,069 CNY"}};

    (void)tap_text(message_text(&stale, LANGUAGE_EN, arena),
                   "The price is 37 months old. Today it may be 560 USD to 1,070 USD; up to "
                   "1,190 USD the pick keeps its rank.",
                   "the age of a price in English");
    (void)tap_text(message_text(&stale, LANGUAGE_ZH, arena),
                   "这个价格已有 37 个月。今天可能在 560 美元至 1,070 美元之间；不超过 1,190 "
                   "美元，名次不变。",
                   "units are said in Chinese, without a blank before Chinese");
    (void)tap_text(message_text(&even, LANGUAGE_ZH, arena),
                   "负载用满 4,770 小时（24 个月），买和租持平。", "hours and months in Chinese");
    (void)tap_text(message_text(&budget, LANGUAGE_ZH, arena),
                   "要花 8,568 元，你的预算是 5,069 元。", "yuan are 元");
}

static void test_words(struct arena *arena)
{
    struct note segment = {.code = MESSAGE_SEGMENT_EXCLUDED,
                           .arguments = {"consumer", "datacenter"}};
    struct note dropped = {.code = MESSAGE_SUPPORT_DROPPED, .arguments = {"The driver", "1.2"}};
    const char *text = message_text(&dropped, LANGUAGE_ZH, arena);

    (void)tap_text(message_text(&segment, LANGUAGE_EN, arena),
                   "Its segment is consumer; you asked for datacenter.", "the words of parameters");
    (void)tap_text(message_text(&segment, LANGUAGE_ZH, arena),
                   "它的类别：消费级，你要的类别：数据中心。", "are said in Chinese");
    struct note missing = {.code = MESSAGE_FEATURE_MISSING, .arguments = {"bf16, mig"}};

    (void)tap_text(message_text(&missing, LANGUAGE_ZH, arena), "它缺少你要的功能：bf16、mig。",
                   "a list as Chinese writes it");
    (void)tap_ok(strncmp(text, "驱动程序对", strlen("驱动程序对")) == 0,
                 "without a blank behind, like units");
}

static void test_memory(void)
{
    struct arena small;
    struct note note = {.code = MESSAGE_NO_PRICE};

    arena_init(&small, 8);
    (void)tap_ok(message_text(&note, LANGUAGE_EN, &small) == NULL,
                 "an exhausted arena gives no text");
    arena_fini(&small);
}

int main(void)
{
    struct arena arena;

    arena_init(&arena, 1024 * 1024);
    test_table(&arena);
    test_units(&arena);
    test_words(&arena);
    test_memory();
    arena_fini(&arena);
    return tap_done();
}
