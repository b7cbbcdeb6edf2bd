/* Robust least squares for few numbers, with priors and bounds.
 *
 *     minimise  sum weight_i x huber(residual_i)  +  sum ((x_k - prior_k) / width_k)^2 / 2
 *
 * by Levenberg-Marquardt with numeric derivatives. Same problem, same result to the last bit: no
 * random start, no clock. No model, no file: numbers in, numbers out. */
#ifndef GPUWISE_FIT_LEAST_SQUARES_H
#define GPUWISE_FIT_LEAST_SQUARES_H

#include "../../handlers/engine/error.h"

#include <stddef.h>

enum { LEAST_SQUARES_NUMBERS_MAX = 64 };

struct least_squares_number {
    double prior, width; /* where it stays unless the data say otherwise; standard deviation */
    double low, high;    /* it stays between these; equal: it is not fitted */
};

struct least_squares_problem {
    size_t number_count; /* at most LEAST_SQUARES_NUMBERS_MAX */
    size_t residual_count;
    const struct least_squares_number *numbers;
    const double *weights; /* of each residual; 0: left out */
    double linear_beyond;  /* residuals over this count by their size, not by its square */
    double step;           /* of the numeric derivatives */

    /* Fills residuals for the numbers x. `changed` names the one number that differs from those of
     * the last call with number_count, for which residuals holds that call's result; with
     * number_count nothing is known. */
    void (*residuals)(void *context, const double *x, size_t changed, double *residuals);
    void *context;
};

struct least_squares_result {
    double x[LEAST_SQUARES_NUMBERS_MAX];
    bool is_identified[LEAST_SQUARES_NUMBERS_MAX]; /* some residual depends on it */
    double cost;
    size_t rounds;
};

/* Starts from the priors. Fails only without memory. */
bool least_squares_solve(const struct least_squares_problem *problem,
                         struct least_squares_result *result, struct error *err) MUST_CHECK;

#endif
