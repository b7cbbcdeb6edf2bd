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
    double power_share, consumer_boost, large_cache_factor, inline_ecc_factor;
    /* speed: classes (w of compute, o that does not scale) */
    double w_transformer, o_transformer, w_speech, o_speech, w_cnn, o_cnn, w_diffusion, o_diffusion;
    /* speed: absolute forms */
    double decode_eta, decode_reach, decode_layer_us, decode_depth_scale, decode_depth_exponent;
    double eager_layer_us, eager_quantised_share;
    double prefill_share, prefill_quantised_factor, prefill_flash_factor, conv_efficiency;
    double activation_passes;
    double train_peak_share, train_peak_share_small, train_small_params;
    /* speed: several cards */
    double hidden_communication_share, scaling_unknown_step, allreduce_nvlink_us, allreduce_pcie_us;
    /* ranges of speed as half-widths, shares of the value */
    double half_width_decode, half_width_image, half_width_relative;
    double half_width_training;
};

/* Fills *calibration from the rows; fails when one is missing, naming it. */
bool calibration_read(const struct calibration_row *rows, size_t count,
                      struct calibration *calibration, struct error *err) MUST_CHECK;

#endif
