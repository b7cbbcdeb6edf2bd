/* Which numbers of the calibration are fitted, and what is known of them before any measurement. */
#ifndef GPUWISE_FIT_NUMBERS_H
#define GPUWISE_FIT_NUMBERS_H

#include "answers.h"

/* All numbers of the product that come from a fit or a cross-validation; tests count them. */
enum { NUMBERS_MAX = 60 };

/* A number that is fitted, by its logarithm: width 0.5 means that a factor of e^0.5 from the prior
 * is as likely as one standard deviation. */
struct fitted_number {
    const char *name;
    size_t offset; /* in struct calibration */
    double prior;  /* physical or counted, else neutral */
    double width, low, high;
    unsigned kinds; /* of observations that depend on it, as bits */
};

/* How a range is printed: half of its width, or its low and its high end, as shares of the value.
 */
struct range_number {
    const char *name;
    size_t offset;
    double prior;         /* where no observation decides */
    enum truth_kind kind; /* ends: whose residuals decide; half-widths: those that use it */
    enum range_form { RANGE_HALF_WIDTH, RANGE_LOW, RANGE_HIGH } form;
};

extern const struct fitted_number FITTED_NUMBERS[];
extern const size_t fitted_number_count;
extern const struct range_number RANGE_NUMBERS[];
extern const size_t range_number_count;

/* The place of a number. */
static inline double *number_at(struct calibration *calibration, size_t offset)
{
    return (double *)(void *)((char *)calibration + offset);
}

static inline double number_of(const struct calibration *calibration, size_t offset)
{
    return *(const double *)(const void *)((const char *)calibration + offset);
}

/* To so many significant digits. */
double number_rounded(double value, int digits);

enum { NUMBER_DIGITS = 3 }; /* that the file holds */

#endif
