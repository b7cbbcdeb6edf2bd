/* Memory of transformers: weights by format, key-value cache, activations, states (ACCURACY.md
 * section 9 for the general case: Transformers or llama.cpp for inference, PyTorch with flash
 * attention for training). It counts one copy; sharing it out is memory.c. Any thread; no state. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>

static double known_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Layers by the kind of their cache: all growing; every nth of a hybrid, whose other layers keep a
 * small constant state; local layers with a window between global ones (data/README.md,
 * models.csv). */
static void count_cached_layers(const struct model *model, struct memory_shape *shape)
{
    bool has_interval = model->global_every > 0;
    double growing = has_interval ? floor(shape->layers / model->global_every) : shape->layers;

    shape->cached_layers = shape->layers;
    shape->window_layers = 0;
    shape->window = known_or(model->sliding_window, 0);
    if (text_is(model->attention, "hybrid")) {
        shape->cached_layers = growing;
    } else if (shape->window > 0) {
        shape->cached_layers = has_interval ? growing : 0;
        shape->window_layers = shape->layers - shape->cached_layers;
    }
}

static void count_widths(const struct model *model, struct memory_shape *shape)
{
    double experts = known_or(model->experts, 0);

    shape->active_width = shape->widest = shape->adapter_width = known_or(model->intermediate, 0);
    if (experts > 0 && !isnan(model->expert_intermediate)) {
        double shared = known_or(model->shared_experts, 0);

        shape->widest = model->expert_intermediate;
        shape->active_width =
            (known_or(model->experts_active, 1) + shared) * model->expert_intermediate;
        shape->adapter_width = (experts + shared) * model->expert_intermediate;
    } else if (isnan(model->intermediate)) {
        /* Not stated: four times the hidden width, that of the first transformers. */
        shape->active_width = shape->widest = shape->adapter_width = 4 * shape->hidden;
    }
}

struct memory_shape memory_language_shape(const struct ask *ask)
{
    const struct model *model = ask->model;
    double head_dim = known_or(model->head_dim, model->hidden / model->heads);
    double scale = isnan(ask->model_params) ? 1 : ask->model_params / model->params_total;
    struct memory_shape shape = {
        .params = model->params_total * scale,
        .layers = isnan(model->hidden + model->heads) ? (double)NAN : model->layers * scale,
        .hidden = model->hidden,
        .query_width = model->heads * head_dim,
        .kv_heads = known_or(model->kv_heads, model->heads),
        .vocab = known_or(model->vocab, 0),
        .tables = text_is(model->tied_embeddings, "yes") ? 1 : 2,
        .matrices = text_is(model->mlp, "plain") ? 2 : 3,
        .is_latent = text_is(model->attention, "mla"),
    };

    if (text_is(model->kind, "encoder") || text_is(model->kind, "embedding")) {
        shape.tables = 1; /* no head over the vocabulary */
    }
    shape.kv_width = shape.kv_heads * head_dim;
    if (shape.is_latent) {
        shape.kv_width = model->kv_latent_dim + model->kv_rope_dim;
        shape.kv_heads = 1;
    }
    if (isnan(shape.kv_width)) {
        shape.layers = shape.kv_width; /* a shape known in part counts as not known */
    }
    count_cached_layers(model, &shape);
    count_widths(model, &shape);
    return shape;
}

/* Bytes of one cached value: llama.cpp blocks of 32 values with a 16-bit scale take 8.5 and 4.5
 * bits. */
static double kv_value_bytes(enum kv_dtype dtype)
{
    const double bytes[KV_DTYPE_COUNT] = {
        [KV_DTYPE_FP16] = 2,         [KV_DTYPE_BF16] = 2,         [KV_DTYPE_FP8] = 1,
        [KV_DTYPE_Q8_0] = 8.5 / 8.0, [KV_DTYPE_Q4_0] = 4.5 / 8.0,
    };

    return bytes[dtype];
}

static double cache_bytes(const struct ask *ask, const struct memory_shape *shape, double tokens)
{
    double kept =
        shape->cached_layers * tokens + shape->window_layers * fmin(tokens, shape->window);

    return kept * shape->kv_width * (shape->is_latent ? 1 : 2) * kv_value_bytes(ask->kv_dtype);
}

static bool has_cache(const struct model *model)
{
    return text_is(model->kind, "llm") || text_is(model->kind, "speech");
}

double memory_kv_bytes(const struct ask *ask, double tokens)
{
    if (ask->model == NULL || !has_cache(ask->model)) {
        return (double)NAN;
    }
    struct memory_shape shape = memory_language_shape(ask);

    return cache_bytes(ask, &shape, tokens);
}

/* Section 9.1. Token tables are the part that most formats leave in 16 bits. */
static double weight_bytes(const struct ask *ask, const struct memory_shape *shape)
{
    const char *kind = ask->quant->kind;
    double params = shape->params;
    double table = shape->vocab * known_or(shape->hidden, 0);
    double value_bytes = ask->quant->bits_per_weight / 8;
    double kept = 0;

    if (ask_is_training(ask) && ask->task != TASK_QLORA) {
        return params * memory_training_bytes(ask);
    }
    if (text_is(kind, "float") || text_is(kind, "gguf")) {
        return params * value_bytes;
    }
    if (text_is(kind, "bitsandbytes") || text_is(kind, "int8")) {
        kept = table; /* only the embedding; the head is a linear layer like others */
    } else if (text_is(kind, "fp8")) {
        kept = 2 * table; /* files of this kind hold a tied head on its own */
        params += shape->tables > 1 ? 0 : table;
    } else {
        kept = shape->tables * table;
    }
    return (params - kept) * value_bytes + 2 * kept;
}

double memory_weight_bytes(const struct ask *ask)
{
    if (ask->model == NULL || ask->quant == NULL) {
        return (double)NAN;
    }
    struct memory_shape shape = memory_language_shape(ask);

    return weight_bytes(ask, &shape);
}

double memory_training_bytes(const struct ask *ask)
{
    return ask->quant != NULL && ask->quant->bits_per_weight > 16 ? 4 : 2;
}

/* ACCURACY 8.1: two fp32 moments of AdamW; two of one byte; one for momentum or Lion; rows and
 * columns of Adafactor, near nothing. */
static double moment_bytes(enum optimizer optimizer)
{
    const double bytes[OPTIMIZER_COUNT] = {
        [OPTIMIZER_ADAMW] = 8, [OPTIMIZER_ADAMW_8BIT] = 2, [OPTIMIZER_SGD] = 4,
        [OPTIMIZER_LION] = 4,  [OPTIMIZER_ADAFACTOR] = 0,
    };

    return bytes[optimizer];
}

/* ZeRO (arXiv:1910.02054 section 3.1): mixed precision keeps an fp32 copy beside the 16-bit
 * weights. */
double memory_optimizer_bytes(enum optimizer optimizer, double bytes_each)
{
    return moment_bytes(optimizer) + (bytes_each < 4 ? 4 : 0);
}

/* Trained parameters of adapters on all linear layers: r x sum of (in + out), every expert counted.
 */
static double adapter_params(const struct memory_shape *shape, double rank)
{
    double attention =
        2 * (shape->hidden + shape->query_width) + 2 * (shape->hidden + shape->kv_width);
    double experts = shape->adapter_width / fmax(shape->widest, 1);

    return rank * shape->layers *
           (attention + experts * shape->matrices * (shape->hidden + shape->widest));
}

/* Section 9.3: what the layers of one token store, whole and as tensor parallelism shares it
 * (Korthikanti et al., arXiv:2205.05198 eq. 2: 10 of 34 parts stay whole). */
static void count_training_activations(const struct calibration *figures, const struct ask *ask,
                                       const struct memory_shape *shape, bool is_quantised,
                                       struct memory_parts *parts)
{
    double tokens = ask->batch * ask->seq_len;
    double stored = shape->matrices > 2 ? 3 : 1; /* gate, its activation and up; or one input */
    double layer = figures->hidden_bytes * shape->hidden + 2 * stored * shape->active_width;
    double logit = is_quantised ? figures->logit_quantised_bytes : figures->logit_bytes;
    double boundaries = 0;

    layer += parts->is_full ? 2 * (2 * shape->hidden + shape->active_width)
                            : figures->lora_hidden_bytes * shape->hidden;
    if (ask->checkpointing == ANSWER_YES) {
        boundaries = 2 * shape->layers * shape->hidden;
    } else {
        layer *= shape->layers;
    }
    parts->activations_whole = tokens * (boundaries + layer * 10 / 34);
    parts->activations_shared = tokens * layer * 24 / 34;
    if (text_is(ask->model->kind, "llm")) { /* encoders end in a small head */
        parts->activations_shared += tokens * shape->vocab * logit;
    }
}

static void count_training(const struct calibration *figures, const struct ask *ask,
                           const struct memory_shape *shape, struct memory_parts *parts)
{
    bool is_quantised = ask->task == TASK_QLORA;
    double value_bytes = memory_training_bytes(ask);

    if (parts->is_full) {
        parts->gradients = value_bytes * shape->params;
        parts->optimizer = memory_optimizer_bytes(ask->optimizer, value_bytes) * shape->params;
    }
    if (isnan(shape->layers)) { /* states and a margin */
        parts->activations_whole = (figures->unknown_shape_factor - 1) *
                                   (parts->weights + parts->gradients + parts->optimizer);
        parts->basis = "assumed";
        return;
    }
    if (!parts->is_full) {
        double trained = adapter_params(shape, ask->lora_rank);
        double kept = figures->adapter_kept_bytes - moment_bytes(OPTIMIZER_ADAMW) +
                      moment_bytes(ask->optimizer);

        parts->optimizer = kept * trained;
        parts->gradients = figures->adapter_step_bytes * trained;
        if (is_quantised) {
            parts->resident += figures->head_bytes * shape->vocab * shape->hidden;
        }
    }
    count_training_activations(figures, ask, shape, is_quantised, parts);
}

/* Section 9.2. The scratch of llama.cpp is that of one micro-batch with flash attention. */
static void count_inference(const struct calibration *figures, const struct ask *ask,
                            const struct memory_shape *shape, struct memory_parts *parts)
{
    double sequences = ask->batch * ask->users;
    double table = shape->vocab * known_or(shape->hidden, 0);
    double cache = has_cache(ask->model) ? cache_bytes(ask, shape, ask->context) : (double)NAN;

    parts->cache = isnan(cache) ? 0 : cache * sequences;
    parts->cache_ways = shape->kv_heads;
    if (isnan(shape->layers)) {
        parts->activations_whole = (figures->unknown_shape_factor - 1) * parts->weights;
        parts->basis = "assumed";
        return;
    }
    if (ask->framework == FRAMEWORK_LLAMA_CPP) {
        if (shape->tables > 1) { /* the input table stays on the host */
            parts->resident -= table * parts->weights / shape->params;
        }
        parts->activations_whole =
            figures->microbatch_tokens * (4 * shape->vocab + 8 * shape->hidden);
        return;
    }
    parts->activations_whole = figures->base_bytes + figures->live_hidden_copies * ask->context *
                                                         sequences * shape->hidden * 2;
    if (text_is(ask->quant->kind, "bitsandbytes") || text_is(ask->quant->kind, "int8")) {
        parts->activations_whole +=
            figures->head_inference_bytes * fmax(table, shape->widest * shape->hidden);
    }
}

bool memory_language_parts(const struct catalogue *catalogue, const struct ask *ask,
                           struct memory_parts *parts)
{
    struct memory_shape shape = memory_language_shape(ask);
    double tables = shape.tables * shape.vocab * known_or(shape.hidden, 0);

    *parts = (struct memory_parts){
        .weights = weight_bytes(ask, &shape),
        .cache_ways = 1,
        .layers = shape.layers,
        .is_training = ask_is_training(ask),
        .is_full = ask_is_training(ask) && ask->task != TASK_LORA && ask->task != TASK_QLORA,
        .basis = "estimated",
    };
    if (isnan(parts->weights)) {
        return false;
    }
    parts->resident = parts->weights;
    parts->table = shape.vocab > 0 && !isnan(shape.hidden)
                       ? parts->weights * (tables / shape.tables) / shape.params
                       : 0;
    if (!isnan(shape.layers)) {
        parts->block = 2 * tables + 4 * (shape.params - tables) / shape.layers;
    }
    if (parts->is_training) {
        count_training(&catalogue->calibration, ask, &shape, parts);
    } else {
        count_inference(&catalogue->calibration, ask, &shape, parts);
    }
    return true;
}
