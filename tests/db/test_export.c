/* db/export.c: what it writes, import reads back as the same rows. */
#include "../../db/export.h"
#include "import_fixture.h"

#include "../../handlers/engine/facts.h"

/* A table as text; free() it. */
static char *exported(struct database *database, const char *table, bool own_only)
{
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *file = open_memstream(&text, &size_bytes);
    struct error err = {0};

    if (file == NULL || !export_run(database, table, own_only, file, &err) || fclose(file) != 0) {
        test_bail_out("not exported", err.text);
    }
    return text;
}

/* Every value of every shipped row comes back as the value it was. */
static void test_every_table(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        const char *table = FACT_TABLES[i]->name;
        char *text = exported(database, table, false);
        char *sql = sqlite3_mprintf("SELECT COUNT(*) FROM %s", table);
        size_t count = (size_t)test_number(database_connection(database), sql);

        import_text(database, "export.csv", text, &options, report);
        tap_ok(report->rows == count && report->known + report->merged == count &&
                   report->accepted == 0 && strcmp(report->table, table) == 0,
               "%s: %zu rows read back: %zu known, %zu twice in the file, %zu rejected %s", table,
               count, report->known, report->merged, report->rejected.total,
               report->rejected.count > 0 ? report->rejected.notes[0].reasons[LANGUAGE_EN] : "");
        sqlite3_free(sql);
        free(text);
    }
    free(report);
    database_close(database);
}

/* Rows of operators go into another database and come out the same. */
static void test_own_rows(void)
{
    static const struct {
        const char *table, *text;
    } FILES[] = {
        {"gpu_prices",
         "gpu_slug,condition,currency,amount,market,observed_on,source,note\n"
         "nvidia-geforce-rtx-3090,used,USD,731.25,us,2026-11-20,\"shop, \"\"the\"\" one\","
         "\"two\nlines\"\n"
         "=1+1,new,CNY,0.010001,,2026,s,\n"},
        {"cloud_offers",
         "provider,instance_type,accelerator,gpu_slug,tpu_slug,gpu_count,gpu_memory_gb,vcpus,ram_"
         "gb,"
         "region,currency,ondemand_per_hour,ondemand_usd_per_hour,spot_usd_per_hour,observed_on,"
         "source\n"
         "me,x,L4,nvidia-l4,,0.167,23.75,0.5,1.000001,\"a, b\",USD,0.000001,0.7,0.3,2026-11,s\n"},
        {"fx_assumptions", "base,quote,rate,observed_on,note,source,confidence\n"
                           "CHF,USD,1.1234567890123457,2026-11-20,,s,high\n"},
        {"links",
         "id,name,bandwidth_per_direction_gb_s,latency_class,note,source\nx1,X,0.3,low,,s\n"},
        {"models", "id,name,kind,params_total,source\nmy-model,Mine,llm,8030261248,s\n"},
    };
    struct database *first = shipped_database();
    struct database *second = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    options.accepts_review = true;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        import_text(first, "mine.csv", FILES[i].text, &options, report);
        tap_ok(report->outcome == IMPORT_ADDED, "%s: rows of our own", FILES[i].table);
        char *own = exported(first, FILES[i].table, true);

        import_text(second, "theirs.csv", own, &options, report);
        char *again = exported(second, FILES[i].table, true);

        tap_text(again, own, "... are the same in another database");
        char *all = exported(first, FILES[i].table, false);

        import_text(second, "all.csv", all, &options, report);
        tap_ok(report->outcome == IMPORT_UNCHANGED, "... which then lacks nothing");
        free(all);
        free(again);
        free(own);
    }
    char *own = exported(first, "gpu_prices", true);

    tap_text(own, FILES[0].text, "the text is the one that came");
    free(own);
    free(report);
    database_close(first);
    database_close(second);
}

static void test_refused(void)
{
    struct database *database = shipped_database();
    struct error err = {0};
    FILE *full = fopen("/dev/full", "w");

    tap_ok(!export_run(database, "imports", false, stdout, &err) &&
               err.code == ERROR_BAD_PARAMETER && strstr(err.text, "gpu_prices, ") != NULL,
           "%s", err.text);
    if (full == NULL) {
        tap_skip("no /dev/full here");
    } else {
        tap_ok(!export_run(database, "gpus", false, full, &err) && err.code == ERROR_SYSTEM,
               "a full disk: %s", err.text);
        (void)fclose(full); /* full */
    }
    database_close(database);
}

int main(void)
{
    test_every_table();
    test_own_rows();
    test_refused();
    return tap_done();
}
