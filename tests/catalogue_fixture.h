/* The shipped facts as a catalogue, for tests: made the way the program makes it, through a
 * database. */
#ifndef GPUWISE_TESTS_CATALOGUE_FIXTURE_H
#define GPUWISE_TESTS_CATALOGUE_FIXTURE_H

#include "../db/catalogue_load.h"
#include "../db/database.h"
#include "../handlers/engine/catalogue.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEST_PATH_BYTES = 512 };

enum {
    TEST_DAY = 20787
}; /* 2026-11-30, the day of the shipped facts: 56 x 365 + 14 leap days + 333 */

__attribute__((unused, noreturn)) static void test_bail_out(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

/* The name of a new, empty file. */
__attribute__((unused)) static void test_temporary_path(char path[TEST_PATH_BYTES])
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(path, TEST_PATH_BYTES, "%s/gpuwise-test-XXXXXX",
                          folder == NULL || folder[0] == '\0' ? "/tmp" : folder);
    int file = length > 0 && length < TEST_PATH_BYTES ? mkstemp(path) : -1;

    if (file < 0) {
        test_bail_out("no temporary file", path);
    }
    (void)close(file); /* empty: nothing to lose */
}

/* Removes a database and what SQLite keeps beside it; what is not there is fine. */
__attribute__((unused)) static void test_remove_database(const char *path)
{
    static const char *const SUFFIXES[] = {"", "-wal", "-shm", "-journal"};
    char name[TEST_PATH_BYTES + 16];

    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, SUFFIXES[i]);
        (void)unlink(name);
    }
}

/* The catalogue of the shipped facts; the caller gives it back with catalogue_unref. */
__attribute__((unused)) static struct catalogue *test_catalogue(void)
{
    char path[TEST_PATH_BYTES];
    struct database *database = NULL;
    struct catalogue *catalogue = NULL;
    struct error err;

    test_temporary_path(path);
    bool is_good =
        database_open(path, &database, &err) && catalogue_load(database, &catalogue, &err);

    database_close(database);
    test_remove_database(path);
    if (!is_good) {
        test_bail_out("no catalogue", err.text);
    }
    return catalogue;
}

#endif
