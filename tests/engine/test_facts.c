/* Tests handlers/engine/facts.c and the tables it lists, against what every reader of them relies
 * on. */
#include "facts.h"

#include "catalogue.h"
#include "tests/tap.h"

#include <math.h>

static size_t value_bytes(enum fact_type type)
{
    switch (type) {
    case FACT_TEXT:
        return sizeof(const char *);
    case FACT_NUMBER:
    case FACT_INTEGER:
        return sizeof(double);
    case FACT_MONEY:
        return sizeof(int64_t);
    case FACT_DATE:
        return sizeof(struct date);
    }
    return SIZE_MAX;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void test_columns(const struct fact_table *table)
{
    bool fits = true;
    bool are_names_right = true;
    bool are_limits_right = true;
    bool are_single = true;
    size_t place = 0;

    for (size_t i = 0; i < table->column_count; i++) {
        const struct fact_column *column = &table->columns[i];
        size_t end = column->offset + value_bytes(column->type);
        bool is_number = column->type == FACT_NUMBER || column->type == FACT_INTEGER;

        fits = fits && end <= table->row_bytes && (i == 0 || column->offset >= place);
        place = end;
        are_names_right = are_names_right &&
                          ends_with(column->sql_name, "_micros") == (column->type == FACT_MONEY);
        are_names_right =
            are_names_right && strncmp(column->name, column->sql_name, strlen(column->name)) == 0;
        are_limits_right = are_limits_right && !(column->minimum > column->maximum);
        are_limits_right = are_limits_right && (is_number || column->type == FACT_MONEY ||
                                                (isnan(column->minimum) && isnan(column->maximum)));
        are_limits_right =
            are_limits_right && (column->choices == NULL || column->type == FACT_TEXT);
        are_single = are_single && fact_column_find(table, column->name, strlen(column->name)) == i;
    }
    (void)tap_ok(fits, "%s: columns follow the struct without overlapping", table->name);
    (void)tap_ok(are_names_right, "%s: money, and only money, is stored as <name>_micros",
                 table->name);
    (void)tap_ok(are_limits_right, "%s: limits and choices suit the types", table->name);
    (void)tap_ok(are_single, "%s: no column name twice", table->name);
}

static bool has_required(const struct fact_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct fact_column *column = &table->columns[i];

        if (strlen(column->sql_name) == length && memcmp(column->sql_name, name, length) == 0) {
            return column->is_required;
        }
    }
    return false;
}

static void test_key(const struct fact_table *table)
{
    bool is_sound = true;
    const char *rest = table->key;

    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ",");

        is_sound = is_sound && has_required(table, rest, length);
        rest += length + (rest[length] == ',' ? 1 : 0);
    }
    (void)tap_ok(is_sound, "%s: every column of the key is there and required", table->name);
}

static size_t table_place(const char *name)
{
    size_t place = 0;

    while (place < FACT_TABLE_COUNT && strcmp(FACT_TABLES[place]->name, name) != 0) {
        place++;
    }
    return place;
}

static void test_tables(void)
{
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        const struct fact_table *table = FACT_TABLES[i];

        (void)tap_ok(fact_table_find(table->name) == table, "%s is found by name", table->name);
        (void)tap_ok(table->catalogue_rows + sizeof(void *) <= sizeof(struct catalogue) &&
                         table->catalogue_count == table->catalogue_rows + sizeof(void *),
                     "%s: the count stands behind the rows", table->name);
        test_columns(table);
        test_key(table);
    }
    (void)tap_ok(FACT_TABLE_COUNT == 19, "15 files given and 4 of our own");
    (void)tap_ok(fact_table_find("nothing") == NULL, "an unknown table is not found");
    (void)tap_ok(table_place("architectures") < table_place("gpus") &&
                     table_place("gpus") < table_place("support") &&
                     table_place("gpus") < table_place("aliases") &&
                     table_place("gpus") < table_place("gpu_prices") &&
                     table_place("tpus") < table_place("cloud_offers") &&
                     table_place("tpus") < table_place("notebook_plans"),
                 "references only point backwards");
}

static void test_values(void)
{
    const struct fact_table *gpus = fact_table_find("gpus");
    const struct fact_table *prices = fact_table_find("gpu_prices");
    size_t place = fact_column_find(gpus, "launch_msrp_usd and more", strlen("launch_msrp_usd"));

    (void)tap_text(gpus->columns[place].sql_name, "launch_msrp_usd_micros",
                   "the list price in SQL");
    (void)tap_ok(gpus->columns[place].offset == offsetof(struct gpu, launch_msrp_usd_micros),
                 "and its place in the row");
    (void)tap_ok(fact_column_find(gpus, "launch", 6) == gpus->column_count,
                 "half a name finds nothing");
    place = fact_column_find(prices, "amount", 6);
    (void)tap_near(prices->columns[place].minimum, 0.01, 0, "a price is at least a cent");
    place = fact_column_find(prices, "condition", 9);
    (void)tap_text(prices->columns[place].choices, "new|used|msrp", "conditions of a price");
    const struct fact_table *depreciation = fact_table_find("depreciation");

    (void)tap_ok(depreciation->columns[fact_column_find(depreciation, "class", 5)].offset ==
                     offsetof(struct depreciation, class_name),
                 "class is kept as class_name");
}

int main(void)
{
    test_tables();
    test_values();
    return tap_done();
}
