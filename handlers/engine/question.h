/* One question with everything that is the same for every card: memory by number of cards, the work
 * as its speed is counted, prices. */
#ifndef GPUWISE_ENGINE_QUESTION_H
#define GPUWISE_ENGINE_QUESTION_H

#include "memory.h"
#include "price.h"
#include "speed_parts.h"

/* The prices of one card, looked up once a question. */
struct card_prices {
    bool is_known[CONDITION_MSRP]; /* by CONDITION_NEW, CONDITION_USED */
    struct plan_price price[CONDITION_MSRP];
};

struct question {
    const struct catalogue *catalogue;
    const struct ask *ask;
    int32_t day;
    size_t cards_max;                             /* largest number of cards tried, at least 1 */
    struct memory_need copies[ASK_MAX_CARDS + 1]; /* by number: a whole copy on each card */
    struct memory_need shares[ASK_MAX_CARDS + 1]; /* by number: one job shared out */
    enum strategy copies_strategy;                /* of several cards */
    enum strategy shares_strategies[ASK_MAX_CARDS + 1]; /* by number */
    struct speed_rater speed_rater;
    const struct card_prices *prices; /* by gpu.index */
};

/* True where tensor parallelism can share the model of the ask over that many cards: they divide
 * the attention heads, and the key-value heads or are a multiple of them (vLLM's rule; Megatron-LM
 * has the same). llama.cpp takes any number; what is not known of a model stops nothing. */
bool question_can_split_heads(const struct ask *ask, size_t cards);

/* True where copies of a model on that many cards have too few texts to write: some would idle,
 * while cards that share the model all write. */
bool question_copies_idle(const struct ask *ask, size_t copies);

/* How one job is shared out over several cards: as asked, else in training by FSDP, in inference by
 * tensor parallelism, or where that cannot be by layers in stages (DESIGN.md section 3.10), which
 * is what llama.cpp does. */
enum strategy question_shares_strategy(const struct ask *ask, size_t cards);

/* Fills *question for a complete ask, which it and the catalogue must outlive. */
bool question_init(struct question *question, const struct catalogue *catalogue,
                   const struct ask *ask, int32_t day, struct arena *arena,
                   struct error *err) MUST_CHECK;

/* The same question with another ask: for asking again with one thing changed. Currency and quotes
 * of the ask must be the same, so the prices serve on. */
void question_vary(struct question *question, const struct question *base, const struct ask *ask);

#endif
