/* The commands `import`, `imports`, `undo` and `export`. */
#ifndef GPUWISE_IMPORT_COMMAND_H
#define GPUWISE_IMPORT_COMMAND_H

#include "config.h"

/* Imports the file ("-": standard input) as the settings say, and tells on standard output what
 * became of it. *is_refused: the file was refused, which was told. */
bool import_command(const struct config *config, const char *file, bool *is_refused,
                    struct error *err) MUST_CHECK;

/* Lists the imports on standard output, newest first. */
bool import_command_list(const struct config *config, struct error *err) MUST_CHECK;

/* Undoes the import of that number. ERROR_BAD_PARAMETER: it cannot be undone. */
bool import_command_undo(const struct config *config, const char *number,
                         struct error *err) MUST_CHECK;

/* Writes a table on standard output. */
bool import_command_export(const struct config *config, const char *table,
                           struct error *err) MUST_CHECK;

#endif
