/* What would change the answer, found by asking again with one thing changed (DESIGN.md
 * section 3.9). */
#ifndef GPUWISE_ENGINE_ADVICE_H
#define GPUWISE_ENGINE_ADVICE_H

#include "rank.h"
#include "recommend.h"

/* Whether the card of own= is kept. */
struct advice_own {
    bool is_enough;        /* it does the work and nothing that may be bought is 1.5 times as fast
                              by the low end */
    bool has_instead;      /* something may be bought */
    struct option instead; /* the fastest of it */
};

/* Judges the card of own=; without one nothing is enough. */
void advice_judge_own(const struct question *question, struct advice_own *verdict);

/* Fills advice of the recommendation, whose cloud and rent_or_buy are filled already. What an
 * advice says to send can be sent as it is, and then gives what it promises. */
bool advice_find(const struct question *question, const struct ranking *ranking,
                 const struct advice_own *own, struct recommendation *recommendation,
                 struct arena *arena, struct error *err) MUST_CHECK;

#endif
