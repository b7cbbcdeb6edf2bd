/* The table of tokens, in a file. */
#include "../../db/tokens.h"

#include "../../db/database.h"
#include "database_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static const char HASH[] =
    "$y$j75$bdz5akChd.Lg.akOAoFqI.$mQOXjphp0ga5LGtY7YXp9tja.Ghycvo8vIXTH7x1QuC";

static struct tokens_row row_of(const char *id, const char *name)
{
    struct tokens_row row = {.id = ""};

    (void)snprintf(row.id, sizeof row.id, "%s", id);
    (void)snprintf(row.name, sizeof row.name, "%s", name);
    (void)snprintf(row.hash, sizeof row.hash, "%s", HASH);
    return row;
}

static void test_names(void)
{
    tap_ok(tokens_is_name("a") && tokens_is_name("lab-script.7@host_x") &&
               tokens_is_name("0123456789012345678901234567890123456789"),
           "names of up to 40 letters, digits and . _ @ -");
    tap_ok(!tokens_is_name("") && !tokens_is_name("a b") && !tokens_is_name("a\"b") &&
               !tokens_is_name("ä") && !tokens_is_name("01234567890123456789012345678901234567890"),
           "and no others");
}

static void count_row(void *data, const struct tokens_row *row)
{
    char *names = data;
    size_t used = strlen(names);

    (void)snprintf(names + used, 256 - used, "%s%s ", row->name,
                   row->revoked_at[0] == '\0' ? "" : "(revoked)");
}

static void test_table(struct database *database)
{
    struct tokens_row first = row_of("0123456789ab", "lab"), second = row_of("ba9876543210", "lab");
    struct tokens_row found = {.id = ""};
    struct error err = {0};
    char names[256] = "";
    bool is_found = false, is_good = false;

    tap_ok(tokens_add(database, &first, &err), "a token is added");
    tap_ok(!tokens_add(database, &second, &err) && err.code == ERROR_BAD_PARAMETER &&
               strstr(err.text, "\"lab\" is taken") != NULL,
           "a second of the same name is not: %s", err.text);
    tap_ok(tokens_find(database, "0123456789ab", &found, &is_found, &err) && is_found,
           "it is found by its public part");
    tap_ok(strcmp(found.name, "lab") == 0 && strcmp(found.hash, HASH) == 0 &&
               strlen(found.created_at) == 20 && found.last_used_at[0] == '\0' &&
               found.revoked_at[0] == '\0',
           "with name, hash and the time it was made");
    tap_ok(tokens_find(database, "ba9876543210", &found, &is_found, &err) && !is_found,
           "another is not");
    tap_ok(tokens_note_use(database, "0123456789ab", &is_good, &err) && is_good &&
               tokens_find(database, "0123456789ab", &found, &is_found, &err) &&
               strlen(found.last_used_at) == 20,
           "its use is noted");
    sqlite3_int64 changes = sqlite3_total_changes64(database_connection(database));

    tap_ok(tokens_note_use(database, "0123456789ab", &is_good, &err) && is_good &&
               sqlite3_total_changes64(database_connection(database)) == changes,
           "again within the hour it is good and writes nothing");
    tap_ok(tokens_revoke(database, "lab", &err) &&
               tokens_find(database, "0123456789ab", &found, &is_found, &err) && is_found &&
               strlen(found.revoked_at) == 20,
           "revoked it stays, with the time");
    tap_ok(tokens_note_use(database, "0123456789ab", &is_good, &err) && !is_good,
           "and cannot be used");
    tap_ok(!tokens_revoke(database, "lab", &err) && err.code == ERROR_BAD_PARAMETER,
           "nor revoked again: %s", err.text);
    tap_ok(!tokens_add(database, &second, &err), "its name is not given again");
    second = row_of("ba9876543210", "nightly");
    tap_ok(tokens_add(database, &second, &err) && tokens_each(database, count_row, names, &err),
           "all are listed");
    tap_text(names, "lab(revoked) nightly ", "in the order they were made");
}

int main(void)
{
    char path[] = "/tmp/gpuwise-tokens-XXXXXX";
    char name[sizeof path + 8];
    struct database *database = NULL;
    struct error err = {0};

    test_names();
    if (mkdtemp(path) == NULL) {
        test_bail_out("no folder", path);
    }
    (void)snprintf(name, sizeof name, "%s/t.db", path);
    if (!database_open(name, &database, &err)) {
        test_bail_out("no database", err.text);
    }
    test_table(database);
    database_close(database);
    (void)unlink(name); /* a failure shows in rmdir */
    tap_ok(rmdir(path) == 0, "nothing is left");
    return tap_done();
}
