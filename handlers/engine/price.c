/* Plans with a price: which observations count, their median, and what age does to it (DESIGN.md
 * section 3.4). Knows no budget, tax or count. Pure; the scratch room of the book makes it one
 * thread's. */
#include "price.h"

#include "money.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
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

/* Markets in the order in which they are asked; each of the rest is a market of its own. */
enum market_rank { MARKET_OWN, MARKET_US, MARKET_EURO, MARKET_CN, MARKET_REST };

/* Where the observations are taken from. */
struct market {
    enum market_rank rank;
    const char *name; /* of MARKET_REST; may be NULL: not said */
    int32_t newest_day;
    bool is_found;
};

/* Observations of one condition in one market, in the currency asked for. */
struct sample {
    int64_t median_micros, low_micros, high_micros; /* whole cents */
    const struct price *newest;
    const struct fx_rate *fx_rate; /* of the newest */
    size_t count;
    bool is_other_market, is_unverified;
};

static bool is_euro_market(const char *name)
{
    return text_is(name, "eu") || text_is(name, "de") || text_is(name, "fr") || text_is(name, "gr");
}

static enum market_rank rank_market(const char *name, enum currency currency)
{
    enum market_rank rank = MARKET_REST;
    enum market_rank own = currency == CURRENCY_USD   ? MARKET_US
                           : currency == CURRENCY_EUR ? MARKET_EURO
                                                      : MARKET_CN;

    if (text_is(name, "us")) {
        rank = MARKET_US;
    } else if (is_euro_market(name)) {
        rank = MARKET_EURO;
    } else if (text_is(name, "cn")) {
        rank = MARKET_CN;
    }
    return rank == own ? MARKET_OWN : rank;
}

/* Order of texts, unknown first. */
static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    return strcmp(a, b);
}

/* What is known of the row on that day: later ones do not exist yet. */
static bool is_seen(const struct price *row, enum condition condition, int32_t day)
{
    return row->condition_code == condition && row->observed_on.day != DAY_UNKNOWN &&
           row->observed_on.day <= day && row->amount_micros > 0;
}

static int64_t convert(const struct catalogue *catalogue, const struct price *row,
                       enum currency currency, const struct fx_rate **fx_rate)
{
    return catalogue_convert(catalogue, row->amount_micros, row->currency, CURRENCY_NAMES[currency],
                             fx_rate);
}

/* The rate is looked up only for rows that would change the choice: most do not. */
static struct market find_market(const struct price_book *book, const struct gpu *gpu,
                                 enum condition condition, enum currency currency)
{
    struct market best = {.rank = MARKET_REST, .newest_day = DAY_UNKNOWN};

    for (size_t i = 0; i < gpu->price_count; i++) {
        const struct price *row = &gpu->prices[i];

        if (!is_seen(row, condition, book->day)) {
            continue;
        }
        enum market_rank rank = rank_market(row->market, currency);
        bool is_newer = row->observed_on.day > best.newest_day;
        bool is_same_day_before = rank == MARKET_REST && row->observed_on.day == best.newest_day &&
                                  compare_texts(row->market, best.name) < 0;
        bool is_better = !best.is_found || rank < best.rank ||
                         (rank == best.rank && (is_newer || is_same_day_before));

        if (is_better && convert(book->catalogue, row, currency, NULL) != MONEY_UNKNOWN) {
            best = (struct market){.rank = rank,
                                   .name = rank == MARKET_REST ? row->market : NULL,
                                   .newest_day = row->observed_on.day,
                                   .is_found = true};
        }
    }
    return best;
}

static bool is_in_market(const struct price *row, const struct market *market,
                         enum currency currency)
{
    return rank_market(row->market, currency) == market->rank &&
           (market->rank != MARKET_REST || compare_texts(row->market, market->name) == 0);
}

/* Whether a speaks for the sample rather than b: the newer, else an order of its own that does not
 * hang on the order of the rows. */
static bool speaks_before(const struct price *a, const struct price *b)
{
    if (b == NULL || a->observed_on.day != b->observed_on.day) {
        return b == NULL || a->observed_on.day > b->observed_on.day;
    }
    int order = compare_texts(a->source, b->source);

    if (order == 0) {
        order = (a->amount_micros > b->amount_micros) - (a->amount_micros < b->amount_micros);
    }
    if (order == 0) {
        order = compare_texts(a->currency, b->currency);
    }
    if (order == 0) {
        order = compare_texts(a->market, b->market);
    }
    if (order == 0) {
        order = compare_texts(a->observed_on.text, b->observed_on.text);
    }
    return order < 0;
}

static bool says_unverified(const char *text)
{
    return text != NULL &&
           (strstr(text, "unverified") != NULL || strstr(text, "not verified") != NULL);
}

static int compare_amounts(const void *a, const void *b)
{
    const int64_t *left = a;
    const int64_t *right = b;

    return (*left > *right) - (*left < *right);
}

/* Middle of sorted values >= 0, of an even number the mean of the two middle ones; rounded
 * half-even to a multiple of `step` once, so that no half is lost before. */
static int64_t median_of(const int64_t *sorted, size_t count, int64_t step)
{
    int64_t sum = sorted[(count - 1) / 2] + sorted[count / 2];
    int64_t steps = sum / (2 * step);
    int64_t rest = sum % (2 * step);

    if (rest > step || (rest == step && steps % 2 != 0)) {
        steps++;
    }
    return steps * step;
}

static bool take_sample(const struct price_book *book, const struct gpu *gpu,
                        enum condition condition, enum currency currency, struct sample *sample)
{
    const struct catalogue *catalogue = book->catalogue;
    struct market market = find_market(book, gpu, condition, currency);
    double window_days = catalogue->parameters.price_window_days;

    if (!market.is_found) {
        return false;
    }
    *sample = (struct sample){.is_other_market = market.rank != MARKET_OWN};
    for (size_t i = 0; i < gpu->price_count; i++) {
        const struct price *row = &gpu->prices[i];

        if (!is_seen(row, condition, book->day) || !is_in_market(row, &market, currency) ||
            market.newest_day - row->observed_on.day > window_days) {
            continue;
        }
        const struct fx_rate *fx_rate = NULL;
        int64_t micros = convert(catalogue, row, currency, &fx_rate);

        if (micros == MONEY_UNKNOWN) {
            continue;
        }
        book->scratch_micros[sample->count++] = micros;
        sample->is_unverified |= says_unverified(row->source) || says_unverified(row->note);
        if (speaks_before(row, sample->newest)) {
            sample->newest = row;
            sample->fx_rate = fx_rate;
        }
    }
    qsort(book->scratch_micros, sample->count, sizeof book->scratch_micros[0], compare_amounts);
    sample->median_micros = median_of(book->scratch_micros, sample->count, MONEY_MICROS_PER_CENT);
    sample->low_micros = money_round_to_cent(book->scratch_micros[0]);
    sample->high_micros = money_round_to_cent(book->scratch_micros[sample->count - 1]);
    return true;
}

/* List price at launch: rows of condition msrp, else the figure of the card itself
 * (data/README.md). */
static bool take_list_price(const struct price_book *book, const struct gpu *gpu,
                            enum currency currency, struct plan_price *price)
{
    struct sample sample;

    *price = (struct plan_price){.condition = CONDITION_NEW, .basis = PRICE_ESTIMATED};
    if (take_sample(book, gpu, CONDITION_MSRP, currency, &sample)) {
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
    price->is_other_market = rank_market(price->market, currency) != MARKET_OWN;
    price->is_unverified = says_unverified(gpu->source) || says_unverified(gpu->note);
    return price->amount_micros != MONEY_UNKNOWN;
}

/* List prices say something about today only for cards of the last years. */
static bool is_recent_release(const struct price_book *book, const struct gpu *gpu)
{
    return gpu->release_date.day != DAY_UNKNOWN &&
           day_years_between(gpu->release_date.day, book->day) <=
               book->catalogue->parameters.msrp_release_limit_years;
}

/* New price over list price, in millionths; 0: this card does not tell. Only prices seen in the US
 * this year of cards young enough to be carried themselves, so that like is compared with like. */
static int64_t street_ratio_millionths(const struct price_book *book, const struct gpu *gpu)
{
    struct sample street;
    struct plan_price list;

    if (!is_recent_release(book, gpu) ||
        !take_sample(book, gpu, CONDITION_NEW, CURRENCY_USD, &street) || street.is_other_market ||
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
    qsort(ratios, count, sizeof ratios[0], compare_amounts);
    return (double)median_of(ratios, count, 1) / 1e6;
}

bool price_book_init(struct price_book *book, const struct catalogue *catalogue,
                     const struct ask *ask, int32_t day, struct arena *arena, struct error *err)
{
    size_t room = 1;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        room = catalogue->gpus[i].price_count > room ? catalogue->gpus[i].price_count : room;
    }
    char day_text[DAY_TEXT_BYTES];

    day_format(day, day_text);
    struct price_book made = {
        .catalogue = catalogue, .ask = ask, .today = {.day = day}, .day = day};
    int64_t *ratios = arena_alloc_array(arena, catalogue->gpu_count, sizeof ratios[0]);

    made.scratch_micros = arena_alloc_array(arena, room, sizeof made.scratch_micros[0]);
    made.today.text = arena_copy_text(arena, day_text, strlen(day_text));
    if (ratios == NULL || made.scratch_micros == NULL || made.today.text == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the prices of an answer");
    }
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
    struct sample sample;

    if (!take_sample(book, gpu, condition, book->ask->currency, &sample)) {
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

    if (!is_recent_release(book, gpu) || !take_list_price(book, gpu, book->ask->currency, price)) {
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
    bool is_asked = ask->condition == ASKED_ANY ||
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

        if (is_seen(row, CONDITION_NEW, book->day) &&
            book->day - row->observed_on.day <= limit_days &&
            convert(book->catalogue, row, book->ask->currency, NULL) != MONEY_UNKNOWN) {
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
        if (!is_recent_release(book, gpu)) {
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
