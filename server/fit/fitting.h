/* Fits the numbers of the calibration to observations. */
#ifndef GPUWISE_FIT_FITTING_H
#define GPUWISE_FIT_FITTING_H

#include "answers.h"
#include "least_squares.h"

/* Starts from the priors and leaves the fitted numbers, rounded, in catalogue->calibration; what is
 * not fitted stays. left_out has one place per observation (NULL: none is left out).
 * is_identified, one per fitted number, may be NULL. Fails only without memory. */
bool fitting_run(struct catalogue *catalogue, const struct truth *truth, const bool *left_out,
                 bool *is_identified, struct error *err) MUST_CHECK;

#endif
