/* Money over the time a card is used (DESIGN.md section 3.5). */
#ifndef GPUWISE_ENGINE_COST_H
#define GPUWISE_ENGINE_COST_H

#include "memory.h"
#include "price.h"
#include "speed.h"

/* In the currency of the ask, for the whole set over the horizon; the parts of the total are whole
 * cents. MONEY_UNKNOWN goes on: what hangs on something unknown (the power of the board, an amount
 * beyond 10^18) is unknown, and total_usd NAN. */
struct cost {
    int64_t purchase_micros; /* count x planning x (1 + tax) + host: what the budget must cover */
    int64_t resale_micros;   /* expected back at the end: resale_share_mid ^ (months / horizon) */
    /* told, by class and age from depreciation.csv; at most the price */
    int64_t resale_low_micros, resale_mid_micros, resale_high_micros;
    int64_t energy_micros;
    int64_t total_micros; /* purchase - resale + energy */
    int64_t per_month_micros;
    int64_t per_hour_micros; /* of load; MONEY_UNKNOWN for no hours */
    int64_t per_job_micros;  /* MONEY_UNKNOWN: no size of a job given */
    /* of what one hour of load costs, where the speed is known in tokens or images a second */
    int64_t per_million_tokens_micros, per_million_images_micros;
    double total_usd; /* for the score; NAN: no rate to USD */
    double months, hours_per_month;
};

/* All but what cost_tell_resale and cost_tell_work add. job_hours NAN: no size of a job given. */
void cost_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                   size_t cards, const struct plan_price *price, double job_hours,
                   struct cost *cost);

/* Adds the range of the resale to a cost of the same set; only told, so only for what is listed. */
void cost_tell_resale(const struct catalogue *catalogue, const struct gpu *gpu, size_t cards,
                      const struct plan_price *price, int32_t day, struct cost *cost);

/* Adds the cost of a unit of work of the set at that speed; only told, so only for what is listed.
 * MONEY_UNKNOWN where the speed is relative or the hours of load are none. */
void cost_tell_work(const struct speed *speed, struct cost *cost);

/* What a million units of work cost at an hourly amount and a speed of that unit, the work taking
 * `stretch` times as long; MONEY_UNKNOWN when the speed is in another unit or something is not
 * known. */
int64_t cost_per_million_micros(int64_t per_hour_micros, const struct speed *speed,
                                enum speed_unit unit, double stretch);

/* Watts of one card under full load: its board power, or the limit of the ask where that is lower;
 * NAN: not known. */
double cost_board_watts(const struct ask *ask, const struct gpu *gpu);

/* Energy of one hour of full load of the set, host included; MONEY_UNKNOWN: the power is not known.
 */
int64_t cost_energy_per_hour_micros(const struct ask *ask, const struct gpu *gpu, size_t cards);

#endif
