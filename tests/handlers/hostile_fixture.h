/* The shipped facts with cards whose names try to be something else: a formula, markup, a command
 * to the terminal, a second line. */
#ifndef GPUWISE_TESTS_HOSTILE_FIXTURE_H
#define GPUWISE_TESTS_HOSTILE_FIXTURE_H

#include "handlers_fixture.h"

static const char *const HOSTILE_NAMES[] = {
    "=HYPERLINK(\"http://evil.example\",\"prices\")",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "\xEF\xBC\x9D"
    "1+1", /* full-width = + - @ */
    "\xEF\xBC\x8B"
    "1",
    "\xEF\xBC\x8D"
    "1",
    "\xEF\xBC\xA0"
    "SUM",
    "a,b;\"c\"\r\nsecond line",
    "<script>alert(1)</script>&amp;'\"",
    "\" onmouseover=\"alert(1)",
    "\x1B[2J\x1B[31mred\x07",
    "\xC2\x9B"
    "31mC1", /* the one-byte form of the same */
    "\xE2\x80\xAE"
    "txet desrever",
    "",
    "it's 5 < 6 > 4",
};
enum { HOSTILE_COUNT = sizeof HOSTILE_NAMES / sizeof HOSTILE_NAMES[0] };

/* As test_open; the first cards of the list have the hostile names. */
__attribute__((unused)) static void hostile_open(void)
{
    struct error err = {0};
    struct catalogue *catalogue = test_catalogue();

    for (size_t i = 0; i < HOSTILE_COUNT; i++) { /* nobody else has it yet */
        ((struct gpu *)(uintptr_t)&catalogue->gpus[i])->name = HOSTILE_NAMES[i];
    }
    struct app_snapshot *snapshot = app_snapshot_new(catalogue, &err);

    if (snapshot == NULL) {
        test_bail_out("no snapshot", err.text);
    }
    test_view = (struct app_view){.snapshot = snapshot, .day = TEST_DAY, .is_ready = true};
    arena_init(&test_arena, LIMIT_REQUEST_ARENA_BYTES);
}

#endif
