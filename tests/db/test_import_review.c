/* Tests db/import_review.c and import_origin.c: what of a file stands on the review list without
 * being held, and which day and providers the report names. */
#include "import_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRICES "gpu_slug,condition,currency,amount,market,observed_on,source\n"
#define OFFERS                                                                                     \
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,"       \
    "Region\nx1,8,64,A10,1,,0.75,,somewhere\n"

static void test_currencies(struct database *database, struct import_report *report)
{
    static const struct {
        const char *code, *meant;
    } CASES[] = {{"RMB", "CNY"}, {"YEN", "JPY"}, {"EURO", "EUR"}, {"XYZ", NULL}};
    struct import_options options = test_options();

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *text = sqlite3_mprintf("%sRTX 3090,used,%s,5000,,2026-11-20,s\n"
                                     "RTX 3090,used,%s,5100,,2026-11-20,s\n"
                                     "RTX 3090,used,CNY,5100,cn,2026-11-20,s%d\n",
                                     PRICES, CASES[i].code, CASES[i].code, (int)i);

        import_text(database, "p.csv", text, &options, report);
        sqlite3_free(text);
        const struct import_note *note = &report->review.notes[0];

        tap_ok(report->accepted == 3 && report->not_advising == 2 && report->review.total == 1 &&
                   note->finding == IMPORT_NO_RATE && note->line == 2 &&
                   strcmp(note->column, "currency") == 0,
               "%s: kept, and told once", CASES[i].code);
        tap_ok(CASES[i].meant == NULL ? note->suggestion_count == 0
                                      : strcmp(note->suggestions[0].id, CASES[i].meant) == 0,
               "... with what may be meant");
        tap_text(import_report_outcome(report), strlen(CASES[i].code) == 3 ? "added" : "refused",
                 "... beside a price that advises; four letters are no code");
    }
    import_text(database, "p.csv", PRICES "RTX 3090,used,RMB,5200,,2026-11-20,s\n", &options,
                report);
    tap_text(import_report_outcome(report), "kept", "alone they are kept");
}

static void test_providers(struct database *database, struct import_report *report)
{
    struct import_options options = test_options();

    options.observed_on = "2026-11-20";
    options.provider = "lamda";
    import_text(database, "x.csv", OFFERS, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->review.total == 1 &&
               report->review.notes[0].finding == IMPORT_UNKNOWN_PROVIDER &&
               strcmp(report->review.notes[0].suggestions[0].id, "Lambda") == 0,
           "a new provider is added, and told with the nearest known one");
    tap_ok(report->provider_count == 1 && strcmp(report->providers[0], "lamda") == 0 &&
               strcmp(report->seen_on, "2026-11-20") == 0 && report->day_from == IMPORT_DAY_REQUEST,
           "the report names it, and the day");
    options.observed_on = "2026-11-21";
    import_text(database, "x.csv", OFFERS, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->review.total == 0,
           "the next time it is known");
    options.provider = "lambda";
    import_text(database, "x.csv", OFFERS, &options, report);
    tap_ok(report->review.total == 0 && strcmp(report->providers[0], "Lambda") == 0,
           "one that is known is not told of");
    options.provider = "Qwertyuiop";
    import_text(database, "x.csv", OFFERS, &options, report);
    tap_ok(report->review.total == 1 && report->review.notes[0].suggestion_count == 0,
           "one like no other comes without a suggestion");
}

static void test_days(struct database *database, struct import_report *report)
{
    char path[] = "/tmp/gpuwise-review-XXXXXX";
    const struct timespec times[2] = {{.tv_sec = 1795435200}, {.tv_sec = 1795435200}};
    int fd = mkstemp(path);
    struct import_options options = test_options();
    struct import_source source = {.fd = fd, .file_name = "x.csv"};
    struct error err = {0};

    options.provider = "lambda";
    if (fd < 0 || write(fd, OFFERS, sizeof OFFERS - 1) != (ssize_t)sizeof OFFERS - 1 ||
        lseek(fd, 0, SEEK_SET) != 0 || futimens(fd, times) != 0) {
        test_bail_out("no file", path);
    }
    tap_ok(!import_run(database, &source, &options, report, &err) &&
               err.code == ERROR_BAD_PARAMETER && strcmp(err.parameter, "observed_on") == 0,
           "what is only passed on has no day of change: %s", err.text);
    options.is_dated_by_change = true;
    tap_ok(lseek(fd, 0, SEEK_SET) == 0 && import_run(database, &source, &options, report, &err) &&
               report->day_from == IMPORT_DAY_FILE && strcmp(report->seen_on, "2026-11-23") == 0,
           "of a file it is told: %s", report->seen_on);
    tap_ok(lseek(fd, 0, SEEK_SET) == 0 && futimens(fd, NULL) == 0 &&
               import_run(database, &source, &options, report, &err) &&
               report->day_from == IMPORT_DAY_IMPORT && strcmp(report->seen_on, "2026-11-23") == 0,
           "and the same bytes changed later keep it");
    import_text(database, "y-2026-11-22.csv", OFFERS, &options, report);
    tap_ok(report->day_from == IMPORT_DAY_NAME && strcmp(report->seen_on, "2026-11-22") == 0,
           "a name may say it");
    import_text(database, "p.csv", PRICES "RTX 3090,used,USD,733,us,2026-11-20,s\n", &options,
                report);
    tap_ok(report->day_from == IMPORT_DAY_ROWS && report->seen_on[0] == '\0',
           "and rows say their own");
    (void)close(fd);
    (void)unlink(path);
}

int main(void)
{
    struct database *database = shipped_database();
    struct import_report *report = calloc(1, sizeof *report);

    if (report == NULL) {
        test_bail_out("no", "memory");
    }
    test_currencies(database, report);
    test_providers(database, report);
    test_days(database, report);
    free(report);
    database_close(database);
    return tap_done();
}
