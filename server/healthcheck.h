/* `gpuwise healthcheck`: is the server at an address ready? */
#ifndef GPUWISE_HEALTHCHECK_H
#define GPUWISE_HEALTHCHECK_H

#include "listen.h"

/* True: GET /readyz was answered 200 within a few seconds. False: *err says what came instead. */
bool healthcheck(const struct listen_address *address, struct error *err) MUST_CHECK;

#endif
