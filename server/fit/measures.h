/* The measures of the score: how far predictions are from what was measured. They are those of the
 * scorer that judges the open half, under its names. Shares and errors in per cent. */
#ifndef GPUWISE_FIT_MEASURES_H
#define GPUWISE_FIT_MEASURES_H

#include "answers.h"

enum measure {
    MEASURE_RANK_MEDIAN, /* Spearman per group of 5 and more cards */
    MEASURE_RANK_MEAN,
    MEASURE_WRONG_ORDER, /* among pairs measured more than 10 % apart */
    MEASURE_ANCHOR_MEDIAN,
    MEASURE_ANCHOR_10,
    MEASURE_ANCHOR_20,
    MEASURE_CENTRED_MEDIAN,
    MEASURE_CENTRED_20,
    MEASURE_DECODE_MEDIAN,
    MEASURE_DECODE_20,
    MEASURE_PREFILL_MEDIAN,
    MEASURE_PREFILL_20,
    MEASURE_IMAGE_MEDIAN,
    MEASURE_IMAGE_20, /* no target */
    MEASURE_INFERENCE_MEDIAN,
    MEASURE_INFERENCE_10,
    MEASURE_INFERENCE_20,
    MEASURE_TRAINING_MEDIAN,
    MEASURE_TRAINING_10, /* no target */
    MEASURE_TRAINING_20,
    MEASURE_INFERENCE_LOW, /* more than 10 % too low */
    MEASURE_TRAINING_LOW,
    MEASURE_FIT_RIGHT,
    MEASURE_FIT_FALSE, /* said fits but did not */
    MEASURE_GGUF_MEDIAN,
    MEASURE_KV_MEDIAN,
    MEASURE_BAND_SPEED,
    MEASURE_BAND_INFERENCE,
    MEASURE_BAND_TRAINING,
    MEASURE_WIDTH_SPEED,
    MEASURE_WIDTH_INFERENCE,
    MEASURE_WIDTH_TRAINING,
    MEASURE_COUNT
};

struct measures {
    double values[MEASURE_COUNT]; /* NAN: nothing to measure */
    size_t rows[MEASURE_COUNT];   /* that it was measured on */
};

/* answers has one place per observation; declined ones are left out. Fails only without memory. */
bool measures_take(const struct truth *truth, const struct fit_answer *answers,
                   struct measures *measures, struct error *err) MUST_CHECK;

/* The scorer's name, as rank_median. */
const char *measure_name(enum measure measure);

/* The factor that centres the answers of a group of count observations: exp of the median of
 * log(measured / predicted) over those not declined; NAN: fewer than two. */
double measures_scale(const struct observation *observations, const struct fit_answer *answers,
                      size_t count);

/* How many observations from this one on are of its group (1: it stands for itself). */
size_t measures_group_length(const struct truth *truth, size_t first);

#endif
