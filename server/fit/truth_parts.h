/* Between the files truth*.c. */
#ifndef GPUWISE_FIT_TRUTH_PARTS_H
#define GPUWISE_FIT_TRUTH_PARTS_H

#include "truth.h"

/* Append the observations of a table; its rows begin at truth->rows[first_row]. The arrays of the
 * truth have room: each row is a member of at most TRUTH_MEMBERS_MAX observations. */
enum { TRUTH_MEMBERS_MAX = 2 };

/* Those compared inside groups. Fails only without memory. */
bool truth_add_groups(struct truth *truth, size_t first_row, struct error *err) MUST_CHECK;

/* Those of speed that stand for themselves. */
void truth_add_speeds(struct truth *truth, size_t first_row);
void truth_add_memory(struct truth *truth, size_t first_row);
void truth_add_sizes(struct truth *truth, size_t first_row);

/* Appends an observation with one member, by the cells of its row. */
void truth_add_single(struct truth *truth, enum truth_kind kind, const struct predict_table *table,
                      size_t first_row, size_t row, double measured);

/* Whether the row of the speed table is neither reported by users nor known to be wrong, and its
 * card is one of the catalogue. */
bool truth_is_clean(const struct predict_table *table, size_t row);

/* Whether a text begins with the words. */
bool truth_begins(const char *text, const char *words);

#endif
