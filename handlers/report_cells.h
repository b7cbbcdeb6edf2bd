/* Tables and lists of a report out of arrays of the JSON document, by descriptions of their
 * columns. */
#ifndef GPUWISE_REPORT_CELLS_H
#define GPUWISE_REPORT_CELLS_H

#include "report_value.h"

/* An answer on its way to people: the finished document and the report made of it. */
struct teller {
    struct report *report;
    const json_t *root;
    const char *path; /* of the route; "": none */
};

struct report_column {
    const char *path;    /* of the value, from the row */
    const char *heading; /* id of report_words */
    const char *unit;    /* of a number, of money the currency; behind "at:" where it stands in the
                            row. A table says it once, in the head, where all rows have the same */
    bool is_number;
    void (*tell)(const struct teller *teller, const json_t *row, const struct report_column *column,
                 struct report_cell *cell);
};

/* What tell can be. */
#define REPORT_CELL(name)                                                                          \
    void name(const struct teller *teller, const json_t *row, const struct report_column *column,  \
              struct report_cell *cell)
REPORT_CELL(report_cell_text);  /* as it stands there; numbers exact, lists joined by commas */
REPORT_CELL(report_cell_word);  /* codes and yes or no, as words */
REPORT_CELL(report_cell_exact); /* a fact with its unit */
REPORT_CELL(report_cell_rough); /* an estimate with its unit */
REPORT_CELL(report_cell_money); /* with its currency */
REPORT_CELL(report_cell_range); /* "393 to 453" of the members low and high */
REPORT_CELL(report_cell_card);  /* name of the row's card, with its number of cards and its page */
REPORT_CELL(
    report_cell_name); /* name of the row itself, leading to the page of its id below path */
REPORT_CELL(report_cell_offer); /* "8 x H100": what an offer has, its number at path */
REPORT_CELL(report_cell_notes); /* sentences of an array of {code, text} */

struct report_table {
    const char *heading; /* id of report_words; NULL: the title says it */
    const char *at;      /* path of the array */
    const struct report_column *columns;
    size_t column_count;
};

#define REPORT_COLUMNS_OF(list) list, sizeof(list) / sizeof((list)[0])

/* Appends the table of the array at table->at from the value; columns in which nothing is known are
 * left out; nothing for an empty array. */
void report_table_add(const struct teller *teller, const struct report_table *table,
                      const json_t *from);

/* The same for one object: its columns as names and values, unknown ones left out. */
void report_facts_add(const struct teller *teller, const struct report_table *table,
                      const json_t *from);

/* Every plain member of an object but those named in left_out, which NULL ends; unknown is said. */
void report_members_add(const struct teller *teller, const char *heading, const json_t *object,
                        const char *const *left_out);

/* A list of the sentences of an array of {code, text}. */
void report_notes_add(const struct teller *teller, const char *heading, const json_t *notes);

#endif
