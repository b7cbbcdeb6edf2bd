/* `gpuwise serve`: from settings to a running server and back. */
#ifndef GPUWISE_SERVE_H
#define GPUWISE_SERVE_H

#include "config.h"

/* Runs until SIGTERM or SIGINT; true: it served and has ended in order. False: it could not start,
 * *err says why in one line. */
bool serve(const struct config *config, struct error *err) MUST_CHECK;

#endif
