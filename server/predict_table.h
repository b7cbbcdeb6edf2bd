/* A table of measurements as CSV, read whole, its cells found by column name. */
#ifndef GPUWISE_PREDICT_TABLE_H
#define GPUWISE_PREDICT_TABLE_H

#include "../handlers/engine/arena.h"
#include "../handlers/engine/error.h"

#include <stddef.h>

enum { PREDICT_TABLE_MEMORY_BYTES_MAX = 64 * 1024 * 1024 }; /* 2,461 rows take 2 MB */

struct predict_table {
    struct arena memory; /* owns every text */
    const char **columns;
    size_t column_count;
    const char **cells; /* row after row */
    size_t row_count;
};

/* Reads the file at the path. Fails with ERROR_BAD_FILE, naming file and line, for what is no CSV
 * with a header line and as many fields in every row. */
bool predict_table_read(const char *path, struct predict_table *table,
                        struct error *err) MUST_CHECK;

/* Accepts a zeroed table. */
void predict_table_fini(struct predict_table *table);

bool predict_table_has(const struct predict_table *table, const char *column);

/* "" for an empty cell and for a column that the table lacks. */
const char *predict_table_text(const struct predict_table *table, size_t row, const char *column);

/* NAN for a cell that is empty or no number. */
double predict_table_number(const struct predict_table *table, size_t row, const char *column);

#endif
