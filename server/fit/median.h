/* The middle of some values. */
#ifndef GPUWISE_FIT_MEDIAN_H
#define GPUWISE_FIT_MEDIAN_H

#include <stddef.h>

/* The median of count values, which get sorted; NAN of none. */
double median_of(double *values, size_t count);

/* The value that the share (0 to 1) of them does not exceed, between two by their distance; the
 * values get sorted; NAN of none. */
double quantile_of(double *values, size_t count, double share);

#endif
