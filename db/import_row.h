/* One row of a table of facts on its way into the database, and its fingerprint. No state. */
#ifndef GPUWISE_DB_IMPORT_ROW_H
#define GPUWISE_DB_IMPORT_ROW_H

#include "csv.h"
#include "fact_value.h"

struct sqlite3_stmt;

enum {
    IMPORT_SCRATCH_BYTES = 4 * 4096
}; /* what a mapping puts together; a field has 4096 at most */

struct import_text {
    const char *text; /* lent by the record or the scratch */
    size_t length;
};

struct import_row {
    const struct fact_table *table;
    size_t line;
    struct fact_value values[CSV_FIELDS_MAX];
    struct import_text texts[CSV_FIELDS_MAX]; /* of the values that are text */
    char scratch[IMPORT_SCRATCH_BYTES];
    size_t scratch_used;
    /* Where a name was resolved: its column, and what stood there in a database that did not know
     * the name when it was given the same row. column_count of the table: nowhere. */
    size_t name_column;
    struct fact_value name_value;
    struct import_text name_text;
};

/* 128 bits of what columns hold: equal for equal values, and for others by no chance that counts.
 */
struct import_print {
    uint64_t a, b;
};

/* All columns, in the order of the table. */
#define IMPORT_ALL_COLUMNS UINT64_MAX

/* Of the columns whose bit is set. */
struct import_print import_row_print(const struct import_row *row, uint64_t columns);

/* Reads the columns of the table from places first... of a statement's row; lent until its next
 * step. False: no memory. */
bool import_row_load(struct import_row *row, const struct fact_table *table,
                     struct sqlite3_stmt *statement, int first) MUST_CHECK;

/* Binds them to places 1...; the texts are lent. Returns SQLite's result. */
int import_row_bind(const struct import_row *row, struct sqlite3_stmt *statement);

/* Position of a column that the table must have. */
size_t import_column(const struct fact_table *table, const char *name);

#endif
