/* Finds the picks that stand out by one measure, so that a large budget is answered too (DESIGN.md
 * section 3.6). The order by score is rank.c's. Pure; any thread. */
#include "label.h"

#include <math.h>

const char *const LABEL_NAMES[LABEL_COUNT] = {
    [LABEL_BEST_VALUE] = "best-value",
    [LABEL_FASTEST_IN_BUDGET] = "fastest-in-budget",
    [LABEL_CHEAPEST_THAT_FITS] = "cheapest-that-fits",
    [LABEL_MOST_MEMORY] = "most-memory",
};

/* The measure of a label: the larger the better. */
static double measure(const struct question *question, const struct option *option,
                      enum pick_label label)
{
    const struct parameters *parameters = &question->catalogue->parameters;
    struct score_parts parts = option->score_parts;

    switch (label) {
    case LABEL_BEST_VALUE: /* the score with the exponent of prefer=value */
        parts.cost = score_cost(parameters, score_exponent(parameters, PREFER_VALUE),
                                option->cost.total_usd);
        return score_total(parameters, &parts);
    case LABEL_FASTEST_IN_BUDGET:
        return option->speed.relative_low;
    case LABEL_CHEAPEST_THAT_FITS:
        return -money_to_units(option->cost.purchase_micros);
    case LABEL_MOST_MEMORY:
        return rank_pooled_gib(option->gpu, option->strategy, option->count);
    case LABEL_COUNT:
        break;
    }
    return -(double)INFINITY;
}

void label_choose(const struct question *question, const struct ranking *ranking,
                  const struct option *labelled[LABEL_COUNT])
{
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        const struct option *best = NULL;
        double best_measure = 0;

        for (size_t i = 0; i < ranking->fitting_count; i++) {
            const struct option *option = ranking->fitting[i];
            double value = 0;

            if (option->is_owned) {
                continue;
            }
            /* fitting is in order of class: a worse one never takes over */
            if (best != NULL && rank_class(option) != rank_class(best)) {
                break;
            }
            value = measure(question, option, (enum pick_label)label);
            if (best == NULL || value > best_measure) {
                best = option;
                best_measure = value;
            }
        }
        labelled[label] = best;
    }
}

const struct option *label_lowest_power(const struct ranking *ranking)
{
    const struct option *best = NULL;
    double best_watts = (double)INFINITY;

    for (size_t i = 0; i < ranking->fitting_count; i++) {
        const struct option *option = ranking->fitting[i];
        double watts = option->gpu->tdp_watts * (double)option->count;

        if (watts < best_watts) {
            best = option;
            best_watts = watts;
        }
    }
    return best;
}

const struct tier *label_tier(const struct question *question, const struct option *option)
{
    return catalogue_tier_of(question->catalogue, question->ask->currency,
                             option->price->planning_micros, option->gpu->segment);
}

bool label_is_best_of_tier(const struct question *question, const struct ranking *ranking,
                           size_t place)
{
    const struct tier *tier = label_tier(question, ranking->fitting[place]);

    for (size_t i = 0; tier != NULL && i < place; i++) {
        if (label_tier(question, ranking->fitting[i]) == tier) {
            return false;
        }
    }
    return tier != NULL;
}
