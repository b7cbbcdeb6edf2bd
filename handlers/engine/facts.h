/* The shape of every table of facts, said once: the CSV files under migrations/, the tables of the
 * database, the structs of catalogue.h and the keys in JSON all follow these descriptions.
 *
 * A value that is not known is an empty field in CSV, NULL in the database and null in JSON. In
 * memory it is NULL (text), NAN (number), MONEY_UNKNOWN (money), DAY_UNKNOWN (date): never 0. */
#ifndef GPUWISE_ENGINE_FACTS_H
#define GPUWISE_ENGINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

enum fact_type {
    FACT_TEXT,    /* const char * */
    FACT_NUMBER,  /* double */
    FACT_INTEGER, /* double holding a whole number (counts up to 2^53) */
    FACT_MONEY,   /* int64_t micro-units; a decimal in CSV and JSON, <sql_name> INTEGER in SQL */
    FACT_DATE     /* struct date; TEXT in SQL, as exact as given */
};

struct fact_column {
    const char *name;     /* column of the CSV file and key in JSON */
    const char *sql_name; /* column of the table */
    enum fact_type type;
    bool is_required; /* an empty field is an error */
    double minimum;   /* of numbers, and of money in units, inclusive; NAN: no limit */
    double maximum;
    const char *choices; /* of text: allowed values joined by '|'; NULL: any text */
    size_t offset;       /* of the value in its struct */
};

struct fact_table {
    const char *name; /* of the table; its file is <name>.csv */
    const struct fact_column *columns;
    size_t column_count;
    size_t row_bytes;       /* of the struct in catalogue.h */
    const char *key;        /* columns (sql names) that name a row, joined by ','; NULL: no key */
    size_t catalogue_rows;  /* offset in struct catalogue of the pointer to the first row */
    size_t catalogue_count; /* offset in struct catalogue of the size_t count */
};

/* Every table, in an order in which references only point backwards. */
extern const struct fact_table *const FACT_TABLES[];
extern const size_t FACT_TABLE_COUNT;

/* By name; NULL: none. */
const struct fact_table *fact_table_find(const char *name);

/* Position of a column by its CSV name; column_count when there is none. */
size_t fact_column_find(const struct fact_table *table, const char *name, size_t length);

/* Whether the text is one of the choices of a column, joined by '|'. */
bool fact_choice_has(const char *choices, const char *text, size_t length);

#endif
