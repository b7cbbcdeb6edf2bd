/* Which observations of a card make a price; for price.c (DESIGN.md section 3.4). */
#ifndef GPUWISE_ENGINE_PRICE_SAMPLE_H
#define GPUWISE_ENGINE_PRICE_SAMPLE_H

#include "price.h"

/* Observations of one condition in one market, in the currency asked for. */
struct price_sample {
    int64_t median_micros, low_micros, high_micros; /* whole cents */
    const struct price *newest;                     /* speaks for all: source, market, date */
    const struct fx_rate *fx_rate;                  /* of the newest */
    size_t count;
    bool is_other_market;
    bool is_unverified; /* one of them says so */
};

/* The observations within price_window_days of the newest, in the market of the currency; where it
 * has none, in the first of us, the euro markets, cn, and then the one of the rest seen last (ties
 * by name). What is not seen yet or cannot be converted does not count. Uses the scratch room of
 * the book. False: none. */
bool price_sample_take(const struct price_book *book, const struct gpu *gpu,
                       enum condition condition, enum currency currency,
                       struct price_sample *sample);

/* Whether the row is of the condition and known on the day: later ones do not exist yet. */
bool price_sample_is_seen(const struct price *row, enum condition condition, int32_t day);

bool price_sample_is_convertible(const struct price_book *book, const struct price *row,
                                 enum currency currency);

/* Whether the market is (one of) that of the currency. */
bool price_sample_is_own_market(const char *market, enum currency currency);

/* Whether a source or note says that nobody has checked it; NULL does not. */
bool price_sample_says_unverified(const char *text);

/* Sorts the amounts (at least one, none negative) and gives the middle one, of an even number the
 * mean of the two middle ones; rounded half-even to a multiple of step once, so that no half is
 * lost before. */
int64_t price_sample_median(int64_t *amounts, size_t count, int64_t step);

#endif
