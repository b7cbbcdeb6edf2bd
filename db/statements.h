/* Running SQL and turning SQLite's failures into ours.
 *
 * Every query of the program is a constant at the top of the file that runs it: connection.c
 * (settings and identity of the file), migrate.c, ship.c, database.c (changes by others), check.c,
 * backup.c, tokens.c, import_log.c, import_counts.c and command_run.c (the log of imports),
 * import_origin.c, import_finish.c, import_json.c. Only the statements over tables of facts are put
 * together, from fact_table, by fact_file.c, ship.c, catalogue_load.c, export.c, import_stage.c,
 * import_finish.c and import_log.c. */
#ifndef GPUWISE_DB_STATEMENTS_H
#define GPUWISE_DB_STATEMENTS_H

#include "../handlers/engine/error.h"

#include <stddef.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

/* A statement that is finalized when its variable goes out of scope; start it with NULL. */
#define DB_STMT_AUTO __attribute__((cleanup(statements_finish))) struct sqlite3_stmt *

void statements_finish(struct sqlite3_stmt **statement);

/* The last failure of the connection as "FILE: what: reason". Always false. */
bool statements_fail(struct sqlite3 *connection, const char *what, struct error *err);

bool statements_prepare(struct sqlite3 *connection, const char *sql,
                        struct sqlite3_stmt **statement, struct error *err) MUST_CHECK;

/* Statements without results, or whose results do not matter. */
bool statements_run(struct sqlite3 *connection, const char *sql, struct error *err) MUST_CHECK;

/* The first column of the only row, as a whole number. */
bool statements_number(struct sqlite3 *connection, const char *sql, int64_t *number,
                       struct error *err) MUST_CHECK;

/* Copies a text of the present row, cut to fit; "" for NULL. */
void statements_copy(struct sqlite3_stmt *statement, int column, char *out, size_t room);

/* Begins a transaction that may write; waits for other writers up to the busy timeout. */
bool statements_begin(struct sqlite3 *connection, struct error *err) MUST_CHECK;

/* Begins one that sees the state of its first statement until it ends; locks nothing before that.
 */
bool statements_begin_read(struct sqlite3 *connection, struct error *err) MUST_CHECK;
bool statements_commit(struct sqlite3 *connection, struct error *err) MUST_CHECK;

/* Ends the transaction without its changes; *err stays what it was. */
void statements_rollback(struct sqlite3 *connection);

#endif
