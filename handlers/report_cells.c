/* From JSON to cells. What is not known is an empty cell. One request, one thread. */
#include "report_cells.h"

#include <stdint.h>
#include <string.h>

static const char AT[] = "at:"; /* before the path of a unit */

static const char *unit_of(const struct report_column *column, const json_t *row)
{
    if (column->unit == NULL || strncmp(column->unit, AT, sizeof AT - 1) != 0) {
        return column->unit == NULL ? "" : column->unit;
    }
    return report_value_text(row, column->unit + sizeof AT - 1);
}

/* The unit that every row has which has one; "": they differ, or it is no number. */
static const char *shared_unit(const struct report_column *column, const json_t *rows)
{
    const char *shared = "";

    if (column->tell != report_cell_exact && column->tell != report_cell_rough &&
        column->tell != report_cell_money) {
        return "";
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *unit = unit_of(column, json_array_get(rows, i));

        if (*shared != '\0' && *unit != '\0' && strcmp(shared, unit) != 0) {
            return "";
        }
        shared = *unit == '\0' ? shared : unit;
    }
    return shared;
}

static const char *word_at(const struct teller *teller, const json_t *value)
{
    if (json_is_boolean(value)) {
        return report_word(teller->report, json_is_true(value) ? "yes" : "no");
    }
    return json_is_string(value) ? report_word(teller->report, json_string_value(value)) : "";
}

static const char *text_of(const struct teller *teller, const json_t *value, const char *unit)
{
    if (json_is_number(value)) {
        return report_value_exact(teller->report, json_number_value(value), unit);
    }
    return json_is_string(value) ? json_string_value(value) : word_at(teller, value);
}

/* Both forms of a list: its elements as they are, or as words. */
static const char *list_of(const struct teller *teller, const json_t *list, bool in_words)
{
    const char *all = "";

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);

        all = report_join(teller->report, all, report_word(teller->report, "comma"),
                          in_words ? word_at(teller, item) : text_of(teller, item, ""));
    }
    return all;
}

REPORT_CELL(report_cell_text)
{
    const json_t *value = report_value_at(row, column->path);

    cell->text = json_is_array(value) ? list_of(teller, value, false)
                                      : text_of(teller, value, unit_of(column, row));
}

REPORT_CELL(report_cell_word)
{
    const json_t *value = report_value_at(row, column->path);

    cell->text = json_is_array(value) ? list_of(teller, value, true) : word_at(teller, value);
}

REPORT_CELL(report_cell_exact)
{
    double number = 0;

    if (report_value_number(row, column->path, &number)) {
        cell->text = report_value_exact(teller->report, number, unit_of(column, row));
    }
}

REPORT_CELL(report_cell_rough)
{
    cell->text = report_value_rough_at(teller->report, row, column->path, unit_of(column, row));
}

REPORT_CELL(report_cell_money)
{
    cell->text = report_value_money_at(teller->report, row, column->path, unit_of(column, row));
}

REPORT_CELL(report_cell_range)
{
    const json_t *at = report_value_at(row, column->path);
    const char *low = report_value_rough_at(teller->report, at, "low", "");
    const char *high = report_value_rough_at(teller->report, at, "high", "");

    if (*low != '\0' && *high != '\0') {
        cell->text = report_say(teller->report, "range", low, high, NULL);
    }
}

static const char *page_of(const struct teller *teller, const char *folder, const char *id)
{
    const char *suffix = teller->report->link_suffix;
    const char *href =
        *id == '\0' ? NULL : arena_format(teller->report->arena, "%s%s%s", folder, id, suffix);

    teller->report->has_failed |= *id != '\0' && href == NULL;
    return href;
}

REPORT_CELL(report_cell_card)
{
    (void)column; /* the card is always at gpu */
    cell->text = report_value_card(teller->report, row);
    cell->href = page_of(teller, "/gpus/", report_value_text(row, "gpu.id"));
}

REPORT_CELL(report_cell_name)
{
    cell->text = report_value_short_name(report_value_text(row, "name"));
    cell->href = page_of(teller, column->path, report_value_text(row, "id"));
}

REPORT_CELL(report_cell_offer)
{
    const char *name = report_value_text(row, "accelerator");
    double count = 1;
    bool is_one = !report_value_number(row, column->path, &count) || (count >= 1 && count <= 1);

    cell->text = is_one ? name
                        : report_join(teller->report,
                                      report_value_exact(teller->report, count, "x"), " ", name);
}

REPORT_CELL(report_cell_notes)
{
    cell->text = report_value_sentences(teller->report, report_value_at(row, column->path));
}

void report_table_add(const struct teller *teller, const struct report_table *table,
                      const json_t *from)
{
    struct report *report = teller->report;
    const json_t *rows = report_value_at(from, table->at);
    const char *heading = table->heading == NULL ? NULL : report_word(report, table->heading);
    struct report_block *block =
        report_add(report, REPORT_TABLE, heading, json_array_size(rows), table->column_count);

    if (block == NULL) {
        return;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        struct report_column column = table->columns[i];
        const char *unit = shared_unit(&column, rows);

        column.unit = *unit == '\0' ? column.unit : "";
        block->heads[i].is_number = column.is_number;
        block->heads[i].text =
            report_join(report, report_word(report, column.heading), report_word(report, "comma"),
                        *unit == '\0' ? "" : report_word(report, unit));
        for (size_t row = 0; row < block->row_count; row++) {
            column.tell(teller, json_array_get(rows, row), &column,
                        &block->cells[row * block->column_count + i]);
        }
    }
    report_drop_empty_columns(block);
}

void report_facts_add(const struct teller *teller, const struct report_table *table,
                      const json_t *from)
{
    struct report *report = teller->report;
    const json_t *object = report_value_at(from, table->at);
    struct report_block *block =
        json_is_object(object)
            ? report_add(report, REPORT_FACTS, report_word(report, table->heading),
                         table->column_count, 2)
            : NULL;
    size_t used = 0;

    for (size_t i = 0; block != NULL && i < table->column_count; i++) {
        const struct report_column *column = &table->columns[i];
        struct report_cell value = {"", NULL};

        column->tell(teller, object, column, &value);
        if (*value.text != '\0') {
            block->cells[2 * used].text = report_word(report, column->heading);
            block->cells[2 * used++ + 1] = value;
        }
    }
    if (block != NULL) {
        block->row_count = used;
    }
}

static bool is_named(const char *const *names, const char *name)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void report_members_add(const struct teller *teller, const char *heading, const json_t *object,
                        const char *const *left_out)
{
    struct report *report = teller->report;
    struct report_block *block =
        report_add(report, REPORT_FACTS, report_word(report, heading), json_object_size(object), 2);
    void *at = json_object_iter((json_t *)(uintptr_t)object); /* it changes nothing */
    size_t used = 0;

    for (; block != NULL && at != NULL;
         at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
        const json_t *value = json_object_iter_value(at);
        const char *key = json_object_iter_key(at);

        if (json_is_object(value) || json_is_array(value) || is_named(left_out, key)) {
            continue;
        }
        block->cells[2 * used].text = report_word(report, key);
        block->cells[2 * used++ + 1].text = json_is_null(value)     ? report_word(report, "unknown")
                                            : json_is_string(value) ? word_at(teller, value)
                                                                    : text_of(teller, value, "");
    }
    if (block != NULL) {
        block->row_count = used;
    }
}

void report_notes_add(const struct teller *teller, const char *heading, const json_t *notes)
{
    struct report_block *block =
        report_add(teller->report, REPORT_ITEMS, report_word(teller->report, heading),
                   json_array_size(notes), 1);

    for (size_t i = 0; block != NULL && i < block->row_count; i++) {
        block->cells[i].text = report_value_text(json_array_get(notes, i), "text");
    }
}
