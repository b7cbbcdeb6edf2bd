/* The advisor: which cards, why, and why not the others. Pure: same catalogue, ask and day, same
 * answer. */
#ifndef GPUWISE_ENGINE_RECOMMEND_H
#define GPUWISE_ENGINE_RECOMMEND_H

#include "cost.h"
#include "message.h"
#include "score.h"

enum { RECOMMEND_MAX_NOTES = 44 }; /* above one of every warning that notes*.c and deal.c know */
enum { RECOMMEND_MAX_ADVICE = 8, RECOMMEND_MAX_CLOUD = 8 };
enum { RECOMMEND_MAX_CLOUD_NOTES = 5 };

enum pick_label {
    LABEL_BEST_VALUE,
    LABEL_FASTEST_IN_BUDGET,
    LABEL_CHEAPEST_THAT_FITS,
    LABEL_MOST_MEMORY,
    LABEL_COUNT
};
extern const char *const LABEL_NAMES[LABEL_COUNT];

struct pick {
    size_t rank; /* from 1, in the order of the whole list */
    const struct gpu *gpu;
    size_t count;
    enum strategy strategy;
    struct set_link link;
    bool labels[LABEL_COUNT];
    const struct tier *tier; /* NULL: no band of the currency holds it */
    bool is_pareto;          /* no other pick is at least as good in price, speed and memory */
    struct plan_price price;
    int64_t price_total_micros; /* count x amount */
    int64_t
        holds_up_to_micros; /* dearest price of one card at which its rank stays; MONEY_UNKNOWN */
    double needed_gib, available_gib; /* on one card */
    bool is_tight;
    bool is_owned; /* the card of own=: outside budget, tier and condition */
    struct speed speed;
    double job_hours, job_hours_low, job_hours_high; /* NAN: no size of a job given */
    struct cost cost;
    double score;
    struct score_parts score_parts;
    struct note reasons[RECOMMEND_MAX_NOTES];
    size_t reason_count;
    struct note warnings[RECOMMEND_MAX_NOTES];
    size_t warning_count;
};

struct rejection {
    const struct gpu *gpu;
    struct note reasons[MESSAGE_REJECTION_COUNT];
    size_t reason_count; /* at least 1 */
    double speed;        /* relative low end, for the order of near misses; 0: unknown */
};

enum { ADVICE_MAX_CHANGES = 3 };

/* A parameter and what to send for it. */
struct advice_change {
    const char *parameter, *value;
};

/* A change of the question, asked again. */
struct advice {
    struct note note;
    struct advice_change
        changes[ADVICE_MAX_CHANGES]; /* all to be sent; the first is the main one */
    size_t change_count;             /* 0: nothing to send (rent, keep) */
    const char *gain_text; /* ready text of the size: "1.4 x" the speed, "-23 %" of the cost, or
                              the name of the card that fits */
    double gain;           /* share gained: 0.25 is 25 % faster or cheaper; NAN: something fits */
};

/* Amounts are in the currency of the ask where the name does not say USD. */
struct cloud_choice {
    const struct cloud_offer *offer; /* exactly one of the two is not NULL */
    const struct notebook_plan *plan;
    bool does_work; /* false: it is only the best there is */
    bool is_spot;   /* rented as a machine that may be taken back */
    size_t cards;   /* of the instance that work */
    enum strategy strategy;
    int64_t usd_per_hour_micros; /* of the whole instance as rented; 0: free */
    int64_t per_hour_micros;
    int64_t per_month_micros; /* of the planned hours of load */
    int64_t per_job_micros;   /* of the expected hours; MONEY_UNKNOWN: no size of a job given */
    int64_t per_million_tokens_micros, per_million_images_micros;
    bool has_speed;
    struct speed speed;
    /* expected, restarts of a spot machine counted; NAN: no size of a job given */
    double job_hours, job_hours_low, job_hours_high;
    double spot_stretch;          /* expected over undisturbed time; NAN: not spot */
    double best_checkpoint_hours; /* interval that loses least; NAN: not spot */
    double sessions;              /* a plan's that the job takes; NAN: not known */
    double hours_per_month;       /* a plan gives at most; NAN: no such limit is known */
    const struct notebook_plan *subscription; /* includes the units of these hours; NULL: none */
    struct note warnings[RECOMMEND_MAX_CLOUD_NOTES];
    size_t warning_count;
};

/* What is worth renting instead of the pick, and what both cost over the horizon, in the currency
 * of the ask. Hours are hours of load of the pick: another card does their work in offer_hours. */
struct rent_or_buy {
    bool is_known;           /* false: no pick or no comparable offer */
    double break_even_hours; /* NAN: never */
    double break_even_months;
    const char *verdict;             /* "buy", "rent" or "unknown" */
    const struct cloud_offer *offer; /* the middle one of the cheapest; NULL: the card itself, or
                                        not known */
    bool is_spot;
    size_t cards;                  /* of the offer that work */
    double offer_hours;            /* all the work takes on it; NAN: not known */
    int64_t offer_per_hour_micros; /* of it, in the ask's currency; MONEY_UNKNOWN: no offer */
    int64_t rent_per_hour_micros;  /* of the work of an hour of the pick */
    int64_t owning_micros, renting_micros;
    /* the pick's own cards rented on demand; MONEY_UNKNOWN and NAN where nobody lets them */
    int64_t same_card_per_hour_micros;
    double same_card_break_even_hours;
    struct note note;
};

struct recommendation {
    struct memory_need need; /* of one card, or of the first pick's set */
    struct pick *picks;      /* listed: the first `limit`, then labelled ones beyond, true ranks */
    size_t pick_count;
    size_t fitting_count;         /* ranked in all */
    struct rejection *rejections; /* as explain asks: none, the nearest, all */
    size_t rejection_count;
    size_t rejected_total; /* cards rejected, listed or not */
    size_t
        rejected_counts[MESSAGE_REJECTION_COUNT]; /* by code; a card counts under each of its own */
    struct advice advice[RECOMMEND_MAX_ADVICE];
    size_t advice_count;
    struct cloud_choice cloud[RECOMMEND_MAX_CLOUD];
    size_t cloud_count;
    struct rent_or_buy rent_or_buy;
};

/* The ask must be complete. Everything in *recommendation lives in the arena or the catalogue. */
bool recommend(const struct catalogue *catalogue, const struct ask *ask, int32_t day,
               struct arena *arena, struct recommendation *recommendation,
               struct error *err) MUST_CHECK;

#endif
