/* The rates that a card sustains: peak, power limit, bandwidth, cache (ACCURACY.md
 * sections 10.1, 10.4). Everything is relative to an A100 SXM 80GB. Any thread; no state. */
#include "speed_parts.h"

#include <math.h>
#include <string.h>

/* An A100 SXM 80GB (NVIDIA A100 data sheet): dense TFLOPS, watts, GB/s. */
static const double A100_FP16_TFLOPS = 312;
static const double A100_TF32_TFLOPS = 156;
static const double A100_WATTS = 400;
static const double A100_GB_S = 2039;

static double larger_known(double a, double b)
{
    return fmax(a, b); /* of a number and a NAN the number */
}

/* F of DESIGN.md section 3.3. A card with tensor cores whose tensor rate is not known has no F. */
static double half_tflops(const struct gpu *gpu)
{
    if (!isnan(gpu->tensor_fp16_tflops)) {
        return gpu->tensor_fp16_tflops;
    }
    if (!isnan(gpu->tensor_bf16_tflops)) {
        return gpu->tensor_bf16_tflops;
    }
    return gpu->tensor_cores > 0 ? (double)NAN : larger_known(gpu->fp16_tflops, gpu->fp32_tflops);
}

static double single_tflops(const struct gpu *gpu)
{
    return isnan(gpu->tensor_tf32_tflops) ? gpu->fp32_tflops : gpu->tensor_tf32_tflops;
}

/* Data-center cards with GDDR check it in line, at the cost of bandwidth (A10, A40, T4, L4, L40S,
 * A2). */
static double ecc_factor(const struct calibration *figures, const struct gpu *gpu)
{
    bool is_inline = text_is(gpu->segment, "datacenter") && gpu->memory_type != NULL &&
                     strncmp(gpu->memory_type, "GDDR", 4) == 0;

    return is_inline ? figures->inline_ecc_factor : 1;
}

/* (F/F0)^(1-p) x (T/400)^p: the power limit decides a part of the rate. */
static double sustained_share(const struct calibration *figures, double peak_share, double watts)
{
    return pow(peak_share, 1 - figures->power_share) *
           pow(watts / A100_WATTS, figures->power_share);
}

/* Share of the bandwidth that decode reaches: at batch 1 a multiprocessor can only fetch so many
 * bytes per clock, which is what holds wide HBM cards back. */
static double decode_share(const struct calibration *figures, const struct gpu *gpu,
                           double bandwidth, struct speed_card *card)
{
    double per =
        gpu->speed_trait == NULL ? (double)NAN : gpu->speed_trait->cores_per_multiprocessor;
    double clock_ghz = gpu->boost_clock_mhz / 1000;
    double asked = bandwidth / (gpu->shader_cores * gpu->process_share / per * clock_ghz);

    if (isnan(asked)) { /* as if the card were just at its reach */
        asked = figures->decode_reach;
        card->is_assumed = true;
    }
    double at_eta = 1 / figures->decode_eta;
    double at_reach = asked / figures->decode_reach;
    double fourth = at_eta * at_eta * at_eta * at_eta + at_reach * at_reach * at_reach * at_reach;

    return 1 / sqrt(sqrt(fourth));
}

void speed_card_read(const struct catalogue *catalogue, const struct gpu *gpu, bool is_fp32,
                     struct speed_card *card)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct speed_trait *trait = gpu->speed_trait;
    double share = gpu->process_share;
    double half = half_tflops(gpu);
    double peak_share =
        (is_fp32 ? single_tflops(gpu) / A100_TF32_TFLOPS : half / A100_FP16_TFLOPS) * share;
    double watts = gpu->tdp_watts * share;
    double ecc = ecc_factor(figures, gpu);
    double acc16 = isnan(gpu->tensor_fp16_acc16_tflops) ? half : gpu->tensor_fp16_acc16_tflops;

    *card = (struct speed_card){.bandwidth_gb_s = gpu->memory_bandwidth_gb_s * share};
    card->decode_share = decode_share(figures, gpu, card->bandwidth_gb_s, card) * ecc *
                         (trait == NULL ? 1 : trait->decode_factor);
    card->sustained = sustained_share(figures, peak_share, watts) *
                      (trait == NULL ? 1 : trait->compute_factor) *
                      (text_is(gpu->segment, "consumer") ? figures->consumer_boost : 1);
    card->band =
        card->bandwidth_gb_s / A100_GB_S * ecc *
        (trait != NULL && text_is(trait->large_cache, "yes") ? figures->large_cache_factor : 1);
    card->prompt_rate = sustained_share(figures, acc16 * share / A100_FP16_TFLOPS, watts) *
                        (trait == NULL ? 1 : trait->prefill_factor);
}
