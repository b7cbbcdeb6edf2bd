/* From what people type to a card: an id, a known name, a known name written together, else the
 * nearest ones as suggestions. Never a guess: what several cards may be is answered with all of
 * them. No state. */
#include "names.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    NAME_BYTES = 256,                /* the longest known name has under 80 */
    NAME_MAX_WORDS = NAME_BYTES / 2, /* a letter and a hyphen each */
    COST_PER_EDIT = 10,              /* a wrong, missing or additional letter */
    COST_OF_PART = 5,    /* one name is a part of the other; each letter beyond it costs 1 */
    COST_OF_WORDS = 200, /* nothing but words in common; 200 is all of them, 1000 none */
    COST_WEAK = 600,     /* suggested only where nothing is nearer than this */
    COST_OF_NOTHING = 1000
};

/* The ASCII letter that a full-width form or the ideographic blank stands for, or 0: none of these.
 * They are U+FF01 to U+FF5E (EF BC 81 to EF BD 9E) for 21 to 7E, and U+3000 (E3 80 80). */
static char ascii_of_wide(const unsigned char *byte, size_t length)
{
    if (length < 3) {
        return 0;
    }
    if (byte[0] == 0xe3 && byte[1] == 0x80 && byte[2] == 0x80) {
        return ' ';
    }
    if (byte[0] == 0xef && byte[1] == 0xbc && byte[2] >= 0x81 && byte[2] <= 0xbf) {
        return (char)(byte[2] - 0x81 + 0x21);
    }
    if (byte[0] == 0xef && byte[1] == 0xbd && byte[2] >= 0x80 && byte[2] <= 0x9e) {
        return (char)(byte[2] - 0x80 + 0x60);
    }
    return 0;
}

static bool is_separator(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '-' ||
           letter == '_';
}

size_t names_normalise(const char *text, size_t length, char *out, size_t room)
{
    size_t used = 0;
    bool is_apart = false; /* a separator waits for the letter behind it */

    for (size_t i = 0; i < length; i++) {
        char letter = ascii_of_wide((const unsigned char *)text + i, length - i);

        if (letter == 0) {
            letter = text[i];
        } else {
            i += 2;
        }
        if (letter == '\0') {
            return 0; /* no name holds a NUL; what stands behind it must not be lost unseen */
        }
        if (is_separator(letter)) {
            is_apart = used > 0;
            continue;
        }
        if (used + (is_apart ? 2 : 1) >= room) {
            return 0;
        }
        if (is_apart) {
            out[used++] = '-';
            is_apart = false;
        }
        out[used++] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    }
    if (used > 0) {
        out[used] = '\0';
    }
    return used;
}

/* Removes the hyphens of a normalised name; it must fit NAME_BYTES. */
static void squeeze(const char *key, char out[NAME_BYTES])
{
    size_t used = 0;

    for (; *key != '\0' && used < NAME_BYTES - 1; key++) {
        if (*key != '-') {
            out[used++] = *key;
        }
    }
    out[used] = '\0';
}

size_t names_distance(const char *a, const char *b, size_t limit)
{
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    size_t row[NAME_BYTES]; /* distances of the first i letters of a to the first j of b */

    if (length_a >= NAME_BYTES || length_b >= NAME_BYTES ||
        (length_a > length_b ? length_a - length_b : length_b - length_a) > limit) {
        return limit + 1;
    }
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        size_t least = i;

        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = best;
            least = best < least ? best : least;
        }
        if (least > limit) {
            return limit + 1; /* rows never fall below their predecessor's least */
        }
    }
    return row[length_b] <= limit ? row[length_b] : limit + 1;
}

/* The cards one spelling may mean, by id. */
struct meaning {
    const struct gpu *gpus[NAMES_MAX_FOUND];
    size_t count;
    const struct alias *without_card; /* a known name that means no card */
};

static void add_meaning(struct meaning *meaning, const struct gpu *gpu)
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

static void add_alias(struct meaning *meaning, const struct alias *alias)
{
    if (alias->gpu != NULL) {
        add_meaning(meaning, alias->gpu);
    } else if (meaning->without_card == NULL) {
        meaning->without_card = alias;
    }
}

/* Aliases are sorted by key: the first that is not below it. */
static size_t first_alias(const struct catalogue *catalogue, const char *key)
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

static void find_exact(const struct catalogue *catalogue, const char *key, struct meaning *meaning)
{
    const struct gpu *gpu = catalogue_find_gpu(catalogue, key);

    if (gpu != NULL) {
        add_meaning(meaning, gpu); /* an id wins over an alias */
        return;
    }
    for (size_t i = first_alias(catalogue, key);
         i < catalogue->alias_count && strcmp(catalogue->aliases[i].key, key) == 0; i++) {
        add_alias(meaning, &catalogue->aliases[i]);
    }
}

/* "3060ti", "RTX-30 90": the letters count, not where they are parted. */
static void find_squeezed(const struct catalogue *catalogue, const char *key,
                          struct meaning *meaning)
{
    char wanted[NAME_BYTES];
    char known[NAME_BYTES];

    squeeze(key, wanted);
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        squeeze(catalogue->gpus[i].id, known);
        if (strcmp(known, wanted) == 0) {
            add_meaning(meaning, &catalogue->gpus[i]);
        }
    }
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        squeeze(catalogue->aliases[i].key, known);
        if (strcmp(known, wanted) == 0) {
            add_alias(meaning, &catalogue->aliases[i]);
        }
    }
}

/* A normalised name and its words. */
struct spelling {
    const char *text;
    size_t length;
    const char *words[NAME_MAX_WORDS];
    size_t lengths[NAME_MAX_WORDS];
    size_t count;
};

static void spell(const char *text, struct spelling *spelling)
{
    spelling->text = text;
    spelling->length = strlen(text);
    spelling->count = 0;
    while (*text != '\0' && spelling->count < NAME_MAX_WORDS) {
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

static void find_nearest(const struct catalogue *catalogue, const char *key,
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

struct names_hints names_no_hints(void)
{
    return (struct names_hints){
        .memory_gib = (double)NAN, .memory_total_gib = (double)NAN, .gpu_count = (double)NAN};
}

/* Whether memory as printed is that of the card: sold, or what one process sees. */
static bool is_memory_of(const struct gpu *gpu, double memory_gib)
{
    return (memory_gib >= 0.92 * gpu->memory_gib && memory_gib <= 1.07 * gpu->memory_gib) ||
           (memory_gib >= 0.92 * gpu->memory_per_process_gib &&
            memory_gib <= 1.07 * gpu->memory_per_process_gib);
}

static void keep_memory(struct meaning *meaning, const struct names_hints *hints)
{
    double memory_gib =
        isnan(hints->memory_gib) ? hints->memory_total_gib / hints->gpu_count : hints->memory_gib;
    struct meaning kept = {.count = 0};

    for (size_t i = 0; i < meaning->count; i++) {
        if (is_memory_of(meaning->gpus[i], memory_gib)) {
            kept.gpus[kept.count++] = meaning->gpus[i];
        }
    }
    if (kept.count > 0) {
        *meaning = kept;
    }
}

void names_resolve(const struct catalogue *catalogue, const char *text, size_t length,
                   const struct names_hints *hints, struct names_result *result)
{
    struct meaning meaning = {.count = 0};
    char key[NAME_BYTES] = {0};

    *result = (struct names_result){.outcome = NAMES_UNKNOWN, .tpu_chips = (double)NAN};
    if (names_normalise(text, length, key, sizeof key) == 0) {
        return;
    }
    find_exact(catalogue, key, &meaning);
    if (meaning.count == 0 && meaning.without_card == NULL) {
        find_squeezed(catalogue, key, &meaning);
    }
    if (hints != NULL) {
        keep_memory(&meaning, hints);
    }
    if (meaning.count > 0) {
        result->outcome = meaning.count == 1 ? NAMES_FOUND : NAMES_AMBIGUOUS;
        memcpy(result->gpus, meaning.gpus, sizeof result->gpus);
        result->count = meaning.count;
    } else if (meaning.without_card != NULL) {
        result->outcome = NAMES_NO_CARD;
        result->note = meaning.without_card->note;
    }
}

void names_find_gpu(const struct catalogue *catalogue, const char *text, size_t length,
                    struct names_result *result)
{
    char key[NAME_BYTES] = {0};

    names_resolve(catalogue, text, length, NULL, result);
    if (result->count == 0 && names_normalise(text, length, key, sizeof key) > 0) {
        find_nearest(catalogue, key, result);
    }
}
