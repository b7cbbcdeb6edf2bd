/* Every value of every shipped file stands in the database and in the catalogue, value by value: no
 * more rows, no fewer, unknown stays unknown. The files are read here by a parser of the test's
 * own. */
#include "../../db/catalogue_load.h"
#include "../../handlers/engine/embedded.h"
#include "../../handlers/engine/facts.h"
#include "../../handlers/engine/money.h"
#include "database_fixture.h"

enum { COLUMNS_MAX = 64, ROWS_MAX = 8192 };

/* A file taken apart: cell (row, column) is cells[row * column_count + column], row 0 is the
 * header. */
struct sheet {
    char *text; /* all cells, a NUL behind each */
    const char **cells;
    size_t column_count, row_count;
    size_t line_feeds; /* of the whole file */
};

static const struct embedded_file *file_of(const struct fact_table *table)
{
    char name[64];

    (void)snprintf(name, sizeof name, "%s.csv", table->name);
    for (size_t i = 0; i < EMBEDDED_MIGRATION_COUNT; i++) {
        if (strcmp(EMBEDDED_MIGRATIONS[i].name, name) == 0) {
            return &EMBEDDED_MIGRATIONS[i];
        }
    }
    test_bail_out("no file ships for the table", table->name);
}

/* The shipped files are known to be well-formed; quotes, commas and doubled quotes are all it
 * takes. */
static struct sheet take_apart(const struct embedded_file *file)
{
    struct sheet sheet = {.text = calloc(1, 2 * file->size_bytes + 1),
                          .cells = calloc((size_t)COLUMNS_MAX * ROWS_MAX, sizeof(char *))};
    size_t count = 0;
    size_t used = 0;
    bool is_quoted = false;

    if (sheet.text == NULL || sheet.cells == NULL) {
        test_bail_out("no memory for", file->name);
    }
    sheet.cells[count++] = sheet.text;
    for (size_t i = 0; i < file->size_bytes; i++) {
        char byte = (char)file->bytes[i];

        sheet.line_feeds += byte == '\n' ? 1 : 0;
        if (byte == '"') {
            bool is_doubled = is_quoted && i + 1 < file->size_bytes && file->bytes[i + 1] == '"';

            sheet.text[used] = '"';
            used += is_doubled ? 1 : 0;
            i += is_doubled ? 1 : 0;
            is_quoted = is_doubled ? is_quoted : !is_quoted;
        } else if (!is_quoted && (byte == ',' || byte == '\n')) {
            sheet.text[used++] = '\0';
            sheet.row_count += byte == '\n' ? 1 : 0;
            if (byte == '\n' && sheet.row_count == 1) {
                sheet.column_count = count;
            }
            if (count == (size_t)COLUMNS_MAX * ROWS_MAX) {
                test_bail_out("too large for the test", file->name);
            }
            sheet.cells[count++] = sheet.text + used;
        } else if (byte != '\r') { /* no value holds a CR */
            sheet.text[used++] = byte;
        }
    }
    sheet.text[used] = '\0';
    if (count != sheet.row_count * sheet.column_count + 1) { /* one begun behind the last line */
        test_bail_out("rows of different length in", file->name);
    }
    return sheet;
}

static void drop(struct sheet *sheet)
{
    free(sheet->text);
    free(sheet->cells);
}

static const char *cell(const struct sheet *sheet, size_t row, size_t column)
{
    return sheet->cells[row * sheet->column_count + column];
}

/* "12.5" is 12500000, by moving the point in the text. */
static int64_t micros_of(const char *text)
{
    char digits[40] = "";
    const char *point = strchr(text, '.');
    size_t whole = point == NULL ? strlen(text) : (size_t)(point - text);
    size_t decimals = point == NULL ? 0 : strlen(point + 1);

    (void)snprintf(digits, sizeof digits, "%.*s%s%.*s", (int)whole, text,
                   point == NULL ? "" : point + 1, (int)(6 - decimals), "000000");
    return strtoll(digits, NULL, 10);
}

/* Whether the value in the database is the one of the file. */
static bool is_stored(struct sqlite3_stmt *row, int place, const struct fact_column *column,
                      const char *text)
{
    int type = sqlite3_column_type(row, place);

    if (text[0] == '\0') {
        return type == SQLITE_NULL;
    }
    switch (column->type) {
    case FACT_NUMBER:
        return type == SQLITE_FLOAT && sqlite3_column_double(row, place) == strtod(text, NULL);
    case FACT_INTEGER:
        return type == SQLITE_INTEGER &&
               sqlite3_column_int64(row, place) == strtoll(text, NULL, 10);
    case FACT_MONEY:
        return type == SQLITE_INTEGER && sqlite3_column_int64(row, place) == micros_of(text);
    case FACT_TEXT:
    case FACT_DATE:
    default:
        return type == SQLITE_TEXT &&
               strcmp((const char *)sqlite3_column_text(row, place), text) == 0;
    }
}

/* Whether the value in the struct is the one of the file. */
static bool is_loaded(const char *row, const struct fact_column *column, const char *text)
{
    double number = 0;
    int64_t micros = 0;
    int32_t day = DAY_UNKNOWN;
    struct date date;
    const char *word = NULL;

    switch (column->type) {
    case FACT_NUMBER:
    case FACT_INTEGER:
        memcpy(&number, row + column->offset, sizeof number);
        return text[0] == '\0' ? isnan(number) : number == strtod(text, NULL);
    case FACT_MONEY:
        memcpy(&micros, row + column->offset, sizeof micros);
        return micros == (text[0] == '\0' ? MONEY_UNKNOWN : micros_of(text));
    case FACT_DATE:
        memcpy(&date, row + column->offset, sizeof date);
        if (text[0] == '\0') {
            return date.text == NULL && date.day == DAY_UNKNOWN;
        }
        return date.text != NULL && strcmp(date.text, text) == 0 &&
               day_parse(text, strlen(text), &day) && date.day == day;
    case FACT_TEXT:
    default:
        memcpy(&word, row + column->offset, sizeof word);
        return text[0] == '\0' ? word == NULL : word != NULL && strcmp(word, text) == 0;
    }
}

/* Rows in the order of the file; returns the number of values that agree. */
static size_t compare_database(struct sqlite3 *connection, const struct fact_table *table,
                               const struct sheet *sheet, size_t *rows)
{
    struct sqlite3_str *sql = sqlite3_str_new(connection);
    struct sqlite3_stmt *statement = NULL;
    size_t agree = 0;

    for (size_t i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(sql, "%s\"%w\"", i == 0 ? "SELECT " : ", ", table->columns[i].sql_name);
    }
    sqlite3_str_appendf(sql, " FROM \"%w\" WHERE import_id IS NULL ORDER BY rowid", table->name);
    char *text = sqlite3_str_finish(sql);

    if (sqlite3_prepare_v2(connection, text, -1, &statement, NULL) != SQLITE_OK) {
        test_bail_out(text, sqlite3_errmsg(connection));
    }
    *rows = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        ++*rows;
        for (size_t i = 0; i < table->column_count && *rows < sheet->row_count; i++) {
            const char *name = cell(sheet, 0, i); /* the file's order may differ from the table's */
            size_t column = fact_column_find(table, name, strlen(name));
            bool is_equal =
                is_stored(statement, (int)column, &table->columns[column], cell(sheet, *rows, i));

            if (!is_equal) {
                printf("# %s.csv row %zu, %s: \"%s\"\n", table->name, *rows, name,
                       cell(sheet, *rows, i));
            }
            agree += is_equal ? 1 : 0;
        }
    }
    (void)sqlite3_finalize(statement); /* a failed step shows in the number of rows */
    sqlite3_free(text);
    return agree;
}

static bool is_same_row(const struct fact_table *table, const struct sheet *sheet, size_t row,
                        const char *loaded)
{
    for (size_t i = 0; i < table->column_count; i++) {
        size_t column = fact_column_find(table, cell(sheet, 0, i), strlen(cell(sheet, 0, i)));

        if (!is_loaded(loaded, &table->columns[column], cell(sheet, row, i))) {
            return false;
        }
    }
    return true;
}

/* Rows in any order, since the catalogue sorts some: each row of the file takes one row of its own.
 * Returns the number of rows of the file that found theirs. */
static size_t compare_catalogue(const struct catalogue *catalogue, const struct fact_table *table,
                                const struct sheet *sheet, size_t *count)
{
    const char *rows = NULL;
    size_t found = 0;

    memcpy(&rows, (const char *)catalogue + table->catalogue_rows, sizeof rows);
    memcpy(count, (const char *)catalogue + table->catalogue_count, sizeof *count);
    bool *is_taken = calloc(*count + 1, sizeof *is_taken);

    if (is_taken == NULL) {
        test_bail_out("no memory for", table->name);
    }
    for (size_t row = 1; row < sheet->row_count; row++) {
        size_t i = 0;

        while (i < *count &&
               (is_taken[i] || !is_same_row(table, sheet, row, rows + i * table->row_bytes))) {
            i++;
        }
        if (i < *count) {
            is_taken[i] = true;
            found++;
        } else {
            printf("# %s.csv row %zu (%s) is not in the catalogue\n", table->name, row,
                   cell(sheet, row, 0));
        }
    }
    free(is_taken);
    return found;
}

static void test_table(struct sqlite3 *connection, const struct catalogue *catalogue,
                       const struct fact_table *table)
{
    struct sheet sheet = take_apart(file_of(table));
    size_t values = (sheet.row_count - 1) * sheet.column_count;
    size_t rows = 0;

    for (size_t i = 0; i < sheet.column_count; i++) {
        const char *name = cell(&sheet, 0, i);

        if (fact_column_find(table, name, strlen(name)) == table->column_count) {
            test_bail_out("a column nobody describes", name);
        }
    }
    (void)tap_ok(sheet.row_count > 1 && sheet.row_count == sheet.line_feeds,
                 "%s.csv has %zu lines: a header and %zu rows", table->name, sheet.line_feeds,
                 sheet.row_count - 1);
    (void)tap_ok(sheet.column_count == table->column_count, "... of %zu columns",
                 sheet.column_count);
    size_t agree = compare_database(connection, table, &sheet, &rows);

    (void)tap_ok(rows == sheet.row_count - 1 && agree == values,
                 "... the database holds %zu rows, %zu of %zu values as in the file", rows, agree,
                 values);
    size_t found = compare_catalogue(catalogue, table, &sheet, &rows);

    (void)tap_ok(rows == sheet.row_count - 1 && found == rows,
                 "... the catalogue holds %zu rows, %zu with every value as in the file", rows,
                 found);
    drop(&sheet);
}

/* The description of a table (facts.h) and its schema (migrations/) say the same. */
static void test_schema(struct sqlite3 *connection, const struct fact_table *table)
{
    static const char *const TYPES[] = {[FACT_TEXT] = "TEXT",
                                        [FACT_NUMBER] = "REAL",
                                        [FACT_INTEGER] = "INTEGER",
                                        [FACT_MONEY] = "INTEGER",
                                        [FACT_DATE] = "TEXT"};
    struct sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("PRAGMA table_info(\"%w\")", table->name);
    char key[128] = "";
    size_t place = 0;
    size_t agree = 0;

    if (sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) != SQLITE_OK) {
        test_bail_out(sql, sqlite3_errmsg(connection));
    }
    for (; sqlite3_step(statement) == SQLITE_ROW; place++) {
        const char *name = (const char *)sqlite3_column_text(statement, 1);
        const char *type = (const char *)sqlite3_column_text(statement, 2);

        if (sqlite3_column_int(statement, 5) > 0) { /* part of the primary key */
            (void)snprintf(key + strlen(key), sizeof key - strlen(key), "%s%s",
                           key[0] == '\0' ? "" : ",", name);
        }
        if (place == table->column_count) {
            agree += strcmp(name, "import_id") == 0 && strcmp(type, "INTEGER") == 0 ? 1 : 0;
        } else if (place < table->column_count) {
            const struct fact_column *column = &table->columns[place];

            agree += strcmp(name, column->sql_name) == 0 &&
                             strcmp(type, TYPES[column->type]) == 0 &&
                             (sqlite3_column_int(statement, 3) != 0) == column->is_required
                         ? 1
                         : 0;
        }
    }
    (void)tap_ok(
        place == table->column_count + 1 && agree == place,
        "%s: %zu of %zu columns have name, type and duty of their description, import_id last",
        table->name, agree, place);
    (void)tap_ok(strcmp(key, table->key == NULL ? "" : table->key) == 0, "... and the key is %s",
                 key[0] == '\0' ? "none" : key);
    (void)sqlite3_finalize(statement); /* a failed step shows in the number of columns */
    sqlite3_free(sql);
}

static void test_every_file(void)
{
    size_t without_table = 0;
    size_t files = 0;

    for (size_t i = 0; i < EMBEDDED_MIGRATION_COUNT; i++) {
        char name[64] = "";
        const char *end = strstr(EMBEDDED_MIGRATIONS[i].name, ".csv");

        if (end != NULL) {
            (void)snprintf(name, sizeof name, "%.*s", (int)(end - EMBEDDED_MIGRATIONS[i].name),
                           EMBEDDED_MIGRATIONS[i].name);
            files++;
            without_table += fact_table_find(name) == NULL ? 1 : 0;
        }
    }
    (void)tap_ok(files == FACT_TABLE_COUNT && without_table == 0,
                 "each of %zu files has its table, each of %zu tables its file", files,
                 FACT_TABLE_COUNT);
}

static void test_operators_rows(struct database *database)
{
    struct catalogue *catalogue = NULL;
    struct error err = {0};

    test_run_sql(
        database_connection(database),
        "INSERT INTO imports (id, at, who, fact_table, rows_added, rows_known)"
        " VALUES (1, '2026-11-30T12:00:00Z', 'test', 'gpu_prices', 1, 0);"
        "INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros, observed_on,"
        " source, import_id) VALUES ('nobodys-card', 'new', 'USD', 5000000, '2026-11-30',"
        " 'test', 1)");
    if (!catalogue_load(database, &catalogue, &err)) {
        test_bail_out("cannot load", err.text);
    }
    size_t found = 0;

    for (size_t i = 0; i < catalogue->price_count; i++) {
        found += strcmp(catalogue->prices[i].gpu_slug, "nobodys-card") == 0 ? 1 : 0;
    }
    (void)tap_ok(found == 1, "a price an operator added for a card nobody knows is kept");
    catalogue_unref(catalogue);
    test_run_sql(database_connection(database), "DELETE FROM parameters");
    (void)tap_ok(!catalogue_load(database, &catalogue, &err) && err.text[0] != '\0',
                 "a database without what the advisor needs does not load: %s", err.text);
    (void)tap_ok(sqlite3_get_autocommit(database_connection(database)) != 0,
                 "no transaction is left open");
}

int main(void)
{
    char path[TEST_PATH_BYTES];
    struct database *database = NULL;
    struct catalogue *catalogue = NULL;
    struct error err = {0};
    int32_t day = DAY_UNKNOWN;

    test_temporary_path(path);
    if (!database_open(path, &database, &err) || !catalogue_load(database, &catalogue, &err)) {
        test_bail_out("no catalogue", err.text);
    }
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        test_table(database_connection(database), catalogue, FACT_TABLES[i]);
        test_schema(database_connection(database), FACT_TABLES[i]);
    }
    test_every_file();
    catalogue_unref(catalogue);
    test_operators_rows(database);
    (void)tap_ok(day_parse("2026-11-30", 10, &day) && day == TEST_DAY,
                 "the day of the tests is right");
    database_close(database);
    test_remove_database(path);
    return tap_done();
}
