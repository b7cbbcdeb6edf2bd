/* How old the money facts of a catalogue are: for /metrics and `gpuwise check`. */
#ifndef GPUWISE_ENGINE_FRESHNESS_H
#define GPUWISE_ENGINE_FRESHNESS_H

#include "catalogue.h"

enum { FRESHNESS_MARKETS_MAX = 32 }; /* the facts allow 13, and NULL: not known */

struct freshness_market {
    const char *market; /* NULL: not known */
    int32_t newest_day;
};

/* Days are UTC, DAY_UNKNOWN where there is no row with a date. Rows of cards that the catalogue
 * does not know advise nobody and count nowhere here. */
struct freshness {
    int32_t newest_price_day[CONDITION_COUNT];
    struct freshness_market markets[FRESHNESS_MARKETS_MAX]; /* of new and used prices */
    size_t market_count;
    const int32_t *price_days; /* newest of each card, new and used apart */
    size_t price_day_count;
    const int32_t *offer_days; /* of the offers that nothing newer replaces */
    size_t offer_day_count;
    int32_t newest_offer_day;
    int32_t newest_rate_day; /* of exchange */
};

/* Reads the whole catalogue once; what it points to lives in the catalogue and the arena. */
bool freshness_build(const struct catalogue *catalogue, struct arena *arena,
                     struct freshness *freshness, struct error *err) MUST_CHECK;

/* How many of the days are more than so many days before `day`, or unknown. */
size_t freshness_count_stale(const int32_t *days, size_t count, int32_t day, double stale_days);

#endif
