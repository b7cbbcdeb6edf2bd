/* `gpuwise token`: makes, lists and revokes the tokens of those who may write over HTTP. */
#ifndef GPUWISE_TOKEN_COMMAND_H
#define GPUWISE_TOKEN_COMMAND_H

#include "../handlers/engine/error.h"

/* What is asked: a list, a name to revoke, or neither: a new token under the name (NULL: its public
 * part is its name). */
struct token_command {
    const char *name, *revoke;
    bool wants_list;
};

/* Prints a new token alone on standard output, or the list. ERROR_BAD_SETTING: more
 * than one thing asked for; ERROR_BAD_PARAMETER: the name is taken, or none is to
 * revoke. */
bool token_command_run(const char *db_path, const struct token_command *command,
                       struct error *err) MUST_CHECK;

#endif
