/* What of a row does not reject it, but should be looked at: a currency without an exchange rate, a
 * provider that nobody has told of before. One thread. */
#ifndef GPUWISE_DB_IMPORT_REVIEW_H
#define GPUWISE_DB_IMPORT_REVIEW_H

#include "import_map.h"
#include "import_seen.h"

struct sqlite3;

enum { IMPORT_KNOWN_PROVIDERS_MAX = 512 }; /* of the database; there are some fifty */

struct import_review {
    struct sqlite3 *connection;
    const struct catalogue *catalogue;
    const struct fact_table *table;
    struct import_report *report;
    size_t card, tpu, currency, provider; /* columns; column_count of the table: not in it */
    struct import_seen words;             /* currencies and providers met, and what they are */
    char (*known_providers)[IMPORT_WORD_BYTES]; /* of the table, once one was asked for */
    size_t known_count;
};

/* In place; everything is lent. */
void import_review_init(struct import_review *review, struct sqlite3 *connection,
                        const struct import_map *map);

/* Accepts a zeroed one. */
void import_review_fini(struct import_review *review);

/* Notes what is to be said of a row, of each currency and provider once. *advises: the row is of a
 * card or TPU that is known, in a currency with a rate. */
bool import_review_row(struct import_review *review, const struct import_row *row, bool *advises,
                       struct error *err) MUST_CHECK;

#endif
