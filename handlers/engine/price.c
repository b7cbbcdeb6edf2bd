/* Plans with a price: quotes, list prices carried to today, and what age does to observations
 * (DESIGN.md section 3.4). Which observations count is price_sample.c. Knows no budget, tax or
 * count. Pure; the scratch room of the book makes it one thread's. */
#include "price.h"

#include "money.h"
#include "price_sample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* With fewer cards a median says little: then the parameter msrp_street_index_mid counts. As many
 * as a verdict on a deal asks for. */
enum { STREET_INDEX_MIN_CARDS = 5 };

static const double DAYS_PER_YEAR = 365.2425; /* as day_years_between */

const char *const PRICE_BASIS_NAMES[PRICE_BASIS_COUNT] = {
    [PRICE_OBSERVED] = "observed",
    [PRICE_QUOTED] = "quoted",
    [PRICE_ESTIMATED] = "estimated",
};

/* List price at launch: rows of condition msrp, else the figure of the card itself
 * (data/README.md). The US list price stands for the world; one of another market says nothing
 * elsewhere, because a card listed there alone is sold there alone (RTX 4090 D and 5090 D). */
static bool take_list_price(const struct price_book *book, const struct gpu *gpu,
                            enum currency currency, struct plan_price *price)
{
    struct price_sample sample;

    *price = (struct plan_price){.condition = CONDITION_NEW, .basis = PRICE_ESTIMATED};
    if (price_sample_take(book, gpu, CONDITION_MSRP, currency, &sample)) {
        if (sample.is_other_market && !text_is(sample.newest->market, "us")) {
            return false;
        }
        price->amount_micros = sample.median_micros;
        price->observed_on = sample.newest->observed_on;
        price->source = sample.newest->source;
        price->market = sample.newest->market;
        price->fx_rate = sample.fx_rate;
        price->observations = sample.count;
        price->is_other_market = sample.is_other_market;
        price->is_unverified = sample.is_unverified;
        return true;
    }
    if (gpu->release_date.day == DAY_UNKNOWN || gpu->release_date.day > book->day) {
        return false;
    }
    price->amount_micros = money_round_to_cent(
        catalogue_convert(book->catalogue, gpu->launch_msrp_usd_micros,
                          CURRENCY_NAMES[CURRENCY_USD], CURRENCY_NAMES[currency], &price->fx_rate));
    price->observed_on = gpu->release_date;
    price->source = gpu->source;
    price->market = "us";
    price->observations = 1;
    price->is_other_market = !price_sample_is_own_market(price->market, currency);
    price->is_unverified =
        price_sample_says_unverified(gpu->source) || price_sample_says_unverified(gpu->note);
    return price->amount_micros != MONEY_UNKNOWN;
}

/* List prices say something about today only for cards of the last years. */
static bool is_recent_release(const struct price_book *book, const struct gpu *gpu)
{
    return gpu->release_date.day != DAY_UNKNOWN &&
           day_years_between(gpu->release_date.day, book->day) <=
               book->catalogue->parameters.msrp_release_limit_years;
}

/* Shops have sold out what ended long ago, and a list price then tells of no offer. */
static bool is_long_discontinued(const struct price_book *book, const struct gpu *gpu)
{
    return gpu->discontinued.text != NULL && gpu->discontinued.day != DAY_UNKNOWN &&
           book->day - gpu->discontinued.day >
               book->catalogue->parameters.msrp_discontinued_limit_days;
}

/* New price over list price, in millionths; 0: this card does not tell. Only prices seen in the US
 * this year of cards young enough to be carried themselves, so that like is compared with like. */
static int64_t street_ratio_millionths(const struct price_book *book, const struct gpu *gpu)
{
    struct price_sample street;
    struct plan_price list;

    if (!is_recent_release(book, gpu) ||
        !price_sample_take(book, gpu, CONDITION_NEW, CURRENCY_USD, &street) ||
        street.is_other_market ||
        book->day - street.newest->observed_on.day >
            book->catalogue->parameters.msrp_ignored_if_observed_days ||
        !take_list_price(book, gpu, CURRENCY_USD, &list) || list.is_other_market ||
        list.amount_micros <= 0) {
        return 0;
    }
    return (int64_t)nearbyint(1e6 * (double)street.median_micros / (double)list.amount_micros);
}

static double street_index(const struct price_book *book, int64_t *ratios)
{
    const struct catalogue *catalogue = book->catalogue;
    size_t count = 0;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        int64_t ratio = street_ratio_millionths(book, &catalogue->gpus[i]);

        if (ratio > 0) {
            ratios[count++] = ratio;
        }
    }
    if (count < STREET_INDEX_MIN_CARDS) {
        return catalogue->parameters.msrp_street_index_mid;
    }
    return (double)price_sample_median(ratios, count, 1) / 1e6;
}

/* Every currency named by a rate, to the one of the ask. `rates` has room for two a row. */
static size_t find_rates(const struct price_book *book, struct price_rate *rates)
{
    const struct catalogue *catalogue = book->catalogue;
    const char *to = CURRENCY_NAMES[book->ask->currency];
    size_t count = 0;

    for (size_t i = 0; i < 2 * catalogue->fx_rate_count; i++) {
        const struct fx_rate *row = &catalogue->fx_rates[i / 2];
        struct price_rate rate = {.currency = i % 2 == 0 ? row->base : row->quote};
        bool is_listed = false;

        for (size_t j = 0; j < count && !is_listed; j++) {
            is_listed = text_is(rates[j].currency, rate.currency);
        }
        if (!is_listed &&
            catalogue_find_rate(catalogue, rate.currency, to, &rate.factor, &rate.fx_rate)) {
            rates[count++] = rate;
        }
    }
    return count;
}

bool price_book_init(struct price_book *book, const struct catalogue *catalogue,
                     const struct ask *ask, int32_t day, struct arena *arena, struct error *err)
{
    struct price_book made = {
        .catalogue = catalogue, .ask = ask, .today = {.day = day}, .day = day};
    char day_text[DAY_TEXT_BYTES];
    size_t room = 1;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        room = catalogue->gpus[i].price_count > room ? catalogue->gpus[i].price_count : room;
    }
    day_format(day, day_text);
    made.today.text = arena_copy_text(arena, day_text, strlen(day_text));
    made.scratch_micros = arena_alloc_array(arena, room, sizeof made.scratch_micros[0]);

    int64_t *ratios = arena_alloc_array(arena, catalogue->gpu_count, sizeof ratios[0]);
    struct price_rate *rates =
        arena_alloc_array(arena, 2 * catalogue->fx_rate_count, sizeof rates[0]);

    if (made.today.text == NULL || made.scratch_micros == NULL || ratios == NULL || rates == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the prices of an answer");
    }
    made.rates = rates;
    made.rate_count = find_rates(&made, rates);
    made.street_index = street_index(&made, ratios);
    *book = made;
    return true;
}

/* Compound, as depreciation is told: a rate per year of what the price is then. With the shipped
 * 0.25 and cap 2 it ends growing 3.1 years beyond the limit, about where a price is very old
 * anyway. */
static double growth_by_age(const struct parameters *parameters, int32_t age_days)
{
    double years = (age_days - parameters->price_stale_days) / DAYS_PER_YEAR;

    if (!(years > 0)) {
        return 1;
    }
    double factor = pow(1 + parameters->price_stale_growth_per_year, years);

    return fmax(1, fmin(factor, parameters->price_stale_growth_cap));
}

static void judge_age(const struct price_book *book, struct plan_price *price)
{
    const struct parameters *parameters = &book->catalogue->parameters;
    int32_t age_days = book->day - price->observed_on.day;

    price->is_stale = age_days > parameters->price_stale_days;
    price->is_very_old = age_days / DAYS_PER_YEAR > parameters->price_very_old_years;
}

static bool plan_observed(const struct price_book *book, const struct gpu *gpu,
                          enum condition condition, struct plan_price *price)
{
    struct price_sample sample;

    if (!price_sample_take(book, gpu, condition, book->ask->currency, &sample)) {
        return false;
    }
    double growth =
        growth_by_age(&book->catalogue->parameters, book->day - sample.newest->observed_on.day);

    *price = (struct plan_price){
        .amount_micros = sample.median_micros,
        .planning_micros = money_times(sample.median_micros, growth),
        .low_micros = sample.low_micros,
        .high_micros = money_times(sample.high_micros, growth),
        .condition = condition,
        .basis = PRICE_OBSERVED,
        .observed_on = sample.newest->observed_on,
        .source = sample.newest->source,
        .market = sample.newest->market,
        .fx_rate = sample.fx_rate,
        .observations = sample.count,
        .is_other_market = sample.is_other_market,
        .is_unverified = sample.is_unverified,
    };
    judge_age(book, price);
    return price->planning_micros != MONEY_UNKNOWN && price->high_micros != MONEY_UNKNOWN;
}

/* The list price carried to today by the street index; age does not raise it further. */
static bool plan_listed(const struct price_book *book, const struct gpu *gpu,
                        struct plan_price *price)
{
    const struct parameters *parameters = &book->catalogue->parameters;

    if (!take_list_price(book, gpu, book->ask->currency, price)) {
        return false;
    }
    int64_t list_micros = price->amount_micros;
    double low = fmin(parameters->msrp_street_index_low, book->street_index);
    double high = fmax(parameters->msrp_street_index_high, book->street_index);

    price->amount_micros = money_round_to_cent(money_times(list_micros, book->street_index));
    price->planning_micros = price->amount_micros;
    price->low_micros = money_round_to_cent(money_times(list_micros, low));
    price->high_micros = money_round_to_cent(money_times(list_micros, high));
    judge_age(book, price);
    return price->amount_micros != MONEY_UNKNOWN && price->high_micros != MONEY_UNKNOWN;
}

static bool find_quote(const struct price_book *book, const struct gpu *gpu,
                       enum condition condition, struct plan_price *price)
{
    const struct ask *ask = book->ask;
    bool is_asked = ask->condition == ASKED_ANY || gpu == ask->own ||
                    (ask->condition == ASKED_NEW) == (condition == CONDITION_NEW);

    for (size_t i = 0; i < ask->quote_count && is_asked; i++) {
        int64_t micros = ask->quotes[i].amount_micros;

        if (ask->quotes[i].gpu == gpu) {
            *price = (struct plan_price){.amount_micros = micros,
                                         .planning_micros = micros,
                                         .low_micros = micros,
                                         .high_micros = micros,
                                         .condition = condition,
                                         .basis = PRICE_QUOTED,
                                         .observed_on = book->today,
                                         .observations = 1};
            return true;
        }
    }
    return false;
}

/* Whether any market has shown the card new within a year: then a list price is none. */
static bool is_seen_new_lately(const struct price_book *book, const struct gpu *gpu)
{
    double limit_days = book->catalogue->parameters.msrp_ignored_if_observed_days;

    for (size_t i = 0; i < gpu->price_count; i++) {
        const struct price *row = &gpu->prices[i];

        if (price_sample_is_seen(row, CONDITION_NEW, book->day) &&
            book->day - row->observed_on.day <= limit_days &&
            price_sample_is_convertible(book, row, book->ask->currency)) {
            return true;
        }
    }
    return false;
}

bool price_plan(const struct price_book *book, const struct gpu *gpu, enum condition condition,
                struct plan_price *price)
{
    struct plan_price observed;
    struct plan_price listed;

    assert(condition == CONDITION_NEW || condition == CONDITION_USED);
    if (find_quote(book, gpu, condition, price)) {
        return true;
    }
    bool has_observed = plan_observed(book, gpu, condition, &observed);

    if (condition == CONDITION_NEW && !is_seen_new_lately(book, gpu)) {
        if (!is_recent_release(book, gpu) || is_long_discontinued(book, gpu)) {
            return false; /* nobody has sold it new for long: old stock at an old price misleads */
        }
        bool has_listed = plan_listed(book, gpu, &listed);

        if (has_listed && (!has_observed || listed.planning_micros > observed.planning_micros)) {
            *price = listed;
            return true;
        }
    }
    if (has_observed) {
        *price = observed;
    }
    return has_observed;
}
