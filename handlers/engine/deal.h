/* Whether a card at a price is a good buy for a question, and what beats it (DESIGN.md 3.8). */
#ifndef GPUWISE_ENGINE_DEAL_H
#define GPUWISE_ENGINE_DEAL_H

#include "rank.h"
#include "recommend.h"

enum {
    DEAL_MAX_COMPARED = 10,
    DEAL_MAX_BETTER = 5,
    DEAL_MAX_REASONS = MESSAGE_REJECTION_COUNT + 2
};

enum deal_verdict {
    DEAL_GOOD,    /* the price is at most the fair price */
    DEAL_FAIR,    /* at most deal_fair_band times it */
    DEAL_POOR,    /* above that */
    DEAL_AVOID,   /* the card breaks a hard constraint, whatever the price */
    DEAL_UNKNOWN, /* no fair price, or one that rests on too few fresh prices */
    DEAL_VERDICT_COUNT
};
extern const char *const DEAL_VERDICT_NAMES[DEAL_VERDICT_COUNT]; /* good, fair, ... */

/* What the compared prices rest on, the weakest of them: all quoted; seen lately; some seen long
 * ago; some carried to today from a list price. */
enum deal_basis { DEAL_QUOTED, DEAL_OBSERVED, DEAL_STALE, DEAL_ESTIMATED, DEAL_BASIS_COUNT };
extern const char *const DEAL_BASIS_NAMES[DEAL_BASIS_COUNT]; /* quoted, observed, ... */

struct deal_offer { /* what is asked about */
    const struct gpu *gpu;
    int64_t price_micros; /* of one card, in the currency of the ask, without tax on top */
};

/* A pick of the same question without the card; where prices= quotes as many cards that do the work
 * as are compared, one of those. */
struct deal_compared {
    const struct option *option;
    bool is_fresh; /* seen within price_stale_days, or quoted */
};

struct deal {
    enum deal_verdict verdict;
    struct deal_compared
        compared[DEAL_MAX_COMPARED]; /* the first picks, deal_rank_compared at most */
    size_t compared_count, fresh_count;
    const struct option *matched; /* the last of deal_rank_compared picks; NULL: there are fewer */
    enum deal_basis basis;        /* of the fair price */
    int64_t fair_micros; /* dearest price of one card, to the cent, at which its score is not below
                            that of `matched`; 0: it is below even as a gift; MONEY_UNKNOWN: none */
    struct option at_fair;        /* the card at that price; valid where fair_micros is known */
    struct plan_price fair_price; /* at_fair.price */
    double ratio;                 /* price over fair price; NAN: unknown or over 0 */
    struct note reasons[DEAL_MAX_REASONS]; /* of the verdict */
    size_t reason_count;
    bool has_pick;       /* the card can be ranked at its price */
    struct pick pick;    /* that pick, within the budget where a number of it is; only gpu and
                            warnings where it cannot be ranked */
    struct pick *better; /* the first picks that rank before it, of the same list */
    size_t better_count;
};

/* The ask must be complete; its own= must not be the card, its condition is that of the offer and
 * of what it is compared with (any: of whichever is seen). Everything in *deal lives in the arena,
 * in the catalogue or in *deal itself, so it must not be copied. */
bool deal_judge(const struct catalogue *catalogue, const struct ask *ask,
                const struct deal_offer *offer, int32_t day, struct arena *arena, struct deal *deal,
                struct error *err) MUST_CHECK;

#endif
