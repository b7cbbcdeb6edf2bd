/* What a set of cards costs over its time: bought, powered, sold again (DESIGN.md section 3.5).
 * Chooses no price and knows no rank. Pure. */
#include "cost.h"

#include "money.h"

#include <math.h>

static const double MONTHS_PER_YEAR = 12;
static const double WATTS_PER_KILOWATT = 1000;
static const double SECONDS_PER_HOUR = 3600;
static const double MILLION = 1e6;

/* Of two rates for the same class and age: the newer, then the milder, so that the order of the
 * rows does not matter. */
static bool is_better_rate(const struct depreciation *a, const struct depreciation *b)
{
    if (b == NULL || a->age_from_years != b->age_from_years) {
        return b == NULL || a->age_from_years > b->age_from_years;
    }
    if (a->observed_on.day != b->observed_on.day) {
        return a->observed_on.day > b->observed_on.day;
    }
    return a->yearly_rate_low + a->yearly_rate_high < b->yearly_rate_low + b->yearly_rate_high;
}

/* The row with the largest age_from_years not above the age; NULL: none. */
static const struct depreciation *find_rate(const struct catalogue *catalogue,
                                            const char *class_name, double age_years)
{
    const struct depreciation *best = NULL;

    for (size_t i = 0; i < catalogue->depreciation_count; i++) {
        const struct depreciation *row = &catalogue->depreciations[i];

        if (text_is(row->class_name, class_name) && row->age_from_years <= age_years &&
            !isnan(row->yearly_rate_low) && !isnan(row->yearly_rate_high) &&
            is_better_rate(row, best)) {
            best = row;
        }
    }
    return best;
}

struct share_range {
    double low, mid, high; /* mid NAN: a row without one */
};

/* Share of the price left after the months, low, mid and high: the years multiply, a part of a year
 * is a power (data/README.md). At most the whole price; where a year has no row, the resale shares
 * of parameters. */
static struct share_range told_resale_shares(const struct catalogue *catalogue,
                                             const struct gpu *gpu, enum condition condition,
                                             double months, int32_t day)
{
    const struct parameters *parameters = &catalogue->parameters;
    double horizons = months / parameters->horizon_months;
    double years = months / MONTHS_PER_YEAR;
    struct share_range without_rows = {pow(parameters->resale_share_low, horizons),
                                       pow(parameters->resale_share_mid, horizons),
                                       pow(parameters->resale_share_high, horizons)};
    struct share_range shares = {1, 1, 1};
    double age_years = 0; /* of a new card */

    if (condition == CONDITION_USED) {
        if (gpu->release_date.day == DAY_UNKNOWN) {
            return without_rows;
        }
        age_years = fmax(0, day_years_between(gpu->release_date.day, day));
    }
    for (int year = 0; year < years; year++) {
        const struct depreciation *row = find_rate(catalogue, gpu->segment, age_years + year);
        double part = fmin(years - year, 1);

        if (row == NULL) {
            return without_rows;
        }
        shares.low *= pow(fmax(0, 1 - row->yearly_rate_high), part); /* the high rate loses most */
        shares.mid *= pow(1 - row->yearly_rate_mid, part);
        shares.high *= pow(fmax(0, 1 - row->yearly_rate_low), part);
    }
    shares.low = fmin(shares.low, 1);
    shares.high = fmin(shares.high, 1);
    shares.mid = shares.mid > 1 ? 1 : shares.mid; /* NAN stays */
    return shares;
}

/* Full board power: no measured load is known for most cards, so none looks better for want of one.
 * A card of unknown power stays unknown under a limit, because it may draw less. */
double cost_board_watts(const struct ask *ask, const struct gpu *gpu)
{
    return gpu->tdp_watts > ask->power_limit_watts ? ask->power_limit_watts : gpu->tdp_watts;
}

static double set_kilowatts(const struct ask *ask, const struct gpu *gpu, size_t cards)
{
    return (cost_board_watts(ask, gpu) * (double)cards + ask->host_watts) / WATTS_PER_KILOWATT;
}

int64_t cost_energy_per_hour_micros(const struct ask *ask, const struct gpu *gpu, size_t cards)
{
    return money_times(ask->electricity_micros_per_kwh, set_kilowatts(ask, gpu, cards));
}

/* a + sign x b, where both are known and the sum stays in range. */
static int64_t add(int64_t a, int64_t b, int64_t sign)
{
    int64_t sum = 0;

    if (a == MONEY_UNKNOWN || b == MONEY_UNKNOWN || __builtin_add_overflow(a, sign * b, &sum)) {
        return MONEY_UNKNOWN;
    }
    return sum;
}

void cost_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                   size_t cards, const struct plan_price *price, double job_hours,
                   struct cost *cost)
{
    const struct parameters *parameters = &catalogue->parameters;
    double hours = ask->months * ask->hours_per_month;
    double mid_share = pow(parameters->resale_share_mid, ask->months / parameters->horizon_months);
    int64_t cards_micros = money_times(price->planning_micros, (double)cards); /* whole: exact */
    int64_t taxed_micros =
        money_times(price->planning_micros, (double)cards * (1 + ask->vat_share));

    *cost = (struct cost){.resale_low_micros = MONEY_UNKNOWN,
                          .resale_mid_micros = MONEY_UNKNOWN,
                          .resale_high_micros = MONEY_UNKNOWN,
                          .per_million_tokens_micros = MONEY_UNKNOWN,
                          .per_million_images_micros = MONEY_UNKNOWN,
                          .months = ask->months,
                          .hours_per_month = ask->hours_per_month};
    int64_t purchase_micros = add(taxed_micros, ask->host_price_micros, 1);
    int64_t resale_micros = money_times(cards_micros, mid_share);
    int64_t energy_micros =
        money_times(ask->electricity_micros_per_kwh, set_kilowatts(ask, gpu, cards) * hours);
    int64_t total_micros = add(add(purchase_micros, resale_micros, -1), energy_micros, 1);

    /* told to the cent, so that the parts add up; scores compare what is not rounded yet */
    cost->purchase_micros = money_round_to_cent(purchase_micros);
    cost->resale_micros = money_round_to_cent(resale_micros);
    cost->energy_micros = money_round_to_cent(energy_micros);
    cost->total_micros =
        add(add(cost->purchase_micros, cost->resale_micros, -1), cost->energy_micros, 1);
    cost->total_usd =
        money_to_units(catalogue_convert(catalogue, total_micros, CURRENCY_NAMES[ask->currency],
                                         CURRENCY_NAMES[CURRENCY_USD], NULL));
    cost->per_month_micros = money_times(cost->total_micros, 1 / ask->months);
    cost->per_hour_micros = hours > 0 ? money_times(cost->total_micros, 1 / hours) : MONEY_UNKNOWN;
    cost->per_job_micros =
        hours > 0 ? money_times(cost->total_micros, job_hours / hours) : MONEY_UNKNOWN;
}

void cost_tell_resale(const struct catalogue *catalogue, const struct gpu *gpu, size_t cards,
                      const struct plan_price *price, int32_t day, struct cost *cost)
{
    int64_t cards_micros = money_times(price->planning_micros, (double)cards);
    struct share_range told =
        told_resale_shares(catalogue, gpu, price->condition, cost->months, day);

    cost->resale_low_micros = money_times(cards_micros, told.low);
    cost->resale_mid_micros = money_times(cards_micros, told.mid);
    cost->resale_high_micros = money_times(cards_micros, told.high);
}

int64_t cost_per_million_micros(int64_t per_hour_micros, const struct speed *speed,
                                enum speed_unit unit, double stretch)
{
    double hours = MILLION / (speed->value * SECONDS_PER_HOUR) * stretch;

    return speed->unit == unit && speed->value > 0 ? money_times(per_hour_micros, hours)
                                                   : MONEY_UNKNOWN;
}

void cost_tell_work(const struct speed *speed, struct cost *cost)
{
    cost->per_million_tokens_micros =
        cost_per_million_micros(cost->per_hour_micros, speed, SPEED_TOKENS_PER_S, 1);
    cost->per_million_images_micros =
        cost_per_million_micros(cost->per_hour_micros, speed, SPEED_IMAGES_PER_S, 1);
}
