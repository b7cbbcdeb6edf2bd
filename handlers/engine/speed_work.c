/* The forms of speed on one card: relative for most training, absolute for decode, prefill, images
 * and language-model training (ACCURACY.md sections 8.3 and 10). Any thread; no state. */
#include "memory.h"
#include "memory_parts.h"
#include "speed_parts.h"

#include <assert.h>
#include <math.h>

static const double A100_FLOP_S = 312e12;      /* dense FP16 */
static const double A100_TF32_FLOP_S = 156e12; /* dense */

static enum speed_class class_of(const struct ask *ask)
{
    const char *kind = ask->model == NULL ? NULL : ask->model->kind;
    bool is_training = ask_is_training(ask);

    if (ask_is_language(ask)) {
        return is_training || (kind != NULL && !text_is(kind, "llm")) ? CLASS_TRANSFORMER
                                                                      : CLASS_DECODE;
    }
    if (ask->domain == DOMAIN_SPEECH || text_is(kind, "speech")) {
        return CLASS_SPEECH;
    }
    if (ask->domain == DOMAIN_DIFFUSION || text_is(kind, "diffusion")) {
        return CLASS_DIFFUSION;
    }
    if (ask->domain == DOMAIN_VISION || ask->domain == DOMAIN_VIDEO ||
        ask->domain == DOMAIN_MEDICAL_IMAGING) {
        return CLASS_CNN;
    }
    /* Running models without saying which means language models to most who ask. */
    return !is_training && ask->domain == DOMAIN_GENERAL && ask->model == NULL ? CLASS_DECODE
                                                                               : CLASS_MEAN;
}

static void read_decode(const struct ask *ask, const struct memory_shape *shape,
                        const struct memory_parts *parts, struct speed_work *work)
{
    double sequences = ask->batch * ask->users;

    work->kv_bytes = parts->cache / sequences;
    work->kv_ways = shape->kv_heads;
    work->sequences = sequences;
    work->splits_layers = ask->framework == FRAMEWORK_LLAMA_CPP;
    work->is_unfused =
        text_is(ask->quant->kind, "bitsandbytes") || text_is(ask->quant->kind, "int8");
}

/* FLOP of a token: 2 N forward and as much for the gradients of activations and of weights; an
 * adapter needs no gradient of the frozen weights; checkpointing does the forward pass again.
 * Attention over a causal sequence adds query width x length for each layer to N (8.3; PaLM,
 * arXiv:2204.02311 app. B). */
static void read_training(const struct calibration *figures, const struct ask *ask,
                          const struct memory_shape *shape, const struct memory_parts *parts,
                          struct speed_work *work)
{
    double passes = (parts->is_full ? 6 : 4) + (ask->checkpointing == ANSWER_YES ? 2 : 0);
    double attention = shape->layers * shape->query_width * ask->seq_len;
    bool is_small = shape->params < figures->train_small_params || ask->task == TASK_QLORA;

    work->step_tokens = ask->batch * ask->seq_len;
    work->flops_per_token = passes * (work->params_active + (isnan(attention) ? 0 : attention));
    work->peak_share = is_small ? figures->train_peak_share_small : figures->train_peak_share;
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
    work->unit =
        work->class == CLASS_DECODE || work->is_training ? SPEED_TOKENS_PER_S : SPEED_RELATIVE;
    work->params_active = shape.params * active;
    work->active_share = active;
    work->expert_share = model->experts > 0 ? model->experts_active / model->experts : 1;
    work->weight_bytes = parts.weights;
    work->is_quantised = ask->quant->bits_per_weight < 15;
    work->hidden = shape.hidden;
    work->layers = isnan(shape.layers)
                       ? catalogue->calibration.decode_depth_scale *
                             pow(shape.params / 1e9, catalogue->calibration.decode_depth_exponent)
                       : shape.layers;
    if (work->class == CLASS_DECODE) {
        read_decode(ask, &shape, &parts, work);
    } else if (work->is_training) {
        read_training(&catalogue->calibration, ask, &shape, &parts, work);
    }
}

void speed_work_read(const struct catalogue *catalogue, const struct ask *ask,
                     struct speed_work *work)
{
    double unknown = (double)NAN;

    *work = (struct speed_work){
        .class = class_of(ask),
        .unit = SPEED_RELATIVE,
        .is_training = ask_is_training(ask),
        .is_fp32 = ask->quant != NULL && ask->quant->bits_per_weight > 16,
        .network = ask->network,
        .params_active = unknown,
        .layers = unknown,
        .hidden = unknown,
        .weight_bytes = unknown,
        .sequences = 1,
        .step_tokens = unknown,
    };
    if (work->class == CLASS_CNN && !work->is_training && ask->network != NULL) {
        work->unit = SPEED_IMAGES_PER_S;
    } else if (ask->model != NULL && ask_is_language(ask)) {
        read_language(catalogue, ask, work);
    }
}

double speed_work_prefill(const struct catalogue *catalogue, const struct speed_work *work,
                          const struct speed_card *card)
{
    const struct calibration *figures = &catalogue->calibration;

    return A100_FLOP_S * figures->prefill_share * figures->prefill_flash_factor *
           card->prompt_rate * (work->is_quantised ? figures->prefill_quantised_factor : 1) /
           (2 * work->params_active);
}

/* Share of the weights read by a step of several sequences: each may call on other experts. */
static double read_share(const struct speed_work *work, double sequences)
{
    if (work->expert_share >= 1 || isnan(work->expert_share) || sequences <= 1) {
        return work->active_share;
    }
    double missed = pow(1 - work->expert_share, sequences);
    double more = (1 - missed - work->expert_share) / (1 - work->expert_share);

    return work->active_share + (1 - work->active_share) * more;
}

double speed_work_token_seconds(const struct catalogue *catalogue, const struct speed_work *work,
                                const struct speed_card *card, double sequences, double ways,
                                double latency_s)
{
    const struct calibration *figures = &catalogue->calibration;
    double rate = card->bandwidth_gb_s * 1e9 * card->decode_share;
    double bytes = work->weight_bytes * read_share(work, sequences) / ways +
                   work->kv_bytes * sequences / fmax(1, fmin(ways, work->kv_ways));
    double seconds = bytes / rate + work->layers * figures->decode_layer_us * 1e-6;

    if (work->is_unfused) { /* Transformers: launches and traffic overlap, unpacking costs traffic
                             */
        seconds = fmax(bytes / (rate * figures->eager_quantised_share),
                       work->layers * figures->eager_layer_us * 1e-6);
    }
    if (sequences > 1) { /* many sequences are bounded by arithmetic, as a prompt is */
        double compute = sequences / (speed_work_prefill(catalogue, work, card) * ways);

        seconds = isnan(compute) ? compute : fmax(seconds, compute);
    }
    return seconds + work->layers * latency_s;
}

/* Section 10.2 without the term of a batch that fills the card: the question states its batch. */
static double relative_speed(const struct speed_card *card, double w, double o)
{
    return 1 / (w / card->sustained + (1 - w) / card->band + o);
}

/* Section 10.4: arithmetic, and passes over every activation, which is too large for a cache. */
static double images_per_s(const struct calibration *figures, const struct speed_work *work,
                           const struct speed_card *card)
{
    double rate = card->sustained * (work->is_fp32 ? A100_TF32_FLOP_S : A100_FLOP_S) *
                  figures->conv_efficiency;
    double traffic =
        work->network->activations_m * 1e6 * (work->is_fp32 ? 4 : 2) * figures->activation_passes;

    return 1 / (2 * work->network->gmacs * 1e9 / rate + traffic / (card->bandwidth_gb_s * 1e9));
}

/* Tokens per second of training: the share of its peak that an A100 was seen to reach, carried to
 * other cards by the relative form (which is 1 / (1 + o) there). */
static double training_tokens_per_s(const struct calibration *figures,
                                    const struct speed_work *work, const struct speed_card *card)
{
    double over_a100 = relative_speed(card, figures->w_transformer, figures->o_transformer) *
                       (1 + figures->o_transformer);

    return work->peak_share * A100_FLOP_S * over_a100 / work->flops_per_token;
}

double speed_work_single(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card, double sequences)
{
    const struct calibration *figures = &catalogue->calibration;

    if (work->unit == SPEED_IMAGES_PER_S) {
        return images_per_s(figures, work, card);
    }
    if (work->unit == SPEED_TOKENS_PER_S) {
        return work->class == CLASS_DECODE
                   ? sequences / speed_work_token_seconds(catalogue, work, card, sequences, 1, 0)
                   : training_tokens_per_s(figures, work, card);
    }
    switch (work->class) {
    case CLASS_DECODE:
        /* of an unknown model: the bandwidth that decode reaches; weights fit no cache */
        return card->bandwidth_gb_s * card->decode_share;
    case CLASS_TRANSFORMER:
        return relative_speed(card, figures->w_transformer, figures->o_transformer);
    case CLASS_CNN:
        return relative_speed(card, figures->w_cnn, figures->o_cnn);
    case CLASS_SPEECH:
        return relative_speed(card, figures->w_speech, figures->o_speech);
    case CLASS_DIFFUSION:
        return relative_speed(card, figures->w_diffusion, figures->o_diffusion);
    case CLASS_MEAN:
        return sqrt(relative_speed(card, figures->w_cnn, figures->o_cnn) *
                    relative_speed(card, figures->w_transformer, figures->o_transformer));
    }
    return (double)NAN;
}
