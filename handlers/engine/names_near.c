/* The known names nearest to an unknown one, by edits, by being a part of it and by the words they
 * share. It reads every name: milliseconds, so only for a person who waits for the answer. */
#include "names_near.h"

#include "names_split.h"

#include <assert.h>
#include <string.h>

enum {
    COST_PER_EDIT = 10,  /* a wrong, missing or additional letter */
    COST_OF_PART = 5,    /* one name is a part of the other; each letter beyond it costs 1 */
    COST_OF_WORDS = 200, /* nothing but words in common; 200 is all of them, 1000 none */
    COST_WEAK = 600,     /* suggested only where nothing is nearer than this */
    COST_OF_NOTHING = 1000
};

/* A normalised name and its words. */
struct spelling {
    const char *text;
    size_t length;
    const char *words[NAMES_SPLIT_MAX_WORDS];
    size_t lengths[NAMES_SPLIT_MAX_WORDS];
    size_t count;
};

static void spell(const char *text, struct spelling *spelling)
{
    spelling->text = text;
    spelling->length = strlen(text);
    spelling->count = 0;
    while (*text != '\0' && spelling->count < NAMES_SPLIT_MAX_WORDS) {
        size_t length = strcspn(text, "-");

        spelling->words[spelling->count] = text;
        spelling->lengths[spelling->count++] = length;
        text += length + (text[length] == '-' ? 1 : 0);
    }
}

/* A word with a digit ("3090") says three times as much as one without ("rtx"). */
static size_t word_weight(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] >= '0' && word[i] <= '9') {
            return 3 * length;
        }
    }
    return length;
}

static size_t spelling_weight(const struct spelling *spelling)
{
    size_t weight = 0;

    for (size_t i = 0; i < spelling->count; i++) {
        weight += word_weight(spelling->words[i], spelling->lengths[i]);
    }
    return weight;
}

static bool has_word(const struct spelling *spelling, const char *word, size_t length)
{
    for (size_t i = 0; i < spelling->count; i++) {
        if (spelling->lengths[i] == length && memcmp(spelling->words[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* How far two names are apart by the words they share (Dice's coefficient of their weights). */
static size_t cost_of_words(const struct spelling *a, const struct spelling *b)
{
    size_t shared = 0;

    for (size_t i = 0; i < a->count; i++) {
        if (has_word(b, a->words[i], a->lengths[i])) {
            shared += word_weight(a->words[i], a->lengths[i]);
        }
    }
    size_t all = spelling_weight(a) + spelling_weight(b);
    if (all == 0) {
        return COST_OF_NOTHING; /* no words at all */
    }
    size_t most = COST_OF_NOTHING - COST_OF_WORDS;
    size_t likeness = most * 2 * shared / all;

    return COST_OF_NOTHING -
           (likeness < most ? likeness : most); /* a word said twice counts twice */
}

/* Whether one name stands in the other, beginning where a word begins; a single letter says
 * nothing. */
static bool is_part(const struct spelling *part, const struct spelling *whole)
{
    if (part->length < 2) {
        return false;
    }
    const char *place = strstr(whole->text, part->text);

    return place != NULL && (place == whole->text || place[-1] == '-');
}

/* How far a known name is from what was typed; COST_OF_NOTHING: nothing in common. */
static size_t cost_of(const struct spelling *typed, const struct spelling *known)
{
    size_t cost = cost_of_words(typed, known);
    size_t limit = (typed->length + 1) / 4; /* one slip in each four letters */
    size_t distance = names_distance(typed->text, known->text, limit);

    if (distance <= limit && distance * COST_PER_EDIT < cost) {
        cost = distance * COST_PER_EDIT;
    }
    size_t beyond = typed->length > known->length ? typed->length - known->length
                                                  : known->length - typed->length;

    if ((is_part(typed, known) || is_part(known, typed)) && COST_OF_PART + beyond < cost) {
        cost = COST_OF_PART + beyond;
    }
    return cost;
}

struct suggestions {
    const struct gpu *gpus[NAMES_MAX_FOUND];
    size_t costs[NAMES_MAX_FOUND];
    size_t count;
};

/* Keeps the nearest cards, each once, by cost and then id. */
static void suggest(struct suggestions *list, const struct gpu *gpu, size_t cost)
{
    size_t place = 0;
    size_t end = 0; /* where the row that gives way stands: the card's own, else the last */

    while (end < list->count && list->gpus[end] != gpu) {
        end++;
    }
    if (end < list->count && list->costs[end] <= cost) {
        return;
    }
    while (place < list->count &&
           (list->costs[place] < cost ||
            (list->costs[place] == cost && list->gpus[place]->index < gpu->index))) {
        place++;
    }
    if (place == NAMES_MAX_FOUND) {
        return;
    }
    if (end == list->count && list->count < NAMES_MAX_FOUND) {
        list->count++;
    } else if (end == list->count) {
        end--;
    }
    assert(place <= end);
    memmove(&list->gpus[place + 1], &list->gpus[place], (end - place) * sizeof list->gpus[0]);
    memmove(&list->costs[place + 1], &list->costs[place], (end - place) * sizeof list->costs[0]);
    list->gpus[place] = gpu;
    list->costs[place] = cost;
}

void names_near_find(const struct catalogue *catalogue, const char *key,
                     struct names_result *result)
{
    struct suggestions list = {.count = 0};
    struct spelling typed;
    struct spelling known;

    spell(key, &typed);
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        spell(catalogue->gpus[i].id, &known);
        size_t cost = cost_of(&typed, &known);

        if (cost < COST_OF_NOTHING) {
            suggest(&list, &catalogue->gpus[i], cost);
        }
    }
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu == NULL) {
            continue;
        }
        spell(catalogue->aliases[i].key, &known);
        size_t cost = cost_of(&typed, &known);

        if (cost < COST_OF_NOTHING) {
            suggest(&list, catalogue->aliases[i].gpu, cost);
        }
    }
    while (list.count > 0 && list.costs[0] < COST_WEAK && list.costs[list.count - 1] >= COST_WEAK) {
        list.count--;
    }
    memcpy(result->gpus, list.gpus, list.count * sizeof list.gpus[0]);
    result->count = list.count;
}
