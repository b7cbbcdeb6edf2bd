/* Runs what a handler asked for: prices and files added, the log of imports, an import undone. */
#ifndef GPUWISE_DB_COMMAND_RUN_H
#define GPUWISE_DB_COMMAND_RUN_H

#include "../handlers/engine/command.h"
#include "database.h"

/* What a run looks at. */
struct command_watch {
    unsigned wait_ms; /* at most for another program that is writing */
    /* Called now and then with the context; once it says false an import and a wait end, and
     * nothing is written. NULL: nobody looks. */
    bool (*go_on)(void *context, uint64_t bytes_read, uint64_t bytes_total);
    void *context;
};

/* Runs the command to its end; when it returns, what is told as done is on the disk, in the file
 * that has the database's name: COMMAND_FAILED where that is gone or another one. The outcome,
 * zeroed before, is to be given to command_outcome_fini(). */
void command_run(struct database *database, const struct command *command,
                 const struct command_watch *watch, struct command_outcome *outcome);

/* Releases what the outcome owns. Zeroed is accepted. */
void command_outcome_fini(struct command_outcome *outcome);

#endif
