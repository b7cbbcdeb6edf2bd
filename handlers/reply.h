/* Successful answers. */
#ifndef GPUWISE_REPLY_H
#define GPUWISE_REPLY_H

#include "exchange.h"
#include "json_out.h"

/* 200 with the finished document in the representation asked for, or the problem when memory ran
 * out. */
void reply_json(struct exchange *exchange, const struct json_out *out);

#endif
