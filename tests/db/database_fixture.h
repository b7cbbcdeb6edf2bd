/* Databases for the tests of db/: an open one in memory, and looking into one. */
#ifndef GPUWISE_TESTS_DB_DATABASE_FIXTURE_H
#define GPUWISE_TESTS_DB_DATABASE_FIXTURE_H

#include "../../db/migrate.h"
#include "../catalogue_fixture.h"
#include "../tap.h"

#include <sqlite3.h>
#include <stdint.h>

/* In memory, with the schema and no rows; sqlite3_close() it. */
__attribute__((unused)) static struct sqlite3 *test_empty_database(void)
{
    struct sqlite3 *connection = NULL;
    struct error err;

    if (sqlite3_open(":memory:", &connection) != SQLITE_OK ||
        sqlite3_exec(connection, "PRAGMA foreign_keys = ON", NULL, NULL, NULL) != SQLITE_OK) {
        test_bail_out("no database in memory", sqlite3_errmsg(connection));
    }
    if (!migrate_run(connection, EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT, &err)) {
        test_bail_out("no schema", err.text);
    }
    return connection;
}

__attribute__((unused)) static void test_run_sql(struct sqlite3 *connection, const char *sql)
{
    if (sqlite3_exec(connection, sql, NULL, NULL, NULL) != SQLITE_OK) {
        test_bail_out(sql, sqlite3_errmsg(connection));
    }
}

/* The first column of the first row. */
__attribute__((unused)) static int64_t test_number(struct sqlite3 *connection, const char *sql)
{
    struct sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        test_bail_out(sql, sqlite3_errmsg(connection));
    }
    int64_t number = sqlite3_column_int64(statement, 0);

    (void)sqlite3_finalize(statement); /* the step succeeded */
    return number;
}

/* A file's bytes with a NUL behind them, free() them; NULL: there is no such file. */
__attribute__((unused)) static char *test_read_file(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 16 * 1024 * 1024;

    *size_bytes = 0;
    if (file == NULL) {
        return NULL;
    }
    bytes = malloc(room);
    if (bytes == NULL) {
        test_bail_out("no memory for", path);
    }
    *size_bytes = fread(bytes, 1, room - 1, file);
    bytes[*size_bytes] = '\0';
    (void)fclose(file); /* read only */
    return bytes;
}

__attribute__((unused)) static void test_write_file(const char *path, const void *bytes,
                                                    size_t size_bytes)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, size_bytes, file) != size_bytes || fclose(file) != 0) {
        test_bail_out("cannot write", path);
    }
}

#endif
