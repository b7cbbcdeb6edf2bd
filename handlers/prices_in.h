/* Price observations in the body of a request, as the file that the importer reads. */
#ifndef GPUWISE_PRICES_IN_H
#define GPUWISE_PRICES_IN_H

#include "exchange.h"

enum { PRICES_IN_PATH_BYTES = 64 };

/* The observations as lines of gpu_prices.csv, in the arena, not NUL-terminated. Everything that is
 * wrong becomes a complaint that names its place, as [3].amount (in a single object: amount); then
 * nothing is returned: NULL. A price without a market is of that of its currency; *markets has a
 * bit (1 << enum currency) for each that was filled in so. */
const char *prices_in_read(struct exchange *exchange, size_t *bytes, unsigned *markets) MUST_CHECK;

/* Where a finding of the importer stands in the body: the line of the file (from 1, its header) and
 * its column. */
void prices_in_path(size_t line, const char *column, bool is_single,
                    char path[PRICES_IN_PATH_BYTES]);

#endif
