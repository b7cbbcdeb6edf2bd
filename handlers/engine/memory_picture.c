/* Memory of vision, speech and diffusion models: weights and states as for any model, activations
 * by rules of thumb, which is why the answer says assumed. Any thread; no state. */
#include "memory.h"
#include "memory_parts.h"

#include <math.h>

/* Encoder positions of one speech sample of 30 seconds (openai/whisper README). */
static const double AUDIO_POSITIONS = 1500;

/* The network whose activations stand for a vision model that networks.csv does not hold: the one
 * nearest in parameters, at its own resolution. NULL: none. */
static const struct network *nearest_network(const struct catalogue *catalogue, double params)
{
    const struct network *nearest = NULL;
    double distance = (double)INFINITY;

    for (size_t i = 0; i < catalogue->network_count; i++) {
        double other = fabs(catalogue->networks[i].params_m * 1e6 - params);

        if (other < distance) {
            nearest = &catalogue->networks[i];
            distance = other;
        }
    }
    return nearest;
}

/* Convolutions and windowed attention store values in proportion to the pixels. The edge is that of
 * networks.csv unless another is asked for. */
static double pixel_factor(const struct ask *ask, double usual_px)
{
    double edge = isnan(ask->resolution_px) ? usual_px : ask->resolution_px;

    return edge * edge / (usual_px * usual_px);
}

/* Activations are stored in 16 bits unless everything is fp32. The backward pass needs
 * memory_activation_copies of each; inference holds about one. */
static double vision_activations(const struct catalogue *catalogue, const struct ask *ask)
{
    const struct network *network =
        ask->network != NULL ? ask->network : nearest_network(catalogue, ask->model->params_total);
    double value_bytes = ask->quant->bits_per_weight > 16 ? 4 : 2;
    double copies = ask_is_training(ask) ? catalogue->parameters.memory_activation_copies : 1;

    if (network == NULL) {
        return 0;
    }
    return network->activations_m * 1e6 * pixel_factor(ask, network->resolution_px) * value_bytes *
           copies * memory_at_once(ask);
}

/* An encoder and a decoder of as many layers each (models.csv): audio positions and text. */
static double speech_activations(const struct calibration *figures, const struct ask *ask,
                                 const struct memory_shape *shape, double text)
{
    double positions = (AUDIO_POSITIONS + text) * memory_at_once(ask);
    double value_bytes = memory_training_bytes(ask);
    double layer =
        value_bytes / 2 * (figures->hidden_bytes * shape->hidden + 2 * shape->active_width);

    if (!ask_is_training(ask)) {
        return positions * figures->live_hidden_copies * shape->hidden * 2;
    }
    if (ask->checkpointing == ANSWER_YES) {
        return positions * (value_bytes * shape->layers * shape->hidden + layer);
    }
    return positions * shape->layers * layer;
}

static void count_speech(const struct catalogue *catalogue, const struct ask *ask,
                         struct memory_parts *parts)
{
    const struct calibration *figures = &catalogue->calibration;
    struct memory_shape shape = memory_language_shape(ask);
    double text = ask_is_training(ask) ? ask->seq_len : ask->context;

    if (isnan(shape.layers)) {
        parts->activations_whole = (catalogue->parameters.memory_unknown_shape - 1) *
                                   (parts->weights + parts->gradients + parts->optimizer);
        parts->has_unknown_cache = !parts->is_training;
        return;
    }
    parts->activations_whole = speech_activations(figures, ask, &shape, text);
    if (ask_is_training(ask)) {
        parts->activations_whole += text * ask->batch * shape.vocab * figures->logit_bytes;
        return;
    }
    parts->cache = memory_kv_bytes(ask, AUDIO_POSITIONS + text) * memory_at_once(ask);
    parts->cache_ways = shape.kv_heads;
}

/* What a backward pass keeps of one picture in 16 bits: of a diffusion transformer whose shape is
 * known what a frozen layer keeps of each token, patches of 16 pixels and as much text as its
 * encoders give; of others memory_diffusion_train_bytes for each weight. Checkpointing leaves the
 * inputs of the layers, or a third. */
static double diffusion_kept_bytes(const struct catalogue *catalogue, const struct ask *ask)
{
    const double patch_px = 16;
    const double text_tokens = 512;
    struct memory_shape shape = memory_language_shape(ask);
    double growth = pixel_factor(ask, ask->model->params_total < 2e9 ? 512 : 1024);
    double patches = ask->resolution_px * ask->resolution_px / (patch_px * patch_px);
    bool is_checkpointed = ask->checkpointing == ANSWER_YES;

    if (isnan(shape.layers) || isnan(patches)) {
        double kept =
            catalogue->parameters.memory_diffusion_train_bytes * ask->model->params_total * growth;

        return is_checkpointed ? kept / 3 : kept;
    }
    double layer = catalogue->calibration.hidden_bytes * shape.hidden + 2 * shape.active_width;

    return (patches + text_tokens) *
           (is_checkpointed ? 2 * shape.layers * shape.hidden + layer : shape.layers * layer);
}

/* Half of what lies beside the weights in inference is text encoders and decoder, half grows with
 * pixels and pictures; of a large network no more than the decoder needs for a picture. */
static void count_diffusion(const struct catalogue *catalogue, const struct ask *ask,
                            struct memory_parts *parts)
{
    const struct parameters *parameters = &catalogue->parameters;
    double params = ask->model->params_total;
    double half = parameters->memory_diffusion_share * params;
    double picture =
        fmin(half, parameters->memory_decoder_bytes) * pixel_factor(ask, params < 2e9 ? 512 : 1024);

    if (parts->is_training) {
        picture = diffusion_kept_bytes(catalogue, ask) * memory_training_bytes(ask) / 2;
    }
    parts->activations_whole = half + picture * memory_at_once(ask);
}

bool memory_picture_parts(const struct catalogue *catalogue, const struct ask *ask,
                          struct memory_parts *parts)
{
    double params = ask->model->params_total;
    double value_bytes = memory_training_bytes(ask);

    *parts = (struct memory_parts){
        .weights = memory_weight_bytes(ask),
        .cache_ways = 1,
        .frozen_copies = 1,
        .layers = (double)NAN,
        .is_training = ask_is_training(ask),
        .is_full = memory_trains_all(ask),
        .has_unknown_adapters = ask_is_training(ask) && !memory_trains_all(ask),
        .basis = "assumed",
    };
    if (isnan(parts->weights)) {
        return false;
    }
    parts->resident = parts->weights;
    if (memory_trains_all(ask)) {
        parts->gradients = value_bytes * params;
        parts->optimizer = memory_optimizer_bytes(ask, value_bytes) * params;
    }
    if (text_is(ask->model->kind, "vision")) {
        parts->activations_whole = vision_activations(catalogue, ask);
    } else if (text_is(ask->model->kind, "diffusion")) {
        count_diffusion(catalogue, ask, parts);
    } else {
        count_speech(catalogue, ask, parts);
    }
    if (!parts->is_training) {
        parts->activations_whole += catalogue->calibration.base_bytes;
    }
    return true;
}
