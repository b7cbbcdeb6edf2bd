/* db/check.c: what it finds in databases that were spoiled on purpose, and that it changes nothing.
 */
#include "check_fixture.h"

#include <fcntl.h>

static struct report report; /* large */

static void make(const char *path)
{
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open(path, &database, &err)) {
        test_bail_out("no database", err.text);
    }
    database_close(database);
}

static void spoil(const char *path, const char *sql)
{
    struct sqlite3 *connection = NULL;

    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    test_run_sql(connection, sql);
    (void)sqlite3_close(connection);
}

static size_t faults(void)
{
    return report.checkup.count[CHECKUP_FAULT];
}

static void test_good(const char *path)
{
    struct error err = {0};
    size_t before_bytes = 0, after_bytes = 0;
    char *before = test_read_file(path, &before_bytes);
    char beside[TEST_PATH_BYTES + 8];

    (void)tap_ok(report_of(path, &report, &err) && faults() == 0, "the shipped facts: no fault");
    (void)tap_ok(says(&report, "fine integrity") && says(&report, "fine keys") &&
                     says(&report, "fine schema") && says(&report, "fine shipped") &&
                     says(&report, "fine facts"),
                 "and all was looked at");
    char *after = test_read_file(path, &after_bytes);

    (void)tap_ok(before != NULL && after != NULL && before_bytes == after_bytes &&
                     memcmp(before, after, before_bytes) == 0,
                 "the file is as it was");
    (void)snprintf(beside, sizeof beside, "%s-shm", path);
    (void)tap_ok(access(beside, F_OK) != 0, "and nothing was made beside it");
    free(before);
    free(after);
}

/* A file that is open and written elsewhere: what was committed is seen, the writer never waits. */
static void test_in_use(const char *path)
{
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open(path, &database, &err)) {
        test_bail_out("no database", err.text);
    }
    struct sqlite3 *writer = database_connection(database);

    test_run_sql(writer, "INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros,"
                         " observed_on, source)"
                         " VALUES ('card-from-the-log', 'used', 'USD', 5000000, '2026-11-29', 't'),"
                         " ('nvidia-geforce-rtx-3090', 'used', 'USD', 5000000, '2026-12-29', 't')");
    test_run_sql(writer, "BEGIN IMMEDIATE");
    (void)tap_ok(report_of(path, &report, &err) && faults() == 0 &&
                     says(&report, "detail price \"card-from-the-log\" (1) is like no known name"),
                 "a commit in the log is seen, while another has begun to write");
    (void)tap_ok(
        says(&report, "warning dates 1 prices seen on a day to come: nvidia-geforce-rtx-3090"),
        "a day to come is a warning");
    test_run_sql(writer, "COMMIT");
    test_run_sql(writer, "DELETE FROM gpu_prices WHERE source = 't'");
    database_close(database);
}

static void test_faults(const char *path)
{
    char sql[128];
    struct error err = {0};

    spoil(path, "PRAGMA foreign_keys = OFF;"
                "UPDATE aliases SET gpu_id = 'no-such-card' WHERE alias = '4090'");
    (void)tap_ok(report_of(path, &report, &err) && faults() == 1 &&
                     says(&report, "fault keys row") &&
                     says(&report, "of aliases points to no row of gpus"),
                 "a row that points nowhere is a fault");
    spoil(path, "PRAGMA foreign_keys = OFF;"
                "UPDATE aliases SET gpu_id = 'nvidia-geforce-rtx-4090' WHERE alias = '4090';"
                "UPDATE gpus SET memory_gib = 2000 WHERE id = 'nvidia-geforce-rtx-4090'");
    (void)tap_ok(report_of(path, &report, &err) && faults() == 1 &&
                     says(&report, "fault gpus 1 values outside their rules: memory_gib of "
                                   "nvidia-geforce-rtx-4090 is out of range"),
                 "a value that the reader of files refuses is a fault");
    spoil(path, "UPDATE gpus SET memory_gib = 24 WHERE id = 'nvidia-geforce-rtx-4090';"
                "UPDATE shipped_files SET hash = '0123456789abcdef' WHERE name = 'gpus.csv'");
    (void)tap_ok(report_of(path, &report, &err) && faults() == 0 &&
                     says(&report, "warning shipped gpus.csv"),
                 "facts of another version are a warning");
    spoil(path, "PRAGMA user_version = 2");
    (void)tap_ok(report_of(path, &report, &err) && faults() == 1 &&
                     says(&report, "fault schema version 2 is older") && !says(&report, "prices"),
                 "an older schema is a fault, and the facts are left alone");
    (void)snprintf(
        sql, sizeof sql,
        "PRAGMA user_version = %lld; DELETE FROM parameters WHERE name = 'reference_gpu'",
        (long long)migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT));
    spoil(path, sql);
    (void)tap_ok(report_of(path, &report, &err) && faults() >= 1,
                 "facts the advisor cannot do without: a fault, not a failure");
}

/* Pages in the middle overwritten: SQLite finds it, and it is told as a fault. */
static void test_damage(const char *path)
{
    struct error err = {0};
    char garbage[4096];
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    memset(garbage, 0x5a, sizeof garbage);
    for (int page = 40; page < 60; page++) {
        if (pwrite(fd, garbage, sizeof garbage, (off_t)page * (off_t)sizeof garbage) !=
            (ssize_t)sizeof garbage) {
            test_bail_out("cannot write", path);
        }
    }
    (void)close(fd);
    (void)tap_ok(report_of(path, &report, &err) && faults() > 0, "overwritten pages are faults");
    (void)tap_ok(!check_copy(path, &err) && err.code == ERROR_BAD_DATABASE,
                 "and a copy of that is none: %s", err.text);
}

static void test_refused(void)
{
    struct error err = {0};
    char path[TEST_PATH_BYTES];

    (void)tap_ok(!report_of("/nowhere/at/all.db", &report, &err) && report.used == 0,
                 "no such file: could not");
    test_temporary_path(path);
    (void)tap_ok(report_of(path, &report, &err) && faults() == 1 && says(&report, "is empty"),
                 "an empty file is a fault");
    test_write_file(path, "no database at all, whatever its name may say, by its length",
                    strlen("no database at all, whatever its name may say, by its length"));
    (void)tap_ok(report_of(path, &report, &err) && faults() == 1, "a text is a fault");
    test_remove_database(path);
    (void)tap_ok(!report_of("/tmp", &report, &err) && strstr(err.text, "is not a file") != NULL,
                 "a folder: could not");
}

int main(void)
{
    char path[TEST_PATH_BYTES];

    test_temporary_path(path);
    make(path);
    test_good(path);
    test_in_use(path);
    test_faults(path);
    test_remove_database(path);
    make(path);
    test_damage(path);
    test_remove_database(path);
    test_refused();
    return tap_done();
}
