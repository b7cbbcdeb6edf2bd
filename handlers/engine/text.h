/* What gpuwise says besides the coded sentences of message.h: problems and complaints about
 * parameters, in English and Simplified Chinese, from one table (text_table.c). */
#ifndef GPUWISE_ENGINE_TEXT_H
#define GPUWISE_ENGINE_TEXT_H

#include "arena.h"
#include "text_ids.h"

enum language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_COUNT };
extern const char *const LANGUAGE_NAMES[LANGUAGE_COUNT]; /* "en", "zh" */

/* Between the parts of a list. */
extern const char *const TEXT_COMMAS[LANGUAGE_COUNT];

/* The same arguments are named in every language, {0} being the first, in any order. */
extern const char *const TEXT_TABLE[TEXT_COUNT][LANGUAGE_COUNT];

/* A text that names no argument. */
const char *text_plain(enum text text, enum language language);

/* The text with its arguments; NULL: the arena is exhausted. A missing argument is a fault of ours.
 */
const char *text_say(const struct wording *wording, enum language language,
                     struct arena *arena) MUST_CHECK;

/* The same into room bytes, cut between characters where it is longer. */
void text_print(const struct wording *wording, enum language language, char *out, size_t room);

/* A sentence with {0} to {count-1} replaced, of which as much as there is room for is written,
 * without a NUL; returns the length of all of it. An argument that is a list, "a, b", is written
 * with the comma given. Behind an argument that ends in Chinese no blank stands before Chinese. */
size_t text_fill(const char *sentence, const char *const *arguments, size_t count,
                 const char *comma, char *out, size_t room);

/* The wording with its arguments copied, so that it lives as the arena; false: that is exhausted.
 */
bool text_keep(const struct wording *wording, struct arena *arena, struct wording *kept) MUST_CHECK;

#endif
