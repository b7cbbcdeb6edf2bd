/* Finds the cards of rows, once for each name: a file of a million offers has few names, and a name
 * that is not known takes the longest to look up. */
#include "catalogue_cards.h"

#include "hash.h"
#include "names.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SLOTS = 1024 }; /* names kept at a time */

/* What was asked last under a number, and its answer. */
struct slot {
    const char *name; /* NULL: nothing yet */
    const char *provider, *instance_type;
    double memory_gib;
    const struct gpu *gpu;
};

struct cards {
    const struct catalogue *catalogue;
    struct slot slots[SLOTS];
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || text_is(a, b); /* NULL is NULL */
}

static bool is_same(const struct slot *slot, const char *name, const struct names_hints *hints)
{
    return text_is(slot->name, name) && is_same_text(slot->provider, hints->provider) &&
           is_same_text(slot->instance_type, hints->instance_type) &&
           (isnan(slot->memory_gib) ? isnan(hints->memory_gib)
                                    : slot->memory_gib == hints->memory_gib);
}

static const struct gpu *find_card(struct cards *cards, const char *id, const char *name,
                                   const struct names_hints *hints)
{
    const struct gpu *gpu = catalogue_find_gpu(cards->catalogue, id);

    if (gpu != NULL) {
        return gpu;
    }
    uint64_t hash = hash_text(HASH_SEED, name);

    hash = hash_text(hash_text(hash, hints->provider), hints->instance_type);
    struct slot *slot = &cards->slots[hash % SLOTS];

    if (!is_same(slot, name, hints)) {
        struct names_result found;

        names_resolve(cards->catalogue, name, strlen(name), hints, &found);
        *slot = (struct slot){.name = name,
                              .provider = hints->provider,
                              .instance_type = hints->instance_type,
                              .memory_gib = hints->memory_gib,
                              .gpu = found.outcome == NAMES_FOUND ? found.gpus[0] : NULL};
    }
    return slot->gpu;
}

void catalogue_find_cards(struct catalogue *catalogue)
{
    struct cards cards = {.catalogue = catalogue};
    struct names_hints hints = names_no_hints();

    for (size_t i = 0; i < catalogue->price_count; i++) {
        struct price *price = &catalogue->prices[i];

        price->gpu = find_card(&cards, price->gpu_slug, price->gpu_slug, &hints);
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        struct cloud_offer *offer = &catalogue->cloud_offers[i];

        hints.memory_gib = offer->gpu_memory_gb;
        hints.provider = offer->provider;
        hints.instance_type = offer->instance_type;
        offer->gpu = offer->tpu_slug != NULL
                         ? NULL
                         : find_card(&cards, offer->gpu_slug, offer->accelerator, &hints);
    }
    hints.provider = NULL;
    hints.instance_type = NULL;
    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        struct notebook_plan *plan = &catalogue->notebook_plans[i];

        hints.memory_gib = plan->gpu_memory_gb;
        plan->gpu = plan->tpu_slug != NULL
                        ? NULL
                        : find_card(&cards, plan->gpu_slug, plan->accelerator, &hints);
    }
}
