/* The fixed texts of answers that are laid out for people, in both languages, and the words for the
 * codes and keys of the JSON documents. */
#ifndef GPUWISE_REPORT_WORDS_H
#define GPUWISE_REPORT_WORDS_H

#include "engine/message.h"

#include <stddef.h>

struct report_word_row {
    const char *id;
    const char *texts[LANGUAGE_COUNT];
};

extern const struct report_word_row REPORT_WORDS[];
extern const size_t REPORT_WORD_COUNT;

/* The text; an id that the table does not have is its own text: a code or a key of the document
 * that is the same in every language. */
const char *report_words_find(const char *id, enum language language);

#endif
