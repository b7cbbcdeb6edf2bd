/* From the rows of every table of facts to the structs of catalogue.h, by the tables' descriptions
 * (facts.h). It derives nothing: catalogue_build() does. One thread. */
#include "catalogue_load.h"

#include "../handlers/engine/facts.h"
#include "../handlers/engine/money.h"
#include "fact_file.h"
#include "statements.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const size_t BYTES_PER_MIB = 1048576;

static const char COUNT_ROWS[] = "SELECT COUNT(*) FROM \"%w\"";
/* Shipped rows in the order of their file, then those of operators as they came. */
static const char SELECT_ROWS[] = "SELECT %s FROM \"%w\" ORDER BY import_id IS NOT NULL, rowid";

static bool fail_memory(const struct fact_table *table, const struct catalogue *catalogue,
                        struct error *err)
{
    return error_set(err, ERROR_TOO_LARGE,
                     "the facts do not fit into the memory allowed for them"
                     " (%zu MiB), or memory is short, at table %s",
                     catalogue->memory.maximum_bytes / BYTES_PER_MIB, table->name);
}

/* A copy of the text in the column; NULL for NULL. False: no memory. */
static bool copy_text(struct sqlite3_stmt *statement, int place, struct arena *arena,
                      const char **text)
{
    *text = NULL;
    if (sqlite3_column_type(statement, place) == SQLITE_NULL) {
        return true;
    }
    const unsigned char *found = sqlite3_column_text(statement, place);

    if (found == NULL) {
        return false;
    }
    *text =
        arena_copy_text(arena, (const char *)found, (size_t)sqlite3_column_bytes(statement, place));
    return *text != NULL;
}

static bool read_date(struct sqlite3_stmt *statement, int place, struct arena *arena,
                      struct date *date)
{
    date->day = DAY_UNKNOWN;
    if (!copy_text(statement, place, arena, &date->text)) {
        return false;
    }
    if (date->text != NULL && !day_parse(date->text, strlen(date->text), &date->day)) {
        date->day = DAY_UNKNOWN; /* the table's CHECK allows real dates only, but of any year */
    }
    return true;
}

/* One value into its place in the row. False: no memory. */
static bool read_value(struct sqlite3_stmt *statement, int place, const struct fact_column *column,
                       struct arena *arena, char *row)
{
    bool is_null = sqlite3_column_type(statement, place) == SQLITE_NULL;
    double number = is_null ? (double)NAN : sqlite3_column_double(statement, place);
    int64_t micros = is_null ? MONEY_UNKNOWN : sqlite3_column_int64(statement, place);
    struct date date = {0};
    const char *text = NULL;

    switch (column->type) {
    case FACT_NUMBER:
    case FACT_INTEGER:
        memcpy(row + column->offset, &number, sizeof number);
        return true;
    case FACT_MONEY:
        memcpy(row + column->offset, &micros, sizeof micros);
        return true;
    case FACT_DATE:
        if (!read_date(statement, place, arena, &date)) {
            return false;
        }
        memcpy(row + column->offset, &date, sizeof date);
        return true;
    case FACT_TEXT:
    default:
        if (!copy_text(statement, place, arena, &text)) {
            return false;
        }
        memcpy(row + column->offset, &text, sizeof text);
        return true;
    }
}

static bool prepare_select(struct sqlite3 *connection, const struct fact_table *table,
                           struct sqlite3_stmt **statement, struct error *err)
{
    char *columns = fact_file_column_list(table);
    char *sql = columns == NULL ? NULL : sqlite3_mprintf(SELECT_ROWS, columns, table->name);
    bool is_good = false;

    if (sql == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", table->name);
    } else {
        is_good = statements_prepare(connection, sql, statement, err);
    }
    sqlite3_free(sql);
    free(columns);
    return is_good;
}

static bool count_rows(struct sqlite3 *connection, const struct fact_table *table, size_t *count,
                       struct error *err)
{
    char *sql = sqlite3_mprintf(COUNT_ROWS, table->name);
    int64_t number = 0;

    if (sql == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", table->name);
    }
    bool is_good = statements_number(connection, sql, &number, err);

    sqlite3_free(sql);
    *count = (size_t)number;
    return is_good;
}

static bool load_table(struct sqlite3 *connection, const struct fact_table *table,
                       struct catalogue *catalogue, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    size_t count = 0;
    size_t done = 0;

    if (!count_rows(connection, table, &count, err) ||
        !prepare_select(connection, table, &statement, err)) {
        return false;
    }
    char *rows = arena_alloc_array(&catalogue->memory, count, table->row_bytes);

    if (rows == NULL) {
        return fail_memory(table, catalogue, err);
    }
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW && done < count; done++) {
        for (size_t i = 0; i < table->column_count; i++) {
            if (!read_value(statement, (int)i, &table->columns[i], &catalogue->memory,
                            rows + done * table->row_bytes)) {
                return fail_memory(table, catalogue, err);
            }
        }
        result = sqlite3_step(statement);
    }
    if (result != SQLITE_DONE || done != count) { /* one transaction: both see the same rows */
        return statements_fail(connection, table->name, err);
    }
    memcpy((char *)catalogue + table->catalogue_rows, &rows, sizeof rows);
    memcpy((char *)catalogue + table->catalogue_count, &count, sizeof count);
    return true;
}

/* Tables that grow with what is imported; names need none of them. */
static bool is_of_prices(const struct fact_table *table)
{
    return strcmp(table->name, "gpu_prices") == 0 || strcmp(table->name, "cloud_offers") == 0 ||
           strcmp(table->name, "notebook_plans") == 0;
}

static bool load_tables(struct sqlite3 *connection, bool wants_prices, struct catalogue **catalogue,
                        struct error *err)
{
    struct catalogue *loaded = catalogue_new();

    if (loaded == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the catalogue");
    }
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        if ((wants_prices || !is_of_prices(FACT_TABLES[i])) &&
            !load_table(connection, FACT_TABLES[i], loaded, err)) {
            goto unref;
        }
    }
    if (!catalogue_build(loaded, err)) {
        goto unref;
    }
    *catalogue = loaded;
    return true;
unref:
    catalogue_unref(loaded);
    return false;
}

static bool load(struct database *database, bool wants_prices, struct catalogue **catalogue,
                 struct error *err)
{
    struct sqlite3 *connection = database_connection(database);

    if (!statements_begin_read(connection, err)) {
        return false;
    }
    bool is_good = load_tables(connection, wants_prices, catalogue, err);

    statements_rollback(connection); /* nothing was written */
    return is_good;
}

bool catalogue_load(struct database *database, struct catalogue **catalogue, struct error *err)
{
    return load(database, true, catalogue, err);
}

bool catalogue_load_names(struct database *database, struct catalogue **catalogue,
                          struct error *err)
{
    return load(database, false, catalogue, err);
}

bool catalogue_load_from(struct sqlite3 *connection, struct catalogue **catalogue,
                         struct error *err)
{
    return load_tables(connection, true, catalogue, err);
}
