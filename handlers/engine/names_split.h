/* A normalised name cut into words, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_SPLIT_H
#define GPUWISE_ENGINE_NAMES_SPLIT_H

#include <stddef.h>

enum {
    NAMES_KEY_BYTES = 256,                   /* the longest known name has under 80 */
    NAMES_SPLIT_BYTES = 2 * NAMES_KEY_BYTES, /* a NUL behind each word */
    NAMES_SPLIT_MAX_WORDS = NAMES_KEY_BYTES / 2
};

/* What a word is; bits, so that a set of them can be left out. */
enum names_word_kind {
    NAMES_WORD_OF_NAME = 0,
    NAMES_WORD_SIZE = 1,    /* "80g", "80 gb" */
    NAMES_WORD_VENDOR = 2,  /* "nvidia" */
    NAMES_WORD_NEUTRAL = 4, /* "gpu" */
    NAMES_WORD_FORM = 8,    /* "sxm4", "pcie" */
    NAMES_WORD_MEMORY = 16, /* "hbm2e" */
    NAMES_WORD_LINE = 32,   /* "geforce" */
    NAMES_WORD_MARK = 64    /* "laptop" */
};

struct names_word {
    const char *text; /* within names_split.text, ends with NUL; of a size "80g" */
    enum names_word_kind kind;
    double memory_gib; /* of a size, else NAN */
    char before;       /* the sign in front of it: ',' or ':', else 0 */
};

struct names_split {
    char text[NAMES_SPLIT_BYTES];
    struct names_word words[NAMES_SPLIT_MAX_WORDS];
    size_t count;
};

/* Cuts a name in the form of names_normalise(), shorter than NAMES_KEY_BYTES, at blanks, hyphens,
 * brackets and signs, and where ASCII and other letters meet. Only sizes have their kind then. */
void names_split(const char *key, struct names_split *split);

/* The letters of the words whose kinds are not in `without`, written together; a size stands behind
 * a colon, so that "A 10G" is not "A10G". out must have NAMES_SPLIT_BYTES. */
void names_split_join(const struct names_split *split, unsigned without,
                      char out[NAMES_SPLIT_BYTES]);

#endif
