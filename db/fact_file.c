/* From the records of a CSV file to the rows of a table, by the table's description (facts.h). It
 * knows no table by name, opens no file and no transaction. One thread at a time per connection. */
#include "fact_file.h"

#include "csv.h"
#include "fact_value.h"
#include "statements.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 44 }; /* how much of a wrong value an error repeats */

struct fact_file {
    struct sqlite3 *connection;
    const struct fact_table *table;
    struct csv_reader reader;
    size_t field_of[CSV_FIELDS_MAX]; /* of each column of the table */
    int64_t import_id;
    struct sqlite3_stmt *insert; /* one parameter per column, then import_id */
    struct sqlite3_stmt *find;   /* import_id, then one parameter per key column; NULL: no key */
};

/* A value as an error shows it: the beginning, whole characters, on one line. */
static void show(const struct csv_field *field, char shown[SHOWN_BYTES])
{
    size_t length = field->length;

    if (length >= SHOWN_BYTES) {
        length = SHOWN_BYTES - 1;
        while (length > 0 && ((unsigned char)field->text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    for (size_t i = 0; i < length; i++) {
        shown[i] = field->text[i];
        if (shown[i] == '\n' || shown[i] == '\r' || shown[i] == '\t') {
            shown[i] = ' ';
        }
    }
    shown[length] = '\0';
}

static bool read_header(struct fact_file *file, struct error *err)
{
    const struct fact_table *table = file->table;
    struct csv_reader *reader = &file->reader;
    char shown[SHOWN_BYTES];
    bool found = false;

    if (!csv_next(reader, &found, err)) {
        return false;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        file->field_of[i] = CSV_FIELDS_MAX;
    }
    for (size_t i = 0; i < reader->field_count; i++) {
        size_t column = fact_column_find(table, reader->fields[i].text, reader->fields[i].length);

        show(&reader->fields[i], shown);
        if (column == table->column_count) {
            return error_set(err, ERROR_BAD_FILE,
                             "%s line 1, column %zu: \"%s\" is no column of %s", reader->name,
                             i + 1, shown, table->name);
        }
        if (file->field_of[column] != CSV_FIELDS_MAX) {
            return error_set(err, ERROR_BAD_FILE, "%s line 1, column %zu: \"%s\" stands twice",
                             reader->name, i + 1, shown);
        }
        file->field_of[column] = i;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        if (file->field_of[i] == CSV_FIELDS_MAX) {
            return error_set(err, ERROR_BAD_FILE, "%s line 1, column %s: missing in the header",
                             reader->name, table->columns[i].name);
        }
    }
    return true;
}

/* The column with that name in SQL; our own lists name only columns that exist. */
static size_t column_by_sql_name(const struct fact_table *table, const char *name, size_t length)
{
    size_t i = 0;

    while (i < table->column_count && (strlen(table->columns[i].sql_name) != length ||
                                       memcmp(table->columns[i].sql_name, name, length) != 0)) {
        i++;
    }
    assert(i < table->column_count);
    return i;
}

/* The column a key begins with; *key moves behind it, to NULL behind the last. */
static size_t take_key_column(const struct fact_table *table, const char **key)
{
    size_t length = strcspn(*key, ",");
    size_t column = column_by_sql_name(table, *key, length);

    *key = (*key)[length] == ',' ? *key + length + 1 : NULL;
    return column;
}

static bool prepare_insert(struct fact_file *file, struct error *err)
{
    char *columns = fact_file_column_list(file->table);
    struct sqlite3_str *sql = sqlite3_str_new(file->connection);
    bool is_good = false;

    sqlite3_str_appendf(sql, "INSERT INTO \"%w\" (%s, import_id) VALUES (", file->table->name,
                        columns);
    for (size_t i = 0; i < file->table->column_count; i++) {
        sqlite3_str_appendall(sql, "?, ");
    }
    sqlite3_str_appendall(sql, "?) ON CONFLICT DO NOTHING");
    char *text = sqlite3_str_finish(sql);

    if (text == NULL || columns == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", file->reader.name);
    } else {
        is_good = statements_prepare(file->connection, text, &file->insert, err);
    }
    sqlite3_free(text);
    free(columns);
    return is_good;
}

static bool prepare_find(struct fact_file *file, struct error *err)
{
    const char *key = file->table->key;
    struct sqlite3_str *sql = sqlite3_str_new(file->connection);
    bool is_good = false;

    sqlite3_str_appendf(sql, "SELECT COUNT(*) FROM \"%w\" WHERE import_id IS ?", file->table->name);
    while (key != NULL) {
        size_t column = take_key_column(file->table, &key);

        sqlite3_str_appendf(sql, " AND \"%w\" = ?", file->table->columns[column].sql_name);
    }
    char *text = sqlite3_str_finish(sql);

    if (text == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", file->reader.name);
    } else {
        is_good = statements_prepare(file->connection, text, &file->find, err);
    }
    sqlite3_free(text);
    return is_good;
}

static int bind_import(struct sqlite3_stmt *statement, int place, int64_t import_id)
{
    return import_id == FACT_FILE_SHIPPED ? sqlite3_bind_null(statement, place)
                                          : sqlite3_bind_int64(statement, place, import_id);
}

/* Checks one value and binds it to the INSERT. */
static bool bind_column(struct fact_file *file, size_t column, struct error *err)
{
    const struct csv_field *field = &file->reader.fields[file->field_of[column]];
    const struct fact_column *description = &file->table->columns[column];
    struct fact_fault fault;
    char shown[SHOWN_BYTES];
    struct fact_value value;
    int place = (int)column + 1;
    int result = SQLITE_OK;

    if (!fact_value_read(description, field->text, field->length, &value, &fault)) {
        char reason[sizeof fault.first + 64];

        text_print(SAY(fault.text, fault.first), LANGUAGE_EN, reason, sizeof reason);
        show(field, shown);
        return error_set(err, ERROR_BAD_FILE, "%s line %zu, column %s: \"%s\" %s",
                         file->reader.name, field->line, description->name, shown, reason);
    }
    switch (value.kind) {
    case FACT_VALUE_INTEGER:
        result = sqlite3_bind_int64(file->insert, place, value.integer);
        break;
    case FACT_VALUE_REAL:
        result = sqlite3_bind_double(file->insert, place, value.real);
        break;
    case FACT_VALUE_TEXT: /* lent until the record is inserted */
        result =
            sqlite3_bind_text(file->insert, place, field->text, (int)field->length, SQLITE_STATIC);
        break;
    case FACT_VALUE_NULL:
    default:
        result = sqlite3_bind_null(file->insert, place);
        break;
    }
    return result == SQLITE_OK || statements_fail(file->connection, file->reader.name, err);
}

/* The INSERT did nothing, because of a row with the same key: whose is it? */
static bool check_known(struct fact_file *file, struct error *err)
{
    const char *key = file->table->key;
    size_t column = 0;
    int place = 1;
    int result = bind_import(file->find, place, file->import_id);

    while (key != NULL && result == SQLITE_OK) {
        column = take_key_column(file->table, &key);
        const struct csv_field *field = &file->reader.fields[file->field_of[column]];

        place++;
        result =
            sqlite3_bind_text(file->find, place, field->text, (int)field->length, SQLITE_STATIC);
    }
    if (result != SQLITE_OK || sqlite3_step(file->find) != SQLITE_ROW) {
        return statements_fail(file->connection, file->reader.name, err);
    }
    bool is_own = sqlite3_column_int64(file->find, 0) > 0;

    (void)sqlite3_reset(file->find); /* the step succeeded */
    if (is_own) {
        return error_set(err, ERROR_BAD_FILE,
                         "%s line %zu, column %s: the same key (%s) stands above",
                         file->reader.name, file->reader.fields[0].line,
                         file->table->columns[column].name, file->table->key);
    }
    return true;
}

static bool insert_record(struct fact_file *file, struct fact_file_counts *counts,
                          struct error *err)
{
    const struct fact_table *table = file->table;
    struct csv_reader *reader = &file->reader;
    size_t line = reader->fields[0].line;

    if (reader->field_count != table->column_count) {
        size_t first_wrong =
            reader->field_count < table->column_count ? reader->field_count : table->column_count;

        return error_set(err, ERROR_BAD_FILE,
                         "%s line %zu, column %zu: %zu fields, the header has %zu", reader->name,
                         line, first_wrong + 1, reader->field_count, table->column_count);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        if (!bind_column(file, i, err)) {
            return false;
        }
    }
    if (bind_import(file->insert, (int)table->column_count + 1, file->import_id) != SQLITE_OK) {
        return statements_fail(file->connection, reader->name, err);
    }
    int result = sqlite3_step(file->insert);

    if (result == SQLITE_CONSTRAINT) {
        return error_set(err, ERROR_BAD_FILE, "%s line %zu: %s", reader->name, line,
                         sqlite3_errmsg(file->connection));
    }
    if (result != SQLITE_DONE) {
        return statements_fail(file->connection, reader->name, err);
    }
    (void)sqlite3_reset(file->insert); /* the step succeeded */
    counts->rows++;
    if (sqlite3_changes(file->connection) == 1) {
        counts->added++;
        return true;
    }
    counts->known++;
    return check_known(file, err);
}

char *fact_file_column_list(const struct fact_table *table)
{
    size_t length = 1;

    for (size_t i = 0; i < table->column_count; i++) {
        length += strlen(table->columns[i].sql_name) + strlen("\"\", ");
    }
    char *list = malloc(length);

    if (list == NULL) {
        return NULL;
    }
    list[0] = '\0';
    for (size_t i = 0; i < table->column_count; i++) {
        size_t used = strlen(list);

        (void)sqlite3_snprintf((int)(length - used), list + used, "%s\"%w\"", i == 0 ? "" : ", ",
                               table->columns[i].sql_name);
    }
    return list;
}

bool fact_file_load(struct sqlite3 *connection, const struct fact_table *table,
                    const char *file_name, const void *bytes, size_t size_bytes, int64_t import_id,
                    struct fact_file_counts *counts, struct error *err)
{
    struct fact_file file = {.connection = connection, .table = table, .import_id = import_id};
    struct fact_file_counts counted = {0};
    bool found = true;

    assert(table->column_count <= CSV_FIELDS_MAX);
    if (!csv_init(&file.reader, file_name, bytes, size_bytes, err)) {
        return false;
    }
    bool is_good = read_header(&file, err) && prepare_insert(&file, err) &&
                   (table->key == NULL || prepare_find(&file, err)) &&
                   csv_next(&file.reader, &found, err);

    while (is_good && found) {
        is_good = insert_record(&file, &counted, err) && csv_next(&file.reader, &found, err);
    }
    statements_finish(&file.insert);
    statements_finish(&file.find);
    csv_fini(&file.reader);
    if (is_good) {
        *counts = counted;
    }
    return is_good;
}
