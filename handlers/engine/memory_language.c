/* Memory of language models: weights, key-value cache and what each runtime lays beside them in
 * inference (ACCURACY.md section 9.2). Training is memory_training.c; sharing out is memory.c. Any
 * thread; no state. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>

/* Tokens that llama.cpp computes at once (default of -ub, ggml-org/llama.cpp, unverified), and that
 * vLLM tries before it takes its cache (max_num_batched_tokens, vllm-project/vllm, unverified). */
static const double MICROBATCH_TOKENS = 512;
static const double PROFILE_TOKENS = 8192;

/* Bytes of the scores of one token against one cached token and head in eager attention: 16-bit
 * scores and their fp32 softmax. */
static const double EAGER_SCORE_BYTES = 6;

/* One micro-batch: its logits in fp32, or its scores where these are kept, and the hidden state. */
static double llama_cpp_work(const struct ask *ask, const struct memory_shape *shape)
{
    double scores = ask->flash_attention == ANSWER_NO ? shape->heads * ask->context : 0;

    return MICROBATCH_TOKENS * (4 * fmax(shape->vocab, scores) + 8 * shape->hidden);
}

static double transformers_work(const struct calibration *figures, const struct ask *ask,
                                const struct memory_shape *shape)
{
    double tokens = ask->context * memory_at_once(ask);
    double work = figures->base_bytes + figures->live_hidden_copies * tokens * shape->hidden * 2;
    double table = memory_table_size(shape);
    double matrix = shape->widest * shape->hidden;

    if (memory_is_unpacked(ask)) {
        matrix = ask->runtime == RUNTIME_LITGPT ? fmax(matrix, table) : matrix;
        work += figures->head_inference_bytes * matrix;
    }
    if (ask->runtime == RUNTIME_AUTOGPTQ) {
        work += figures->autogptq_bytes * table;
    }
    if (ask->flash_attention == ANSWER_NO) {
        work += EAGER_SCORE_BYTES * tokens * shape->heads * ask->context;
    }
    return work;
}

/* The widest moment of a server: the pass it tries with as many tokens as it ever takes at once. */
static double server_work(const struct calibration *figures, const struct memory_shape *shape)
{
    return PROFILE_TOKENS * (figures->hidden_bytes * shape->hidden + 6 * shape->active_width);
}

static void count_work(const struct catalogue *catalogue, const struct ask *ask,
                       const struct memory_shape *shape, struct memory_parts *parts)
{
    const struct calibration *figures = &catalogue->calibration;

    switch (ask->runtime) {
    case RUNTIME_LLAMA_CPP:
        if (shape->tables > 1) { /* the input table stays on the host */
            parts->resident -= parts->table;
            parts->end_tables = 1;
        }
        parts->activations_whole = llama_cpp_work(ask, shape);
        return;
    case RUNTIME_EXLLAMA:
        parts->activations_whole =
            figures->base_bytes + figures->exllama_bytes * shape->hidden / 4096;
        return;
    case RUNTIME_VLLM:
        parts->activations_whole = server_work(figures, shape);
        parts->card_bytes = parts->set_bytes = catalogue->parameters.memory_server_gb * 1e9;
        return;
    case RUNTIME_TRANSFORMERS:
    case RUNTIME_DEEPSPEED:
    case RUNTIME_LITGPT:
    case RUNTIME_TORCHTUNE:
    case RUNTIME_AUTOGPTQ:
    case RUNTIME_COUNT:
        parts->activations_whole = transformers_work(figures, ask, shape);
        return;
    }
}

static void count_inference(const struct catalogue *catalogue, const struct ask *ask,
                            const struct memory_shape *shape, struct memory_parts *parts)
{
    double tokens = ask->rare.cache_tokens > 0 ? ask->rare.cache_tokens : ask->context;
    double cache = (double)NAN;

    if (memory_has_cache(ask->model)) {
        cache = memory_cache_bytes(ask, shape, tokens) * memory_at_once(ask);
    }
    parts->cache = isnan(cache) ? 0 : cache * (ask->rare.copies_cache ? 2 : 1);
    parts->cache_ways = shape->kv_heads;
    if (isnan(shape->layers)) {
        parts->activations_whole =
            (catalogue->parameters.memory_unknown_shape - 1) * parts->weights;
        parts->has_unknown_cache = memory_has_cache(ask->model);
        parts->basis = "assumed";
        return;
    }
    count_work(catalogue, ask, shape, parts);
    /* Full sharding has the tables and two layers whole at a time, as in training. */
    double tables = parts->end_tables * parts->table;

    parts->gathered = tables + 2 * fmax(parts->resident - tables, 0) / shape->layers;
}

/* The vision part stays in 16 bits; llama.cpp keeps it in a file of its own, loaded when asked. */
static double vision_bytes(const struct ask *ask)
{
    return isnan(ask->model->vision_params) || ask->runtime == RUNTIME_LLAMA_CPP
               ? 0
               : 2 * ask->model->vision_params;
}

bool memory_language_parts(const struct catalogue *catalogue, const struct ask *ask,
                           struct memory_parts *parts)
{
    struct memory_shape shape = memory_language_shape(ask);

    *parts = (struct memory_parts){
        .weights = memory_format_bytes(ask, &shape),
        .cache_ways = 1,
        .frozen_copies = 1,
        .layers = shape.layers,
        .is_training = ask_is_training(ask),
        .is_full = memory_trains_all(ask),
        .basis = "estimated",
    };
    if (isnan(parts->weights)) {
        return false;
    }
    parts->resident = parts->weights + vision_bytes(ask);
    parts->table = memory_table_bytes(ask, &shape);
    parts->end_tables = parts->table > 0 ? shape.tables : 0;
    if (parts->is_training) {
        memory_training_parts(catalogue, ask, &shape, parts);
    } else {
        count_inference(catalogue, ask, &shape, parts);
    }
    return true;
}
