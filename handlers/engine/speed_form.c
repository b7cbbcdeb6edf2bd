/* The forms of speed on one card: relative for most training, absolute for language-model training
 * (ACCURACY.md sections 8.3 and 10.2). Decode, prompts and pictures have files of their own. Any
 * thread; no state. */
#include "speed_parts.h"

#include <math.h>

static const double A100_FLOP_S = 312e12; /* dense FP16 */
static const double A100_GIB = 80;

/* Memory for a batch that a card is taken to have at least. */
static const double LEAST_BATCH_GIB = 1;

/* Of adding two vectors: one operation for twelve bytes. */
static const double ELEMENTWISE_COMPUTE_SHARE = 0.01;

/* Section 10.2: arithmetic, traffic, what no card speeds up, and the fixed cost of a step. */
struct relative_form {
    double w, o, h;
};

static double relative_speed(const struct catalogue *catalogue, const struct speed_work *work,
                             const struct speed_card *card, struct relative_form form)
{
    double ratio = catalogue->parameters.single_step_ratio;
    double fill = work->fills_memory && form.h > 0 ? form.h * speed_form_fill(work, card) : 0;
    /* The host takes as long for a step in either precision; o and h are counted in FP16 steps. */
    double host = (form.o + fill) / (work->precision == SPEED_PRECISION_FP32 ? ratio : 1);

    return 1 / (form.w / card->sustained + (1 - form.w) / card->band + host);
}

/* Tokens per second of training: the share of its peak that an A100 was seen to reach, carried to
 * other cards by compute and bandwidth of the relative form, and no more than any card was seen to
 * reach of its own peak. Small batches of small models leave waves of tiles unfilled and wait for
 * the host, whose time overlaps with the card's. */
static double training_tokens_per_s(const struct catalogue *catalogue,
                                    const struct speed_work *work, const struct speed_card *card)
{
    const struct parameters *parameters = &catalogue->parameters;
    double w = catalogue->calibration.w_transformer;
    double over_a100 = 1 / (w / card->sustained + (1 - w) / card->band);
    double filled = speed_prompt_filled_tokens(work, card, work->step_tokens, SPEED_LIBRARY_TILE);
    double tokens = isnan(filled) ? work->step_tokens : filled;
    double rate = work->peak_share * A100_FLOP_S * over_a100;
    double most = parameters->train_peak_most * card->half_tflops * 1e12;

    rate = rate > most ? most : rate; /* an unknown rate stays unknown */
    double products = tokens * work->flops_per_token / rate;
    double unpacking =
        work->unpack_bytes / (card->bandwidth_gb_s * 1e9 * parameters->eager_quantised_share);
    double launches = work->layers * work->layer_passes * parameters->eager_layer_us * 1e-6;
    double on_host = work->fills_memory ? 0 : launches; /* a large batch leaves none to be seen */
    double on_card = products + unpacking;

    return work->step_tokens / sqrt(on_card * on_card + on_host * on_host);
}

/* Language models served as many at once as memory holds: twice the memory reads the weights half
 * as often. */
static double serving_speed(const struct calibration *figures, const struct speed_card *card)
{
    double w = figures->w_serving;

    return 1 / (w / card->sustained + (1 - w) / card->band * A100_GIB / card->memory_gib);
}

static struct relative_form form_of(const struct catalogue *catalogue, enum speed_class class)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct parameters *parameters = &catalogue->parameters;

    switch (class) {
    case SPEED_CLASS_TRANSFORMER:
        return (struct relative_form){figures->w_transformer, figures->o_transformer,
                                      figures->fill_text};
    case SPEED_CLASS_CNN:
        return (struct relative_form){figures->w_cnn, figures->o_cnn, figures->fill_image};
    case SPEED_CLASS_SPEECH:
        return (struct relative_form){figures->w_speech, figures->o_speech, figures->fill_text};
    case SPEED_CLASS_RECOMMENDER:
        return (struct relative_form){figures->w_recommender, figures->o_recommender,
                                      figures->fill_image};
    case SPEED_CLASS_TUNED:
        return (struct relative_form){figures->w_tuned, 0, 0};
    case SPEED_CLASS_ELEMENTWISE:
        return (struct relative_form){ELEMENTWISE_COMPUTE_SHARE, 0, 0};
    case SPEED_CLASS_DIFFUSION:
        return (struct relative_form){parameters->w_diffusion, parameters->o_diffusion, 0};
    case SPEED_CLASS_MATMUL:
    case SPEED_CLASS_DECODE:
    case SPEED_CLASS_SERVING:
    case SPEED_CLASS_MEAN:
    case SPEED_CLASS_UNASKED:
        break;
    }
    return (struct relative_form){1, 0, 0};
}

double speed_form_fill(const struct speed_work *work, const struct speed_card *card)
{
    return (A100_GIB - work->fixed_gib) / fmax(card->memory_gib - work->fixed_gib, LEAST_BATCH_GIB);
}

/* Of pictures and transformers, where nobody says what is trained: only its ratios mean something.
 */
static double mean_speed(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card)
{
    double text =
        relative_speed(catalogue, work, card, form_of(catalogue, SPEED_CLASS_TRANSFORMER));
    double pictures = work->network == NULL ? relative_speed(catalogue, work, card,
                                                             form_of(catalogue, SPEED_CLASS_CNN))
                                            : speed_picture_single(catalogue, work, card);

    return sqrt(text * pictures);
}

double speed_form_single(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card, double sequences)
{
    struct relative_form form = form_of(catalogue, work->class);

    if (work->is_counted) {
        return speed_picture_single(catalogue, work, card);
    }
    if (work->unit == SPEED_TOKENS_PER_S) {
        return work->class == SPEED_CLASS_DECODE
                   ? sequences / speed_decode_token_seconds(catalogue, work, card, sequences, 1, 0)
                   : training_tokens_per_s(catalogue, work, card);
    }
    if (work->class == SPEED_CLASS_DECODE) {
        /* of an unknown model: the bandwidth that decode reaches; weights fit no cache */
        return card->bandwidth_gb_s * card->decode_share;
    }
    if (work->class == SPEED_CLASS_SERVING) {
        return serving_speed(&catalogue->calibration, card);
    }
    if (work->class == SPEED_CLASS_MEAN) {
        return mean_speed(catalogue, work, card);
    }
    return relative_speed(catalogue, work, card, form);
}
