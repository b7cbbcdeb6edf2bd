/* Order statistics by sorting. No state. */
#include "median.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

double quantile_of(double *values, size_t count, double share)
{
    if (count == 0) {
        return (double)NAN;
    }
    qsort(values, count, sizeof *values, compare_numbers);

    double place = share * (double)(count - 1);
    size_t below = (size_t)floor(place), above = below + 1 < count ? below + 1 : below;

    return values[below] + (place - (double)below) * (values[above] - values[below]);
}

double median_of(double *values, size_t count)
{
    return quantile_of(values, count, 0.5);
}
