/* Tries every number, strategy and price of every card, scores what passes and orders it (DESIGN.md
 * section 3.6). A plain scan: a few hundred cards need no index. Pure; any thread. */
#include "rank.h"

#include "support.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

int rank_class(const struct option *option)
{
    return (option->is_controlled ? 4 : 0) + (option->price->is_very_old ? 2 : 0) +
           (option->is_tight ? 1 : 0);
}

bool rank_is_before(const struct option *a, const struct option *b)
{
    int class_a = rank_class(a);
    int class_b = rank_class(b);

    if (class_a != class_b) {
        return class_a < class_b;
    }
    if (a->score > b->score || a->score < b->score) {
        return a->score > b->score;
    }
    return a->gpu->index < b->gpu->index; /* cards are sorted by id */
}

void rank_score(const struct question *question, struct option *option)
{
    const struct parameters *parameters = &question->catalogue->parameters;
    const struct ask *ask = question->ask;
    struct score_parts *parts = &option->score_parts;
    enum support_status status = support_of(option->gpu, ask->framework, ask->os);

    option->job_hours = speed_job_hours(ask, &option->speed, option->speed.value);
    cost_estimate(question->catalogue, ask, option->gpu, option->count, option->price,
                  option->job_hours, &option->cost);
    if (isnan(option->cost.total_usd)) {
        option->rejections |= (uint32_t)1 << (isnan(option->gpu->tdp_watts) ? MESSAGE_SPEED_UNKNOWN
                                                                            : MESSAGE_NO_PRICE);
        return;
    }
    parts->speed = option->speed.relative_low;
    parts->headroom = score_headroom(parameters, option->available_gib, option->needed_gib);
    parts->life = support_life_factor(question->catalogue, status);
    parts->ecosystem = support_ecosystem_factor(question->catalogue, ask, option->gpu);
    parts->cost =
        score_cost(parameters, score_exponent(parameters, ask->prefer), option->cost.total_usd);
    option->score = score_total(parameters, parts);
}

/* Of two options of one card. */
static bool is_better(const struct option *a, const struct option *b)
{
    size_t reasons_a = constraint_count(a->rejections);
    size_t reasons_b = constraint_count(b->rejections);

    if (reasons_a != reasons_b) {
        return reasons_a < reasons_b;
    }
    if (reasons_a == 0) {
        bool is_equal = !rank_is_before(a, b) && !rank_is_before(b, a);

        return is_equal ? a->cost.total_usd < b->cost.total_usd : rank_is_before(a, b);
    }
    if (a->count != b->count || a->price == NULL || b->price == NULL) {
        return a->count < b->count;
    }
    return a->price->planning_micros < b->price->planning_micros;
}

/* Rounding moves the price at which two scores are equal by a cent, seldom by two. */
enum { HOLDS_CENTS_TRIED = 3 };
static const int64_t HIGH_PRICE_UNITS = 1000000;

/* A price to try, and whether the card is the asker's own. */
struct
try {
    const struct plan_price *price; /* NULL: there is none */
    bool is_owned;
};
enum { MAX_TRIES = 2 };

/* The prices of the conditions asked for; where there is none, one try without a price, for the
 * reason. One card of the asker's own kind is the asker's own: nobody buys what is there. */
static size_t list_tries(const struct question *question, const struct gpu *gpu, size_t count,
                         struct try tries[MAX_TRIES])
{
    const struct ask *ask = question->ask;
    const struct card_prices *prices = &question->prices[gpu->index];
    size_t tries_count = 0;

    if (gpu == ask->own && count == 1 && prices->is_known[CONDITION_USED]) {
        tries[0] = (struct try){&prices->price[CONDITION_USED], true};
        return 1;
    }
    if (ask->condition != ASKED_USED && prices->is_known[CONDITION_NEW]) {
        tries[tries_count++] = (struct try){&prices->price[CONDITION_NEW], false};
    }
    if (ask->condition != ASKED_NEW && prices->is_known[CONDITION_USED]) {
        tries[tries_count++] = (struct try){&prices->price[CONDITION_USED], false};
    }
    if (tries_count == 0) {
        tries[tries_count++] = (struct try){NULL, false};
    }
    return tries_count;
}

/* What becomes of a card that no way of taking it suits. */
enum misses {
    MISSES_TOLD,   /* it is rejected for the reasons of its nearest miss */
    MISSES_SKIPPED /* nobody asks: saves its speed */
};

/* Whether the option may still be better than the best: speed and cost can only add reasons. */
static bool may_be_better(const struct option *option, const struct option *best,
                          enum misses misses)
{
    if (option->rejections == 0 || best->gpu == NULL) {
        return option->rejections == 0 || misses == MISSES_TOLD;
    }
    size_t reasons = constraint_count(option->rejections);
    size_t reasons_best = constraint_count(best->rejections);

    return misses == MISSES_TOLD &&
           (reasons < reasons_best || (reasons == reasons_best && option->count == best->count));
}

/* Tries the prices of one number of cards. *option has gpu and count and is overwritten by each
 * try: it is large, and most tries end before they are worth a copy. */
static void try_count(const struct question *question, uint32_t card_rejections, enum misses misses,
                      struct option *option, struct option *best)
{
    uint32_t rejections = card_rejections | constraint_of_set(question, option);
    bool is_speed_tried = false;
    uint32_t speed_rejections = 0;
    struct try tries[MAX_TRIES];
    size_t tries_count = list_tries(question, option->gpu, option->count, tries);

    for (size_t i = 0; i < tries_count; i++) {
        option->price = tries[i].price;
        option->is_owned = tries[i].is_owned;
        option->rejections = rejections | constraint_of_price(question, option);
        if (!may_be_better(option, best, misses)) {
            continue;
        }
        if (!is_speed_tried) {
            speed_rejections = constraint_of_speed(question, option); /* once for all prices */
            is_speed_tried = true;
        }
        option->rejections |= speed_rejections;
        if (option->has_speed && option->price != NULL) {
            rank_score(question, option);
        }
        if (best->gpu == NULL || is_better(option, best)) {
            *best = *option;
        }
    }
}

bool rank_is_controlled(const struct question *question, const struct gpu *gpu)
{
    const struct parameters *parameters = &question->catalogue->parameters;

    return text_is(question->ask->region, "cn") && gpu != question->ask->own &&
           text_is(parameters->export_region_cn_prefers, "export_controlled_cn=no") &&
           !text_is(gpu->export_controlled_cn, "no");
}

static void try_card(const struct question *question, const struct gpu *gpu,
                     uint32_t card_rejections, enum misses misses, struct option *best)
{
    bool controlled = rank_is_controlled(question, gpu);
    struct option option;

    best->gpu = NULL; /* nothing tried */
    for (size_t count = 1; count <= question->cards_max; count++) {
        option = (struct option){
            .gpu = gpu, .count = count, .is_controlled = controlled, .job_hours = (double)NAN};
        try_count(question, card_rejections, misses, &option, best);
    }
}

void rank_card(const struct question *question, const struct gpu *gpu, struct option *best)
{
    try_card(question, gpu, constraint_of_card(question, gpu), MISSES_TOLD, best);
    assert(best->gpu != NULL);
}

static int compare_fitting(const void *left, const void *right)
{
    const struct option *const *a = left;
    const struct option *const *b = right;

    if (*a == *b) {
        return 0;
    }
    return rank_is_before(*a, *b) ? -1 : 1;
}

static double near_speed(const struct option *option)
{
    return option->has_speed ? option->speed.relative_low : 0;
}

/* Fewest reasons, then speed, then id. */
static int compare_rejected(const void *left, const void *right)
{
    const struct option *const *a = left;
    const struct option *const *b = right;
    size_t reasons_a = constraint_count((*a)->rejections);
    size_t reasons_b = constraint_count((*b)->rejections);

    if (reasons_a != reasons_b) {
        return reasons_a < reasons_b ? -1 : 1;
    }
    if (near_speed(*a) > near_speed(*b) || near_speed(*a) < near_speed(*b)) {
        return near_speed(*a) > near_speed(*b) ? -1 : 1;
    }
    return ((*a)->gpu->index > (*b)->gpu->index) - ((*a)->gpu->index < (*b)->gpu->index);
}

bool rank_all(const struct question *question, struct arena *arena, struct ranking *ranking,
              struct error *err)
{
    size_t count = question->catalogue->gpu_count;
    struct option *options = arena_alloc_array(arena, count, sizeof *options);
    const struct option **fitting = arena_alloc_array(arena, count, sizeof *fitting);
    const struct option **rejected = arena_alloc_array(arena, count, sizeof *rejected);

    if (options == NULL || fitting == NULL || rejected == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the ranking of %zu cards", count);
    }
    *ranking = (struct ranking){.options = options, .fitting = fitting, .rejected = rejected};
    for (size_t i = 0; i < count; i++) {
        struct option *option = &options[i];

        rank_card(question, &question->catalogue->gpus[i], option);
        if (option->rejections == 0) {
            fitting[ranking->fitting_count++] = option;
            continue;
        }
        rejected[ranking->rejected_count++] = option;
    }
    qsort(fitting, ranking->fitting_count, sizeof(*fitting), compare_fitting);
    qsort(rejected, ranking->rejected_count, sizeof(*rejected), compare_rejected);
    return true;
}

static bool is_cheaper(const struct option *a, const struct option *b)
{
    return a->cost.purchase_micros != b->cost.purchase_micros
               ? a->cost.purchase_micros < b->cost.purchase_micros
               : rank_is_before(a, b);
}

static bool find_first(const struct question *question,
                       bool (*is_before)(const struct option *, const struct option *),
                       struct option *first)
{
    bool is_found = false;

    for (size_t i = 0; i < question->catalogue->gpu_count; i++) {
        const struct gpu *gpu = &question->catalogue->gpus[i];
        struct option option;

        if (constraint_of_card(question, gpu) != 0) {
            continue; /* whatever its number and price */
        }
        try_card(question, gpu, 0, MISSES_SKIPPED, &option);
        if (option.gpu != NULL && option.rejections == 0 &&
            (!is_found || is_before(&option, first))) {
            *first = option;
            is_found = true;
        }
    }
    return is_found;
}

bool rank_first(const struct question *question, struct option *first)
{
    return find_first(question, rank_is_before, first);
}

bool rank_cheapest(const struct question *question, struct option *cheapest)
{
    return find_first(question, is_cheaper, cheapest);
}

/* Finds a price of that many cards that meets what was asked, new before used; false: none does. */
static bool can_be_bought(const struct question *question, struct option *option)
{
    struct try tries[MAX_TRIES];
    size_t tries_count = list_tries(question, option->gpu, option->count, tries);

    for (size_t i = 0; i < tries_count; i++) {
        option->price = tries[i].price;
        if (tries[i].is_owned || constraint_of_price(question, option) != 0) {
            continue;
        }
        option->rejections = constraint_of_speed(question, option);
        if (option->rejections == 0) {
            rank_score(question, option);
        }
        return option->rejections == 0;
    }
    return false;
}

bool rank_fastest(const struct question *question, struct option *fastest)
{
    bool is_found = false;

    for (size_t i = 0; i < question->catalogue->gpu_count; i++) {
        const struct gpu *gpu = &question->catalogue->gpus[i];

        if (constraint_of_card(question, gpu) != 0) {
            continue;
        }
        for (size_t count = 1; count <= question->cards_max; count++) {
            struct option option = {.gpu = gpu, .count = count, .job_hours = (double)NAN};

            if (constraint_of_set(question, &option) == 0 && can_be_bought(question, &option) &&
                (!is_found || option.speed.relative_low > fastest->speed.relative_low)) {
                *fastest = option;
                is_found = true;
            }
        }
    }
    return is_found;
}

/* The cost C of the option at another price of one card. */
static double cost_usd_at(const struct question *question, const struct option *option,
                          int64_t micros)
{
    struct plan_price price = *option->price;
    struct cost cost;

    price.amount_micros = micros;
    price.planning_micros = micros;
    cost_estimate(question->catalogue, question->ask, option->gpu, option->count, &price,
                  option->job_hours, &cost);
    return cost.total_usd;
}

/* The price of one card at which the cost C is total_usd: C is a straight line of the price,
 * because tax, resale and purchase are shares of it and the rest does not depend on it. Drawn
 * through points far apart, as costs are rounded. */
static double price_at_cost(const struct question *question, const struct option *option,
                            double total_usd)
{
    double least_usd = cost_usd_at(question, option, 0);
    double most_usd = cost_usd_at(question, option, HIGH_PRICE_UNITS * MONEY_MICROS_PER_UNIT);
    double slope = (most_usd - least_usd) / (double)HIGH_PRICE_UNITS;

    return slope > 0 ? (total_usd - least_usd) / slope : (double)INFINITY;
}

/* The dearest price at which the option still beats the next one by score; INFINITY: no bound. */
static double price_against_next(const struct question *question, const struct option *option,
                                 const struct option *next)
{
    const struct parameters *parameters = &question->catalogue->parameters;
    double exponent = score_exponent(parameters, question->ask->prefer);
    double cost_usd;

    if (next == NULL || rank_class(next) != rank_class(option) || exponent <= 0) {
        return (double)INFINITY;
    }
    /* score = N / (C / unit)^a, so it equals the next score at C = unit x (N / next)^(1/a) */
    cost_usd = parameters->score_cost_unit_usd *
               pow(option->score * option->score_parts.cost / next->score, 1 / exponent);
    return price_at_cost(question, option, cost_usd);
}

/* The dearest price that budget and tier allow; INFINITY: neither asked. */
static double price_allowed(const struct question *question, const struct option *option)
{
    const struct ask *ask = question->ask;
    double allowed = (double)INFINITY;

    if (option->is_owned) {
        return (double)INFINITY;
    }
    if (ask->budget_micros != MONEY_UNKNOWN) {
        allowed = money_to_units(ask->budget_micros - ask->host_price_micros) /
                  ((double)option->count * (1 + ask->vat_share));
    }
    if (ask->tier != NULL) {
        const struct tier *tier =
            catalogue_tier_of(question->catalogue, ask->currency, option->price->planning_micros,
                              option->gpu->segment);

        if (tier != NULL && tier->max_micros != MONEY_UNKNOWN) {
            allowed = fmin(allowed, money_to_units(tier->max_micros));
        }
    }
    return allowed;
}

/* Whether the option, at another price of one card, is still what was asked for and before the
 * next. */
static bool keeps_rank_at(const struct question *question, const struct option *option,
                          const struct option *next, int64_t micros)
{
    struct plan_price price = *option->price;
    struct option tried = *option;

    price.amount_micros = micros;
    price.planning_micros = micros;
    tried.price = &price;
    tried.rejections = constraint_of_price(question, &tried);
    rank_score(question, &tried);
    return tried.rejections == 0 && (next == NULL || rank_is_before(&tried, next));
}

int64_t rank_holds_up_to_micros(const struct question *question, const struct ranking *ranking,
                                size_t place)
{
    const struct option *option = ranking->fitting[place];
    const struct option *next =
        place + 1 < ranking->fitting_count ? ranking->fitting[place + 1] : NULL;
    double price =
        fmin(price_against_next(question, option, next), price_allowed(question, option));
    int64_t micros;

    if (isinf(price)) {
        return MONEY_UNKNOWN;
    }
    micros = money_from_units(price);
    if (micros == MONEY_UNKNOWN) {
        return MONEY_UNKNOWN;
    }
    /* The formulas above are right but for rounding and ties: the last cents are tried. */
    micros -= micros % MONEY_MICROS_PER_CENT;
    for (size_t i = 0; i < HOLDS_CENTS_TRIED && !keeps_rank_at(question, option, next, micros);
         i++) {
        micros -= MONEY_MICROS_PER_CENT;
    }
    for (size_t i = 0; i < HOLDS_CENTS_TRIED &&
                       keeps_rank_at(question, option, next, micros + MONEY_MICROS_PER_CENT);
         i++) {
        micros += MONEY_MICROS_PER_CENT;
    }
    /* its own price holds by definition, whatever the rounding above says */
    return micros > option->price->planning_micros ? micros : option->price->planning_micros;
}

double rank_pooled_gib(const struct gpu *gpu, enum strategy strategy, size_t count)
{
    bool is_shared_out =
        strategy == STRATEGY_FSDP || strategy == STRATEGY_TP || strategy == STRATEGY_PP;

    return gpu->memory_per_process_gib * (is_shared_out ? (double)count : 1);
}

static double pooled_gib(const struct option *option)
{
    return rank_pooled_gib(option->gpu, option->strategy, option->count);
}

bool rank_is_pareto(const struct ranking *ranking, const struct option *option)
{
    double gib = pooled_gib(option);

    for (size_t i = 0; i < ranking->fitting_count; i++) {
        const struct option *other = ranking->fitting[i];
        double other_gib = pooled_gib(other);
        bool is_as_good = other->cost.purchase_micros <= option->cost.purchase_micros &&
                          other->speed.relative_low >= option->speed.relative_low &&
                          other_gib >= gib;
        bool is_better_in_one = other->cost.purchase_micros < option->cost.purchase_micros ||
                                other->speed.relative_low > option->speed.relative_low ||
                                other_gib > gib;

        if (is_as_good && is_better_in_one) {
            return false;
        }
    }
    return true;
}
