/* Rented accelerators: what fits the work, and renting against buying. */
#ifndef GPUWISE_ENGINE_CLOUD_H
#define GPUWISE_ENGINE_CLOUD_H

#include "cloud_survey.h"
#include "recommend.h"

/* What an hour on demand of `cards` such cards costs in the currency of the ask: the median of the
 * offer_median_of cheapest offers that count, of the buyer's own market or (is_home false) of the
 * other, no marketplace; MONEY_UNKNOWN: none. Instances are rented whole: an offer of g cards costs
 * as many of them as hold `cards`; where the work is shared out over the cards, one instance must
 * hold them all. Shares of a card do not count. */
int64_t cloud_rent_per_hour_micros(const struct catalogue *catalogue, const struct ask *ask,
                                   const struct gpu *gpu, size_t cards, enum strategy strategy,
                                   bool is_home, int32_t day);

/* First one notebook plan of today that does the work (cloud_plan_choose), then the cards of the
 * survey by cost of the same work, each in its cheapest way. Where nothing does the work, the
 * roomiest plan alone, with does_work false. *count is 0 only where no plan runs the framework.
 * Fails when the arena is exhausted. */
bool cloud_choose(const struct cloud_survey *survey, struct arena *arena,
                  struct cloud_choice choices[RECOMMEND_MAX_CLOUD], size_t *count,
                  struct error *err) MUST_CHECK;

/* Buying the pick against the cheapest way to rent what does the same work: the cards of the survey
 * at their median, by the low ends of the speeds as the rank, and the pick's own cards on demand.
 * What takes longer for the work than the horizon lasts by day and night does not count.
 * Both cost the same after (purchase - resale) / (rent - own energy) hours of load; "buy" when that
 * is within the horizon. Not known: no pick (NULL), no offer or no rate; then verdict "unknown".
 * Fails when the arena is exhausted. */
bool cloud_rent_or_buy(const struct cloud_survey *survey, const struct question *question,
                       const struct pick *pick, struct arena *arena, struct rent_or_buy *result,
                       struct error *err) MUST_CHECK;

/* Hours of load that renting and buying are compared for: of the job where its size is given
 * (job_hours, of the pick), else those planned over the months of the ask. */
double cloud_rent_planned_hours(const struct ask *ask, double job_hours);

#endif
