/* The catalogue as a value: made, counted, looked up, amounts converted. What is derived from its
 * rows is made in catalogue_build.c. Built catalogues never change: any thread may call what is
 * here. */
#include "catalogue.h"

#include "money.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const SPEED_KERNELS_NAMES[SPEED_KERNELS_COUNT] = {
    "older", "pascal", "volta",     "turing",       "ampere", "ampere-dc",
    "ada",   "hopper", "blackwell", "blackwell-dc", "gcn",    "gcn-dot",
    "cdna",  "rdna",   "xe-hpg",    "xe",           "other"};
const char *const FRAMEWORK_NAMES[FRAMEWORK_COUNT] = {
    [FRAMEWORK_PYTORCH] = "pytorch",
    [FRAMEWORK_TENSORFLOW] = "tensorflow",
    [FRAMEWORK_JAX] = "jax",
    [FRAMEWORK_LLAMA_CPP] = "llama.cpp",
    [FRAMEWORK_CUDA] = "cuda",
    [FRAMEWORK_ROCM] = "rocm",
    [FRAMEWORK_DRIVER] = "driver",
    [FRAMEWORK_DIRECTML] = "directml",
    [FRAMEWORK_FLASH_ATTENTION_2] = "flash-attention-2",
    [FRAMEWORK_FLASH_ATTENTION_3] = "flash-attention-3",
    [FRAMEWORK_VLLM] = "vllm",
};
const char *const OS_NAMES[OS_COUNT] = {
    [OS_LINUX] = "linux",
    [OS_WINDOWS] = "windows",
    [OS_WSL] = "wsl",
};
const char *const CURRENCY_MARKETS[CURRENCY_COUNT] = {
    [CURRENCY_USD] = "us",
    [CURRENCY_CNY] = "cn",
    [CURRENCY_EUR] = "eu",
};

const char *const CURRENCY_NAMES[CURRENCY_COUNT] = {
    [CURRENCY_USD] = "USD",
    [CURRENCY_CNY] = "CNY",
    [CURRENCY_EUR] = "EUR",
};
const char *const CONDITION_NAMES[CONDITION_COUNT] = {
    [CONDITION_NEW] = "new",
    [CONDITION_USED] = "used",
    [CONDITION_MSRP] = "msrp",
};

bool text_is(const char *a, const char *b)
{
    /* the first letter tells most apart, and this is asked thousands of times an answer */
    return a != NULL && b != NULL && a[0] == b[0] && strcmp(a, b) == 0;
}

double known_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

struct catalogue *catalogue_new(void)
{
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);

    if (catalogue == NULL) {
        return NULL;
    }
    arena_init(&catalogue->memory, CATALOGUE_MEMORY_BYTES_MAX);
    catalogue->prices_as_of.day = DAY_UNKNOWN;
    catalogue->reference_count = 1;
    return catalogue;
}

struct catalogue *catalogue_ref(struct catalogue *catalogue)
{
    int before = __atomic_fetch_add(&catalogue->reference_count, 1, __ATOMIC_RELAXED);

    assert(before > 0);
    return catalogue;
}

void catalogue_unref(struct catalogue *catalogue)
{
    if (catalogue == NULL) {
        return;
    }
    /* Acquire and release: what other threads did with it happens before it is freed. */
    int before = __atomic_fetch_sub(&catalogue->reference_count, 1, __ATOMIC_ACQ_REL);

    assert(before > 0);
    if (before == 1) {
        arena_fini(&catalogue->memory);
        free(catalogue);
    }
}

static int compare_id_with_gpu(const void *id, const void *gpu)
{
    return strcmp(id, ((const struct gpu *)gpu)->id);
}

static int compare_id_with_model(const void *id, const void *model)
{
    return strcmp(id, ((const struct model *)model)->id);
}

const struct gpu *catalogue_find_gpu(const struct catalogue *catalogue, const char *id)
{
    if (id == NULL || catalogue->gpu_count == 0) {
        return NULL;
    }
    return bsearch(id, catalogue->gpus, catalogue->gpu_count, sizeof catalogue->gpus[0],
                   compare_id_with_gpu);
}

const struct model *catalogue_find_model(const struct catalogue *catalogue, const char *id)
{
    if (id == NULL || catalogue->model_count == 0) {
        return NULL;
    }
    return bsearch(id, catalogue->models, catalogue->model_count, sizeof catalogue->models[0],
                   compare_id_with_model);
}

const struct quant *catalogue_find_quant(const struct catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->quant_count; i++) {
        if (text_is(catalogue->quants[i].name, name)) {
            return &catalogue->quants[i];
        }
    }
    return NULL;
}

const struct network *catalogue_find_network(const struct catalogue *catalogue, const char *id)
{
    for (size_t i = 0; i < catalogue->network_count; i++) {
        if (text_is(catalogue->networks[i].id, id)) {
            return &catalogue->networks[i];
        }
    }
    return NULL;
}

/* Whether a list joined by ';' holds the word. */
static bool list_holds(const char *list, const char *word)
{
    size_t length = strlen(word);

    while (*list != '\0') {
        size_t part = strcspn(list, ";");

        if (part == length && memcmp(list, word, length) == 0) {
            return true;
        }
        list += part + (list[part] == ';' ? 1 : 0);
    }
    return false;
}

const struct tier *catalogue_tier_of(const struct catalogue *catalogue, enum currency currency,
                                     int64_t planning_micros, const char *segment)
{
    const struct tier *band = NULL;
    const struct tier *unlimited = NULL;

    if (planning_micros < 0) { /* MONEY_UNKNOWN is negative too */
        return NULL;
    }
    for (size_t i = 0; i < catalogue->tier_count; i++) {
        const struct tier *tier = &catalogue->tiers[i];

        if (!text_is(tier->currency, CURRENCY_NAMES[currency])) {
            continue;
        }
        /* A card that costs nothing belongs to the lowest band, though 0 is not above its 0. */
        bool is_above = planning_micros > tier->min_micros || tier->min_micros == 0;

        if (is_above &&
            (tier->max_micros == MONEY_UNKNOWN || planning_micros <= tier->max_micros)) {
            band = tier;
        }
        unlimited = text_is(tier->id, "unlimited") ? tier : unlimited;
    }
    if (band != NULL && segment != NULL && !list_holds(band->segments, segment)) {
        return unlimited;
    }
    return band;
}

/* high 0, medium 1, low 2, assumption and not said 3 */
static int confidence_rank(const struct fx_rate *rate)
{
    static const char *const ORDER[] = {"high", "medium", "low"};
    int rank = 0;

    while (rank < 3 && !text_is(rate->confidence, ORDER[rank])) {
        rank++;
    }
    return rank;
}

/* Whether a is to be used before b: trusted, then newer, then better trusted, then by source. */
static bool is_better_rate(const struct fx_rate *a, const struct fx_rate *b)
{
    int rank_a = confidence_rank(a);
    int rank_b = confidence_rank(b);

    if ((rank_a <= 1) != (rank_b <= 1)) {
        return rank_a <= 1;
    }
    if (a->observed_on.day != b->observed_on.day) {
        return a->observed_on.day > b->observed_on.day;
    }
    if (rank_a != rank_b) {
        return rank_a < rank_b;
    }
    return strcmp(a->source, b->source) < 0; /* else the first in the order of the rows stays */
}

/* The row to use between two currencies, and what one of `from` is in `to`; NULL: none. */
static const struct fx_rate *find_rate(const struct catalogue *catalogue, const char *from,
                                       const char *to, double *factor)
{
    const struct fx_rate *best = NULL;

    for (size_t i = 0; i < catalogue->fx_rate_count; i++) {
        const struct fx_rate *rate = &catalogue->fx_rates[i];
        bool is_direct = text_is(rate->base, from) && text_is(rate->quote, to);
        bool is_inverse = text_is(rate->base, to) && text_is(rate->quote, from);

        if ((is_direct || is_inverse) && (best == NULL || is_better_rate(rate, best))) {
            best = rate;
            *factor = is_direct ? rate->rate : 1 / rate->rate;
        }
    }
    return best;
}

bool catalogue_find_rate(const struct catalogue *catalogue, const char *from, const char *to,
                         double *factor, const struct fx_rate **rate_row)
{
    const char *hub = CURRENCY_NAMES[CURRENCY_USD];
    const struct fx_rate *row = NULL;
    double found_factor = 1;

    if (!text_is(from, to)) {
        row = find_rate(catalogue, from, to, &found_factor);
        if (row == NULL) {
            double second_factor = 1;
            const struct fx_rate *second = find_rate(catalogue, hub, to, &second_factor);

            row = find_rate(catalogue, from, hub, &found_factor);
            if (row == NULL || second == NULL) {
                return false;
            }
            found_factor *= second_factor;
            row = second->observed_on.day < row->observed_on.day ? second : row;
        }
    }
    *factor = found_factor;
    *rate_row = row;
    return true;
}

int64_t catalogue_convert(const struct catalogue *catalogue, int64_t micros, const char *from,
                          const char *to, const struct fx_rate **rate_row)
{
    const struct fx_rate *row = NULL;
    double factor = 1;

    if (!catalogue_find_rate(catalogue, from, to, &factor, &row)) {
        return MONEY_UNKNOWN;
    }
    if (rate_row != NULL) {
        *rate_row = row;
    }
    return row == NULL ? micros : money_times(micros, factor);
}
