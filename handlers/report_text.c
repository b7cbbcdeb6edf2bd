/* Lays out a report in columns of characters. One request, one thread. */
#include "report_text.h"

#include "engine/character.h"
#include "text_width.h"

#include <string.h>

enum {
    GAP_COLUMNS = 2,      /* between the columns of a table */
    WRAPPED_COLUMNS = 10, /* a column of text is not made narrower than this */
    NUMBER_COLUMNS = 20   /* what is wider is more than a number, and may be wrapped as text */
};

static const char NOTHING[] = "-"; /* a number that is not known */

/* Controls and marks that change direction become blanks or vanish: whatever a catalogue says, it
 * says in its place. */
static const char *printable(struct text_out *out, const char *text)
{
    size_t length = strlen(text);
    char *copy = arena_alloc(out->arena, length * 3 + 1);
    const char *rest = text;
    size_t used = 0;

    if (copy == NULL) {
        out->has_failed = true;
        return "";
    }
    while (*rest != '\0') {
        const char *start = rest;
        uint32_t code = text_width_next(&rest);
        size_t bytes = (size_t)(rest - start);
        bool is_end = code == 0x2028 || code == 0x2029; /* of a line, of a paragraph */

        if (character_is_control(code) || is_end) {
            copy[used++] = ' ';
        } else if (code == 0xFFFD && bytes == 1) {
            memcpy(copy + used, "\xEF\xBF\xBD", 3);
            used += 3;
        } else if (!character_is_invisible(code)) {
            memcpy(copy + used, start, bytes);
            used += bytes;
        }
    }
    copy[used] = '\0';
    return copy;
}

/* A text in lines, all but the first indented; first is written before it. */
static void write_wrapped(struct text_out *out, const char *first, const char *text)
{
    const char *rest = printable(out, text);
    size_t indent = text_width(first);
    bool is_first = true;

    while (*rest != '\0') {
        const char *line = rest;
        size_t bytes = text_width_line(&rest, REPORT_TEXT_COLUMNS - indent);

        if (is_first) {
            text_out_text(out, first);
        } else {
            text_out_repeat(out, ' ', indent);
        }
        text_out_bytes(out, line, bytes);
        text_out_text(out, "\n");
        is_first = false;
    }
}

static void write_heading(struct text_out *out, const char *heading, char rule)
{
    const char *text = printable(out, heading);
    size_t columns = text_width(text);

    write_wrapped(out, "", text);
    text_out_repeat(out, rule, columns < REPORT_TEXT_COLUMNS ? columns : REPORT_TEXT_COLUMNS);
    text_out_text(out, "\n");
}

/* How columns are made narrower, each step only as far as it takes. */
enum {
    SHRINK_TEXT,    /* text in several lines; a number stays in one */
    SHRINK_NUMBERS, /* also heads in many lines, and what stands in blanks around a number */
    SHRINK_WORDS,   /* long words are cut */
    SHRINK_STEPS
};

struct layout { /* of one table: every cell made printable, and the columns' widths */
    const char **cells;
    const char *heads[REPORT_COLUMNS_MAX];
    size_t widths[REPORT_COLUMNS_MAX];
    size_t least[SHRINK_STEPS][REPORT_COLUMNS_MAX]; /* what each step leaves of them */
};

/* The least columns in which a head stands in two lines. */
static size_t head_columns(const char *head)
{
    size_t columns = text_width_unbroken(head);
    const char *rest = head;

    while (*rest != '\0') {
        rest = head;
        for (int line = 0; line < 2 && *rest != '\0'; line++) {
            (void)text_width_line(&rest, columns); /* where it ends is all that counts */
        }
        columns += *rest == '\0' ? 0 : 1;
    }
    return columns;
}

static void measure(struct layout *layout, const struct report_block *block, size_t column)
{
    size_t unbroken = text_width_unbroken(layout->heads[column]);
    size_t width = head_columns(layout->heads[column]);

    for (size_t row = 0; row < block->row_count; row++) {
        const char *cell = layout->cells[row * block->column_count + column];
        size_t columns = text_width(cell);
        size_t word = text_width_unbroken(cell);

        width = columns > width ? columns : width;
        unbroken = word > unbroken ? word : unbroken;
    }
    bool is_number = block->heads[column].is_number && width <= NUMBER_COLUMNS;

    layout->widths[column] = width;
    layout->least[SHRINK_TEXT][column] = is_number                    ? width
                                         : unbroken > WRAPPED_COLUMNS ? unbroken
                                                                      : WRAPPED_COLUMNS;
    layout->least[SHRINK_NUMBERS][column] = unbroken;
    layout->least[SHRINK_WORDS][column] = unbroken < WRAPPED_COLUMNS ? unbroken : WRAPPED_COLUMNS;
}

/* Takes from the widest column that may be made narrower until the table fits or none is left. */
static void shrink(struct layout *layout, const struct report_block *block, const size_t *least)
{
    size_t total = GAP_COLUMNS * (block->column_count - 1);

    for (size_t i = 0; i < block->column_count; i++) {
        total += layout->widths[i];
    }
    while (total > REPORT_TEXT_COLUMNS) {
        size_t widest = REPORT_COLUMNS_MAX;

        for (size_t i = 0; i < block->column_count; i++) {
            if (layout->widths[i] > least[i] &&
                (widest == REPORT_COLUMNS_MAX || layout->widths[i] > layout->widths[widest])) {
                widest = i;
            }
        }
        if (widest == REPORT_COLUMNS_MAX) {
            return; /* too many columns: the terminal scrolls or wraps */
        }
        layout->widths[widest]--;
        total--;
    }
}

/* One row, as many lines as its highest cell; rests point into the cells. */
static void write_row(struct text_out *out, const struct layout *layout,
                      const struct report_block *block, const char *const *cells)
{
    const char *rests[REPORT_COLUMNS_MAX];
    bool is_open = true;

    memcpy(rests, cells, block->column_count * sizeof rests[0]);
    while (is_open) {
        size_t pending = 0; /* blanks owed: none are written at the end of a line */

        is_open = false;
        for (size_t i = 0; i < block->column_count; i++) {
            const char *line = rests[i];
            size_t bytes = *line == '\0' ? 0 : text_width_line(&rests[i], layout->widths[i]);
            const char *part = arena_copy_text(out->arena, line, bytes);
            size_t columns = part == NULL ? 0 : text_width(part);
            size_t blanks = layout->widths[i] > columns ? layout->widths[i] - columns : 0;
            size_t before = block->heads[i].is_number ? blanks : 0;

            out->has_failed |= part == NULL;
            if (bytes > 0) {
                text_out_repeat(out, ' ', pending + before);
                text_out_bytes(out, line, bytes);
                pending = blanks - before + GAP_COLUMNS;
            } else {
                pending += layout->widths[i] + GAP_COLUMNS;
            }
            is_open |= *rests[i] != '\0';
        }
        text_out_text(out, "\n");
    }
}

static void write_table(struct text_out *out, const struct report_block *block)
{
    size_t count = block->row_count * block->column_count;
    struct layout layout = {.cells =
                                arena_alloc_array(out->arena, count + 1, sizeof *layout.cells)};

    if (layout.cells == NULL) {
        out->has_failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = printable(out, block->cells[i].text);

        layout.cells[i] =
            *text == '\0' && block->heads[i % block->column_count].is_number ? NOTHING : text;
    }
    for (size_t i = 0; i < block->column_count; i++) {
        layout.heads[i] = block->kind == REPORT_TABLE ? printable(out, block->heads[i].text) : "";
        measure(&layout, block, i);
    }
    for (int step = 0; step < SHRINK_STEPS; step++) {
        shrink(&layout, block, layout.least[step]);
    }
    if (block->kind == REPORT_TABLE) {
        write_row(out, &layout, block, layout.heads);
    }
    for (size_t row = 0; row < block->row_count && !out->has_failed; row++) {
        write_row(out, &layout, block, layout.cells + row * block->column_count);
    }
}

void report_text_write(struct text_out *out, const struct report *report)
{
    write_heading(out, report->title, '=');
    for (const struct report_block *block = report->first; block != NULL; block = block->next) {
        if (block->row_count == 0) {
            continue;
        }
        text_out_text(out, "\n");
        if (block->heading != NULL) {
            write_heading(out, block->heading, '-');
        }
        if (block->kind == REPORT_TABLE || block->kind == REPORT_FACTS) {
            write_table(out, block);
        } else {
            for (size_t row = 0; row < block->row_count; row++) {
                write_wrapped(out, block->kind == REPORT_ITEMS ? "- " : "", block->cells[row].text);
            }
        }
    }
    for (size_t i = 0; i < report->link_count; i++) {
        if (strcmp(report->links[i].relation, "next") == 0) {
            text_out_text(out, "\n");
            text_out_text(out, report->links[i].text);
            text_out_text(out, ": ");
            text_out_text(out, printable(out, report->links[i].href));
            text_out_text(out, "\n");
        }
    }
}
