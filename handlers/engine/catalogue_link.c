/* Points from one row of the catalogue to another, once all are sorted. Runs inside
 * catalogue_build(). */
#include "catalogue_link.h"

#include "catalogue_rows.h"
#include "cloud_offer.h"
#include "money.h"

#include <math.h>
#include <string.h>

/* What an offer rents: the card, else the TPU, else the words of the provider. */
static const char *offered(const struct cloud_offer *offer)
{
    if (offer->gpu != NULL) {
        return offer->gpu->id;
    }
    return offer->tpu_slug != NULL ? offer->tpu_slug : offer->accelerator;
}

/* Whether and how two offers differ in what is offered, whatever day and price. */
static int compare_offered(const struct cloud_offer *a, const struct cloud_offer *b)
{
    int order = catalogue_compare_texts(a->provider, b->provider);

    if (order == 0) {
        order = catalogue_compare_texts(a->instance_type, b->instance_type);
    }
    if (order == 0) {
        order = catalogue_compare_texts(offered(a), offered(b));
    }
    if (order == 0) {
        order = (a->gpu_count > b->gpu_count) - (a->gpu_count < b->gpu_count);
    }
    return order != 0 ? order : catalogue_compare_texts(a->region, b->region);
}

int catalogue_compare_offers(const struct cloud_offer *a, const struct cloud_offer *b)
{
    int order = compare_offered(a, b);

    return order != 0 ? order : -catalogue_compare_dates(&a->observed_on, &b->observed_on);
}

static const struct architecture *find_architecture(const struct catalogue *catalogue,
                                                    const char *architecture)
{
    for (size_t i = 0; i < catalogue->architecture_count; i++) {
        if (text_is(catalogue->architectures[i].architecture, architecture)) {
            return &catalogue->architectures[i];
        }
    }
    return NULL;
}

/* The row of the exact compute capability, else the one for every other member. */
static const struct speed_trait *find_speed_trait(const struct catalogue *catalogue,
                                                  const struct gpu *gpu)
{
    const struct speed_trait *found = NULL;

    for (size_t i = 0; i < catalogue->speed_trait_count; i++) {
        const struct speed_trait *trait = &catalogue->speed_traits[i];

        if (!text_is(trait->architecture, gpu->architecture)) {
            continue;
        }
        if (text_is(trait->compute_capability, gpu->compute_capability)) {
            return trait;
        }
        if (trait->compute_capability == NULL) {
            found = trait;
        }
    }
    return found;
}

/* The place of a name in a list; count: none. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t place = 0;

    while (place < count && !text_is(names[place], name)) {
        place++;
    }
    return place;
}

static bool code_speed_traits(struct catalogue *catalogue, struct error *err)
{
    for (size_t i = 0; i < catalogue->speed_trait_count; i++) {
        struct speed_trait *trait = &catalogue->speed_traits[i];
        size_t code = find_name(SPEED_KERNELS_NAMES, SPEED_KERNELS_COUNT, trait->kernels);

        if (code == SPEED_KERNELS_COUNT) {
            return error_set(err, ERROR_BAD_DATABASE, "speed_traits: %s: no kernels called %s",
                             trait->architecture, trait->kernels == NULL ? "none" : trait->kernels);
        }
        trait->kernels_code = (enum speed_kernels)code;
    }
    return true;
}

/* A row about the card beats one about its architecture; within each, the exact system beats any.
 * The passes go from weak to strong, the later overwrites. */
static void link_support(const struct catalogue *catalogue, struct gpu *gpu)
{
    for (int pass = 0; pass < 4; pass++) {
        const char *scope = pass < 2 ? gpu->architecture : gpu->id;
        bool is_any = pass % 2 == 0;

        for (size_t i = 0; i < catalogue->support_count; i++) {
            const struct support *row = &catalogue->support[i];

            if (!text_is(row->scope, scope) || text_is(row->os, "any") != is_any) {
                continue;
            }
            size_t framework = find_name(FRAMEWORK_NAMES, FRAMEWORK_COUNT, row->framework);
            size_t os = find_name(OS_NAMES, OS_COUNT, row->os);

            for (size_t o = 0; o < OS_COUNT && framework < FRAMEWORK_COUNT; o++) {
                if (is_any || o == os) {
                    gpu->support[framework][o] = row;
                }
            }
        }
    }
}

static bool link_gpus(struct catalogue *catalogue, struct error *err)
{
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        struct gpu *gpu = &catalogue->gpus[i];

        if (i > 0 && strcmp(gpu->id, gpu[-1].id) == 0) {
            return error_set(err, ERROR_BAD_DATABASE, "gpus: %s is there twice", gpu->id);
        }
        gpu->architecture_row = find_architecture(catalogue, gpu->architecture);
        if (gpu->architecture_row == NULL) {
            return error_set(err, ERROR_BAD_DATABASE, "gpus: %s: no architecture %s", gpu->id,
                             gpu->architecture == NULL ? "given" : gpu->architecture);
        }
        gpu->speed_trait = find_speed_trait(catalogue, gpu);
        gpu->process_share = gpu->memory_per_process_gib / gpu->memory_gib;
        gpu->prices = NULL;
        gpu->price_count = 0;
        memset(gpu->support, 0, sizeof gpu->support);
        link_support(catalogue, gpu);
    }
    return true;
}

/* Prices are sorted by card: each card gets its slice. */
static void link_prices(struct catalogue *catalogue)
{
    catalogue->unknown_price_count = 0;
    catalogue->prices_as_of = (struct date){.text = NULL, .day = DAY_UNKNOWN};
    for (size_t i = 0; i < catalogue->price_count; i++) {
        const struct price *price = &catalogue->prices[i];

        if (price->gpu == NULL) {
            catalogue->unknown_price_count++;
            continue;
        }
        struct gpu *gpu = &catalogue->gpus[price->gpu - catalogue->gpus];

        gpu->prices = gpu->price_count == 0 ? price : gpu->prices;
        gpu->price_count++;
        if (catalogue_compare_dates(&price->observed_on, &catalogue->prices_as_of) > 0) {
            catalogue->prices_as_of = price->observed_on;
        }
    }
}

/* On demand, in US dollars: as given, else converted. */
static int64_t offer_usd_micros(const struct catalogue *catalogue, const struct cloud_offer *offer)
{
    if (offer->ondemand_usd_per_hour_micros != MONEY_UNKNOWN) {
        return offer->ondemand_usd_per_hour_micros;
    }
    return catalogue_convert(catalogue, offer->ondemand_per_hour_micros, offer->currency,
                             CURRENCY_NAMES[CURRENCY_USD], NULL);
}

static void link_offers(struct catalogue *catalogue)
{
    const struct cloud_offer *first = NULL; /* of those that differ only in date and price */

    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (first == NULL || compare_offered(first, offer) != 0) {
            first = offer;
        }
        offer->is_newest = offer->observed_on.day == first->observed_on.day;
        offer->usd_per_hour_micros = offer_usd_micros(catalogue, offer);
        cloud_offer_derive(offer);
    }
}

bool catalogue_link(struct catalogue *catalogue, struct error *err)
{
    if (!code_speed_traits(catalogue, err) || !link_gpus(catalogue, err)) {
        return false;
    }
    catalogue->reference_gpu = catalogue_find_gpu(catalogue, catalogue->parameters.reference_gpu);
    if (catalogue->reference_gpu == NULL) {
        return error_set(err, ERROR_BAD_DATABASE, "parameters: reference_gpu is no card: %s",
                         catalogue->parameters.reference_gpu);
    }
    link_prices(catalogue);
    link_offers(catalogue);
    return true;
}
