/* Replaces shipped facts that changed. It does not read operators' files. One thread. */
#include "ship.h"

#include "../handlers/engine/facts.h"
#include "fact_file.h"
#include "statements.h"

#include <sqlite3.h>
#include <string.h>

static const char SELECT_LOADED[] =
    "SELECT COUNT(*) FROM shipped_files WHERE name = ?1 AND hash = ?2";
static const char UPSERT_LOADED[] =
    "INSERT INTO shipped_files (name, hash, row_count, loaded_at)"
    " VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"
    " ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, row_count = excluded.row_count,"
    " loaded_at = excluded.loaded_at";
static const char DELETE_SHIPPED[] = "DELETE FROM \"%w\" WHERE import_id IS NULL";
static const char CHECK_REFERENCES[] =
    "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check";

/* The file of a table; NULL: none ships. */
static const struct embedded_file *file_of(const struct fact_table *table,
                                           const struct embedded_file *files, size_t count)
{
    size_t length = strlen(table->name);

    for (size_t i = 0; i < count; i++) {
        if (strncmp(files[i].name, table->name, length) == 0 &&
            strcmp(files[i].name + length, ".csv") == 0) {
            return &files[i];
        }
    }
    return NULL;
}

static bool is_loaded(struct sqlite3 *connection, const struct embedded_file *file, bool *loaded,
                      struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, SELECT_LOADED, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, file->name, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(statement, 2, file->hash, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return statements_fail(connection, file->name, err);
    }
    *loaded = sqlite3_column_int64(statement, 0) == 1;
    return true;
}

/* The next table, from position *place on, whose file is not the one loaded; NULL behind the last.
 */
static bool next_changed(struct sqlite3 *connection, const struct embedded_file *files,
                         size_t count, size_t *place, const struct embedded_file **changed,
                         struct error *err)
{
    *changed = NULL;
    for (; *place < FACT_TABLE_COUNT && *changed == NULL; ++*place) {
        const struct embedded_file *file = file_of(FACT_TABLES[*place], files, count);
        bool loaded = true;

        if (file != NULL && !is_loaded(connection, file, &loaded, err)) {
            return false;
        }
        *changed = loaded ? NULL : file;
    }
    return true;
}

static bool replace_rows(struct sqlite3 *connection, const struct fact_table *table,
                         const struct embedded_file *file, struct error *err)
{
    struct fact_file_counts counts = {0};
    char *sql = sqlite3_mprintf(DELETE_SHIPPED, table->name);

    if (sql == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to load it", file->name);
    }
    bool is_good = statements_run(connection, sql, err) &&
                   fact_file_load(connection, table, file->name, file->bytes, file->size_bytes,
                                  FACT_FILE_SHIPPED, &counts, err);

    sqlite3_free(sql);
    if (!is_good) {
        return false;
    }
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, UPSERT_LOADED, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, file->name, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(statement, 2, file->hash, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 3, (sqlite3_int64)counts.rows) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE) {
        return statements_fail(connection, file->name, err);
    }
    return true;
}

/* References are checked at the end of the transaction, so that tables may be replaced one by one;
 * asked before, SQLite names the row. */
static bool check_references(struct sqlite3 *connection, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, CHECK_REFERENCES, &statement, err)) {
        return false;
    }
    int result = sqlite3_step(statement);

    if (result == SQLITE_ROW) {
        return error_set(err, ERROR_BAD_FILE, "%s: row %lld names something that is not in %s",
                         (const char *)sqlite3_column_text(statement, 0),
                         (long long)sqlite3_column_int64(statement, 1),
                         (const char *)sqlite3_column_text(statement, 2));
    }
    return result == SQLITE_DONE || statements_fail(connection, "references", err);
}

static bool ship_changed(struct sqlite3 *connection, const struct embedded_file *files,
                         size_t count, struct error *err)
{
    const struct embedded_file *file = NULL;
    size_t place = 0;

    do {
        if (!next_changed(connection, files, count, &place, &file, err)) {
            return false;
        }
        if (file != NULL && !replace_rows(connection, FACT_TABLES[place - 1], file, err)) {
            return false;
        }
    } while (file != NULL);
    return check_references(connection, err);
}

bool ship_run(struct sqlite3 *connection, const struct embedded_file *files, size_t count,
              struct error *err)
{
    const struct embedded_file *first = NULL;
    size_t place = 0;

    if (!next_changed(connection, files, count, &place, &first, err)) {
        return false;
    }
    if (first == NULL) {
        return true; /* the usual start: nothing is written */
    }
    if (!statements_begin(connection, err)) {
        return false;
    }
    if (!ship_changed(connection, files, count, err) || !statements_commit(connection, err)) {
        statements_rollback(connection);
        return false;
    }
    return true;
}
