/* Tokens on the command line. Main thread, with a connection of its own: a server may run. */
#include "token_command.h"

#include "../db/database.h"
#include "../db/tokens.h"
#include "open_command.h"
#include "owner.h"
#include "token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)TOKEN_ID_BYTES == (int)TOKENS_ID_BYTES &&
                   (int)TOKEN_HASH_BYTES == (int)TOKENS_HASH_BYTES,
               "a row holds what a token has");

static void print_row(void *data, const struct tokens_row *row)
{
    const char *used = row->last_used_at[0] == '\0' ? "-" : row->last_used_at;
    const char *revoked = row->revoked_at[0] == '\0' ? "-" : row->revoked_at;

    (void)data; /* printing needs nothing else */
    (void)printf("%-40s %-20s %-20s %s\n", row->name, row->created_at, used, revoked);
}

static bool list(struct database *database, struct error *err)
{
    (void)printf("%-40s %-20s %-20s %s\n", "name", "created", "last used", "revoked");
    return tokens_each(database, print_row, NULL, err);
}

/* The token is of no use to anyone who has not read it: then it is revoked at once. */
static bool print_or_revoke(struct database *database, const struct token *token, const char *name,
                            struct error *err)
{
    char text[TOKEN_TEXT_BYTES];
    struct error trouble = {0};

    token_write(token, text);
    bool is_printed = printf("%s\n", text) > 0 && fflush(stdout) == 0;
    int reason = errno;

    explicit_bzero(text, sizeof text);
    if (is_printed) {
        return true;
    }
    bool is_revoked = tokens_revoke(database, name, &trouble);

    return error_set(err, ERROR_SYSTEM,
                     "the token cannot be written to standard output: %s; it is %s: %s",
                     strerror(reason), is_revoked ? "revoked" : "still good",
                     is_revoked ? "make another" : trouble.text);
}

static bool add(struct database *database, const char *name, struct error *err)
{
    struct tokens_row row = {.id = ""};
    struct token token = {.id = ""};
    bool is_good = token_make(&token, err) && token_hash(&token, row.hash, err);

    if (is_good) {
        (void)snprintf(row.id, sizeof row.id, "%s", token.id);
        (void)snprintf(row.name, sizeof row.name, "%s", name == NULL ? token.id : name);
        is_good = tokens_add(database, &row, err) && database_is_in_place(database, err) &&
                  print_or_revoke(database, &token, row.name, err);
    }
    explicit_bzero(&token, sizeof token);
    return is_good;
}

bool token_command_run(const char *db_path, const struct token_command *command, struct error *err)
{
    struct database *database = NULL;
    int asked = (command->name != NULL) + (command->revoke != NULL) + command->wants_list;

    if (asked > 1) {
        return error_set(err, ERROR_BAD_SETTING,
                         "give one of --name NAME, --list and --revoke NAME");
    }
    bool is_adding = command->revoke == NULL && !command->wants_list;

    if (is_adding ? !open_command_any(db_path, &database, err)
                  : !open_command_existing(db_path, &database, err)) {
        return false;
    }
    owner_warn(db_path);
    bool is_good = command->wants_list       ? list(database, err)
                   : command->revoke != NULL ? tokens_revoke(database, command->revoke, err) &&
                                                   database_is_in_place(database, err)
                                             : add(database, command->name, err);

    database_close(database);
    return is_good;
}
