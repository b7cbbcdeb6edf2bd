/* Test Anything Protocol for C tests: tap_ok() as often as needed, `return tap_done();` last. */
#ifndef GPUWISE_TESTS_TAP_H
#define GPUWISE_TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count;
static int tap_failed;

/* One test; the name is printed always, so say what must hold. */
__attribute__((format(printf, 2, 3), unused)) static bool tap_ok(bool is_good, const char *name,
                                                                 ...)
{
    va_list arguments;

    printf("%s %d - ", is_good ? "ok" : "not ok", ++tap_count);
    va_start(arguments, name);
    (void)vprintf(name, arguments);
    va_end(arguments);
    (void)putchar('\n');
    tap_failed += is_good ? 0 : 1;
    return is_good;
}

/* |found - wanted| <= tolerance x |wanted|; prints both when not. */
__attribute__((unused)) static bool tap_near(double found, double wanted, double tolerance,
                                             const char *name)
{
    bool is_good = fabs(found - wanted) <= tolerance * fabs(wanted);

    (void)tap_ok(is_good, "%s", name);
    if (!is_good) {
        printf("# found %.9g, wanted %.9g within %g\n", found, wanted, tolerance);
    }
    return is_good;
}

__attribute__((unused)) static bool tap_text(const char *found, const char *wanted,
                                             const char *name)
{
    bool is_good = found != NULL && strcmp(found, wanted) == 0;

    (void)tap_ok(is_good, "%s", name);
    if (!is_good) {
        printf("# found %s, wanted %s\n", found == NULL ? "NULL" : found, wanted);
    }
    return is_good;
}

__attribute__((format(printf, 1, 2), unused)) static void tap_skip(const char *why, ...)
{
    va_list arguments;

    printf("ok %d # SKIP ", ++tap_count);
    va_start(arguments, why);
    (void)vprintf(why, arguments);
    va_end(arguments);
    (void)putchar('\n');
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed == 0 ? 0 : 1;
}

#endif
