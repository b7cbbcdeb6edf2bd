/* The parts of a recommendation as JSON. */
#ifndef GPUWISE_PICK_OUT_H
#define GPUWISE_PICK_OUT_H

#include "card_out.h"

/* A pick as an object. */
void pick_out_pick(const struct exchange *exchange, struct json_out *out, const struct ask *ask,
                   const struct pick *pick);

/* key:[...] of picks. */
void pick_out_picks(const struct exchange *exchange, struct json_out *out, const char *key,
                    const struct ask *ask, const struct pick *picks, size_t count);

/* "cost":{...} */
void pick_out_cost(struct json_out *out, const struct ask *ask, const struct cost *cost);

/* "score":...,"score_parts":{...} */
void pick_out_score(struct json_out *out, double score, const struct score_parts *parts);

/* "rejected":[...],"rejected_counts":{...} */
void pick_out_rejected(const struct exchange *exchange, struct json_out *out,
                       const struct recommendation *recommendation);

/* "advice":[...],"cloud":[...],"rent_or_buy":{...} */
void pick_out_alternatives(const struct exchange *exchange, struct json_out *out,
                           const struct ask *ask, const struct recommendation *recommendation);

#endif
