/* Several equal cards: the link between them and what is lost on it (ACCURACY.md section 8.4). Any
 * thread; no state. */
#include "speed_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Share of a step in which gradients can travel: the backward pass, two thirds of it. */
static const double BACKWARD_SHARE = 2.0 / 3.0;

/* Ring all-reduce: each card sends 2 (n-1)/n of the bytes (Patarasuk and Yuan 2009). */
static double ring_share(double cards)
{
    return 2 * (cards - 1) / cards;
}

static double link_bytes_per_s(const struct set_link *link)
{
    return link->bandwidth_per_direction_gb_s * 1e9;
}

static double latency_seconds(const struct parameters *figures, const struct set_link *link)
{
    return (link->is_nvlink ? figures->allreduce_nvlink_us : figures->allreduce_pcie_us) * 1e-6;
}

/* Two small all-reduces a layer and token; copies of the model, or stages that wait for each other,
 * make one stream no faster and serve as many streams as there are cards. llama.cpp gives each card
 * a part of the layers: a 70B q4_k_m on 2, 4 and 6 RTX 3090 makes 16.3, 16.9 and 16.9 tokens a
 * second (XiongjieDai/GPU-Benchmarks-on-LLM-Inference, 2024-05). */
static double decode_set(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card, enum strategy strategy, double cards,
                         const struct set_link *link)
{
    if (strategy == STRATEGY_TP) {
        double payload =
            ring_share(cards) * work->sequences * work->hidden * 2 / link_bytes_per_s(link);
        double latency = 2 * (latency_seconds(&catalogue->parameters, link) +
                              (isnan(work->hidden) ? 0 : payload));

        return work->sequences /
               speed_decode_token_seconds(catalogue, work, card, work->sequences, cards, latency);
    }
    double streams = fmax(1, work->sequences / cards);
    double seconds = speed_decode_token_seconds(catalogue, work, card, streams, 1, 0);

    if (strategy == STRATEGY_FSDP) { /* every token gathers what the card does not hold */
        seconds += work->weight_bytes * (cards - 1) / cards / link_bytes_per_s(link);
    }
    return work->sequences / seconds;
}

/* A step of language-model training. What can travel behind computing does, up to the share of the
 * traffic that is hidden in practice. */
static double training_set(const struct catalogue *catalogue, const struct speed_work *work,
                           enum strategy strategy, double cards, const struct set_link *link,
                           double single)
{
    const struct parameters *figures = &catalogue->parameters;
    double step = work->step_tokens / single;
    double traffic = 0;
    double cover = step;

    if (strategy ==
        STRATEGY_PP) { /* bubble (p-1)/m of as many micro-batches as cards hold batches */
        double batches = cards;

        return single * cards * batches / (batches + cards - 1);
    }
    if (strategy ==
        STRATEGY_TP) { /* Megatron-LM, arXiv:1909.08053 section 3: 4 a layer, all exposed */
        double each =
            ring_share(cards) * work->step_tokens * work->hidden * 2 / link_bytes_per_s(link) +
            latency_seconds(figures, link);

        return isnan(work->hidden) ? single * cards * figures->scaling_unknown_step
                                   : work->step_tokens / (step / cards + 4 * work->layers * each);
    }
    if (strategy == STRATEGY_FSDP) { /* ZeRO section 7: gathered twice, gradients scattered once */
        traffic = work->gather_times * (cards - 1) / cards * work->weight_bytes;
    } else {
        traffic = ring_share(cards) * work->gradient_bytes;
        cover = BACKWARD_SHARE * step;
    }
    double seconds = traffic / link_bytes_per_s(link);
    double exposed = seconds - fmin(figures->hidden_communication_share * seconds, cover);

    return cards * work->step_tokens / (step + exposed);
}

double speed_scale_set(const struct catalogue *catalogue, const struct speed_work *work,
                       const struct speed_card *card, enum strategy strategy, double cards,
                       const struct set_link *link)
{
    if (work->class == SPEED_CLASS_DECODE && work->unit == SPEED_TOKENS_PER_S) {
        return decode_set(catalogue, work, card, strategy, cards, link);
    }
    double single = speed_form_single(catalogue, work, card, work->sequences);

    if (work->unit == SPEED_TOKENS_PER_S) {
        return training_set(catalogue, work, strategy, cards, link, single);
    }
    if (!work->is_training && (strategy == STRATEGY_DDP || strategy == STRATEGY_SINGLE)) {
        return single * cards; /* copies that do not talk */
    }
    return single * cards * catalogue->parameters.scaling_unknown_step;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The row pcie-<generation>-x<lanes> of what card and slot have both; NULL: none. Called for every
 * candidate, so nothing is printed. */
static const struct link *find_pcie(const struct catalogue *catalogue, const struct ask *ask,
                                    const struct gpu *gpu)
{
    /* an unknown figure of the card stays unknown, whatever the slot has */
    double generation = ask->pcie_gen < gpu->pcie_gen ? ask->pcie_gen : gpu->pcie_gen;
    double lanes = ask->pcie_lanes < gpu->pcie_lanes ? ask->pcie_lanes : gpu->pcie_lanes;

    for (size_t i = 0; i < catalogue->link_count; i++) {
        const char *id = catalogue->links[i].id;

        if (starts_with(id, "pcie-") && id[5] - '0' == generation && starts_with(id + 6, "-x") &&
            (double)strtol(id + 8, NULL, 10) == lanes) {
            return &catalogue->links[i];
        }
    }
    return NULL;
}

/* GeForce RTX 40 and 50 have no peer-to-peer access: traffic goes through the host, at half the
 * rate. */
static bool goes_through_host(const struct gpu *gpu)
{
    return text_is(gpu->segment, "consumer") &&
           (text_is(gpu->architecture, "Ada Lovelace") || text_is(gpu->architecture, "Blackwell"));
}

void speed_scale_link(const struct catalogue *catalogue, const struct ask *ask,
                      const struct gpu *gpu, size_t cards, struct set_link *link)
{
    const struct parameters *parameters = &catalogue->parameters;

    *link = (struct set_link){.bandwidth_per_direction_gb_s = (double)NAN};
    if (cards < 2) {
        return;
    }
    if (gpu->nvlink_gb_s > 0 && (double)cards <= gpu->nvlink_max_gpus) {
        link->is_nvlink = true;
        link->bandwidth_per_direction_gb_s =
            gpu->nvlink_gb_s / 2 * parameters->link_measured_share_nvlink;
        return;
    }
    const struct link *pcie = find_pcie(catalogue, ask, gpu);

    if (pcie != NULL) {
        link->name = pcie->id;
        link->bandwidth_per_direction_gb_s = pcie->bandwidth_per_direction_gb_s *
                                             parameters->link_measured_share_pcie *
                                             (goes_through_host(gpu) ? 0.5 : 1);
    }
}

/* Kinds of card-to-card link that a card can have: bridges between PCIe cards, boards with NVLink.
 */
static bool link_suits(const struct link *link, const struct gpu *gpu)
{
    if (text_is(gpu->vendor, "amd")) {
        return starts_with(link->id, "infinity-fabric");
    }
    if (text_is(gpu->vendor, "intel")) {
        return starts_with(link->id, "gaudi");
    }
    if (text_is(gpu->vendor, "nvidia") && text_is(gpu->form_factor, "pcie")) {
        return starts_with(link->id, "bridge-");
    }
    return text_is(gpu->vendor, "nvidia") && starts_with(link->id, "nvlink-") &&
           !starts_with(link->id, "nvlink-c2c");
}

static bool is_word_end(char c)
{
    return c == '\0' || strchr(" ,;()/", c) != NULL;
}

static bool names_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        if ((at == text || is_word_end(at[-1])) && strncasecmp(at, word, length) == 0 &&
            is_word_end(at[length])) {
            return true;
        }
    }
    return false;
}

/* Words of the card's name that the link names: its name counts twice, its note once. */
static int shared_words(const struct link *link, const char *name)
{
    int shared = 0;

    while (*name != '\0') {
        size_t length = strcspn(name, " ");

        if (length > 0) {
            shared += names_word(link->name, name, length) ? 2 : 0;
            shared += names_word(link->note, name, length) ? 1 : 0;
        }
        name += length + strspn(name + length, " ");
    }
    return shared;
}

void speed_link(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                size_t cards, struct set_link *link)
{
    const struct link *found = NULL;
    int found_words = -1;

    speed_scale_link(catalogue, ask, gpu, cards, link);
    for (size_t i = 0; link->is_nvlink && i < catalogue->link_count; i++) {
        const struct link *row = &catalogue->links[i];
        double distance = fabs(row->bandwidth_per_direction_gb_s - gpu->nvlink_gb_s / 2);

        if (!link_suits(row, gpu)) {
            continue;
        }
        int words = shared_words(row, gpu->name);

        if (found == NULL || words > found_words ||
            (words == found_words &&
             distance < fabs(found->bandwidth_per_direction_gb_s - gpu->nvlink_gb_s / 2))) {
            found = row;
            found_words = words;
        }
    }
    if (found != NULL) {
        link->name = found->id;
    }
}
