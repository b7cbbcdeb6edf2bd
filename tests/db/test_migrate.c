/* db/migrate.c: pending migrations run once, in order, each whole or not at all. */
#include "../../db/migrate.h"
#include "database_fixture.h"

#define FILE_OF(file_name, text)                                                                   \
    {                                                                                              \
        .name = (file_name), .bytes = (const unsigned char *)(text),                               \
        .size_bytes = sizeof(text) - 1                                                             \
    }

static const struct embedded_file GOOD[] = {
    FILE_OF("0001_first.sql", "CREATE TABLE first (a INTEGER) STRICT; -- the end"),
    FILE_OF("0002_second.sql", "INSERT INTO first VALUES (7);\nCREATE TABLE second (b) -- no end"),
    FILE_OF("12_short.sql", "no migration"),
    FILE_OF("gpus.csv", "id\n"),
};
static const struct embedded_file BROKEN[] = {
    FILE_OF("0001_first.sql", "CREATE TABLE first (a INTEGER) STRICT"),
    FILE_OF("0002_broken.sql", "CREATE TABLE half (a INTEGER); INSERT INTO nowhere VALUES (1)"),
    FILE_OF("0003_third.sql", "CREATE TABLE third (a INTEGER)"),
};

static struct sqlite3 *open_memory(void)
{
    struct sqlite3 *connection = NULL;

    if (sqlite3_open(":memory:", &connection) != SQLITE_OK) {
        test_bail_out("no database in memory", sqlite3_errmsg(connection));
    }
    return connection;
}

static void test_good(void)
{
    struct sqlite3 *connection = open_memory();
    struct error err = {0};

    (void)tap_ok(migrate_newest(GOOD, 4) == 2, "the newest of 0001 and 0002 is 2");
    (void)tap_ok(migrate_newest(GOOD, 0) == 0, "the newest of none is 0");
    (void)tap_ok(migrate_run(connection, GOOD, 1, &err), "the first: %s", err.text);
    (void)tap_ok(test_number(connection, "PRAGMA user_version") == 1, "its number is remembered");
    (void)tap_ok(migrate_run(connection, GOOD, 4, &err), "a newer program adds the second: %s",
                 err.text);
    (void)tap_ok(test_number(connection, "PRAGMA user_version") == 2 &&
                     test_number(connection, "SELECT a FROM first") == 7 &&
                     test_number(connection, "SELECT COUNT(*) FROM second") == 0,
                 "on top of the first");
    sqlite3_int64 before = sqlite3_total_changes64(connection);

    (void)tap_ok(migrate_run(connection, GOOD, 4, &err) &&
                     sqlite3_total_changes64(connection) == before &&
                     test_number(connection, "SELECT COUNT(*) FROM first") == 1,
                 "nothing runs twice");
    (void)sqlite3_close(connection);
}

static void test_broken(void)
{
    struct sqlite3 *connection = open_memory();
    struct error err = {0};

    (void)tap_ok(!migrate_run(connection, BROKEN, 3, &err) &&
                     strstr(err.text, "0002_broken.sql: no such table: nowhere") != NULL,
                 "a broken migration is named: %s", err.text);
    (void)tap_ok(test_number(connection, "PRAGMA user_version") == 1 &&
                     test_number(connection, "SELECT COUNT(*) FROM sqlite_schema") == 1,
                 "those before it stay, of itself and those behind nothing is left");
    (void)tap_ok(sqlite3_get_autocommit(connection) != 0, "no transaction is left open");
    (void)sqlite3_close(connection);
}

static void test_shipped(void)
{
    struct sqlite3 *connection = test_empty_database();

    (void)tap_ok(test_number(connection, "PRAGMA user_version") ==
                         migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT) &&
                     test_number(connection, "PRAGMA user_version") >= 1,
                 "the shipped migrations run to the newest");
    (void)tap_ok(test_number(connection,
                             "SELECT COUNT(*) FROM pragma_table_list WHERE schema = 'main'"
                             " AND type = 'table' AND NOT strict"
                             " AND name NOT LIKE 'sqlite%'") == 0,
                 "every table is STRICT");
    (void)sqlite3_close(connection);
}

/* A database of the first release, with a row of its operator, comes up to date and keeps it. */
static void test_from_first(void)
{
    struct sqlite3 *connection = NULL;
    struct error err = {0};

    if (sqlite3_open(":memory:", &connection) != SQLITE_OK) {
        test_bail_out("no database in memory", sqlite3_errmsg(connection));
    }
    for (size_t i = 0; i < EMBEDDED_MIGRATION_COUNT; i++) {
        if (strncmp(EMBEDDED_MIGRATIONS[i].name, "0001_", 5) == 0 &&
            !migrate_run(connection, &EMBEDDED_MIGRATIONS[i], 1, &err)) {
            test_bail_out("no first release", err.text);
        }
    }
    test_run_sql(connection, "INSERT INTO imports (id, at, who, fact_table, rows_added, rows_known)"
                             " VALUES (1, '2026-11-30T12:00:00Z', 'me', 'networks', 1, 0)");
    test_run_sql(connection, "INSERT INTO networks (id, gmacs, resolution_px, source, import_id)"
                             " VALUES ('own_net', 4.2, 256, 'own', 1)");
    (void)tap_ok(migrate_run(connection, EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT, &err) &&
                     test_number(connection, "PRAGMA user_version") ==
                         migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT),
                 "a database of the first release comes up to date");
    (void)tap_ok(test_number(connection,
                             "SELECT COUNT(*) FROM networks WHERE id = 'own_net' AND"
                             " gmacs = 4.2 AND tensor_gmacs IS NULL AND import_id = 1") == 1,
                 "and keeps the rows of its operator");
    (void)sqlite3_close(connection);
}

int main(void)
{
    test_good();
    test_broken();
    test_shipped();
    test_from_first();
    return tap_done();
}
