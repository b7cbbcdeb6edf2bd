/* The parameters of the question (engine/ask.h): one table for every endpoint that takes them. */
#ifndef GPUWISE_ASK_IN_H
#define GPUWISE_ASK_IN_H

#include "engine/ask.h"
#include "params_in.h"

enum ask_use { ASK_RECOMMEND = 1, ASK_ESTIMATE = 2, ASK_TIERS = 4, ASK_DEAL = 8, ASK_COMPARE = 16 };

extern const struct param ASK_PARAMS[];
extern const size_t ASK_PARAM_COUNT;

/* Reads the question and completes it. own, when not NULL, are the endpoint's further parameters.
 * open, when not NULL, receives the question as it was before the completion, for an endpoint that
 * asks several questions on one request. False: the response is a problem. */
bool ask_in_read(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                 struct ask *ask, struct ask *open) MUST_CHECK;

#endif
