/* The right to routes that need a token: what is sent, and what is answered without it. */
#ifndef GPUWISE_ADMISSION_H
#define GPUWISE_ADMISSION_H

#include "exchange.h"

/* True when the server admitted the request; otherwise the response is a problem. */
bool admission_check(struct exchange *exchange) MUST_CHECK;

/* The same answer to a token that was revoked while its request waited. */
void admission_reply_bad_token(struct exchange *exchange);

#endif
