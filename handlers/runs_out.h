/* What a card runs, as JSON. */
#ifndef GPUWISE_RUNS_OUT_H
#define GPUWISE_RUNS_OUT_H

#include "engine/runs.h"
#include "exchange.h"
#include "json_out.h"

/* "runs":[...]: for each task its settings, support and models. */
void runs_out_write(const struct exchange *exchange, struct json_out *out, const struct gpu *gpu,
                    const struct runs *runs);

#endif
