/* The rows of a file, apart from the facts until all of them are known to be good: a temporary
 * table that no other connection sees and no reader waits for. One thread. */
#ifndef GPUWISE_DB_IMPORT_STAGE_H
#define GPUWISE_DB_IMPORT_STAGE_H

#include "import_row.h"
#include "import_seen.h"

struct sqlite3;
struct sqlite3_stmt;

enum import_mark {
    IMPORT_MARK_NEW,
    IMPORT_MARK_SILENT /* new, but advises nothing */,
    IMPORT_MARK_KNOWN,
    IMPORT_MARK_HELD
};

struct import_stage {
    struct sqlite3 *connection;
    const struct fact_table *table;
    struct sqlite3_stmt *insert, *find, *fill;
    unsigned char *marks; /* enum import_mark of each row, from row 1 at marks[0] */
    size_t count, room;
};

/* In place: an empty stage. Leaves a transaction open, which locks nothing but the stage. */
bool import_stage_init(struct import_stage *stage, struct sqlite3 *connection,
                       const struct fact_table *table, struct error *err) MUST_CHECK;

/* Drops it, ending the transaction that is open without its changes. Accepts a zeroed one. */
void import_stage_fini(struct import_stage *stage);

/* Adds a row; its number is stage->count after that. */
bool import_stage_add(struct import_stage *stage, const struct import_row *row,
                      struct error *err) MUST_CHECK;

/* Reads row `number` again, lent until the next call. */
bool import_stage_find(struct import_stage *stage, size_t number, struct import_row *row,
                       struct error *err) MUST_CHECK;

/* Writes some columns of *row, whole numbers or unknown, into row `number`, and ends the loan of
 * import_stage_find(). The columns are the same in all calls. */
bool import_stage_fill(struct import_stage *stage, size_t number, const struct import_row *row,
                       const size_t *columns, size_t column_count, struct error *err) MUST_CHECK;

/* Ends the transaction of the stage, and begins one that reads the facts as they are now. */
bool import_stage_close(struct import_stage *stage, struct error *err) MUST_CHECK;

/* Ends that, and begins one that may write the facts: who else wants to write waits from here on.
 */
bool import_stage_lock(struct import_stage *stage, struct error *err) MUST_CHECK;

/* Moves the rows marked new or silent into their table, inside that transaction; those that break a
 * rule of the table are ERROR_BAD_FILE. */
bool import_stage_move(struct import_stage *stage, int64_t import_id, struct error *err) MUST_CHECK;

#endif
