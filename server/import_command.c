/* The commands about files of facts: opens them, shows how far they are, tells the report. Main
 * thread.
 */
#include "import_command.h"

#include "../db/database.h"
#include "../db/export.h"
#include "../db/import.h"
#include "clock.h"
#include "open_command.h"
#include "owner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 40, LISTED_IMPORTS = 100 };

/* What is on standard error. */
struct progress {
    bool is_shown;
    uint64_t shown_bytes;
};

/* Asked to stop? The signals are blocked, so that the import ends cleanly before they are seen. */
static bool is_stop_pending(void)
{
    sigset_t pending;

    return sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

static bool go_on(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    struct progress *progress = context;
    char bar[BAR_WIDTH + 1];

    if (progress->is_shown && bytes_total > 0 && bytes_read != progress->shown_bytes) {
        uint64_t share =
            bytes_read >= bytes_total ? BAR_WIDTH : bytes_read * BAR_WIDTH / bytes_total;

        memset(bar, ' ', BAR_WIDTH);
        memset(bar, '#', share);
        bar[BAR_WIDTH] = '\0';
        (void)fprintf(stderr, "\r[%s] %3" PRIu64 " %%", bar, share * 100 / BAR_WIDTH);
        progress->shown_bytes = bytes_read;
    }
    return !is_stop_pending();
}

static void block_stop_signals(sigset_t *before)
{
    sigset_t stop;

    (void)sigemptyset(&stop);
    (void)sigaddset(&stop, SIGINT);
    (void)sigaddset(&stop, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &stop, before); /* fails for wrong arguments only */
}

static void print_notes(const char *title, const struct import_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        const struct import_note *note = &notes->notes[i];

        (void)printf("%s", title);
        if (note->line > 0) {
            (void)printf(" line %zu", note->line);
        }
        if (note->column[0] != '\0') {
            (void)printf(", column %s", note->column);
        }
        (void)printf(": %s: ", IMPORT_FINDING_NAMES[note->finding]);
        if (note->value[0] != '\0' || note->column[0] != '\0') {
            (void)printf("\"%s\" ", note->value);
        }
        (void)printf("%s", note->reasons[LANGUAGE_EN]);
        if (note->finding == IMPORT_UNKNOWN_NAME) { /* the others say it in their reason */
            for (size_t j = 0; j < note->suggestion_count; j++) {
                (void)printf("%s %s", j == 0 ? "; near is" : ",", note->suggestions[j].id);
            }
        }
        (void)printf("\n");
    }
    if (notes->total > notes->count) {
        (void)printf("%s %zu more\n", title, notes->total - notes->count);
    }
}

static void print_origin(const struct import_report *report)
{
    static const char *const WHY[] = {
        [IMPORT_DAY_ROWS] = "the rows",
        [IMPORT_DAY_REQUEST] = "--observed-on",
        [IMPORT_DAY_NAME] = "the name of the file",
        [IMPORT_DAY_FILE] = "the day the file was last changed",
        [IMPORT_DAY_IMPORT] = "the earlier import of the same bytes",
    };

    if (report->seen_on[0] != '\0') {
        (void)printf("observed_on %s, from %s\n", report->seen_on, WHY[report->day_from]);
    }
    for (size_t i = 0; i < report->provider_count && i < IMPORT_PROVIDERS_MAX; i++) {
        (void)printf("%s%s", i == 0 ? "providers " : ", ", report->providers[i]);
    }
    if (report->provider_count > 0) {
        (void)printf("%s\n", report->provider_count > IMPORT_PROVIDERS_MAX ? " and more" : "");
    }
}

static void print_report(const struct import_report *report)
{
    print_notes("rejected", &report->rejected);
    print_notes("review", &report->review);
    (void)printf("%s (%s): %zu rows: %zu new, %zu known, %zu merged, %zu skipped, %zu held, %zu"
                 " rejected\n",
                 report->table, report->format, report->rows, report->accepted, report->known,
                 report->merged, report->skipped, report->held, report->rejected.rows);
    print_origin(report);
    if (report->not_advising > 0) {
        (void)printf("%zu of the new rows are kept and advise nothing: see review\n",
                     report->not_advising);
    }
    if (report->held > 0) {
        (void)printf("held rows are far from what is usual and were left out; import the file again"
                     " with --accept-review yes to add them\n");
    }
    if (report->outcome == IMPORT_REFUSED) {
        (void)printf("refused: nothing was imported\n");
    } else if (report->is_dry_run) {
        (void)printf("dry run: nothing was written\n");
    } else if (report->outcome == IMPORT_UNCHANGED) {
        (void)printf("unchanged: nothing to add\n");
    } else {
        (void)printf("import %" PRId64 ": undo it with gpuwise undo %" PRId64 "\n",
                     report->import_id, report->import_id);
    }
}

/* Who is at the keyboard, for the log. */
static const char *user_name(void)
{
    const struct passwd *entry = getpwuid(getuid());

    return entry == NULL ? "command line" : entry->pw_name;
}

static bool import_file(const struct config *config, struct database *database, const char *file,
                        int fd, struct import_report *report, struct error *err)
{
    struct progress progress = {.is_shown = isatty(STDERR_FILENO) == 1};
    struct import_source source = {.fd = fd, .file_name = strcmp(file, "-") == 0 ? NULL : file};
    struct import_options options = {.is_dry_run = config->dry_run,
                                     .accepts_review = config->accept_review,
                                     .provider = config->provider,
                                     .observed_on = config->observed_on,
                                     .is_dated_by_change = true,
                                     .source = config->source,
                                     .who = user_name(),
                                     .today = clock_today(),
                                     .go_on = go_on,
                                     .context = &progress};
    bool is_good = import_run(database, &source, &options, report, err) &&
                   database_is_in_place(database, err); /* what was added is there to stay */

    if (progress.shown_bytes > 0) {
        (void)fprintf(stderr, "\r%*s\r", BAR_WIDTH + 8, "");
    }
    return is_good;
}

/* What is only tried needs no file: then the shipped facts are what it would be added to. */
static bool open_for_import(const struct config *config, struct database **database,
                            struct error *err)
{
    return config->dry_run && open_command_is_missing(config->db_path)
               ? database_open_shipped(database, err)
               : open_command_any(config->db_path, database, err);
}

bool import_command(const struct config *config, const char *file, bool *is_refused,
                    struct error *err)
{
    bool is_input = strcmp(file, "-") == 0;
    struct import_report *report = malloc(sizeof *report);
    struct database *database = NULL;
    sigset_t before;
    int fd = is_input ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || report == NULL) {
        free(report);
        return fd < 0 ? error_set(err, ERROR_SYSTEM, "%s: %s", file, strerror(errno))
                      : error_set(err, ERROR_OUT_OF_MEMORY, "no memory to import");
    }
    block_stop_signals(&before);
    bool is_good = open_for_import(config, &database, err);

    if (is_good) {
        owner_warn(config->db_path);
        is_good = import_file(config, database, file, fd, report, err);
    }

    if (is_good) {
        print_report(report);
        *is_refused = report->outcome == IMPORT_REFUSED;
    }
    database_close(database);
    if (!is_input) {
        (void)close(fd); /* read only */
    }
    free(report);
    (void)sigprocmask(SIG_SETMASK, &before, NULL); /* a signal that came ends the program here */
    return is_good;
}

static void print_entry(const struct import_entry *entry)
{
    (void)printf("%6" PRId64 "  %s  %-14s %9" PRId64 "  %s  %s%s%s\n", entry->id, entry->at,
                 entry->table, entry->rows_added, entry->who,
                 entry->file[0] == '\0' ? "-" : entry->file,
                 entry->undone_at[0] == '\0' ? "" : "  undone ", entry->undone_at);
}

bool import_command_list(const struct config *config, struct error *err)
{
    struct import_entry *entries = calloc(LISTED_IMPORTS, sizeof *entries);
    struct database *database = NULL;
    size_t count = LISTED_IMPORTS;
    int64_t before = 0;

    if (entries == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory to list imports");
    }
    bool is_good = open_command_existing(config->db_path, &database, err);

    while (is_good && count == LISTED_IMPORTS) {
        is_good = import_list(database, before, entries, LISTED_IMPORTS, &count, err);
        for (size_t i = 0; is_good && i < count; i++) {
            print_entry(&entries[i]);
            before = entries[i].id;
        }
    }
    database_close(database);
    free(entries);
    return is_good;
}

bool import_command_undo(const struct config *config, const char *number, struct error *err)
{
    struct database *database = NULL;
    char *end = NULL;
    size_t removed = 0;
    long long id = strtoll(number, &end, 10);

    if (*end != '\0' || id <= 0) {
        return error_set(err, ERROR_BAD_PARAMETER,
                         "\"%.40s\" is no number of an import; gpuwise imports lists them", number);
    }
    bool is_good = open_command_existing(config->db_path, &database, err) &&
                   import_undo(database, id, &removed, err) && database_is_in_place(database, err);

    if (is_good) {
        char note[IMPORT_REASON_BYTES];

        text_print(SAY(TEXT_IMPORT_UNDONE), LANGUAGE_EN, note, sizeof note);
        (void)printf("import %lld undone: %zu rows removed\n%s\n", id, removed, note);
    }
    database_close(database);
    return is_good;
}

bool import_command_export(const struct config *config, const char *table, struct error *err)
{
    struct database *database = NULL;
    bool is_good = open_command_existing(config->db_path, &database, err) &&
                   export_run(database, table, config->own_rows, stdout, err);

    database_close(database);
    return is_good;
}
