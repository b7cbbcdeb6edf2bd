/* Values of a finished JSON document as text for people: grouped by thousands, with their unit, in
 * the language of the report. Texts live as long as the report; without memory they are "" and the
 * report remembers. */
#ifndef GPUWISE_REPORT_VALUE_H
#define GPUWISE_REPORT_VALUE_H

#include "report.h"

#include <jansson.h>

/* The value at a path of keys joined by points; from itself for ""; NULL: absent. */
const json_t *report_value_at(const json_t *from, const char *path);

/* The text there; "" when it is null, absent or no text. Lent by the document. */
const char *report_value_text(const json_t *from, const char *path);

/* False: it is null, absent or no number. */
bool report_value_number(const json_t *from, const char *path, double *number);

bool report_value_is_true(const json_t *from, const char *path);

/* A fact: at most six decimals. The unit may be "". */
const char *report_value_exact(struct report *report, double number, const char *unit);

/* What a model estimates: three significant digits, whole numbers in full. */
const char *report_value_rough(struct report *report, double number, const char *unit);

/* Cents below 100 only, tenths of a cent below 1. */
const char *report_value_money(struct report *report, double units, const char *currency);

/* The number there, or "" when it is not known. */
const char *report_value_rough_at(struct report *report, const json_t *from, const char *path,
                                  const char *unit);
const char *report_value_money_at(struct report *report, const json_t *from, const char *path,
                                  const char *currency);

/* A name without its maker, as people say it: "RTX 3090". */
const char *report_value_short_name(const char *name);

/* "2 x RTX 3090" of an object with gpu and perhaps count. */
const char *report_value_card(struct report *report, const json_t *row);

/* The text members of an array of {code, text}, joined by blanks. */
const char *report_value_sentences(struct report *report, const json_t *notes);

#endif
