/* db/database.c: a write by anybody and another file under the name are seen, a bad file is not
 * taken. */
#include "../../db/connection.h"
#include "database_fixture.h"

#include <errno.h>
#include <unistd.h>

static const char INSERT_PRICE[] =
    "INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros, observed_on, source)"
    " VALUES ('nobodys-card', 'new', 'USD', 5000000, '2026-11-30', 'test')";
static const char COUNT_MINE[] = "SELECT COUNT(*) FROM gpu_prices WHERE gpu_slug = 'nobodys-card'";

static struct database *opened(const char *path)
{
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open(path, &database, &err)) {
        test_bail_out("cannot open", err.text);
    }
    return database;
}

/* True when it succeeds and says so. */
static bool says(struct database *database, bool wanted)
{
    struct error err = {0};
    bool changed = !wanted;
    bool is_good = database_changed(database, &changed, &err);

    if (!is_good) {
        printf("# %s\n", err.text);
    }
    return is_good && changed == wanted;
}

static bool fails_with(struct database *database, const char *words)
{
    struct error err = {0};
    bool changed = false;
    bool is_good = database_changed(database, &changed, &err);

    printf("# %s\n", is_good ? "no error" : err.text);
    return !is_good && err.code == ERROR_BAD_DATABASE && strstr(err.text, words) != NULL;
}

static struct sqlite3 *other_connection(const char *path)
{
    struct sqlite3 *connection = NULL;

    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    return connection;
}

static void test_writes(const char *path)
{
    struct database *database = opened(path);
    struct sqlite3 *other = other_connection(path);

    (void)tap_ok(says(database, false), "nothing changed since it was opened");
    (void)tap_ok(says(database, false), "nor since it was asked");
    test_run_sql(other, INSERT_PRICE);
    (void)tap_ok(says(database, true), "another connection's commit is seen");
    (void)tap_ok(says(database, false), "once");
    test_run_sql(database_connection(database), INSERT_PRICE);
    (void)tap_ok(says(database, true) && says(database, false), "one's own commit is seen once");
    (void)tap_ok(test_number(other, "SELECT COUNT(*) FROM gpus") > 0 && says(database, false),
                 "reading is no change");
    test_run_sql(
        database_connection(database),
        "CREATE TEMP TABLE stage (line); INSERT INTO stage VALUES (1), (2); DROP TABLE stage");
    (void)tap_ok(says(database, false), "nor is what one writes beside it, as a dry run does");
    test_run_sql(database_connection(database), "BEGIN IMMEDIATE; ROLLBACK");
    (void)tap_ok(says(database, false), "nor a transaction that wrote nothing");
    (void)sqlite3_close(other);
    (void)tap_ok(says(database, false), "nor is the other's leaving");
    database_close(database);
}

/* A database with this many prices of nobody's card, closed, under a name of its own. */
static void make_other(const char *path, int prices)
{
    struct database *database = opened(path);

    for (int i = 0; i < prices; i++) {
        test_run_sql(database_connection(database), INSERT_PRICE);
    }
    database_close(database);
}

static void rename_over(const char *from, const char *to)
{
    if (rename(from, to) != 0) {
        test_bail_out(from, strerror(errno));
    }
}

static void test_replaced(const char *path, const char *other_path)
{
    char log_path[TEST_PATH_BYTES + 8];
    struct database *database = opened(path);

    /* leave something in the log of the old file: it must not get into the new one */
    test_run_sql(database_connection(database), INSERT_PRICE);
    (void)snprintf(log_path, sizeof log_path, "%s-wal", path);
    size_t log_bytes = 0;

    free(test_read_file(log_path, &log_bytes));
    (void)tap_ok(log_bytes > 0 && says(database, true), "the old file has a log");
    make_other(other_path, 7);
    rename_over(other_path, path);
    (void)tap_ok(says(database, true), "another file under the name is seen");
    (void)tap_ok(test_number(database_connection(database), COUNT_MINE) == 7 &&
                     test_number(database_connection(database),
                                 "SELECT quick_check = 'ok' FROM pragma_quick_check") == 1,
                 "it is what is read now, sound and without the old log");
    (void)tap_ok(says(database, false), "once");
    struct sqlite3 *other = other_connection(path);

    test_run_sql(other, INSERT_PRICE);
    (void)tap_ok(says(database, true) &&
                     test_number(database_connection(database), COUNT_MINE) == 8,
                 "writes to it are seen");
    (void)sqlite3_close(other);
    database_close(database);
    other = other_connection(path);
    (void)tap_ok(test_number(other, COUNT_MINE) == 8, "and stay when all is closed");
    (void)sqlite3_close(other);
}

static bool is_there(const char *path, const char *suffix)
{
    char name[TEST_PATH_BYTES + 8];

    (void)snprintf(name, sizeof name, "%s%s", path, suffix);
    return access(name, F_OK) == 0;
}

static int64_t count_mine(const char *path)
{
    struct sqlite3 *connection = other_connection(path);
    int64_t count = test_number(connection, COUNT_MINE);

    (void)sqlite3_close(connection);
    return count;
}

/* SQLite plays a log into whatever file it finds beside it. */
static void test_log_outlives_no_name(const char *path, const char *other_path)
{
    struct database *database = opened(path);

    test_run_sql(database_connection(database), INSERT_PRICE);
    make_other(other_path, 2);
    rename_over(other_path, path);
    (void)tap_ok(is_there(path, "-wal"), "another file beside the log of the old one");
    database_close(database);
    (void)tap_ok(!is_there(path, "-wal") && !is_there(path, "-shm") && count_mine(path) == 2,
                 "closed before it was noticed: the log does not stay");
    database = opened(path);
    test_run_sql(database_connection(database), INSERT_PRICE);
    make_other(other_path, 5);
    (void)unlink(path);
    test_write_file(path, "garbage that is no database at all", 34);
    (void)tap_ok(fails_with(database, "is not a SQLite database") && !is_there(path, "-wal") &&
                     !is_there(path, "-shm"),
                 "nor does it stay where the new file cannot be taken");
    rename_over(other_path, path);
    database_close(database);
    (void)tap_ok(!is_there(path, "-wal") && count_mine(path) == 5, "whatever comes next");
    database = opened(path);
    test_run_sql(database_connection(database), INSERT_PRICE);
    struct sqlite3 *other = other_connection(path);

    (void)tap_ok(test_number(other, COUNT_MINE) == 6, "another program has the file open");
    (void)unlink(path);
    (void)tap_ok(fails_with(database, "has gone while in use") && is_there(path, "-wal"),
                 "the log it uses stays while the name is free");
    make_other(other_path, 4);
    rename_over(other_path, path);
    (void)tap_ok(says(database, true) &&
                     test_number(database_connection(database), COUNT_MINE) == 4,
                 "and goes when another file has it");
    (void)sqlite3_close(other);
    test_run_sql(database_connection(database), INSERT_PRICE);
    database_close(database);
    (void)tap_ok(!is_there(path, "-wal") && count_mine(path) == 5, "of which nothing is lost");
}

/* What a crash leaves must not hold what the file holds already. */
static void test_log_is_emptied(const char *path)
{
    char log_path[TEST_PATH_BYTES + 8];
    struct database *database = opened(path);
    size_t size_bytes = 0;

    (void)snprintf(log_path, sizeof log_path, "%s-wal", path);
    test_run_sql(database_connection(database), INSERT_PRICE);
    free(test_read_file(log_path, &size_bytes));
    (void)tap_ok(size_bytes > 0, "a commit is in the log");
    (void)tap_ok(says(database, true) && says(database, false), "until it is seen");
    free(test_read_file(log_path, &size_bytes));
    (void)tap_ok(size_bytes == 0, "then the log is empty");
    database_close(database);
}

static const char *replaced_path, *replacement_path;

/* Called for every connection that is opened: then another file takes the name. */
static int replace_now(struct sqlite3 *connection, const char **message, const void *routines)
{
    const char *name = sqlite3_db_filename(connection, "main");

    (void)message; /* nothing fails */
    (void)routines;
    if (name != NULL && sqlite3_uri_boolean(name, "immutable", 0) == 0 &&
        test_number(connection, COUNT_MINE) == 1) { /* the old one: it is open now */
        rename_over(replacement_path, replaced_path);
    }
    return SQLITE_OK;
}

/* What is open and what has the name must be the same from the beginning. */
static void test_replaced_while_opened(const char *path, const char *other_path)
{
    struct database *database = NULL;
    struct error err = {0};

    test_remove_database(path);
    make_other(path, 1);
    make_other(other_path, 9);
    replaced_path = path;
    replacement_path = other_path;
    if (sqlite3_auto_extension((void (*)(void))replace_now) != SQLITE_OK) {
        test_bail_out("no extension", path);
    }
    bool is_open = database_open(path, &database, &err);

    sqlite3_reset_auto_extension();
    (void)tap_ok(!is_open && strstr(err.text, "was replaced while it was opened") != NULL &&
                     !is_there(path, "-wal") && !is_there(path, "-shm"),
                 "replaced while it is opened: an error, and no log is left: %s", err.text);
    (void)tap_ok(count_mine(path) == 9, "the file that has the name is as it was");
}

static void test_bad_replacement(const char *path, const char *other_path)
{
    char kept_path[TEST_PATH_BYTES + 8];
    struct database *database = opened(path);
    int64_t prices = test_number(database_connection(database), COUNT_MINE);

    test_run_sql(database_connection(database), INSERT_PRICE); /* in the log yet */
    prices++;
    (void)snprintf(kept_path, sizeof kept_path, "%s-kept", path);
    rename_over(path, kept_path);
    (void)tap_ok(fails_with(database, "has gone while in use"), "a file that has gone is an error");
    (void)tap_ok(!is_there(path, "-wal") && !is_there(path, "-shm"),
                 "and leaves no log that the next one would be spoilt by");
    test_write_file(other_path, "", 0);
    rename_over(other_path, path);
    (void)tap_ok(fails_with(database, "empty file while in use"), "an empty file is not filled");
    test_write_file(other_path, "garbage that is no database at all", 34);
    rename_over(other_path, path);
    (void)tap_ok(fails_with(database, "is not a SQLite database"), "garbage is an error");
    (void)tap_ok(fails_with(database, "is not a SQLite database"), "each time");
    rename_over(kept_path, path);
    (void)tap_ok(says(database, true) &&
                     test_number(database_connection(database), COUNT_MINE) == prices,
                 "put back it is read again, with what its log held");
    test_run_sql(database_connection(database), INSERT_PRICE);
    (void)tap_ok(says(database, true), "and goes on working");
    database_close(database);
    struct sqlite3 *other = other_connection(path);

    (void)tap_ok(test_number(other, COUNT_MINE) == prices + 1, "with nothing lost");
    (void)sqlite3_close(other);
}

/* Writes the bytes of one file over those of another, as cp does. */
static void copy_over(const char *from, const char *to)
{
    size_t length = 0;
    char *bytes = test_read_file(from, &length);

    test_write_file(to, bytes, length);
    free(bytes);
}

/* cp other.db gpuwise.db while it is open. */
static void test_overwritten(const char *path, const char *other_path)
{
    struct database *database = opened(path);
    struct sqlite3 *other = other_connection(path);

    test_run_sql(other, INSERT_PRICE);
    (void)tap_ok(says(database, true) && says(database, false) &&
                     !database_was_overwritten(database),
                 "a commit is no overwriting");
    test_run_sql(other, "PRAGMA wal_checkpoint(PASSIVE)");
    (void)tap_ok(says(database, false) && says(database, false), "nor is a checkpoint");
    (void)sqlite3_close(other);
    test_remove_database(other_path);
    make_other(other_path, 3);
    copy_over(other_path, path);
    (void)tap_ok(says(database, false) && database_is_in_doubt(database),
                 "other bytes in the file: perhaps still being written");
    (void)tap_ok(says(database, true) && database_was_overwritten(database) &&
                     !database_is_in_doubt(database),
                 "the same at the next look: overwritten");
    (void)tap_ok(test_number(database_connection(database), COUNT_MINE) == 3,
                 "what is there now is read");
    (void)tap_ok(says(database, false), "and that is told once");
    test_run_sql(database_connection(database), INSERT_PRICE);
    (void)tap_ok(says(database, true) && !database_was_overwritten(database) &&
                     test_number(database_connection(database), COUNT_MINE) == 4,
                 "it goes on working");
    test_write_file(path, "garbage that is no database at all", 34);
    (void)tap_ok(says(database, false) && fails_with(database, "overwritten while in use") &&
                     fails_with(database, "is not a SQLite database"),
                 "garbage is an error that says so, each time");
    copy_over(other_path, path);
    (void)tap_ok(says(database, false) && says(database, true) &&
                     test_number(database_connection(database), COUNT_MINE) == 3,
                 "until a database is there again");
    database_close(database);
}

int main(void)
{
    char path[TEST_PATH_BYTES];
    char other_path[TEST_PATH_BYTES];

    test_temporary_path(path);
    test_temporary_path(other_path);
    test_writes(path);
    test_replaced(path, other_path);
    test_bad_replacement(path, other_path);
    test_log_outlives_no_name(path, other_path);
    test_log_is_emptied(path);
    test_replaced_while_opened(path, other_path);
    test_overwritten(path, other_path);
    test_remove_database(path);
    test_remove_database(other_path);
    return tap_done();
}
