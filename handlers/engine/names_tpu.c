/* Reads names of TPUs. No state. */
#include "names_tpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a number behind the generation counts. */
enum counted { COUNTED_CORES, COUNTED_CHIPS, COUNTED_UNKNOWN };

struct generation {
    const char *word, *slug;
    enum counted counted;
};

static const struct generation GENERATIONS[] = {
    {"v2", "google-tpu-v2", COUNTED_CORES},         {"v3", "google-tpu-v3", COUNTED_CORES},
    {"v4", "google-tpu-v4", COUNTED_CORES},         {"v4i", "google-tpu-v4i", COUNTED_UNKNOWN},
    {"v5e", "google-tpu-v5e", COUNTED_CHIPS},       {"v5lite", "google-tpu-v5e", COUNTED_CHIPS},
    {"v5litepod", "google-tpu-v5e", COUNTED_CHIPS}, {"v5p", "google-tpu-v5p", COUNTED_CORES},
    {"v6e", "google-tpu-v6e", COUNTED_CHIPS},       {"trillium", "google-tpu-v6e", COUNTED_CHIPS},
    {"v7", "google-tpu-v7", COUNTED_UNKNOWN},       {"7x", "google-tpu-v7", COUNTED_UNKNOWN},
    {"ironwood", "google-tpu-v7", COUNTED_UNKNOWN},
};

static const struct generation *find_generation(const char *word)
{
    for (size_t i = 0; i < sizeof GENERATIONS / sizeof GENERATIONS[0]; i++) {
        if (strcmp(GENERATIONS[i].word, word) == 0) {
            return &GENERATIONS[i];
        }
    }
    return NULL;
}

static const struct tpu *find_tpu(const struct catalogue *catalogue, const char *slug)
{
    for (size_t i = 0; i < catalogue->tpu_count; i++) {
        if (text_is(catalogue->tpus[i].tpu_slug, slug)) {
            return &catalogue->tpus[i];
        }
    }
    return NULL;
}

/* The chips a number stands for; NAN: the name says none. */
static double count_chips(const struct generation *generation, const struct tpu *tpu,
                          const char *number)
{
    double counted = strtod(number, NULL);

    if (generation->counted == COUNTED_UNKNOWN || !(counted > 0)) {
        return (double)NAN;
    }
    return generation->counted == COUNTED_CHIPS ? counted : counted / tpu->tensorcores_per_chip;
}

bool names_tpu_read(const struct catalogue *catalogue, const struct names_split *split,
                    bool is_from_google, const struct tpu **tpu, double *chips)
{
    size_t place = 0;
    bool is_tpu = is_from_google;
    const char *rest = "";

    while (place < split->count && (strcmp(split->words[place].text, "google") == 0 ||
                                    strcmp(split->words[place].text, "cloud") == 0)) {
        place++;
    }
    if (place < split->count && strncmp(split->words[place].text, "tpu", 3) == 0) {
        is_tpu = true;
        rest = split->words[place++].text + 3; /* "tpu7x" is one word */
    }
    if (!is_tpu || (rest[0] == '\0' && place == split->count)) {
        return false;
    }
    const struct generation *generation =
        find_generation(rest[0] != '\0' ? rest : split->words[place++].text);
    const char *number = place < split->count ? split->words[place++].text : "";

    if (generation == NULL || place < split->count ||
        number[strspn(number, "0123456789")] != '\0') {
        return false;
    }
    *tpu = find_tpu(catalogue, generation->slug);
    *chips = *tpu == NULL ? (double)NAN : count_chips(generation, *tpu, number);
    return *tpu != NULL;
}
