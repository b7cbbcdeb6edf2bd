/* The log of imports: what was brought, and how it goes again. One thread. */
#include "import.h"
#include "statements.h"

#include "../handlers/engine/facts.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>

static const char SELECT_IMPORT[] = "SELECT fact_table, undone_at FROM imports WHERE id = ?1";
static const char DELETE_ROWS[] = "DELETE FROM \"%w\" WHERE import_id = ?1";
static const char UPDATE_UNDONE[] =
    "UPDATE imports SET undone_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1";
static const char SELECT_IMPORTS[] =
    "SELECT id, at, who, fact_table, ifnull(file, ''), rows_added, rows_known,"
    " ifnull(undone_at, '') FROM imports WHERE ?1 = 0 OR id < ?1 ORDER BY id DESC LIMIT ?2";

/* Runs a statement with the id as its only parameter; *changed: rows of it. */
static bool run_with_id(struct sqlite3 *connection, const char *sql, int64_t id, size_t *changed,
                        struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, sql, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_int64(statement, 1, id) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE) {
        return statements_fail(connection, "imports", err);
    }
    *changed = (size_t)sqlite3_changes64(connection);
    return true;
}

/* The table that a standing import filled. */
static bool find_table(struct sqlite3 *connection, int64_t id, const struct fact_table **table,
                       struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, SELECT_IMPORT, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_int64(statement, 1, id) != SQLITE_OK) {
        return statements_fail(connection, "imports", err);
    }
    int result = sqlite3_step(statement);

    if (result == SQLITE_DONE) {
        return error_set(err, ERROR_BAD_PARAMETER, "import %lld: there is none of that number",
                         (long long)id);
    }
    if (result != SQLITE_ROW) {
        return statements_fail(connection, "imports", err);
    }
    if (sqlite3_column_type(statement, 1) != SQLITE_NULL) {
        char number[24];

        (void)snprintf(number, sizeof number, "%lld", (long long)id);
        return error_say(
            err, ERROR_BAD_PARAMETER,
            SAY(TEXT_UNDONE_ALREADY, number, (const char *)sqlite3_column_text(statement, 1)));
    }
    const char *name = (const char *)sqlite3_column_text(statement, 0);

    *table = name == NULL ? NULL : fact_table_find(name);
    return *table != NULL || error_set(err, ERROR_BAD_DATABASE, "import %lld: no table %s",
                                       (long long)id, name == NULL ? "" : name);
}

static bool undo(struct sqlite3 *connection, int64_t id, size_t *removed, struct error *err)
{
    const struct fact_table *table = NULL;
    size_t changed = 0;
    char sql[sizeof DELETE_ROWS + 64];

    if (!find_table(connection, id, &table, err)) {
        return false;
    }
    assert(table != NULL); /* the analyzer cannot see it */
    (void)sqlite3_snprintf(sizeof sql, sql, DELETE_ROWS, table->name); /* our names are short */
    if (!run_with_id(connection, sql, id, removed, err) ||
        !run_with_id(connection, UPDATE_UNDONE, id, &changed, err)) {
        return false;
    }
    if (sqlite3_exec(connection, "COMMIT", NULL, NULL, NULL) == SQLITE_CONSTRAINT) {
        char number[24];

        (void)snprintf(number, sizeof number, "%lld", (long long)id);
        return error_say(err, ERROR_BAD_PARAMETER, SAY(TEXT_UNDO_REFERRED, number));
    }
    return sqlite3_get_autocommit(connection) != 0 || statements_fail(connection, "imports", err);
}

bool import_undo(struct database *database, int64_t import_id, size_t *removed, struct error *err)
{
    struct sqlite3 *connection = database_connection(database);
    size_t count = 0;

    if (!statements_begin(connection, err)) {
        return false;
    }
    if (!undo(connection, import_id, &count, err)) {
        statements_rollback(connection);
        return false;
    }
    *removed = count;
    return true;
}

bool import_list(struct database *database, int64_t before, struct import_entry *entries,
                 size_t room, size_t *count, struct error *err)
{
    struct sqlite3 *connection = database_connection(database);
    DB_STMT_AUTO statement = NULL;
    size_t found = 0;

    if (!statements_prepare(connection, SELECT_IMPORTS, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_int64(statement, 1, before) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)room) != SQLITE_OK) {
        return statements_fail(connection, "imports", err);
    }
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW && found < room; found++) {
        struct import_entry *entry = &entries[found];

        *entry = (struct import_entry){.id = sqlite3_column_int64(statement, 0)};
        statements_copy(statement, 1, entry->at, sizeof entry->at);
        statements_copy(statement, 2, entry->who, sizeof entry->who);
        statements_copy(statement, 3, entry->table, sizeof entry->table);
        statements_copy(statement, 4, entry->file, sizeof entry->file);
        entry->rows_added = sqlite3_column_int64(statement, 5);
        entry->rows_known = sqlite3_column_int64(statement, 6);
        statements_copy(statement, 7, entry->undone_at, sizeof entry->undone_at);
        result = sqlite3_step(statement);
    }
    if (result != SQLITE_DONE && result != SQLITE_ROW) {
        return statements_fail(connection, "imports", err);
    }
    *count = found;
    return true;
}
