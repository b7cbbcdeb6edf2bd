/* The main table of an answer for programs: CSV after RFC 4180, comma, CRLF, one head line, UTF-8
 * without a byte order mark. A column's name is the path of its value in the JSON document; the
 * columns of a resource are always the same ones, in the same order (/compare: one for each card).
 *
 * Values are those of the JSON document; not known is an empty field; lists are joined by ';', of
 * notes their codes. A text that a spreadsheet could take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection, read 2026-11-30); a number never does. */
#ifndef GPUWISE_REPORT_CSV_H
#define GPUWISE_REPORT_CSV_H

#include "text_out.h"

#include <jansson.h>

struct report_group {       /* columns that stand together */
    const char *prefix;     /* of their names, as "price." */
    const char *fact_table; /* they are the columns of this table of engine/facts.h; NULL: names */
    const char *const *names;
    size_t count;
};

struct report_csv {
    const char *rows; /* path of the array; "": the document itself is the only row */
    const struct report_group *groups;
    size_t group_count;
    bool has_cards; /* one more column for each of the document's gpus: its element of values */
};

void report_csv_write(struct text_out *out, const struct report_csv *csv, const json_t *root);

/* One field; text that begins like a formula is made harmless. Also for tests. */
void report_csv_field(struct text_out *out, const char *text);

/* Any text as a field in quotes, those inside doubled: as it is, for a reader of ours. */
void report_csv_quoted(struct text_out *out, const char *text);

extern const struct report_csv REPORT_CSV_PICKS, REPORT_CSV_TIERS, REPORT_CSV_DEAL,
    REPORT_CSV_COMPARE, REPORT_CSV_ESTIMATE, REPORT_CSV_GPUS, REPORT_CSV_GPU, REPORT_CSV_MODELS,
    REPORT_CSV_MODEL, REPORT_CSV_CLOUD;

#endif
