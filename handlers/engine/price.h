/* What one card costs today, as far as the observations say (DESIGN.md section 3.4). */
#ifndef GPUWISE_ENGINE_PRICE_H
#define GPUWISE_ENGINE_PRICE_H

#include "ask.h"

enum price_basis { PRICE_OBSERVED, PRICE_QUOTED, PRICE_ESTIMATED, PRICE_BASIS_COUNT };
extern const char *const PRICE_BASIS_NAMES[PRICE_BASIS_COUNT]; /* observed, quoted, estimated */

/* What an amount in some currency is in the currency of the ask. */
struct price_rate {
    const char *currency;
    double factor;
    const struct fx_rate *fx_rate; /* NULL: the same currency */
};

/* What every price of one answer rests on. Made once an answer, because the street index looks at
 * every card; changed by nobody afterwards but for the scratch room, so one thread at a time. */
struct price_book {
    const struct catalogue *catalogue;
    const struct ask *ask; /* its currency, condition and quotes are read; the currency must stay */
    int32_t day;
    struct date today;   /* the same day with its text, which lives in the arena */
    double street_index; /* median of new price over list price, in the US; carries a list price to
                            today */
    const struct price_rate *rates; /* every currency that can be converted */
    size_t rate_count;
    int64_t *scratch_micros; /* room for the observations of any one card */
};

/* Money in the currency of the ask, for one card, without tax on top. */
struct plan_price {
    int64_t amount_micros; /* as observed: the median of the window, converted once; estimated:
                              the list price times the street index */
    int64_t
        planning_micros; /* amount, grown by age when stale; what budget, tier and rank use too */
    int64_t low_micros, high_micros; /* span of the window, the high end grown alike; estimated: the
                                        list price at the low and high street index */
    enum condition condition;        /* new or used */
    enum price_basis basis;
    struct date
        observed_on; /* newest observation of the window; a quote: the day of the question */
    const char *source, *market;
    const struct fx_rate *fx_rate; /* NULL: no conversion */
    size_t observations;
    bool is_stale, is_very_old, is_other_market, is_unverified;
};

/* The ask must be complete and outlive the book. Fails when the arena is exhausted. */
bool price_book_init(struct price_book *book, const struct catalogue *catalogue,
                     const struct ask *ask, int32_t day, struct arena *arena,
                     struct error *err) MUST_CHECK;

/* A quote of the ask counts for the condition asked for, and for both when any or where the card is
 * the asker's own. The newest of several observations lends source, market and rate. False: no
 * price of that condition (new or used) for this card on the day of the book. */
bool price_plan(const struct price_book *book, const struct gpu *gpu, enum condition condition,
                struct plan_price *price);

#endif
