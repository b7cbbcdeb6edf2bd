/* Notebook plans: the one that suits, and what limits it. */
#ifndef GPUWISE_ENGINE_CLOUD_PLAN_H
#define GPUWISE_ENGINE_CLOUD_PLAN_H

#include "question.h"

/* US dollars an hour of a plan: 0 for a free one, converted where in another currency;
 * MONEY_UNKNOWN. */
int64_t cloud_plan_usd_per_hour_micros(const struct catalogue *catalogue,
                                       const struct notebook_plan *plan);

/* How long a plan gives its card; NAN: no such limit is known. */
struct plan_limits {
    double hours_per_month; /* of a weekly quota in its words, or of the units of a subscription */
    double hours_in_all;    /* of a grant that is given once */
    const struct notebook_plan *subscription; /* the cheapest of the provider that includes units,
                                                 where the card takes units; NULL: none */
};
void cloud_plan_limits(const struct catalogue *catalogue, const struct notebook_plan *plan,
                       struct plan_limits *limits);

/* How the buyer reaches it: 0 of the own market, 1 of the other or not known, 2 not from mainland
 * China, where the buyer is. */
int cloud_plan_distance(const struct ask *ask, const struct notebook_plan *plan);

/* Of the current plans that run the framework on a known card of known price: one that does the
 * work, near, free or the cheapest an hour; where none does, the roomiest. A grant given once, or a
 * weekly quota over the months of the ask, that is shorter than the job does not do it, where the
 * ask gives the size of one. *does_work says which. NULL: there is none. */
const struct notebook_plan *cloud_plan_choose(const struct question *rented, bool *does_work);

#endif
