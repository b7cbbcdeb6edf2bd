/* Copies a database that is in use. It knows no table. One thread. */
#include "backup.h"

#include "../handlers/engine/embedded.h"
#include "check.h"
#include "connection.h"
#include "migrate.h"
#include "statements.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PAGES_PER_STEP = 1024,
    OWNER_BITS = 0600,          /* a copy holds the hashes of tokens: nobody else may */
    OWNER_AND_GROUP_BITS = 0660 /* read it but the database's own group */
};

static const char SELECT_SOMETHING[] = "SELECT COUNT(*) FROM sqlite_schema";

static bool fail_system(const char *path, const char *what, struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "%s: %s: %s", path, what, strerror(errno));
}

/* A log or journal of the file that stands there now would be played into the one put in its
 * place. */
static bool has_companion(const char *path, bool *is_there, struct error *err)
{
    static const char *const SUFFIXES[] = {"-wal", "-journal"};

    *is_there = false;
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++) {
        char *name = sqlite3_mprintf("%s%s", path, SUFFIXES[i]);

        if (name == NULL) {
            return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory for its name", path);
        }
        *is_there = *is_there || access(name, F_OK) == 0;
        sqlite3_free(name);
    }
    return true;
}

/* Whether the copy may stand under this name. */
static bool check_target(const char *database_path, const char *path, bool may_replace,
                         struct error *err)
{
    struct connection_file database, target;
    bool is_in_use = false;

    if (!has_companion(path, &is_in_use, err)) {
        return false;
    }
    if (is_in_use) {
        return error_set(err, ERROR_SYSTEM,
                         "%s: a log or journal of a database stands beside it; choose another name",
                         path);
    }
    if (!connection_file_of(path, &target)) {
        return errno == ENOENT || fail_system(path, "cannot be looked at", err);
    }
    if (connection_file_of(database_path, &database) &&
        connection_is_same_file(&database, &target)) {
        return error_set(err, ERROR_SYSTEM, "%s: is the database itself", path);
    }
    return may_replace ||
           error_set(err, ERROR_SYSTEM, "%s: is there already; --overwrite yes replaces it", path);
}

/* The database's owner, group and permissions, as far as this user may give them, but none for
 * everybody: who may not give the group gives it nothing. */
static bool take_permissions(int fd, const struct stat *database)
{
    bool has_group = fchown(fd, database->st_uid, database->st_gid) == 0 ||
                     fchown(fd, (uid_t)-1, database->st_gid) == 0;

    return fchmod(fd, database->st_mode & (has_group ? OWNER_AND_GROUP_BITS : OWNER_BITS)) == 0;
}

/* An empty file beside the target; *name: free() it. */
static bool make_temporary(const char *database_path, const char *path, char **name,
                           struct error *err)
{
    struct stat status;
    char *made = NULL;

    if (stat(database_path, &status) != 0) {
        return fail_system(database_path, "cannot be looked at", err);
    }
    if (asprintf(&made, "%s.part-XXXXXX", path) < 0) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory for its name", path);
    }
    int fd = mkstemp(made);

    if (fd < 0) {
        (void)fail_system(path, "cannot be created", err);
        free(made);
        return false;
    }
    if (!take_permissions(fd, &status)) {
        (void)fail_system(path, "cannot get the permissions of the database", err);
        (void)close(fd); /* empty */
        (void)unlink(made);
        free(made);
        return false;
    }
    (void)close(fd); /* empty: nothing to lose */
    *name = made;
    return true;
}

/* All pages, as they stood when the source began to read. */
static bool copy_pages(struct sqlite3 *source, struct sqlite3 *target, struct error *err)
{
    struct sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
    int result = SQLITE_OK;

    if (backup == NULL) {
        return statements_fail(target, "backup", err);
    }
    while (result == SQLITE_OK) {
        result = sqlite3_backup_step(backup, PAGES_PER_STEP);
    }
    (void)sqlite3_backup_finish(backup); /* repeats the failure, if there was one */
    return result == SQLITE_DONE ||
           error_set(err, result == SQLITE_CORRUPT ? ERROR_BAD_DATABASE : ERROR_SYSTEM,
                     "%s: cannot be copied: %s", sqlite3_db_filename(source, "main"),
                     sqlite3_errstr(result));
}

/* A source that nobody had open is read without locks; who has opened it since may have written
 * between its pages. */
static bool check_undisturbed(struct sqlite3 *source, const char *database_path,
                              const struct connection_file *before, struct error *err)
{
    struct connection_file now;

    if (sqlite3_uri_boolean(sqlite3_db_filename(source, "main"), "immutable", 0) == 0) {
        return true;
    }
    return (connection_file_of(database_path, &now) && connection_is_same_state(&now, before)) ||
           error_set(err, ERROR_SYSTEM, "%s: was written to while it was copied; try again",
                     database_path);
}

/* Holds one read transaction over all steps: what others commit meanwhile neither gets into the
 * copy nor makes it start again. */
static bool copy(const char *database_path, const char *path, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    struct sqlite3 *source = NULL;
    struct sqlite3 *target = NULL;
    struct connection_file before;
    int64_t count = 0;
    bool is_good = false;

    if (!connection_file_of(database_path, &before)) {
        return fail_system(database_path, "cannot be looked at", err);
    }
    if (!connection_open_readonly(database_path, newest, &source, err)) {
        return false;
    }
    if (!connection_open_copy(path, &target, err)) {
        goto close_source;
    }
    is_good = statements_begin_read(source, err) &&
              statements_number(source, SELECT_SOMETHING, &count, err) &&
              copy_pages(source, target, err) &&
              check_undisturbed(source, database_path, &before, err);
    connection_close(target);
close_source:
    statements_rollback(source); /* nothing was written */
    connection_close(source);
    return is_good;
}

/* Forces a file, or the entries of a folder, to the disk. */
static bool force(const char *path, int flags, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);

    if (fd < 0 || fsync(fd) != 0) {
        (void)fail_system(path, "cannot be forced to the disk", err);
        if (fd >= 0) {
            (void)close(fd); /* read only */
        }
        return false;
    }
    (void)close(fd);
    return true;
}

static bool force_folder(const char *path, struct error *err)
{
    char *folder = connection_folder(path);

    if (folder == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory for its name", path);
    }
    bool is_good = force(folder, O_DIRECTORY, err);

    free(folder);
    return is_good;
}

/* Under its own name. A file that has come there meanwhile is not replaced by link(). */
static bool put_in_place(const char *temporary, const char *path, bool may_replace,
                         struct error *err)
{
    if ((may_replace ? rename(temporary, path) : link(temporary, path)) != 0) {
        return fail_system(path, "cannot be put in place", err);
    }
    return true;
}

bool backup_run(const char *database_path, const char *path, bool may_replace, struct error *err)
{
    char *temporary = NULL;

    assert(database_path != NULL && path != NULL);
    if (!check_target(database_path, path, may_replace, err) ||
        !make_temporary(database_path, path, &temporary, err)) {
        return false;
    }
    assert(temporary != NULL); /* the analyzer cannot see it */
    bool is_good = copy(database_path, temporary, err) && force(temporary, 0, err) &&
                   check_copy(temporary, err) && put_in_place(temporary, path, may_replace, err);

    (void)unlink(temporary); /* its second name, or what has failed; renamed: it has gone */
    free(temporary);
    return is_good && force_folder(path, err);
}
