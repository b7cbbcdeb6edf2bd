/* Compares and hashes rows through their descriptions in facts.h. Knows no column by name. No
 * state. */
#include "catalogue_rows.h"

#include "hash.h"
#include "money.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void *catalogue_rows(const struct catalogue *catalogue, const struct fact_table *table)
{
    void *rows = NULL;

    memcpy(&rows, (const char *)catalogue + table->catalogue_rows, sizeof rows);
    return rows;
}

size_t catalogue_row_count(const struct catalogue *catalogue, const struct fact_table *table)
{
    size_t count = 0;

    memcpy(&count, (const char *)catalogue + table->catalogue_count, sizeof count);
    return count;
}

int catalogue_compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    return strcmp(a, b);
}

int catalogue_compare_dates(const struct date *a, const struct date *b)
{
    if (a->day != b->day) {
        return a->day < b->day ? -1 : 1;
    }
    return catalogue_compare_texts(a->text, b->text);
}

static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return (isnan(b) != 0) - (isnan(a) != 0);
    }
    return (a > b) - (a < b);
}

static int compare_money(int64_t a, int64_t b)
{
    return (a > b) - (a < b); /* MONEY_UNKNOWN is the smallest */
}

static int compare_values(const struct fact_column *column, const void *a, const void *b)
{
    const char *place_a = (const char *)a + column->offset;
    const char *place_b = (const char *)b + column->offset;

    switch (column->type) {
    case FACT_TEXT: {
        const char *text_a = NULL;
        const char *text_b = NULL;

        memcpy(&text_a, place_a, sizeof text_a);
        memcpy(&text_b, place_b, sizeof text_b);
        return catalogue_compare_texts(text_a, text_b);
    }
    case FACT_NUMBER:
    case FACT_INTEGER: {
        double number_a = 0;
        double number_b = 0;

        memcpy(&number_a, place_a, sizeof number_a);
        memcpy(&number_b, place_b, sizeof number_b);
        return compare_numbers(number_a, number_b);
    }
    case FACT_MONEY: {
        int64_t micros_a = 0;
        int64_t micros_b = 0;

        memcpy(&micros_a, place_a, sizeof micros_a);
        memcpy(&micros_b, place_b, sizeof micros_b);
        return compare_money(micros_a, micros_b);
    }
    case FACT_DATE: {
        struct date date_a = {0};
        struct date date_b = {0};

        memcpy(&date_a, place_a, sizeof date_a);
        memcpy(&date_b, place_b, sizeof date_b);
        return catalogue_compare_dates(&date_a, &date_b);
    }
    }
    return 0; /* not reached: every type is above */
}

int catalogue_compare_rows(const struct fact_table *table, const void *a, const void *b)
{
    for (size_t i = 0; i < table->column_count; i++) {
        int order = compare_values(&table->columns[i], a, b);

        if (order != 0) {
            return order;
        }
    }
    return 0;
}

/* All unknown numbers alike, and the two zeros alike. */
static uint64_t hash_number(uint64_t hash, double number)
{
    if (isnan(number)) {
        return hash_text(hash, NULL);
    }
    if (number >= 0 && number <= 0) {
        number = 0;
    }
    return hash_bytes(hash, &number, sizeof number);
}

static uint64_t hash_value(uint64_t hash, const struct fact_column *column, const void *row)
{
    const char *place = (const char *)row + column->offset;

    switch (column->type) {
    case FACT_TEXT:
    case FACT_DATE: { /* the text of a date says all, and comes first in struct date */
        const char *text = NULL;

        memcpy(&text, place, sizeof text);
        return hash_text(hash, text);
    }
    case FACT_NUMBER:
    case FACT_INTEGER: {
        double number = 0;

        memcpy(&number, place, sizeof number);
        return hash_number(hash, number);
    }
    case FACT_MONEY:
        return hash_bytes(hash, place, sizeof(int64_t));
    }
    return hash; /* not reached: every type is above */
}

void catalogue_hash(const struct catalogue *catalogue, char revision[17])
{
    uint64_t hash = HASH_SEED;

    for (size_t t = 0; t < FACT_TABLE_COUNT; t++) {
        const struct fact_table *table = FACT_TABLES[t];
        const char *row = catalogue_rows(catalogue, table);
        size_t count = catalogue_row_count(catalogue, table);

        hash = hash_text(hash, table->name);
        for (size_t i = 0; i < count; i++) {
            for (size_t c = 0; c < table->column_count; c++) {
                hash = hash_value(hash, &table->columns[c], row + i * table->row_bytes);
            }
        }
    }
    (void)snprintf(revision, 17, "%016llx", (unsigned long long)hash);
}
