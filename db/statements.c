/* Thin layer over sqlite3: prepare, run, report. It knows no table. One thread at a time. */
#include "statements.h"

#include <sqlite3.h>
#include <string.h>

static enum error_code code_of(int result)
{
    switch (result & 0xff) { /* the primary code of an extended one */
    case SQLITE_NOMEM:
        return ERROR_OUT_OF_MEMORY;
    case SQLITE_BUSY:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_LOCKED:
    case SQLITE_PERM:
    case SQLITE_READONLY:
        return ERROR_SYSTEM;
    default:
        return ERROR_BAD_DATABASE;
    }
}

void statements_finish(struct sqlite3_stmt **statement)
{
    (void)sqlite3_finalize(*statement); /* repeats the failure of the last step, reported already */
    *statement = NULL;
}

bool statements_fail(struct sqlite3 *connection, const char *what, struct error *err)
{
    int reason = sqlite3_system_errno(connection);
    bool has_reason = code_of(sqlite3_errcode(connection)) == ERROR_SYSTEM && reason != 0;
    const char *path = sqlite3_db_filename(connection, "main");

    return error_set(err, code_of(sqlite3_errcode(connection)), "%s: %s: %s%s%s",
                     path == NULL || path[0] == '\0' ? "database" : path, what,
                     sqlite3_errmsg(connection), has_reason ? ": " : "",
                     has_reason ? strerror(reason) : "");
}

bool statements_prepare(struct sqlite3 *connection, const char *sql,
                        struct sqlite3_stmt **statement, struct error *err)
{
    struct sqlite3_stmt *prepared = NULL;

    if (sqlite3_prepare_v2(connection, sql, -1, &prepared, NULL) != SQLITE_OK) {
        return statements_fail(connection, "query", err);
    }
    *statement = prepared;
    return true;
}

bool statements_run(struct sqlite3 *connection, const char *sql, struct error *err)
{
    if (sqlite3_exec(connection, sql, NULL, NULL, NULL) != SQLITE_OK) {
        return statements_fail(connection, sql, err);
    }
    return true;
}

bool statements_number(struct sqlite3 *connection, const char *sql, int64_t *number,
                       struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, sql, &statement, err)) {
        return false;
    }
    if (sqlite3_step(statement) != SQLITE_ROW) {
        return statements_fail(connection, "query", err);
    }
    *number = sqlite3_column_int64(statement, 0);
    return true;
}

void statements_copy(struct sqlite3_stmt *statement, int column, char *out, size_t room)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    (void)sqlite3_snprintf((int)room, out, "%s", text == NULL ? "" : text);
}

bool statements_begin(struct sqlite3 *connection, struct error *err)
{
    return statements_run(connection, "BEGIN IMMEDIATE", err);
}

bool statements_begin_read(struct sqlite3 *connection, struct error *err)
{
    return statements_run(connection, "BEGIN", err);
}

bool statements_commit(struct sqlite3 *connection, struct error *err)
{
    return statements_run(connection, "COMMIT", err);
}

void statements_rollback(struct sqlite3 *connection)
{
    if (sqlite3_get_autocommit(connection) == 0) {
        (void)sqlite3_exec(connection, "ROLLBACK", NULL, NULL,
                           NULL); /* nothing left to do if it fails */
    }
}
