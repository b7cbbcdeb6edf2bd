/* From what people type to a card of the catalogue: never a guess. */
#ifndef GPUWISE_ENGINE_NAMES_H
#define GPUWISE_ENGINE_NAMES_H

#include "catalogue.h"

enum { NAMES_MAX_FOUND = 12 }; /* candidates or suggestions listed */

enum names_outcome {
    NAMES_FOUND,     /* exactly one card: gpus[0] */
    NAMES_AMBIGUOUS, /* several: gpus[0..count) are the candidates, by id */
    NAMES_NO_CARD,   /* a known name without a card here; note says why; gpus are suggestions */
    NAMES_UNKNOWN    /* gpus[0..count) are the nearest known names, perhaps none */
};

struct names_result {
    enum names_outcome outcome;
    const struct gpu *gpus[NAMES_MAX_FOUND];
    size_t count;
    const char *note;
};

/* Writes the comparable form of a name: lower case, full-width forms made ASCII, every run of
 * blanks, hyphens and underscores one hyphen, none at the ends. Returns its length; 0 when it does
 * not fit into room bytes with a NUL, is empty, or holds a NUL. */
size_t names_normalise(const char *text, size_t length, char *out, size_t room);

/* Resolves an id or a name. An id wins over an alias. */
void names_find_gpu(const struct catalogue *catalogue, const char *text, size_t length,
                    struct names_result *result);

/* Edit distance (insert, delete, replace), at most limit + 1; for the nearest known word.
 * A word of 256 bytes or more is that far from any. */
size_t names_distance(const char *a, const char *b, size_t limit);

#endif
