/* Tests handlers/engine/runs.c on the shipped facts: what is listed is what memory_estimate() and
 * speed_estimate() say, and nothing that fits is left out. */
#include "runs.h"

#include "tests/engine/recommend_fixture.h"

static struct catalogue *shipped;
static struct arena arena;
static struct runs runs;

static const struct runs_ask EVERYTHING = {
    .tokens = (double)NAN, .task = TASK_COUNT, .is_all = true};

static void find(const char *id, const struct runs_ask *asked)
{
    struct error err;

    if (!runs_find(shipped, fixture_gpu(shipped, id), asked, &arena, &runs, &err)) {
        test_bail_out("no look-up", err.text);
    }
}

static const struct runs_block *block_of(enum task task, bool is_language)
{
    for (size_t i = 0; i < runs.block_count; i++) {
        if (runs.blocks[i].ask.task == task && runs.blocks[i].is_language == is_language) {
            return &runs.blocks[i];
        }
    }
    return NULL;
}

static const struct run *run_of(const struct runs_block *block, const char *model)
{
    for (size_t i = 0; block != NULL && i < block->run_count; i++) {
        if (text_is(block->runs[i].model->id, model)) {
            return &block->runs[i];
        }
    }
    return NULL;
}

/* Llama 3.1 8B has 8.03e9 parameters: 15 GiB in 16 bits, 8 in q8_0 (8.5 bits), under 5 in q4_k_m;
 * 4096 tokens of context take 0.5 GiB. */
static void test_formats(void)
{
    find("nvidia-geforce-rtx-3060-12gb", &EVERYTHING);
    const struct run *run = run_of(block_of(TASK_INFERENCE, true), "llama-3.1-8b");

    tap_ok(run != NULL && run->format_count == 2 && text_is(run->formats[0].quant->name, "q8_0") &&
               text_is(run->formats[1].quant->name, "q4_k_m") && run->tokens == 4096.0,
           "on 12 GiB in 8 and in 4 bits, with 4096 tokens");
    tap_ok(run->formats[0].needed_gib > 8.4 && run->formats[0].needed_gib < 9.6 &&
               run->formats[1].needed_gib > 4.8 && run->formats[1].needed_gib < 6.5,
           "as much as the bits say");
    tap_ok(run->formats[0].has_speed && run->formats[0].speed.unit == SPEED_TOKENS_PER_S &&
               run->formats[1].speed.value > run->formats[0].speed.value,
           "fewer bits are read faster");
    find(REFERENCE_ID, &EVERYTHING);
    run = run_of(block_of(TASK_INFERENCE, true), "llama-3.1-8b");
    tap_ok(run != NULL && run->format_count == 3 && text_is(run->formats[0].quant->name, "fp16"),
           "on 24 GiB in 16 bits too");
    tap_ok(run_of(block_of(TASK_FINETUNE, true), "llama-3.1-8b") == NULL &&
               run_of(block_of(TASK_QLORA, true), "llama-3.1-8b") != NULL,
           "tuned whole it does not fit there, as an adapter it does");
    tap_ok(run_of(block_of(TASK_INFERENCE, true), "llama-3.1-70b") == NULL, "70 B do not fit");
    tap_ok(run_of(block_of(TASK_FINETUNE, false), "resnet-50") != NULL, "nor only language models");
}

/* Each model again, asked by hand. */
static void test_complete(void)
{
    const struct gpu *gpu = fixture_gpu(shipped, REFERENCE_ID);
    size_t fitting = 0;
    bool is_same = true;

    find(REFERENCE_ID, &EVERYTHING);
    const struct runs_block *block = block_of(TASK_QLORA, true);

    for (size_t i = 0; i < shipped->model_count; i++) {
        struct ask ask = fixture_ask(TASK_QLORA, 0);
        struct memory_need need;
        struct speed speed;
        struct error err;
        const struct run *run = run_of(block, shipped->models[i].id);

        ask.model = &shipped->models[i];
        if (!text_is(ask.model->kind, "llm") || !ask_complete(shipped, &ask, &err)) {
            is_same = is_same && run == NULL;
            continue;
        }
        memory_estimate(shipped, &ask, STRATEGY_SINGLE, 1, &need);
        bool fits = need.per_gpu_gib <= memory_usable_gib(shipped, &ask, gpu);

        fitting += fits ? 1 : 0;
        is_same = is_same && fits == (run != NULL);
        if (fits && run != NULL && speed_estimate(shipped, &ask, gpu, STRATEGY_SINGLE, 1, &speed)) {
            is_same = is_same && run->formats[0].needed_gib == need.per_gpu_gib &&
                      run->formats[0].speed.value == speed.value;
        }
    }
    tap_ok(is_same && fitting > 10 && fitting == block->fitting_count,
           "all %zu models that qlora can tune on a 3090, and no other", fitting);
}

static void test_largest(void)
{
    struct runs_ask asked = EVERYTHING;

    find(REFERENCE_ID, &asked);
    const struct model *largest = block_of(TASK_INFERENCE, true)->runs[0].model;
    size_t fitting = block_of(TASK_INFERENCE, true)->fitting_count;

    asked.is_all = false;
    find(REFERENCE_ID, &asked);
    const struct runs_block *block = block_of(TASK_INFERENCE, true);
    bool is_falling = true;

    for (size_t i = 1; i < block->run_count; i++) {
        is_falling = is_falling &&
                     block->runs[i - 1].model->params_total >= block->runs[i].model->params_total;
    }
    tap_ok(block->run_count == 5 && is_falling && block->runs[0].model == largest,
           "the five largest, largest first");
    tap_ok(block->fitting_count == fitting && fitting > 5, "though more fit, which is told");
    size_t vision = 0;

    block = block_of(TASK_INFERENCE, false);
    for (size_t i = 0; i < block->run_count; i++) {
        vision += text_is(block->runs[i].model->kind, "vision") ? 1 : 0;
    }
    tap_ok(vision == 2, "two of each other kind");
}

static void test_asked(void)
{
    struct runs_ask asked = {.tokens = 32768, .task = TASK_INFERENCE, .is_all = true};

    find(REFERENCE_ID, &asked);
    const struct runs_block *block = block_of(TASK_INFERENCE, true);

    tap_ok(runs.block_count == 2 && run_of(block, "llama-2-7b") == NULL &&
               run_of(block, "llama-3.1-8b")->tokens == 32768.0,
           "one task; a model that takes 4096 tokens is not run with 32768");
    asked.quant = catalogue_find_quant(shipped, "q4_k_m");
    find(REFERENCE_ID, &asked);
    tap_ok(runs.block_count == 1 && runs.blocks[0].ask.framework == FRAMEWORK_LLAMA_CPP &&
               runs.blocks[0].runs[0].format_count == 1,
           "one format, of language models alone");
    struct error err = {0};

    asked.task = TASK_QLORA;
    tap_ok(!runs_find(shipped, fixture_gpu(shipped, REFERENCE_ID), &asked, &arena, &runs, &err) &&
               err.code == ERROR_BAD_PARAMETER && strncmp(err.text, "quant: ", 7) == 0,
           "a format the task does not take is refused");
}

static void test_support(void)
{
    find("nvidia-tesla-k80", &EVERYTHING);
    tap_ok(block_of(TASK_QLORA, true)->run_count == 0 &&
               block_of(TASK_QLORA, true)->support == SUPPORT_DROPPED,
           "nothing where the framework has dropped the card");
    tap_ok(block_of(TASK_INFERENCE, true)->run_count > 0 &&
               block_of(TASK_INFERENCE, true)->support == SUPPORT_UNOFFICIAL,
           "but what runs unofficially");
}

int main(void)
{
    shipped = test_catalogue();
    arena_init(&arena, FIXTURE_ARENA_BYTES);
    test_formats();
    test_complete();
    test_largest();
    test_asked();
    test_support();
    arena_fini(&arena);
    catalogue_unref(shipped);
    return tap_done();
}
