/* How wide the printed ranges are: by the errors of predictions that had not seen what they
 * predict. */
#ifndef GPUWISE_FIT_RANGES_H
#define GPUWISE_FIT_RANGES_H

#include "answers.h"

/* Chooses the range numbers by the answers of cross-validations (sets of them, one place per
 * observation) and leaves them in catalogue->calibration.
 *
 * A half-width of speed covers 85 % of its observations in the worst set, and all are narrowed
 * together where their mean would pass 18.75 %; none is under 12 %. The ends of memory are as far
 * apart as they may be (20 % for inference, 40 % for training), and lie where they cover most.
 * Fails only without memory. */
bool ranges_choose(struct catalogue *catalogue, const struct truth *truth,
                   struct fit_answer *const *sets, size_t set_count, struct error *err) MUST_CHECK;

/* Renews low and high of the answers by the range numbers in catalogue->calibration; their values
 * stay. fitted has room for one answer per observation and receives those of the calibration. */
void ranges_apply(const struct catalogue *catalogue, const struct truth *truth,
                  struct fit_answer *const *sets, size_t set_count, struct fit_answer *fitted);

/* Sets the range numbers to what they are where nothing decides. */
void ranges_reset(struct catalogue *catalogue);

#endif
