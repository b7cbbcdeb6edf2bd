/* db/database.c and db/connection.c: what is opened, what is refused, and that refusing changes
 * nothing. */
#include "../../db/connection.h"
#include "database_fixture.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { NOBODY = 65534 }; /* a user without rights, for when the test runs as root */

static char folder[TEST_PATH_BYTES]; /* of this test, with nothing else in it */

static const char *in_folder(const char *name, char path[TEST_PATH_BYTES])
{
    (void)snprintf(path, TEST_PATH_BYTES, "%.400s/%.80s", folder, name);
    return path;
}

static void make_folder(void)
{
    test_temporary_path(folder);
    if (unlink(folder) != 0 || mkdir(folder, 0755) != 0) {
        test_bail_out("no temporary folder", folder);
    }
}

/* Opens and closes; true when it opened. */
static bool opens(const char *path, struct error *err)
{
    struct database *database = NULL;
    bool is_good = database_open(path, &database, err);

    database_close(database);
    return is_good;
}

/* Refused with these words, and the file holds what it held, with nothing beside it. */
static void refused(const char *path, const char *words, const char *name)
{
    size_t before_bytes = 0;
    size_t after_bytes = 0;
    char *before = test_read_file(path, &before_bytes);
    char beside[TEST_PATH_BYTES + 8];
    struct error err = {0};

    (void)tap_ok(!opens(path, &err) && err.code == ERROR_BAD_DATABASE, "%s is refused", name);
    (void)tap_ok(strstr(err.text, words) != NULL && strstr(err.text, path) != NULL &&
                     strchr(err.text, '\n') == NULL,
                 "... in one line that names it: %s", err.text);
    char *after = test_read_file(path, &after_bytes);

    (void)tap_ok(before_bytes == after_bytes && (before == NULL) == (after == NULL) &&
                     (before == NULL || memcmp(before, after, before_bytes) == 0),
                 "... and not touched");
    (void)snprintf(beside, sizeof beside, "%s-wal", path);
    (void)tap_ok(access(beside, F_OK) != 0, "... and nothing is left beside it");
    free(before);
    free(after);
}

static void test_created(void)
{
    char path[TEST_PATH_BYTES];
    struct error err = {0};
    struct sqlite3 *connection = NULL;
    size_t first_bytes = 0;
    size_t second_bytes = 0;

    (void)tap_ok(opens(in_folder("new.db", path), &err), "a missing file is created: %s", err.text);
    char *first = test_read_file(path, &first_bytes);

    (void)tap_ok(opens(path, &err), "and opened again: %s", err.text);
    char *second = test_read_file(path, &second_bytes);

    (void)tap_ok(first != NULL && second != NULL && first_bytes == second_bytes &&
                     memcmp(first, second, first_bytes) == 0,
                 "which writes nothing, since nothing changed");
    free(first);
    free(second);
    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    (void)tap_ok(test_number(connection, "PRAGMA application_id") == CONNECTION_APPLICATION_ID,
                 "it is marked as ours");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM gpus WHERE import_id IS NULL") >
                         200 &&
                     test_number(connection, "SELECT COUNT(*) FROM pragma_foreign_key_check") == 0,
                 "and filled with the shipped facts");
    (void)tap_ok(test_number(connection, "SELECT journal_mode = 'wal' FROM pragma_journal_mode") ==
                     1,
                 "and keeps a write-ahead log");
    (void)sqlite3_close(connection);
    test_remove_database(path);

    test_write_file(in_folder("empty.db", path), "", 0);
    (void)tap_ok(opens(path, &err), "an empty file is filled: %s", err.text);
    test_remove_database(path);
    test_write_file(in_folder("a ?#%41.db", path), "", 0);
    (void)tap_ok(opens(path, &err), "whatever its name: %s", err.text);
    test_remove_database(path);
}

/* Names that SQLite would take for something else. */
static void test_names(void)
{
    static const char *const NAMES[] = {":memory:", "file:x.db?mode=memory", "plain.db"};
    char path[TEST_PATH_BYTES];
    struct error err = {0};

    if (chdir(folder) != 0) {
        test_bail_out("cannot enter", folder);
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        (void)tap_ok(opens(NAMES[i], &err) && access(in_folder(NAMES[i], path), F_OK) == 0,
                     "%s is a file in the folder: %s", NAMES[i], err.text);
        (void)tap_ok(opens(NAMES[i], &err), "... and opened again: %s", err.text);
        test_remove_database(path);
    }
    (void)snprintf(path, sizeof path, "/%.480s/twice.db", folder);
    (void)tap_ok(opens(path, &err) && opens(path, &err), "two slashes are one: %s", err.text);
    test_remove_database(path);
}

static void test_settings(void)
{
    char path[TEST_PATH_BYTES];
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open(in_folder("settings.db", path), &database, &err)) {
        test_bail_out("cannot open", err.text);
    }
    struct sqlite3 *connection = database_connection(database);

    (void)tap_ok(test_number(connection, "PRAGMA synchronous") == 2,
                 "commits reach the disk (FULL)");
    (void)tap_ok(test_number(connection, "PRAGMA foreign_keys") == 1, "references are checked");
    (void)tap_ok(test_number(connection, "PRAGMA busy_timeout") > 0,
                 "other writers are waited for");
    database_close(database);
    test_remove_database(path);
}

static void test_no_file(void)
{
    char path[TEST_PATH_BYTES];
    struct error err = {0};

    refused(folder, "is a folder, not a file", "a folder");
    refused(in_folder("no/such/folder.db", path), "/no/such cannot be used: No such file",
            "no folder");
    test_write_file(in_folder("plain", path), "x", 1);
    refused(in_folder("plain/x.db", path), "Not a directory", "a file taken for a folder");
    (void)unlink(in_folder("plain", path));
    if (mkfifo(in_folder("pipe", path), 0600) != 0) {
        test_bail_out("no pipe", path);
    }
    (void)tap_ok(!opens(path, &err) && strstr(err.text, "not a file") != NULL,
                 "a pipe is refused, not waited for: %s", err.text);
    (void)unlink(path);
    (void)tap_ok(!opens("", &err) && err.code == ERROR_BAD_DATABASE, "an empty name: %s", err.text);
}

static void test_foreign(void)
{
    char path[TEST_PATH_BYTES];
    struct sqlite3 *connection = NULL;
    char garbage[5000];

    memset(garbage, 'g', sizeof garbage);
    test_write_file(in_folder("garbage.db", path), garbage, sizeof garbage);
    refused(path, "is not a SQLite database", "a file of something else");
    test_write_file(path, "SQLite format 3", 16);
    refused(path, "is not a SQLite database", "only the beginning of a database");
    (void)unlink(path);

    if (sqlite3_open(in_folder("foreign.db", path), &connection) != SQLITE_OK) {
        test_bail_out("cannot create", path);
    }
    test_run_sql(connection, "CREATE TABLE theirs (a)");
    (void)sqlite3_close(connection);
    refused(path, "another program (application_id 0)", "a database with somebody's table");
    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    test_run_sql(connection, "PRAGMA application_id = 7; PRAGMA journal_mode = WAL");
    (void)sqlite3_close(connection);
    refused(path, "another program (application_id 7)", "a database marked by somebody");
    test_remove_database(path);
}

/* A good database of ours under that name. */
static void make_good(const char *path)
{
    struct error err = {0};

    if (!opens(path, &err)) {
        test_bail_out("cannot create", err.text);
    }
}

static void test_newer(void)
{
    char path[TEST_PATH_BYTES];
    char log_path[TEST_PATH_BYTES];
    char copy[TEST_PATH_BYTES];
    char copied_log[TEST_PATH_BYTES];
    struct sqlite3 *connection = NULL;
    struct error err = {0};
    size_t file_bytes = 0;
    size_t log_bytes = 0;
    size_t after_bytes = 0;

    make_good(in_folder("newer.db", path));
    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    test_run_sql(connection, "PRAGMA user_version = 9999");
    /* as a crash leaves it: the file says 1, its log says 9999 */
    char *file = test_read_file(path, &file_bytes);
    char *log = test_read_file(in_folder("newer.db-wal", log_path), &log_bytes);

    test_write_file(in_folder("crashed.db", copy), file, file_bytes);
    test_write_file(in_folder("crashed.db-wal", copied_log), log, log_bytes);
    (void)sqlite3_close(connection);
    refused(path, "newer gpuwise (schema 9999", "a newer database");
    (void)tap_ok(!opens(copy, &err) && strstr(err.text, "schema 9999") != NULL,
                 "a newer database, by its log: %s", err.text);
    char *after = test_read_file(copy, &after_bytes);

    (void)tap_ok(after_bytes == file_bytes && memcmp(after, file, file_bytes) == 0,
                 "... whose file is not touched");
    free(after);
    after = test_read_file(copied_log, &after_bytes);
    (void)tap_ok(after_bytes == log_bytes && log_bytes > 0 && memcmp(after, log, log_bytes) == 0,
                 "... nor its log");
    free(after);
    free(log);
    free(file);
    test_remove_database(path);
    test_remove_database(copy);
}

static void test_damaged(void)
{
    char path[TEST_PATH_BYTES];
    size_t size_bytes = 0;

    make_good(in_folder("damaged.db", path));
    char *bytes = test_read_file(path, &size_bytes);

    if (bytes == NULL || size_bytes < 100000) {
        test_bail_out("no database", path);
    }
    test_write_file(path, bytes, size_bytes / 2);
    refused(path, "is damaged", "a database cut in half");
    memset(bytes + size_bytes / 2, 0xff, 20000);
    test_write_file(path, bytes, size_bytes);
    refused(path, "is damaged", "a database with bad pages");
    free(bytes);
    test_remove_database(path);
}

/* Runs in a child without rights; its exit status is the number of failed expectations. */
static int without_rights(const char *locked, const char *hidden, const char *not_there)
{
    struct error err = {0};
    int failed = 0;

    failed += !opens(locked, &err) && strstr(err.text, "cannot be written to") != NULL ? 0 : 1;
    printf("# %s\n", err.text);
    failed += !opens(hidden, &err) && strstr(err.text, "Permission denied") != NULL ? 0 : 1;
    printf("# %s\n", err.text);
    failed += !opens(not_there, &err) && strstr(err.text, "Permission denied") != NULL ? 0 : 1;
    printf("# %s\n", err.text);
    return failed;
}

static void test_rights(void)
{
    char locked[TEST_PATH_BYTES];
    char hidden[TEST_PATH_BYTES];
    char not_there[TEST_PATH_BYTES];
    int status = -1;

    make_good(in_folder("locked.db", locked));
    make_good(in_folder("hidden.db", hidden));
    if (chmod(locked, 0444) != 0 || chmod(hidden, 0) != 0 || chmod(folder, 0555) != 0) {
        test_bail_out("chmod", folder);
    }
    (void)fflush(stdout); /* or the child prints it again */
    pid_t child = fork();

    if (child == 0) {
        bool is_done = geteuid() != 0 || setuid(NOBODY) == 0;

        status = is_done ? without_rights(locked, hidden, in_folder("none.db", not_there)) : 9;
        (void)fflush(stdout); /* only comments */
        _exit(status);
    }
    (void)waitpid(child, &status, 0); /* status stays -1 when it fails */
    (void)tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                 "a file one may not write, one may not read, and a folder one may not write to");
    (void)chmod(folder, 0755); /* or nothing below can be removed, which the end reports */
    test_remove_database(locked);
    test_remove_database(hidden);
}

/* In a folder one may write, beside a file one may not, SQLite would leave a log and its index. */
static void test_read_only(void)
{
    char path[TEST_PATH_BYTES];
    char log_path[TEST_PATH_BYTES];
    char index_path[TEST_PATH_BYTES];
    int status = -1;

    make_good(in_folder("read_only.db", path));
    (void)in_folder("read_only.db-wal", log_path);
    (void)in_folder("read_only.db-shm", index_path);
    if (chmod(path, 0444) != 0 || chmod(folder, 0777) != 0) {
        test_bail_out("chmod", folder);
    }
    (void)fflush(stdout); /* or the child prints it again */
    if (fork() == 0) {
        struct error err = {0};
        bool is_nobody = geteuid() != 0 || setuid(NOBODY) == 0;

        _exit(is_nobody && !database_inspect(path, &err) && !opens(path, &err) &&
                      strstr(err.text, "cannot be written to") != NULL
                  ? 0
                  : 1);
    }
    (void)wait(&status); /* status stays -1 when it fails */
    (void)tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(log_path, F_OK) != 0 &&
                     access(index_path, F_OK) != 0,
                 "a file one may not write, in a folder one may: refused, nothing made beside it");
    (void)chmod(folder, 0755); /* or nothing below can be removed, which the end reports */
    test_remove_database(path);
}

/* Starts programs that open one file at once; how many of them could. */
static int open_together(const char *path, int programs)
{
    int good = 0;

    (void)fflush(stdout); /* or the children print it again */
    for (int i = 0; i < programs; i++) {
        if (fork() == 0) {
            struct error err = {0};
            bool is_good = opens(path, &err);

            printf("%s%s%s", is_good ? "" : "# ", err.text, is_good ? "" : "\n");
            (void)fflush(stdout); /* only comments */
            _exit(is_good ? 0 : 1);
        }
    }
    for (int i = 0; i < programs; i++) {
        int status = -1;

        (void)wait(&status); /* status stays -1 when it fails */
        good += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    return good;
}

/* Several programs start on the same new file at once: whichever is first, and however far. */
static void test_together(void)
{
    enum { ROUNDS = 8, PROGRAMS = 4 };
    char path[TEST_PATH_BYTES];
    int good = 0;

    (void)in_folder("together.db", path);
    for (int round = 0; round < ROUNDS; round++) {
        good += open_together(path, PROGRAMS);
        test_remove_database(path);
    }
    (void)tap_ok(good == ROUNDS * PROGRAMS, "of %d times %d programs at once %d open a new file",
                 ROUNDS, PROGRAMS, good);
}

static int64_t now_us(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A program killed while it fills a new file, at any part of the time it takes, leaves nothing that
 * stops the next one. */
static void test_killed(void)
{
    enum { KILLS = 24 };
    char path[TEST_PATH_BYTES];
    struct error err = {0};

    (void)in_folder("killed.db", path);
    int64_t begin_us = now_us();
    bool is_good = opens(path, &err);
    int64_t whole_us = now_us() - begin_us;

    test_remove_database(path);
    for (int i = 1; is_good && i <= KILLS; i++) {
        (void)fflush(stdout); /* or the child prints it again */
        pid_t child = fork();

        if (child == 0) {
            _exit(opens(path, &err) ? 0 : 1);
        }
        (void)usleep((useconds_t)(whole_us * i / KILLS));
        (void)kill(child, SIGKILL); /* it may be done already */
        (void)waitpid(child, NULL, 0);
        is_good = opens(path, &err);
        test_remove_database(path);
    }
    (void)tap_ok(is_good, "killed at %d times, opened again: %s", KILLS, err.text);
}

/* Killed while the log is moved into the file: its head is new, and the pages it leads to stand in
 * the log only. */
static void test_killed_in_checkpoint(void)
{
    enum { HEAD_BYTES = 4096 };
    char path[TEST_PATH_BYTES];
    struct sqlite3 *connection = NULL;
    struct error err = {0};
    size_t size_bytes = 0;

    make_good(in_folder("checkpoint.db", path));
    if (sqlite3_open(path, &connection) != SQLITE_OK) {
        test_bail_out("no database", path);
    }
    (void)sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
    test_run_sql(connection, "PRAGMA wal_autocheckpoint = 0; VACUUM"); /* all pages into the log */
    (void)sqlite3_close(connection);
    char *bytes = test_read_file(path, &size_bytes);

    if (bytes == NULL || size_bytes <= HEAD_BYTES) {
        test_bail_out("no database", path);
    }
    test_write_file(path, bytes, HEAD_BYTES);
    free(bytes);
    (void)tap_ok(opens(path, &err), "killed while the log is moved, opened again: %s", err.text);
    bytes = test_read_file(path, &size_bytes);
    (void)tap_ok(bytes != NULL && size_bytes > HEAD_BYTES, "... and then all is in the file");
    free(bytes);
    test_remove_database(path);
}

int main(void)
{
    make_folder();
    test_created();
    test_names();
    test_settings();
    test_no_file();
    test_foreign();
    test_newer();
    test_damaged();
    test_rights();
    test_read_only();
    test_together();
    test_killed();
    test_killed_in_checkpoint();
    (void)tap_ok(rmdir(folder) == 0, "no file is left anywhere");
    return tap_done();
}
