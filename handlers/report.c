/* Builds reports block by block; it knows no resource and no layout. One request, one thread. */
#include "report.h"

#include "engine/text.h"
#include "report_words.h"

#include <assert.h>
#include <string.h>

void report_init(struct report *report, struct arena *arena, enum language language)
{
    *report = (struct report){.arena = arena, .language = language, .title = "", .link_suffix = ""};
}

const char *report_word(const struct report *report, const char *id)
{
    return report_words_find(id, report->language);
}

const char *report_say(struct report *report, const char *id, const char *first, const char *second,
                       const char *third)
{
    const char *sentence = report_word(report, id);
    const char *const arguments[] = {first, second, third};
    size_t length = text_fill(sentence, arguments, 3, ", ", NULL, 0);
    char *text = arena_alloc(report->arena, length + 1); /* zeroed */

    if (text == NULL) {
        report->has_failed = true;
        return "";
    }
    (void)text_fill(sentence, arguments, 3, ", ", text, length); /* as long as just counted */
    return text;
}

const char *report_join(struct report *report, const char *first, const char *gap,
                        const char *second)
{
    if (*first == '\0' || *second == '\0') {
        return *first == '\0' ? second : first;
    }
    const char *text = arena_format(report->arena, "%s%s%s", first, gap, second);

    report->has_failed |= text == NULL;
    return text == NULL ? "" : text;
}

struct report_block *report_add(struct report *report, enum report_kind kind, const char *heading,
                                size_t row_count, size_t column_count)
{
    struct report_block *block = NULL;

    assert(column_count <= REPORT_COLUMNS_MAX);
    if (row_count == 0 || column_count == 0) {
        return NULL;
    }
    block = arena_alloc(report->arena, sizeof *block);
    struct report_cell *cells =
        arena_alloc_array(report->arena, row_count * column_count, sizeof *cells);

    if (block == NULL || cells == NULL) {
        report->has_failed = true;
        return NULL;
    }
    for (size_t i = 0; i < row_count * column_count; i++) {
        cells[i] = (struct report_cell){"", NULL};
    }
    *block = (struct report_block){.kind = kind,
                                   .heading = heading,
                                   .cells = cells,
                                   .row_count = row_count,
                                   .column_count = column_count};
    if (report->last == NULL) {
        report->first = block;
    } else {
        report->last->next = block;
    }
    report->last = block;
    return block;
}

void report_add_paragraph(struct report *report, const char *heading, const char *text)
{
    struct report_block *block =
        *text == '\0' ? NULL : report_add(report, REPORT_PARAGRAPH, heading, 1, 1);

    if (block != NULL) {
        block->cells[0].text = text;
    }
}

static bool is_column_empty(const struct report_block *block, size_t column)
{
    for (size_t row = 0; row < block->row_count; row++) {
        if (*block->cells[row * block->column_count + column].text != '\0') {
            return false;
        }
    }
    return true;
}

void report_drop_empty_columns(struct report_block *block)
{
    size_t kept[REPORT_COLUMNS_MAX];
    size_t kept_count = 0;
    size_t used = 0;

    for (size_t column = 0; column < block->column_count; column++) {
        if (!is_column_empty(block, column)) {
            block->heads[kept_count] = block->heads[column];
            kept[kept_count++] = column;
        }
    }
    for (size_t row = 0; row < block->row_count; row++) {
        for (size_t i = 0; i < kept_count;
             i++) { /* forwards: each goes to where it stood or before */
            block->cells[used++] = block->cells[row * block->column_count + kept[i]];
        }
    }
    block->column_count = kept_count;
    block->row_count = kept_count == 0 ? 0 : block->row_count;
}

void report_add_link(struct report *report, const char *text, const char *href, const char *type,
                     const char *relation)
{
    assert(report->link_count < REPORT_LINKS_MAX);
    if (href == NULL) {
        report->has_failed = true;
        return;
    }
    report->links[report->link_count++] = (struct report_link){text, href, type, relation};
}
