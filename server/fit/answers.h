/* What the product predicts for observations. */
#ifndef GPUWISE_FIT_ANSWERS_H
#define GPUWISE_FIT_ANSWERS_H

#include "truth.h"

/* A prediction in the terms of its observation. */
struct fit_answer {
    double predicted, low, high; /* NAN: declined, or without a range */
    double half_width;           /* of the range, as a share of the prediction; 0: no range */
    enum answer fits;
};

/* Sets of kinds, as bits. */
static inline unsigned truth_bit(enum truth_kind kind)
{
    return 1U << (unsigned)kind;
}

/* Answers count observations from the first on, by the numbers that stand in the catalogue's
 * calibration now. answers has one place per observation of the truth, as has left_out (NULL:
 * none): those left out are declined. */
void answers_ask_some(const struct catalogue *catalogue, const struct truth *truth, size_t first,
                      size_t count, const bool *left_out, struct fit_answer *answers);

/* All of them. */
void answers_ask(const struct catalogue *catalogue, const struct truth *truth,
                 struct fit_answer *answers);

#endif
