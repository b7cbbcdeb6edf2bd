/* How fast a set of cards does the work, with its range and what that rests on. The forms are in
 * speed_work.c, the rates of a card in speed_card.c, several cards in speed_scale.c. Any thread. */
#include "speed_parts.h"

#include <math.h>

const char *const BASIS_NAMES[BASIS_COUNT] = {"measured", "cited", "estimated", "assumed"};
const char *const SPEED_UNIT_NAMES[SPEED_UNIT_COUNT] = {"x RTX 3090", "tokens/s", "images/s"};

static const double SECONDS_PER_HOUR = 3600;

/* Half of the printed range, as a share of the value. */
static double half_width(const struct calibration *figures, const struct speed_work *work)
{
    if (work->unit == SPEED_IMAGES_PER_S || work->class == CLASS_DIFFUSION) {
        return figures->half_width_image;
    }
    if (work->unit == SPEED_TOKENS_PER_S) {
        return work->is_training ? figures->half_width_training : figures->half_width_decode;
    }
    return figures->half_width_relative;
}

/* Too few clean measurements of the architecture in this phase (DESIGN.md section 3.3). */
static bool is_unproven(const struct catalogue *catalogue, const struct gpu *gpu, bool is_training)
{
    const struct speed_trait *trait = gpu->speed_trait;

    return trait == NULL || !((is_training ? trait->training_rows : trait->inference_rows) >=
                              catalogue->parameters.unproven_min_rows);
}

static double low_share(const struct catalogue *catalogue, const struct speed_work *work,
                        const struct gpu *gpu)
{
    return is_unproven(catalogue, gpu, work->is_training)
               ? catalogue->parameters.unproven_low_factor
               : 1 - half_width(&catalogue->calibration, work);
}

static double set_speed(const struct catalogue *catalogue, const struct ask *ask,
                        const struct speed_work *work, const struct gpu *gpu,
                        const struct speed_card *card, enum strategy strategy, size_t cards)
{
    struct set_link link;

    if (cards < 2) {
        return speed_work_single(catalogue, work, card, work->sequences);
    }
    speed_scale_link(catalogue, ask, gpu, cards, &link);
    return speed_scale_set(catalogue, work, card, strategy, (double)cards, &link);
}

/* A power limit takes from the sustained rates what the power law gives it; bandwidth stays. */
static void limit_power(const struct catalogue *catalogue, const struct ask *ask,
                        const struct gpu *gpu, struct speed_card *card)
{
    if (ask->power_limit_watts < gpu->tdp_watts) { /* NAN: not asked */
        double share =
            pow(ask->power_limit_watts / gpu->tdp_watts, catalogue->calibration.power_share);

        card->sustained *= share;
        card->prompt_rate *= share;
    }
}

bool speed_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                    enum strategy strategy, size_t cards, struct speed *speed)
{
    struct speed_work work;
    struct speed_card card;
    struct speed_card reference;

    speed_work_read(catalogue, ask, &work);
    speed_card_read(catalogue, gpu, work.is_fp32, &card);
    limit_power(catalogue, ask, gpu, &card);
    speed_card_read(catalogue, catalogue->reference_gpu, work.is_fp32, &reference);
    double value = set_speed(catalogue, ask, &work, gpu, &card, strategy, cards);
    double single = cards < 2 ? value : speed_work_single(catalogue, &work, &card, work.sequences);
    double one = speed_work_single(catalogue, &work, &reference, work.sequences);
    double low = low_share(catalogue, &work, gpu);

    if (!(value > 0 && isfinite(value)) || !(one > 0 && isfinite(one))) {
        return false;
    }
    bool decodes = work.class == CLASS_DECODE && work.unit == SPEED_TOKENS_PER_S;
    double scale = work.unit == SPEED_RELATIVE ? 1 / one : 1; /* relative speed is told as ratio */

    *speed = (struct speed){
        .value = value * scale,
        .low = value * scale * low,
        .high = value * scale * (1 + half_width(&catalogue->calibration, &work)),
        .unit = work.unit,
        .is_unproven = is_unproven(catalogue, gpu, work.is_training),
        .relative = value / one,
        .relative_low = value * low / (one * low_share(catalogue, &work, catalogue->reference_gpu)),
        .prefill_tokens_per_s = decodes ? speed_work_prefill(catalogue, &work, &card) : (double)NAN,
        .tokens_per_s_per_user = decodes ? value / work.sequences : (double)NAN,
        .scaling = value / (single * (double)cards),
    };
    speed->basis =
        speed->is_unproven || work.class == CLASS_DIFFUSION || (decodes && card.is_assumed)
            ? BASIS_ASSUMED
            : BASIS_ESTIMATED;
    return true;
}

double speed_job_hours(const struct ask *ask, const struct speed *speed, double speed_value)
{
    bool trains_tokens = speed->unit == SPEED_TOKENS_PER_S && ask_is_training(ask);

    if (!isnan(ask->train_tokens) && trains_tokens) {
        return ask->train_tokens / speed_value / SECONDS_PER_HOUR;
    }
    if (!isnan(ask->samples) && trains_tokens) {
        return ask->samples * ask->seq_len / speed_value / SECONDS_PER_HOUR;
    }
    if (!isnan(ask->samples) && speed->unit == SPEED_IMAGES_PER_S) {
        return ask->samples / speed_value / SECONDS_PER_HOUR;
    }
    /* Hours were counted on one reference card; NAN when none of the three was asked. */
    return ask->hours / (speed->relative * (speed_value / speed->value));
}
