/* A report as a page without script, for a browser that follows a link to an answer. */
#ifndef GPUWISE_REPORT_HTML_H
#define GPUWISE_REPORT_HTML_H

#include "report.h"
#include "text_out.h"

/* assets is the folder of the page's files, as "/static/<hash>/"; NULL: there are none yet. */
void report_html_write(struct text_out *out, const struct report *report, const char *assets);

#endif
