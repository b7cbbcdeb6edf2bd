/* What would change the answer, found by asking again with one thing changed (DESIGN.md
 * section 3.9). */
#ifndef GPUWISE_ENGINE_ADVICE_H
#define GPUWISE_ENGINE_ADVICE_H

#include "rank.h"
#include "recommend.h"

/* Fills advice of the recommendation, whose cloud and rent_or_buy are filled already. */
bool advice_find(const struct question *question, const struct ranking *ranking,
                 struct recommendation *recommendation, struct arena *arena,
                 struct error *err) MUST_CHECK;

/* True when the card of own= does the work and nothing that may be bought is advice_keep_ratio
 * times as fast. */
bool advice_own_is_enough(const struct question *question, const struct ranking *ranking);

#endif
