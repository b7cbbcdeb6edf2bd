/* What can be rented for the work of a question: for each card the cheapest ways by cost of the
 * same work. Made once an answer. */
#ifndef GPUWISE_ENGINE_CLOUD_SURVEY_H
#define GPUWISE_ENGINE_CLOUD_SURVEY_H

#include "question.h"

/* One way to rent: an instance on demand or spot, with the cards of it that work. */
struct cloud_way {
    const struct cloud_offer *offer;
    bool is_spot;
    size_t cards; /* one of the instance or all, whichever is faster */
    int64_t usd_per_hour_micros, per_hour_micros; /* of the whole instance; in the ask's currency */
    bool has_speed;
    double relative_low;     /* low end over that of one reference card; NAN: not known */
    int64_t per_work_micros; /* of what one reference card does in an hour, restarts of a long job
                                counted; MONEY_UNKNOWN without a speed */
};

struct cloud_card {
    const struct gpu *gpu;
    struct cloud_way cheapest;
    struct cloud_way middle; /* of the offer_median_of cheapest the (lower) middle one */
    int64_t per_work_micros; /* their median: one odd offer must not decide */
};

struct cloud_survey {
    struct ask ask;         /* as the rented machine meets it */
    struct question rented; /* of that ask */
    double usd_rate;        /* a US dollar in the currency of the ask; NAN: no rate */
    struct cloud_card *cards;
    size_t count;
    bool is_home; /* the offers are of the buyer's market; else there are none of it */
};

/* In place: the question rented points into the survey. Offers of the other market (mainland China
 * or the rest of the world) count only where the buyer's own has none that does the work. Doing the
 * work means all that was asked of it (memory on one card or shared out over all of the instance,
 * framework, features, tokens a second), under Linux; not what was asked of the purchase. Fails
 * when the arena is exhausted. */
bool cloud_survey_make(struct cloud_survey *survey, const struct question *question,
                       struct arena *arena, struct error *err) MUST_CHECK;

/* Whether one card of the kind, with printed_gib of memory (NAN: as its kind), does the work of the
 * rented question. */
bool cloud_card_does_work(const struct question *rented, const struct gpu *gpu, double printed_gib);

/* Cheaper work first, a known speed before an unknown one, then an order that does not hang on the
 * order of the rows. */
bool cloud_way_is_before(const struct cloud_way *a, const struct cloud_way *b);

#endif
