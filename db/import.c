/* The way of a file into the database: recognised by its header, read record by record into a stage
 * (import_take.c), then judged and moved as a whole (import_finish.c). One thread. */
#include "import.h"

#include "../handlers/engine/import_limits.h"
#include "import_json.h"
#include "import_work.h"

#include <sqlite3.h>
#include <stdlib.h>

/* The formats that may be met. */
struct reading {
    struct import_work *work;
    const struct import_format *const *formats;
    size_t format_count;
};

/* Sets everything up for the format of the header. */
static bool take_header(void *context, const struct csv_field *header, size_t count,
                        struct error *err)
{
    struct reading *reading = context;
    struct import_work *work = reading->work;
    struct import_map *map = &work->map;

    if (!import_detect(reading->formats, reading->format_count, work->stream.name, header, count,
                       &work->choice, err)) {
        return false;
    }
    const struct import_format *format = work->choice.format;

    (void)sqlite3_snprintf(IMPORT_WORD_BYTES, work->report->format, "%s", format->name);
    (void)sqlite3_snprintf(IMPORT_WORD_BYTES, work->report->table, "%s", format->table);
    work->part_columns = import_work_part_columns(&work->choice);
    import_usual_init(&work->usual, work->names.catalogue, work->choice.table);
    map->format = format;
    map->table = work->choice.table;
    map->is_own = work->choice.is_own;
    map->options = work->options;
    map->names = &work->names;
    map->report = work->report;
    if (!import_work_origin(work, err) || !import_map_bind(map, header, count, err)) {
        return false;
    }
    import_hosts_init(&work->hosts, map);
    import_review_init(&work->review, work->connection, map);
    return import_stage_init(&work->stage, work->connection, work->choice.table, err);
}

/* A record that stands for itself. */
static bool take_whole(void *context, const struct import_record *record, struct error *err)
{
    struct import_work *work = context;
    enum import_mapped mapped = IMPORT_MAPPED_NOTHING;

    if (!import_map_record(&work->map, record, &work->row, &mapped, err)) {
        return false;
    }
    work->report->skipped += mapped == IMPORT_MAPPED_NOTHING ? 1 : 0;
    return mapped != IMPORT_MAPPED_ROW || import_work_take(work, err);
}

static bool take_record(void *context, const struct import_record *record, struct error *err)
{
    struct reading *reading = context;
    struct import_work *work = reading->work;
    enum import_part part = IMPORT_PART_NONE;

    work->report->rows++;
    if (work->report->rows % IMPORT_ROWS_BETWEEN_QUESTIONS == 0 &&
        !import_stream_go_on(&work->stream, err)) {
        return false;
    }
    if (work->choice.format->hosts != NULL &&
        !import_hosts_keep(&work->hosts, record, &part, err)) {
        return false;
    }
    work->report->skipped += part == IMPORT_PART_HOST ? 1 : 0; /* by itself it says nothing */
    return part != IMPORT_PART_NONE || take_whole(work, record, err);
}

static bool is_blank_record(const struct csv_reader *reader)
{
    return reader->field_count == 1 && reader->fields[0].length == 0;
}

/* The records behind the header. What follows a fault of the CSV itself cannot be told apart, so
 * that is the last thing noted. */
static bool read_records(struct reading *reading, struct csv_reader *reader, struct error *err)
{
    struct error fault = {0};
    bool found = true;

    while (csv_next(reader, &found, &fault)) {
        struct import_record record = {.fields = reader->fields, .count = reader->field_count};

        if (!found) {
            return true;
        }
        record.line = reader->fields[0].line;
        if (!is_blank_record(reader) && !take_record(reading, &record, err)) {
            return false;
        }
    }
    if (fault.code != ERROR_BAD_FILE) {
        *err = fault;
        return false;
    }
    const struct wording why = error_wording(&fault);

    import_notes_add(&reading->work->report->rejected, IMPORT_MALFORMED, reader->line, NULL, NULL,
                     &why);
    return true;
}

/* A header that is none, with all rows in it: "curl -d" sends files without their line ends. */
static bool take_first_line(struct reading *reading, const struct csv_reader *reader,
                            struct error *err)
{
    struct error fault = {0};

    if (take_header(reading, reader->fields, reader->field_count, &fault)) {
        return true;
    }
    if (fault.code == ERROR_BAD_FILE && reader->field_count > 1 && reader->line == 1) {
        return error_say(err, ERROR_BAD_FILE,
                         SAY(TEXT_FILE_ONE_LINE, reader->name, "curl --data-binary @FILE"));
    }
    *err = fault;
    return false;
}

static bool read_csv(struct reading *reading, struct error *err)
{
    struct csv_reader *reader = calloc(1, sizeof *reader);
    bool found = false;

    if (reader == NULL) {
        return import_work_fail_memory(err);
    }
    bool is_good = import_stream_csv(&reading->work->stream, reader, err) &&
                   csv_next(reader, &found, err) && take_first_line(reading, reader, err) &&
                   read_records(reading, reader, err);

    csv_fini(reader);
    free(reader);
    return is_good;
}

static bool read_json(struct reading *reading, struct error *err)
{
    struct import_work *work = reading->work;
    const struct import_json_sink sink = {
        .header = take_header, .record = take_record, .context = reading};
    const char *text = NULL;
    size_t size_bytes = 0;

    return import_stream_all(&work->stream, LIMIT_IMPORT_JSON_BYTES, &text, &size_bytes, err) &&
           import_json_read(work->connection, work->stream.name, text, size_bytes, &sink, err);
}

static bool read_file(struct reading *reading, struct error *err)
{
    struct import_work *work = reading->work;
    bool is_json = import_stream_begins_with(&work->stream, '[') ||
                   import_stream_begins_with(&work->stream, '{');
    size_t alone = 0;

    if (!(is_json ? read_json(reading, err) : read_csv(reading, err)) ||
        (work->choice.format->hosts != NULL &&
         !import_hosts_join(&work->hosts, take_whole, work, &alone, err))) {
        return false;
    }
    work->report->skipped += alone;
    return true;
}

static void work_free(struct import_work *work)
{
    if (work == NULL) {
        return;
    }
    import_stage_fini(&work->stage);
    import_hosts_fini(&work->hosts);
    import_map_fini(&work->map);
    import_usual_fini(&work->usual);
    import_review_fini(&work->review);
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
    struct import_work *work = calloc(1, sizeof *work);
    struct import_report *made = calloc(1, sizeof *made);
    struct reading reading = {.work = work, .formats = formats, .format_count = format_count};
    bool is_good = work != NULL && made != NULL;

    if (!is_good) {
        (void)import_work_fail_memory(err);
        goto free;
    }
    made->is_dry_run = options->is_dry_run;
    work->connection = database_connection(database);
    work->options = options;
    work->report = made;
    is_good = import_stream_init(&work->stream, source, options, err) &&
              import_names_init(&work->names, database, options->catalogue, err) &&
              read_file(&reading, err) && import_work_finish(work, err);
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
