/* Money over the time a card is used (DESIGN.md section 3.5). */
#ifndef GPUWISE_ENGINE_COST_H
#define GPUWISE_ENGINE_COST_H

#include "memory.h"
#include "price.h"
#include "speed.h"

/* In the currency of the ask, for the whole set over the horizon; the parts of the total are whole
 * cents. MONEY_UNKNOWN goes on: what hangs
 * on something unknown (the power of the board, an amount beyond 10^18) is unknown, and total_usd
 * NAN. */
struct cost {
    int64_t purchase_micros; /* count x planning x (1 + tax) + host: what the budget must cover */
    int64_t resale_micros;   /* expected back at the end: resale_share_mid ^ (months / horizon) */
    int64_t resale_low_micros,
        resale_high_micros; /* told, from depreciation.csv; at most the price */
    int64_t energy_micros;
    int64_t total_micros; /* purchase - resale + energy */
    int64_t per_month_micros;
    int64_t per_hour_micros; /* of load; MONEY_UNKNOWN for no hours */
    int64_t per_job_micros;  /* MONEY_UNKNOWN: no size of a job given */
    double total_usd;        /* for the score; NAN: no rate to USD */
    double months, hours_per_month;
};

/* All but the range of the resale. job_hours NAN: no size of a job given. */
void cost_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                   size_t cards, const struct plan_price *price, double job_hours,
                   struct cost *cost);

/* Adds the range of the resale to a cost of the same set; only told, so only for what is listed. */
void cost_tell_resale(const struct catalogue *catalogue, const struct gpu *gpu, size_t cards,
                      const struct plan_price *price, int32_t day, struct cost *cost);

/* Energy of one hour of full load of the set, host included; MONEY_UNKNOWN: the power is not known.
 */
int64_t cost_energy_per_hour_micros(const struct ask *ask, const struct gpu *gpu, size_t cards);

#endif
