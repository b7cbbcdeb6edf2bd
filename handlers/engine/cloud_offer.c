/* Judges one offer by itself: age, market, how it is sold. Knows no work and orders nothing. Pure;
 * any thread. */
#include "cloud_offer.h"

#include <math.h>
#include <string.h>

static const double HOURS_PER_DAY = 24;
static const double MINUTES_PER_HOUR = 60;

int cloud_compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    return strcmp(a, b);
}

static bool is_marketplace(const struct cloud_offer *offer)
{
    /* Providers that only broker machines of others; elsewhere the instance says so (RunPod
     * community). */
    static const char *const PROVIDERS[] = {"Vast.ai", "Salad", "Akash"};
    static const char *const INSTANCES[] = {"community", "marketplace"};

    for (size_t i = 0; i < sizeof PROVIDERS / sizeof PROVIDERS[0]; i++) {
        if (text_is(offer->provider, PROVIDERS[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof INSTANCES / sizeof INSTANCES[0]; i++) {
        if (offer->instance_type != NULL && strstr(offer->instance_type, INSTANCES[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Regions are "cn" of Chinese providers, "Sichuan, CN, AS" and "CN, AS" of Vast.ai. */
static bool is_in_china(const struct cloud_offer *offer)
{
    const char *region = offer->region == NULL ? "" : offer->region;

    return text_is(offer->currency, CURRENCY_NAMES[CURRENCY_CNY]) || strcmp(region, "cn") == 0 ||
           strncmp(region, "CN,", 3) == 0 || strstr(region, " CN,") != NULL;
}

void cloud_offer_derive(struct cloud_offer *offer)
{
    offer->is_marketplace = is_marketplace(offer);
    offer->is_in_china = is_in_china(offer);
}

bool cloud_is_stale(const struct catalogue *catalogue, const struct date *observed_on, int32_t day)
{
    return observed_on->day == DAY_UNKNOWN ||
           day - observed_on->day > catalogue->parameters.offer_stale_days;
}

bool cloud_is_seen_lately(const struct date *observed_on, int32_t day, double max_age_days)
{
    return observed_on->day != DAY_UNKNOWN && observed_on->day <= day &&
           day - observed_on->day <= max_age_days;
}

bool cloud_offer_counts(const struct catalogue *catalogue, const struct cloud_offer *offer,
                        int32_t day)
{
    return offer->gpu != NULL && offer->is_newest && offer->gpu_count >= 1 &&
           cloud_is_seen_lately(&offer->observed_on, day, catalogue->parameters.offer_max_age_days);
}

int64_t cloud_offer_on_demand_micros(const struct cloud_offer *offer)
{
    return offer->usd_per_hour_micros > 0 && !offer->is_marketplace ? offer->usd_per_hour_micros
                                                                    : MONEY_UNKNOWN;
}

int64_t cloud_offer_spot_micros(const struct ask *ask, const struct cloud_offer *offer)
{
    return !isnan(ask->checkpoint_hours) && offer->spot_usd_per_hour_micros > 0
               ? offer->spot_usd_per_hour_micros
               : MONEY_UNKNOWN;
}

double cloud_usd_rate(const struct catalogue *catalogue, const struct ask *ask)
{
    const struct fx_rate *row = NULL;
    double factor = (double)NAN;

    return catalogue_find_rate(catalogue, CURRENCY_NAMES[CURRENCY_USD],
                               CURRENCY_NAMES[ask->currency], &factor, &row)
               ? factor
               : (double)NAN;
}

int64_t cloud_in_currency(const struct ask *ask, double usd_rate, const char *own_currency,
                          int64_t own_micros, int64_t usd_micros)
{
    return own_micros > 0 && text_is(own_currency, CURRENCY_NAMES[ask->currency])
               ? own_micros
               : money_times(usd_micros, usd_rate);
}

bool cloud_buyer_is_in_china(const struct ask *ask)
{
    return ask->region != NULL ? text_is(ask->region, "cn") : ask->currency == CURRENCY_CNY;
}

double cloud_spot_stretch(double interruptions_per_hour, double checkpoint_hours, double save_hours,
                          double job_hours)
{
    bool saves = !(job_hours <= checkpoint_hours);
    double worked_hours = saves ? checkpoint_hours : job_hours; /* of a piece that may be lost */
    double piece_hours = saves ? checkpoint_hours + save_hours : job_hours;

    if (interruptions_per_hour <= 0 || worked_hours <= 0) {
        return saves ? piece_hours / worked_hours : 1;
    }
    return expm1(interruptions_per_hour * piece_hours) / (interruptions_per_hour * worked_hours);
}

double cloud_spot_best_interval_hours(double interruptions_per_hour, double save_hours)
{
    return interruptions_per_hour > 0 ? sqrt(2 * save_hours / interruptions_per_hour)
                                      : (double)INFINITY;
}

static double interruptions_per_hour(const struct ask *ask)
{
    return ask->spot_interruptions_per_day / HOURS_PER_DAY;
}

static double save_hours(const struct catalogue *catalogue)
{
    return catalogue->parameters.spot_checkpoint_minutes / MINUTES_PER_HOUR;
}

double cloud_spot_stretch_of(const struct catalogue *catalogue, const struct ask *ask,
                             double job_hours)
{
    return cloud_spot_stretch(interruptions_per_hour(ask), ask->checkpoint_hours,
                              save_hours(catalogue), job_hours);
}

double cloud_spot_best_interval_of(const struct catalogue *catalogue, const struct ask *ask)
{
    return cloud_spot_best_interval_hours(interruptions_per_hour(ask), save_hours(catalogue));
}
