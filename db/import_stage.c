/* A temporary table with a column for the line, then c0, c1, ... for those of the table of facts.
 * It judges nothing. One thread. */
#include "import_stage.h"

#include "../handlers/engine/import_limits.h"
#include "fact_file.h"
#include "statements.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

/* Of files made from now on, that is of the stage's: an eighth of the calls, as it outgrows the
 * cache. */
static const char LARGE_PAGES[] = "PRAGMA temp.page_size = 32768";
static const char DROP_STAGE[] = "DROP TABLE IF EXISTS temp.import_stage";
static const char BEGIN_STAGE[] = "BEGIN"; /* locks nothing of the facts until they are touched */
static const char SELECT_STAGED[] = "SELECT * FROM temp.import_stage WHERE rowid = ?1";
static const char DELETE_STAGED[] = "DELETE FROM temp.import_stage WHERE rowid = ?1";

static bool fail_memory(struct error *err)
{
    return error_set(err, ERROR_OUT_OF_MEMORY, "no memory to import");
}

/* Takes sql over and prepares it. */
static bool prepare(struct import_stage *stage, char *sql, struct sqlite3_stmt **statement,
                    struct error *err)
{
    bool is_good =
        sql == NULL ? fail_memory(err) : statements_prepare(stage->connection, sql, statement, err);

    sqlite3_free(sql);
    return is_good;
}

static bool run(struct import_stage *stage, char *sql, struct error *err)
{
    bool is_good = sql == NULL ? fail_memory(err) : statements_run(stage->connection, sql, err);

    sqlite3_free(sql);
    return is_good;
}

static char *create_sql(const struct fact_table *table)
{
    struct sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendall(sql, "CREATE TEMP TABLE import_stage (line INTEGER");
    for (size_t i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(sql, ", c%d", (int)i);
    }
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

/* The values of the columns are parameters 1 to column_count, the line is the next. */
static char *insert_sql(const struct fact_table *table)
{
    struct sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendf(sql, "INSERT INTO temp.import_stage VALUES (?%d",
                        (int)table->column_count + 1);
    for (size_t i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(sql, ", ?%d", (int)i + 1);
    }
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

/* The values of the columns are parameters 1 to column_count, the row is the next. */
static char *update_sql(const size_t *columns, size_t column_count)
{
    struct sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendall(sql, "UPDATE temp.import_stage SET");
    for (size_t i = 0; i < column_count; i++) {
        sqlite3_str_appendf(sql, "%s c%d = ?%d", i == 0 ? "" : ",", (int)columns[i], (int)i + 1);
    }
    sqlite3_str_appendf(sql, " WHERE rowid = ?%d", (int)column_count + 1);
    return sqlite3_str_finish(sql);
}

static char *move_sql(const struct fact_table *table)
{
    struct sqlite3_str *sql = sqlite3_str_new(NULL);
    char *columns = fact_file_column_list(table);

    sqlite3_str_appendf(sql, "INSERT INTO main.\"%w\" (%s, import_id) SELECT", table->name,
                        columns == NULL ? "" : columns);
    for (size_t i = 0; i < table->column_count; i++) {
        sqlite3_str_appendf(sql, " c%d,", (int)i);
    }
    sqlite3_str_appendall(sql, " ?1 FROM temp.import_stage ORDER BY rowid");
    bool is_good = columns != NULL;
    char *text = sqlite3_str_finish(sql);

    free(columns);
    if (!is_good) {
        sqlite3_free(text);
        return NULL;
    }
    return text;
}

bool import_stage_init(struct import_stage *stage, struct sqlite3 *connection,
                       const struct fact_table *table, struct error *err)
{
    *stage = (struct import_stage){.connection = connection, .table = table};
    return statements_run(connection, DROP_STAGE, err) &&
           statements_run(connection, LARGE_PAGES, err) && run(stage, create_sql(table), err) &&
           statements_run(connection, BEGIN_STAGE, err) &&
           prepare(stage, insert_sql(table), &stage->insert, err) &&
           statements_prepare(connection, SELECT_STAGED, &stage->find, err);
}

void import_stage_fini(struct import_stage *stage)
{
    if (stage->connection != NULL) {
        statements_finish(&stage->insert);
        statements_finish(&stage->find);
        statements_finish(&stage->fill);
        statements_rollback(stage->connection);
        (void)sqlite3_exec(stage->connection, DROP_STAGE, NULL, NULL,
                           NULL); /* else it goes with the connection, or before the next import */
    }
    free(stage->marks);
    *stage = (struct import_stage){0};
}

static bool grow(struct import_stage *stage, struct error *err)
{
    size_t room = stage->room == 0 ? FIRST_ROOM : stage->room * 2;

    if (stage->count == LIMIT_IMPORT_ROWS) {
        char rows_max[16];

        (void)sqlite3_snprintf(sizeof rows_max, rows_max, "%d", LIMIT_IMPORT_ROWS);
        return error_say(err, ERROR_TOO_LARGE, SAY(TEXT_FILE_ROWS, rows_max));
    }
    if (stage->count < stage->room) {
        return true;
    }
    unsigned char *larger = realloc(stage->marks, room);

    if (larger == NULL) {
        return fail_memory(err);
    }
    stage->marks = larger;
    stage->room = room;
    return true;
}

bool import_stage_add(struct import_stage *stage, const struct import_row *row, struct error *err)
{
    int line = (int)stage->table->column_count + 1;

    if (!grow(stage, err)) {
        return false;
    }
    if (import_row_bind(row, stage->insert) != SQLITE_OK ||
        sqlite3_bind_int64(stage->insert, line, (sqlite3_int64)row->line) != SQLITE_OK ||
        sqlite3_step(stage->insert) != SQLITE_DONE) {
        return statements_fail(stage->connection, "import", err);
    }
    (void)sqlite3_reset(stage->insert); /* the step succeeded */
    stage->marks[stage->count++] = IMPORT_MARK_NEW;
    return true;
}

bool import_stage_find(struct import_stage *stage, size_t number, struct import_row *row,
                       struct error *err)
{
    (void)sqlite3_reset(stage->find); /* the row lent before */
    if (sqlite3_bind_int64(stage->find, 1, (sqlite3_int64)number) != SQLITE_OK ||
        sqlite3_step(stage->find) != SQLITE_ROW) {
        return statements_fail(stage->connection, "import", err);
    }
    row->line = (size_t)sqlite3_column_int64(stage->find, 0);
    return import_row_load(row, stage->table, stage->find, 1) || fail_memory(err);
}

bool import_stage_fill(struct import_stage *stage, size_t number, const struct import_row *row,
                       const size_t *columns, size_t column_count, struct error *err)
{
    if (stage->fill == NULL &&
        !prepare(stage, update_sql(columns, column_count), &stage->fill, err)) {
        return false;
    }
    int result = sqlite3_bind_int64(stage->fill, (int)column_count + 1, (sqlite3_int64)number);

    for (size_t i = 0; i < column_count && result == SQLITE_OK; i++) {
        const struct fact_value *value = &row->values[columns[i]];

        assert(value->kind == FACT_VALUE_INTEGER || value->kind == FACT_VALUE_NULL);
        result = value->kind == FACT_VALUE_NULL
                     ? sqlite3_bind_null(stage->fill, (int)i + 1)
                     : sqlite3_bind_int64(stage->fill, (int)i + 1, value->integer);
    }
    (void)sqlite3_reset(stage->find); /* a row that is lent would keep the old values */
    if (result != SQLITE_OK || sqlite3_step(stage->fill) != SQLITE_DONE) {
        return statements_fail(stage->connection, "import", err);
    }
    (void)sqlite3_reset(stage->fill); /* the step succeeded */
    return true;
}

bool import_stage_close(struct import_stage *stage, struct error *err)
{
    (void)sqlite3_reset(stage->find); /* a statement that runs would keep the transaction */
    return statements_commit(stage->connection, err) &&
           statements_begin_read(stage->connection, err);
}

bool import_stage_lock(struct import_stage *stage, struct error *err)
{
    (void)sqlite3_reset(stage->find); /* as above */
    return statements_commit(stage->connection, err) && statements_begin(stage->connection, err);
}

static bool drop_marked(struct import_stage *stage, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(stage->connection, DELETE_STAGED, &statement, err)) {
        return false;
    }
    for (size_t i = 0; i < stage->count; i++) {
        if (stage->marks[i] == IMPORT_MARK_NEW || stage->marks[i] == IMPORT_MARK_SILENT) {
            continue;
        }
        if (sqlite3_bind_int64(statement, 1, (sqlite3_int64)i + 1) != SQLITE_OK ||
            sqlite3_step(statement) != SQLITE_DONE) {
            return statements_fail(stage->connection, "import", err);
        }
        (void)sqlite3_reset(statement); /* the step succeeded */
    }
    return true;
}

bool import_stage_move(struct import_stage *stage, int64_t import_id, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    (void)sqlite3_reset(stage->find); /* nothing of it is lent any more */
    if (!drop_marked(stage, err) || !prepare(stage, move_sql(stage->table), &statement, err)) {
        return false;
    }
    if (sqlite3_bind_int64(statement, 1, import_id) != SQLITE_OK) {
        return statements_fail(stage->connection, "import", err);
    }
    int result = sqlite3_step(statement);

    if (result == SQLITE_CONSTRAINT) {
        return error_set(err, ERROR_BAD_FILE, "a row breaks a rule of the table: %s",
                         sqlite3_errmsg(stage->connection));
    }
    return result == SQLITE_DONE || statements_fail(stage->connection, "import", err);
}
