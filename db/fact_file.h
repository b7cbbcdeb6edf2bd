/* Reads one CSV file of facts into its table: the shipped files and those an operator brings. */
#ifndef GPUWISE_DB_FACT_FILE_H
#define GPUWISE_DB_FACT_FILE_H

#include "../handlers/engine/error.h"
#include "../handlers/engine/facts.h"

#include <stddef.h>
#include <stdint.h>

struct sqlite3;

enum { FACT_FILE_SHIPPED = 0 }; /* as import_id: rows of the program itself */

struct fact_file_counts {
    size_t rows;  /* of the file, without its header */
    size_t added; /* of these, now in the table */
    size_t known; /* left out, because the table holds a row of somebody else with the same key */
};

/* Inserts every row inside the caller's transaction. The header must name every column of the table
 * once, in any order. One bad row fails the whole file, and the caller rolls back: ERROR_BAD_FILE
 * with "gpus.csv line 12, column memory_gib: reason". A row that repeats the key of another row of
 * the same import is bad; one whose key belongs to another import (or to the program) is left out
 * and counted. */
bool fact_file_load(struct sqlite3 *connection, const struct fact_table *table,
                    const char *file_name, const void *bytes, size_t size_bytes, int64_t import_id,
                    struct fact_file_counts *counts, struct error *err) MUST_CHECK;

/* The columns of the table as `"id", "name", ...`, in their order; free() it. NULL: out of memory.
 */
char *fact_file_column_list(const struct fact_table *table) MUST_CHECK;

#endif
