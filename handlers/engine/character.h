/* Characters of texts that come from outside: UTF-8, and what no name or note may hold. */
#ifndef GPUWISE_ENGINE_CHARACTER_H
#define GPUWISE_ENGINE_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the UTF-8 character at text, of which `left` (at least 1) may be read; 0: it is none
 * (RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF), *code is then untouched. */
size_t character_read(const char *text, size_t left, uint32_t *code);

/* A control of ASCII or Latin-1, tab and line ends among them. */
bool character_is_control(uint32_t code);

/* A mark without a shape of its own: zero width, line and paragraph separator, direction. No name
 * has them; pasted along they make it unknown, and where it is shown they hide or turn round what
 * stands beside it. */
bool character_is_invisible(uint32_t code);

/* A control that is none of the allowed ones, which are of ASCII. */
bool character_is_control_but(uint32_t code, const char *allowed);

/* Whether the text is UTF-8 without invisible characters and, but for the allowed ones, controls.
 */
bool character_is_plain(const char *text, size_t length, const char *allowed);

#endif
