/* Decides with what stands beside a name. No state. */
#include "names_hints.h"

#include "names_index.h"
#include "names_paste.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const INSTANCE_KINDS[] = {"azure-size", "instance"};
static const char PROVIDER_KIND[] = "provider";

static bool is_of_instance(const struct alias *alias)
{
    return text_is(alias->kind, INSTANCE_KINDS[0]) || text_is(alias->kind, INSTANCE_KINDS[1]);
}

void names_hints_find_instance(const struct catalogue *catalogue, const char *type,
                               struct names_meaning *meaning)
{
    char key[NAMES_KEY_BYTES];
    size_t length = type == NULL ? 0 : names_normalise(type, strlen(type), key, sizeof key);

    *meaning = (struct names_meaning){.count = 0};
    if (length == 0) {
        return;
    }
    for (size_t i = names_index_first_alias(catalogue, key);
         i < catalogue->alias_count && strcmp(catalogue->aliases[i].key, key) == 0; i++) {
        if (is_of_instance(&catalogue->aliases[i])) {
            names_meaning_add_alias(meaning, &catalogue->aliases[i]);
        }
    }
    char *point = strchr(key, '.');

    if (names_meaning_is_known(meaning) || point == NULL) {
        return;
    }
    point[1] = '\0';
    for (size_t i = names_index_first_alias(catalogue, key);
         i < catalogue->alias_count && strncmp(catalogue->aliases[i].key, key, strlen(key)) == 0;
         i++) {
        if (is_of_instance(&catalogue->aliases[i])) {
            names_meaning_add_alias(meaning, &catalogue->aliases[i]);
        }
    }
    if (meaning->count > 1) { /* sizes that differ say nothing about another one */
        *meaning = (struct names_meaning){.count = 0};
    }
}

/* The number at the start of a note such as "8 GPUs" or "1/3 GPU"; NAN: none. */
static double gpus_of_note(const char *note)
{
    static const char UNIT[] = " GPU";
    char *end = NULL;

    if (note == NULL) {
        return (double)NAN;
    }
    double gpus = strtod(note, &end);

    if (*end == '/') {
        gpus /= strtod(end + 1, &end);
    }
    return gpus > 0 && isfinite(gpus) && strncmp(end, UNIT, strlen(UNIT)) == 0 ? gpus : (double)NAN;
}

double names_hints_instance_gpus(const struct catalogue *catalogue, const char *type, size_t length)
{
    char key[NAMES_KEY_BYTES];
    char spelt[NAMES_KEY_BYTES];

    if (names_normalise(type, length, key, sizeof key) == 0) {
        return (double)NAN;
    }
    if (names_paste_of_instance(key, spelt)) {
        return strtod(key, NULL);
    }
    for (size_t i = names_index_first_alias(catalogue, key);
         i < catalogue->alias_count && strcmp(catalogue->aliases[i].key, key) == 0; i++) {
        if (is_of_instance(&catalogue->aliases[i])) {
            return gpus_of_note(catalogue->aliases[i].note);
        }
    }
    return (double)NAN;
}

static bool holds(const struct names_meaning *meaning, const struct gpu *gpu)
{
    for (size_t i = 0; i < meaning->count; i++) {
        if (meaning->gpus[i] == gpu) {
            return true;
        }
    }
    return false;
}

/* The instance type decides between the cards of the name; false: not yet. Where it contradicts the
 * name, both remain, whatever else is said. */
static bool apply_instance(const struct names_meaning *instance, struct names_meaning *meaning)
{
    struct names_meaning both = {.count = 0};

    for (size_t i = 0; i < meaning->count; i++) {
        if (holds(instance, meaning->gpus[i])) {
            names_meaning_add(&both, meaning->gpus[i]);
        }
    }
    if (both.count > 0) {
        *meaning = both;
        return both.count == 1;
    }
    for (size_t i = 0; i < instance->count; i++) {
        names_meaning_add(meaning, instance->gpus[i]);
    }
    return true;
}

/* A provider that is known to rent only some of the cards that the name may mean. */
static void apply_provider(const struct catalogue *catalogue, const char *provider,
                           struct names_meaning *meaning)
{
    struct names_meaning rented = {.count = 0};
    char key[NAMES_KEY_BYTES];
    size_t length = provider == NULL || meaning->count < 2
                        ? 0
                        : names_normalise(provider, strlen(provider), key, sizeof key - 1);

    if (length == 0) {
        return;
    }
    memcpy(key + length, "-", sizeof "-");
    for (size_t i = names_index_first_alias(catalogue, key);
         i < catalogue->alias_count && strncmp(catalogue->aliases[i].key, key, length + 1) == 0;
         i++) {
        const struct alias *alias = &catalogue->aliases[i];

        if (text_is(alias->kind, PROVIDER_KIND) && holds(meaning, alias->gpu)) {
            names_meaning_add(&rented, alias->gpu);
        }
    }
    if (rented.count > 0) {
        *meaning = rented;
    }
}

/* Memory decides between several cards. False: it is beyond that of a single one. */
static bool apply_memory(double memory_gib, struct names_meaning *meaning)
{
    struct names_meaning kept = {.count = 0};

    for (size_t i = 0; i < meaning->count; i++) {
        if (names_told_is_memory(meaning->gpus[i], memory_gib, NAMES_SIZE_PRINTED)) {
            names_meaning_add(&kept, meaning->gpus[i]);
        }
    }
    if (kept.count > 0) {
        *meaning = kept; /* and a product without a card is told apart */
        return true;
    }
    return meaning->count != 1 ||
           names_told_is_memory(meaning->gpus[0], memory_gib, NAMES_SIZE_DOUBTFUL);
}

/* Form and link decide between several cards, where they leave any. */
static void apply_form(const struct names_told *told, struct names_meaning *meaning)
{
    struct names_meaning kept = *meaning;

    names_meaning_keep_told(&kept, told, NAMES_WORD_FORM);
    if (meaning->count > 1 && kept.count > 0) {
        *meaning = kept;
    }
}

/* Whether the maker that the source names may be the card's; a maker without cards says nothing. */
static bool fits_vendor(const struct catalogue *catalogue, const char *vendor,
                        const struct names_meaning *meaning)
{
    bool is_maker = false;

    for (size_t i = 0; i < catalogue->gpu_count && vendor != NULL; i++) {
        is_maker = is_maker || strcasecmp(catalogue->gpus[i].vendor, vendor) == 0;
    }
    for (size_t i = 0; i < meaning->count && is_maker; i++) {
        if (strcasecmp(meaning->gpus[i]->vendor, vendor) == 0) {
            return true;
        }
    }
    return !is_maker || meaning->count == 0;
}

bool names_hints_apply(const struct catalogue *catalogue, const struct names_hints *hints,
                       bool has_size, struct names_meaning *meaning)
{
    struct names_told told;
    struct names_meaning instance;
    double memory_gib =
        isnan(hints->memory_gib) ? hints->memory_total_gib / hints->gpu_count : hints->memory_gib;

    if (!fits_vendor(catalogue, hints->vendor, meaning)) {
        return false;
    }
    names_hints_find_instance(catalogue, hints->instance_type, &instance);
    if (instance.count > 0 && meaning->count > 0 && apply_instance(&instance, meaning)) {
        return true; /* slices of a card print the memory of the slice */
    }
    apply_provider(catalogue, hints->provider, meaning);
    if (!has_size && memory_gib > 0 && !apply_memory(memory_gib, meaning)) {
        return false;
    }
    names_told_read_text(catalogue, hints->interconnect, &told);
    apply_form(&told, meaning);
    names_told_read_text(catalogue, hints->instance_type, &told); /* "gpu-h100-sxm_1gpu" */
    apply_form(&told, meaning);
    return true;
}
