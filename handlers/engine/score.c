/* Arithmetic of the score. Knows no card and no order (rank.c). Pure; any thread. */
#include "score.h"

#include <math.h>

/* Cost below which a pick counts as costing this: a gift must not divide by zero. */
#define LEAST_COST_USD 1.0

/* pow() where the shipped exponents do not make it a square root. */
static double power(double base, double exponent)
{
    if (exponent == 0.5) {
        return sqrt(base);
    }
    if (exponent == 0.25) {
        return sqrt(sqrt(base));
    }
    return exponent == 0 ? 1 : pow(base, exponent);
}

double score_headroom(const struct parameters *parameters, double available_gib, double needed_gib)
{
    double bonus = power(available_gib / needed_gib, parameters->headroom_bonus_exponent);

    return bonus < parameters->headroom_bonus_cap ? bonus : parameters->headroom_bonus_cap;
}

double score_exponent(const struct parameters *parameters, enum prefer prefer)
{
    if (prefer == PREFER_VALUE) {
        return parameters->score_exponent_value;
    }
    return prefer == PREFER_SPEED ? parameters->score_exponent_speed
                                  : parameters->score_exponent_balanced;
}

double score_cost(const struct parameters *parameters, double exponent, double total_usd)
{
    double cost_usd = total_usd > LEAST_COST_USD ? total_usd : LEAST_COST_USD;

    return power(cost_usd / parameters->score_cost_unit_usd, exponent);
}

double score_total(const struct parameters *parameters, const struct score_parts *parts)
{
    return parameters->score_scale * parts->speed * parts->headroom * parts->life *
           parts->ecosystem / parts->cost;
}
