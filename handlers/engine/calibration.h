/* The fitted numbers of the memory and speed models, as rows of data with unit, basis, date and
 * source. */
#ifndef GPUWISE_ENGINE_CALIBRATION_H
#define GPUWISE_ENGINE_CALIBRATION_H

#include "day.h"
#include "error.h"

#include <stddef.h>

struct calibration_row {
    const char *name;
    double value;
    const char *unit, *meaning, *basis, *source;
    struct date observed_on;
};

/* The values by name; unit and meaning of each stand in its row (migrations/calibration.csv). */
struct calibration {
    /* memory: of language models, of other networks, ranges as shares of the value */
    double hidden_bytes, lora_hidden_bytes, logit_bytes, logit_quantised_bytes;
    double logit_litgpt_bytes, logit_chunked_bytes, head_bytes, head_inference_bytes;
    double autogptq_bytes, exllama_bytes, live_hidden_copies, base_bytes;
    double deepspeed_buffer_bytes, fsdp_blocks;
    double low_inference, high_inference, low_training, high_training;
    /* speed: rates and bandwidth */
    double consumer_boost, large_cache_factor, inline_ecc_factor, power_old, power_8nm, power_new;
    double compute_pascal, compute_volta, compute_turing;
    /* speed: classes (w of compute, o that does not scale), batches that fill the card */
    double w_transformer, o_transformer, w_speech, o_speech, w_cnn, o_cnn;
    double w_recommender, o_recommender, w_tuned, w_serving, fill_text, fill_image, fill_fixed_gib;
    /* speed: absolute forms */
    double decode_eta, decode_reach, decode_layer_us, decode_no_graph;
    double prompt_library, prompt_int8, prompt_other_maker, prompt_power, prompt_feed;
    double conv_efficiency, depthwise_efficiency, activation_passes, launch_us;
    /* ranges of speed as half-widths, shares of the value */
    double half_width_decode, half_width_prompt, half_width_image, half_width_relative;
    double half_width_wide;
};

/* Fills *calibration from the rows; fails when one is missing, naming it. */
bool calibration_read(const struct calibration_row *rows, size_t count,
                      struct calibration *calibration, struct error *err) MUST_CHECK;

#endif
