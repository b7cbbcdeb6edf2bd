/* The numbers, in the order of struct calibration. Priors: what can be counted or stands in a
 * textbook or data sheet, else a neutral value (an even share, a factor near 1), with a width that
 * lets a handful of measurements decide. */
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>

#define BIT(kind) (1U << (unsigned)(kind))
#define GROUPS BIT(TRUTH_RELATIVE)
#define DECODE BIT(TRUTH_DECODE)
#define PREFILL BIT(TRUTH_PREFILL)
#define IMAGE BIT(TRUTH_IMAGE)
#define INFERENCE BIT(TRUTH_INFERENCE)
#define TRAINING BIT(TRUTH_TRAINING)

#define NUMBER(field, ...)                                                                         \
    {                                                                                              \
#field, offsetof(struct calibration, field), __VA_ARGS__                                   \
    }

const struct fitted_number FITTED_NUMBERS[] = {
    /* memory of language models: 8 values of 2 bytes in a block; logits in 16 bit, fp32, their
     * log-softmax and gradient; tables in fp32 and 16 bit; a matrix dequantised and once more */
    NUMBER(hidden_bytes, 16, 0.3, 8, 40, TRAINING),
    NUMBER(lora_hidden_bytes, 8, 0.5, 2, 30, TRAINING),
    NUMBER(logit_bytes, 12, 0.3, 4, 24, TRAINING),
    NUMBER(logit_quantised_bytes, 10, 0.3, 4, 24, TRAINING),
    NUMBER(logit_litgpt_bytes, 4, 0.5, 0.5, 12, TRAINING),
    NUMBER(logit_chunked_bytes, 2, 0.5, 0.2, 12, TRAINING),
    NUMBER(head_bytes, 6, 0.3, 2, 16, TRAINING),
    NUMBER(head_inference_bytes, 4, 0.3, 2, 8, INFERENCE | TRAINING),
    NUMBER(autogptq_bytes, 2, 1, 0.1, 8, INFERENCE),
    NUMBER(exllama_bytes, 3e8, 1, 1e7, 2e9, INFERENCE),
    NUMBER(live_hidden_copies, 2, 0.5, 0.5, 8, INFERENCE),
    /* workspace of the matrix library: 8 to 32 MiB */
    NUMBER(base_bytes, 3e7, 0.5, 5e6, 2e8, INFERENCE | TRAINING),
    /* two buckets of 5e8 elements of 2 bytes; the weights and the gradients of a block */
    NUMBER(deepspeed_buffer_bytes, 2e9, 0.3, 5e8, 5e9, TRAINING),
    NUMBER(fsdp_blocks, 2, 0.3, 1, 5, TRAINING),
    /* GPU Boost: 1.9 GHz where 1.7 is printed; a cache in front of GDDR; one byte in 16 holds the
     * code of ECC; kernels of old cards; a process makes about 1.5 times more of a watt than the
     * one before it */
    NUMBER(consumer_boost, 1.1, 0.05, 1, 1.25, GROUPS | IMAGE),
    NUMBER(large_cache_factor, 1.1, 0.2, 1, 1.5, GROUPS),
    NUMBER(inline_ecc_factor, 0.94, 0.05, 0.8, 1, GROUPS | DECODE),
    NUMBER(power_old, 0.8, 0.5, 0.3, 3, GROUPS),
    NUMBER(power_8nm, 1.2, 0.5, 0.5, 4, GROUPS | IMAGE),
    NUMBER(power_new, 1.8, 0.5, 0.8, 6, GROUPS | IMAGE),
    NUMBER(compute_pascal, 0.85, 0.3, 0.4, 1, GROUPS),
    NUMBER(compute_volta, 0.85, 0.3, 0.4, 1, GROUPS),
    NUMBER(compute_turing, 0.85, 0.3, 0.4, 1, GROUPS),
    /* classes: an even share, a fifth that does not scale, a step that costs a twenty-fifth */
    NUMBER(w_transformer, 0.5, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(o_transformer, 0.2, 1, 0.001, 2, GROUPS),
    NUMBER(w_speech, 0.5, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(o_speech, 0.2, 1, 0.001, 2, GROUPS),
    NUMBER(w_cnn, 0.5, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(o_cnn, 0.2, 1, 0.001, 2, GROUPS),
    NUMBER(w_recommender, 0.5, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(o_recommender, 0.2, 1, 0.001, 2, GROUPS),
    NUMBER(w_tuned, 0.8, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(w_serving, 0.5, 0.7, 0.01, 0.99, GROUPS),
    NUMBER(fill_text, 0.04, 1, 0.001, 1, GROUPS),
    NUMBER(fill_image, 0.04, 1, 0.001, 1, GROUPS),
    NUMBER(fill_fixed_gib, 3, 0.5, 0.5, 6, GROUPS),
    /* one stream of tokens: copies reach about 0.9 of the bandwidth; about ten kernels a layer of
     * 2 microseconds each and what waits between them */
    NUMBER(decode_eta, 0.9, 0.1, 0.6, 1, GROUPS | DECODE | IMAGE),
    NUMBER(decode_reach, 7, 0.5, 2, 30, GROUPS | DECODE),
    NUMBER(decode_layer_us, 40, 0.5, 5, 200, GROUPS | DECODE | PREFILL),
    NUMBER(decode_no_graph, 2, 0.5, 1, 6, GROUPS | DECODE | PREFILL),
    /* prompts: library products reach 0.8 of the peak, those that unpack weights half of it */
    NUMBER(prompt_library, 0.8, 0.1, 0.3, 1, GROUPS | PREFILL),
    NUMBER(prompt_int8, 0.4, 0.5, 0.1, 1, GROUPS | PREFILL),
    NUMBER(prompt_other_maker, 0.7, 0.3, 0.2, 1.2, GROUPS | PREFILL),
    NUMBER(prompt_power, 0.33, 0.5, 0.05, 1, GROUPS | PREFILL),
    NUMBER(prompt_feed, 0.33, 0.7, 0.01, 1.5, GROUPS | PREFILL),
    /* vision networks; a launch of PyTorch takes 10 to 30 microseconds, more on old hosts */
    NUMBER(conv_efficiency, 0.6, 0.4, 0.1, 1, GROUPS | IMAGE),
    NUMBER(depthwise_efficiency, 0.2, 1, 0.02, 1, IMAGE),
    NUMBER(activation_passes, 8, 0.3, 4, 16, GROUPS),
    NUMBER(launch_us, 30, 0.5, 5, 100, GROUPS),
};
const size_t fitted_number_count = sizeof FITTED_NUMBERS / sizeof FITTED_NUMBERS[0];

const struct range_number RANGE_NUMBERS[] = {
    NUMBER(low_inference, 0.9, TRUTH_INFERENCE, RANGE_LOW),
    NUMBER(high_inference, 1.1, TRUTH_INFERENCE, RANGE_HIGH),
    NUMBER(low_training, 0.8, TRUTH_TRAINING, RANGE_LOW),
    NUMBER(high_training, 1.2, TRUTH_TRAINING, RANGE_HIGH),
    NUMBER(half_width_decode, 0.2, TRUTH_DECODE, RANGE_HALF_WIDTH),
    NUMBER(half_width_prompt, 0.2, TRUTH_PREFILL, RANGE_HALF_WIDTH),
    NUMBER(half_width_image, 0.2, TRUTH_IMAGE, RANGE_HALF_WIDTH),
    NUMBER(half_width_relative, 0.2, TRUTH_RELATIVE, RANGE_HALF_WIDTH),
    NUMBER(half_width_wide, 0.3, TRUTH_RELATIVE, RANGE_HALF_WIDTH),
};
const size_t range_number_count = sizeof RANGE_NUMBERS / sizeof RANGE_NUMBERS[0];

_Static_assert((sizeof FITTED_NUMBERS / sizeof FITTED_NUMBERS[0]) +
                       (sizeof RANGE_NUMBERS / sizeof RANGE_NUMBERS[0]) <=
                   NUMBERS_MAX,
               "few enough numbers");

double number_rounded(double value, int digits)
{
    enum { TEXT_BYTES = 32 };
    char text[TEXT_BYTES];

    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}
