/* Looking at a database file without touching it, and opening one that is ours. */
#ifndef GPUWISE_DB_CONNECTION_H
#define GPUWISE_DB_CONNECTION_H

#include "../handlers/engine/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sqlite3;

enum { CONNECTION_APPLICATION_ID = 0x67707577 }; /* "gpuw" in the header of our files */

enum connection_content {
    CONNECTION_MISSING, /* no such file, but a folder to create it in */
    CONNECTION_EMPTY,   /* no bytes, or a SQLite database into which nothing was ever written */
    CONNECTION_OURS     /* application_id is ours and user_version is not above newest */
};

/* Which file stands under a name, and since when it holds what it holds. */
struct connection_file {
    dev_t device;
    ino_t inode;
    int64_t size_bytes, written_ns;
};

/* Says what stands under the path, reading the file only: nothing is created, locked or recovered.
 * Fails with ERROR_BAD_DATABASE for anything that is neither missing, empty nor ours. */
bool connection_inspect(const char *path, int64_t newest_version, enum connection_content *content,
                        struct error *err) MUST_CHECK;

/* PRAGMA quick_check of a file of ours nobody writes to, in the same untouching way. */
bool connection_check_sound(const char *path, struct error *err) MUST_CHECK;

/* Opens a file that connection_inspect accepted, creating it when missing; checks it again with
 * what may stand in its log, and that it is sound and writable; then sets write-ahead log,
 * synchronous=FULL, foreign keys and a busy timeout. On failure a file that was there holds what it
 * held. */
bool connection_open(const char *path, int64_t newest_version, struct sqlite3 **connection,
                     struct error *err) MUST_CHECK;

/* Opens a file of ours to read it as it is now, whoever else has it open: writers do not wait, and
 * no byte of it changes. Fails with ERROR_SYSTEM where there is no file, ERROR_BAD_DATABASE where
 * it is not ours. A file without a log beside it has no user, and is read without one. */
bool connection_open_readonly(const char *path, int64_t newest_version, struct sqlite3 **connection,
                              struct error *err) MUST_CHECK;

/* Opens a file that is there to be written by sqlite3_backup alone: no log or journal beside it,
 * nothing is forced to the disk. */
bool connection_open_copy(const char *path, struct sqlite3 **connection,
                          struct error *err) MUST_CHECK;

/* An empty database in memory. */
bool connection_open_memory(struct sqlite3 **connection, struct error *err) MUST_CHECK;

/* From now on other programs that write are waited for as after opening: 30 seconds, or as long as
 * a busy handler set later says. */
void connection_wait(struct sqlite3 *connection);

/* NULL is accepted. */
void connection_close(struct sqlite3 *connection);

/* The folder that the file stands in; free() it. NULL: out of memory. */
char *connection_folder(const char *path) MUST_CHECK;

/* False: nothing there, or it cannot be looked at (errno says why). */
bool connection_file_of(const char *path, struct connection_file *file) MUST_CHECK;

bool connection_is_same_file(const struct connection_file *a, const struct connection_file *b);

/* The same file, and not written to in between. */
bool connection_is_same_state(const struct connection_file *a, const struct connection_file *b);

#endif
