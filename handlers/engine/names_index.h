/* The names of a catalogue by their letters alone, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_INDEX_H
#define GPUWISE_ENGINE_NAMES_INDEX_H

#include "catalogue.h"
#include "names_split.h"

/* An id or an alias. */
struct names_key {
    const char *letters;       /* as names_split_join() writes them; the index is sorted by it */
    const struct gpu *gpu;     /* NULL: a name without a card */
    const struct alias *alias; /* NULL: an id */
};

/* Fills name_keys and name_marks of a catalogue whose cards and aliases are sorted and whose
 * aliases have their keys. */
bool names_index_build(struct catalogue *catalogue, struct error *err) MUST_CHECK;

/* The first entry that is not below letters, sorted as strcmp does; name_key_count: none. */
size_t names_index_first(const struct catalogue *catalogue, const char *letters);

/* The first alias whose key is not below key; alias_count: none. */
size_t names_index_first_alias(const struct catalogue *catalogue, const char *key);

#endif
