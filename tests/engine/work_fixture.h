/* Short hands for tests of the models: a question about the shipped facts, and its answers. */
#ifndef GPUWISE_TESTS_WORK_FIXTURE_H
#define GPUWISE_TESTS_WORK_FIXTURE_H

#include "memory.h"
#include "speed.h"

#include "tests/catalogue_fixture.h"
#include "tests/tap.h"

#define TEST_UNKNOWN ((double)NAN)

/* An unfinished question; NULL: not said. A name that the facts do not hold ends the test. */
__attribute__((unused)) static struct ask
test_ask(const struct catalogue *catalogue, enum task task, const char *model, const char *quant)
{
    struct ask ask;

    ask_init(&ask);
    ask.task = task;
    ask.model = model == NULL ? NULL : catalogue_find_model(catalogue, model);
    ask.quant = quant == NULL ? NULL : catalogue_find_quant(catalogue, quant);
    if (model != NULL && ask.model == NULL) {
        test_bail_out("no such model", model);
    }
    if (quant != NULL && ask.quant == NULL) {
        test_bail_out("no such quant", quant);
    }
    return ask;
}

__attribute__((unused)) static void test_complete(const struct catalogue *catalogue,
                                                  struct ask *ask)
{
    struct error err;

    if (!ask_complete(catalogue, ask, &err)) {
        test_bail_out("the question cannot be completed", err.text);
    }
}

__attribute__((unused)) static struct ask test_ask_complete(const struct catalogue *catalogue,
                                                            enum task task, const char *model,
                                                            const char *quant)
{
    struct ask ask = test_ask(catalogue, task, model, quant);

    test_complete(catalogue, &ask);
    return ask;
}

__attribute__((unused)) static const struct gpu *test_gpu(const struct catalogue *catalogue,
                                                          const char *id)
{
    const struct gpu *gpu = catalogue_find_gpu(catalogue, id);

    if (gpu == NULL) {
        test_bail_out("no such card", id);
    }
    return gpu;
}

__attribute__((unused)) static struct memory_need test_need(const struct catalogue *catalogue,
                                                            const struct ask *ask,
                                                            enum strategy strategy, size_t cards)
{
    struct memory_need need;

    memory_estimate(catalogue, ask, strategy, cards, &need);
    return need;
}

/* Puts the fitted numbers of memory where ACCURACY.md section 9.4 had them, so that figures which
 * one can recompute do not move with the next fit. */
__attribute__((unused)) static void test_fix_memory_figures(struct catalogue *catalogue)
{
    struct calibration *figures = &catalogue->calibration;

    figures->hidden_bytes = 15.5;
    figures->lora_hidden_bytes = 10.4;
    figures->logit_bytes = 12.8;
    figures->logit_quantised_bytes = 8.1;
    figures->logit_litgpt_bytes = 2.4;
    figures->logit_chunked_bytes = 1.6;
    figures->head_bytes = 7.5;
    figures->head_inference_bytes = 3.65;
    figures->autogptq_bytes = 0.9;
    figures->exllama_bytes = 0.38e9;
    figures->live_hidden_copies = 1.76;
    figures->base_bytes = 0.032e9;
    figures->deepspeed_buffer_bytes = 2.4e9;
    figures->fsdp_blocks = 2.65;
}

/* Speed of a card that must be known. */
__attribute__((unused)) static struct speed test_speed(const struct catalogue *catalogue,
                                                       const struct ask *ask, const char *gpu,
                                                       enum strategy strategy, size_t cards)
{
    struct speed speed;

    if (!speed_estimate(catalogue, ask, test_gpu(catalogue, gpu), strategy, cards, &speed)) {
        test_bail_out("speed is not known", gpu);
    }
    return speed;
}

#endif
