/* What the tests of the advisor share: copies of the shipped catalogue that may be changed before
 * they are built, and questions asked of them. */
#ifndef GPUWISE_TESTS_RECOMMEND_FIXTURE_H
#define GPUWISE_TESTS_RECOMMEND_FIXTURE_H

#include "facts.h"
#include "money.h"
#include "rank.h"
#include "recommend.h"
#include "tests/catalogue_fixture.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum { FIXTURE_ARENA_BYTES = 64 * 1024 * 1024 };

static const char REFERENCE_ID[] = "nvidia-geforce-rtx-3090";

/* Rows of a built catalogue in an order mixed by `step` (1: kept), not built again yet, so they may
 * be changed. Texts stay with the original, which must live on. */
__attribute__((unused)) static struct catalogue *fixture_copy(const struct catalogue *original,
                                                              size_t step)
{
    struct catalogue *copy = catalogue_new();

    for (size_t t = 0; copy != NULL && t < FACT_TABLE_COUNT; t++) {
        const struct fact_table *table = FACT_TABLES[t];
        const char *from = NULL;
        size_t count = 0;
        char *to = NULL;

        memcpy(&from, (const char *)original + table->catalogue_rows, sizeof from);
        memcpy(&count, (const char *)original + table->catalogue_count, sizeof count);
        to = arena_alloc_array(&copy->memory, count + 1, table->row_bytes);
        if (to == NULL) {
            abort(); /* out of memory: there is nothing to test */
        }
        for (size_t i = 0; i < count; i++) {
            size_t place = count % step != 0 || step == 1 ? i * step % count : i;

            memcpy(to + place * table->row_bytes, from + i * table->row_bytes, table->row_bytes);
        }
        memcpy((char *)copy + table->catalogue_rows, &to, sizeof to);
        memcpy((char *)copy + table->catalogue_count, &count, sizeof count);
    }
    if (copy == NULL) {
        abort();
    }
    return copy;
}

/* Keeps only the cards named (the reference card must be among them) and the prices of these. */
__attribute__((unused)) static void fixture_keep(struct catalogue *copy, const char *const *ids,
                                                 size_t count)
{
    size_t kept = 0;
    size_t kept_prices = 0;

    for (size_t i = 0; i < copy->gpu_count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (strcmp(copy->gpus[i].id, ids[k]) == 0) {
                copy->gpus[kept++] = copy->gpus[i];
                break;
            }
        }
    }
    copy->gpu_count = kept;
    for (size_t i = 0; i < copy->price_count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (strcmp(copy->prices[i].gpu_slug, ids[k]) == 0) {
                copy->prices[kept_prices++] = copy->prices[i];
                break;
            }
        }
    }
    copy->price_count = kept_prices;
    copy->alias_count = 0;
}

/* A row of a copy; aborts where there is none. */
__attribute__((unused)) static struct gpu *fixture_row(struct catalogue *copy, const char *id)
{
    for (size_t i = 0; i < copy->gpu_count; i++) {
        if (strcmp(copy->gpus[i].id, id) == 0) {
            return &copy->gpus[i];
        }
    }
    test_bail_out("no such card", id);
}

__attribute__((unused)) static const struct gpu *fixture_gpu(const struct catalogue *catalogue,
                                                             const char *id)
{
    const struct gpu *gpu = catalogue_find_gpu(catalogue, id);

    if (gpu == NULL) {
        test_bail_out("no such card", id);
    }
    return gpu;
}

__attribute__((unused)) static const struct model *fixture_model(const struct catalogue *catalogue,
                                                                 const char *id)
{
    const struct model *model = catalogue_find_model(catalogue, id);

    if (model == NULL) {
        test_bail_out("no such model", id);
    }
    return model;
}

__attribute__((unused)) static void fixture_build(struct catalogue *copy)
{
    struct error err;

    if (!catalogue_build(copy, &err)) {
        test_bail_out("the changed catalogue was refused", err.text);
    }
}

__attribute__((unused)) static int64_t usd(int64_t units)
{
    return units * MONEY_MICROS_PER_UNIT;
}

/* A question with nothing asked but a budget in the currency of the ask; 0: none. */
__attribute__((unused)) static struct ask fixture_ask(enum task task, int64_t budget_units)
{
    struct ask ask;

    ask_init(&ask);
    ask.task = task;
    ask.budget_micros = budget_units == 0 ? MONEY_UNKNOWN : usd(budget_units);
    return ask;
}

/* Completes the ask and answers it; the answer lives in the arena. */
__attribute__((unused)) static void fixture_recommend(const struct catalogue *catalogue,
                                                      struct ask *ask, struct arena *arena,
                                                      struct recommendation *recommendation)
{
    struct error err;

    if (!ask_complete(catalogue, ask, &err) ||
        !recommend(catalogue, ask, TEST_DAY, arena, recommendation, &err)) {
        test_bail_out("no answer", err.text);
    }
}

/* The same for the ranking alone; *question must outlive it. */
__attribute__((unused)) static void fixture_rank(const struct catalogue *catalogue, struct ask *ask,
                                                 struct arena *arena, struct question *question,
                                                 struct ranking *ranking)
{
    struct error err;

    if (!ask_complete(catalogue, ask, &err) ||
        !question_init(question, catalogue, ask, TEST_DAY, arena, &err) ||
        !rank_all(question, arena, ranking, &err)) {
        test_bail_out("no ranking", err.text);
    }
}

/* Rank of a card from 1; 0: it is no pick. */
__attribute__((unused)) static size_t fixture_rank_of(const struct ranking *ranking, const char *id)
{
    for (size_t i = 0; i < ranking->fitting_count; i++) {
        if (strcmp(ranking->fitting[i]->gpu->id, id) == 0) {
            return i + 1;
        }
    }
    return 0;
}

__attribute__((unused)) static bool has_code(const struct note *notes, size_t count,
                                             enum message_code code)
{
    for (size_t i = 0; i < count; i++) {
        if (notes[i].code == code) {
            return true;
        }
    }
    return false;
}

#endif
