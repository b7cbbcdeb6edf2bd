/* Brings the schema of a database to that of the program: migrations/NNNN_name.sql, forward only.
 */
#ifndef GPUWISE_DB_MIGRATE_H
#define GPUWISE_DB_MIGRATE_H

#include "../handlers/engine/embedded.h"
#include "../handlers/engine/error.h"

#include <stdint.h>

struct sqlite3;

/* Runs every migration whose number is above the database's (PRAGMA user_version), each in a
 * transaction of its own that also sets the new number. Files that are not NNNN_name.sql are passed
 * over; files are sorted by name. On failure the migrations before the bad one stay. */
bool migrate_run(struct sqlite3 *connection, const struct embedded_file *files, size_t count,
                 struct error *err) MUST_CHECK;

/* The number of the last migration; 0: none. */
int64_t migrate_newest(const struct embedded_file *files, size_t count);

#endif
