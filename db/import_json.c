/* JSON through SQLite's json_each, and the lines on which its elements begin. One thread. */
#include "import_json.h"

#include "statements.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char IS_ARRAY[] =
    "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'array' ELSE 2 END";
static const char SELECT_KEYS[] =
    "SELECT DISTINCT j.key FROM json_each(?1) r, json_each(r.value) j WHERE r.type = 'object'";
static const char SELECT_VALUES[] =
    "SELECT r.key, j.key, j.type, j.value, r.type = 'object' FROM json_each(?1) r"
    " LEFT JOIN json_each(CASE r.type WHEN 'object' THEN r.value ELSE '{}' END) j";

/* Where the scan for the beginnings of elements is. */
struct lines {
    const char *text;
    size_t size_bytes, place, line;
    int depth;
    int64_t element; /* last one begun, from 0 */
};

struct table {
    struct csv_field header[CSV_FIELDS_MAX];
    struct csv_field fields[CSV_FIELDS_MAX];
    size_t count;
    char *names;  /* texts of the header */
    char *values; /* texts of the fields */
    size_t used;
};

static void skip_string(struct lines *lines)
{
    for (lines->place++; lines->place < lines->size_bytes && lines->text[lines->place] != '"';
         lines->place++) {
        lines->place += lines->text[lines->place] == '\\' ? 1 : 0;
        lines->line +=
            lines->place < lines->size_bytes && lines->text[lines->place] == '\n' ? 1 : 0;
    }
}

/* The line on which that element of the array begins; elements are asked for in order. */
static size_t line_of(struct lines *lines, int64_t element)
{
    bool is_between = true; /* behind the bracket or a comma at depth 1 */

    for (; lines->place < lines->size_bytes; lines->place++) {
        char byte = lines->text[lines->place];

        if (lines->depth == 1 && is_between && strchr(" \t\r\n,]", byte) == NULL) {
            if (lines->element + 1 == element) {
                lines->element = element;
                size_t line = lines->line;

                lines->depth += byte == '{' || byte == '[' ? 1 : 0;
                if (byte == '"') {
                    skip_string(lines);
                }
                lines->place++;
                return line;
            }
        }
        if (byte == '"') {
            skip_string(lines);
        }
        lines->line += byte == '\n' ? 1 : 0;
        lines->depth += byte == '{' || byte == '[' ? 1 : byte == '}' || byte == ']' ? -1 : 0;
        is_between = lines->depth == 1 && (byte == ',' || byte == '[' ||
                                           (is_between && strchr(" \t\r\n", byte) != NULL));
    }
    return lines->line;
}

static bool prepare(struct sqlite3 *connection, const char *sql, const char *text,
                    size_t size_bytes, struct sqlite3_stmt **statement, struct error *err)
{
    if (!statements_prepare(connection, sql, statement, err)) {
        return false;
    }
    return sqlite3_bind_text(*statement, 1, text, (int)size_bytes, SQLITE_STATIC) == SQLITE_OK ||
           statements_fail(connection, "JSON", err);
}

static bool check_array(struct sqlite3 *connection, const char *name, const char *text,
                        size_t size_bytes, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!prepare(connection, IS_ARRAY, text, size_bytes, &statement, err)) {
        return false;
    }
    if (sqlite3_step(statement) != SQLITE_ROW) {
        return statements_fail(connection, "JSON", err);
    }
    int found = sqlite3_column_int(statement, 0);

    return found == 1 || error_say(err, ERROR_BAD_FILE,
                                   SAY(found == 2 ? TEXT_FILE_BAD_JSON : TEXT_FILE_NO_ARRAY, name));
}

/* Whether the text is one that CSV could hold. */
static bool is_plain(const char *text, size_t length)
{
    return length <= CSV_FIELD_BYTES_MAX && csv_is_text(text, length);
}

/* Keeps a text behind those of the record. */
static bool keep(char *buffer, size_t *used, const char *text, size_t length,
                 struct csv_field *field)
{
    if (*used + length + 1 > CSV_RECORD_BYTES_MAX) {
        return false;
    }
    memcpy(buffer + *used, text, length);
    buffer[*used + length] = '\0';
    field->text = buffer + *used;
    field->length = length;
    *used += length + 1;
    return true;
}

static bool read_keys(struct sqlite3 *connection, const char *name, const char *text,
                      size_t size_bytes, struct table *table, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    size_t used = 0;

    if (!prepare(connection, SELECT_KEYS, text, size_bytes, &statement, err)) {
        return false;
    }
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW; result = sqlite3_step(statement)) {
        const char *key = (const char *)sqlite3_column_text(statement, 0);
        size_t length = key == NULL ? 0 : strlen(key);

        if (table->count == CSV_FIELDS_MAX || !is_plain(key == NULL ? "" : key, length) ||
            !keep(table->names, &used, key == NULL ? "" : key, length,
                  &table->header[table->count])) {
            char keys_max[16];

            (void)sqlite3_snprintf(sizeof keys_max, keys_max, "%d", CSV_FIELDS_MAX);
            return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_KEYS, name, keys_max));
        }
        table->header[table->count++].line = 1;
    }
    return result == SQLITE_DONE || statements_fail(connection, "JSON", err);
}

static void clear(struct table *table, size_t line)
{
    table->used = 0;
    for (size_t i = 0; i < table->count; i++) {
        table->fields[i] = (struct csv_field){.text = "", .length = 0, .line = line};
    }
}

static void take_value(struct table *table, struct sqlite3_stmt *statement)
{
    const char *key = (const char *)sqlite3_column_text(statement, 1);
    const char *type = (const char *)sqlite3_column_text(statement, 2);
    const char *value = (const char *)sqlite3_column_text(statement, 3);

    if (key == NULL || type == NULL || value == NULL || strcmp(type, "array") == 0 ||
        strcmp(type, "object") == 0) {
        return;
    }
    size_t length = strlen(value); /* what stands behind a NUL is nobody's name or price */

    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->header[i].text, key) == 0 && is_plain(value, length)) {
            (void)keep(table->values, &table->used, value, length,
                       &table->fields[i]); /* else it stays empty */
        }
    }
}

static bool read_records(struct sqlite3 *connection, const char *text, size_t size_bytes,
                         struct table *table, const struct import_json_sink *sink,
                         struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    struct lines lines = {.text = text, .size_bytes = size_bytes, .line = 1, .element = -1};
    struct import_record record = {.fields = table->fields, .count = table->count};
    int64_t element = -1;

    if (!prepare(connection, SELECT_VALUES, text, size_bytes, &statement, err)) {
        return false;
    }
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW; result = sqlite3_step(statement)) {
        int64_t now = sqlite3_column_int64(statement, 0);

        if (now != element) {
            if (element >= 0 && !sink->record(sink->context, &record, err)) {
                return false;
            }
            element = now;
            record.line = line_of(&lines, element);
            record.count = sqlite3_column_int(statement, 4) == 1 ? table->count : 0;
            clear(table, record.line);
        }
        take_value(table, statement);
    }
    if (result != SQLITE_DONE) {
        return statements_fail(connection, "JSON", err);
    }
    return element < 0 || sink->record(sink->context, &record, err);
}

bool import_json_read(struct sqlite3 *connection, const char *name, const char *text,
                      size_t size_bytes, const struct import_json_sink *sink, struct error *err)
{
    struct table *table = calloc(1, sizeof *table);
    bool is_good = table != NULL;

    if (is_good) {
        table->names = malloc(CSV_RECORD_BYTES_MAX);
        table->values = malloc(CSV_RECORD_BYTES_MAX);
        is_good = table->names != NULL && table->values != NULL;
    }
    is_good = is_good ? check_array(connection, name, text, size_bytes, err) &&
                            read_keys(connection, name, text, size_bytes, table, err) &&
                            sink->header(sink->context, table->header, table->count, err) &&
                            read_records(connection, text, size_bytes, table, sink, err)
                      : error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", name);
    if (table != NULL) {
        free(table->names);
        free(table->values);
    }
    free(table);
    return is_good;
}
