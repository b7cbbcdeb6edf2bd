/* Another representation of a finished JSON document: CSV, a table for a terminal, HTML. */
#ifndef GPUWISE_REPRESENT_H
#define GPUWISE_REPRESENT_H

#include "exchange.h"
#include "json_out.h"
#include "text_out.h"

/* The answer as exchange->media, which is not JSON, asks. False: out of memory. */
bool represent_answer(struct exchange *exchange, const struct json_out *json,
                      struct text_out *out) MUST_CHECK;

/* The same of a problem document, which has no CSV. */
bool represent_problem(struct exchange *exchange, const struct json_out *json,
                       struct text_out *out) MUST_CHECK;

#endif
