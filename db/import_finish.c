/* The rows of a file against the facts: known, at odds with them, far off, or new. One thread. */
#include "import_work.h"

#include "fact_file.h"
#include "statements.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char INSERT_IMPORT[] =
    "INSERT INTO imports (at, who, fact_table, file, rows_added, rows_known, content_hash, seen_on)"
    " VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5, nullif(?6, ''),"
    " nullif(?7, ''))";
static const char DATA_VERSION[] = "PRAGMA data_version"; /* another one: others have committed */
static const char SELECT_FACTS[] = "SELECT %s FROM main.\"%w\"";
static const char CHECK_REFERENCES[] =
    "SELECT \"table\", \"parent\" FROM pragma_foreign_key_check WHERE \"table\" = ?1 LIMIT 1";

/* Whether a row of the stage, of which the file told that fingerprint, still has it: a row
 * completed later is another. */
static bool has_print(struct import_work *work, size_t number, const struct import_print *print,
                      bool *has_it, struct error *err)
{
    struct import_row staged;

    if (!import_stage_find(&work->stage, number, &staged, err)) {
        return false;
    }
    struct import_print now = import_row_print(&staged, IMPORT_ALL_COLUMNS);

    *has_it = now.a == print->a && now.b == print->b;
    return true;
}

/* Holds a row of the stage whose key another row of the facts has. */
static bool refuse_key(struct import_work *work, size_t number, struct error *err)
{
    struct import_row staged;

    if (!import_stage_find(&work->stage, number, &staged, err)) {
        return false;
    }
    import_notes_add(&work->report->rejected, IMPORT_KEY_TAKEN, staged.line,
                     work->choice.table->key, NULL, SAY(TEXT_IMPORT_KEY_KNOWN));
    work->stage.marks[number - 1] = IMPORT_MARK_HELD;
    return true;
}

/* A row of the facts that are there: is it one of the file's, does it have the key of one, and what
 * did it cost? */
static bool compare_row(struct import_work *work, struct error *err)
{
    struct import_print print = import_row_print(&work->row, IMPORT_ALL_COLUMNS);
    uint32_t number = import_seen_find(&work->seen, &print);
    bool is_known = number != 0, joins_spot = work->choice.format->joins_spot;

    if (is_known && joins_spot && !has_print(work, number, &print, &is_known, err)) {
        return false;
    }
    if (is_known) {
        work->stage.marks[number - 1] = IMPORT_MARK_KNOWN;
    } else if (work->part_columns != 0 && !joins_spot) {
        print = import_row_print(&work->row, work->part_columns);
        number = import_seen_find(&work->parts, &print);
        if (number != 0 && !refuse_key(work, number, err)) {
            return false;
        }
    }
    return import_usual_add(&work->usual, &work->row, 0) || import_work_fail_memory(err);
}

/* Goes through the table that is to be filled. */
static bool compare_table(struct import_work *work, struct error *err)
{
    const struct fact_table *table = work->choice.table;
    char *columns = fact_file_column_list(table);
    char *sql = columns == NULL ? NULL : sqlite3_mprintf(SELECT_FACTS, columns, table->name);
    DB_STMT_AUTO statement = NULL;
    bool is_good = sql != NULL ? statements_prepare(work->connection, sql, &statement, err)
                               : import_work_fail_memory(err);
    int result = SQLITE_ROW;

    sqlite3_free(sql);
    free(columns);
    for (size_t i = 1; is_good && result == SQLITE_ROW; i++) {
        result = sqlite3_step(statement);
        if (result == SQLITE_ROW) {
            is_good =
                (import_row_load(&work->row, table, statement, 0) ||
                 import_work_fail_memory(err)) &&
                compare_row(work, err) &&
                (i % IMPORT_ROWS_BETWEEN_QUESTIONS != 0 || import_stream_go_on(&work->stream, err));
        } else if (result != SQLITE_DONE) {
            is_good = statements_fail(work->connection, table->name, err);
        }
    }
    return is_good;
}

static void count_marks(struct import_work *work)
{
    for (size_t i = 0; i < work->stage.count; i++) {
        switch ((enum import_mark)work->stage.marks[i]) {
        case IMPORT_MARK_NEW:
            work->report->accepted++;
            break;
        case IMPORT_MARK_SILENT:
            work->report->accepted++;
            work->report->not_advising++;
            break;
        case IMPORT_MARK_KNOWN:
            work->report->known++;
            break;
        case IMPORT_MARK_HELD:
        default:
            work->report->held++;
            break;
        }
    }
}

/* The record of the import. */
static bool record(struct import_work *work, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    const char *file = work->stream.source->file_name;

    if (!statements_prepare(work->connection, INSERT_IMPORT, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, work->options->who, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(statement, 2, work->choice.table->name, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(statement, 3, file, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 4, (sqlite3_int64)work->report->accepted) != SQLITE_OK ||
        sqlite3_bind_int64(statement, 5, (sqlite3_int64)work->report->known) != SQLITE_OK ||
        sqlite3_bind_text(statement, 6, work->content_hash, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_text(statement, 7, work->seen_on, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE) {
        return statements_fail(work->connection, "imports", err);
    }
    return true;
}

/* A row that names something that is not there. */
static bool check_references(struct import_work *work, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(work->connection, CHECK_REFERENCES, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, work->choice.table->name, -1, SQLITE_STATIC) != SQLITE_OK) {
        return statements_fail(work->connection, "references", err);
    }
    int result = sqlite3_step(statement);

    if (result == SQLITE_ROW) {
        return error_say(err, ERROR_BAD_FILE,
                         SAY(TEXT_FILE_REFERENCE, (const char *)sqlite3_column_text(statement, 0),
                             (const char *)sqlite3_column_text(statement, 1)));
    }
    return result == SQLITE_DONE || statements_fail(work->connection, "references", err);
}

/* Writes what is new. ERROR_BAD_FILE: the rows break a rule of the tables; nothing is written. */
static bool write_rows(struct import_work *work, struct error *err)
{
    if (!record(work, err)) {
        return false;
    }
    int64_t id = sqlite3_last_insert_rowid(work->connection);

    if (!import_stage_move(&work->stage, id, err) || !check_references(work, err) ||
        !import_stream_go_on(&work->stream, err) || !statements_commit(work->connection, err)) {
        return false;
    }
    work->report->import_id = id;
    return true;
}

/* Compares the stage with the facts as the transaction sees them, and decides. */
static bool judge(struct import_work *work, struct error *err)
{
    struct import_report *report = work->report;
    bool holds = !work->options->accepts_review;

    if (!compare_table(work, err) ||
        !import_usual_judge(&work->usual, &work->stage, holds, report, err)) {
        return false;
    }
    count_marks(work);
    report->outcome = report->rejected.total > 0 ? IMPORT_REFUSED
                      : report->accepted > 0     ? IMPORT_ADDED
                                                 : IMPORT_UNCHANGED;
    return true;
}

/* Judges while others may write, then locks them out; whatever they wrote meanwhile, it judges
 * again. */
static bool judge_and_lock(struct import_work *work, struct error *err)
{
    struct import_report *read = malloc(sizeof *read);    /* as reading the file left it */
    unsigned char *marks = malloc(work->stage.count + 1); /* the same */
    int64_t judged_version = 0;
    int64_t version = 0;
    bool is_good = false;

    if (read == NULL || marks == NULL) {
        (void)import_work_fail_memory(err); /* is_good says that it failed */
        goto free_copies;
    }
    *read = *work->report;
    if (work->stage.count > 0) {
        memcpy(marks, work->stage.marks, work->stage.count);
    }
    is_good = import_stage_close(&work->stage, err) &&
              statements_number(work->connection, DATA_VERSION, &judged_version, err) &&
              judge(work, err);
    if (is_good && work->report->outcome == IMPORT_ADDED && !work->options->is_dry_run) {
        is_good = import_stage_lock(&work->stage, err) &&
                  statements_number(work->connection, DATA_VERSION, &version, err);
        if (is_good && version != judged_version) {
            *work->report = *read;
            memcpy(work->stage.marks, marks, work->stage.count);
            import_usual_forget(&work->usual);
            is_good = judge(work, err);
        }
    }

free_copies:
    free(marks);
    free(read);
    return is_good;
}

bool import_work_finish(struct import_work *work, struct error *err)
{
    struct import_report *report = work->report;
    struct error fault = {0};

    if (!judge_and_lock(work, err)) {
        return false;
    }
    if (report->outcome != IMPORT_ADDED || work->options->is_dry_run) {
        return true;
    }
    if (write_rows(work, &fault)) {
        return true;
    }
    if (fault.code != ERROR_BAD_FILE) {
        *err = fault;
        return false;
    }
    const struct wording why = error_wording(&fault);

    import_notes_add(&report->rejected, IMPORT_MALFORMED, 0, NULL, NULL, &why);
    report->outcome = IMPORT_REFUSED;
    return true;
}
