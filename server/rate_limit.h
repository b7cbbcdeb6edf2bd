/* How often one address may try to write: all attempts, and failed ones far less often. Shared by
 * all workers; a mutex is held for a walk over the table, at most LIMIT_RATE_ADDRESSES entries. */
#ifndef GPUWISE_RATE_LIMIT_H
#define GPUWISE_RATE_LIMIT_H

#include "../handlers/engine/error.h"
#include "peer.h"

#include <stdint.h>

struct rate_limit;

struct rate_limit *rate_limit_new(struct error *err) MUST_CHECK;
void rate_limit_free(struct rate_limit *limit); /* NULL is accepted */

/* Counts an attempt at the time now_ms of any clock that does not go back. 0: it may go on;
 * otherwise it must not, and could after so many seconds. Of IPv6 the first 64 bits count, which
 * one customer has. */
unsigned rate_limit_attempt(struct rate_limit *limit, const struct peer_address *address,
                            uint64_t now_ms) MUST_CHECK;

/* The attempt had a token that is not good. */
void rate_limit_fail(struct rate_limit *limit, const struct peer_address *address, uint64_t now_ms);

#endif
