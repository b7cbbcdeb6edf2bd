/* Between the files deal*.c: what a judgement looks at, and what is said of it. */
#ifndef GPUWISE_ENGINE_DEAL_PARTS_H
#define GPUWISE_ENGINE_DEAL_PARTS_H

#include "deal.h"

/* Everything one judgement looks at. */
struct judgement {
    const struct question *question;
    const struct deal_offer *offer;
    struct ranking without;            /* the ranking of the question without the card */
    struct plan_price price;           /* the offer as a price */
    struct option best;                /* the best way to take the card at it */
    struct option ways[ASK_MAX_CARDS]; /* every number of it that breaks nothing */
    size_t ways_count;
    bool is_left_behind; /* its maker has dropped it, and nobody official has taken over */
    struct arena *arena;
};

/* What is against the card itself; speed-unknown says only that nothing can be said. */
uint32_t deal_hard_rejections(const struct judgement *judgement);

/* Fills the reasons of a verdict. Fails when the arena is exhausted. */
bool deal_say_why(const struct judgement *judgement, struct deal *deal,
                  struct error *err) MUST_CHECK;

/* Adds to the warnings of the pick what the judgement knows more: old prices behind the fair one,
 * and a price that is too good to be true. Fails when the arena is exhausted. */
bool deal_warn(const struct judgement *judgement, struct deal *deal, struct error *err) MUST_CHECK;

#endif
