/* The life of the database: opened, watched, replaced, closed. What is in it is the business of
 * migrate.c, ship.c and catalogue_load.c. One thread at a time per database. */
#include "database.h"

#include "../handlers/engine/embedded.h"
#include "connection.h"
#include "log_note.h"
#include "migrate.h"
#include "ship.h"
#include "statements.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAVE_WAIT_MS = 200 }; /* for others who still use a file that has lost its name */

static const char SELECT_DATA_VERSION[] = "PRAGMA data_version"; /* looks what others committed */
static const char LEAVE_LOG[] = "PRAGMA journal_mode = DELETE";

/* A file beside the database that belongs to the open connection. */
struct companion {
    char *path;
    struct connection_file file;
    bool is_there;
};

struct database {
    char *path;
    struct sqlite3 *connection;      /* NULL: no good file stands under the name */
    struct connection_file file;     /* what is open, as after the last commit that was seen */
    struct connection_file seen;     /* written to without a commit, as seen last */
    struct companion log, log_index; /* PATH-wal and PATH-shm, as SQLite names them */
    int note_fd;                     /* -1: nobody keeps the note of the log */
    unsigned data_version;           /* changes with every commit, whoever makes it */
    bool is_in_doubt;                /* the file's bytes are others, seen once */
    bool had_foreign_log;            /* as it was opened */
    bool was_overwritten;            /* the last change was without a commit */
};

static bool companion_init(struct companion *companion, const char *path, const char *suffix)
{
    size_t room = strlen(path) + strlen(suffix) + 1;

    companion->path = malloc(room);
    if (companion->path == NULL) {
        return false;
    }
    (void)sqlite3_snprintf((int)room, companion->path, "%s%s", path, suffix);
    companion->is_there = connection_file_of(companion->path, &companion->file);
    return true;
}

/* Removes the file if it still is the one of the connection. Once that is closed the number of a
 * file says little, as it may be given to another; then nothing may have been written either. */
static void companion_remove(struct companion *companion, bool is_open)
{
    struct connection_file now;

    if (companion->is_there && connection_file_of(companion->path, &now) &&
        (is_open ? connection_is_same_file(&now, &companion->file)
                 : connection_is_same_state(&now, &companion->file))) {
        (void)unlink(
            companion->path); /* if it stays, opening the new database reports what is wrong */
    }
    companion->is_there = false;
}

/* The connection is about to be closed: is the file there still? */
static void companion_keep(struct companion *companion)
{
    struct connection_file now;

    companion->is_there = companion->is_there && connection_file_of(companion->path, &now) &&
                          connection_is_same_file(&now, &companion->file);
    if (companion->is_there) {
        companion->file = now;
    }
}

/* Remembers the present state as seen. The pragma tells of others only, the rows written of this
 * connection also those of temporary tables. */
static bool note_state(struct database *database, struct error *err)
{
    struct sqlite3 *connection = database->connection;
    int64_t others = 0;

    return statements_number(connection, SELECT_DATA_VERSION, &others, err) &&
           (sqlite3_file_control(connection, "main", SQLITE_FCNTL_DATA_VERSION,
                                 &database->data_version) == SQLITE_OK ||
            statements_fail(connection, "data version", err));
}

/* Migrations and shipped facts. New facts are moved from the log into the file at once, so that a
 * copy or a rename of the file alone is complete. */
static bool fill(struct sqlite3 *connection, struct error *err)
{
    sqlite3_int64 before = sqlite3_total_changes64(connection);

    if (!migrate_run(connection, EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT, err) ||
        !ship_run(connection, EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT, err)) {
        return false;
    }
    if (sqlite3_total_changes64(connection) !=
        before) { /* busy readers put it off, nothing is lost */
        (void)sqlite3_wal_checkpoint_v2(connection, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    return true;
}

static bool open_inspected(const char *path, struct database **database, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    struct database *opened = calloc(1, sizeof *opened);
    struct connection_file before;

    if (opened == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
    }
    opened->note_fd = -1;
    bool was_there = connection_file_of(path, &before);

    if (!connection_open(path, newest, &opened->connection, err) ||
        !fill(opened->connection, err) || !note_state(opened, err)) {
        goto close;
    }
    opened->path = strdup(path);
    if (opened->path == NULL || !companion_init(&opened->log, path, "-wal") ||
        !companion_init(&opened->log_index, path, "-shm")) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
        goto close;
    }
    if (!connection_file_of(path, &opened->file)) {
        (void)error_set(err, ERROR_BAD_DATABASE, "%s: has gone: %s", path, strerror(errno));
        goto close;
    }
    if (was_there && !connection_is_same_file(&before, &opened->file)) {
        opened->file = before; /* closed as one that has lost its name */
        (void)error_set(err, ERROR_BAD_DATABASE, "%s: was replaced while it was opened", path);
        goto close;
    }
    *database = opened;
    return true;
close:
    database_close(opened);
    return false;
}

bool database_inspect(const char *path, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    enum connection_content content = CONNECTION_MISSING;

    assert(path != NULL);
    return connection_inspect(path, newest, &content, err);
}

bool database_open(const char *path, struct database **database, struct error *err)
{
    bool is_foreign = false;

    if (!database_inspect(path, err) || !log_note_set_aside(path, &is_foreign, err) ||
        !open_inspected(path, database, err)) {
        return false;
    }
    (*database)->had_foreign_log = is_foreign;
    return true;
}

bool database_open_shipped(struct database **database, struct error *err)
{
    struct database *opened = calloc(1, sizeof *opened);

    if (opened == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the shipped facts");
    }
    opened->note_fd = -1;
    if (!connection_open_memory(&opened->connection, err) || !fill(opened->connection, err)) {
        database_close(opened);
        return false;
    }
    *database = opened;
    return true;
}

/* Gives up the file, which has lost its name. SQLite finds log and index by name and plays a log
 * into whatever file it finds there, so they must not outlive the file's name: what the log holds
 * goes into the file, and both are removed. Is the name free, and somebody else has the file open,
 * they stay, as they may come back with it; see companion_remove. */
static void let_go(struct database *database, bool is_taken)
{
    struct sqlite3 *connection = database->connection;

    if (connection != NULL) {
        /* what fails here is of a file that has no name left: no more can be done for it */
        (void)sqlite3_busy_timeout(connection, LEAVE_WAIT_MS); /* open: cannot fail */
        (void)sqlite3_wal_checkpoint_v2(connection, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        if (!is_taken) {
            (void)sqlite3_exec(connection, LEAVE_LOG, NULL, NULL, NULL); /* removes them if alone */
        }
    }
    if (is_taken) {
        companion_remove(&database->log, connection != NULL);
        companion_remove(&database->log_index, connection != NULL);
    } else if (connection != NULL) {
        companion_keep(&database->log);
        companion_keep(&database->log_index);
    }
    connection_close(connection);
    database->connection = NULL;
    if (database->note_fd >= 0 && !database->log.is_there) {
        log_note_write(database->note_fd, NULL, NULL);
    }
}

/* Lets go of a file that has lost its name; false: it has it still, or that cannot be known. */
static bool let_go_if_moved(struct database *database)
{
    struct connection_file now;
    bool is_there = connection_file_of(database->path, &now);

    if (is_there ? connection_is_same_file(&now, &database->file) : errno != ENOENT) {
        return false;
    }
    let_go(database, is_there);
    return true;
}

void database_keep_note(struct database *database, int fd)
{
    database->note_fd = fd;
    if (fd >= 0 && database->connection != NULL && database->log.is_there) {
        log_note_write(fd, &database->file, &database->log.file);
    }
}

void database_close(struct database *database)
{
    if (database == NULL) {
        return;
    }
    if (database->file.inode != 0) { /* opened to the end, from a file */
        (void)let_go_if_moved(database);
    }
    connection_close(database->connection);
    free(database->log.path);
    free(database->log_index.path);
    free(database->path);
    free(database);
}

/* errno says why its name leads nowhere. */
static bool fail_gone(const struct database *database, struct error *err)
{
    return error_set(err, ERROR_BAD_DATABASE, "%s: has gone while in use: %s", database->path,
                     strerror(errno));
}

/* The new file must be one of ours before it is opened. */
static bool check_replacement(const struct database *database, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    enum connection_content content = CONNECTION_MISSING;

    if (!connection_inspect(database->path, newest, &content, err)) {
        return false;
    }
    if (content != CONNECTION_OURS) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: %s while in use", database->path,
                         content == CONNECTION_MISSING ? "has gone"
                                                       : "was replaced by an empty file");
    }
    return connection_check_sound(database->path, err);
}

/* Opens what stands under the name in place of what is open, which is closed. */
static bool exchange(struct database *database, struct error *err)
{
    struct database *opened = NULL;

    if (!open_inspected(database->path, &opened, err)) {
        return false;
    }
    assert(opened != NULL); /* the analyzer cannot see it */
    struct database old = *database;

    *database = *opened;
    *opened = old;
    opened->note_fd = -1;
    database_close(opened);
    database_keep_note(database, old.note_fd);
    return true;
}

/* Opens the file that has the name now. */
static bool replace(struct database *database, struct error *err)
{
    return check_replacement(database, err) && exchange(database, err);
}

/* Opens the file again, whose bytes are not those that were read. */
static bool reopen(struct database *database, struct error *err)
{
    struct error trouble = {0};

    return (check_replacement(database, &trouble) && exchange(database, &trouble)) ||
           error_set(err, trouble.code, "overwritten while in use, replace it by rename: %s",
                     trouble.text);
}

/* The file's bytes changed without a commit: by somebody who is perhaps still writing. */
static bool look_again(struct database *database, const struct connection_file *now, bool *changed,
                       struct error *err)
{
    if (!connection_is_same_state(now, &database->seen)) {
        database->seen = *now;
        database->is_in_doubt = true;
        *changed = false;
        return true;
    }
    if (!reopen(database, err)) {
        return false;
    }
    database->was_overwritten = true;
    *changed = true;
    return true;
}

/* After a commit: into the file with it, as far as others allow without waiting, so that the file
 * alone is complete, its state is ours to remember, and a log that is left behind by a crash is
 * empty. */
static bool note_commit(struct database *database, struct error *err)
{
    struct connection_file now;

    (void)sqlite3_busy_timeout(database->connection, 0); /* open: cannot fail */
    (void)sqlite3_wal_checkpoint_v2(database->connection, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                    NULL);
    connection_wait(database->connection);
    database->was_overwritten = false;
    if (!connection_file_of(database->path, &now)) {
        return fail_gone(database, err);
    }
    if (connection_is_same_file(&now, &database->file)) { /* else replaced meanwhile: next time */
        database->file = now;
    }
    return true;
}

bool database_changed(struct database *database, bool *changed, struct error *err)
{
    unsigned data_version = database->data_version;
    struct connection_file now;

    database->is_in_doubt = false;
    if (let_go_if_moved(database) || database->connection == NULL) {
        if (!replace(database, err)) {
            return false;
        }
        *changed = true;
        return true;
    }
    if (!connection_file_of(database->path, &now)) {
        return fail_gone(database, err);
    }
    if (!note_state(database, err)) {
        return false;
    }
    if (data_version == database->data_version) {
        if (connection_is_same_state(&now, &database->file)) {
            *changed = false;
            return true;
        }
        return look_again(database, &now, changed, err);
    }
    *changed = true;
    return note_commit(database, err);
}

bool database_is_in_doubt(const struct database *database)
{
    return database->is_in_doubt;
}

bool database_set_log_aside(const struct database *database)
{
    return database->had_foreign_log;
}

bool database_is_in_place(const struct database *database, struct error *err)
{
    struct connection_file now;

    if (database->path == NULL) {
        return true;
    }
    if (!connection_file_of(database->path, &now)) {
        return fail_gone(database, err);
    }
    return (connection_is_same_file(&now, &database->file) && database->connection != NULL) ||
           error_set(err, ERROR_BAD_DATABASE, "%s: was replaced while in use", database->path);
}

bool database_was_overwritten(const struct database *database)
{
    return database->was_overwritten;
}

char *database_folder(const struct database *database)
{
    return connection_folder(database->path);
}

struct sqlite3 *database_connection(struct database *database)
{
    return database->connection;
}

const char *database_library_version(void)
{
    return sqlite3_libversion();
}

const char *database_library_built(void)
{
    return SQLITE_VERSION;
}
