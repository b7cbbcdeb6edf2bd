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
    double resident, cache, optimizer, gradients, step; /* shares of 1 */
    double activations_shared;
    double added_bytes; /* beside them */
};

/* ZeRO (arXiv:1910.02054 section 5): 1 shares out the states, 2 gradients too, 3 and FSDP also the
 * weights, of which some are whole for a moment. Activations and cache are each card's own. */
static struct card_share data_parallel_share(const struct memory_parts *parts,
                                             enum strategy strategy, double cards)
{
    struct card_share share = {1, 1, 1, 1, 1, 1, 0};

    if (strategy == STRATEGY_FSDP) {
        share.resident = parts->frozen_copies / cards;
        share.optimizer = share.gradients = 1 / cards;
        share.step = 0;
        share.added_bytes = parts->gathered;
    } else {
        share.optimizer = share.step = parts->shards_states ? 1 / cards : 1;
        share.gradients = parts->shards_gradients ? 1 / cards : 1;
    }
    return share;
}

/* Share of the fullest card when so many equal pieces, none of which is divided, are dealt out. */
static double fullest_share(double pieces, double cards)
{
    return fmin(1, ceil(pieces / cards) / pieces);
}

/* Layers' worth of the fullest stage when layers are dealt out so that it is as small as can be.
 * A token table weighs end_layers; one stage holds it, two stages where there are two of them. */
static double fullest_stage(double layers, double cards, double tables, double end_layers)
{
    double ends = fmin(tables, cards);
    double whole = ceil(layers / cards);

    for (size_t more = 0; whole + (double)more < layers; more++) {
        double stage = whole + (double)more;
        double of_end = fmax(0, floor(stage - end_layers));

        if ((cards - ends) * stage + ends * of_end >= layers) {
            return stage; /* an end has room for its table beside fewer layers */
        }
        double with_table = floor(stage + end_layers);

        if ((cards - ends) * with_table + ends * stage >= layers) {
            return stage + end_layers;
        }
    }
    return layers + tables * end_layers;
}

/* A pipeline: what the fullest stage holds. Its activations are those of all layers, as it keeps
 * the micro-batches in flight (arXiv:2205.05198 4.2.3). */
static struct card_share pipeline_share(const struct memory_parts *parts, double cards)
{
    double layers = isnan(parts->layers) ? cards : fmax(parts->layers, cards);
    double tables = parts->end_tables * parts->table;
    double layer = fmax(parts->resident - tables, 0) / layers;
    double end_layers = layer > 0 ? parts->table / layer : 0;
    double stage = fullest_stage(layers, cards, parts->end_tables, end_layers);
    double share = fmin(1, stage * layer / parts->resident);

    return (struct card_share){
        .resident = share,
        .optimizer = share,
        .gradients = share,
        .step = share,
        .cache = fullest_share(layers, cards),
        .activations_shared = 1,
    };
}

static struct card_share share_of(const struct memory_parts *parts, enum strategy strategy,
                                  double cards)
{
    struct card_share share = {1, 1, 1, 1, 1, 1, 0};

    if (strategy == STRATEGY_TP) {
        share.resident = share.optimizer = share.gradients = share.step = 1 / cards;
        share.activations_shared = 1 / cards;
        share.cache = fullest_share(fmax(1, parts->cache_ways), cards); /* no KV head is divided */
    } else if (strategy == STRATEGY_PP) {
        return cards > 1 ? pipeline_share(parts, cards) : share;
    } else if (cards > 1 && strategy != STRATEGY_SINGLE) {
        return data_parallel_share(parts, strategy, cards);
    }
    return share;
}

/* What the optimiser needs more on one card while it works. */
static double step_bytes(const struct memory_parts *parts, const struct card_share *share,
                         double cards)
{
    if (share->step > 0) {
        return parts->step * share->step;
    }
    double step = parts->sharded_step / cards;

    return parts->sharded_step_most > 0 ? fmin(step, parts->sharded_step_most) : step;
}

/* Peak of the allocator on one card: the larger of the two phases (section 9.3). */
static double card_peak_bytes(const struct catalogue *catalogue, const struct memory_parts *parts,
                              enum strategy strategy, double cards)
{
    struct card_share share = share_of(parts, cards > 1 ? strategy : STRATEGY_SINGLE, cards);
    double activations =
        parts->activations_whole + parts->activations_shared * share.activations_shared;
    double gradients = parts->gradients * share.gradients;
    double backward = activations + (parts->gradients_stay ? gradients : 0);
    double step = gradients + step_bytes(parts, &share, cards);
    double peak = parts->resident * share.resident + share.added_bytes + parts->card_bytes +
                  (cards > 1 ? parts->set_bytes : 0) + parts->cache * share.cache +
                  parts->optimizer * share.optimizer + fmax(backward, step);

    return parts->is_training ? (peak + catalogue->calibration.base_bytes) *
                                    catalogue->parameters.memory_fragmentation
                              : peak;
}

static void fill_counted(const struct catalogue *catalogue, const struct memory_parts *parts,
                         enum strategy strategy, double cards, struct memory_need *need)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct parameters *parameters = &catalogue->parameters;
    bool is_assumed = text_is(parts->basis, "assumed");
    double low = is_assumed           ? parameters->memory_assumed_low
                 : parts->is_training ? figures->low_training
                                      : figures->low_inference;
    double high = is_assumed           ? parameters->memory_assumed_high
                  : parts->is_training ? figures->high_training
                                       : figures->high_inference;
    double overhead = parameters->context_overhead_gib;
    double states = parts->has_unknown_adapters ? (double)NAN : 1 / BYTES_PER_GIB;
    double beside = fmax(parts->resident - parts->weights, 0) + parts->card_bytes;
    double peak = card_peak_bytes(catalogue, parts, STRATEGY_SINGLE, 1) / BYTES_PER_GIB;
    double card = card_peak_bytes(catalogue, parts, strategy, cards) / BYTES_PER_GIB;

    *need = (struct memory_need){
        .weights_gib = parts->weights / BYTES_PER_GIB,
        .kv_cache_gib = parts->has_unknown_cache ? (double)NAN : parts->cache / BYTES_PER_GIB,
        .gradients_gib = parts->gradients * states,
        .optimizer_gib = (parts->optimizer + parts->step) * states,
        .activations_gib = (parts->activations_whole + parts->activations_shared) / BYTES_PER_GIB,
        .copies_gib = beside / BYTES_PER_GIB,
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
