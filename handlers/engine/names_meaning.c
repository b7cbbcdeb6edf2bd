/* What a spelling may mean, in one place. No state. */
#include "names_meaning.h"

#include "names_index.h"

#include <string.h>

void names_meaning_add(struct names_meaning *meaning, const struct gpu *gpu)
{
    size_t place = 0;

    while (place < meaning->count && meaning->gpus[place]->index < gpu->index) {
        place++;
    }
    if (place == NAMES_MAX_FOUND || (place < meaning->count && meaning->gpus[place] == gpu)) {
        return;
    }
    size_t last = meaning->count < NAMES_MAX_FOUND ? meaning->count : NAMES_MAX_FOUND - 1;

    memmove(&meaning->gpus[place + 1], &meaning->gpus[place],
            (last - place) * sizeof meaning->gpus[0]);
    meaning->gpus[place] = gpu;
    meaning->count = last + 1;
}

void names_meaning_add_alias(struct names_meaning *meaning, const struct alias *alias)
{
    if (alias->gpu != NULL) {
        names_meaning_add(meaning, alias->gpu);
    } else if (meaning->without_card == NULL) {
        meaning->without_card = alias;
    }
}

void names_meaning_of_key(const struct catalogue *catalogue, const char *key,
                          struct names_meaning *meaning)
{
    const struct gpu *gpu = catalogue_find_gpu(catalogue, key);

    if (gpu != NULL) {
        names_meaning_add(meaning, gpu); /* an id wins over an alias */
        return;
    }
    for (size_t i = names_index_first_alias(catalogue, key);
         i < catalogue->alias_count && strcmp(catalogue->aliases[i].key, key) == 0; i++) {
        names_meaning_add_alias(meaning, &catalogue->aliases[i]);
    }
}

bool names_meaning_is_known(const struct names_meaning *meaning)
{
    return meaning->count > 0 || meaning->without_card != NULL;
}

bool names_meaning_of_letters(const struct catalogue *catalogue, const char *letters,
                              struct names_meaning *meaning)
{
    *meaning = (struct names_meaning){.count = 0};
    for (size_t i = names_index_first(catalogue, letters);
         i < catalogue->name_key_count && strcmp(catalogue->name_keys[i].letters, letters) == 0;
         i++) {
        const struct names_key *found = &catalogue->name_keys[i];

        if (found->gpu != NULL) {
            names_meaning_add(meaning, found->gpu);
        } else if (meaning->without_card == NULL) {
            meaning->without_card = found->alias;
        }
    }
    return names_meaning_is_known(meaning);
}

/* Leaves the cards that are as told by the words of these kinds. */
void names_meaning_keep_told(struct names_meaning *meaning, const struct names_told *told,
                             unsigned kinds)
{
    size_t kept = 0;

    for (size_t i = 0; i < meaning->count; i++) {
        if (names_told_fits(told, kinds, meaning->gpus[i])) {
            meaning->gpus[kept++] = meaning->gpus[i];
        }
    }
    meaning->count = kept;
}
