/* Prints what db/check.c finds. Main thread. */
#include "check.h"

#include "../db/check.h"
#include "clock.h"

#include <stdio.h>

static void print_line(void *data, enum checkup_level level, const char *topic, const char *text)
{
    static const char *const WORDS[] = {"ok", "warning", "FAULT", ""};

    (void)data; /* standard output is the only place */
    (void)printf("%-8s %-10s %s\n", WORDS[level], topic, text);
}

bool check_print(const char *database_path, bool is_strict, enum check_verdict *verdict,
                 struct error *err)
{
    struct checkup checkup = {.tell = print_line};

    if (!check_run(database_path, clock_today(), &checkup, err)) {
        return false;
    }
    size_t faults = checkup.count[CHECKUP_FAULT], warnings = checkup.count[CHECKUP_WARNING];
    bool is_faulty = faults > 0 || (is_strict && warnings > 0);

    (void)printf("%s: %s, %zu fault%s, %zu warning%s\n", database_path,
                 is_faulty ? "not good" : "good", faults, faults == 1 ? "" : "s", warnings,
                 warnings == 1 ? "" : "s");
    if (fflush(stdout) != 0) {
        return error_set(err, ERROR_SYSTEM, "the report cannot be written");
    }
    *verdict = is_faulty ? CHECK_FAULTY : CHECK_FINE;
    return true;
}
