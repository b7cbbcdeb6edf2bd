/* How fast a set of cards does the work, with its range and what that rests on. The forms are in
 * speed_work.c, the rates of a card in speed_card.c, several cards in speed_scale.c. Any thread. */
#include "speed_parts.h"

#include <math.h>

const char *const BASIS_NAMES[BASIS_COUNT] = {"measured", "cited", "estimated", "assumed"};
const char *const SPEED_UNIT_NAMES[SPEED_UNIT_COUNT] = {"x RTX 3090", "tokens/s", "images/s"};

static const double SECONDS_PER_HOUR = 3600;

/* A batch that fills a card of 11 GB or less (10.2) is decided by what is left of its memory. */
static const double NARROW_FILL = 9;

/* Small models are written as fast as a server answers, and servers differ. */
static const double SMALL_PARAMS = 5e9;

static double half_width_decode(const struct calibration *figures, const struct speed_work *work)
{
    bool is_server_bound = work->serves && work->params_active < SMALL_PARAMS;

    return is_server_bound || work->expert_share < 1 ? figures->half_width_wide
                                                     : figures->half_width_decode;
}

/* Half of the printed range, as a share of the value. */
static double half_width(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card)
{
    const struct calibration *figures = &catalogue->calibration;

    if ((work->is_counted && !isnan(work->batch)) ||
        (work->fills_memory && !work->is_counted && speed_form_fill(work, card) > NARROW_FILL)) {
        return figures->half_width_wide;
    }
    if (work->unit == SPEED_TOKENS_PER_S) {
        return work->is_training ? catalogue->parameters.half_width_training
                                 : half_width_decode(figures, work);
    }
    if (work->class == SPEED_CLASS_DIFFUSION || work->is_counted ||
        (work->class == SPEED_CLASS_CNN && !work->is_training)) {
        return figures->half_width_image;
    }
    return figures->half_width_relative;
}

static double half_width_prompt(const struct calibration *figures, const struct speed_work *work,
                                const struct speed_card *card)
{
    return speed_prompt_is_rare(work, card) ? figures->half_width_wide : figures->half_width_prompt;
}

/* Measurements of the architecture that say something about the work: of its phase, and of other
 * work than language models only where it is not one. Writing tokens is bound by bandwidth, which
 * any inference shows. */
static double measured_rows(const struct speed_trait *trait, const struct speed_work *work)
{
    bool is_language = work->class == SPEED_CLASS_DECODE || work->class == SPEED_CLASS_SERVING;

    if (work->is_training) {
        return trait->training_rows;
    }
    return trait->inference_rows - (is_language ? 0 : trait->language_rows);
}

/* Too few clean measurements of the architecture (DESIGN.md section 3.3). */
static bool is_unproven(const struct catalogue *catalogue, const struct gpu *gpu,
                        const struct speed_work *work)
{
    return gpu->speed_trait == NULL ||
           !(measured_rows(gpu->speed_trait, work) >= catalogue->parameters.unproven_min_rows);
}

static double low_share(const struct catalogue *catalogue, const struct speed_work *work,
                        const struct gpu *gpu, const struct speed_card *card)
{
    return is_unproven(catalogue, gpu, work) ? catalogue->parameters.unproven_low_factor
                                             : 1 - half_width(catalogue, work, card);
}

static double set_speed(const struct catalogue *catalogue, const struct ask *ask,
                        const struct speed_work *work, const struct gpu *gpu,
                        const struct speed_card *card, enum strategy strategy, size_t cards)
{
    struct set_link link;

    if (cards < 2) {
        return speed_form_single(catalogue, work, card, work->sequences);
    }
    speed_scale_link(catalogue, ask, gpu, cards, &link);
    return speed_scale_set(catalogue, work, card, strategy, (double)cards, &link);
}

void speed_rater_init(struct speed_rater *rater, const struct catalogue *catalogue,
                      const struct ask *ask)
{
    const struct gpu *gpu = catalogue->reference_gpu;
    struct speed_card card;

    *rater = (struct speed_rater){.catalogue = catalogue, .ask = ask};
    speed_work_read(catalogue, ask, &rater->work);
    speed_card_read(catalogue, gpu, rater->work.precision, (double)NAN, &card);
    rater->reference = speed_form_single(catalogue, &rater->work, &card, rater->work.sequences);
    rater->reference_low = rater->reference * low_share(catalogue, &rater->work, gpu, &card);
}

bool speed_rate(const struct speed_rater *rater, const struct gpu *gpu, enum strategy strategy,
                size_t cards, struct speed *speed)
{
    const struct catalogue *catalogue = rater->catalogue;
    const struct speed_work *work = &rater->work;
    double one = rater->reference;
    struct speed_card card;

    speed_card_read(catalogue, gpu, work->precision, rater->ask->power_limit_watts, &card);
    double value = set_speed(catalogue, rater->ask, work, gpu, &card, strategy, cards);
    double single = cards < 2 ? value : speed_form_single(catalogue, work, &card, work->sequences);
    double low = low_share(catalogue, work, gpu, &card);

    if (!(value > 0 && isfinite(value)) || !(one > 0 && isfinite(one))) {
        return false;
    }
    bool decodes = work->class == SPEED_CLASS_DECODE && work->unit == SPEED_TOKENS_PER_S;
    double scale = work->unit == SPEED_RELATIVE ? 1 / one : 1; /* relative speed is told as ratio */

    *speed = (struct speed){
        .value = value * scale,
        .low = value * scale * low,
        .high = value * scale * (1 + half_width(catalogue, work, &card)),
        .unit = work->unit,
        .is_unproven = is_unproven(catalogue, gpu, work),
        .relative = value / one,
        .relative_low = value * low / rater->reference_low,
        .prefill_tokens_per_s =
            decodes ? speed_prompt_tokens_per_s(catalogue, work, &card) : (double)NAN,
        .prefill_half_width = half_width_prompt(&catalogue->calibration, work, &card),
        .tokens_per_s_per_user = decodes ? value / work->sequences : (double)NAN,
        .scaling = value / (single * (double)cards),
    };
    speed->basis =
        speed->is_unproven || work->class == SPEED_CLASS_DIFFUSION || (decodes && card.is_assumed)
            ? BASIS_ASSUMED
            : BASIS_ESTIMATED;
    return true;
}

bool speed_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                    enum strategy strategy, size_t cards, struct speed *speed)
{
    struct speed_rater rater;

    speed_rater_init(&rater, catalogue, ask);
    return speed_rate(&rater, gpu, strategy, cards, speed);
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
