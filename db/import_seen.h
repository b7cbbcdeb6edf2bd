/* Fingerprints of the rows of a file, each with a number; for finding repetitions. One thread. */
#ifndef GPUWISE_DB_IMPORT_SEEN_H
#define GPUWISE_DB_IMPORT_SEEN_H

#include "import_row.h"

struct import_seen {
    struct import_print *prints; /* open addressing; a free slot has number 0 */
    uint32_t *numbers;
    size_t room; /* a power of two, or 0 */
    size_t count;
};

/* The number kept with the fingerprint; 0: not seen. */
uint32_t import_seen_find(const struct import_seen *seen, const struct import_print *print);

/* Keeps a fingerprint that was not seen, with a number above 0. False: no memory. Begin with a
 * zeroed struct. */
bool import_seen_add(struct import_seen *seen, const struct import_print *print,
                     uint32_t number) MUST_CHECK;

/* Accepts a zeroed one. */
void import_seen_fini(struct import_seen *seen);

#endif
