/* Fingerprints of the rows of a file, each with a number; for finding repetitions. One thread. */
#ifndef GPUWISE_DB_IMPORT_SEEN_H
#define GPUWISE_DB_IMPORT_SEEN_H

#include "import_row.h"

/* 96 bits of a fingerprint: of two million rows two are taken for one with a probability of 3e-17.
 */
struct import_seen_slot {
    uint64_t a;
    uint32_t b;
    uint32_t number; /* 0: free */
};

struct import_seen {
    struct import_seen_slot *slots; /* open addressing */
    size_t room;                    /* a power of two, or 0 */
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
