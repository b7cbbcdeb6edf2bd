/* The advisor once more, as plainly as can be: every card in every number at every price, each
 * judged in full by DESIGN.md sections 3.2, 3.6 and 3.10, then the best of each card and their
 * order. Shares with rank.c and constraint.c only what memory, speed, prices, costs, support and
 * plugs are. Slow; for tests. */
#ifndef GPUWISE_TESTS_ORACLE_H
#define GPUWISE_TESTS_ORACLE_H

#include "machine.h"
#include "price.h"
#include "recommend.h"
#include "recommend_fixture.h"
#include "support.h"

enum { ORACLE_CARDS_MAX = 64 };

/* One way to take a card. */
struct way {
    const struct gpu *gpu;
    size_t count;
    enum strategy strategy;
    struct plan_price price;
    bool has_price, has_speed, is_owned, is_controlled, is_tight;
    double needed_gib, available_gib;
    struct speed speed;
    struct cost cost;
    double score, pooled_gib;
    uint32_t reasons; /* bit 1 << code */
};

struct oracle {
    const struct catalogue *catalogue;
    const struct ask *ask;
    struct price_book book;
    struct way ways[ORACLE_CARDS_MAX]; /* of each card the best; by gpu.index, then in order */
    size_t fitting_count;              /* these are first */
    size_t count;
};

static uint32_t reason(bool is_broken, enum message_code code)
{
    return is_broken ? (uint32_t)1 << code : 0;
}

static size_t reason_count(const struct way *way)
{
    return (size_t)__builtin_popcount(way->reasons);
}

/* What is in a slot must be short enough; modules and superchips are in none. */
static bool is_too_long(const struct ask *ask, const struct gpu *gpu)
{
    bool is_in_slot = text_is(gpu->form_factor, "pcie");

    return !isnan(ask->max_length_mm) && is_in_slot &&
           !(gpu->board_length_mm <= ask->max_length_mm);
}

static uint32_t card_reasons(const struct ask *ask, const struct gpu *gpu)
{
    enum support_status here = support_of(gpu, ask->framework, ask->os);
    enum support_status on_linux = support_of(gpu, ask->framework, OS_LINUX);
    bool is_only_elsewhere = ask->os != OS_LINUX && on_linux != SUPPORT_UNKNOWN &&
                             on_linux != SUPPORT_NONE && on_linux != SUPPORT_DROPPED;
    bool is_desktop_card = text_is(gpu->form_factor, "pcie") && gpu->cooling != NULL &&
                           strcmp(gpu->cooling, "passive") != 0;
    uint32_t reasons =
        reason(here == SUPPORT_DROPPED, MESSAGE_SUPPORT_DROPPED) |
        reason(here == SUPPORT_NONE && is_only_elsewhere, MESSAGE_OS_UNSUPPORTED) |
        reason(here == SUPPORT_NONE && !is_only_elsewhere, MESSAGE_FRAMEWORK_UNSUPPORTED) |
        reason(ask->vendor != NULL && !text_is(gpu->vendor, ask->vendor), MESSAGE_VENDOR_EXCLUDED) |
        reason(ask->segment != NULL && !text_is(gpu->segment, ask->segment),
               MESSAGE_SEGMENT_EXCLUDED) |
        reason((ask->chassis == CHASSIS_DESKTOP && !is_desktop_card) || is_too_long(ask, gpu),
               MESSAGE_FORM_FACTOR);

    for (size_t f = 0; f < FEATURE_COUNT; f++) {
        reasons |= reason(ask->needs[f] && !support_has_feature(gpu, (enum feature)f, ask->os),
                          MESSAGE_FEATURE_MISSING);
    }
    return reasons;
}

/* True: fits. A floor is compared with the memory as sold. */
static bool try_strategy(const struct oracle *oracle, enum strategy strategy, struct way *way)
{
    const struct parameters *parameters = &oracle->catalogue->parameters;
    const struct ask *ask = oracle->ask;
    double sold_gib = way->gpu->memory_per_process_gib;
    struct memory_need need;

    memory_estimate(oracle->catalogue, ask, strategy, way->count, &need);
    way->strategy = strategy;
    way->needed_gib = need.per_gpu_gib;
    way->available_gib =
        need.is_floor ? sold_gib : memory_usable_gib(oracle->catalogue, ask, way->gpu);
    way->is_tight = !need.is_floor &&
                    need.per_gpu_gib > parameters->memory_pick_share * way->available_gib &&
                    need.per_gpu_gib <= parameters->memory_tight_share * way->available_gib;
    if (need.is_floor) {
        return need.per_gpu_gib <= sold_gib;
    }
    return need.per_gpu_gib <= parameters->memory_tight_share * way->available_gib &&
           (isnan(ask->min_memory_gib) || sold_gib >= ask->min_memory_gib);
}

/* Tensor parallelism deals the heads of queries and keys evenly, or keeps each key several times;
 * llama.cpp deals layers. */
static bool can_deal_heads(const struct ask *ask, size_t count)
{
    double cards = (double)count;

    if (ask->model == NULL || isnan(ask->model->heads) || ask->framework == FRAMEWORK_LLAMA_CPP) {
        return true;
    }
    return fmod(ask->model->heads, cards) == 0 &&
           (isnan(ask->model->kv_heads) || fmod(ask->model->kv_heads, cards) == 0 ||
            fmod(cards, ask->model->kv_heads) == 0);
}

/* One card alone; several as asked. Where nothing is asked, copies if they fit with room to spare,
 * else the job is shared out: training by fsdp, inference by tp, or by pp where tp cannot be and
 * where llama.cpp deals layers anyway. */
static bool choose_strategy(const struct oracle *oracle, struct way *way)
{
    const struct ask *ask = oracle->ask;
    bool deals_heads = ask->framework != FRAMEWORK_LLAMA_CPP && can_deal_heads(ask, way->count);

    if (way->count == 1) {
        return try_strategy(oracle, STRATEGY_SINGLE, way);
    }
    if (ask->strategy != STRATEGY_UNASKED) {
        return try_strategy(oracle, ask->strategy, way);
    }
    bool writes_text = ask->task == TASK_INFERENCE && ask->model != NULL && ask_is_language(ask);

    /* two copies for one reader: one of them idles */
    if (!(writes_text && ask->batch * ask->users < (double)way->count) &&
        try_strategy(oracle, STRATEGY_DDP, way) && !way->is_tight) {
        return true;
    }
    if (ask_is_training(ask)) {
        return try_strategy(oracle, STRATEGY_FSDP, way);
    }
    return try_strategy(oracle, deals_heads ? STRATEGY_TP : STRATEGY_PP, way);
}

/* Modules fill boards of 4 or 8, or are one more for such a board; a superchip is a machine. */
static bool comes_in_number(const struct gpu *gpu, size_t count)
{
    bool is_module = text_is(gpu->form_factor, "sxm") || text_is(gpu->form_factor, "oam");

    if (count == 1 || !(is_module || text_is(gpu->form_factor, "superchip"))) {
        return true;
    }
    return is_module && (count == 4 || count == 8);
}

static uint32_t set_reasons(const struct oracle *oracle, struct way *way)
{
    const struct ask *ask = oracle->ask;
    double cards = (double)way->count;
    double psu_watts = 1.2 * way->gpu->tdp_watts * cards + 200;
    bool fits = choose_strategy(oracle, way);
    struct set_link link = {.is_nvlink = true};

    if (way->count > 1) {
        speed_link(oracle->catalogue, ask, way->gpu, way->count, &link);
    }
    bool is_too_wide = !isnan(ask->max_slots) && !(way->gpu->slots * cards <= ask->max_slots);

    return reason(!fits, MESSAGE_MEMORY_TOO_SMALL) |
           reason(way->strategy == STRATEGY_TP && !can_deal_heads(ask, way->count),
                  MESSAGE_HEADS_NOT_DIVISIBLE) |
           reason(!isnan(ask->psu_watts) && !(psu_watts <= ask->psu_watts), MESSAGE_PSU_TOO_SMALL) |
           reason(ask->plugs_is_given && !machine_has_plugs(ask, way->gpu, way->count),
                  MESSAGE_POWER_PLUG_MISSING) |
           reason(is_too_wide || !comes_in_number(way->gpu, way->count), MESSAGE_FORM_FACTOR) |
           reason(ask->needs[FEATURE_NVLINK] && !link.is_nvlink, MESSAGE_FEATURE_MISSING);
}

static uint32_t money_reasons(const struct oracle *oracle, const struct way *way)
{
    const struct ask *ask = oracle->ask;
    const int64_t prices[] = {way->price.amount_micros, way->price.planning_micros};
    uint32_t reasons = 0;

    for (size_t i = 0; i < 2 && !way->is_owned; i++) {
        const struct tier *tier =
            catalogue_tier_of(oracle->catalogue, ask->currency, prices[i], way->gpu->segment);
        int64_t purchase_micros =
            money_times(prices[i], (double)way->count * (1 + ask->vat_share)) +
            ask->host_price_micros;

        reasons |=
            reason(ask->budget_micros != MONEY_UNKNOWN && purchase_micros > ask->budget_micros,
                   MESSAGE_OVER_BUDGET) |
            reason(ask->tier != NULL && !(tier != NULL && text_is(tier->id, ask->tier)),
                   MESSAGE_OUTSIDE_TIER);
    }
    return reasons;
}

/* 100 S H L E / (C / 1000 USD)^a. */
static double oracle_score(const struct oracle *oracle, const struct way *way, double exponent)
{
    const struct ask *ask = oracle->ask;
    bool is_supported = support_of(way->gpu, ask->framework, ask->os) == SUPPORT_SUPPORTED;
    double headroom = fmin(1.25, pow(way->available_gib / way->needed_gib, 0.25));

    return 100 * way->speed.relative_low * headroom * (is_supported ? 1 : 0.5) *
           support_ecosystem_factor(oracle->catalogue, ask, way->gpu) /
           pow(fmax(1, way->cost.total_usd) / 1000, exponent);
}

static double exponent_of(enum prefer prefer)
{
    static const double EXPONENTS[] = {
        [PREFER_BALANCED] = 0.5, [PREFER_VALUE] = 0.8, [PREFER_SPEED] = 0};

    return EXPONENTS[prefer];
}

/* Speed, cost and score, as far as they are known. */
static uint32_t work_reasons(const struct oracle *oracle, struct way *way)
{
    const struct ask *ask = oracle->ask;
    const struct speed *speed = &way->speed;

    way->has_speed =
        speed_estimate(oracle->catalogue, ask, way->gpu, way->strategy, way->count, &way->speed);
    if (!way->has_speed) {
        return reason(true, MESSAGE_SPEED_UNKNOWN);
    }
    if (way->has_price) {
        cost_estimate(oracle->catalogue, ask, way->gpu, way->count, &way->price,
                      speed_job_hours(ask, speed, speed->value), &way->cost);
        way->score = oracle_score(oracle, way, exponent_of(ask->prefer));
    }
    return reason(!isnan(ask->min_tokens_per_s) &&
                      !(speed->tokens_per_s_per_user * speed->low / speed->value >=
                        ask->min_tokens_per_s),
                  MESSAGE_TOO_SLOW) |
           reason(way->has_price && isnan(way->cost.total_usd) && isnan(way->gpu->tdp_watts),
                  MESSAGE_SPEED_UNKNOWN) |
           reason(way->has_price && isnan(way->cost.total_usd) && !isnan(way->gpu->tdp_watts),
                  MESSAGE_NO_PRICE);
}

/* The order of picks before score and id: export to mainland China that is not free, very old
 * prices, tight memory come last. */
static int oracle_class(const struct way *way)
{
    return (way->is_controlled ? 4 : 0) + (way->price.is_very_old ? 2 : 0) +
           (way->is_tight ? 1 : 0);
}

static bool is_better_pick(const struct way *a, const struct way *b)
{
    if (oracle_class(a) != oracle_class(b)) {
        return oracle_class(a) < oracle_class(b);
    }
    return a->score != b->score ? a->score > b->score : a->gpu->index < b->gpu->index;
}

/* Of two ways to take one card; what is equal stays with the first. */
static bool is_better_way(const struct way *a, const struct way *b)
{
    if (reason_count(a) != reason_count(b)) {
        return reason_count(a) < reason_count(b);
    }
    if (a->reasons == 0) {
        bool ties = oracle_class(a) == oracle_class(b) && a->score == b->score;

        return ties ? a->cost.total_usd < b->cost.total_usd : is_better_pick(a, b);
    }
    if (a->count != b->count) {
        return a->count < b->count;
    }
    return a->has_price && b->has_price && a->price.planning_micros < b->price.planning_micros;
}

/* Takes the way with that price, if there is one. */
static void try_price(const struct oracle *oracle, struct way *way, struct way *best)
{
    const struct ask *ask = oracle->ask;
    bool is_shared_out = way->strategy != STRATEGY_SINGLE && way->strategy != STRATEGY_DDP;

    way->reasons = card_reasons(ask, way->gpu) | set_reasons(oracle, way);
    if (way->has_price) {
        way->reasons |= money_reasons(oracle, way);
    } else {
        struct plan_price unasked;
        bool is_priced = price_plan(&oracle->book, way->gpu, CONDITION_NEW, &unasked) ||
                         price_plan(&oracle->book, way->gpu, CONDITION_USED, &unasked);

        way->reasons |=
            reason(is_priced, MESSAGE_CONDITION_EXCLUDED) | reason(!is_priced, MESSAGE_NO_PRICE);
    }
    way->reasons |= work_reasons(oracle, way);
    is_shared_out = way->strategy != STRATEGY_SINGLE && way->strategy != STRATEGY_DDP;
    way->pooled_gib = way->gpu->memory_per_process_gib * (is_shared_out ? (double)way->count : 1);
    way->is_controlled = text_is(ask->region, "cn") && way->gpu != ask->own &&
                         !text_is(way->gpu->export_controlled_cn, "no");
    if (best->gpu == NULL || is_better_way(way, best)) {
        *best = *way;
    }
}

/* New before used. One card of the asker's own kind is there already: its used price stands for
 * what it is worth. */
static void try_prices(const struct oracle *oracle, const struct gpu *gpu, size_t count,
                       struct way *best)
{
    const struct ask *ask = oracle->ask;
    struct way owned = {.gpu = gpu, .count = count, .has_price = true, .is_owned = true};
    struct way fresh = {.gpu = gpu, .count = count, .has_price = true};
    struct way used = fresh;
    struct way none = {.gpu = gpu, .count = count};
    bool has_used = price_plan(&oracle->book, gpu, CONDITION_USED, &used.price);
    bool takes_used = has_used && ask->condition != ASKED_NEW;
    bool takes_new =
        ask->condition != ASKED_USED && price_plan(&oracle->book, gpu, CONDITION_NEW, &fresh.price);

    if (gpu == ask->own && count == 1 && has_used) {
        owned.price = used.price;
        try_price(oracle, &owned, best);
        return;
    }
    if (takes_new) {
        try_price(oracle, &fresh, best);
    }
    if (takes_used) {
        try_price(oracle, &used, best);
    }
    if (!takes_new && !takes_used) {
        try_price(oracle, &none, best);
    }
}

static double near_miss_speed(const struct way *way)
{
    return way->has_speed ? way->speed.relative_low : 0;
}

static int compare_ways(const void *left, const void *right)
{
    const struct way *a = left;
    const struct way *b = right;

    if (a->reasons == 0 && b->reasons == 0) {
        return is_better_pick(a, b) ? -1 : 1;
    }
    if (reason_count(a) != reason_count(b)) {
        return reason_count(a) < reason_count(b) ? -1 : 1;
    }
    if (near_miss_speed(a) != near_miss_speed(b)) {
        return near_miss_speed(a) > near_miss_speed(b) ? -1 : 1;
    }
    return a->gpu->index < b->gpu->index ? -1 : 1;
}

/* The ask must be complete. */
__attribute__((unused)) static void oracle_ask(struct oracle *oracle,
                                               const struct catalogue *catalogue,
                                               const struct ask *ask, struct arena *arena)
{
    size_t counts_max = ask->strategy == STRATEGY_SINGLE ? 1 : (size_t)ask->max_gpus;
    struct error err;

    *oracle = (struct oracle){.catalogue = catalogue, .ask = ask, .count = catalogue->gpu_count};
    if (oracle->count > ORACLE_CARDS_MAX ||
        !price_book_init(&oracle->book, catalogue, ask, TEST_DAY, arena, &err)) {
        test_bail_out("no oracle", "too many cards, or no memory");
    }
    for (size_t i = 0; i < oracle->count; i++) {
        for (size_t count = 1; count <= counts_max; count++) {
            try_prices(oracle, &catalogue->gpus[i], count, &oracle->ways[i]);
        }
        oracle->fitting_count += oracle->ways[i].reasons == 0 ? 1 : 0;
    }
    qsort(oracle->ways, oracle->count, sizeof oracle->ways[0], compare_ways);
}

#endif
