/* One server per database: a lock file beside it. */
#ifndef GPUWISE_LOCK_H
#define GPUWISE_LOCK_H

#include "../handlers/engine/error.h"

struct lock {
    int fd;     /* -1: not held */
    char *path; /* of the lock file */
};

/* Locks the file PATH.lock, creating it; the kernel releases it however the process ends. Fails
 * with ERROR_BAD_DATABASE when another process holds it, ERROR_SYSTEM when it cannot be made. */
bool lock_take(const char *database_path, struct lock *lock, struct error *err) MUST_CHECK;

/* Removes the file and lets go. Accepts one not held. */
void lock_release(struct lock *lock);

#endif
