/* The lock beside a database. SQLite lets many processes share a file, and so does gpuwise for
 * tools; only the server must be alone. Main thread. */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE_OWNER_AND_GROUP = 0640 };

/* Whether the file opened still is the one that stands under the name: who held it may have removed
 * it. */
static bool is_current(int fd, const char *path)
{
    struct stat opened, named;

    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

bool lock_take(const char *database_path, struct lock *lock, struct error *err)
{
    char *path = NULL;

    lock->fd = -1;
    lock->path = NULL;
    if (asprintf(&path, "%s.lock", database_path) < 0) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
    }
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, MODE_OWNER_AND_GROUP);

        if (fd < 0) {
            (void)error_set(err, ERROR_SYSTEM, "cannot create %s: %s", path, strerror(errno));
            goto free_path;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            int fault = errno;

            (void)close(fd);
            if (fault == EWOULDBLOCK) {
                (void)error_set(err, ERROR_BAD_DATABASE,
                                "database %s is in use by another gpuwise server (%s is locked)",
                                database_path, path);
            } else {
                (void)error_set(err, ERROR_SYSTEM, "cannot lock %s: %s", path, strerror(fault));
            }
            goto free_path;
        }
        if (is_current(fd, path)) {
            lock->fd = fd;
            lock->path = path;
            return true;
        }
        (void)close(fd);
    }

free_path:
    free(path);
    return false;
}

void lock_release(struct lock *lock)
{
    if (lock->fd >= 0) {
        (void)unlink(lock->path); /* while still held: nobody else can hold it now */
        (void)close(lock->fd);
    }
    free(lock->path);
    lock->fd = -1;
    lock->path = NULL;
}
