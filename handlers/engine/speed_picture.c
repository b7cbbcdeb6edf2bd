/* Networks for pictures, counted kernel by kernel (ACCURACY.md sections 10.3, 10.4). Any thread; no
 * state. */
#include "speed_parts.h"

#include <math.h>

static const double A100_FLOP_S = 312e12;       /* dense FP16 */
static const double A100_TF32_FLOP_S = 156e12;  /* dense */
static const double A100_FP32_FLOP_S = 19.5e12; /* plain cores */
static const double A100_BYTES_PER_S = 2039e9;

/* A training step passes forward and, for gradients of activations and of weights, twice back. */
static const double OLD_TRAINING_PASSES = 3;

/* Hosts and PyTorch 2 launch a kernel in half the time of those that launch_us was fitted on (2018
 * to 2020): an assumption. */
static const double LAUNCH_SHARE_TODAY = 0.5;

/* Kernels of a network where nobody counted them: as many as ResNet-50 launches. */
static const double USUAL_KERNELS = 175;

/* A network that was not counted: matrix units are filled as by a convolution network, and every
 * activation is read and written as often as in ResNet. */
static const double USUAL_PADDING = 1.2;
static const double USUAL_PASSES = 7.5;

static double flop_s(const struct speed_work *work, const struct speed_card *card)
{
    return card->sustained *
           (work->precision == SPEED_PRECISION_FP32 ? A100_TF32_FLOP_S : A100_FLOP_S);
}

/* Bytes of a value over those of a 16-bit one. */
static double width(const struct speed_work *work)
{
    return work->precision == SPEED_PRECISION_FP32 ? 2 : 1;
}

/* Seconds of one picture forward, from the work counted layer by layer. Matrix units and plain
 * cores take turns, and memory is read between them. */
static double counted_seconds(const struct calibration *figures, const struct speed_work *work,
                              const struct speed_card *card)
{
    const struct network *network = work->network;
    double matrix = known_or(network->tensor_gmacs, USUAL_PADDING * network->gmacs);
    double plain = known_or(network->depthwise_gmacs, 0);
    double bytes = known_or(network->traffic_mb, 2 * USUAL_PASSES * network->activations_m) +
                   (work->stores_scores ? known_or(network->attention_mb, 0) : 0);
    double seconds = 2e9 * matrix / (figures->conv_efficiency * flop_s(work, card)) +
                     1e6 * bytes * width(work) /
                         (figures->decode_eta * card->traffic_share * card->bandwidth_gb_s * 1e9);

    return plain > 0 ? seconds + 2e9 * plain /
                                     (figures->depthwise_efficiency * card->sustained_plain *
                                      A100_FP32_FLOP_S)
                     : seconds;
}

/* The same in software before 2021, by passes over every activation; small batches profit from a
 * large cache. */
static double old_seconds(const struct calibration *figures, const struct speed_work *work,
                          const struct speed_card *card)
{
    const struct network *network = work->network;
    double traffic = network->activations_m * 1e6 * 2 * width(work) * figures->activation_passes;

    return 2e9 * network->gmacs / (figures->conv_efficiency * flop_s(work, card)) +
           traffic / (card->band * A100_BYTES_PER_S);
}

/* The host prepares the next kernels while the card computes; the sum of squares stands for how far
 * the two overlap. A batch that fills the card leaves nothing of the host to be seen. */
double speed_picture_single(const struct catalogue *catalogue, const struct speed_work *work,
                            const struct speed_card *card)
{
    const struct calibration *figures = &catalogue->calibration;
    double training =
        work->is_old_build ? OLD_TRAINING_PASSES : catalogue->parameters.train_picture_passes;
    double passes = work->is_training ? training : 1;
    double on_card = passes * work->pixel_share *
                     (work->is_old_build ? old_seconds(figures, work, card)
                                         : counted_seconds(figures, work, card));
    double kernels = known_or(work->network->kernels, USUAL_KERNELS);

    if (isnan(work->batch)) {
        return 1 / on_card;
    }
    double step = work->batch * on_card;
    double launch_us = figures->launch_us * (work->is_old_build ? 1 : LAUNCH_SHARE_TODAY);
    double on_host = passes * kernels * launch_us * 1e-6;

    return work->batch / sqrt(step * step + on_host * on_host);
}
