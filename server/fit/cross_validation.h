/* Predicts each observation by a fit that has not seen it, so that overfitting shows. */
#ifndef GPUWISE_FIT_CROSS_VALIDATION_H
#define GPUWISE_FIT_CROSS_VALIDATION_H

#include "answers.h"

/* What is left out together. */
enum cross_by {
    CROSS_CARD,   /* speeds: cards in eight folds; memory is not predicted, it knows no card */
    CROSS_SOURCE, /* whole sources, one at a time */
    CROSS_FAMILY, /* a model family in a source, in sixteen folds */
    CROSS_COUNT
};

/* Fills answers, one place per observation. Leaves the calibration as it was. A source of speeds
 * and one of memory are left out in the same fit: they share no number. Fails only without memory.
 */
bool cross_validate(struct catalogue *catalogue, const struct truth *truth, enum cross_by by,
                    struct fit_answer *answers, struct error *err) MUST_CHECK;

/* The fold of each observation, counted from 0, -1: in none; *fold_count receives their number. For
 * each table the distinct keys are sorted and dealt out in turn. */
bool cross_folds(const struct truth *truth, enum cross_by by, int *folds, int *fold_count,
                 struct error *err) MUST_CHECK;

#endif
