/* Facts as CSV that import reads. */
#ifndef GPUWISE_DB_EXPORT_H
#define GPUWISE_DB_EXPORT_H

#include "../handlers/engine/error.h"
#include "database.h"

#include <stdio.h>

/* Writes the table with a header and every column, exactly: import adds the same rows to a database
 * that lacks them. own_only: without the rows shipped with the program. Nothing is made safe for
 * spreadsheets, because it has to come back as it went. ERROR_BAD_PARAMETER: no such table, and the
 * text lists them. */
bool export_run(struct database *database, const char *table_name, bool own_only, FILE *out,
                struct error *err) MUST_CHECK;

#endif
