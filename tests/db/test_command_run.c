/* Commands on a database in a file: what is written, what is told, and what happens when the file
 * has no room or another program holds it. */
#include "../../db/command_run.h"

#include "../../db/tokens.h"
#include "database_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#define HEAD "gpu_slug,condition,currency,amount,market,observed_on,source,note\n"
#define CARD "nvidia-geforce-rtx-3090,used,USD,"

static const char ID[] = "0123456789ab";
static struct database *database;
static struct command_outcome outcome;
static bool may_go_on = true;

/* Set: while a command waits for it the file is moved, and then the lock given up. */
static struct sqlite3 *lock;
static const char *move_from, *move_to;

static bool go_on(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    (void)context;
    (void)bytes_read;
    (void)bytes_total;
    if (lock != NULL) {
        tap_ok(rename(move_from, move_to) == 0, "the file is moved while a command waits");
        test_run_sql(lock, "ROLLBACK");
        lock = NULL;
    }
    return may_go_on;
}

/* Runs a command of "lab" into the outcome. */
static enum command_status run(struct command command)
{
    const struct command_watch watch = {.wait_ms = 200, .go_on = go_on};

    command_outcome_fini(&outcome);
    outcome = (struct command_outcome){.status = COMMAND_DONE};
    command.who = "lab";
    command.token_id = ID;
    command.today = TEST_DAY;
    command_run(database, &command, &watch, &outcome);
    return outcome.status;
}

static enum command_status add(enum command_kind kind, const char *file, bool is_dry_run)
{
    return run((struct command){.kind = kind,
                                .bytes = file,
                                .size_bytes = strlen(file),
                                .fd = -1,
                                .is_dry_run = is_dry_run});
}

static int64_t number(const char *sql)
{
    return test_number(database_connection(database), sql);
}

static int64_t prices(void)
{
    return number("SELECT COUNT(*) FROM gpu_prices");
}

static void test_prices(void)
{
    int64_t before = prices();

    tap_ok(add(COMMAND_PRICES, HEAD CARD "690,us,2026-11-29,a shop,\n", false) == COMMAND_DONE &&
               outcome.report->outcome == IMPORT_ADDED && outcome.report->accepted == 1 &&
               outcome.report->import_id == 1 && prices() == before + 1,
           "a price is added");
    tap_ok(number("SELECT who = 'lab' AND file IS NULL FROM imports WHERE id = 1") == 1,
           "under the name of the token's holder");
    tap_ok(number("SELECT last_used_at IS NOT NULL FROM tokens") == 1, "whose use is noted");
    tap_ok(add(COMMAND_PRICES, HEAD CARD "690,us,2026-11-29,a shop,\n", false) == COMMAND_DONE &&
               outcome.report->outcome == IMPORT_UNCHANGED && outcome.report->known == 1 &&
               prices() == before + 1 && number("SELECT COUNT(*) FROM imports") == 1,
           "the same again adds nothing");
    tap_ok(add(COMMAND_PRICES, HEAD CARD "700,us,2026-11-29,a shop,\n" CARD "7,us,2026-11-29,b,\n",
               false) == COMMAND_REFUSED &&
               outcome.report->held == 1 && outcome.report->import_id == 0 &&
               !outcome.report->is_dry_run && prices() == before + 1,
           "one that is held back holds back all");
    tap_ok(add(COMMAND_IMPORT, HEAD CARD "700,us,2026-11-29,a shop,\n" CARD "7,us,2026-11-29,b,\n",
               false) == COMMAND_DONE &&
               outcome.report->held == 1 && outcome.report->accepted == 1 && prices() == before + 2,
           "of a file the rest is added");
    tap_ok(add(COMMAND_PRICES, HEAD CARD "710,us,2026-11-29,a shop,\n", true) == COMMAND_DONE &&
               outcome.report->is_dry_run && outcome.report->outcome == IMPORT_ADDED &&
               prices() == before + 2,
           "a dry run adds nothing");
    tap_ok(add(COMMAND_PRICES, HEAD CARD "710,us,2027-11-29,a shop,\n", false) == COMMAND_REFUSED &&
               outcome.report->rejected.notes[0].finding == IMPORT_FUTURE && prices() == before + 2,
           "a future date is refused");
    tap_ok(add(COMMAND_IMPORT, "a,b\n1,2\n", false) == COMMAND_UNREADABLE &&
               outcome.error.text[0] != '\0' && prices() == before + 2,
           "what is no file of ours is unreadable: %s", outcome.error.text);
}

static void test_log(void)
{
    tap_ok(run((struct command){.kind = COMMAND_LIST, .limit = 1}) == COMMAND_DONE &&
               outcome.entry_count == 1 && outcome.entries[0].id == 2 && outcome.has_more &&
               outcome.total == 2,
           "the log, newest first");
    tap_ok(run((struct command){.kind = COMMAND_LIST, .limit = 5, .before = 2}) == COMMAND_DONE &&
               outcome.entry_count == 1 && outcome.entries[0].id == 1 && !outcome.has_more,
           "the page behind it");
    tap_ok(run((struct command){.kind = COMMAND_LIST, .limit = 1, .import_id = 1}) ==
                   COMMAND_DONE &&
               outcome.entry_count == 1 && outcome.entries[0].id == 1,
           "one alone");
    tap_ok(run((struct command){.kind = COMMAND_LIST, .limit = 1, .import_id = 9}) ==
               COMMAND_NOT_FOUND,
           "one that there is not");
    int64_t before = prices();

    tap_ok(run((struct command){.kind = COMMAND_UNDO, .import_id = 1}) == COMMAND_DONE &&
               outcome.removed == 1 && outcome.entries[0].undone_at[0] != '\0' &&
               prices() == before - 1,
           "one is undone");
    tap_ok(run((struct command){.kind = COMMAND_UNDO, .import_id = 1}) == COMMAND_CONFLICT,
           "and not twice: %s", outcome.error.text);
    tap_ok(run((struct command){.kind = COMMAND_UNDO, .import_id = 9}) == COMMAND_NOT_FOUND,
           "nor one that there is not");
}

/* The database can grow no more, as on a disk that is full. */
static void test_full(void)
{
    struct sqlite3 *connection = database_connection(database);
    char sql[64], note[3000], *file = malloc(2 * 1024 * 1024);
    size_t used = 0;
    int64_t before = prices(), imports = number("SELECT COUNT(*) FROM imports");

    if (file == NULL) {
        test_bail_out("no", "memory");
    }
    memset(note, 'x', sizeof note - 1);
    note[sizeof note - 1] = '\0';
    used = (size_t)snprintf(file, 2 * 1024 * 1024, "%s", HEAD);
    for (int i = 0; i < 500; i++) {
        used +=
            (size_t)snprintf(file + used, 2 * 1024 * 1024 - used,
                             CARD "%d.%02d,us,2026-11-28,full,%s\n", 600 + i / 100, i % 100, note);
    }
    (void)snprintf(sql, sizeof sql, "PRAGMA max_page_count = %lld",
                   (long long)number("PRAGMA page_count") + 20);
    (void)test_number(connection, sql);
    tap_ok(add(COMMAND_IMPORT, file, false) == COMMAND_FAILED &&
               strstr(outcome.error.text, "full") != NULL,
           "no room: %s", outcome.error.text);
    tap_ok(prices() == before && number("SELECT COUNT(*) FROM imports") == imports &&
               sqlite3_get_autocommit(connection) != 0,
           "nothing of it is left, and no transaction open");
    (void)test_number(connection, "PRAGMA max_page_count = 1000000");
    tap_ok(add(COMMAND_IMPORT, file, false) == COMMAND_DONE && prices() == before + 500,
           "with room again it is added");
    free(file);
}

static void test_locked(const char *path)
{
    struct sqlite3 *other = NULL;
    int64_t before = prices();

    if (sqlite3_open(path, &other) != SQLITE_OK) {
        test_bail_out("no second connection", path);
    }
    test_run_sql(other, "BEGIN IMMEDIATE");
    tap_ok(add(COMMAND_PRICES, HEAD CARD "720,us,2026-11-29,a shop,\n", false) == COMMAND_FAILED &&
               strstr(outcome.error.text, "locked") != NULL,
           "another program writes: %s", outcome.error.text);
    tap_ok(run((struct command){.kind = COMMAND_LIST, .limit = 1}) == COMMAND_DONE,
           "reading goes on");
    may_go_on = false;
    tap_ok(run((struct command){.kind = COMMAND_UNDO, .import_id = 2}) == COMMAND_FAILED,
           "told to end, it does not wait");
    may_go_on = true;
    test_run_sql(other, "ROLLBACK");
    (void)sqlite3_close(other);
    tap_ok(add(COMMAND_PRICES, HEAD CARD "720,us,2026-11-29,a shop,\n", false) == COMMAND_DONE &&
               prices() == before + 1,
           "then it goes on");
}

static void test_revoked(void)
{
    struct error err = {0};
    int64_t before = prices();

    tap_ok(tokens_revoke(database, "lab", &err) &&
               add(COMMAND_PRICES, HEAD CARD "730,us,2026-11-29,a shop,\n", false) ==
                   COMMAND_NO_TOKEN &&
               prices() == before,
           "a token revoked since it was looked at writes nothing");
    tap_ok(run((struct command){.kind = COMMAND_UNDO, .import_id = 2}) == COMMAND_NO_TOKEN &&
               number("SELECT undone_at IS NULL FROM imports WHERE id = 2") == 1,
           "and undoes nothing");
}

/* A file without the name that is written to is found by nobody. */
static void test_moved(const char *path)
{
    char away[80], copy[96];
    int64_t before = prices();
    bool has_changed = false;
    struct error err = {0};

    (void)snprintf(away, sizeof away, "%s.away", path);
    if (rename(path, away) != 0) {
        test_bail_out("cannot rename", away);
    }
    tap_ok(add(COMMAND_PRICES, HEAD CARD "691,us,2026-11-28,b,\n", false) == COMMAND_FAILED &&
               strstr(outcome.error.text, "has gone while in use") != NULL && prices() == before,
           "nothing is written where the file has lost its name");
    (void)snprintf(copy, sizeof copy, "VACUUM INTO '%s'", path);
    test_run_sql(database_connection(database), copy);
    tap_ok(add(COMMAND_PRICES, HEAD CARD "691,us,2026-11-28,b,\n", false) == COMMAND_FAILED &&
               strstr(outcome.error.text, "was replaced while in use") != NULL &&
               outcome.report == NULL && prices() == before,
           "nor where another file has it");
    tap_ok(database_changed(database, &has_changed, &err) && has_changed &&
               add(COMMAND_PRICES, HEAD CARD "691,us,2026-11-28,b,\n", false) == COMMAND_DONE &&
               outcome.report->accepted == 1,
           "once that is open it is written to");
    struct sqlite3 *other = NULL;

    if (sqlite3_open(path, &other) != SQLITE_OK) {
        test_bail_out("no second connection", path);
    }
    test_run_sql(other, "BEGIN IMMEDIATE");
    lock = other;
    move_from = path;
    move_to = away;
    tap_ok(add(COMMAND_PRICES, HEAD CARD "692,us,2026-11-28,b,\n", false) == COMMAND_FAILED &&
               strstr(outcome.error.text, "has gone while in use") != NULL &&
               outcome.report == NULL,
           "moved before the commit: nothing is told as added");
    (void)sqlite3_close(other);
    tap_ok(rename(away, path) == 0 &&
               add(COMMAND_PRICES, HEAD CARD "693,us,2026-11-28,b,\n", false) == COMMAND_DONE,
           "and moved back it is written to");
}

int main(void)
{
    struct tokens_row token = {.id = "0123456789ab", .name = "lab", .hash = "$y$no-hash-at-all"};
    char folder[] = "/tmp/gpuwise-command-XXXXXX", path[64];
    struct error err = {0};

    if (mkdtemp(folder) == NULL) {
        test_bail_out("no folder", folder);
    }
    (void)snprintf(path, sizeof path, "%s/t.db", folder);
    if (!database_open(path, &database, &err) || !tokens_add(database, &token, &err)) {
        test_bail_out("no database", err.text);
    }
    test_prices();
    test_log();
    test_full();
    test_locked(path);
    test_moved(path);
    test_revoked();
    command_outcome_fini(&outcome);
    database_close(database);
    (void)unlink(path); /* a failure shows in rmdir */
    tap_ok(rmdir(folder) == 0, "nothing is left");
    return tap_done();
}
