/* How text lies on a terminal: columns of characters, and where a line may end. */
#ifndef GPUWISE_TEXT_WIDTH_H
#define GPUWISE_TEXT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/* Takes the next character off UTF-8 text that is not at its end; bytes that are none count as
 * U+FFFD, one by one. */
uint32_t text_width_next(const char **text);

/* Columns of a character: 0 combining and invisible, 2 East Asian wide and full-width, else 1. */
size_t text_width_of(uint32_t code);

/* Columns of a text. */
size_t text_width(const char *text);

/* Columns of its widest part that cannot be broken. */
size_t text_width_unbroken(const char *text);

/* Takes the first line off the rest, which must not be empty: as much as fits into so many columns,
 * broken at blanks and between wide characters (never before closing punctuation), inside a word
 * only where the word alone is wider; at least one character. Returns the bytes of the line from
 * the old rest; blanks at the break are skipped in the new one. */
size_t text_width_line(const char **rest, size_t columns);

#endif
