/* Sorts all names by their letters; read with a binary search: about a dozen comparisons for each
 * look-up, and a dozen look-ups for the hardest name. */
#include "names_index.h"

#include <stdlib.h>
#include <string.h>

static const char MARK[] = "mark";

static const char *copy_letters(struct catalogue *catalogue, const char *key)
{
    struct names_split split;
    char letters[NAMES_SPLIT_BYTES];

    names_split(key, &split);
    names_split_join(&split, 0, letters);
    return arena_copy_text(&catalogue->memory, letters, strlen(letters));
}

static int compare_keys(const void *a, const void *b)
{
    const struct names_key *one = a;
    const struct names_key *other = b;
    int order = strcmp(one->letters, other->letters);

    if (order == 0) { /* ids first, then as the aliases are sorted */
        order = (one->alias > other->alias) - (one->alias < other->alias);
    }
    return order != 0 ? order : (one->gpu > other->gpu) - (one->gpu < other->gpu);
}

bool names_index_build(struct catalogue *catalogue, struct error *err)
{
    size_t count = catalogue->gpu_count + catalogue->alias_count;
    struct names_key *keys = arena_alloc_array(&catalogue->memory, count, sizeof *keys);
    const struct alias **marks =
        arena_alloc_array(&catalogue->memory, catalogue->alias_count, sizeof(const struct alias *));

    if (keys == NULL || marks == NULL) {
        goto no_memory;
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        keys[i].gpu = &catalogue->gpus[i];
        keys[i].letters = copy_letters(catalogue, catalogue->gpus[i].id);
    }
    catalogue->name_mark_count = 0;
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        const struct alias *alias = &catalogue->aliases[i];
        struct names_key *key = &keys[catalogue->gpu_count + i];

        *key = (struct names_key){
            .letters = copy_letters(catalogue, alias->key), .gpu = alias->gpu, .alias = alias};
        if (text_is(alias->kind, MARK)) {
            marks[catalogue->name_mark_count++] = alias;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (keys[i].letters == NULL) {
            goto no_memory;
        }
    }
    if (count > 1) {
        qsort(keys, count, sizeof *keys, compare_keys);
    }
    catalogue->name_keys = keys;
    catalogue->name_key_count = count;
    catalogue->name_marks = marks;
    return true;
no_memory:
    return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names of cards");
}

size_t names_index_first(const struct catalogue *catalogue, const char *letters)
{
    size_t low = 0;
    size_t high = catalogue->name_key_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(catalogue->name_keys[middle].letters, letters) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t names_index_first_alias(const struct catalogue *catalogue, const char *key)
{
    size_t low = 0;
    size_t high = catalogue->alias_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(catalogue->aliases[middle].key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
