/* A place in a sorted list as text that a client hands back: the keys of the last row it was given,
 * not its number, so that rows which come and go meanwhile move nothing. */
#ifndef GPUWISE_CURSOR_H
#define GPUWISE_CURSOR_H

#include "engine/arena.h"
#include "limits.h"

#include <stdint.h>

/* So many bytes of a text count for order: the whole must fit into a parameter. */
enum { CURSOR_IDS = 4, CURSOR_TEXT_BYTES = 64, CURSOR_ID_BYTES = 56 };

struct cursor {
    const char *text;            /* the value sorted by; NULL: unknown, or a number is sorted by */
    double number;               /* the same as a number; NAN: unknown, or a text is sorted by */
    const char *ids[CURSOR_IDS]; /* break ties; NULL is as "" */
    uint64_t serial;             /* breaks those that are left */
    size_t passed;               /* rows with just these keys that were given already */
};

/* Letters, digits, '-' and '_', under LIMIT_PARAMETER_VALUE_BYTES. list: a number of the list,
 * which a cursor of another one does not have. NULL: the arena is exhausted. */
const char *cursor_write(const struct cursor *cursor, uint32_t list,
                         struct arena *arena) MUST_CHECK;

/* False: it was not written by cursor_write() for this list, or the arena is exhausted; *cursor is
 * then untouched. Its texts live in the arena. */
bool cursor_read(const char *text, size_t text_bytes, uint32_t list, struct arena *arena,
                 struct cursor *cursor) MUST_CHECK;

#endif
