/* Reads the fitted numbers by name into struct calibration. Which they are is one table: a new one
 * needs its line here, its field in calibration.h and its row in migrations/calibration.csv. No
 * state. */
#include "calibration.h"

#include <math.h>
#include <string.h>

struct calibration_field {
    const char *name;
    size_t offset;
};

#define NUMBER(field)                                                                              \
    {                                                                                              \
#field, offsetof(struct calibration, field)                                                \
    }

static const struct calibration_field FIELDS[] = {
    NUMBER(hidden_bytes),
    NUMBER(lora_hidden_bytes),
    NUMBER(logit_bytes),
    NUMBER(logit_quantised_bytes),
    NUMBER(logit_litgpt_bytes),
    NUMBER(logit_chunked_bytes),
    NUMBER(head_bytes),
    NUMBER(head_inference_bytes),
    NUMBER(autogptq_bytes),
    NUMBER(exllama_bytes),
    NUMBER(live_hidden_copies),
    NUMBER(base_bytes),
    NUMBER(deepspeed_buffer_bytes),
    NUMBER(fsdp_blocks),
    NUMBER(low_inference),
    NUMBER(high_inference),
    NUMBER(low_training),
    NUMBER(high_training),
    NUMBER(consumer_boost),
    NUMBER(large_cache_factor),
    NUMBER(inline_ecc_factor),
    NUMBER(power_old),
    NUMBER(power_8nm),
    NUMBER(power_new),
    NUMBER(compute_pascal),
    NUMBER(compute_volta),
    NUMBER(compute_turing),
    NUMBER(w_transformer),
    NUMBER(o_transformer),
    NUMBER(w_speech),
    NUMBER(o_speech),
    NUMBER(w_cnn),
    NUMBER(o_cnn),
    NUMBER(w_recommender),
    NUMBER(o_recommender),
    NUMBER(w_tuned),
    NUMBER(w_serving),
    NUMBER(fill_text),
    NUMBER(fill_image),
    NUMBER(fill_fixed_gib),
    NUMBER(decode_eta),
    NUMBER(decode_reach),
    NUMBER(decode_layer_us),
    NUMBER(decode_no_graph),
    NUMBER(prompt_library),
    NUMBER(prompt_int8),
    NUMBER(prompt_other_maker),
    NUMBER(prompt_power),
    NUMBER(prompt_feed),
    NUMBER(conv_efficiency),
    NUMBER(depthwise_efficiency),
    NUMBER(activation_passes),
    NUMBER(launch_us),
    NUMBER(half_width_decode),
    NUMBER(half_width_prompt),
    NUMBER(half_width_image),
    NUMBER(half_width_relative),
    NUMBER(half_width_wide),
};
_Static_assert(sizeof FIELDS / sizeof FIELDS[0] == sizeof(struct calibration) / sizeof(double),
               "every field of struct calibration has its line");

static const struct calibration_row *find_row(const struct calibration_row *rows, size_t count,
                                              const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

bool calibration_read(const struct calibration_row *rows, size_t count,
                      struct calibration *calibration, struct error *err)
{
    struct calibration read = {0};

    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        const struct calibration_row *row = find_row(rows, count, FIELDS[i].name);

        if (row == NULL || !isfinite(row->value)) {
            return error_set(err, ERROR_BAD_DATABASE, "calibration: %s is missing", FIELDS[i].name);
        }
        memcpy((char *)&read + FIELDS[i].offset, &row->value, sizeof row->value);
    }
    *calibration = read;
    return true;
}
