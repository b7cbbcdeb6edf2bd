/* Prepares a question: the memory it needs on one to eight cards and every price of every card,
 * each computed once. Judges no card (constraint.c) and orders none (rank.c). Pure; one thread at a
 * time. */
#include "question.h"

/* What several cards do when the asker names no strategy (DESIGN.md section 3.10): each a copy
 * where it fits, for more speed; else the job is shared out, in training by FSDP, in inference by
 * tensor parallelism. */
static void choose_strategies(struct question *question)
{
    enum strategy asked = question->ask->strategy;
    bool is_training = ask_is_training(question->ask);

    question->copies_strategy = STRATEGY_DDP;
    question->shares_strategy = is_training ? STRATEGY_FSDP : STRATEGY_TP;
    if (asked == STRATEGY_FSDP || asked == STRATEGY_TP || asked == STRATEGY_PP) {
        question->shares_strategy = asked;
    }
}

static void estimate_memory(struct question *question)
{
    const struct catalogue *catalogue = question->catalogue;
    const struct ask *ask = question->ask;

    question->cards_max = 1;
    if (ask->strategy != STRATEGY_SINGLE && ask->max_gpus > 1) {
        double most = ask->max_gpus < ASK_MAX_CARDS ? ask->max_gpus : ASK_MAX_CARDS;

        question->cards_max = (size_t)most;
    }
    choose_strategies(question);
    memory_estimate(catalogue, ask, STRATEGY_SINGLE, 1, &question->copies[1]);
    question->shares[1] = question->copies[1];
    for (size_t cards = 2; cards <= question->cards_max; cards++) {
        memory_estimate(catalogue, ask, question->copies_strategy, cards, &question->copies[cards]);
        memory_estimate(catalogue, ask, question->shares_strategy, cards, &question->shares[cards]);
    }
}

bool question_init(struct question *question, const struct catalogue *catalogue,
                   const struct ask *ask, int32_t day, struct arena *arena, struct error *err)
{
    struct price_book book;
    struct card_prices *prices;

    if (!price_book_init(&book, catalogue, ask, day, arena, err)) {
        return false;
    }
    prices = arena_alloc_array(arena, catalogue->gpu_count, sizeof *prices);
    if (prices == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the prices of %zu cards",
                         catalogue->gpu_count);
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        for (size_t condition = CONDITION_NEW; condition <= CONDITION_USED; condition++) {
            prices[i].is_known[condition] = price_plan(
                &book, &catalogue->gpus[i], (enum condition)condition, &prices[i].price[condition]);
        }
    }
    *question = (struct question){.catalogue = catalogue, .ask = ask, .day = day, .prices = prices};
    estimate_memory(question);
    return true;
}

void question_vary(struct question *question, const struct question *base, const struct ask *ask)
{
    *question = *base;
    question->ask = ask;
    estimate_memory(question);
}
