/* The parts of a recommendation as JSON. */
#ifndef GPUWISE_PICK_OUT_H
#define GPUWISE_PICK_OUT_H

#include "card_out.h"

/* "picks":[...] */
void pick_out_picks(const struct exchange *exchange, struct json_out *out, const struct ask *ask,
                    const struct recommendation *recommendation);

/* "rejected":[...],"rejected_counts":{...} */
void pick_out_rejected(const struct exchange *exchange, struct json_out *out,
                       const struct recommendation *recommendation);

/* "advice":[...],"cloud":[...],"rent_or_buy":{...} */
void pick_out_alternatives(const struct exchange *exchange, struct json_out *out,
                           const struct recommendation *recommendation);

#endif
