/* db/import_finish.c where the database fails half-way. (What it finds is tested in test_import.c.)
 */
#include "import_fixture.h"

/* Makes the next reading of a row of the stage fail. */
struct trap {
    bool is_set, is_sprung;
};

static int on_start(unsigned kind, void *context, void *statement, void *sql)
{
    static const char READING[] = "SELECT * FROM temp.import_stage";
    struct trap *trap = context;

    (void)kind; /* only starts are asked for */
    (void)statement;
    trap->is_sprung = trap->is_set && strncmp(sql, READING, sizeof READING - 1) == 0;
    return 0;
}

/* After each instruction; not 0 interrupts the statement that runs. */
static int on_step(void *context)
{
    struct trap *trap = context;

    if (!trap->is_sprung) {
        return 0;
    }
    *trap = (struct trap){.is_set = false};
    return 1;
}

/* Imports a text while the stage cannot be read. */
static void is_failure(struct database *database, const char *file_name, const char *text,
                       const char *table)
{
    struct sqlite3 *connection = database_connection(database);
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct trap trap = {.is_set = true};
    int64_t before = own_rows(database, table, "1");
    struct error err = {0};

    options.observed_on = "2026-11-20";
    (void)sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, on_start, &trap);
    sqlite3_progress_handler(connection, 1, on_step, &trap);
    bool is_good = import_bytes(database, file_name, text, strlen(text), &options, report, &err);

    sqlite3_progress_handler(connection, 0, NULL, NULL);
    (void)sqlite3_trace_v2(connection, 0, NULL, NULL);
    tap_ok(!trap.is_set && !is_good && err.code != ERROR_NONE &&
               own_rows(database, table, "1") == before,
           "%s: a stage that cannot be read is a failure, and nothing is written: %s", table,
           err.text);
    free(report);
}

/* A file that the database knows: what cannot be compared is not new. */
static void test_known(void)
{
    static const char OFFER[] =
        "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
        "p5,us-east-1,31.5,96,2048,8,L40S,48.0,False,\n";
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    options.observed_on = "2026-11-20";
    import_text(database, "aws.csv", OFFER, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED, "an offer is added");
    is_failure(database, "aws.csv", OFFER, "cloud_offers");
    import_text(database, "aws.csv", OFFER, &options, report);
    tap_ok(report->outcome == IMPORT_UNCHANGED && report->known == 1, "and is known afterwards");
    free(report);
    database_close(database);
}

int main(void)
{
    struct database *database = shipped_database();

    test_known();
    is_failure(database, "l.csv",
               "id,name,bandwidth_per_direction_gb_s,latency_class,note,source\n"
               "pcie-4-x16,X,9,low,,s\n",
               "links");
    database_close(database);
    return tap_done();
}
