/* Imports of texts into the shipped facts in memory, for the tests of db/import*.c. */
#ifndef GPUWISE_TESTS_DB_IMPORT_FIXTURE_H
#define GPUWISE_TESTS_DB_IMPORT_FIXTURE_H

#include "../../db/import.h"
#include "../../db/import_formats.h"
#include "database_fixture.h"

#include "../../handlers/engine/day.h"

#include <stdlib.h>

/* The shipped facts; database_close() it. */
__attribute__((unused)) static struct database *shipped_database(void)
{
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open_shipped(&database, &err)) {
        test_bail_out("no shipped facts", err.text);
    }
    return database;
}

/* As asked on 2026-11-30 by a test. */
__attribute__((unused)) static struct import_options test_options(void)
{
    struct import_options options = {.who = "test"};

    if (!day_parse("2026-11-30", 10, &options.today)) {
        test_bail_out("no day", "2026-11-30");
    }
    return options;
}

__attribute__((unused)) static bool import_bytes(struct database *database, const char *file_name,
                                                 const void *bytes, size_t size_bytes,
                                                 const struct import_options *options,
                                                 struct import_report *report, struct error *err)
{
    const struct import_source source = {
        .fd = -1, .bytes = bytes, .size_bytes = size_bytes, .file_name = file_name};

    return import_run(database, &source, options, report, err);
}

/* Imports a text; bails out where it could not be judged. */
__attribute__((unused)) static void import_text(struct database *database, const char *file_name,
                                                const char *text,
                                                const struct import_options *options,
                                                struct import_report *report)
{
    struct error err = {0};

    if (!import_bytes(database, file_name, text, strlen(text), options, report, &err)) {
        test_bail_out("not imported", err.text);
    }
}

/* Rows of a table that an import added and that meet a condition. */
__attribute__((unused)) static int64_t own_rows(struct database *database, const char *table,
                                                const char *condition)
{
    char *sql = sqlite3_mprintf("SELECT COUNT(*) FROM %s WHERE import_id IS NOT NULL AND (%s)",
                                table, condition);
    int64_t count = test_number(database_connection(database), sql);

    sqlite3_free(sql);
    return count;
}

/* One test: the counts of a report. */
__attribute__((unused)) static void is_counted(const struct import_report *report, size_t accepted,
                                               size_t merged, size_t known, size_t skipped,
                                               size_t rejected, const char *name)
{
    bool is_good = report->accepted == accepted && report->merged == merged &&
                   report->known == known && report->skipped == skipped &&
                   report->rejected.total == rejected;

    (void)tap_ok(is_good, "%s", name);
    if (!is_good) {
        printf(
            "# %zu rows: %zu new, %zu merged, %zu known, %zu skipped, %zu held, %zu rejected %s\n",
            report->rows, report->accepted, report->merged, report->known, report->skipped,
            report->held, report->rejected.total,
            report->rejected.count > 0 ? report->rejected.notes[0].reasons[LANGUAGE_EN] : "");
    }
}

#endif
