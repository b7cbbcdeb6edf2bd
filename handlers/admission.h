/* The right to routes that need a token: what is sent, and what is answered without it. */
#ifndef GPUWISE_ADMISSION_H
#define GPUWISE_ADMISSION_H

#include "engine/command.h"
#include "exchange.h"

/* True when the server admitted the request; otherwise the response is a problem. */
bool admission_check(struct exchange *exchange) MUST_CHECK;

/* A command of an admitted request in its arena, zeroed but for what all have; NULL: the response
 * is a problem. */
struct command *admission_command(struct exchange *exchange, enum command_kind kind) MUST_CHECK;

/* The same answer to a token that was revoked while its request waited. */
void admission_reply_bad_token(struct exchange *exchange);

#endif
