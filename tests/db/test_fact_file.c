/* db/fact_file.c: a file enters its table whole or not at all, and an error names file, line and
 * column. */
#include "../../db/fact_file.h"
#include "database_fixture.h"

static const char HEADER[] = "gpu_slug,condition,currency,amount,market,observed_on,source,note\n";

/* Loads rows under the header of gpu_prices; false with the error. */
static bool load_prices(struct sqlite3 *connection, const char *rows,
                        struct fact_file_counts *counts, struct error *err)
{
    char *bytes = sqlite3_mprintf("%s%s", HEADER, rows);
    bool is_good = fact_file_load(connection, fact_table_find("gpu_prices"), "p.csv", bytes,
                                  strlen(bytes), FACT_FILE_SHIPPED, counts, err);

    sqlite3_free(bytes);
    return is_good;
}

static void refused(const char *table, const char *bytes, const char *wanted)
{
    struct sqlite3 *connection = test_empty_database();
    struct fact_file_counts counts = {.rows = 77};
    struct error err = {0};

    test_run_sql(connection, "BEGIN");
    bool is_good = fact_file_load(connection, fact_table_find(table), "f.csv", bytes, strlen(bytes),
                                  FACT_FILE_SHIPPED, &counts, &err);

    (void)tap_ok(!is_good && err.code == ERROR_BAD_FILE && counts.rows == 77, "refused: %s",
                 wanted);
    (void)tap_text(err.text, wanted, "... with file, line and column");
    (void)sqlite3_close(connection); /* rolls back */
}

static void test_headers(void)
{
    refused("links", "", "f.csv line 1, column id: missing in the header");
    refused("links", "id,name\n",
            "f.csv line 1, column bandwidth_per_direction_gb_s: missing in the header");
    refused("links", "id,nam\n", "f.csv line 1, column 2: \"nam\" is no column of links");
    refused("links", "id,name,id\n", "f.csv line 1, column 3: \"id\" stands twice");
    refused("links", "id, name\n", "f.csv line 1, column 2: \" name\" is no column of links");
}

static void test_rows(void)
{
    static const char LINKS[] =
        "id,name,bandwidth_per_direction_gb_s,latency_class,note,source\na,A,1,low,,s\n";
    static const struct {
        const char *row, *wanted;
    } CASES[] = {
        {"b,B,1,low,,s,extra\n", "f.csv line 3, column 7: 7 fields, the header has 6"},
        {"b,B,1\n", "f.csv line 3, column 4: 3 fields, the header has 6"},
        {"\n", "f.csv line 3, column 2: 1 fields, the header has 6"},
        {",B,1,low,,s\n", "f.csv line 3, column id: \"\" must not be empty"},
        {"b,B,fast,low,,s\n",
         "f.csv line 3, column bandwidth_per_direction_gb_s: \"fast\" is no plain decimal number"},
        {"b,B,0,low,,s\n",
         "f.csv line 3, column bandwidth_per_direction_gb_s: \"0\" is less than 0.1"},
        {"b,B,1,tiny,,s\n",
         "f.csv line 3, column latency_class: \"tiny\" is none of low|medium|high"},
        {"a,B,1,low,,s\n", "f.csv line 3, column id: the same key (id) stands above"},
        {"b,\"x\ny\",1,\"z\nz\",,s\n",
         "f.csv line 4, column latency_class: \"z z\" is none of low|medium|high"},
        {"b,B,1,low,\"n,s\n", "f.csv line 4, column 5: the quote is not closed"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *bytes = sqlite3_mprintf("%s%s", LINKS, CASES[i].row);

        refused("links", bytes, CASES[i].wanted);
        sqlite3_free(bytes);
    }
}

static void test_prices(void)
{
    struct sqlite3 *connection = test_empty_database();
    struct fact_file_counts counts = {0};
    struct error err = {0};

    (void)tap_ok(load_prices(connection,
                             "no-such-card,new,USD,699.99,us,2026-11,s,\n"
                             "no-such-card,new,USD,699.99,us,2026-11,s,\n",
                             &counts, &err),
                 "prices of a card nobody knows are kept: %s", err.text);
    (void)tap_ok(counts.rows == 2 && counts.added == 2 && counts.known == 0, "counted");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM gpu_prices WHERE gpu_slug ="
                                         " 'no-such-card' AND amount_micros = 699990000"
                                         " AND observed_on = '2026-11' AND note IS NULL") == 2,
                 "under the name as given, to the micro-unit, the date as exact as given");
    (void)tap_ok(sqlite3_exec(connection, "UPDATE gpu_prices SET amount_micros = 1", NULL, NULL,
                              NULL) == SQLITE_CONSTRAINT,
                 "an observation cannot be changed");
    (void)tap_ok(!load_prices(connection, "a,new,USD,1,us,2026-11-31,s,\n", &counts, &err) &&
                     strcmp(err.text,
                            "p.csv line 2, column observed_on: \"2026-11-31\" is no date that"
                            " exists (YYYY, YYYY-MM or YYYY-MM-DD)") == 0,
                 "a day that does not exist: %s", err.text);
    (void)sqlite3_close(connection);
}

static void test_order_and_owner(void)
{
    static const char LINKS[] = "source,note,latency_class,bandwidth_per_direction_gb_s,name,id\n"
                                "s,,low,1,Theirs,a\ns,,low,2,Ours,b\n";
    struct sqlite3 *connection = test_empty_database();
    struct fact_file_counts counts = {0};
    struct error err = {0};

    test_run_sql(connection, "INSERT INTO imports (id, at, who, fact_table, rows_added, rows_known)"
                             " VALUES (5, '2026-11-30T12:00:00Z', 'test', 'links', 1, 0);"
                             "INSERT INTO links (id, name, latency_class, source, import_id)"
                             " VALUES ('a', 'Mine', 'low', 's', 5)");
    (void)tap_ok(fact_file_load(connection, fact_table_find("links"), "f.csv", LINKS, strlen(LINKS),
                                FACT_FILE_SHIPPED, &counts, &err),
                 "columns in any order: %s", err.text);
    (void)tap_ok(counts.rows == 2 && counts.added == 1 && counts.known == 1,
                 "a row of somebody else with the same key is left alone and counted");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE name = 'Mine'") == 1 &&
                     test_number(connection, "SELECT COUNT(*) FROM links WHERE name = 'Ours'") == 1,
                 "both are there");
    (void)sqlite3_close(connection);
}

int main(void)
{
    test_headers();
    test_rows();
    test_prices();
    test_order_and_owner();
    return tap_done();
}
