/* The note of a log. Knows no SQLite but the names it gives. One thread at a time. */
#include "log_note.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOG_NOTE_BYTES = 128, /* with the NUL */
    NUMBERS = 4           /* of the database its device and inode, then of the log */
};

void log_note_write(int fd, const struct connection_file *database,
                    const struct connection_file *log)
{
    char note[LOG_NOTE_BYTES] = "";

    if (log != NULL) {
        (void)snprintf(note, sizeof note, "%ju %ju %ju %ju\n", (uintmax_t)database->device,
                       (uintmax_t)database->inode, (uintmax_t)log->device, (uintmax_t)log->inode);
    }
    ssize_t written = pwrite(fd, note, sizeof note, 0); /* one block: all of it or nothing */

    (void)written; /* see the header */
}

/* Whether all numbers are there. */
static bool read_note(const char *note, uintmax_t numbers[NUMBERS])
{
    for (size_t i = 0; i < NUMBERS; i++) {
        char *end = NULL;

        numbers[i] = strtoumax(note, &end, 10);
        if (end == note) {
            return false;
        }
        note = end;
    }
    return *note == '\n';
}

static bool is_file(const struct connection_file *file, const uintmax_t numbers[2])
{
    return file->device == numbers[0] && file->inode == numbers[1];
}

/* The name of a file beside the database; free() it. */
static char *beside(const char *path, const char *suffix)
{
    char *name = NULL;

    return asprintf(&name, "%s%s", path, suffix) < 0 ? NULL : name;
}

/* What PATH.lock holds; empty: nothing, or it cannot be read. */
static void read_lock(const char *lock_path, char note[LOG_NOTE_BYTES])
{
    int fd = open(lock_path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? 0 : pread(fd, note, LOG_NOTE_BYTES - 1, 0);

    note[count > 0 ? count : 0] = '\0';
    if (fd >= 0) {
        (void)close(fd); /* read only */
    }
}

static bool is_foreign_log(const char *path, const char *log_path, const char *note)
{
    struct connection_file database, log;
    uintmax_t numbers[NUMBERS] = {0};

    return read_note(note, numbers) && connection_file_of(path, &database) &&
           !is_file(&database, numbers) && connection_file_of(log_path, &log) &&
           is_file(&log, numbers + 2);
}

bool log_note_set_aside(const char *path, bool *is_foreign, struct error *err)
{
    char *lock_path = beside(path, ".lock");
    char *log_path = beside(path, "-wal");
    char *index_path = beside(path, "-shm");
    char *old_path = beside(path, "-wal.old");
    char note[LOG_NOTE_BYTES];
    bool is_done = lock_path != NULL && log_path != NULL && index_path != NULL && old_path != NULL;

    if (!is_done) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
        goto free_names;
    }
    read_lock(lock_path, note);
    *is_foreign = is_foreign_log(path, log_path, note);
    if (*is_foreign) {
        is_done = rename(log_path, old_path) == 0 ||
                  error_set(err, ERROR_BAD_DATABASE, "%s: belongs to another file: %s", log_path,
                            strerror(errno));
        (void)unlink(index_path); /* without its log it says nothing */
    }
free_names:
    free(old_path);
    free(index_path);
    free(log_path);
    free(lock_path);
    return is_done;
}
