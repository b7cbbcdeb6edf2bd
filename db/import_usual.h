/* What prices of a card are usual, and which rows of a file are far off. One thread. */
#ifndef GPUWISE_DB_IMPORT_USUAL_H
#define GPUWISE_DB_IMPORT_USUAL_H

#include "import_names.h"
#include "import_stage.h"

/* How many times above or below the median is too far; README.md and static/openapi.json say it
 * too. A zero too many or too few must be seen, also of a price that was a good one; honest rents
 * of one card differ by more. */
enum { IMPORT_PRICE_TIMES_OFF = 4, IMPORT_OFFER_TIMES_OFF = 10 };

struct import_sample;

/* Prices of cards in US dollars: of one card, or of an hour of one, by card and kind (new, used,
 * msrp; on demand, spot). */
struct import_usual {
    const struct catalogue *catalogue;
    const struct fact_table *table;
    size_t card, condition, currency, amount, day, count, on_demand, spot; /* columns */
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

/* Notes the rows marked new that are too far from the median, and marks them held unless that is
 * not wanted. A price is compared with the prices of its card and condition, of which the 99
 * nearest in time count: those in the database seen within a year of it; else those of the file,
 * where three are within a year; else those in the database of any day; else, within a year, the
 * card's prices of other conditions in the database. An offer is compared with all offers of its
 * card and kind in the database where there are five, else with those of the file. */
bool import_usual_judge(struct import_usual *usual, struct import_stage *stage, bool holds,
                        struct import_report *report, struct error *err) MUST_CHECK;

#endif
