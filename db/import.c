/* The way of a file into the database: recognised, read row by row into a stage, compared with what
 * is there, moved in one transaction. One thread. */
#include "import.h"

#include "../handlers/engine/day.h"
#include "catalogue_load.h"
#include "fact_file.h"
#include "import_detect.h"
#include "import_map.h"
#include "import_rules.h"
#include "import_stage.h"
#include "import_stream.h"
#include "import_usual.h"
#include "statements.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS_BETWEEN_QUESTIONS = 4096 /* a few milliseconds of work */ };

static const char INSERT_IMPORT[] =
    "INSERT INTO imports (at, who, fact_table, file, rows_added, rows_known)"
    " VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5)";
static const char SELECT_FACTS[] = "SELECT %s FROM main.\"%w\"";
static const char CHECK_REFERENCES[] =
    "SELECT \"table\", \"parent\" FROM pragma_foreign_key_check WHERE \"table\" = ?1 LIMIT 1";

/* Everything an import works with. */
struct work {
    struct sqlite3 *connection;
    const struct import_options *options;
    struct import_report *report;
    struct import_stream stream;
    struct import_choice choice;
    struct import_names names;
    struct import_map map;
    struct import_stage stage;
    struct import_seen seen;  /* rows by all they say */
    struct import_seen parts; /* by what names them: the table's key, or of offers whose prices
                                 stand in several rows all but the prices */
    uint64_t part_columns;    /* these; 0: neither */
    struct import_usual usual;
    char seen_on[DAY_TEXT_BYTES];
    struct import_row row;
};

static bool fail_memory(struct error *err)
{
    return error_set(err, ERROR_OUT_OF_MEMORY, "no memory to import");
}

static uint64_t bit_of(const struct fact_table *table, const char *column)
{
    return (uint64_t)1 << import_column(table, column);
}

/* The columns that name a row, see work.parts. */
static uint64_t part_columns(const struct import_choice *choice)
{
    const struct fact_table *table = choice->table;
    uint64_t columns = 0;

    if (choice->format->joins_spot) {
        return IMPORT_ALL_COLUMNS &
               ~(bit_of(table, "ondemand_per_hour") | bit_of(table, "ondemand_usd_per_hour") |
                 bit_of(table, "spot_usd_per_hour"));
    }
    for (size_t i = 0; table->key != NULL && i < table->column_count; i++) {
        const char *place = strstr(table->key, table->columns[i].sql_name);
        size_t length = strlen(table->columns[i].sql_name);

        while (place != NULL && ((place != table->key && place[-1] != ',') ||
                                 (place[length] != ',' && place[length] != '\0'))) {
            place = strstr(place + 1, table->columns[i].sql_name);
        }
        columns |= place == NULL ? 0 : (uint64_t)1 << i;
    }
    return columns;
}

/* Whether the two rows of one offer can be told as one: where both know a price it is the same. */
static bool can_join(const struct import_row *kept, const struct import_row *row, size_t column)
{
    return kept->values[column].kind == FACT_VALUE_NULL ||
           row->values[column].kind == FACT_VALUE_NULL ||
           kept->values[column].integer == row->values[column].integer;
}

static bool join_price(struct work *work, size_t number, struct import_row *kept, size_t column,
                       struct error *err)
{
    if (kept->values[column].kind == work->row.values[column].kind ||
        work->row.values[column].kind == FACT_VALUE_NULL) {
        return true;
    }
    kept->values[column] = work->row.values[column];
    return import_stage_fill(&work->stage, number, column, kept->values[column].integer, err);
}

/* Completes a row of the stage by the prices of one more row of the same offer. */
static bool join_row(struct work *work, size_t number, bool *is_joined, struct error *err)
{
    const struct fact_table *table = work->choice.table;
    size_t on_demand = import_column(table, "ondemand_per_hour");
    size_t usd = import_column(table, "ondemand_usd_per_hour");
    size_t spot = import_column(table, "spot_usd_per_hour");
    struct import_row *kept = malloc(sizeof *kept);

    *is_joined = false;
    if (kept == NULL) {
        return fail_memory(err);
    }
    bool is_good = import_stage_find(&work->stage, number, kept, err);

    if (is_good && can_join(kept, &work->row, on_demand) && can_join(kept, &work->row, usd) &&
        can_join(kept, &work->row, spot)) {
        *is_joined = true;
        is_good = join_price(work, number, kept, on_demand, err) &&
                  join_price(work, number, kept, usd, err) &&
                  join_price(work, number, kept, spot, err);
    }
    struct import_print print =
        is_good ? import_row_print(kept, IMPORT_ALL_COLUMNS) : (struct import_print){0};

    free(kept);
    if (!is_good) {
        return false;
    }
    if (!*is_joined || import_seen_find(&work->seen, &print) != 0) {
        return true;
    }
    return (import_seen_add(&work->seen, &print, (uint32_t)number) &&
            import_usual_add(&work->usual, &work->row, number)) ||
           fail_memory(err);
}

/* A row whose name stands in the file already. *is_done: it is not to be added. */
static bool take_again(struct work *work, size_t number, bool *is_done, struct error *err)
{
    if (work->choice.format->joins_spot) {
        bool is_good = join_row(work, number, is_done, err);

        work->report->merged += is_good && *is_done ? 1 : 0;
        return is_good;
    }
    *is_done = true;
    import_notes_add(&work->report->rejected, IMPORT_KEY_TAKEN, work->row.line,
                     work->choice.table->key, NULL, "another row of that key stands above");
    return true;
}

/* Puts the row into the stage, unless the file has told it. */
static bool take_row(struct work *work, struct error *err)
{
    struct import_print print = import_row_print(&work->row, IMPORT_ALL_COLUMNS);
    struct import_print part = {0};
    bool is_done = import_seen_find(&work->seen, &print) != 0;

    work->report->merged += is_done ? 1 : 0;
    if (is_done) {
        return true;
    }
    if (work->part_columns != 0) {
        part = import_row_print(&work->row, work->part_columns);
        uint32_t number = import_seen_find(&work->parts, &part);

        if (number != 0 && !take_again(work, number, &is_done, err)) {
            return false;
        }
        if (is_done) {
            return true;
        }
        if (number == 0 && !import_seen_add(&work->parts, &part, (uint32_t)work->stage.count + 1)) {
            return fail_memory(err);
        }
    }
    if (!import_stage_add(&work->stage, &work->row, err)) {
        return false;
    }
    return (import_seen_add(&work->seen, &print, (uint32_t)work->stage.count) &&
            import_usual_add(&work->usual, &work->row, work->stage.count)) ||
           fail_memory(err);
}

static bool take_record(struct work *work, const struct import_record *record, struct error *err)
{
    enum import_mapped mapped = IMPORT_MAPPED_NOTHING;

    work->report->rows++;
    if (work->report->rows % ROWS_BETWEEN_QUESTIONS == 0 &&
        !import_stream_go_on(&work->stream, err)) {
        return false;
    }
    if (!import_map_record(&work->map, record, &work->row, &mapped, err)) {
        return false;
    }
    work->report->skipped += mapped == IMPORT_MAPPED_NOTHING ? 1 : 0;
    return mapped != IMPORT_MAPPED_ROW || take_row(work, err);
}

static bool copy_word(char *word, const char *text)
{
    (void)sqlite3_snprintf(IMPORT_WORD_BYTES, word, "%s", text); /* our own names fit */
    return true;
}

/* The provider of the whole file, where no column names it. */
static bool find_provider(struct work *work, struct error *err)
{
    const struct import_format *format = work->choice.format;
    const char *given = work->options->provider;
    const char *known = given == NULL ? import_rule_provider_in_name(work->stream.name)
                                      : import_provider_find(given, strlen(given));
    bool is_needed = false;

    for (size_t i = 0; i < format->field_count; i++) {
        is_needed = is_needed ||
                    (format->fields[i].rule == IMPORT_PROVIDER && format->fields[i].from == NULL);
    }
    work->map.provider = known == NULL ? given : known;
    if (is_needed && work->map.provider == NULL) {
        return error_set(err, ERROR_BAD_PARAMETER,
                         "%s: neither the file nor its name says which provider it is of; give"
                         " provider",
                         work->stream.name);
    }
    return true;
}

/* The day a file without dates tells of. */
static bool find_date(struct work *work, struct error *err)
{
    const struct import_format *format = work->choice.format;
    const char *given = work->options->observed_on;
    struct stat status;
    int32_t day = DAY_UNKNOWN;
    bool is_needed = false;

    for (size_t i = 0; i < format->field_count; i++) {
        is_needed = is_needed || format->fields[i].rule == IMPORT_SEEN_ON;
    }
    if (given != NULL && (!day_parse(given, strlen(given), &day) || day > work->options->today)) {
        return error_set(err, ERROR_BAD_PARAMETER,
                         "observed_on: \"%.40s\" must be a day that has come, as 2026-05-24",
                         given);
    }
    if (!is_needed) {
        return true;
    }
    if (given != NULL) {
        (void)sqlite3_snprintf(sizeof work->seen_on, work->seen_on, "%s", given);
    } else if (!import_rule_date_in_name(work->stream.name, work->seen_on)) {
        if (work->stream.source->fd < 0 || fstat(work->stream.source->fd, &status) != 0 ||
            !S_ISREG(status.st_mode)) {
            return error_set(err, ERROR_BAD_PARAMETER,
                             "%s: neither the file nor its name has a date; give observed_on",
                             work->stream.name);
        }
        day = (int32_t)(status.st_mtime / 86400);
        day_format(day > work->options->today ? work->options->today : day, work->seen_on);
    }
    work->map.seen_on = work->seen_on;
    return true;
}

/* Sets everything up for the format of the header. */
static bool prepare(struct work *work, const struct import_format *const *formats,
                    size_t format_count, const struct csv_field *header, size_t count,
                    struct error *err)
{
    struct import_map *map = &work->map;

    if (!import_detect(formats, format_count, work->stream.name, header, count, &work->choice,
                       err)) {
        return false;
    }
    (void)copy_word(work->report->format, work->choice.format->name);
    (void)copy_word(work->report->table, work->choice.table->name);
    work->part_columns = part_columns(&work->choice);
    import_usual_init(&work->usual, work->names.catalogue, work->choice.table);
    map->format = work->choice.format;
    map->table = work->choice.table;
    map->is_own = work->choice.is_own;
    map->options = work->options;
    map->names = &work->names;
    map->report = work->report;
    return find_provider(work, err) && find_date(work, err) &&
           import_map_bind(map, header, count, err) &&
           import_stage_init(&work->stage, work->connection, work->choice.table, err);
}

static bool is_blank_record(const struct csv_reader *reader)
{
    return reader->field_count == 1 && reader->fields[0].length == 0;
}

static bool read_csv(struct work *work, const struct import_format *const *formats,
                     size_t format_count, struct error *err)
{
    struct csv_reader *reader = calloc(1, sizeof *reader);
    struct error fault = {0};
    bool found = false;

    if (reader == NULL || !import_stream_csv(&work->stream, reader, err)) {
        free(reader);
        return reader != NULL || fail_memory(err);
    }
    bool is_good = csv_next(reader, &found, err) &&
                   prepare(work, formats, format_count, reader->fields, reader->field_count, err);

    while (is_good && found) {
        is_good = csv_next(reader, &found, &fault);
        if (!is_good && fault.code == ERROR_BAD_FILE) { /* what follows cannot be told apart */
            import_notes_add(&work->report->rejected, IMPORT_MALFORMED, reader->line, NULL, NULL,
                             fault.text);
            is_good = true;
            break;
        }
        if (!is_good) {
            *err = fault;
        } else if (found && !is_blank_record(reader)) {
            struct import_record record = {.fields = reader->fields,
                                           .count = reader->field_count,
                                           .line = reader->fields[0].line};

            is_good = take_record(work, &record, err);
        }
    }
    csv_fini(reader);
    free(reader);
    return is_good;
}

/* A row of the facts that are there: is it one of the file's, does it have the key of one, and what
 * did it cost? */
static bool compare_row(struct work *work, struct error *err)
{
    struct import_print print = import_row_print(&work->row, IMPORT_ALL_COLUMNS);
    uint32_t number = import_seen_find(&work->seen, &print);

    if (number != 0 && work->choice.format->joins_spot) { /* a row completed later is another */
        struct import_row *kept = malloc(sizeof *kept);

        if (kept == NULL || !import_stage_find(&work->stage, number, kept, err)) {
            free(kept);
            return kept != NULL || fail_memory(err);
        }
        struct import_print now = import_row_print(kept, IMPORT_ALL_COLUMNS);

        number = now.a == print.a && now.b == print.b ? number : 0;
        free(kept);
    }
    if (number != 0) {
        work->stage.marks[number - 1] = IMPORT_MARK_KNOWN;
    } else if (work->part_columns != 0 && !work->choice.format->joins_spot) {
        print = import_row_print(&work->row, work->part_columns);
        number = import_seen_find(&work->parts, &print);
        if (number != 0) {
            struct import_row *kept = malloc(sizeof *kept);

            if (kept == NULL || !import_stage_find(&work->stage, number, kept, err)) {
                free(kept);
                return kept != NULL || fail_memory(err);
            }
            import_notes_add(&work->report->rejected, IMPORT_KEY_TAKEN, kept->line,
                             work->choice.table->key, NULL,
                             "the database has another row of that key");
            work->stage.marks[number - 1] = IMPORT_MARK_HELD;
            free(kept);
        }
    }
    return import_usual_add(&work->usual, &work->row, 0) || fail_memory(err);
}

/* Goes through the table that is to be filled. */
static bool compare_table(struct work *work, struct error *err)
{
    const struct fact_table *table = work->choice.table;
    char *columns = fact_file_column_list(table);
    char *sql = columns == NULL ? NULL : sqlite3_mprintf(SELECT_FACTS, columns, table->name);
    DB_STMT_AUTO statement = NULL;
    bool is_good =
        sql != NULL ? statements_prepare(work->connection, sql, &statement, err) : fail_memory(err);
    int result = SQLITE_ROW;

    sqlite3_free(sql);
    free(columns);
    for (size_t i = 1; is_good && result == SQLITE_ROW; i++) {
        result = sqlite3_step(statement);
        if (result == SQLITE_ROW) {
            is_good = (import_row_load(&work->row, table, statement, 0) || fail_memory(err)) &&
                      compare_row(work, err) &&
                      (i % ROWS_BETWEEN_QUESTIONS != 0 || import_stream_go_on(&work->stream, err));
        } else if (result != SQLITE_DONE) {
            is_good = statements_fail(work->connection, table->name, err);
        }
    }
    return is_good;
}

static void count_marks(struct work *work)
{
    for (size_t i = 0; i < work->stage.count; i++) {
        switch ((enum import_mark)work->stage.marks[i]) {
        case IMPORT_MARK_NEW:
            work->report->accepted++;
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
static bool record(struct work *work, struct error *err)
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
        sqlite3_step(statement) != SQLITE_DONE) {
        return statements_fail(work->connection, "imports", err);
    }
    return true;
}

/* A row that names something that is not there. */
static bool check_references(struct work *work, struct error *err)
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
        return error_set(err, ERROR_BAD_FILE, "a row of %s names something that is not in %s",
                         (const char *)sqlite3_column_text(statement, 0),
                         (const char *)sqlite3_column_text(statement, 1));
    }
    return result == SQLITE_DONE || statements_fail(work->connection, "references", err);
}

/* Writes what is new. ERROR_BAD_FILE: the rows break a rule of the tables; nothing is written. */
static bool write_rows(struct work *work, struct error *err)
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

/* Everything after the last row was read. */
static bool finish(struct work *work, struct error *err)
{
    struct import_report *report = work->report;
    bool holds = !work->options->accepts_review;
    struct error fault = {0};

    if (!import_stage_close(&work->stage, !work->options->is_dry_run, err) ||
        !compare_table(work, err) ||
        !import_usual_judge(&work->usual, &work->stage, holds, report, err)) {
        return false;
    }
    count_marks(work);
    report->outcome = report->rejected.total > 0 ? IMPORT_REFUSED
                      : report->accepted > 0     ? IMPORT_ADDED
                                                 : IMPORT_UNCHANGED;
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
    import_notes_add(&report->rejected, IMPORT_MALFORMED, 0, NULL, NULL, fault.text);
    report->outcome = IMPORT_REFUSED;
    return true;
}

static void work_free(struct work *work)
{
    if (work == NULL) {
        return;
    }
    import_stage_fini(&work->stage);
    import_map_fini(&work->map);
    import_usual_fini(&work->usual);
    import_seen_fini(&work->seen);
    import_seen_fini(&work->parts);
    import_names_fini(&work->names);
    import_stream_fini(&work->stream);
    free(work);
}

bool import_run_with(struct database *database, const struct import_format *const *formats,
                     size_t format_count, const struct import_source *source,
                     const struct import_options *options, struct import_report *report,
                     struct error *err)
{
    struct work *work = calloc(1, sizeof *work);
    struct import_report *made = calloc(1, sizeof *made);
    bool is_good = work != NULL && made != NULL;

    if (!is_good) {
        (void)fail_memory(err);
        goto free;
    }
    made->is_dry_run = options->is_dry_run;
    work->connection = database_connection(database);
    work->options = options;
    work->report = made;
    is_good = import_stream_init(&work->stream, source, options, err) &&
              import_names_init(&work->names, database, err) &&
              read_csv(work, formats, format_count, err) && finish(work, err);
    if (is_good) {
        *report = *made;
    }
free:
    work_free(work);
    free(made);
    return is_good;
}

bool import_run(struct database *database, const struct import_source *source,
                const struct import_options *options, struct import_report *report,
                struct error *err)
{
    return import_run_with(database, IMPORT_FORMATS, IMPORT_FORMAT_COUNT, source, options, report,
                           err);
}
