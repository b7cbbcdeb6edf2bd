/* Turns a code and its arguments into a sentence. The sentences themselves are in message_table.c;
 * which code applies is decided in notes.c and advice.c. Pure; any thread. */
#include "message.h"

#include <assert.h>
#include <string.h>

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
    {"consumer", "消费级"},    {"workstation", "工作站"},  {"datacenter", "数据中心"},
    {"SUPERCHIP", "超级芯片"}, {"The driver", "驱动程序"},
};

/* The argument in a language; NULL: the arena is exhausted. */
static const char *local_argument(const char *argument, enum language language, struct arena *arena)
{
    size_t length = strlen(argument);

    for (size_t i = 0; language == LANGUAGE_ZH && i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(argument, WORDS[i].english) == 0) {
            return WORDS[i].chinese;
        }
    }
    for (size_t i = 0; language == LANGUAGE_ZH && i < sizeof UNITS / sizeof UNITS[0]; i++) {
        size_t unit_length = strlen(UNITS[i].english);

        if (length > unit_length &&
            strcmp(argument + length - unit_length, UNITS[i].english) == 0) {
            return arena_format(arena, "%.*s%s", (int)(length - unit_length), argument,
                                UNITS[i].chinese);
        }
    }
    return argument;
}

const char *message_code_name(enum message_code code)
{
    assert(code < MESSAGE_COUNT);
    return MESSAGE_TABLE[code].name;
}

const char *message_text(const struct note *note, enum language language, struct arena *arena)
{
    const char *arguments[NOTE_MAX_ARGUMENTS] = {NULL};

    assert(note->code < MESSAGE_COUNT);
    assert(note->variant < MESSAGE_VARIANT_COUNT);
    assert(language < LANGUAGE_COUNT);
    const char *sentence = MESSAGE_TABLE[note->code].sentences[note->variant][language];

    const char *comma = TEXT_COMMAS[language];

    assert(sentence != NULL);
    for (size_t i = 0; i < NOTE_MAX_ARGUMENTS; i++) {
        if (note->arguments[i] != NULL) {
            arguments[i] = local_argument(note->arguments[i], language, arena);
            if (arguments[i] == NULL) {
                return NULL;
            }
        }
    }
    size_t length = text_fill(sentence, arguments, NOTE_MAX_ARGUMENTS, comma, NULL, 0);
    char *text = arena_alloc(arena, length + 1); /* zeroed */

    if (text != NULL) {
        (void)text_fill(sentence, arguments, NOTE_MAX_ARGUMENTS, comma, text,
                        length); /* the same again */
    }
    return text;
}
