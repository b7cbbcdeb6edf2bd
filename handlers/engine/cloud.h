/* Rented accelerators: what fits the work, and renting against buying. */
#ifndef GPUWISE_ENGINE_CLOUD_H
#define GPUWISE_ENGINE_CLOUD_H

#include "question.h"
#include "recommend.h"

/* True for lowest-of-the-day offers of a marketplace, which a host may take back. */
bool cloud_is_marketplace(const struct cloud_offer *offer);

/* Older than offer_stale_days on that day. */
bool cloud_offer_is_stale(const struct catalogue *catalogue, const struct cloud_offer *offer,
                          int32_t day);

/* US dollars an hour of a plan: 0 for a free one, converted where in another currency;
 * MONEY_UNKNOWN. */
int64_t cloud_plan_usd_per_hour_micros(const struct catalogue *catalogue,
                                       const struct notebook_plan *plan);

/* US dollars an hour on demand of `count` such cards: the median of the offer_median_of cheapest
 * usable offers, none older than offer_max_age_days, no marketplace; MONEY_UNKNOWN: none. Instances
 * are rented whole: an offer of g cards costs as many of them as hold `count`; shares of a card do
 * not count. */
int64_t cloud_rent_usd_per_hour_micros(const struct catalogue *catalogue, const struct gpu *gpu,
                                       size_t count, int32_t day);

/* First one notebook plan of today that does the work: free, else the cheapest an hour. Then the
 * cheapest usable offers that do it, at most one a card. Doing the work means all that was asked of
 * it (memory on one card or shared out over all of the instance, framework, features, tokens a
 * second), under Linux; not what was asked of the purchase. Where nothing does, the roomiest plan
 * alone, with does_work false. *count is 0 only where no plan runs the framework. Fails when the
 * arena is exhausted. */
bool cloud_choose(const struct question *question, struct arena *arena,
                  struct cloud_choice choices[RECOMMEND_MAX_CLOUD], size_t *count,
                  struct error *err) MUST_CHECK;

/* Buying the pick against renting the same card on demand for the hours of the ask: both cost the
 * same after (purchase - resale) / (rent - own energy) hours of load; "buy" when that is within the
 * horizon. Not known: no pick (NULL), no usable offer of the card or no rate; then verdict
 * "unknown". Fails when the arena is exhausted. */
bool cloud_rent_or_buy(const struct catalogue *catalogue, const struct ask *ask,
                       const struct pick *pick, int32_t day, struct arena *arena,
                       struct rent_or_buy *result, struct error *err) MUST_CHECK;

#endif
