/* Asks memory and speed for every model on one card. It ranks nothing and knows no money. Pure; any
 * thread. */
#include "runs.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST_LANGUAGE = 5, LARGEST_OTHER = 2 }; /* models of a kind listed unless all are */

/* The usual formats of a task, most bits first; NULL: no more. */
struct block_kind {
    enum task task;
    bool is_language;
    enum framework framework; /* of these formats */
    const char *formats[RUNS_MAX_FORMATS];
};

static const struct block_kind BLOCK_KINDS[RUNS_MAX_BLOCKS] = {
    {TASK_INFERENCE, true, FRAMEWORK_LLAMA_CPP, {"fp16", "q8_0", "q4_k_m"}},
    {TASK_INFERENCE, false, FRAMEWORK_PYTORCH, {"fp16"}},
    {TASK_QLORA, true, FRAMEWORK_PYTORCH, {"nf4"}},
    {TASK_LORA, true, FRAMEWORK_PYTORCH, {"bf16"}},
    {TASK_FINETUNE, true, FRAMEWORK_PYTORCH, {"bf16"}},
    {TASK_FINETUNE, false, FRAMEWORK_PYTORCH, {"bf16"}},
};

/* Everything one block looks at. */
struct search {
    const struct catalogue *catalogue;
    const struct gpu *gpu;
    const struct runs_ask *asked;
    const struct quant *formats[RUNS_MAX_FORMATS]; /* NULL: no more */
    struct runs_block *block;
};

static double *tokens_of(struct ask *ask)
{
    return ask_is_training(ask) ? &ask->seq_len : &ask->context;
}

/* Pictures and sound are run in the formats they come in. */
static bool suits_others(const struct quant *quant)
{
    return text_is(quant->kind, "float") || text_is(quant->kind, "fp8");
}

/* The formats and the question of a block; false: it does not take the format asked for. */
static bool open_block(struct search *search, const struct block_kind *kind, struct error *err)
{
    const struct runs_ask *asked = search->asked;
    struct runs_block *block = search->block;
    struct ask ask;

    ask_init(&ask);
    ask.task = kind->task;
    ask.domain = kind->is_language ? DOMAIN_LLM : DOMAIN_GENERAL;
    *tokens_of(&ask) = asked->tokens;
    for (size_t i = 0; i < RUNS_MAX_FORMATS; i++) {
        const char *name = kind->formats[i];

        search->formats[i] = name == NULL ? NULL : catalogue_find_quant(search->catalogue, name);
    }
    if (asked->quant != NULL) {
        search->formats[0] = asked->quant;
        search->formats[1] = NULL;
    } else {
        ask.framework = kind->framework;
        ask.framework_is_given = true;
    }
    ask.quant = search->formats[0];
    if (!kind->is_language && ask.quant != NULL && !suits_others(ask.quant)) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_OF_LANGUAGE, ask.quant->name));
    }
    if (!ask_complete(search->catalogue, &ask, err)) {
        return false;
    }
    *block = (struct runs_block){.ask = ask,
                                 .is_language = kind->is_language,
                                 .support = support_of(search->gpu, ask.framework, OS_LINUX)};
    return true;
}

/* The question about one model; false: it does not take so many tokens, or that task. */
static bool ask_about(const struct search *search, const struct model *model,
                      const struct quant *quant, struct ask *ask)
{
    struct error err = {0};

    ask_init(ask);
    ask->task = search->block->ask.task;
    ask->model = model;
    ask->quant = quant;
    ask->framework = search->block->ask.framework;
    ask->framework_is_given = true;
    *tokens_of(ask) = search->asked->tokens;
    return ask_complete(search->catalogue, ask, &err);
}

/* Adds the format to the run where it fits; false: it could not even be tried. */
static bool try_format(const struct search *search, const struct quant *quant, struct run *run)
{
    const struct parameters *parameters = &search->catalogue->parameters;
    struct run_format format = {.quant = quant};
    struct memory_need need;
    struct ask ask;

    if (!ask_about(search, run->model, quant, &ask)) {
        return false;
    }
    memory_estimate(search->catalogue, &ask, STRATEGY_SINGLE, 1, &need);
    format.needed_gib = need.per_gpu_gib;
    format.available_gib = memory_usable_gib(search->catalogue, &ask, search->gpu);
    format.is_tight = format.needed_gib > parameters->memory_pick_share * format.available_gib;
    if (format.needed_gib <= parameters->memory_tight_share * format.available_gib) {
        run->formats[run->format_count++] = format;
    }
    run->tokens =
        search->block->is_language || !isnan(run->model->context) ? *tokens_of(&ask) : (double)NAN;
    return !isnan(need.per_gpu_gib) && !need.is_floor;
}

static int compare_runs(const void *left, const void *right)
{
    const struct run *a = left;
    const struct run *b = right;

    if (a->model->params_total > b->model->params_total ||
        a->model->params_total < b->model->params_total) {
        return a->model->params_total > b->model->params_total ? -1 : 1;
    }
    return (a->model > b->model) - (a->model < b->model); /* models are sorted by id */
}

/* Keeps the largest of each kind. */
static void shorten(struct runs_block *block)
{
    size_t most = block->is_language ? LARGEST_LANGUAGE : LARGEST_OTHER;
    size_t kept = 0;

    for (size_t i = 0; i < block->run_count; i++) {
        size_t same_kind = 0;

        for (size_t j = 0; j < kept; j++) {
            same_kind += text_is(block->runs[j].model->kind, block->runs[i].model->kind) ? 1 : 0;
        }
        if (same_kind < most) {
            block->runs[kept++] = block->runs[i];
        }
    }
    block->run_count = kept;
}

/* Last, so that it is done only for what is listed. */
static void add_speeds(const struct search *search)
{
    struct runs_block *block = search->block;

    for (size_t i = 0; i < block->run_count; i++) {
        struct run *run = &block->runs[i];

        for (size_t j = 0; j < run->format_count; j++) {
            struct run_format *format = &run->formats[j];
            struct ask ask;

            format->has_speed = ask_about(search, run->model, format->quant, &ask) &&
                                speed_estimate(search->catalogue, &ask, search->gpu,
                                               STRATEGY_SINGLE, 1, &format->speed);
        }
    }
}

static bool fill_block(const struct search *search, struct arena *arena, struct error *err)
{
    const struct catalogue *catalogue = search->catalogue;
    struct runs_block *block = search->block;

    block->runs = arena_alloc_array(arena, catalogue->model_count, sizeof *block->runs);
    if (block->runs == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu models",
                         catalogue->model_count);
    }
    if (block->support == SUPPORT_DROPPED || block->support == SUPPORT_NONE) {
        return true;
    }
    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];
        struct run run = {.model = model};
        bool is_tried = false;

        if (text_is(model->kind, "llm") != block->is_language || isnan(model->params_total)) {
            continue;
        }
        for (size_t j = 0; j < RUNS_MAX_FORMATS && search->formats[j] != NULL; j++) {
            is_tried |= try_format(search, search->formats[j], &run);
        }
        block->tried_count += is_tried ? 1 : 0;
        if (is_tried && run.format_count > 0) {
            block->runs[block->run_count++] = run;
        }
    }
    block->fitting_count = block->run_count;
    qsort(block->runs, block->run_count, sizeof *block->runs, compare_runs);
    if (!search->asked->is_all) {
        shorten(block);
    }
    add_speeds(search);
    return true;
}

bool runs_find(const struct catalogue *catalogue, const struct gpu *gpu,
               const struct runs_ask *asked, struct arena *arena, struct runs *runs,
               struct error *err)
{
    struct search search = {.catalogue = catalogue, .gpu = gpu, .asked = asked};
    struct error refused = {0};

    runs->block_count = 0;
    for (size_t i = 0; i < RUNS_MAX_BLOCKS; i++) {
        if (asked->task != TASK_COUNT && asked->task != BLOCK_KINDS[i].task) {
            continue;
        }
        search.block = &runs->blocks[runs->block_count];
        if (open_block(&search, &BLOCK_KINDS[i], &refused)) {
            if (!fill_block(&search, arena, err)) {
                return false;
            }
            runs->block_count++;
        } else if (refused.code != ERROR_BAD_PARAMETER) {
            *err = refused;
            return false;
        }
    }
    if (runs->block_count == 0) {
        *err = refused; /* no task takes the format */
        return false;
    }
    return true;
}
