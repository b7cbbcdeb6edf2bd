/* Rows of any table of facts compared and hashed through its description; for catalogue_build.c. */
#ifndef GPUWISE_ENGINE_CATALOGUE_ROWS_H
#define GPUWISE_ENGINE_CATALOGUE_ROWS_H

#include "catalogue.h"
#include "facts.h"

/* The first row of a table of the catalogue, and their number. */
void *catalogue_rows(const struct catalogue *catalogue, const struct fact_table *table);
size_t catalogue_row_count(const struct catalogue *catalogue, const struct fact_table *table);

/* Order of two texts or dates; unknown comes first. A date given by month comes before its first
 * day. */
int catalogue_compare_texts(const char *a, const char *b);
int catalogue_compare_dates(const struct date *a, const struct date *b);

/* Total order over every column, in the order of the columns: 0 only for rows with the same values.
 */
int catalogue_compare_rows(const struct fact_table *table, const void *a, const void *b);

/* Writes the revision: FNV-1a (64 bit) over every value of every table, in the order of the rows.
 */
void catalogue_hash(const struct catalogue *catalogue, char revision[17]);

#endif
