/* Reads the dates of prices, offers and rates once, so that asking for ages is cheap. Built by one
 * thread, then immutable. */
#include "freshness.h"

static int32_t newer(int32_t a, int32_t b)
{
    return a > b ? a : b; /* DAY_UNKNOWN is the least */
}

static void note_market(struct freshness *freshness, const struct price *price)
{
    size_t i = 0;

    while (i < freshness->market_count && freshness->markets[i].market != price->market &&
           !text_is(freshness->markets[i].market, price->market)) {
        i++;
    }
    if (i == FRESHNESS_MARKETS_MAX) {
        return; /* more than facts_money.c allows */
    }
    if (i == freshness->market_count) {
        freshness->markets[freshness->market_count++] =
            (struct freshness_market){price->market, DAY_UNKNOWN};
    }
    freshness->markets[i].newest_day =
        newer(freshness->markets[i].newest_day, price->observed_on.day);
}

/* Prices are sorted by card, condition, newest first: the first of each is its newest. */
static bool read_prices(const struct catalogue *catalogue, struct arena *arena,
                        struct freshness *freshness)
{
    int32_t *days = arena_alloc_array(arena, catalogue->gpu_count * 2 + 1, sizeof *days);
    const struct price *previous = NULL;

    if (days == NULL) {
        return false;
    }
    for (size_t i = 0; i < catalogue->price_count; i++) {
        const struct price *price = &catalogue->prices[i];

        if (price->gpu == NULL) {
            continue;
        }
        enum condition condition = price->condition_code;

        freshness->newest_price_day[condition] =
            newer(freshness->newest_price_day[condition], price->observed_on.day);
        if (condition == CONDITION_MSRP) {
            continue; /* a list price is of the day of launch, and does not age */
        }
        note_market(freshness, price);
        if (previous == NULL || previous->gpu != price->gpu ||
            previous->condition_code != condition) {
            days[freshness->price_day_count++] = price->observed_on.day;
        }
        previous = price;
    }
    freshness->price_days = days;
    return true;
}

static bool read_offers(const struct catalogue *catalogue, struct arena *arena,
                        struct freshness *freshness)
{
    int32_t *days = arena_alloc_array(arena, catalogue->cloud_offer_count + 1, sizeof *days);

    if (days == NULL) {
        return false;
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (offer->is_newest) {
            days[freshness->offer_day_count++] = offer->observed_on.day;
            freshness->newest_offer_day =
                newer(freshness->newest_offer_day, offer->observed_on.day);
        }
    }
    freshness->offer_days = days;
    return true;
}

bool freshness_build(const struct catalogue *catalogue, struct arena *arena,
                     struct freshness *freshness, struct error *err)
{
    struct freshness built = {.newest_offer_day = DAY_UNKNOWN, .newest_rate_day = DAY_UNKNOWN};

    for (size_t i = 0; i < CONDITION_COUNT; i++) {
        built.newest_price_day[i] = DAY_UNKNOWN;
    }
    if (!read_prices(catalogue, arena, &built) || !read_offers(catalogue, arena, &built)) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the ages of the facts");
    }
    for (size_t i = 0; i < catalogue->fx_rate_count; i++) {
        built.newest_rate_day =
            newer(built.newest_rate_day, catalogue->fx_rates[i].observed_on.day);
    }
    *freshness = built;
    return true;
}

size_t freshness_count_stale(const int32_t *days, size_t count, int32_t day, double stale_days)
{
    size_t stale = 0;

    for (size_t i = 0; i < count; i++) {
        stale += days[i] == DAY_UNKNOWN || (double)day - (double)days[i] > stale_days ? 1 : 0;
    }
    return stale;
}
