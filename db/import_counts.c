/* Counts the rows of the import log. One thread. */
#include "import_counts.h"

#include "../handlers/engine/facts.h"
#include "statements.h"

#include <sqlite3.h>
#include <string.h>

static const char SELECT_COUNTS[] =
    "SELECT fact_table, SUM(undone_at IS NULL), SUM(undone_at IS NOT NULL),"
    " SUM(CASE WHEN undone_at IS NULL THEN rows_added ELSE 0 END) FROM imports GROUP BY fact_table";

bool import_counts_read(struct database *database, struct import_count *counts, size_t count,
                        struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    struct sqlite3 *connection = database_connection(database);

    if (!statements_prepare(connection, SELECT_COUNTS, &statement, err)) {
        return false;
    }
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW; result = sqlite3_step(statement)) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);

        for (size_t i = 0; name != NULL && i < FACT_TABLE_COUNT && i < count; i++) {
            if (strcmp(FACT_TABLES[i]->name, name) == 0) {
                counts[i] = (struct import_count){(uint64_t)sqlite3_column_int64(statement, 1),
                                                  (uint64_t)sqlite3_column_int64(statement, 2),
                                                  (uint64_t)sqlite3_column_int64(statement, 3)};
            }
        }
    }
    return result == SQLITE_DONE || statements_fail(connection, "imports", err);
}
