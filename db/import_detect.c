/* Compares headers with what is known. No state. */
#include "import_detect.h"

#include <stdio.h>
#include <string.h>

static bool has_column(const struct csv_field *header, size_t count, const char *name,
                       size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (header[i].length == length && memcmp(header[i].text, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* How many columns the format asks for, when all of them are there; 0: one is missing. */
static size_t columns_met(const struct import_format *format, const struct csv_field *header,
                          size_t count)
{
    const char *columns = format->columns;
    size_t met = 0;

    while (columns != NULL) {
        size_t length = strcspn(columns, ",");

        if (!has_column(header, count, columns, length)) {
            return 0;
        }
        met++;
        columns = columns[length] == ',' ? columns + length + 1 : NULL;
    }
    return met;
}

/* The first column that must be in a file of the table and is not; NULL: none. */
static const struct fact_column *missing_column(const struct fact_table *table,
                                                const struct csv_field *header, size_t count)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct fact_column *column = &table->columns[i];

        if (column->is_required && !has_column(header, count, column->name, strlen(column->name))) {
            return column;
        }
    }
    return NULL;
}

/* How many of the header's columns are of the table. */
static size_t columns_of(const struct fact_table *table, const struct csv_field *header,
                         size_t count, const struct csv_field **stranger)
{
    size_t known = 0;

    *stranger = NULL;
    for (size_t i = 0; i < count; i++) {
        if (fact_column_find(table, header[i].text, header[i].length) < table->column_count) {
            known++;
        } else if (*stranger == NULL) {
            *stranger = &header[i];
        }
    }
    return known;
}

static void choose_own(const struct fact_table *table, struct import_choice *choice)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].name;
        bool is_card = strcmp(table->name, "gpu_prices") == 0 && strcmp(name, "gpu_slug") == 0;

        choice->own_fields[i] = (struct import_field){
            .target = name, .from = name, .rule = is_card ? IMPORT_CARD_OR_NAME : IMPORT_AS_IS};
    }
    choice->own = (struct import_format){.name = "gpuwise",
                                         .table = table->name,
                                         .fields = choice->own_fields,
                                         .field_count = table->column_count};
    choice->format = &choice->own;
    choice->table = table;
    choice->is_own = true;
}

/* Says what is wrong with a header that is nearly one of ours, or that it is none at all. */
static bool refuse(const char *file_name, const struct csv_field *header, size_t count,
                   struct error *err)
{
    const struct fact_table *nearest = NULL;
    static const char OWN[] = "gpuwise export";
    static const char OTHERS[] = "SkyPilot vms.csv, gpuhunt, Full Stack cloud-gpus.csv, "
                                 "gpu-pricing offerings.json";
    const struct csv_field *stranger = NULL;
    size_t most = 0;

    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        size_t known = columns_of(FACT_TABLES[i], header, count, &stranger);

        if (known > most) {
            most = known;
            nearest = FACT_TABLES[i];
        }
    }
    if (nearest == NULL || most * 2 < nearest->column_count) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_NO_FORMAT, file_name, OWN, OTHERS));
    }
    (void)columns_of(nearest, header, count, &stranger);
    if (stranger != NULL) {
        return error_say(err, ERROR_BAD_FILE,
                         SAY(TEXT_FILE_STRANGER, file_name, stranger->text, nearest->name));
    }
    return error_say(err, ERROR_BAD_FILE,
                     SAY(TEXT_FILE_MISSING, file_name, missing_column(nearest, header, count)->name,
                         nearest->name));
}

/* What spreadsheets write where the comma is the decimal mark: one field of commas, many of
 * others. */
static bool check_separator(const char *file_name, const struct csv_field *header, size_t count,
                            struct error *err)
{
    const char *first = count > 0 ? header[0].text : ""; /* JSON may be without members */
    bool is_line = strncmp(first, "sep=", 4) == 0;
    bool has_semicolon = strchr(first, ';') != NULL;

    if (is_line && strcmp(first, "sep=;") != 0 && strcmp(first, "sep=\t") != 0) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_SEPARATOR_LINE, file_name, "sep=,"));
    }
    if (count > 1 || (!has_semicolon && strchr(first, '\t') == NULL)) {
        return true;
    }
    return error_say(err, ERROR_BAD_FILE,
                     SAY(has_semicolon ? TEXT_FILE_SEMICOLONS : TEXT_FILE_TABS, file_name));
}

static bool check_repeated(const char *file_name, const struct csv_field *header, size_t count,
                           struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (header[i].length > 0 && has_column(header, i, header[i].text, header[i].length)) {
            char column[24];

            (void)snprintf(column, sizeof column, "%zu", i + 1);
            return error_say(err, ERROR_BAD_FILE,
                             SAY(TEXT_FILE_TWICE, file_name, column, header[i].text));
        }
    }
    return true;
}

bool import_detect(const struct import_format *const *formats, size_t format_count,
                   const char *file_name, const struct csv_field *header, size_t count,
                   struct import_choice *choice, struct error *err)
{
    const struct csv_field *stranger = NULL;
    size_t most = 0;

    *choice = (struct import_choice){0};
    if (!check_separator(file_name, header, count, err) ||
        !check_repeated(file_name, header, count, err)) {
        return false;
    }
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        if (columns_of(FACT_TABLES[i], header, count, &stranger) == count &&
            missing_column(FACT_TABLES[i], header, count) == NULL) {
            choose_own(FACT_TABLES[i], choice);
            return true;
        }
    }
    for (size_t i = 0; i < format_count; i++) {
        size_t met = columns_met(formats[i], header, count);

        if (met > most) {
            most = met;
            choice->format = formats[i];
        }
    }
    if (choice->format == NULL) {
        return refuse(file_name, header, count, err);
    }
    if (choice->format->has_no_prices) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_NO_PRICES, file_name));
    }
    choice->table = fact_table_find(choice->format->table);
    return choice->table != NULL ||
           error_set(err, ERROR_BAD_FILE, "%s: no table %s", file_name, choice->format->table);
}
