/* Hard constraints: whether a set of equal cards may be picked, and every reason why not. */
#ifndef GPUWISE_ENGINE_CONSTRAINT_H
#define GPUWISE_ENGINE_CONSTRAINT_H

#include "cost.h"
#include "message.h"
#include "question.h"
#include "score.h"

/* One way to take a card: how many, how the work is spread, at which price. */
struct option {
    const struct gpu *gpu;
    size_t count;
    enum strategy strategy;
    double needed_gib, available_gib; /* on one card; as sold where the need is a floor */
    bool is_tight;                    /* fits, with too little to spare */
    bool is_owned;                    /* the card of own=: outside budget, tier and condition */
    bool is_controlled; /* export to the region of the buyer is not free: ranked after */
    const struct plan_price *price; /* NULL: none */
    uint32_t rejections;            /* bit 1 << code for each code; 0: may be picked */
    bool has_speed;                 /* the speed was asked for and is known */
    struct speed speed;
    /* filled where it may be picked */
    double job_hours; /* NAN: no size of a job given */
    struct cost cost;
    double score;
    struct score_parts score_parts;
};

/* What the card itself breaks: vendor, segment, chassis, length, software, features. */
uint32_t constraint_of_card(const struct question *question, const struct gpu *gpu);

/* What `count` such cards break: memory, heads, power supply, plugs, slots, boards. Fills strategy,
 * needed_gib, available_gib and is_tight from gpu and count. */
uint32_t constraint_of_set(const struct question *question, struct option *option);

/* What the price breaks; reads gpu, count, price and is_owned. */
uint32_t constraint_of_price(const struct question *question, const struct option *option);

/* What the speed breaks; computes it into the option. */
uint32_t constraint_of_speed(const struct question *question, struct option *option);

/* What the buyer pays for `count` cards at one price, tax and host included; MONEY_UNKNOWN on
 * overflow. */
int64_t constraint_purchase_micros(const struct ask *ask, size_t count, int64_t price_micros);

/* Low end of the tokens a second each user gets; NAN: unknown or no decoding. */
double constraint_tokens_per_s_low(const struct speed *speed);

/* Number of codes in a set. */
size_t constraint_count(uint32_t rejections);

#endif
