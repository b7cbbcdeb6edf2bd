/* Brings the facts that ship with the program into the database. */
#ifndef GPUWISE_DB_SHIP_H
#define GPUWISE_DB_SHIP_H

#include "../handlers/engine/embedded.h"
#include "../handlers/engine/error.h"

struct sqlite3;

/* For every <table>.csv among the files whose hash is not the one loaded last: its shipped rows
 * (import_id NULL) are deleted and the file's are inserted, in one transaction for all of them.
 * Rows an operator added stay, and win over a shipped row with the same key. Nothing changed:
 * nothing is written. */
bool ship_run(struct sqlite3 *connection, const struct embedded_file *files, size_t count,
              struct error *err) MUST_CHECK;

#endif
