/* How much operators have imported, for /metrics. */
#ifndef GPUWISE_DB_IMPORT_COUNTS_H
#define GPUWISE_DB_IMPORT_COUNTS_H

#include "database.h"

#include <stddef.h>
#include <stdint.h>

struct import_count {
    uint64_t standing, undone; /* imports */
    uint64_t rows_added;       /* of those that stand */
};

/* Fills one for each table of facts, in the order of FACT_TABLES, up to count; the rest stays. */
bool import_counts_read(struct database *database, struct import_count *counts, size_t count,
                        struct error *err) MUST_CHECK;

#endif
