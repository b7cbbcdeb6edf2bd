/* Turns a question into the numbers that the forms of speed count with (speed_form.c,
 * speed_picture.c). Any thread; no state. */
#include "memory.h"
#include "memory_parts.h"
#include "speed_parts.h"

#include <assert.h>
#include <math.h>

/* Parameters of a network of which nothing is said, 10^6: ResNet-50 and its like. */
static const double USUAL_PARAMS_M = 50;

/* Bytes per parameter where the batch fills the card: 16-bit weights and gradients, their FP32
 * copies and two states of Adam, as apex in the containers of the Lambda logs holds them. */
static const double STATE_BYTES = 20;

/* A quantised base is unpacked before each use: 16-bit numbers written and read again. */
static const double UNPACKED_BYTES = 4;

/* Vision software before this year: its kernels read and write every activation more often. */
static const double OLD_BUILD_YEAR = 2022;

/* A model that uses less of itself for a token has experts, where nothing is said of them. */
static const double EXPERT_SHARE = 0.5;

static enum speed_class class_of(const struct ask *ask)
{
    if (ask->speed.class != SPEED_CLASS_UNASKED) {
        return ask->speed.class;
    }
    const char *kind = ask->model == NULL ? NULL : ask->model->kind;
    bool is_training = ask_is_training(ask);

    if (ask_is_language(ask)) {
        return is_training || (kind != NULL && !text_is(kind, "llm")) ? SPEED_CLASS_TRANSFORMER
                                                                      : SPEED_CLASS_DECODE;
    }
    if (ask->domain == DOMAIN_SPEECH || text_is(kind, "speech")) {
        return SPEED_CLASS_SPEECH;
    }
    if (ask->domain == DOMAIN_DIFFUSION || text_is(kind, "diffusion")) {
        return SPEED_CLASS_DIFFUSION;
    }
    if (ask->domain == DOMAIN_VISION || ask->domain == DOMAIN_VIDEO ||
        ask->domain == DOMAIN_MEDICAL_IMAGING) {
        return SPEED_CLASS_CNN;
    }
    /* Running models without saying which means language models to most who ask. */
    return !is_training && ask->domain == DOMAIN_GENERAL && ask->model == NULL ? SPEED_CLASS_DECODE
                                                                               : SPEED_CLASS_MEAN;
}

/* Shares of a transformer whose shape is not known: 12.5 h^2 parameters in a layer, an MLP three
 * times as wide as the model, a quarter of it in keys, heads of 128. */
static const double USUAL_LAYER_SHARE = 12.5;
static const double USUAL_MLP_RATIO = 3;
static const double USUAL_KV_SHARE = 0.25;
static const double USUAL_HEAD_SIZE = 128;

static void read_shape(const struct parameters *parameters, const struct memory_shape *shape,
                       struct speed_work *work)
{
    double tables = memory_table_size(shape) * shape->tables;

    work->layers =
        known_or(shape->layers, parameters->decode_depth_scale *
                                    pow(shape->params / 1e9, parameters->decode_depth_exponent));
    work->layer_params = (work->params_active - tables) / work->layers;
    work->hidden = known_or(shape->hidden, sqrt(work->layer_params / USUAL_LAYER_SHARE));
    work->kv_width = known_or(shape->kv_width, USUAL_KV_SHARE * work->hidden);
    work->mlp_width = known_or(shape->active_width, USUAL_MLP_RATIO * work->hidden);
    work->heads = known_or(shape->query_width, work->hidden) / USUAL_HEAD_SIZE;
}

/* Bytes that a token reads: every active weight but the token table, where the head is another one.
 */
static double read_bytes(const struct ask *ask, const struct memory_shape *shape, double active)
{
    double tables = memory_table_size(shape) * shape->tables;
    double table = memory_table_bytes(ask, shape);
    double layers = memory_format_bytes(ask, shape) - table * shape->tables;

    return layers * (active - tables) / (shape->params - tables) + table;
}

/* Programs that launch every operation as a kernel of its own, and formats without fused kernels.
 * Transformers that nobody asked for stands for PyTorch in general, which compiles or replays its
 * kernels when it serves (vLLM, torch.compile). */
static bool is_unfused(const struct ask *ask)
{
    return memory_is_unpacked(ask) || text_is(ask->quant->kind, "int8") ||
           (ask->runtime == RUNTIME_TRANSFORMERS && ask->runtime_is_given) ||
           ask->runtime == RUNTIME_LITGPT || ask->runtime == RUNTIME_AUTOGPTQ ||
           ask->runtime == RUNTIME_DEEPSPEED || ask->runtime == RUNTIME_TORCHTUNE;
}

static void read_decode(const struct ask *ask, const struct memory_shape *shape,
                        struct speed_work *work)
{
    work->read_bytes = read_bytes(ask, shape, work->params_active);
    work->kv_bytes = known_or(memory_kv_bytes(ask, ask->context), 0);
    work->kv_ways = shape->kv_heads;
    work->sequences = ask->batch * ask->users;
    work->prompt_tokens = ask->context;
    work->backend = ask->backend;
    work->build_year = ask->speed.build_year;
    work->is_simple_quant = text_is(ask->quant->name, "q4_0") || text_is(ask->quant->name, "q8_0");
    work->is_graph = ask->speed.replays_graphs;
    work->serves = ask->speed.serves != ANSWER_NO;
    work->has_flash_attention = ask->flash_attention != ANSWER_NO;
    work->is_unfused = is_unfused(ask);
}

/* FLOP of a token: 2 N forward and as much for the gradients of activations and of weights; an
 * adapter needs no gradient of the frozen weights; checkpointing does the forward pass again.
 * Attention over a causal sequence adds query width x length for each layer to N (8.3; PaLM,
 * arXiv:2204.02311 app. B). */
static void read_training(const struct parameters *parameters, const struct ask *ask,
                          const struct memory_shape *shape, const struct memory_parts *parts,
                          struct speed_work *work)
{
    double repeats = ask->checkpointing == ANSWER_YES ? 1 : 0;
    double passes = (parts->is_full ? 6 : 4) + 2 * repeats;
    double attention = shape->layers * shape->query_width * ask->seq_len;

    work->step_tokens = ask->batch * ask->seq_len;
    work->flops_per_token = passes * (work->params_active + known_or(attention, 0));
    work->peak_share = parameters->train_peak_share;
    work->layer_passes = 2 + repeats;
    work->unpack_bytes = ask->task == TASK_QLORA
                             ? work->layer_passes * shape->params *
                                   (UNPACKED_BYTES + ask->quant->bits_per_weight / 8)
                             : 0;
    work->gradient_bytes = parts->gradients;
    work->gather_times = parts->is_full ? 3 : 2;
}

static void read_language(const struct catalogue *catalogue, const struct ask *ask,
                          struct speed_work *work)
{
    const struct model *model = ask->model;
    struct memory_shape shape = memory_language_shape(ask);
    struct memory_parts parts;
    double active = isnan(model->params_active) ? 1 : model->params_active / model->params_total;

    assert(ask->quant != NULL); /* ask_complete() gives every model one */
    if (!memory_language_parts(catalogue, ask, &parts)) {
        return;
    }
    work->unit = work->class == SPEED_CLASS_DECODE || work->is_training ? SPEED_TOKENS_PER_S
                                                                        : SPEED_RELATIVE;
    work->params_active = shape.params * active;
    work->expert_share = model->experts > 0      ? model->experts_active / model->experts
                         : active < EXPERT_SHARE ? active
                                                 : 1;
    work->weight_bytes = parts.weights;
    work->bits = ask->quant->bits_per_weight;
    work->is_quantised = work->bits < 15;
    read_shape(&catalogue->parameters, &shape, work);
    if (work->class == SPEED_CLASS_DECODE) {
        read_decode(ask, &shape, work);
    } else if (work->is_training) {
        read_training(&catalogue->parameters, ask, &shape, &parts, work);
    }
}

/* Mixed precision unless 32-bit values are asked for. Tuned inference calculates in the format of
 * its weights. */
static enum speed_precision precision_of(const struct ask *ask)
{
    bool is_tuned =
        ask->speed.class == SPEED_CLASS_TUNED || ask->speed.class == SPEED_CLASS_SERVING;

    if (ask->quant == NULL) {
        return SPEED_PRECISION_FP16;
    }
    if (is_tuned && text_is(ask->quant->kind, "int8")) {
        return SPEED_PRECISION_INT8;
    }
    if (is_tuned && text_is(ask->quant->kind, "fp8")) {
        return SPEED_PRECISION_FP8;
    }
    if (is_tuned && text_is(ask->quant->kind, "mxfp4")) {
        return SPEED_PRECISION_FP4;
    }
    return ask->quant->bits_per_weight > 16 ? SPEED_PRECISION_FP32 : SPEED_PRECISION_FP16;
}

/* Memory that no batch can have: context, workspace, weights and states. */
static double fixed_gib(const struct calibration *figures, const struct ask *ask)
{
    double params_m = ask->model == NULL ? (double)NAN : ask->model->params_total / 1e6;

    return figures->fill_fixed_gib +
           STATE_BYTES * (isnan(params_m) ? USUAL_PARAMS_M : params_m) / 1000;
}

void speed_work_read(const struct catalogue *catalogue, const struct ask *ask,
                     struct speed_work *work)
{
    double unknown = (double)NAN;

    *work = (struct speed_work){
        .class = class_of(ask),
        .unit = SPEED_RELATIVE,
        .is_training = ask_is_training(ask),
        .precision = precision_of(ask),
        .fills_memory = ask->batch_fills == ANSWER_YES,
        .fixed_gib = fixed_gib(&catalogue->calibration, ask),
        .network = ask->network,
        .batch = unknown,
        .stores_scores = ask->flash_attention == ANSWER_NO,
        .is_old_build = ask->speed.build_year < OLD_BUILD_YEAR,
        .backend = SPEED_BACKEND_UNASKED,
        .expert_share = 1,
        .params_active = unknown,
        .layers = unknown,
        .hidden = unknown,
        .weight_bytes = unknown,
        .sequences = 1,
        .step_tokens = unknown,
    };
    work->is_counted = work->class == SPEED_CLASS_CNN && ask->network != NULL;
    if (work->is_counted && ask->batch_fills == ANSWER_NO) {
        work->batch = ask->batch;
    }
    if (ask->network != NULL) {
        double edge = known_or(ask->resolution_px / ask->network->resolution_px, 1);

        work->pixel_share = edge * edge;
    }
    if (work->is_counted && (ask->model != NULL || ask->domain == DOMAIN_VISION)) {
        work->unit = SPEED_IMAGES_PER_S;
    } else if (ask->model != NULL && ask_is_language(ask)) {
        read_language(catalogue, ask, work);
    }
}
