/* Writes what was fitted into migrations/calibration.csv. */
#ifndef GPUWISE_FIT_CALIBRATION_FILE_H
#define GPUWISE_FIT_CALIBRATION_FILE_H

#include "truth.h"

/* Rewrites the file: value, basis, source and date of each fitted and each range number; unit and
 * meaning, the order of the rows and other rows stay. is_identified has one place per fitted
 * number: those that no observation fixes have basis "prior". date is YYYY-MM-DD; NULL: the newest
 * that the file has. The same numbers give the same bytes. Fails with ERROR_BAD_FILE. */
bool calibration_file_write(const char *path, const struct calibration *calibration,
                            const struct truth *truth, const bool *is_identified, const char *date,
                            char written[DAY_TEXT_BYTES], struct error *err) MUST_CHECK;

#endif
