/* Prepares a question: the memory it needs on one to eight cards and every price of every card,
 * each computed once. Judges no card (constraint.c) and orders none (rank.c). Pure; one thread at a
 * time. */
#include "question.h"

#include <math.h>

bool question_can_split_heads(const struct ask *ask, size_t cards)
{
    double count = (double)cards;
    double heads = ask->model == NULL ? (double)NAN : ask->model->heads;
    double kv_heads = ask->model == NULL ? (double)NAN : ask->model->kv_heads;

    if (isnan(heads)) {
        return true;
    }
    return fmod(heads, count) == 0 &&
           (isnan(kv_heads) || fmod(kv_heads, count) == 0 || fmod(count, kv_heads) == 0);
}

bool question_copies_idle(const struct ask *ask, size_t copies)
{
    return !ask_is_training(ask) && ask->model != NULL && ask_is_language(ask) &&
           ask->batch * ask->users < (double)copies;
}

enum strategy question_shares_strategy(const struct ask *ask, size_t cards)
{
    if (ask->strategy == STRATEGY_FSDP || ask->strategy == STRATEGY_TP ||
        ask->strategy == STRATEGY_PP) {
        return ask->strategy;
    }
    if (ask_is_training(ask)) {
        return STRATEGY_FSDP;
    }
    return question_can_split_heads(ask, cards) && ask->framework != FRAMEWORK_LLAMA_CPP
               ? STRATEGY_TP
               : STRATEGY_PP;
}

/* Where a whole copy fits each card, several cards hold copies, for more speed; else the job is
 * shared out. */
static void estimate_memory(struct question *question)
{
    const struct catalogue *catalogue = question->catalogue;
    const struct ask *ask = question->ask;

    question->cards_max = 1;
    if (ask->strategy != STRATEGY_SINGLE && ask->max_gpus > 1) {
        double most = ask->max_gpus < ASK_MAX_CARDS ? ask->max_gpus : ASK_MAX_CARDS;

        question->cards_max = (size_t)most;
    }
    question->copies_strategy = STRATEGY_DDP;
    memory_estimate(catalogue, ask, STRATEGY_SINGLE, 1, &question->copies[1]);
    question->shares[1] = question->copies[1];
    for (size_t cards = 2; cards <= question->cards_max; cards++) {
        enum strategy shares_strategy = question_shares_strategy(ask, cards);

        question->shares_strategies[cards] = shares_strategy;
        memory_estimate(catalogue, ask, question->copies_strategy, cards, &question->copies[cards]);
        memory_estimate(catalogue, ask, shares_strategy, cards, &question->shares[cards]);
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
    speed_rater_init(&question->speed_rater, catalogue, ask);
    return true;
}

void question_vary(struct question *question, const struct question *base, const struct ask *ask)
{
    *question = *base;
    question->ask = ask;
    estimate_memory(question);
    speed_rater_init(&question->speed_rater, question->catalogue, ask);
}
