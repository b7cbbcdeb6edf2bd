/* db/log_note.c: a log is set aside only where the note says that it is of another file. */
#include "../../db/log_note.h"

#include "database_fixture.h"

#include <fcntl.h>
#include <unistd.h>

static char path[TEST_PATH_BYTES], log_path[TEST_PATH_BYTES + 8], index_path[TEST_PATH_BYTES + 8],
    old_path[TEST_PATH_BYTES + 16], lock_path[TEST_PATH_BYTES + 8];

/* Whether the log is set aside. */
static bool sets_aside(void)
{
    struct error err = {0};
    bool is_foreign = false;

    (void)unlink(old_path);
    bool is_done = log_note_set_aside(path, &is_foreign, &err);

    (void)tap_ok(is_done && is_foreign == (access(log_path, F_OK) != 0) &&
                     is_foreign == (access(index_path, F_OK) != 0) &&
                     is_foreign == (access(old_path, F_OK) == 0),
                 "it says what it does%s", err.text);
    return is_foreign;
}

static void write_lock(const struct connection_file *database, const struct connection_file *log)
{
    int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0) {
        test_bail_out("cannot write", lock_path);
    }
    log_note_write(fd, database, log);
    (void)close(fd); /* a failure shows below */
}

int main(void)
{
    static const char *const NO_NOTES[] = {"", "1", "1 2 3\n", "1 2 3 4", "1 2 3 x\n", "garbage\n"};
    struct connection_file database, other, log;
    struct error err = {0};
    bool is_foreign = true;

    test_temporary_path(path);
    (void)snprintf(log_path, sizeof log_path, "%s-wal", path);
    (void)snprintf(index_path, sizeof index_path, "%s-shm", path);
    (void)snprintf(old_path, sizeof old_path, "%s-wal.old", path);
    (void)snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    test_write_file(path, "database", 8);
    test_write_file(log_path, "log", 3);
    test_write_file(index_path, "index", 5);
    if (!connection_file_of(path, &database) || !connection_file_of(log_path, &log)) {
        test_bail_out("no files", path);
    }
    (void)tap_ok(!sets_aside(), "without a note nothing is moved");
    for (size_t i = 0; i < sizeof NO_NOTES / sizeof NO_NOTES[0]; i++) {
        test_write_file(lock_path, NO_NOTES[i], strlen(NO_NOTES[i]));
        (void)tap_ok(!sets_aside(), "nor by what is none (%zu)", i);
    }
    write_lock(&database, &log);
    (void)tap_ok(!sets_aside(), "nor the log of the file that is there");
    other = database;
    other.inode += log.inode; /* that of neither */
    write_lock(&other, NULL);
    (void)tap_ok(!sets_aside(), "nor after an empty note, which takes the place of the longer one");
    write_lock(&other, &other);
    (void)tap_ok(!sets_aside(), "nor a log that is not the note's");
    write_lock(&other, &log);
    (void)tap_ok(sets_aside(), "the log of another file is");
    (void)tap_ok(log_note_set_aside(path, &is_foreign, &err) && !is_foreign, "once");
    (void)unlink(path);
    test_write_file(log_path, "log", 3);
    (void)tap_ok(log_note_set_aside(path, &is_foreign, &err) && !is_foreign,
                 "where there is no database nothing is known");
    (void)unlink(log_path);
    (void)unlink(old_path);
    (void)unlink(lock_path);
    return tap_done();
}
