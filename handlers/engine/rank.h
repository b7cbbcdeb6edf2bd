/* The order of the cards: the best way to take each, then all of them by rank. */
#ifndef GPUWISE_ENGINE_RANK_H
#define GPUWISE_ENGINE_RANK_H

#include "constraint.h"

struct ranking {
    struct option *options;        /* the best of each card, by gpu.index */
    const struct option **fitting; /* best first: pick n has rank n + 1 */
    size_t fitting_count;
    const struct option **rejected; /* nearest miss first */
    size_t rejected_count;
};

/* Adds job_hours, cost and score to an option whose speed and price are known. Where a cost cannot
 * be told, for want of the power of the board or of an exchange rate, it becomes a rejection. */
void rank_score(const struct question *question, struct option *option);

/* In mainland China what is known to be free of export control comes first (parameter
 * export_region_cn_prefers; any other value of it switches that off). */
bool rank_is_controlled(const struct question *question, const struct gpu *gpu);

/* The best option of one card: of those that may be picked the first in order; where none may, the
 * one with the fewest reasons, then the smallest count, then the lowest price. All its reasons are
 * told, those of speed and cost too. */
void rank_card(const struct question *question, const struct gpu *gpu, struct option *best);

/* Ranks every card of the catalogue. */
bool rank_all(const struct question *question, struct arena *arena, struct ranking *ranking,
              struct error *err) MUST_CHECK;

/* Only the first pick; false: nothing fits. */
bool rank_first(const struct question *question, struct option *first);

/* The fastest set that may be bought by its low end, whatever its score and cost; the asker's own
 * card is not bought. False: there is none. */
bool rank_fastest(const struct question *question, struct option *fastest);

/* The pick that is cheapest to buy, each card in its best way; false: nothing fits. */
bool rank_cheapest(const struct question *question, struct option *cheapest);

/* The order of picks: in mainland China free of export control first, fresh before very old prices,
 * roomy before tight memory, score, id. */
bool rank_is_before(const struct option *a, const struct option *b);

/* 0 the best, of the keys of that order before the score. */
int rank_class(const struct option *option);

/* The dearest price of one card at which fitting[place] keeps its rank, within budget and tier, to
 * the cent below; MONEY_UNKNOWN: no bound. */
int64_t rank_holds_up_to_micros(const struct question *question, const struct ranking *ranking,
                                size_t place);

/* Memory the job may spread over: of all cards where it is shared out, else of one. */
double rank_pooled_gib(const struct gpu *gpu, enum strategy strategy, size_t count);

/* True when no other pick is at least as good in price, low-end speed and memory, and better in
 * one. */
bool rank_is_pareto(const struct ranking *ranking, const struct option *option);

#endif
