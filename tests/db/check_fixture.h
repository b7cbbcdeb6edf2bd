/* Collects what a check tells, as lines "level topic text". */
#ifndef GPUWISE_TESTS_DB_CHECK_FIXTURE_H
#define GPUWISE_TESTS_DB_CHECK_FIXTURE_H

#include "../../db/check.h"
#include "database_fixture.h"

enum { REPORT_BYTES = 32768 };

struct report {
    struct checkup checkup;
    size_t used;
    char text[REPORT_BYTES];
};

static void report_line(void *data, enum checkup_level level, const char *topic, const char *text)
{
    static const char *const WORDS[] = {"fine", "warning", "fault", "detail"};
    struct report *report = data;
    int length = snprintf(report->text + report->used, REPORT_BYTES - report->used, "%s %s %s\n",
                          WORDS[level], topic, text);

    report->used += length > 0 && (size_t)length < REPORT_BYTES - report->used ? (size_t)length : 0;
}

/* Looks at the file on the day of the shipped facts. */
static bool report_of(const char *path, struct report *report, struct error *err)
{
    memset(report, 0, sizeof *report);
    report->checkup = (struct checkup){.tell = report_line, .data = report};
    bool is_good = check_run(path, TEST_DAY, &report->checkup, err);

    printf("# %s\n", is_good ? "report:" : err->text);
    for (const char *line = report->text; *line != '\0'; line = strchr(line, '\n') + 1) {
        printf("#   %.*s\n", (int)strcspn(line, "\n"), line);
    }
    return is_good;
}

static bool says(const struct report *report, const char *words)
{
    return strstr(report->text, words) != NULL;
}

#endif
