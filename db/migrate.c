/* Runs pending migrations. It does not check whose database it is (connection.c does). One thread.
 */
#include "migrate.h"

#include "statements.h"

#include <sqlite3.h>
#include <string.h>

static const char SELECT_VERSION[] = "PRAGMA user_version";

/* 12 of "0012_name.sql"; 0: no migration. */
static int64_t number_of(const char *name)
{
    size_t length = strlen(name);
    int64_t number = 0;

    if (strspn(name, "0123456789") != 4 || name[4] != '_' || length < 9 ||
        strcmp(name + length - 4, ".sql") != 0) {
        return 0;
    }
    for (size_t i = 0; i < 4; i++) {
        number = number * 10 + (name[i] - '0');
    }
    return number;
}

/* One migration inside the caller's transaction. */
static bool apply(struct sqlite3 *connection, const struct embedded_file *file, struct error *err)
{
    char *sql = sqlite3_mprintf("%.*s\n;PRAGMA user_version = %lld", (int)file->size_bytes,
                                (const char *)file->bytes, (long long)number_of(file->name));

    if (sql == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "migration %s: no memory", file->name);
    }
    int result = sqlite3_exec(connection, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return result == SQLITE_OK || statements_fail(connection, file->name, err);
}

/* Another process may have been quicker: the version is read again under the write lock. */
static bool migrate_one(struct sqlite3 *connection, const struct embedded_file *file,
                        struct error *err)
{
    int64_t version = 0;

    if (!statements_begin(connection, err)) {
        return false;
    }
    if (!statements_number(connection, SELECT_VERSION, &version, err)) {
        goto rollback;
    }
    if (version < number_of(file->name) && !apply(connection, file, err)) {
        goto rollback;
    }
    if (!statements_commit(connection, err)) {
        goto rollback;
    }
    return true;
rollback:
    statements_rollback(connection);
    return false;
}

bool migrate_run(struct sqlite3 *connection, const struct embedded_file *files, size_t count,
                 struct error *err)
{
    int64_t version = 0;

    if (!statements_number(connection, SELECT_VERSION, &version, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (number_of(files[i].name) > version && !migrate_one(connection, &files[i], err)) {
            return false;
        }
    }
    return true;
}

int64_t migrate_newest(const struct embedded_file *files, size_t count)
{
    int64_t newest = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t number = number_of(files[i].name);

        newest = number > newest ? number : newest;
    }
    return newest;
}
