/* Commands over import.c and tokens.c. It knows no request. One thread at a time. */
#include "command_run.h"

#include "connection.h"
#include "import.h"
#include "statements.h"
#include "tokens.h"

#include <sqlite3.h>
#include <stdlib.h>

enum { BUSY_SLEEP_MS = 10 };

static const char COUNT_IMPORTS[] = "SELECT COUNT(*) FROM imports";

/* What every step needs. */
struct run {
    struct database *database;
    const struct command *command;
    const struct command_watch *watch;
    struct command_outcome *outcome;
};

/* What kind of trouble an import's error is: the sender's, or ours. */
static enum command_status status_of(const struct error *err)
{
    bool is_senders = err->code == ERROR_BAD_FILE || err->code == ERROR_BAD_PARAMETER ||
                      err->code == ERROR_TOO_LARGE || err->code == ERROR_BAD_SETTING;

    if (err->code == ERROR_BAD_PARAMETER && err->parameter != NULL && err->parameter[0] != '\0') {
        return COMMAND_BAD_PARAMETER;
    }
    return is_senders ? COMMAND_UNREADABLE : COMMAND_FAILED;
}

static bool import(const struct run *run, bool is_dry_run)
{
    const struct command *command = run->command;
    const struct import_source source = {.fd = command->bytes == NULL ? command->fd : -1,
                                         .bytes = command->bytes,
                                         .size_bytes = command->size_bytes,
                                         .file_name = command->file_name};
    const struct import_options options = {.is_dry_run = is_dry_run,
                                           .accepts_review = command->accepts_review,
                                           .provider = command->provider,
                                           .observed_on = command->observed_on,
                                           .source = command->source,
                                           .who = command->who,
                                           .today = command->today,
                                           .go_on = run->watch->go_on,
                                           .context = run->watch->context};
    struct command_outcome *outcome = run->outcome;

    *outcome->report = (struct import_report){0};
    if (!import_run(run->database, &source, &options, outcome->report, &outcome->error)) {
        outcome->status = status_of(&outcome->error);
        return false;
    }
    outcome->status = outcome->report->outcome == IMPORT_REFUSED ? COMMAND_REFUSED : COMMAND_DONE;
    return outcome->status == COMMAND_DONE;
}

/* A write was asked for: the token must still be good. */
static bool use_token(const struct run *run)
{
    bool is_good = false;

    if (!tokens_note_use(run->database, run->command->token_id, &is_good, &run->outcome->error)) {
        run->outcome->status = COMMAND_FAILED;
        return false;
    }
    if (!is_good) {
        run->outcome->status = COMMAND_NO_TOKEN;
    }
    return is_good;
}

static void add(const struct run *run)
{
    const struct command *command = run->command;
    struct command_outcome *outcome = run->outcome;

    outcome->report = calloc(1, sizeof *outcome->report);
    if (outcome->report == NULL) {
        (void)error_set(&outcome->error, ERROR_OUT_OF_MEMORY, "out of memory");
        outcome->status = COMMAND_FAILED;
        return;
    }
    if (!command->is_dry_run && !use_token(run)) {
        return;
    }
    /* Of a few prices all are added or none: looked at first, they are written when none would be
     * held back. What others write in between can only make more of them known. */
    if (command->kind == COMMAND_PRICES) {
        if (!import(run, true)) {
            return;
        }
        outcome->report->is_dry_run = command->is_dry_run;
        if (outcome->report->held > 0) {
            outcome->report->outcome = IMPORT_REFUSED;
            outcome->status = command->is_dry_run ? COMMAND_DONE : COMMAND_REFUSED;
        }
        if (outcome->report->held > 0 || command->is_dry_run) {
            return;
        }
    }
    (void)import(run, command->is_dry_run); /* the outcome says */
}

static bool list_entries(const struct run *run, int64_t before, size_t limit)
{
    struct command_outcome *outcome = run->outcome;

    outcome->entries = calloc(limit + 1, sizeof *outcome->entries);
    if (outcome->entries == NULL) {
        (void)error_set(&outcome->error, ERROR_OUT_OF_MEMORY, "out of memory");
        outcome->status = COMMAND_FAILED;
        return false;
    }
    if (!import_list(run->database, before, outcome->entries, limit + 1, &outcome->entry_count,
                     &outcome->error)) {
        outcome->status = COMMAND_FAILED;
        return false;
    }
    outcome->has_more = outcome->entry_count > limit;
    outcome->entry_count = outcome->has_more ? limit : outcome->entry_count;
    return true;
}

/* The import of an id, as the only entry. */
static bool find_entry(const struct run *run, int64_t id)
{
    if (!list_entries(run, id + 1, 1)) {
        return false;
    }
    if (run->outcome->entry_count == 0 || run->outcome->entries[0].id != id) {
        run->outcome->status = COMMAND_NOT_FOUND;
        return false;
    }
    return true;
}

static void list(const struct run *run)
{
    int64_t total = 0;

    if (!list_entries(run, run->command->before, run->command->limit)) {
        return;
    }
    if (!statements_number(database_connection(run->database), COUNT_IMPORTS, &total,
                           &run->outcome->error)) {
        run->outcome->status = COMMAND_FAILED;
        return;
    }
    run->outcome->total = (size_t)total;
}

static void undo(const struct run *run)
{
    struct command_outcome *outcome = run->outcome;
    int64_t id = run->command->import_id;
    struct import_entry now;
    struct error ignored;
    size_t count = 0;

    if (!find_entry(run, id) || !use_token(run)) {
        return;
    }
    if (!import_undo(run->database, id, &outcome->removed, &outcome->error)) {
        outcome->status =
            outcome->error.code == ERROR_BAD_PARAMETER ? COMMAND_CONFLICT : COMMAND_FAILED;
        return;
    }
    if (import_list(run->database, id + 1, &now, 1, &count, &ignored) && count == 1) {
        outcome->entries[0] = now; /* with the time; it is undone whether that can be read or not */
    }
}

/* Another program is writing: 0 gives up. SQLite counts the calls of one wait. */
static int on_busy(void *data, int calls)
{
    const struct command_watch *watch = data;
    bool goes_on = watch->go_on == NULL || watch->go_on(watch->context, 0, 0);

    if (!goes_on || (unsigned)calls * BUSY_SLEEP_MS >= watch->wait_ms) {
        return 0;
    }
    (void)sqlite3_sleep(BUSY_SLEEP_MS); /* how long it took is told by the calls */
    return 1;
}

static void run_command(const struct run *run)
{
    switch (run->command->kind) {
    case COMMAND_PRICES:
    case COMMAND_IMPORT:
        add(run);
        break;
    case COMMAND_LIST:
        if (run->command->import_id != 0) {
            (void)find_entry(run, run->command->import_id); /* the outcome says */
        } else {
            list(run);
        }
        break;
    case COMMAND_UNDO:
        undo(run);
        break;
    }
}

/* What is told as done must be in the file that has the name; false, and all undone: it is not. */
static bool is_in_place(const struct run *run)
{
    struct error trouble = {0};

    if (database_is_in_place(run->database, &trouble)) {
        return true;
    }
    command_outcome_fini(run->outcome);
    *run->outcome = (struct command_outcome){.status = COMMAND_FAILED, .error = trouble};
    return false;
}

void command_run(struct database *database, const struct command *command,
                 const struct command_watch *watch, struct command_outcome *outcome)
{
    const struct run run = {database, command, watch, outcome};
    struct command_watch waiting = *watch; /* SQLite takes no const */

    outcome->status = COMMAND_DONE;
    if (!is_in_place(&run)) {
        return; /* the outcome says so */
    }
    struct sqlite3 *connection = database_connection(database);

    (void)sqlite3_busy_handler(connection, on_busy, &waiting); /* open: cannot fail */
    run_command(&run);
    (void)is_in_place(&run);     /* it may have been replaced before the commit: that says so */
    connection_wait(connection); /* takes the handler's place */
}

void command_outcome_fini(struct command_outcome *outcome)
{
    free(outcome->report);
    free(outcome->entries);
    outcome->report = NULL;
    outcome->entries = NULL;
}
