/* db/import.c with our own CSV: what is added, told, refused and held back. */
#include "import_fixture.h"

#include "../../db/statements.h"

#define HEADER "gpu_slug,condition,currency,amount,market,observed_on,source,note\n"
#define ROW_3090 "nvidia-geforce-rtx-3090,used,USD,731,us,2026-11-20,shop,\n"

static void test_added(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    size_t removed = 0;
    struct error err = {0};

    options.is_dry_run = true;
    import_text(database, "p.csv", HEADER ROW_3090, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->is_dry_run && report->accepted == 1 &&
               report->import_id == 0 && own_rows(database, "gpu_prices", "1") == 0,
           "a dry run tells what would be added and writes nothing");
    options.is_dry_run = false;
    import_text(database, "p.csv", "\xef\xbb\xbf" HEADER ROW_3090 ROW_3090 "\r\n", &options,
                report);
    is_counted(report, 1, 1, 0, 0, 0, "BOM, CRLF and blank lines are fine, a repetition is merged");
    tap_text(report->format, "gpuwise", "our own format");
    tap_text(report->table, "gpu_prices", "told by its header");
    tap_ok(own_rows(database, "gpu_prices",
                    "amount_micros = 731000000 AND observed_on = '2026-11-20'") == 1,
           "the row is there, to the cent");
    int64_t id = report->import_id;

    import_text(database, "other.csv", HEADER ROW_3090, &options, report);
    is_counted(report, 0, 0, 1, 0, 0, "the same under another name is known");
    tap_ok(report->outcome == IMPORT_UNCHANGED && report->import_id == 0 &&
               test_number(database_connection(database), "SELECT COUNT(*) FROM imports") == 1,
           "... and leaves no record");
    tap_ok(import_undo(database, id, &removed, &err) && removed == 1 &&
               own_rows(database, "gpu_prices", "1") == 0,
           "undone by its number");
    tap_ok(!import_undo(database, id, &removed, &err) && err.code == ERROR_BAD_PARAMETER &&
               strstr(err.text, "was undone already") != NULL,
           "not twice: %s", err.text);
    tap_ok(!import_undo(database, 77, &removed, &err) && err.code == ERROR_BAD_PARAMETER, "%s",
           err.text);
    import_text(database, "p.csv", HEADER ROW_3090, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->import_id == id + 1, "imported anew");
    free(report);
    database_close(database);
}

static void test_list(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct import_entry entries[2];
    struct error err = {0};
    size_t count = 0;

    import_text(database, "a.csv", HEADER ROW_3090, &options, report);
    import_text(database, NULL, HEADER "L4,new,EUR,2400,de,2026-11,s,n\n", &options, report);
    tap_ok(import_list(database, 0, entries, 2, &count, &err) && count == 2, "two are listed");
    tap_ok(entries[0].id == 2 && entries[1].id == 1 && strcmp(entries[1].file, "a.csv") == 0 &&
               strcmp(entries[0].file, "") == 0 && strcmp(entries[0].who, "test") == 0 &&
               strcmp(entries[0].table, "gpu_prices") == 0 && entries[0].rows_added == 1 &&
               entries[0].undone_at[0] == '\0',
           "newest first, with file, who, table and rows");
    tap_ok(import_list(database, 2, entries, 2, &count, &err) && count == 1 && entries[0].id == 1,
           "from a number on");
    free(report);
    database_close(database);
}

static void test_refused(void)
{
    static const struct {
        const char *rows;
        enum import_finding finding;
        size_t line;
        const char *column, *reason;
    } CASES[] = {
        {"L4,new,USD,1e9,us,2026-11-20,s,\n", IMPORT_MALFORMED, 3, "amount",
         "is no amount of money (digits, perhaps a point and up to 6 more)"},
        {"L4,new,USD,1000000000,us,2026-11-20,s,\n", IMPORT_MALFORMED, 3, "amount",
         "is more than 10000000"},
        {"L4,new,USD,-700,us,2026-11-20,s,\n", IMPORT_NEGATIVE, 3, "amount",
         "is less than nothing"},
        {"L4,new,USD,0,us,2026-11-20,s,\n", IMPORT_MALFORMED, 3, "amount", "is less than 0.01"},
        {"L4,new,USD,,us,2026-11-20,s,\n", IMPORT_MALFORMED, 3, "amount", "must not be empty"},
        {"L4,new,USD,700,us,2026-12-01,s,\n", IMPORT_FUTURE, 3, "observed_on", "has not come yet"},
        {"L4,new,USD,700,us,2026-02-30,s,\n", IMPORT_MALFORMED, 3, "observed_on",
         "is no date that exists (YYYY, YYYY-MM or YYYY-MM-DD)"},
        {"L4,mint,USD,700,us,2026-11-20,s,\n", IMPORT_MALFORMED, 3, "condition",
         "is none of new|used|msrp"},
        {"L4,new,USD,700,us,2026-11-20\n", IMPORT_MALFORMED, 3, "", "6 fields, the header has 8"},
        {"L4,new,USD,700,us,2026-11-20,\"s\nt\",\n,new,USD,700,us,2026-11-20,s,\n",
         IMPORT_MALFORMED, 5, "gpu_slug", "must not be empty"},
        {"L4,new,USDX,700,us,2026-11-20,s,\n", IMPORT_MALFORMED, 0, "",
         "a row breaks a rule of the table: CHECK constraint failed: length(currency) = 3"},
        {"L4,new,USD,700,us,2026-11-20,\"s,\n", IMPORT_MALFORMED, 4, "",
         "p.csv line 4, column 7: the quote is not closed"},
        {"L4,new,USD,700,us,2026-11-20,\xff,\n", IMPORT_MALFORMED, 3, "",
         "p.csv line 3, column 7: not UTF-8"},
    };
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct database *database = shipped_database();
        char *text = sqlite3_mprintf("%s%s%s", HEADER, ROW_3090, CASES[i].rows);

        import_text(database, "p.csv", text, &options, report);
        const struct import_note *note = &report->rejected.notes[0];

        tap_ok(report->outcome == IMPORT_REFUSED && report->rejected.total == 1 &&
                   note->finding == CASES[i].finding && note->line == CASES[i].line &&
                   strcmp(note->column, CASES[i].column) == 0,
               "refused with line %zu and column %s", note->line, note->column);
        tap_text(note->reasons[LANGUAGE_EN], CASES[i].reason, "... and the reason");
        tap_ok(own_rows(database, "gpu_prices", "1") == 0 &&
                   test_number(database_connection(database), "SELECT COUNT(*) FROM imports") == 0,
               "... and the good row beside it is not imported either");
        sqlite3_free(text);
        database_close(database);
    }
    free(report);
}

#define SEPARATED(mark)                                                                            \
    "the fields are separated by " mark ", not by commas: save it as CSV with commas, as UTF-8, "  \
    "and numbers with a point, as 1850.50"
#define SEMICOLONS "f.csv line 1: " SEPARATED("semicolons")

/* Every fault of a row is told, and a row is one row. */
static void test_faults_of_a_row(void)
{
    static const char FILE_TEXT[] = "gpu_slug,condition,currency,amount,market,observed_on,source\n"
                                    "RTX 3090,usd,EUR,\"1.850,00\",eu,2026-13-01,\n";
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    static const char *const COLUMNS[] = {"condition", "amount", "observed_on", "source"};
    size_t found = 0;
    struct error err = {0};

    bool is_read =
        import_bytes(database, "f.csv", FILE_TEXT, strlen(FILE_TEXT), &options, report, &err);

    tap_ok(is_read && report->outcome == IMPORT_REFUSED && report->rejected.total == 4 &&
               report->rejected.rows == 1,
           "four faults of one row (%zu of %zu) %s", report->rejected.total, report->rejected.rows,
           err.text);
    for (size_t i = 0; i < 4 && i < report->rejected.count; i++) {
        for (size_t k = 0; k < 4; k++) {
            found += strcmp(report->rejected.notes[i].column, COLUMNS[k]) == 0 ? 1 : 0;
        }
    }
    tap_ok(found == 4, "each column is named");
    free(report);
    database_close(database);
}

static void test_not_read(void)
{
    static const struct {
        const char *bytes;
        size_t size_bytes;
        const char *wanted;
    } CASES[] = {
        {"", 0, "f.csv: is empty"},
        {"\xff\xfeg\0p\0", 6, "f.csv line 1: is UTF-16; save it as UTF-8"},
        {"g\0pu_slug,\n", 11, "f.csv line 1, column 1: a control character"},
        {"\x1f\x8b\x08\0", 4, "f.csv line 1: is compressed; unpack it first"},
        {"gpu_slug,condition,currency,amount,market,observed_on,source,nte\n", 65,
         "f.csv line 1: \"nte\" is no column of gpu_prices"},
        {"gpu_slug,condition,currency,market,observed_on,source\n", 54,
         "f.csv line 1, column amount: missing in the header of gpu_prices"},
        {"gpu_slug,gpu_slug\n", 18, "f.csv line 1, column 2: \"gpu_slug\" stands twice"},
        {"gpu_slug;condition;currency\nRTX 3090;used;EUR\n", 46, SEMICOLONS},
        {"\"gpu_slug\";\"condition\"\n", 24, SEMICOLONS},
        {"gpu_slug,condition,noteRTX 3090,used,", 37,
         "f.csv: is one line, where a header and rows were due: curl --data-binary @FILE sends the "
         "line ends too"},
        {"sep=;\ngpu_slug;condition\n", 25, SEMICOLONS},
        {"sep=,\ngpu_slug,condition\n", 25,
         "f.csv line 1: sep=, is a line for spreadsheets: take it out"},
        {"gpu_slug\tcondition\n", 19, "f.csv line 1: " SEPARATED("tabs")},
        {"AcceleratorName,Clouds\nA100,\"['aws']\"\n", 38,
         "f.csv: SkyPilot's accelerators.csv says which cloud has what, without prices;"
         " import the clouds' vms.csv"},
        {"[{\"a\":", 6, "f.csv line 1: begins as JSON does, but is not valid JSON"},
        {"{\"a\":1}", 7, "f.csv line 1: is JSON, but no array of objects"},
    };
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct error err = {0};

        report->rows = 77;
        tap_ok(!import_bytes(database, "f.csv", CASES[i].bytes, CASES[i].size_bytes, &options,
                             report, &err) &&
                   err.code == ERROR_BAD_FILE && report->rows == 77,
               "no format: %s", CASES[i].wanted);
        tap_text(err.text, CASES[i].wanted, "... is said in one line");
    }
    struct error err = {0};

    tap_ok(!import_bytes(database, "f.csv", "a,b,c\n1,2,3\n", 12, &options, report, &err) &&
               strstr(err.text, "a header of no format known") != NULL,
           "%s", err.text);
    free(report);
    database_close(database);
}

static void test_names(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);

    import_text(database, "p.csv",
                HEADER "RTX 3090,used,USD,731,us,2026-11-20,s,\n"
                       "Voodoo 5,used,USD,31,us,2026-11-20,s,\n"
                       "Voodoo 5,used,USD,32,us,2026-11-20,s,\n",
                &options, report);
    is_counted(report, 3, 0, 0, 0, 0, "names as people write them");
    tap_ok(own_rows(database, "gpu_prices", "gpu_slug = 'nvidia-geforce-rtx-3090'") == 1,
           "a name is resolved");
    tap_ok(own_rows(database, "gpu_prices", "gpu_slug = 'Voodoo 5'") == 2,
           "an unknown one is kept as given");
    tap_ok(report->review.total == 1 && report->review.notes[0].finding == IMPORT_UNKNOWN_NAME &&
               report->review.notes[0].line == 3 &&
               strcmp(report->review.notes[0].value, "Voodoo 5") == 0,
           "... and stands once on the review list");
    free(report);
    database_close(database);
}

static void test_outliers(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    static const char FILE_TEXT[] = HEADER ROW_3090 "RTX 3090,used,USD,73100,us,2026-11-20,s,\n"
                                                    "RTX 3090,used,EUR,5,de,2026-11-20,s,\n"
                                                    "RTX 3090,used,CNY,5200,cn,2026-11-20,s,\n";

    import_text(database, "p.csv", FILE_TEXT, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->accepted == 2 && report->held == 2,
           "far off what the card costs, in whatever currency, is held back");
    tap_ok(report->review.total == 2 && report->review.notes[0].finding == IMPORT_OUTLIER &&
               report->review.notes[0].line + report->review.notes[1].line == 3 + 4,
           "... and on the review list: %s", report->review.notes[0].reasons[LANGUAGE_EN]);
    import_text(database, "p.csv", FILE_TEXT, &options, report);
    tap_ok(report->outcome == IMPORT_UNCHANGED && report->known == 2 && report->held == 2,
           "again: known and held back");
    options.accepts_review = true;
    import_text(database, "p.csv", FILE_TEXT, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && report->accepted == 2 && report->known == 2 &&
               report->held == 0,
           "accepted, these are added, and nothing else");
    free(report);
    database_close(database);
}

/* Whether a price, added to those of one card in an otherwise shipped database, is held back. The
 * card is a K80 sold on, of which nothing else is known. */
static bool is_held(const char *known, const char *price)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    char *text = sqlite3_mprintf("%s%s", HEADER, known);

    if (!statements_run(database_connection(database),
                        "DELETE FROM gpu_prices WHERE gpu_slug = 'nvidia-tesla-k80'", &err)) {
        test_bail_out("not deleted", err.text);
    }
    options.accepts_review = true;
    import_text(database, "known.csv", text, &options, report);
    sqlite3_free(text);
    text = sqlite3_mprintf("%s%s", HEADER, price);
    options.accepts_review = false;
    import_text(database, "p.csv", text, &options, report);
    bool is = report->held == 1 && report->review.total == 1 &&
              report->review.notes[0].finding == IMPORT_OUTLIER;

    if (report->review.count > 0) {
        printf("# \"%s\" %s\n", report->review.notes[0].value,
               report->review.notes[0].reasons[LANGUAGE_EN]);
    }
    sqlite3_free(text);
    free(report);
    database_close(database);
    return is;
}

static void test_far_off(void)
{
#define K80 "nvidia-tesla-k80,"
#define ONE K80 "used,USD,100,us,2026-11-20,s,\n"
    static const struct {
        const char *known, *price;
        bool is_held;
        const char *name;
    } CASES[] = {
        {ONE, K80 "used,USD,399,us,2026-11-28,s,\n", false, "3.99 times one price: added"},
        {ONE, K80 "used,USD,400,us,2026-11-28,s,\n", true, "four times: held"},
        {ONE, K80 "used,USD,25,us,2026-11-28,s,\n", true, "a quarter: held"},
        {ONE, K80 "used,USD,26,us,2026-11-28,s,\n", false, "more than that: added"},
        {ONE, K80 "used,CNY,700,us,2026-11-28,s,\n", false, "yuan are compared as dollars"},
        {ONE, K80 "used,CNY,7000,cn,2026-11-28,s,\n", true, "... and held as such"},
        {K80 "used,CNY,700,cn,2026-11-20,s,\n", K80 "used,USD,700,cn,2026-11-28,s,\n", true,
         "dollars where it should be yuan"},
        {K80 "used,USD,1000,us,2016-11-20,s,\n" ONE, K80 "used,USD,900,us,2016-12-01,s,\n", false,
         "an old price is compared with those of its time"},
        {K80 "used,USD,1000,us,2016-11-20,s,\n" ONE, K80 "used,USD,900,us,2026-11-28,s,\n", true,
         "... and one of today with those of today"},
        {K80 "used,USD,1000,us,2016-11-20,s,\n", K80 "used,USD,9000,us,2026-11-28,s,\n", true,
         "where there is none of its time with any"},
        {K80 "new,USD,200,us,2026-11-20,s,\n", K80 "used,USD,1000,us,2026-11-28,s,\n", true,
         "with other conditions where none is known of its own"},
        {K80 "new,USD,5000,us,2016-11-20,s,\n", K80 "used,USD,100,us,2026-11-28,s,\n", false,
         "... but not with those of another time"},
        {"", K80 "used,USD,100000,us,2026-11-28,s,\n", false, "with nothing: added"},
        {ONE,
         K80 "used,USD,1000,us,2016-01-01,s,\n" K80 "used,USD,900,us,2016-01-02,s,\n" K80
             "used,USD,9000,us,2016-01-03,s,\n",
         true, "three of a file of the past are compared with each other"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tap_ok(is_held(CASES[i].known, CASES[i].price) == CASES[i].is_held, "%s", CASES[i].name);
    }
#undef ONE
#undef K80
}

static void test_keys(void)
{
#define LINKS "id,name,bandwidth_per_direction_gb_s,latency_class,note,source\n"
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    size_t removed = 0;

    import_text(database, "l.csv", LINKS "x1,X,9,low,,s\nx1,Y,9,low,,s\n", &options, report);
    tap_ok(report->outcome == IMPORT_REFUSED &&
               report->rejected.notes[0].finding == IMPORT_KEY_TAKEN &&
               report->rejected.notes[0].line == 3,
           "two rows of one key in a file");
    import_text(database, "l.csv", LINKS "pcie-4-x16,X,9,low,,s\n", &options, report);
    tap_ok(report->outcome == IMPORT_REFUSED &&
               report->rejected.notes[0].finding == IMPORT_KEY_TAKEN &&
               report->rejected.notes[0].line == 2,
           "a row that would contradict a shipped one");
    import_text(database, "a.csv", "architecture,vendor,first_year,source\nMine,amd,2026,s\n",
                &options, report);
    tap_ok(report->outcome == IMPORT_ADDED, "columns that may be empty may be missing");
    import_text(database, "a.csv", "alias,gpu_id,kind,note\nfoo,no-such-card,short,\n", &options,
                report);
    tap_ok(report->outcome == IMPORT_REFUSED && report->rejected.notes[0].line == 0,
           "a reference to nothing: %s", report->rejected.notes[0].reasons[LANGUAGE_EN]);
    import_text(database, "g.csv",
                "id,name,vendor,segment,form_factor,architecture,memory_gib,"
                "memory_per_process_gib,memory_bandwidth_gb_s,gpus_on_board,source\n"
                "mine,Mine,amd,consumer,pcie,Mine,8,8,100,1,s\n",
                &options, report);
    tap_ok(report->outcome == IMPORT_ADDED && !import_undo(database, 1, &removed, &err) &&
               strstr(err.text, "refer to its rows") != NULL,
           "what others refer to is not undone: %s", err.text);
    tap_ok(import_undo(database, 2, &removed, &err) && import_undo(database, 1, &removed, &err),
           "in the other order they go");
    free(report);
    database_close(database);
}

int main(void)
{
    test_added();
    test_list();
    test_refused();
    test_not_read();
    test_faults_of_a_row();
    test_names();
    test_outliers();
    test_far_off();
    test_keys();
    return tap_done();
}
