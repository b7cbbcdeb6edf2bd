/* db/import_finish.c with somebody else who writes: rows are compared with the facts while others
 * may write, and again where they did; only what is left is written under the lock. */
#include "import_fixture.h"

#include <unistd.h>

#define HEADER "gpu_slug,condition,currency,amount,market,observed_on,source,note\n"

enum { FILLING = 4096 /* rows between two questions whether to go on */ };

static const char PRICES[] = HEADER "nvidia-geforce-rtx-3090,used,USD,731,us,2026-11-20,s,\n"
                                    "nvidia-geforce-rtx-3090,used,USD,732,us,2026-11-20,s,\n"
                                    "nvidia-geforce-rtx-3090,used,USD,9000,us,2026-11-20,far off,\n"
                                    "Voodoo 5,used,USD,31,us,2026-11-20,s,\n";
/* What another program writes meanwhile: the first of them. */
static const char SAME_PRICE[] =
    "INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros, market, observed_on,"
    " source, import_id) VALUES ('nvidia-geforce-rtx-3090', 'used', 'USD', 731000000, 'us',"
    " '2026-11-20', 's', (SELECT max(id) FROM imports))";

/* Another program, which writes when it is asked for the n-th time. */
struct other {
    struct sqlite3 *connection;
    size_t asked, turn;
    int result;
};

static bool go_on(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    struct other *other = context;

    (void)bytes_read;
    (void)bytes_total;
    other->asked++;
    if (other->asked == other->turn) {
        other->result = sqlite3_exec(other->connection, SAME_PRICE, NULL, NULL, NULL);
    }
    return true;
}

/* A database whose prices are more than one look's worth. */
static struct database *filled_database(const char *path, struct other *other)
{
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = NULL;
    struct error err = {0};
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *file = open_memstream(&text, &size_bytes);

    if (file == NULL || report == NULL || !database_open(path, &database, &err) ||
        sqlite3_open(path, &other->connection) != SQLITE_OK) {
        test_bail_out("no database", err.text);
    }
    (void)fputs(HEADER, file);
    for (size_t i = 0; i < FILLING; i++) {
        (void)fprintf(file, "nvidia-geforce-rtx-3090,used,USD,%zu.%02zu,us,2026-11-20,many,\n",
                      700 + i / 100, i % 100);
    }
    (void)fclose(file); /* in memory */
    import_text(database, "many.csv", text, &options, report);
    is_counted(report, FILLING, 0, 0, 0, 0, "prices are there");
    free(text);
    free(report);
    return database;
}

/* Imports PRICES; the other one writes at its turn. */
static void import_beside(struct database *database, struct other *other, bool is_dry_run,
                          struct import_report *report)
{
    struct import_options options = test_options();

    options.is_dry_run = is_dry_run;
    options.go_on = go_on;
    options.context = other;
    other->asked = 0;
    import_text(database, "p.csv", PRICES, &options, report);
}

static void test_race(const char *path)
{
    struct import_report *report = calloc(1, sizeof *report);
    struct other other = {0};
    struct database *database = filled_database(path, &other);

    import_beside(database, &other, true, report);
    tap_ok(report->accepted == 3 && report->held == 1 && other.asked > 1, "what would be imported");
    other.turn = other.asked; /* the last look of a dry run is at the facts */
    import_beside(database, &other, false, report);
    tap_ok(other.result == SQLITE_OK, "another program writes while rows are compared");
    is_counted(report, 2, 0, 1, 0, 0, "and what it wrote is known, not added again");
    tap_ok(report->held == 1 && report->review.total == 2,
           "what is held and unknown is told once: %zu", report->review.total);
    tap_ok(own_rows(database, "gpu_prices", "source = 's' AND amount_micros = 731000000") == 1,
           "there is one row of it");
    other.turn = other.asked - 1; /* the last look of all is before the commit; there were two of
                                     comparing */
    tap_ok(report->import_id > 0, "it is import %d", (int)report->import_id);
    struct error err = {0};
    size_t removed = 0;

    tap_ok(import_undo(database, report->import_id, &removed, &err) && removed == 2, "undone");
    import_beside(database, &other, false, report);
    tap_ok(other.result == SQLITE_BUSY, "nobody writes between the last comparison and the commit");
    (void)sqlite3_close(other.connection);
    database_close(database);
    free(report);
}

int main(void)
{
    char folder[] = "/tmp/gpuwise-test-XXXXXX", path[64];

    if (mkdtemp(folder) == NULL) {
        test_bail_out("no folder", folder);
    }
    (void)snprintf(path, sizeof path, "%s/a.db", folder);
    test_race(path);
    tap_ok(unlink(path) == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return tap_done();
}
