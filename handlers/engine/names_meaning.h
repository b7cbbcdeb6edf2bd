/* The cards that a spelling may mean, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_MEANING_H
#define GPUWISE_ENGINE_NAMES_MEANING_H

#include "names.h"
#include "names_told.h"

struct names_meaning {
    const struct gpu *gpus[NAMES_MAX_FOUND]; /* by id */
    size_t count;
    const struct alias *without_card; /* NULL, or a known name that means no card */
};

bool names_meaning_is_known(const struct names_meaning *meaning);

/* Each card once; one that comes behind NAMES_MAX_FOUND others is dropped. */
void names_meaning_add(struct names_meaning *meaning, const struct gpu *gpu);
void names_meaning_add_alias(struct names_meaning *meaning, const struct alias *alias);

/* Adds what a normalised name means: the card of that id, else the aliases. */
void names_meaning_of_key(const struct catalogue *catalogue, const char *key,
                          struct names_meaning *meaning);

/* What the letters of names_split_join() mean; false: nothing. */
bool names_meaning_of_letters(const struct catalogue *catalogue, const char *letters,
                              struct names_meaning *meaning);

/* Leaves the cards that are as told by the words of these kinds. */
void names_meaning_keep_told(struct names_meaning *meaning, const struct names_told *told,
                             unsigned kinds);

#endif
