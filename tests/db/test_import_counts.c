/* db/import_counts.c: imports that stand and that were undone, by table. */
#include "../../db/import_counts.h"

#include "../../handlers/engine/facts.h"
#include "database_fixture.h"

static size_t place_of(const char *table)
{
    size_t place = 0;

    while (place < FACT_TABLE_COUNT && strcmp(FACT_TABLES[place]->name, table) != 0) {
        place++;
    }
    return place;
}

int main(void)
{
    struct database *database = NULL;
    struct import_count counts[64] = {0};
    struct error err = {0};

    if (!database_open_shipped(&database, &err)) {
        test_bail_out("no database", err.text);
    }
    (void)tap_ok(import_counts_read(database, counts, 64, &err), "no imports yet: %s", err.text);
    (void)tap_ok(counts[place_of("gpu_prices")].standing == 0, "none stands");
    test_run_sql(database_connection(database),
                 "INSERT INTO imports (at, who, fact_table, rows_added, rows_known, undone_at)"
                 " VALUES ('2026-11-30T12:00:00Z', 't', 'gpu_prices', 10, 1, NULL),"
                 " ('2026-11-30T12:00:00Z', 't', 'gpu_prices', 5, 0, NULL),"
                 " ('2026-11-30T12:00:00Z', 't', 'gpu_prices', 7, 0, '2026-11-30T13:00:00Z'),"
                 " ('2026-11-30T12:00:00Z', 't', 'cloud_offers', 3, 0, '2026-11-30T13:00:00Z'),"
                 " ('2026-11-30T12:00:00Z', 't', 'no_table_of_facts', 1, 0, NULL)");
    (void)tap_ok(import_counts_read(database, counts, 64, &err), "read: %s", err.text);
    const struct import_count *prices = &counts[place_of("gpu_prices")];
    const struct import_count *offers = &counts[place_of("cloud_offers")];

    (void)tap_ok(prices->standing == 2 && prices->undone == 1 && prices->rows_added == 15,
                 "prices: two stand with their rows, one was undone");
    (void)tap_ok(offers->standing == 0 && offers->undone == 1 && offers->rows_added == 0,
                 "offers: the only one was undone");
    memset(counts, 0, sizeof counts);
    (void)tap_ok(import_counts_read(database, counts, 1, &err) &&
                     counts[place_of("gpu_prices")].standing == 0,
                 "no more are filled than there is room for");
    test_run_sql(database_connection(database), "DROP TABLE imports");
    (void)tap_ok(!import_counts_read(database, counts, 64, &err) && err.code == ERROR_BAD_DATABASE,
                 "a database without them is an error: %s", err.text);
    database_close(database);
    return tap_done();
}
