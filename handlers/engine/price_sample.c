/* Which observations of a card make a price: one market, one window, the median. Knows no age that
 * grows, no list price and no quote (price.c). One thread at a time per book. */
#include "price_sample.h"

#include "money.h"

#include <stdlib.h>
#include <string.h>

/* Markets in the order in which they are asked; each of the rest is a market of its own. */
enum market_rank { MARKET_OWN, MARKET_US, MARKET_EURO, MARKET_CN, MARKET_REST };

/* Where the observations are taken from. */
struct market {
    enum market_rank rank;
    const char *name; /* of MARKET_REST; may be NULL: not said */
    int32_t newest_day;
    bool is_found;
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

bool price_sample_is_own_market(const char *market, enum currency currency)
{
    return rank_market(market, currency) == MARKET_OWN;
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
bool price_sample_is_seen(const struct price *row, enum condition condition, int32_t day)
{
    return row->condition_code == condition && row->observed_on.day != DAY_UNKNOWN &&
           row->observed_on.day <= day && row->amount_micros > 0;
}

/* Rates to the currency of the ask are in the book; another one is asked for by the street index
 * only. */
static int64_t convert(const struct price_book *book, const struct price *row,
                       enum currency currency, const struct fx_rate **fx_rate)
{
    if (text_is(row->currency, CURRENCY_NAMES[currency])) {
        *fx_rate = NULL;
        return row->amount_micros;
    }
    if (currency != book->ask->currency) {
        return catalogue_convert(book->catalogue, row->amount_micros, row->currency,
                                 CURRENCY_NAMES[currency], fx_rate);
    }
    for (size_t i = 0; i < book->rate_count; i++) {
        if (text_is(book->rates[i].currency, row->currency)) {
            *fx_rate = book->rates[i].fx_rate;
            return money_times(row->amount_micros, book->rates[i].factor);
        }
    }
    return MONEY_UNKNOWN;
}

bool price_sample_is_convertible(const struct price_book *book, const struct price *row,
                                 enum currency currency)
{
    const struct fx_rate *fx_rate = NULL;

    return convert(book, row, currency, &fx_rate) != MONEY_UNKNOWN;
}

static struct market find_market(const struct price_book *book, const struct gpu *gpu,
                                 enum condition condition, enum currency currency)
{
    struct market best = {.rank = MARKET_REST, .newest_day = DAY_UNKNOWN};

    for (size_t i = 0; i < gpu->price_count; i++) {
        const struct price *row = &gpu->prices[i];

        if (!price_sample_is_seen(row, condition, book->day)) {
            continue;
        }
        enum market_rank rank = rank_market(row->market, currency);
        bool is_newer = row->observed_on.day > best.newest_day;
        bool is_same_day_before = rank == MARKET_REST && row->observed_on.day == best.newest_day &&
                                  compare_texts(row->market, best.name) < 0;
        bool is_better = !best.is_found || rank < best.rank ||
                         (rank == best.rank && (is_newer || is_same_day_before));

        if (is_better && price_sample_is_convertible(book, row, currency)) {
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

bool price_sample_says_unverified(const char *text)
{
    return text != NULL && strstr(text, "verified") != NULL &&
           (strstr(text, "unverified") != NULL || strstr(text, "not verified") != NULL);
}

static int compare_amounts(const void *a, const void *b)
{
    const int64_t *left = a;
    const int64_t *right = b;

    return (*left > *right) - (*left < *right);
}

int64_t price_sample_median(int64_t *amounts, size_t count, int64_t step)
{
    qsort(amounts, count, sizeof amounts[0], compare_amounts);

    int64_t sum = amounts[(count - 1) / 2] + amounts[count / 2];
    int64_t steps = sum / (2 * step);
    int64_t rest = sum % (2 * step);

    if (rest > step || (rest == step && steps % 2 != 0)) {
        steps++;
    }
    return steps * step;
}

bool price_sample_take(const struct price_book *book, const struct gpu *gpu,
                       enum condition condition, enum currency currency,
                       struct price_sample *sample)
{
    const struct catalogue *catalogue = book->catalogue;
    struct market market = find_market(book, gpu, condition, currency);
    double window_days = catalogue->parameters.price_window_days;

    if (!market.is_found) {
        return false;
    }
    *sample = (struct price_sample){.is_other_market = market.rank != MARKET_OWN};
    for (size_t i = 0; i < gpu->price_count; i++) {
        const struct price *row = &gpu->prices[i];

        if (!price_sample_is_seen(row, condition, book->day) ||
            !is_in_market(row, &market, currency) ||
            market.newest_day - row->observed_on.day > window_days) {
            continue;
        }
        const struct fx_rate *fx_rate = NULL;
        int64_t micros = convert(book, row, currency, &fx_rate);

        if (micros == MONEY_UNKNOWN) {
            continue;
        }
        book->scratch_micros[sample->count++] = micros;
        sample->is_unverified |=
            price_sample_says_unverified(row->source) || price_sample_says_unverified(row->note);
        if (speaks_before(row, sample->newest)) {
            sample->newest = row;
            sample->fx_rate = fx_rate;
        }
    }
    sample->median_micros =
        price_sample_median(book->scratch_micros, sample->count, MONEY_MICROS_PER_CENT);
    sample->low_micros = money_round_to_cent(book->scratch_micros[0]);
    sample->high_micros = money_round_to_cent(book->scratch_micros[sample->count - 1]);
    return true;
}
