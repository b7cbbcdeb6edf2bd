/* Memory of training language models: states, activations and logits, and what full sharding
 * gathers (ACCURACY.md sections 8.1 and 9.3). It counts one copy; sharing it out is memory.c. Any
 * thread; no state. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>

/* Of each adapter weight: itself in fp32 besides its moments, and its fp32 gradient at the step. */
static const double ADAPTER_WEIGHT_BYTES = 4;
static const double ADAPTER_STEP_BYTES = 4;

/* DeepSpeed's step: fp32 and flattened gradients of each weight. Fully sharded it goes by groups of
 * 1e9 weights with fp32 gradients only (sub_group_size, microsoft/DeepSpeed, unverified). */
static const double DEEPSPEED_STEP_BYTES = 8;
static const double DEEPSPEED_GROUP_SIZE = 1e9;

/* What PyTorch's FSDP 2 has whole at a time, in blocks of root and two layers: weights, and in full
 * training the gradient of the root. */
static const double BLOCKS_FROZEN = 1;
static const double BLOCKS_TRAINED = 1.5;

/* Share of the activations of a layer that tensor parallelism leaves whole (Korthikanti et al.,
 * arXiv:2205.05198 eq. 2: 10 of 34). */
static const double WHOLE_SHARE = 10.0 / 34.0;

/* The attention matrix of one layer, for each head and pair of tokens: softmax and what dropout
 * leaves of it, and dropout's mask of a byte (the same, eq. 1: 5 bytes with 16-bit values). */
static const double SCORE_VALUES = 2;
static const double SCORE_MASK_BYTES = 1;

static bool is_gated(const struct memory_shape *shape)
{
    return shape->matrices > 2;
}

/* Sum of inputs and outputs of the adapted matrices of one layer, every expert counted. */
static double adapted_widths(const struct ask *ask, const struct memory_shape *shape)
{
    double query = shape->hidden + shape->query_width;
    double kv = shape->hidden + shape->kv_width;
    double experts = shape->adapter_width / fmax(shape->widest, 1);
    double mlp = experts * shape->matrices * (shape->hidden + shape->widest);

    switch (ask->lora_targets) {
    case LORA_TARGETS_QV:
        return query + kv;
    case LORA_TARGETS_ATTENTION:
        return 2 * query + 2 * kv;
    case LORA_TARGETS_MLP:
        return mlp;
    case LORA_TARGETS_ALL:
    case LORA_TARGETS_COUNT:
        break;
    }
    return 2 * query + 2 * kv + mlp;
}

/* Trained weights of an adapter. */
static double adapter_size(const struct ask *ask, const struct memory_shape *shape)
{
    const double prompt_tokens = 10; /* of LLaMA-Adapter, arXiv:2303.16199 */
    double size = 0;

    switch (ask->rare.adapter) {
    case ADAPTER_LORA:
        size = ask->lora_rank * shape->layers * adapted_widths(ask, shape);
        break;
    case ADAPTER_LLAMA:
        size = shape->layers * prompt_tokens * shape->hidden;
        break;
    case ADAPTER_LLAMA_V2: /* a scale and a bias on each output */
        size = shape->layers * (9 * shape->hidden + shape->active_width);
        break;
    case ADAPTER_SCALES:
        size = shape->layers * (2 * shape->kv_width + shape->active_width);
        break;
    case ADAPTER_PROMPT:
        size = prompt_tokens * shape->hidden;
        break;
    }
    return size + (ask->rare.trains_tables ? 2 * memory_table_size(shape) : 0);
}

/* Inputs that low-rank adapters store beyond those of queries and values, which calibration holds.
 * PEFT keeps its weights in fp32 and copies the input of each; others share 16-bit inputs. */
static double further_input_bytes(const struct ask *ask, const struct memory_shape *shape)
{
    bool copies = ask->runtime == RUNTIME_TRANSFORMERS;
    double value_bytes = copies ? 4 : 2;
    double attention = shape->query_width + (copies ? shape->hidden : 0); /* output; keys */
    double mlp = shape->active_width;                                     /* the way down */
    double entry = (copies ? 2 : 1) * shape->hidden;                      /* gate and up */

    switch (ask->lora_targets) {
    case LORA_TARGETS_QV:
        return 0;
    case LORA_TARGETS_ATTENTION:
        return value_bytes * attention;
    case LORA_TARGETS_MLP: /* its entry in the place of that of the attention */
        return value_bytes * mlp;
    case LORA_TARGETS_ALL:
    case LORA_TARGETS_COUNT:
        break;
    }
    return value_bytes * (attention + entry + mlp);
}

/* Layers store what they compute in: 4 bytes where nothing casts fp32 weights, else 2. */
static double stored_value_bytes(const struct ask *ask)
{
    return ask->rare.casts_weights ? 2 : memory_training_bytes(ask);
}

/* What training stores of one token in one layer besides what a frozen layer stores. */
static double trained_layer_bytes(const struct calibration *figures, const struct ask *ask,
                                  const struct memory_shape *shape)
{
    if (memory_trains_all(ask)) { /* inputs of the matrices that are not stored already */
        return stored_value_bytes(ask) * (2 * shape->hidden + shape->active_width);
    }
    switch (ask->rare.adapter) {
    case ADAPTER_LORA:
        return figures->lora_hidden_bytes * shape->hidden + further_input_bytes(ask, shape);
    case ADAPTER_LLAMA_V2: /* the scaled output of every matrix */
        return 2 * (7 * shape->hidden + (is_gated(shape) ? 2 : 1) * shape->active_width);
    case ADAPTER_SCALES: /* what is scaled, in fp32 */
        return 4 * (2 * shape->kv_width + shape->active_width);
    case ADAPTER_LLAMA:
    case ADAPTER_PROMPT:
        break;
    }
    return 0;
}

static double layer_bytes(const struct calibration *figures, const struct ask *ask,
                          const struct memory_shape *shape)
{
    double value_bytes = stored_value_bytes(ask);
    double stored = is_gated(shape) ? 3 : 1; /* gate, its activation and up; or one input */
    double layer = figures->hidden_bytes * shape->hidden * value_bytes / 2 +
                   value_bytes * stored * shape->active_width +
                   trained_layer_bytes(figures, ask, shape);

    if (ask->runtime == RUNTIME_LITGPT && memory_is_unpacked(ask)) {
        /* bitsandbytes of 2023 stored the input of each frozen matrix for the backward pass. */
        layer += 2 * (shape->hidden + shape->active_width);
    }
    if (ask->flash_attention == ANSWER_NO) {
        layer += (SCORE_VALUES * value_bytes + SCORE_MASK_BYTES) * shape->heads * ask->seq_len;
    }
    return layer;
}

/* 16-bit logits, their fp32 copy, log-softmax and gradient; less where the loss goes in chunks. */
static double logit_bytes(const struct calibration *figures, const struct ask *ask)
{
    if (ask->runtime == RUNTIME_LITGPT) {
        return figures->logit_litgpt_bytes;
    }
    if (ask->runtime == RUNTIME_TORCHTUNE && !ask->rare.keeps_logits) {
        return figures->logit_chunked_bytes;
    }
    return ask->task == TASK_QLORA ? figures->logit_quantised_bytes : figures->logit_bytes;
}

/* AutoGPTQ turns a matrix back into 16 bits outside autograd, which then keeps it for the backward
 * pass: those of one layer where layers are computed again, else all of them. */
static double unpacked_layer_bytes(const struct ask *ask, const struct memory_shape *shape)
{
    bool is_kept = ask->task == TASK_QLORA && text_is(ask->quant->kind, "gptq");
    double size = shape->params - shape->tables * memory_table_size(shape);

    return is_kept ? 2 * size / shape->layers : 0;
}

/* With checkpointing the logits are gone before the first layer is computed again, so the larger of
 * the two counts; without it all layers stand beside the logits. */
static void count_activations(const struct calibration *figures, const struct ask *ask,
                              const struct memory_shape *shape, struct memory_parts *parts)
{
    double tokens = ask->batch * ask->seq_len;
    double layer = tokens * layer_bytes(figures, ask, shape);
    double unpacked = unpacked_layer_bytes(ask, shape);
    double logits = 0;

    if (text_is(ask->model->kind, "llm")) { /* encoders end in a small head */
        logits = tokens * shape->vocab * logit_bytes(figures, ask);
    }
    if (ask->checkpointing != ANSWER_YES) {
        layer *= shape->layers;
        parts->activations_whole = layer * WHOLE_SHARE;
        parts->activations_shared = layer * (1 - WHOLE_SHARE) + logits + unpacked * shape->layers;
        return;
    }
    if (!ask->rare.offloads_activations) {
        parts->activations_whole = tokens * stored_value_bytes(ask) * shape->layers * shape->hidden;
    }
    if (layer + unpacked > logits) {
        parts->activations_whole += layer * WHOLE_SHARE;
        parts->activations_shared = layer * (1 - WHOLE_SHARE) + unpacked;
    } else {
        parts->activations_shared = logits;
    }
}

/* Copies beside frozen weights: of the tables in fp32 and cast, which Transformers makes of a
 * quantised base and DeepSpeed's script of any; of one unpacked matrix at a time. */
static double copied_bytes(const struct calibration *figures, const struct ask *ask,
                           const struct memory_shape *shape)
{
    double table = memory_table_size(shape);

    if (ask->task == TASK_QLORA && ask->runtime == RUNTIME_LITGPT) {
        return memory_is_unpacked(ask)
                   ? figures->head_inference_bytes * fmax(table, shape->widest * shape->hidden)
                   : 0;
    }
    bool copies_tables = ask->runtime == RUNTIME_DEEPSPEED ||
                         (ask->task == TASK_QLORA && ask->runtime != RUNTIME_TORCHTUNE);

    copies_tables = copies_tables && ask->rare.adapter == ADAPTER_LORA && !ask->rare.trains_tables;
    return copies_tables ? figures->head_bytes * table : 0;
}

static void count_adapter(const struct calibration *figures, const struct ask *ask,
                          const struct memory_shape *shape, struct memory_parts *parts)
{
    double trained = adapter_size(ask, shape);
    struct ask moments = *ask;

    moments.master_weights = ANSWER_NO; /* counted as the weight itself */
    parts->resident += copied_bytes(figures, ask, shape);
    parts->optimizer = (ADAPTER_WEIGHT_BYTES + memory_optimizer_bytes(&moments, 4)) * trained;
    parts->gradients = ADAPTER_STEP_BYTES * trained;
}

/* Gradients are made while activations are freed, so the two do not add up unless they stay. */
static void count_full(const struct ask *ask, const struct memory_shape *shape,
                       struct memory_parts *parts)
{
    double value_bytes = memory_training_bytes(ask);
    double moments = memory_optimizer_bytes(ask, value_bytes);

    parts->gradients = value_bytes * shape->params;
    parts->optimizer = moments * shape->params;
    parts->gradients_stay = ask->rare.updates_in_backward || ask->rare.accumulates_gradients;
    if (ask->rare.updates_in_backward) { /* one matrix at a time */
        parts->gradients = value_bytes * memory_table_size(shape);
    }
    if (ask->runtime == RUNTIME_DEEPSPEED) {
        parts->gradients_stay = true;
        parts->step = DEEPSPEED_STEP_BYTES * shape->params;
        parts->sharded_step = 4 * shape->params;
        parts->sharded_step_most = 4 * DEEPSPEED_GROUP_SIZE;
    } else if (ask->runtime != RUNTIME_TORCHTUNE && ask->optimizer == OPTIMIZER_ADAMW &&
               ask->master_weights == ANSWER_NO && !ask->rare.updates_in_backward) {
        /* AdamW that works on all weights at once needs one more value of each. */
        parts->step = parts->sharded_step = value_bytes * shape->params;
    }
    if (ask->rare.offloads_optimizer) {
        parts->gradients = parts->optimizer = parts->step = parts->sharded_step = 0;
    }
}

static void count_sharding(const struct calibration *figures, const struct ask *ask,
                           const struct memory_shape *shape, struct memory_parts *parts)
{
    double tables = shape->tables * memory_table_size(shape);
    double block =
        memory_training_bytes(ask) * (tables + 2 * (shape->params - tables) / shape->layers);
    bool is_full = parts->is_full;

    parts->gathered = block * (is_full ? BLOCKS_TRAINED : BLOCKS_FROZEN);
    if (ask->runtime ==
        RUNTIME_LITGPT) { /* FSDP 1: frozen weights share flat blocks with trained */
        parts->gathered = block * figures->fsdp_blocks;
        parts->frozen_copies = is_full ? 1 : 2;
    } else if (ask->runtime == RUNTIME_DEEPSPEED && !is_full) {
        parts->gathered += figures->deepspeed_buffer_bytes; /* full training always has them */
    }
    parts->shards_gradients = ask->rare.shards_gradients;
    parts->shards_states = ask->rare.shards_states || ask->rare.shards_gradients;
}

void memory_training_parts(const struct catalogue *catalogue, const struct ask *ask,
                           const struct memory_shape *shape, struct memory_parts *parts)
{
    const struct calibration *figures = &catalogue->calibration;
    bool is_full = parts->is_full;

    if (is_full) {
        count_full(ask, shape, parts);
    }
    if (isnan(shape->layers)) { /* states and a margin */
        parts->activations_whole = (catalogue->parameters.memory_unknown_shape - 1) *
                                   (parts->weights + parts->gradients + parts->optimizer);
        parts->has_unknown_adapters = !is_full;
        parts->basis = "assumed";
        return;
    }
    if (!is_full) {
        count_adapter(figures, ask, shape, parts);
    }
    if (ask->runtime == RUNTIME_DEEPSPEED && is_full) {
        parts->card_bytes = figures->deepspeed_buffer_bytes;
    }
    count_activations(figures, ask, shape, parts);
    count_sharding(figures, ask, shape, parts);
}
