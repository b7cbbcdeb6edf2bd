/* An answer for people: what the finished JSON document says, as title, paragraphs, lists and
 * tables that report_text.c and report_html.c lay out. Everything lives in the arena of the
 * request; running out of it is remembered in has_failed, so that only the end needs a check. */
#ifndef GPUWISE_REPORT_H
#define GPUWISE_REPORT_H

#include "engine/arena.h"
#include "engine/message.h"

#include <stdbool.h>
#include <stddef.h>

enum { REPORT_LINKS_MAX = 8, REPORT_COLUMNS_MAX = 16 }; /* /compare has 8 cards, label and unit */

struct report_cell {
    const char *text; /* "": not known, or nothing to say */
    const char *href; /* a target on this server; NULL: none */
};

struct report_head {
    const char *text;
    bool is_number; /* set to the right */
};

enum report_kind {
    REPORT_PARAGRAPH, /* the text of its only cell */
    REPORT_ITEMS,     /* a list, one column */
    REPORT_FACTS,     /* name and value, two columns */
    REPORT_TABLE
};

struct report_block {
    enum report_kind kind;
    const char *heading; /* above it, and what a table is called; NULL: none */
    struct report_head heads[REPORT_COLUMNS_MAX];
    struct report_cell *cells;      /* row by row */
    size_t row_count, column_count; /* no rows: nothing to say, not even the heading */
    struct report_block *next;
};

struct report_link {
    const char *text, *href;
    const char *type; /* media type of another representation of the same answer; NULL: none */
    const char *relation;
};

struct report {
    struct arena *arena;
    enum language language;
    const char *title;
    struct report_block *first, *last;
    struct report_link links[REPORT_LINKS_MAX];
    size_t link_count;
    const char *link_suffix; /* behind an address of another answer: "?lang=zh", or "" */
    bool has_failed;
};

void report_init(struct report *report, struct arena *arena, enum language language);

/* A word of report_words.c in the report's language; the id itself where there is none. */
const char *report_word(const struct report *report, const char *id);

/* The word with {0} to {2} replaced; arguments not used are NULL. "" without memory. */
const char *report_say(struct report *report, const char *id, const char *first, const char *second,
                       const char *third);

/* Both texts with the gap between them; an empty text takes none. */
const char *report_join(struct report *report, const char *first, const char *gap,
                        const char *second);

/* Appends blocks. Texts must live as long as the report; an empty paragraph is left out. */
void report_add_paragraph(struct report *report, const char *heading, const char *text);

/* Rows to be filled in, all cells empty; NULL: out of memory, or no rows at all. */
struct report_block *report_add(struct report *report, enum report_kind kind, const char *heading,
                                size_t row_count, size_t column_count);

/* Takes columns without any text out of a filled table; its rows too where none is left. */
void report_drop_empty_columns(struct report_block *block);

void report_add_link(struct report *report, const char *text, const char *href, const char *type,
                     const char *relation);

#endif
