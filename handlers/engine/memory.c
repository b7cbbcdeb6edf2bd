/* How much memory a job needs on each card: the floors where no model is named, and the sharing of
 * one copy over cards. What a copy holds is counted in memory_language.c and memory_picture.c. Any
 * thread. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>
#include <string.h>

static const double BYTES_PER_GIB = 1024.0 * 1024.0 * 1024.0;

/* Smallest memory as sold for work without a model (DESIGN.md section 3.1, ARTICLES.md), or what
 * the asker wants above it. */
static void fill_floor(const struct parameters *parameters, const struct ask *ask,
                       struct memory_need *need)
{
    bool is_small =
        ask->task == TASK_LEARN || ask->task == TASK_INFERENCE || ask->domain == DOMAIN_TABULAR;
    double floor_gib =
        is_small ? parameters->learn_memory_floor_gib : parameters->research_memory_floor_gib;
    double unknown = (double)NAN;

    floor_gib = fmax(floor_gib, ask->min_memory_gib); /* ignores a NAN */
    *need = (struct memory_need){
        .weights_gib = unknown,
        .kv_cache_gib = unknown,
        .gradients_gib = unknown,
        .optimizer_gib = unknown,
        .activations_gib = unknown,
        .copies_gib = unknown,
        .overhead_gib = unknown,
        .allocator_peak_gib = unknown,
        .total_gib = floor_gib,
        .low_gib = floor_gib,
        .high_gib = floor_gib,
        .per_gpu_gib = floor_gib,
        .per_gpu_low_gib = floor_gib,
        .per_gpu_high_gib = floor_gib,
        .is_floor = true,
        .basis = "assumed",
    };
}

/* Parts of one copy that a card of a set holds. */
struct card_share {
    double resident, cache, optimizer, gradients; /* shares of 1 */
    double activations_shared;
    double gathered_bytes; /* beside them */
};

static struct card_share share_of(const struct calibration *figures,
                                  const struct memory_parts *parts, enum strategy strategy,
                                  double cards)
{
    struct card_share share = {1, 1, 1, 1, 1, 0};

    if (strategy == STRATEGY_FSDP) {
        /* ZeRO section 5.3. PyTorch's FSDP 2: a root and two layers are gathered at a time, in full
         * training also the gradient of the root. Activations and cache are each card's own. */
        share.resident = share.optimizer = share.gradients = 1 / cards;
        share.gathered_bytes = parts->block * (parts->is_full ? figures->fsdp_blocks : 1);
    } else if (strategy == STRATEGY_TP) {
        share.resident = share.optimizer = share.gradients = share.activations_shared = 1 / cards;
        share.cache = 1 / fmax(1, fmin(cards, parts->cache_ways)); /* a KV head is not divided */
    } else if (strategy == STRATEGY_PP) {
        /* The fullest stage: the rounded-up share of the layers and one token table. Its
         * activations are those of all layers, as it holds the micro-batches in flight
         * (arXiv:2205.05198 4.2.3). */
        double layers = isnan(parts->layers) ? cards : fmax(parts->layers, cards);
        double stage = fmin(1, ceil(layers / cards) / layers);

        share.optimizer = share.gradients = share.cache = stage;
        share.resident = stage;
        share.gathered_bytes = (1 - stage) * fmin(parts->table, parts->resident);
    }
    return share;
}

/* Peak of the allocator on one card. Gradients are made while activations are freed, so the larger
 * of the two counts (section 9.3). */
static double card_peak_bytes(const struct calibration *figures, const struct memory_parts *parts,
                              enum strategy strategy, double cards)
{
    struct card_share share =
        share_of(figures, parts, cards > 1 ? strategy : STRATEGY_SINGLE, cards);
    double activations =
        parts->activations_whole + parts->activations_shared * share.activations_shared;
    double peak = parts->resident * share.resident + share.gathered_bytes +
                  parts->cache * share.cache + parts->optimizer * share.optimizer +
                  fmax(activations, parts->gradients * share.gradients);

    return parts->is_training ? (peak + figures->base_bytes) * figures->fragmentation : peak;
}

static void fill_counted(const struct catalogue *catalogue, const struct memory_parts *parts,
                         enum strategy strategy, double cards, struct memory_need *need)
{
    const struct calibration *figures = &catalogue->calibration;
    double low = parts->is_training ? figures->low_training : figures->low_inference;
    double high = parts->is_training ? figures->high_training : figures->high_inference;
    double overhead = catalogue->parameters.context_overhead_gib;
    double peak = card_peak_bytes(figures, parts, STRATEGY_SINGLE, 1) / BYTES_PER_GIB;
    double card = card_peak_bytes(figures, parts, strategy, cards) / BYTES_PER_GIB;

    *need = (struct memory_need){
        .weights_gib = parts->weights / BYTES_PER_GIB,
        .kv_cache_gib = parts->cache / BYTES_PER_GIB,
        .gradients_gib = parts->gradients / BYTES_PER_GIB,
        .optimizer_gib = parts->optimizer / BYTES_PER_GIB,
        .activations_gib = (parts->activations_whole + parts->activations_shared) / BYTES_PER_GIB,
        .copies_gib = fmax(parts->resident - parts->weights, 0) / BYTES_PER_GIB,
        .overhead_gib = overhead,
        .allocator_peak_gib = peak,
        .total_gib = peak + overhead,
        .low_gib = peak * low + overhead,
        .high_gib = peak * high + overhead,
        .per_gpu_gib = card + overhead,
        .per_gpu_low_gib = card * low + overhead,
        .per_gpu_high_gib = card * high + overhead,
        .basis = parts->basis,
    };
}

void memory_estimate(const struct catalogue *catalogue, const struct ask *ask,
                     enum strategy strategy, size_t cards, struct memory_need *need)
{
    struct memory_parts parts;
    bool is_known = false;

    if (ask->model != NULL) {
        is_known = ask_is_language(ask) ? memory_language_parts(catalogue, ask, &parts)
                                        : memory_picture_parts(catalogue, ask, &parts);
    }
    if (!is_known) {
        fill_floor(&catalogue->parameters, ask, need);
        return;
    }
    fill_counted(catalogue, &parts, strategy, (double)cards, need);
}

/* Data-center cards with GDDR up to GDDR6 ship with ECC on, which takes a sixteenth of the memory;
 * workstation cards ship with it off, and GDDR7 loses nothing (parameters.csv). */
static bool loses_memory_to_ecc(const struct gpu *gpu)
{
    return text_is(gpu->segment, "datacenter") && gpu->memory_type != NULL &&
           strncmp(gpu->memory_type, "GDDR", 4) == 0 &&
           strncmp(gpu->memory_type, "GDDR7", 5) != 0 && !text_is(gpu->ecc, "no");
}

double memory_usable_gib(const struct catalogue *catalogue, const struct ask *ask,
                         const struct gpu *gpu)
{
    const struct parameters *parameters = &catalogue->parameters;
    double usable = gpu->memory_usable_gib;

    if (isnan(usable)) {
        usable = gpu->memory_per_process_gib * (loses_memory_to_ecc(gpu)
                                                    ? parameters->usable_share_ecc_gddr
                                                    : parameters->usable_share_default);
    }
    /* A card without sockets drives no display; where they are not known it may. */
    if (ask->display == ANSWER_YES && !(gpu->display_outputs <= 0)) {
        usable -= parameters->display_gib;
    }
    return usable;
}
