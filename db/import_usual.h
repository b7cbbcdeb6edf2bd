/* What prices of a card are usual, and which rows of a file are far off. One thread. */
#ifndef GPUWISE_DB_IMPORT_USUAL_H
#define GPUWISE_DB_IMPORT_USUAL_H

#include "import_names.h"
#include "import_stage.h"

enum {
    IMPORT_USUAL_ROWS = 5, /* fewer prices say nothing about what is usual */
    IMPORT_USUAL_TIMES = 10
};

struct import_sample;

/* Prices of cards in US dollars: of one card, or of an hour of one, by card and kind (new, used,
 * msrp; on demand, spot). */
struct import_usual {
    const struct catalogue *catalogue;
    const struct fact_table *table;
    size_t card, condition, currency, amount, count, on_demand, spot; /* columns */
    struct import_sample *samples;
    size_t sample_count, room;
};

/* In place; the catalogue is lent. Tables without prices of cards have no samples. */
void import_usual_init(struct import_usual *usual, const struct catalogue *catalogue,
                       const struct fact_table *table);

/* Accepts a zeroed one. */
void import_usual_fini(struct import_usual *usual);

/* Takes the prices of a row: number of the stage, or 0 for one that is in the database. False: no
 * memory. */
bool import_usual_add(struct import_usual *usual, const struct import_row *row,
                      size_t number) MUST_CHECK;

/* Forgets the rows that are in the database. */
void import_usual_forget(struct import_usual *usual);

/* Notes the rows marked new that are ten times above or below the median of the prices of their
 * card and kind: those in the database where there are enough, else those of the file. They are
 * marked held unless that is not wanted. */
bool import_usual_judge(struct import_usual *usual, struct import_stage *stage, bool holds,
                        struct import_report *report, struct error *err) MUST_CHECK;

#endif
