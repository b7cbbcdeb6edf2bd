/* A report for a terminal of 100 columns: wide characters count two, combining ones none, nothing
 * in it can move the cursor. */
#ifndef GPUWISE_REPORT_TEXT_H
#define GPUWISE_REPORT_TEXT_H

#include "report.h"
#include "text_out.h"

enum { REPORT_TEXT_COLUMNS = 100 };

void report_text_write(struct text_out *out, const struct report *report);

#endif
