/* One row of a file on its way into the stage: told before, completing another, or new. One thread.
 */
#include "import_work.h"

#include <stdlib.h>
#include <string.h>

bool import_work_fail_memory(struct error *err)
{
    return error_set(err, ERROR_OUT_OF_MEMORY, "no memory to import");
}

static uint64_t bit_of(const struct fact_table *table, const char *column)
{
    return (uint64_t)1 << import_column(table, column);
}

uint64_t import_work_part_columns(const struct import_choice *choice)
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

/* What is known of the price from both rows. */
static void join_price(struct import_row *kept, const struct import_row *row, size_t column)
{
    if (kept->values[column].kind == FACT_VALUE_NULL) {
        kept->values[column] = row->values[column];
    }
}

/* Completes the row of the stage read into *kept. *is_joined: false where prices differ. */
static bool complete(struct import_work *work, size_t number, struct import_row *kept,
                     bool *is_joined, struct error *err)
{
    const struct fact_table *table = work->choice.table;
    const size_t columns[] = {import_column(table, "ondemand_per_hour"),
                              import_column(table, "ondemand_usd_per_hour"),
                              import_column(table, "spot_usd_per_hour")};
    enum { COUNT = sizeof columns / sizeof columns[0] };

    if (!import_stage_find(&work->stage, number, kept, err)) {
        return false;
    }
    *is_joined = true;
    for (size_t i = 0; i < COUNT; i++) {
        *is_joined = *is_joined && can_join(kept, &work->row, columns[i]);
    }
    for (size_t i = 0; i < COUNT && *is_joined; i++) {
        join_price(kept, &work->row, columns[i]);
    }
    import_map_mend_spot(&work->map, kept);
    struct import_print print = import_row_print(kept, IMPORT_ALL_COLUMNS);

    if (*is_joined && !import_stage_fill(&work->stage, number, kept, columns, COUNT, err)) {
        return false;
    }
    if (!*is_joined || import_seen_find(&work->seen, &print) != 0) {
        return true;
    }
    return (import_seen_add(&work->seen, &print, (uint32_t)number) &&
            import_usual_add(&work->usual, &work->row, number)) ||
           import_work_fail_memory(err);
}

static bool join_row(struct import_work *work, size_t number, bool *is_joined, struct error *err)
{
    struct import_row *kept = malloc(sizeof *kept);
    bool is_good =
        kept == NULL ? import_work_fail_memory(err) : complete(work, number, kept, is_joined, err);

    free(kept);
    return is_good;
}

/* A row whose name stands in the file already. *is_done: it is not to be added. */
static bool take_again(struct import_work *work, size_t number, bool *is_done, struct error *err)
{
    if (work->choice.format->joins_spot) {
        bool is_good = join_row(work, number, is_done, err);

        work->report->merged += is_good && *is_done ? 1 : 0;
        return is_good;
    }
    *is_done = true;
    import_notes_add(&work->report->rejected, IMPORT_KEY_TAKEN, work->row.line,
                     work->choice.table->key, NULL, SAY(TEXT_IMPORT_KEY_ABOVE));
    return true;
}

/* The row as it would be where its name is not known: a database may have it so from an earlier
 * program, and then knows it. */
static bool see_unresolved(struct import_work *work)
{
    struct import_row *row = &work->row;
    size_t column = row->name_column;

    if (column == row->table->column_count) {
        return true;
    }
    struct fact_value value = row->values[column];
    struct import_text text = row->texts[column];

    row->values[column] = row->name_value;
    row->texts[column] = row->name_text;
    struct import_print print = import_row_print(row, IMPORT_ALL_COLUMNS);

    row->values[column] = value;
    row->texts[column] = text;
    return import_seen_find(&work->seen, &print) != 0 ||
           import_seen_add(&work->seen, &print, (uint32_t)work->stage.count);
}

bool import_work_take(struct import_work *work, struct error *err)
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
            return import_work_fail_memory(err);
        }
    }
    bool advises = true;

    if (!import_review_row(&work->review, &work->row, &advises, err) ||
        !import_stage_add(&work->stage, &work->row, err)) {
        return false;
    }
    if (!advises) {
        work->stage.marks[work->stage.count - 1] = IMPORT_MARK_SILENT;
    }
    return (import_seen_add(&work->seen, &print, (uint32_t)work->stage.count) &&
            see_unresolved(work) &&
            import_usual_add(&work->usual, &work->row, work->stage.count)) ||
           import_work_fail_memory(err);
}
