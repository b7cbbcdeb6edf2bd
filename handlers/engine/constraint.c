/* Checks a card, a number of it, its price and its speed against what was asked (DESIGN.md
 * section 3.2). An unknown fact never satisfies a constraint that was asked for. Says nothing in
 * words (notes.c) and orders nothing (rank.c). Pure; any thread. */
#include "constraint.h"

#include "machine.h"
#include "support.h"

#include <assert.h>
#include <math.h>

static uint32_t bit(enum message_code code)
{
    assert(code < MESSAGE_REJECTION_COUNT);
    return (uint32_t)1 << code;
}

size_t constraint_count(uint32_t rejections)
{
    return (size_t)__builtin_popcount(rejections);
}

/* Not known stays in, at half the life factor; what ended or never was is out. */
static uint32_t software_rejections(const struct ask *ask, const struct gpu *gpu)
{
    enum support_status here = support_of(gpu, ask->framework, ask->os);
    enum support_status on_linux = support_of(gpu, ask->framework, OS_LINUX);

    if (here == SUPPORT_DROPPED) {
        return bit(MESSAGE_SUPPORT_DROPPED);
    }
    if (here != SUPPORT_NONE) {
        return 0;
    }
    if (ask->os != OS_LINUX && (on_linux == SUPPORT_SUPPORTED || on_linux == SUPPORT_ENDING ||
                                on_linux == SUPPORT_UNOFFICIAL)) {
        return bit(MESSAGE_OS_UNSUPPORTED);
    }
    return bit(MESSAGE_FRAMEWORK_UNSUPPORTED);
}

uint32_t constraint_of_card(const struct question *question, const struct gpu *gpu)
{
    const struct ask *ask = question->ask;
    uint32_t rejections = software_rejections(ask, gpu);

    if (ask->vendor != NULL && !text_is(gpu->vendor, ask->vendor)) {
        rejections |= bit(MESSAGE_VENDOR_EXCLUDED);
    }
    if (ask->segment != NULL && !text_is(gpu->segment, ask->segment)) {
        rejections |= bit(MESSAGE_SEGMENT_EXCLUDED);
    }
    if (machine_card_fault(ask, gpu) != MACHINE_FINE) {
        rejections |= bit(MESSAGE_FORM_FACTOR);
    }
    for (size_t feature = 0; feature < FEATURE_COUNT; feature++) {
        if (ask->needs[feature] && !support_has_feature(gpu, (enum feature)feature, ask->os)) {
            rejections |= bit(MESSAGE_FEATURE_MISSING);
        }
    }
    return rejections;
}

enum fit { FIT_NOT, FIT_TIGHT, FIT_ROOMY };

/* Sets what is needed and there on one card, and says how it fits. A floor of a domain is compared
 * with the memory as sold (ARTICLES.md A3), a computed need with the usable part of it. */
static enum fit judge_memory(const struct question *question, const struct memory_need *need,
                             struct option *option)
{
    const struct parameters *parameters = &question->catalogue->parameters;
    double sold_gib = option->gpu->memory_per_process_gib;
    double asked_gib = question->ask->min_memory_gib; /* NAN: not asked */

    option->needed_gib = need->per_gpu_gib;
    if (need->is_floor) {
        option->available_gib = sold_gib;
        return option->needed_gib <= sold_gib ? FIT_ROOMY : FIT_NOT;
    }
    option->available_gib = memory_usable_gib(question->catalogue, question->ask, option->gpu);
    if (asked_gib > sold_gib) {
        return FIT_NOT;
    }
    if (option->needed_gib <= parameters->memory_pick_share * option->available_gib) {
        return FIT_ROOMY;
    }
    return option->needed_gib <= parameters->memory_tight_share * option->available_gib ? FIT_TIGHT
                                                                                        : FIT_NOT;
}

/* Chooses how the work is spread over the cards of the option. */
static enum fit judge_strategy(const struct question *question, struct option *option)
{
    enum strategy asked = question->ask->strategy;
    size_t count = option->count;
    enum fit fit;

    if (count == 1) {
        option->strategy = STRATEGY_SINGLE;
        return judge_memory(question, &question->copies[1], option);
    }
    if (asked == STRATEGY_DDP ||
        (asked == STRATEGY_UNASKED && !question_copies_idle(question->ask, count))) {
        option->strategy = question->copies_strategy;
        fit = judge_memory(question, &question->copies[count], option);
        if (asked == STRATEGY_DDP || fit == FIT_ROOMY) {
            return fit;
        }
    }
    option->strategy = question->shares_strategies[count];
    return judge_memory(question, &question->shares[count], option);
}

/* Written so that an unknown draw is too much. */
static uint32_t power_rejections(const struct question *question, const struct option *option)
{
    const struct ask *ask = question->ask;
    uint32_t rejections = 0;

    if (!isnan(ask->psu_watts) &&
        !(machine_psu_watts(question->catalogue, option->gpu, option->count) <= ask->psu_watts)) {
        rejections |= bit(MESSAGE_PSU_TOO_SMALL);
    }
    if (ask->plugs_is_given && !machine_has_plugs(ask, option->gpu, option->count)) {
        rejections |= bit(MESSAGE_POWER_PLUG_MISSING);
    }
    return rejections;
}

uint32_t constraint_of_set(const struct question *question, struct option *option)
{
    const struct ask *ask = question->ask;
    const struct gpu *gpu = option->gpu;
    enum fit fit = judge_strategy(question, option);
    uint32_t rejections = fit == FIT_NOT ? bit(MESSAGE_MEMORY_TOO_SMALL) : 0;

    option->is_tight = fit == FIT_TIGHT;
    rejections |= power_rejections(question, option);
    if (option->strategy == STRATEGY_TP && !question_can_split_heads(ask, option->count)) {
        rejections |= bit(MESSAGE_HEADS_NOT_DIVISIBLE);
    }
    if (machine_set_fault(ask, gpu, option->count) != MACHINE_FINE) {
        rejections |= bit(MESSAGE_FORM_FACTOR);
    }
    if (ask->needs[FEATURE_NVLINK] && option->count > 1) {
        struct set_link link;

        speed_link(question->catalogue, ask, gpu, option->count, &link);
        rejections |= link.is_nvlink ? 0 : bit(MESSAGE_FEATURE_MISSING);
    }
    return rejections;
}

int64_t constraint_purchase_micros(const struct ask *ask, size_t count, int64_t price_micros)
{
    int64_t cards = money_times(price_micros, (double)count * (1 + ask->vat_share));

    return cards == MONEY_UNKNOWN ? MONEY_UNKNOWN : cards + ask->host_price_micros;
}

static bool is_in_budget(const struct ask *ask, size_t count, int64_t price_micros)
{
    int64_t purchase_micros = constraint_purchase_micros(ask, count, price_micros);

    return purchase_micros != MONEY_UNKNOWN && purchase_micros <= ask->budget_micros;
}

static bool is_in_tier(const struct question *question, const struct gpu *gpu, int64_t price_micros)
{
    const struct tier *tier =
        catalogue_tier_of(question->catalogue, question->ask->currency, price_micros, gpu->segment);

    return tier != NULL && text_is(tier->id, question->ask->tier);
}

uint32_t constraint_of_price(const struct question *question, const struct option *option)
{
    const struct ask *ask = question->ask;
    const struct card_prices *prices = &question->prices[option->gpu->index];
    const struct plan_price *price = option->price;
    uint32_t rejections = 0;

    if (price == NULL) {
        bool is_priced = prices->is_known[CONDITION_NEW] || prices->is_known[CONDITION_USED];

        return bit(is_priced ? MESSAGE_CONDITION_EXCLUDED : MESSAGE_NO_PRICE);
    }
    if (option->is_owned) {
        return 0;
    }
    /* both the price as observed and what it may be today: age never makes a card look better */
    if (ask->budget_micros != MONEY_UNKNOWN &&
        !(is_in_budget(ask, option->count, price->planning_micros) &&
          is_in_budget(ask, option->count, price->amount_micros))) {
        rejections |= bit(MESSAGE_OVER_BUDGET);
    }
    if (ask->tier != NULL && !(is_in_tier(question, option->gpu, price->planning_micros) &&
                               is_in_tier(question, option->gpu, price->amount_micros))) {
        rejections |= bit(MESSAGE_OUTSIDE_TIER);
    }
    return rejections;
}

double constraint_tokens_per_s_low(const struct speed *speed)
{
    return speed->tokens_per_s_per_user * (speed->low / speed->value);
}

uint32_t constraint_of_speed(const struct question *question, struct option *option)
{
    const struct ask *ask = question->ask;

    option->has_speed = speed_rate(&question->speed_rater, option->gpu, option->strategy,
                                   option->count, &option->speed);
    if (!option->has_speed) {
        return bit(MESSAGE_SPEED_UNKNOWN);
    }
    if (!isnan(ask->min_tokens_per_s) &&
        !(constraint_tokens_per_s_low(&option->speed) >= ask->min_tokens_per_s)) {
        return bit(MESSAGE_TOO_SLOW);
    }
    return 0;
}
