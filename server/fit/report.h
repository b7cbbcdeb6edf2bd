/* The table of `make fit`: the measures in sample beside those of the cross-validations. */
#ifndef GPUWISE_FIT_REPORT_H
#define GPUWISE_FIT_REPORT_H

#include "cross_validation.h"
#include "measures.h"

#include <stdio.h>

struct report {
    char date[DAY_TEXT_BYTES]; /* of the fit */
    size_t observations, fitted, ranges;
    struct measures in_sample, left_out[CROSS_COUNT];
};

/* The same report gives the same bytes. */
void report_write(FILE *file, const struct report *report);

/* One line "name value rows" per measure, for comparing with the scorer. */
void report_write_measures(FILE *file, const struct measures *measures);

#endif
