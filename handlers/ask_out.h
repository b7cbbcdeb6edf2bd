/* The question as it was understood, and what was assumed beyond it. */
#ifndef GPUWISE_ASK_OUT_H
#define GPUWISE_ASK_OUT_H

#include "ask_in.h"
#include "json_out.h"

/* "query":{...}: every value in effect, defaults included, unasked ones left out.
 * "assumptions":{...}: the values of query that were not given, and the constants behind the
 * answer. own as in ask_in_read. */
void ask_out_write(const struct exchange *exchange, struct json_out *out, enum ask_use use,
                   const struct param_group *own, const struct ask *ask);

#endif
