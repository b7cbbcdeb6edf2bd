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

/* In quotes wherever a reader could see more than plain text: also at ';' and tab, which some
 * spreadsheets take for separators. */
static void write_plain(struct text_out *out, const char *text, bool is_quoted)
{
    const char *rest = text;

    if (is_quoted) {
        text_out_text(out, "\"");
    }
    while (*rest != '\0') {
        size_t length = strcspn(rest, "\"");

        text_out_bytes(out, rest, length);
        rest += length;
        if (*rest == '"') {
            text_out_text(out, "\"\"");
            rest++;
        }
    }
    if (is_quoted) {
        text_out_text(out, "\"");
    }
}

static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);

    return strpbrk(text, ",;\"\t\r\n") != NULL || text[0] == ' ' ||
           (length > 0 && text[length - 1] == ' ');
}

void report_csv_field(struct text_out *out, const char *text)
{
    if (!is_formula_like(text)) {
        write_plain(out, text, needs_quotes(text));
        return;
    }
    text_out_text(out, "\"'");
    write_plain(out, text, false);
    text_out_text(out, "\"");
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

/* The head line (row NULL) or a row's fields of one group; returns how many fields stand there. */
static size_t write_group(struct text_out *out, const struct report_group *group, const json_t *row,
                          size_t fields)
{
    const struct fact_table *table =
        group->fact_table == NULL ? NULL : fact_table_find(group->fact_table);
    size_t count = table == NULL ? group->count : table->column_count;

    for (size_t i = 0; i < count; i++) {
        const char *name = table == NULL ? group->names[i] : table->columns[i].name;

        text_out_text(out, fields + i == 0 ? "" : ",");
        if (row == NULL) {
            text_out_text(out, group->prefix);
            text_out_text(out, name);
            continue;
        }
        const char *path = arena_format(out->arena, "%s%s", group->prefix, name);

        out->has_failed |= path == NULL;
        write_value(out, path == NULL ? NULL : report_value_at(row, path));
    }
    return fields + count;
}

static void write_line(struct text_out *out, const struct report_csv *csv, const json_t *root,
                       const json_t *row)
{
    size_t fields = 0;

    for (size_t i = 0; i < csv->group_count; i++) {
        fields = write_group(out, &csv->groups[i], row, fields);
    }
    const json_t *cards = csv->has_cards ? report_value_at(root, "gpus") : NULL;

    for (size_t i = 0; i < json_array_size(cards); i++) {
        text_out_text(out, fields + i == 0 ? "" : ",");
        if (row == NULL) {
            report_csv_field(out, report_value_text(json_array_get(cards, i), "id"));
        } else {
            write_value(out, json_array_get(report_value_at(row, "values"), i));
        }
    }
    text_out_text(out, "\r\n");
}

void report_csv_write(struct text_out *out, const struct report_csv *csv, const json_t *root)
{
    const json_t *rows = report_value_at(root, csv->rows);

    write_line(out, csv, root, NULL);
    if (*csv->rows == '\0') {
        write_line(out, csv, root, root);
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        write_line(out, csv, root, json_array_get(rows, i));
    }
}
