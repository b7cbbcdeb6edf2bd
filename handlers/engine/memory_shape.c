/* The shape of a transformer as counted bytes need it, and its key-value cache. Any thread; no
 * state. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>

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
        .heads = model->heads,
        .query_width = model->heads * head_dim,
        .kv_heads = known_or(model->kv_heads, model->heads),
        .experts = known_or(model->experts, 0),
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

double memory_cache_bytes(const struct ask *ask, const struct memory_shape *shape, double tokens)
{
    double kept =
        shape->cached_layers * tokens + shape->window_layers * fmin(tokens, shape->window);

    return kept * shape->kv_width * (shape->is_latent ? 1 : 2) * kv_value_bytes(ask->kv_dtype);
}

double memory_at_once(const struct ask *ask)
{
    return ask->batch * (ask_is_training(ask) ? 1 : ask->users);
}

bool memory_has_cache(const struct model *model)
{
    return text_is(model->kind, "llm") || text_is(model->kind, "speech");
}

double memory_kv_bytes(const struct ask *ask, double tokens)
{
    if (ask->model == NULL || !memory_has_cache(ask->model)) {
        return (double)NAN;
    }
    struct memory_shape shape = memory_language_shape(ask);

    return memory_cache_bytes(ask, &shape, tokens);
}
