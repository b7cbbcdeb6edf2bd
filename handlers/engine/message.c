/* Turns a code and its arguments into a sentence. The sentences themselves are in message_table.c;
 * which code applies is decided in notes.c and advice.c. Pure; any thread. */
#include "message.h"

#include <assert.h>
#include <string.h>

const char *const LANGUAGE_NAMES[LANGUAGE_COUNT] = {"en", "zh"};

/* Units that end an argument and are words of a language, not symbols. */
static const struct {
    const char *english, *chinese;
} UNITS[] = {
    {" USD", " 美元"},    {" CNY", " 元"},   {" EUR", " 欧元"}, {" h", " 小时"},
    {" months", " 个月"}, {" years", " 年"}, {" cards", " 块"},
};

/* Arguments that are words of a language, no names. */
static const struct {
    const char *english, *chinese;
} WORDS[] = {
    {"consumer", "消费级"},
    {"workstation", "工作站"},
    {"datacenter", "数据中心"},
    {"The driver", "驱动程序"},
};

/* A growing count of bytes that writes only where there is room: measured first, written second. */
struct sink {
    char *bytes; /* NULL: count only */
    size_t length;
};

static void sink_put(struct sink *sink, const char *text, size_t length)
{
    if (sink->bytes != NULL) {
        memcpy(sink->bytes + sink->length, text, length);
    }
    sink->length += length;
}

/* True when the argument ends in a Chinese word or unit. */
static bool put_argument(struct sink *sink, const char *argument, enum language language)
{
    size_t length = strlen(argument);

    for (size_t i = 0; language == LANGUAGE_ZH && i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(argument, WORDS[i].english) == 0) {
            sink_put(sink, WORDS[i].chinese, strlen(WORDS[i].chinese));
            return true;
        }
    }
    for (size_t i = 0; language == LANGUAGE_ZH && i < sizeof UNITS / sizeof UNITS[0]; i++) {
        size_t unit_length = strlen(UNITS[i].english);

        if (length > unit_length &&
            strcmp(argument + length - unit_length, UNITS[i].english) == 0) {
            sink_put(sink, argument, length - unit_length);
            sink_put(sink, UNITS[i].chinese, strlen(UNITS[i].chinese));
            return true;
        }
    }
    sink_put(sink, argument, length);
    return false;
}

static bool is_chinese_next(const char *text)
{
    return text[0] == ' ' && (unsigned char)text[1] >= 0x80; /* a byte of a longer UTF-8 form */
}

static void put_sentence(struct sink *sink, const char *sentence, const struct note *note,
                         enum language language)
{
    const char *at = sentence;

    while (*at != '\0') {
        size_t plain = strcspn(at, "{");

        sink_put(sink, at, plain);
        at += plain;
        if (*at == '{') {
            size_t number = (size_t)(at[1] - '0');

            assert(number < NOTE_MAX_ARGUMENTS);
            assert(at[2] == '}');
            assert(note->arguments[number] != NULL);
            at += 3;
            /* the blank is between digits or Latin letters and Chinese only */
            if (put_argument(sink, note->arguments[number], language) && is_chinese_next(at)) {
                at++;
            }
        }
    }
}

const char *message_code_name(enum message_code code)
{
    assert(code < MESSAGE_COUNT);
    return MESSAGE_TABLE[code].name;
}

const char *message_text(const struct note *note, enum language language, struct arena *arena)
{
    struct sink sink = {NULL, 0};
    const char *sentence;

    assert(note->code < MESSAGE_COUNT);
    assert(note->variant < MESSAGE_VARIANT_COUNT);
    assert(language < LANGUAGE_COUNT);
    sentence = MESSAGE_TABLE[note->code].sentences[note->variant][language];
    assert(sentence != NULL);
    put_sentence(&sink, sentence, note, language);
    sink.bytes = arena_alloc(arena, sink.length + 1);
    if (sink.bytes == NULL) {
        return NULL;
    }
    sink.length = 0;
    put_sentence(&sink, sentence, note, language);
    return sink.bytes;
}
