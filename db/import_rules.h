/* What the rules of import_formats.h do to one value. Pure; any thread. */
#ifndef GPUWISE_DB_IMPORT_RULES_H
#define GPUWISE_DB_IMPORT_RULES_H

#include "import_row.h"

#include <stdbool.h>

/* A decimal number, perhaps with an exponent and with "GB" or "GiB" behind it; NAN: none. */
double import_rule_number(const struct import_text *text);

/* Two whole numbers with a hyphen between, as "4-6": no one number. */
bool import_rule_is_range(const struct import_text *text);

/* GiB of one GPU from SkyPilot's GpuInfo, a dictionary in Python's notation; NAN: not in it, as
 * where it is only a name. count: GPUs, of which the figure is the total; 1: it is of one. */
double import_rule_info_gib(const struct import_text *text, double count);

/* The number in brackets before "GB"; NAN: none. */
double import_rule_bracket_gb(const struct import_text *text);

/* The day of "2026-05-24", "2026-05-24T10:00:00Z"; other texts stay as they are. */
struct import_text import_rule_day(const struct import_text *text);

/* Without commas and blanks at both ends. */
struct import_text import_rule_trim(const struct import_text *text);

/* Whether the text is one of the words joined by '|', whatever the case. */
bool import_rule_is_word(const struct import_text *text, const char *words);

/* A date YYYY-MM-DD inside a file's name; false: none. */
bool import_rule_date_in_name(const char *name, char date[11]);

/* The provider that a word of the last folder or of the name of a file means; NULL: none. */
const char *import_rule_provider_in_name(const char *name);

#endif
