/* Rental offers: which of them count, whose market they serve, what an interrupted machine takes.
 */
#ifndef GPUWISE_ENGINE_CLOUD_OFFER_H
#define GPUWISE_ENGINE_CLOUD_OFFER_H

#include "ask.h"

/* Derives is_marketplace and is_in_china of an offer from its words; catalogue_build does. */
void cloud_offer_derive(struct cloud_offer *offer);

/* Whether something seen then is older than offer_stale_days on that day, or nobody knows. */
bool cloud_is_stale(const struct catalogue *catalogue, const struct date *observed_on, int32_t day);

/* Whether something seen then is known on the day and not too old to stand for it. */
bool cloud_is_seen_lately(const struct date *observed_on, int32_t day, double max_age_days);

/* Whole cards of the catalogue by the newest price of the offer, none older than
 * offer_max_age_days. */
bool cloud_offer_counts(const struct catalogue *catalogue, const struct cloud_offer *offer,
                        int32_t day);

/* US dollars an hour of the whole instance on demand; MONEY_UNKNOWN: none, or a marketplace, whose
 * lowest offer of one day is no price to plan with. */
int64_t cloud_offer_on_demand_micros(const struct cloud_offer *offer);

/* The same where the host may take it back, for an ask that saves checkpoints; MONEY_UNKNOWN: not
 * offered or no checkpoints. */
int64_t cloud_offer_spot_micros(const struct ask *ask, const struct cloud_offer *offer);

/* What a US dollar is in the currency of the ask; NAN: no rate. */
double cloud_usd_rate(const struct catalogue *catalogue, const struct ask *ask);

/* An hourly amount in the currency of the ask: the price as the provider names it where that is its
 * currency, so that it stays as it was seen, else the US dollars at the rate. own_currency may be
 * NULL. MONEY_UNKNOWN: not known or no rate. */
int64_t cloud_in_currency(const struct ask *ask, double usd_rate, const char *own_currency,
                          int64_t own_micros, int64_t usd_micros);

/* Whether the buyer is in mainland China: by region, else by currency. */
bool cloud_buyer_is_in_china(const struct ask *ask);

/* Expected time over undisturbed time of a job that is interrupted interruptions_per_hour (x) times
 * an hour and saves every checkpoint_hours (c), which takes save_hours (k): (e^(x (c + k)) - 1) /
 * (x c), to first order 1 + k / c + x c / 2. A job no longer than c saves nothing: (e^(x T) - 1) /
 * (x T). job_hours NAN: a long job. (Young 1974, Daly 2006; ACCURACY.md section 8.5.) */
double cloud_spot_stretch(double interruptions_per_hour, double checkpoint_hours, double save_hours,
                          double job_hours);

/* The interval that loses least: sqrt(2 k / x); INFINITY without interruptions. */
double cloud_spot_best_interval_hours(double interruptions_per_hour, double save_hours);

/* The stretch of a job of so many hours, and the best interval, for the ask, which has
 * checkpoint_hours. */
double cloud_spot_stretch_of(const struct catalogue *catalogue, const struct ask *ask,
                             double job_hours);
double cloud_spot_best_interval_of(const struct catalogue *catalogue, const struct ask *ask);

/* Order of texts, unknown first, as strcmp. */
int cloud_compare_texts(const char *a, const char *b);

#endif
