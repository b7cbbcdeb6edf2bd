/* The parameters of the question (engine/ask.h): one table for every endpoint that takes them. */
#ifndef GPUWISE_ASK_IN_H
#define GPUWISE_ASK_IN_H

#include "engine/ask.h"
#include "params_in.h"

enum ask_use { ASK_RECOMMEND = 1, ASK_ESTIMATE = 2, ASK_TIERS = 4 };

extern const struct param ASK_PARAMS[];
extern const size_t ASK_PARAM_COUNT;

/* Reads the question and completes it. own, when not NULL, are the endpoint's further parameters.
 * False: the response is a problem. */
bool ask_in_read(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                 struct ask *ask) MUST_CHECK;

/* The same, but for the completion: for an endpoint that asks several questions on one request. */
bool ask_in_read_open(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                      struct ask *ask) MUST_CHECK;

#endif
