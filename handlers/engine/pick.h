/* One place of a ranking as a pick: its figures, labels, warnings and reasons. */
#ifndef GPUWISE_ENGINE_PICK_H
#define GPUWISE_ENGINE_PICK_H

#include "advice.h"
#include "rank.h"
#include "recommend.h"

/* What the whole ranking says about each of its picks. */
struct pick_maker {
    const struct question *question;
    const struct ranking *ranking;
    const struct option *labelled[LABEL_COUNT];
    const struct option *lowest_power;
    struct advice_own own;
};

/* The question and the ranking must outlive the maker. */
void pick_maker_init(struct pick_maker *maker, const struct question *question,
                     const struct ranking *ranking);

/* Fills *pick from ranking->fitting[place]. Texts live in the arena; fails when it is exhausted. */
bool pick_make(const struct pick_maker *maker, size_t place, struct arena *arena, struct pick *pick,
               struct error *err) MUST_CHECK;

#endif
