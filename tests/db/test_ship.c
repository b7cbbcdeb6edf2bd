/* db/ship.c: a newer program replaces its own facts and nobody else's, all or nothing. */
#include "../../db/ship.h"
#include "database_fixture.h"

#define LINKS_HEADER "id,name,bandwidth_per_direction_gb_s,latency_class,note,source\n"
#define QUANTS_HEADER "name,kind,bits_per_weight,note,source,observed_on\n"
#define FILE_OF(file_name, text, file_hash)                                                        \
    {                                                                                              \
        .name = (file_name), .bytes = (const unsigned char *)(text),                               \
        .size_bytes = sizeof(text) - 1, .hash = (file_hash)                                        \
    }

static const struct embedded_file OLD[] = {
    FILE_OF("links.csv", LINKS_HEADER "a,Old A,1,low,,s\nb,Old B,,low,,s\n", "00000000000000a1"),
    FILE_OF("quants.csv", QUANTS_HEADER "bf16,float,16,,s,2026\n", "00000000000000b1"),
    FILE_OF("0001_x.sql", "no facts", "00000000000000c1"),
};
static const struct embedded_file NEW[] = {
    FILE_OF("links.csv", LINKS_HEADER "a,New A,3,low,,s\nmine,Theirs,4,low,,s\n",
            "00000000000000a2"),
    FILE_OF("quants.csv", QUANTS_HEADER "bf16,float,16,,s,2026\n", "00000000000000b1"),
};
static const struct embedded_file BROKEN[] = {
    FILE_OF("links.csv", LINKS_HEADER "a,Newest A,3,low,,s\n", "00000000000000a3"),
    FILE_OF("quants.csv", QUANTS_HEADER "bf16,float,16,,s,2026\nx,float,1e1,,s,2026\n",
            "00000000000000b3"),
};
static const struct embedded_file ASTRAY[] = {
    FILE_OF("aliases.csv", "alias,gpu_id,kind,note\nK80,no-such-card,short,\n", "00000000000000d1"),
};

static struct sqlite3 *shipped(const struct embedded_file *files, size_t count)
{
    struct sqlite3 *connection = test_empty_database();
    struct error err = {0};

    if (!ship_run(connection, files, count, &err)) {
        test_bail_out("shipping fails", err.text);
    }
    return connection;
}

static void test_new_program(void)
{
    struct sqlite3 *connection = shipped(OLD, 3);
    struct error err = {0};

    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE import_id IS NULL") ==
                         2 &&
                     test_number(connection, "SELECT row_count FROM shipped_files"
                                             " WHERE name = 'links.csv'") == 2,
                 "the files are loaded and counted");
    test_run_sql(connection, "INSERT INTO imports (id, at, who, fact_table, rows_added, rows_known)"
                             " VALUES (1, '2026-11-30T12:00:00Z', 'test', 'links', 1, 0);"
                             "INSERT INTO links (id, name, latency_class, source, import_id)"
                             " VALUES ('mine', 'Mine', 'low', 's', 1)");
    int64_t quant_row = test_number(connection, "SELECT total_changes()");

    (void)tap_ok(ship_run(connection, NEW, 2, &err), "a newer program: %s", err.text);
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE id = 'a'"
                                         " AND name = 'New A'") == 1,
                 "a changed row is replaced");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE id = 'b'") == 0,
                 "a row that is no longer shipped goes");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE id = 'mine'"
                                         " AND name = 'Mine' AND import_id = 1") == 1,
                 "an operator's row stays, and wins over a shipped one with its key");
    /* links: 2 deleted, 1 inserted, its line in shipped_files; quants.csv kept its hash: 0 */
    (void)tap_ok(test_number(connection, "SELECT total_changes()") - quant_row == 4,
                 "a file that did not change is not loaded again");
    (void)sqlite3_close(connection);
}

static void test_unchanged(void)
{
    struct sqlite3 *connection = shipped(OLD, 3);
    sqlite3_int64 before = sqlite3_total_changes64(connection);
    struct error err = {0};

    (void)tap_ok(ship_run(connection, OLD, 3, &err) &&
                     sqlite3_total_changes64(connection) == before,
                 "the same program writes nothing");
    test_run_sql(connection, "PRAGMA query_only = ON");
    (void)tap_ok(ship_run(connection, OLD, 3, &err), "... not even an empty transaction: %s",
                 err.text);
    (void)sqlite3_close(connection);
}

static void test_broken(void)
{
    struct sqlite3 *connection = shipped(OLD, 3);
    struct error err = {0};

    (void)tap_ok(!ship_run(connection, BROKEN, 2, &err) && err.code == ERROR_BAD_FILE,
                 "a broken file is refused");
    (void)tap_text(err.text,
                   "quants.csv line 3, column bits_per_weight: \"1e1\" is no plain decimal number",
                   "... with line and column");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM links WHERE name LIKE 'Old%'") ==
                         2 &&
                     test_number(connection, "SELECT COUNT(*) FROM quants") == 1 &&
                     test_number(connection, "SELECT COUNT(*) FROM shipped_files"
                                             " WHERE hash IN ('00000000000000a1',"
                                             " '00000000000000b1')") == 2,
                 "and everything is as it was, the other files too");
    (void)tap_ok(sqlite3_get_autocommit(connection) != 0, "no transaction is left open");
    (void)tap_ok(!ship_run(connection, ASTRAY, 1, &err), "a name for a card that is not there");
    (void)tap_text(err.text, "aliases: row 1 names something that is not in gpus", "... is named");
    (void)tap_ok(test_number(connection, "SELECT COUNT(*) FROM aliases") == 0, "... and left out");
    (void)sqlite3_close(connection);
}

int main(void)
{
    test_new_program();
    test_unchanged();
    test_broken();
    return tap_done();
}
