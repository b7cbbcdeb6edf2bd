/* Looks at a database for what is wrong with it, and changes nothing. One thread. */
#include "check.h"

#include "../handlers/engine/embedded.h"
#include "catalogue_load.h"
#include "connection.h"
#include "migrate.h"
#include "statements.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

enum { FINDINGS_MAX = 20, LINE_BYTES_MAX = 400 }; /* a damaged file has thousands of faults */

static const char SELECT_VERSION[] = "PRAGMA user_version";
static const char INTEGRITY[] = "SELECT integrity_check FROM pragma_integrity_check"
                                " WHERE integrity_check <> 'ok' LIMIT 20";
static const char FOREIGN_KEYS[] =
    "SELECT printf('row %s of %s points to no row of %s', \"rowid\", \"table\", parent)"
    " FROM pragma_foreign_key_check";
static const char SELECT_HASH[] = "SELECT hash FROM shipped_files WHERE name = ?1";

/* A finding of several lines as several; headings ("*** in database main ***") are left out.
 * Returns how many. */
static size_t tell_lines(struct checkup *checkup, const char *topic, const char *text, size_t most)
{
    size_t count = 0;

    while (*text != '\0' && count < most) {
        size_t length = strcspn(text, "\n");

        if (length > 0 && strncmp(text, "***", 3) != 0) {
            checkup_tell(checkup, CHECKUP_FAULT, topic, "%.*s",
                         (int)(length < LINE_BYTES_MAX ? length : LINE_BYTES_MAX), text);
            count++;
        }
        text += length;
        text += *text == '\n' ? 1 : 0;
    }
    return count;
}

/* Tells every row of the query as a fault; nothing found is told as fine. */
static bool tell_rows(struct sqlite3 *connection, const char *sql, const char *topic,
                      const char *fine, struct checkup *checkup, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    size_t count = 0;

    if (!statements_prepare(connection, sql, &statement, err)) {
        return false;
    }
    int result = sqlite3_step(statement);

    while (result == SQLITE_ROW && count < FINDINGS_MAX) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);

        count +=
            tell_lines(checkup, topic, text == NULL ? "no memory" : text, FINDINGS_MAX - count);
        result = sqlite3_step(statement);
    }
    if (result != SQLITE_DONE && result != SQLITE_ROW) {
        return statements_fail(connection, topic, err);
    }
    if (count == 0) {
        checkup_tell(checkup, CHECKUP_FINE, topic, "%s", fine);
    }
    return true;
}

static bool check_rows(struct sqlite3 *connection, struct checkup *checkup, struct error *err)
{
    return tell_rows(connection, INTEGRITY, "integrity", "every page and row is sound", checkup,
                     err) &&
           tell_rows(connection, FOREIGN_KEYS, "keys", "every row that is pointed to is there",
                     checkup, err);
}

static bool check_schema(struct sqlite3 *connection, bool *is_newest, struct checkup *checkup,
                         struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    int64_t version = 0;

    if (!statements_number(connection, SELECT_VERSION, &version, err)) {
        return false;
    }
    *is_newest = version == newest;
    checkup_tell(checkup, *is_newest ? CHECKUP_FINE : CHECKUP_FAULT, "schema",
                 *is_newest ? "version %lld, that of this program"
                            : "version %lld is older than that of this program: the facts are not"
                              " looked at; gpuwise migrate brings it up to date",
                 (long long)version);
    return true;
}

/* Files of this program whose rows the database does not have yet, or no longer. */
static bool check_shipped(struct sqlite3 *connection, struct checkup *checkup, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    size_t count = 0;

    if (!statements_prepare(connection, SELECT_HASH, &statement, err)) {
        return false;
    }
    for (size_t i = 0; i < EMBEDDED_MIGRATION_COUNT; i++) {
        const struct embedded_file *file = &EMBEDDED_MIGRATIONS[i];
        const char *dot = strrchr(file->name, '.');

        if (dot == NULL || strcmp(dot, ".csv") != 0) {
            continue;
        }
        (void)sqlite3_reset(statement); /* repeats the failure of a step, which returned */
        if (sqlite3_bind_text(statement, 1, file->name, -1, SQLITE_STATIC) != SQLITE_OK) {
            return statements_fail(connection, "shipped_files", err);
        }
        int result = sqlite3_step(statement);

        if (result != SQLITE_ROW && result != SQLITE_DONE) {
            return statements_fail(connection, "shipped_files", err);
        }
        const char *hash =
            result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;

        if (hash == NULL || strcmp(hash, file->hash) != 0) {
            checkup_tell(checkup, CHECKUP_WARNING, "shipped",
                         "%s is not that of this program; gpuwise migrate loads it", file->name);
            count++;
        }
    }
    if (count == 0) {
        checkup_tell(checkup, CHECKUP_FINE, "shipped", "the facts of this program are loaded");
    }
    return true;
}

/* Says a failure of the database itself as a fault of it. */
static bool tell_failure(struct checkup *checkup, const struct error *failure, struct error *err)
{
    if (failure->code != ERROR_BAD_DATABASE && failure->code != ERROR_BAD_FILE) {
        *err = *failure;
        return false;
    }
    checkup_tell(checkup, CHECKUP_FAULT, "database", "%s", failure->text);
    return true;
}

bool check_run(const char *path, int32_t day, struct checkup *checkup, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    struct sqlite3 *connection = NULL;
    struct catalogue *catalogue = NULL;
    struct error failure = {0};
    bool is_newest = false;

    assert(path != NULL);
    if (!connection_open_readonly(path, newest, &connection, &failure)) {
        return tell_failure(checkup, &failure, err);
    }
    bool is_good = statements_begin_read(connection, &failure) && /* all of one moment */
                   check_rows(connection, checkup, &failure) &&
                   check_schema(connection, &is_newest, checkup, &failure) &&
                   (!is_newest || (check_shipped(connection, checkup, &failure) &&
                                   catalogue_load_from(connection, &catalogue, &failure) &&
                                   checkup_catalogue(checkup, catalogue, day, &failure)));

    catalogue_unref(catalogue);
    statements_rollback(connection); /* nothing was written */
    connection_close(connection);
    return is_good || tell_failure(checkup, &failure, err);
}

static void keep_first(void *data, enum checkup_level level, const char *topic, const char *text)
{
    struct error *first = data;

    if (level == CHECKUP_FAULT && first->code == ERROR_NONE) {
        (void)error_set(first, ERROR_BAD_DATABASE, "%s: %s", topic, text);
    }
}

bool check_copy(const char *path, struct error *err)
{
    int64_t newest = migrate_newest(EMBEDDED_MIGRATIONS, EMBEDDED_MIGRATION_COUNT);
    struct error first = {0};
    struct checkup checkup = {.tell = keep_first, .data = &first};
    struct sqlite3 *connection = NULL;

    if (!connection_open_readonly(path, newest, &connection, err)) {
        return false;
    }
    bool is_good = check_rows(connection, &checkup, err);

    connection_close(connection);
    if (first.code != ERROR_NONE) { /* before what may have failed for it */
        *err = first;
        return false;
    }
    return is_good;
}
