/* The database of a command on the command line. Main thread. */
#ifndef GPUWISE_OPEN_COMMAND_H
#define GPUWISE_OPEN_COMMAND_H

#include "../handlers/engine/error.h"

#include <stdbool.h>

struct database;

/* Opens a database that is there. Fails with ERROR_SYSTEM where none is: in another folder, or with
 * a mistyped --db, an empty one would only hide that. */
bool open_command_existing(const char *path, struct database **database,
                           struct error *err) MUST_CHECK;

/* As database_open; says on standard error which file it made where there was none. */
bool open_command_any(const char *path, struct database **database, struct error *err) MUST_CHECK;

/* Whether there is no file of this name. */
bool open_command_is_missing(const char *path);

#endif
