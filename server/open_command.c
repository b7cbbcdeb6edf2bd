/* Opens the database of a command, and leaves none behind that nobody asked for. Main thread. */
#include "open_command.h"

#include "../db/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool open_command_is_missing(const char *path)
{
    struct stat status;

    return stat(path, &status) != 0 && errno == ENOENT;
}

bool open_command_existing(const char *path, struct database **database, struct error *err)
{
    if (open_command_is_missing(path)) {
        return error_set(err, ERROR_SYSTEM,
                         "database %s: there is none; --db FILE or GPUWISE_DB names another", path);
    }
    return database_open(path, database, err);
}

bool open_command_any(const char *path, struct database **database, struct error *err)
{
    bool is_missing = open_command_is_missing(path);

    if (!database_open(path, database, err)) {
        return false;
    }
    if (is_missing) {
        char *whole = realpath(path, NULL);

        (void)fprintf(stderr, "gpuwise: made the new database %s\n", whole != NULL ? whole : path);
        free(whole);
    }
    return true;
}
