/* db/backup.c: a copy while others write, what it refuses, and that nothing is left of a failure.
 */
#include "../../db/backup.h"

#include "database_fixture.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static const char INSERT_PAIR[] =
    "INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros, observed_on, source)"
    " VALUES ('one-of-two', 'new', 'USD', 5000000, '2026-11-30', 'test'),"
    " ('two-of-two', 'new', 'USD', 5000000, '2026-11-30', 'test')";

static char folder[TEST_PATH_BYTES]; /* of this test, with nothing else in it */

static const char *in_folder(const char *name, char path[TEST_PATH_BYTES])
{
    (void)snprintf(path, TEST_PATH_BYTES, "%.400s/%.80s", folder, name);
    return path;
}

static size_t files_in_folder(void)
{
    DIR *directory = opendir(folder);
    size_t count = 0;

    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] == '.' ? 0 : 1;
    }
    (void)closedir(directory);
    return count;
}

static int64_t number_in(const char *path, const char *sql)
{
    struct sqlite3 *connection = NULL;

    if (sqlite3_open(path, &connection) != SQLITE_OK) { /* removes its log when it leaves */
        test_bail_out("cannot open", path);
    }
    int64_t number = test_number(connection, sql);

    (void)sqlite3_close(connection);
    return number;
}

static bool refused(const char *from, const char *to, bool may_replace, const char *words)
{
    struct error err = {0};
    size_t before = files_in_folder();
    bool is_refused = !backup_run(from, to, may_replace, &err);

    printf("# %s\n", is_refused ? err.text : "done");
    return is_refused && strstr(err.text, words) != NULL && strchr(err.text, '\n') == NULL &&
           files_in_folder() == before;
}

static void test_refusals(const char *path)
{
    char copy[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
    struct error err = {0};
    struct stat status;

    in_folder("copy.db", copy);
    (void)chmod(path, 0640); /* ours */
    (void)tap_ok(backup_run(path, copy, false, &err), "a copy is made: %s", err.text);
    (void)tap_ok(stat(copy, &status) == 0 && (status.st_mode & 0777) == 0640 &&
                     files_in_folder() == 2,
                 "it has the permissions of the database, and nothing is beside it");
    (void)tap_ok(refused(path, copy, false, "is there already"), "it is not replaced unasked");
    (void)chmod(path, 0666);
    if (geteuid() == 0 && chown(path, 4711, 4712) != 0) {
        test_bail_out("cannot give away", path);
    }
    (void)tap_ok(backup_run(path, copy, true, &err) && stat(copy, &status) == 0 &&
                     (status.st_mode & 0777) == 0660 &&
                     (geteuid() != 0 || (status.st_uid == 4711 && status.st_gid == 4712)),
                 "nothing is everybody's, and root makes it the owner's");
    (void)chmod(path, 0640);
    (void)tap_ok(geteuid() != 0 || chown(path, 0, 0) == 0, "and back");
    (void)tap_ok(backup_run(path, copy, true, &err) && files_in_folder() == 2, "but when asked: %s",
                 err.text);
    (void)tap_ok(refused(path, path, true, "is the database itself"), "the database never is");
    if (symlink(path, in_folder("link.db", other)) != 0) {
        test_bail_out("no link", other);
    }
    (void)tap_ok(refused(path, other, true, "is the database itself"), "not under another name");
    (void)unlink(other);
    test_write_file(in_folder("old.db-wal", other), "frames", 6);
    (void)tap_ok(refused(path, in_folder("old.db", copy), true, "log or journal"),
                 "nor is a name whose log waits");
    (void)unlink(in_folder("old.db-wal", other));
    (void)tap_ok(refused("/nowhere/a.db", in_folder("b.db", copy), false, "/nowhere/a.db"),
                 "no database, no copy");
    (void)tap_ok(refused(path, "/nowhere/at/all.db", false, "/nowhere/at/all.db"),
                 "no folder, no copy");
    in_folder("damaged.db", other);
    size_t size_bytes = 0;
    char *bytes = test_read_file(path, &size_bytes);

    memset(bytes + size_bytes / 2, 0x5a, 40960);
    test_write_file(other, bytes, size_bytes);
    free(bytes);
    (void)tap_ok(refused(other, in_folder("b.db", copy), false, "integrity"),
                 "a copy of a damaged database is not kept");
    (void)unlink(other);
}

/* Called for every connection that is opened: as the copy is, somebody opens the source, writes and
 * leaves. */
static int disturb(struct sqlite3 *opened, const char **message, const void *routines)
{
    const char *name = sqlite3_db_filename(opened, "main");
    struct sqlite3 *connection = NULL;
    char path[TEST_PATH_BYTES];

    (void)message; /* nothing fails */
    (void)routines;
    if (name == NULL || strstr(name, ".part-") == NULL) {
        return SQLITE_OK;
    }
    if (sqlite3_open(in_folder("from.db", path), &connection) != SQLITE_OK) {
        test_bail_out("cannot open", path);
    }
    test_run_sql(connection, INSERT_PAIR);
    (void)sqlite3_close(connection); /* the last one: what it wrote goes into the file */
    return SQLITE_OK;
}

static void test_disturbed(const char *path)
{
    char copy[TEST_PATH_BYTES];
    struct error err = {0};

    if (sqlite3_auto_extension((void (*)(void))disturb) != SQLITE_OK) {
        test_bail_out("no extension", path);
    }
    (void)tap_ok(refused(path, in_folder("b.db", copy), false, "try again"),
                 "no copy of a file that got its first user meanwhile");
    sqlite3_reset_auto_extension();
    (void)tap_ok(backup_run(path, copy, false, &err), "but the next time: %s", err.text);
    (void)unlink(copy);
}

struct writer {
    const char *path;
    atomic_bool is_done;
    atomic_int commits;
};

static void *write_pairs(void *data)
{
    struct writer *writer = data;
    struct sqlite3 *connection = NULL;

    if (sqlite3_open(writer->path, &connection) != SQLITE_OK) {
        test_bail_out("cannot open", writer->path);
    }
    (void)sqlite3_busy_timeout(connection, 30000);
    while (!atomic_load(&writer->is_done)) {
        test_run_sql(connection, INSERT_PAIR);
        (void)atomic_fetch_add(&writer->commits, 1);
    }
    (void)sqlite3_close(connection);
    return NULL;
}

static void wait_for_commits(struct writer *writer, int count)
{
    for (int i = 0; i < 60000 && atomic_load(&writer->commits) < count; i++) {
        (void)usleep(1000);
    }
}

/* Twenty copies while a thread commits pairs of rows: each copy holds whole commits only. */
static void test_under_load(const char *path)
{
    char copy[TEST_PATH_BYTES];
    struct writer writer = {.path = path};
    struct error err = {0};
    pthread_t thread;
    int good = 0, growing = 0;
    int64_t last = -1;

    if (pthread_create(&thread, NULL, write_pairs, &writer) != 0) {
        test_bail_out("no thread", path);
    }
    in_folder("loaded.db", copy);
    for (int i = 0; i < 20; i++) {
        wait_for_commits(&writer, atomic_load(&writer.commits) + 2);
        if (!backup_run(path, copy, true, &err)) {
            printf("# %s\n", err.text);
            continue;
        }
        int64_t ones =
            number_in(copy, "SELECT COUNT(*) FROM gpu_prices WHERE gpu_slug = 'one-of-two'");
        int64_t twos =
            number_in(copy, "SELECT COUNT(*) FROM gpu_prices WHERE gpu_slug = 'two-of-two'");

        good += ones == twos && ones > 0 ? 1 : 0;
        growing += ones > last ? 1 : 0;
        last = ones;
    }
    atomic_store(&writer.is_done, true);
    (void)pthread_join(thread, NULL);
    (void)tap_ok(good == 20 && growing == 20,
                 "20 copies under load of %d commits hold whole commits (%d), each more (%d)",
                 atomic_load(&writer.commits), good, growing);
    struct database *database = NULL;
    bool is_open = database_open(copy, &database, &err);

    (void)tap_ok(is_open, "the last one opens as a database: %s", err.text);
    database_close(database);
    test_remove_database(copy);
}

int main(void)
{
    char path[TEST_PATH_BYTES], copy[TEST_PATH_BYTES];
    struct database *database = NULL;
    struct error err = {0};

    test_temporary_path(folder);
    if (unlink(folder) != 0 || mkdir(folder, 0755) != 0) {
        test_bail_out("no temporary folder", folder);
    }
    if (!database_open(in_folder("from.db", path), &database, &err)) {
        test_bail_out("no database", err.text);
    }
    database_close(database);
    test_refusals(path);
    test_disturbed(path);
    test_under_load(path);
    test_remove_database(path);
    test_remove_database(in_folder("copy.db", copy));
    (void)tap_ok(rmdir(folder) == 0, "and nothing else was left");
    return tap_done();
}
