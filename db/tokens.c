/* The table of tokens. Making, hashing and comparing tokens is server/token.c's. One thread at a
 * time. */
#include "tokens.h"

#include "database.h"
#include "statements.h"

#include <sqlite3.h>
#include <string.h>

static const char INSERT_TOKEN[] = "INSERT INTO tokens (id, name, hash, created_at)"
                                   " SELECT ?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
                                   " WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE name = ?2)";
static const char SELECT_TOKEN[] =
    "SELECT id, name, hash, created_at, last_used_at, revoked_at FROM tokens WHERE id = ?1";
static const char SELECT_TOKENS[] =
    "SELECT id, name, hash, created_at, last_used_at, revoked_at FROM tokens"
    " ORDER BY created_at, id";
static const char REVOKE_TOKEN[] =
    "UPDATE tokens SET revoked_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
    " WHERE name = ?1 AND revoked_at IS NULL";
static const char NOTE_USE[] =
    "UPDATE tokens SET last_used_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
    " WHERE id = ?1 AND revoked_at IS NULL"
    " AND ifnull(last_used_at, '') < strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour')";

bool tokens_is_name(const char *name)
{
    static const char ALLOWED[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-";
    size_t length = strlen(name);

    return length > 0 && length < TOKENS_NAME_BYTES && strspn(name, ALLOWED) == length;
}

/* Runs a statement that changes at most one row, with its texts bound; *changed: it did. */
static bool change(struct sqlite3 *connection, const char *sql, const char *const *texts,
                   int text_count, bool *changed, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, sql, &statement, err)) {
        return false;
    }
    for (int i = 0; i < text_count; i++) {
        if (sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC) != SQLITE_OK) {
            return statements_fail(connection, "tokens", err);
        }
    }
    if (sqlite3_step(statement) != SQLITE_DONE) {
        return statements_fail(connection, "tokens", err);
    }
    *changed = sqlite3_changes(connection) > 0;
    return true;
}

static void read_row(struct sqlite3_stmt *statement, struct tokens_row *row)
{
    statements_copy(statement, 0, row->id, sizeof row->id);
    statements_copy(statement, 1, row->name, sizeof row->name);
    statements_copy(statement, 2, row->hash, sizeof row->hash);
    statements_copy(statement, 3, row->created_at, sizeof row->created_at);
    statements_copy(statement, 4, row->last_used_at, sizeof row->last_used_at);
    statements_copy(statement, 5, row->revoked_at, sizeof row->revoked_at);
}

bool tokens_add(struct database *database, const struct tokens_row *row, struct error *err)
{
    const char *const texts[] = {row->id, row->name, row->hash};
    bool is_added = false;

    if (!change(database_connection(database), INSERT_TOKEN, texts, 3, &is_added, err)) {
        return false;
    }
    return is_added ||
           error_set(err, ERROR_BAD_PARAMETER,
                     "name: \"%s\" is taken, perhaps by a revoked token; give another", row->name);
}

bool tokens_find(struct database *database, const char *id, struct tokens_row *row, bool *found,
                 struct error *err)
{
    struct sqlite3 *connection = database_connection(database);
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, SELECT_TOKEN, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC) != SQLITE_OK) {
        return statements_fail(connection, "tokens", err);
    }
    int result = sqlite3_step(statement);

    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        return statements_fail(connection, "tokens", err);
    }
    *found = result == SQLITE_ROW;
    if (*found) {
        read_row(statement, row);
    }
    return true;
}

bool tokens_each(struct database *database, void (*each)(void *data, const struct tokens_row *row),
                 void *data, struct error *err)
{
    struct sqlite3 *connection = database_connection(database);
    DB_STMT_AUTO statement = NULL;
    int result = SQLITE_DONE;

    if (!statements_prepare(connection, SELECT_TOKENS, &statement, err)) {
        return false;
    }
    for (result = sqlite3_step(statement); result == SQLITE_ROW; result = sqlite3_step(statement)) {
        struct tokens_row row;

        read_row(statement, &row);
        each(data, &row);
    }
    return result == SQLITE_DONE || statements_fail(connection, "tokens", err);
}

bool tokens_revoke(struct database *database, const char *name, struct error *err)
{
    bool is_revoked = false;

    if (!change(database_connection(database), REVOKE_TOKEN, &name, 1, &is_revoked, err)) {
        return false;
    }
    return is_revoked || error_set(err, ERROR_BAD_PARAMETER,
                                   "revoke: no token of the name \"%.40s\" is in use", name);
}

bool tokens_note_use(struct database *database, const char *id, bool *is_good, struct error *err)
{
    struct tokens_row row;
    bool is_found = false, is_noted = false;

    if (!tokens_find(database, id, &row, &is_found, err) ||
        !change(database_connection(database), NOTE_USE, &id, 1, &is_noted, err)) {
        return false;
    }
    *is_good = is_found && row.revoked_at[0] == '\0';
    return true;
}
