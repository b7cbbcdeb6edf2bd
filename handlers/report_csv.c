/* Writes rows of JSON as CSV. One request, one thread. */
#include "report_csv.h"

#include "engine/facts.h"
#include "json_out.h"
#include "report_value.h"

#include <string.h>

/* What makes a spreadsheet calculate, at the start of a cell or behind blanks. */
static bool is_formula_like(const char *text)
{
    static const char *const STARTS[] = {"=",
                                         "+",
                                         "-",
                                         "@",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "\xEF\xBC\x9D",
                                         "\xEF\xBC\x8B",
                                         "\xEF\xBC\x8D",
                                         "\xEF\xBC\xA0"};
    const char *start = text + strspn(text, " ");

    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) { /* the last four: full width */
        if (strncmp(start, STARTS[i], strlen(STARTS[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Quotation marks doubled. */
static void write_doubled(struct text_out *out, const char *text)
{
    const char *rest = text;

    while (*rest != '\0') {
        size_t length = strcspn(rest, "\"");

        text_out_bytes(out, rest, length);
        rest += length;
        if (*rest == '"') {
            text_out_text(out, "\"\"");
            rest++;
        }
    }
}

void report_csv_quoted(struct text_out *out, const char *text)
{
    text_out_text(out, "\"");
    write_doubled(out, text);
    text_out_text(out, "\"");
}

/* Wherever a reader could see more than plain text: also at ';' and tab, which some spreadsheets
 * take for separators. */
static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);

    return strpbrk(text, ",;\"\t\r\n") != NULL || text[0] == ' ' ||
           (length > 0 && text[length - 1] == ' ');
}

void report_csv_field(struct text_out *out, const char *text)
{
    if (is_formula_like(text)) {
        text_out_text(out, "\"'");
        write_doubled(out, text);
        text_out_text(out, "\"");
    } else if (needs_quotes(text)) {
        report_csv_quoted(out, text);
    } else {
        text_out_text(out, text);
    }
}

static void write_number(struct text_out *out, const json_t *value)
{
    char text[JSON_OUT_NUMBER_BYTES];
    size_t length = json_out_number_text(json_number_value(value), text);

    text_out_bytes(out, text, length);
}

/* Elements joined by ';' (of notes their codes), then one field. */
static void write_list(struct text_out *out, const json_t *list)
{
    struct text_out joined;

    text_out_init(&joined, out->arena);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);

        text_out_text(&joined, i == 0 ? "" : ";");
        if (json_is_number(item)) {
            write_number(&joined, item);
        } else {
            text_out_text(&joined, report_value_text(item, json_is_object(item) ? "code" : ""));
        }
    }
    text_out_bytes(&joined, "", 1);
    out->has_failed |= joined.has_failed;
    if (!joined.has_failed) {
        report_csv_field(out, joined.bytes);
    }
}

static void write_value(struct text_out *out, const json_t *value)
{
    if (json_is_number(value)) {
        write_number(out, value);
    } else if (json_is_boolean(value)) {
        text_out_text(out, json_is_true(value) ? "true" : "false");
    } else if (json_is_string(value)) {
        report_csv_field(out, json_string_value(value));
    } else if (json_is_array(value)) {
        write_list(out, value);
    }
}

/* The names of all columns, which are the paths of their values; NULL: out of memory. */
static const char **name_columns(struct text_out *out, const struct report_csv *csv, size_t *count)
{
    const char **names = NULL;
    size_t used = 0;

    *count = 0;
    for (size_t i = 0; i < csv->group_count; i++) {
        const struct report_group *group = &csv->groups[i];

        *count += group->fact_table == NULL ? group->count
                                            : fact_table_find(group->fact_table)->column_count;
    }
    names = arena_alloc_array(out->arena, *count, sizeof *names);
    for (size_t i = 0; names != NULL && i < csv->group_count; i++) {
        const struct report_group *group = &csv->groups[i];
        const struct fact_table *table =
            group->fact_table == NULL ? NULL : fact_table_find(group->fact_table);
        size_t members = table == NULL ? group->count : table->column_count;

        for (size_t j = 0; j < members; j++) {
            const char *name = table == NULL ? group->names[j] : table->columns[j].name;

            names[used] = arena_format(out->arena, "%s%s", group->prefix, name);
            out->has_failed |= names[used++] == NULL;
        }
    }
    out->has_failed |= names == NULL;
    return out->has_failed ? NULL : names;
}

static void write_row(struct text_out *out, const char *const *names, size_t count,
                      const json_t *row, const json_t *cards)
{
    for (size_t i = 0; i < count; i++) {
        text_out_text(out, i == 0 ? "" : ",");
        write_value(out, report_value_at(row, names[i]));
    }
    for (size_t i = 0; i < json_array_size(cards); i++) {
        text_out_text(out, ",");
        write_value(out, json_array_get(report_value_at(row, "values"), i));
    }
    text_out_text(out, "\r\n");
}

void report_csv_write(struct text_out *out, const struct report_csv *csv, const json_t *root)
{
    const json_t *rows = report_value_at(root, csv->rows);
    const json_t *cards = csv->has_cards ? report_value_at(root, "gpus") : NULL;
    size_t count = 0;
    const char **names = name_columns(out, csv, &count);

    if (names == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        text_out_text(out, i == 0 ? "" : ",");
        text_out_text(out, names[i]);
    }
    for (size_t i = 0; i < json_array_size(cards); i++) {
        text_out_text(out, ",");
        report_csv_field(out, report_value_text(json_array_get(cards, i), "id"));
    }
    text_out_text(out, "\r\n");
    if (*csv->rows == '\0') {
        write_row(out, names, count, root, cards);
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        write_row(out, names, count, json_array_get(rows, i), cards);
    }
}
