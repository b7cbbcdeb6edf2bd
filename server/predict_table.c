/* Reads a CSV table into memory. Main thread. */
#include "predict_table.h"

#include "../db/csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREDICT_FILE_BYTES_MAX = 16 * 1024 * 1024, PREDICT_ROWS_MAX = 100000 };

/* The whole file, free() it. */
static bool read_file(const char *path, char **bytes, size_t *size_bytes, struct error *err)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        return error_set(err, ERROR_BAD_FILE, "%s: %s", path, strerror(errno));
    }
    char *room = malloc(PREDICT_FILE_BYTES_MAX + 1);
    size_t count = room == NULL ? 0 : fread(room, 1, PREDICT_FILE_BYTES_MAX + 1, file);
    bool is_read = room != NULL && ferror(file) == 0;

    (void)fclose(file); /* read only */
    if (!is_read || count > PREDICT_FILE_BYTES_MAX) {
        free(room);
        return error_set(err, ERROR_BAD_FILE, "%s: %s", path,
                         is_read ? "is larger than 16 MiB" : "cannot be read");
    }
    *bytes = room;
    *size_bytes = count;
    return true;
}

static bool copy_record(struct predict_table *table, const struct csv_reader *reader,
                        const char **texts)
{
    for (size_t i = 0; i < table->column_count; i++) {
        texts[i] =
            arena_copy_text(&table->memory, reader->fields[i].text, reader->fields[i].length);
        if (texts[i] == NULL) {
            return false;
        }
    }
    return true;
}

static bool read_header(struct predict_table *table, struct csv_reader *reader, struct error *err)
{
    bool found = false;

    if (!csv_next(reader, &found, err)) {
        return false;
    }
    if (!found) {
        return error_set(err, ERROR_BAD_FILE, "%s: has no header line", reader->name);
    }
    table->column_count = reader->field_count;
    table->columns = arena_alloc_array(&table->memory, table->column_count, sizeof *table->columns);
    table->cells = arena_alloc_array(&table->memory, table->column_count * PREDICT_ROWS_MAX,
                                     sizeof *table->cells);
    if (table->columns == NULL || table->cells == NULL ||
        !copy_record(table, reader, table->columns)) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", reader->name);
    }
    return true;
}

static bool read_rows(struct predict_table *table, struct csv_reader *reader, struct error *err)
{
    for (;;) {
        bool found = false;

        if (!csv_next(reader, &found, err)) {
            return false;
        }
        if (!found) {
            return true;
        }
        if (reader->field_count != table->column_count) {
            return error_set(err, ERROR_BAD_FILE, "%s line %zu: has %zu fields, the header %zu",
                             reader->name, reader->fields[0].line, reader->field_count,
                             table->column_count);
        }
        if (table->row_count == PREDICT_ROWS_MAX ||
            !copy_record(table, reader, table->cells + table->row_count * table->column_count)) {
            return error_set(err, ERROR_BAD_FILE, "%s: is too large", reader->name);
        }
        table->row_count++;
    }
}

bool predict_table_read(const char *path, struct predict_table *table, struct error *err)
{
    struct predict_table read = {0};
    struct csv_reader reader = {0};
    char *bytes = NULL;
    size_t size_bytes = 0;
    bool is_good = false;

    arena_init(&read.memory, PREDICT_TABLE_MEMORY_BYTES_MAX);
    if (!read_file(path, &bytes, &size_bytes, err)) {
        return false;
    }
    if (!csv_init(&reader, path, bytes, size_bytes, err)) {
        goto free_bytes;
    }
    is_good = read_header(&read, &reader, err) && read_rows(&read, &reader, err);
    csv_fini(&reader);
free_bytes:
    free(bytes);
    if (is_good) {
        *table = read;
    } else {
        predict_table_fini(&read);
    }
    return is_good;
}

void predict_table_fini(struct predict_table *table)
{
    arena_fini(&table->memory);
    *table = (struct predict_table){0};
}

static size_t find_column(const struct predict_table *table, const char *column)
{
    size_t i = 0;

    while (i < table->column_count && strcmp(table->columns[i], column) != 0) {
        i++;
    }
    return i;
}

bool predict_table_has(const struct predict_table *table, const char *column)
{
    return find_column(table, column) < table->column_count;
}

const char *predict_table_text(const struct predict_table *table, size_t row, const char *column)
{
    size_t i = find_column(table, column);

    return i < table->column_count ? table->cells[row * table->column_count + i] : "";
}

double predict_table_number(const struct predict_table *table, size_t row, const char *column)
{
    const char *text = predict_table_text(table, row, column);
    char *end = NULL;
    double number = strtod(text, &end);

    return end == text || *end != '\0' || !isfinite(number) ? (double)NAN : number;
}
