/* The whole import over any bytes, into the shipped facts in memory: it ends, tells every row, adds
 * what it says and nothing else, knows it again, and leaves no trace once undone. */
#include "../../db/catalogue_load.h"
#include "../../db/import.h"
#include "../../handlers/engine/day.h"
#include "../db/database_fixture.h"
#include "fuzz.h"

#include "../../handlers/engine/facts.h"

static struct database *database;
static struct catalogue *catalogue; /* loaded once: names do not change */

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    struct error err = {0};

    (void)argument_count; /* the harness has no options */
    (void)arguments;
    FUZZ_REQUIRE(database_open_shipped(&database, &err));
    FUZZ_REQUIRE(catalogue_load_names(database, &catalogue, &err));
    return 0;
}

static void check_notes(const struct import_notes *notes)
{
    FUZZ_REQUIRE(notes->count <= IMPORT_NOTES_MAX && notes->count <= notes->total);
    for (size_t i = 0; i < notes->count; i++) {
        FUZZ_REQUIRE(notes->notes[i].finding < IMPORT_FINDING_COUNT);
        for (size_t language = 0; language < LANGUAGE_COUNT; language++) {
            FUZZ_REQUIRE(strchr(notes->notes[i].reasons[language], '\n') == NULL);
        }
        FUZZ_REQUIRE(strchr(notes->notes[i].value, '\n') == NULL);
    }
}

/* Rows that imports have added to all tables that they fill here. */
static int64_t own_rows(void)
{
    int64_t count = 0;
    char sql[128];

    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT COUNT(*) FROM %s WHERE import_id IS NOT NULL",
                       FACT_TABLES[i]->name);
        count += test_number(database_connection(database), sql);
    }
    return count;
}

static bool run(const uint8_t *bytes, size_t size_bytes, struct import_report *report)
{
    const struct import_source source = {
        .fd = -1, .bytes = bytes, .size_bytes = size_bytes, .file_name = "input"};
    struct import_options options = {.who = "fuzz",
                                     .provider = "AWS",
                                     .observed_on = "2026-11-20",
                                     .accepts_review = true,
                                     .catalogue = catalogue};
    struct error err = {0};

    FUZZ_REQUIRE(day_parse("2026-11-30", 10, &options.today));
    bool is_good = import_run(database, &source, &options, report, &err);

    FUZZ_REQUIRE(is_good || (err.code != ERROR_NONE && err.code != ERROR_BAD_DATABASE &&
                             strchr(err.text, '\n') == NULL));
    return is_good;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    struct import_report report = {0};
    struct import_report again = {0};
    struct error err = {0};
    size_t removed = 0;

    if (!run(bytes, size_bytes, &report)) {
        FUZZ_REQUIRE(own_rows() == 0);
        return 0;
    }
    check_notes(&report.rejected);
    check_notes(&report.review);
    FUZZ_REQUIRE((report.outcome == IMPORT_REFUSED) == (report.rejected.total > 0));
    if (report.outcome != IMPORT_ADDED) {
        FUZZ_REQUIRE(own_rows() == 0 && report.import_id == 0);
        return 0;
    }
    FUZZ_REQUIRE(own_rows() == (int64_t)report.accepted);
    FUZZ_REQUIRE(run(bytes, size_bytes, &again) && again.outcome == IMPORT_UNCHANGED);
    FUZZ_REQUIRE(again.known == report.accepted + report.known);
    FUZZ_REQUIRE(import_undo(database, report.import_id, &removed, &err));
    FUZZ_REQUIRE(removed == report.accepted && own_rows() == 0);
    return 0;
}
