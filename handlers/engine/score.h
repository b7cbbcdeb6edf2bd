/* The score of a pick and its factors (DESIGN.md section 3.6). */
#ifndef GPUWISE_ENGINE_SCORE_H
#define GPUWISE_ENGINE_SCORE_H

#include "ask.h"

/* score = scale x speed x headroom x life x ecosystem / cost */
struct score_parts {
    double speed, headroom, life, ecosystem, cost; /* S, H, L, E, (C / 1000 USD)^a */
};

/* H: memory to spare is worth something, up to a cap. */
double score_headroom(const struct parameters *parameters, double available_gib, double needed_gib);

/* a of a preference. */
double score_exponent(const struct parameters *parameters, enum prefer prefer);

/* (C / 1000 USD)^a. */
double score_cost(const struct parameters *parameters, double exponent, double total_usd);

double score_total(const struct parameters *parameters, const struct score_parts *parts);

#endif
