/* The rates that a card sustains: peak, power limit, bandwidth, cache (ACCURACY.md section 10.1).
 * What reading prompts takes of a card is in speed_prompt.c. Any thread; no state. */
#include "speed_parts.h"

#include <math.h>
#include <string.h>

/* An A100 SXM 80GB (NVIDIA A100 data sheet): dense TFLOPS, watts, GB/s. */
static const double A100_FP16_TFLOPS = 312;
static const double A100_TF32_TFLOPS = 156;
static const double A100_INT8_TOPS = 624;
static const double A100_FP32_TFLOPS = 19.5;
static const double A100_WATTS = 400;
static const double A100_GB_S = 2039;

static double matrix_tflops(const struct gpu *gpu)
{
    return known_or(gpu->tensor_fp16_tflops, gpu->tensor_bf16_tflops);
}

static enum speed_kernels kernels_of(const struct gpu *gpu)
{
    return gpu->speed_trait == NULL ? SPEED_KERNELS_OTHER : gpu->speed_trait->kernels_code;
}

/* F of DESIGN.md section 3.3. A card with tensor cores whose tensor rate is not known has no F. */
static double half_tflops(const struct gpu *gpu)
{
    enum speed_kernels kernels = kernels_of(gpu);
    /* mixed precision fails on GTX 16, which runs FP32 instead */
    bool is_fp32 = kernels == SPEED_KERNELS_TURING && isnan(matrix_tflops(gpu));
    double plain = is_fp32 ? gpu->fp32_tflops : fmax(gpu->fp16_tflops, gpu->fp32_tflops);

    if (kernels == SPEED_KERNELS_RDNA) {
        /* RDNA 4 doubled the rate of its matrix units; SD.Next users see it no faster for that */
        return plain;
    }
    return known_or(matrix_tflops(gpu), gpu->tensor_cores > 0 ? (double)NAN : plain);
}

/* Peak over that of an A100, whose smallest numbers have 8 bits. Where a card lacks small numbers,
 * tuned software takes the next larger. */
static double peak_share(const struct gpu *gpu, enum speed_precision precision)
{
    double half = half_tflops(gpu);
    double int8 = known_or(gpu->tensor_int8_tops, half);
    double fp8 = known_or(gpu->tensor_fp8_tflops, int8);

    switch (precision) {
    case SPEED_PRECISION_FP32:
        return known_or(gpu->tensor_tf32_tflops, gpu->fp32_tflops) / A100_TF32_TFLOPS;
    case SPEED_PRECISION_FP16:
        return half / A100_FP16_TFLOPS;
    case SPEED_PRECISION_INT8:
        return int8 / A100_INT8_TOPS;
    case SPEED_PRECISION_FP8:
        return fp8 / A100_INT8_TOPS;
    case SPEED_PRECISION_FP4: /* twice the rate of FP8 */
        return (gpu->tensor_fp4_tflops > 0 ? 2 : 1) * fp8 / A100_INT8_TOPS;
    }
    return (double)NAN;
}

/* What the kernels and the manufacturing process of a generation make of a card. */
struct generation {
    double compute; /* share of its rate that kernels reach, that of an A100 being 1 */
    double power;   /* rate that 400 W sustain, over the peak of an A100 */
    double traffic; /* share of the bandwidth that kernels of other makers reach */
};

static struct generation generation_of(const struct catalogue *catalogue,
                                       enum speed_kernels kernels)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct parameters *parameters = &catalogue->parameters;
    double power_new = figures->power_new;

    switch (kernels) {
    case SPEED_KERNELS_OLDER:
    case SPEED_KERNELS_PASCAL:
        return (struct generation){figures->compute_pascal, figures->power_old, 1};
    case SPEED_KERNELS_VOLTA:
        return (struct generation){figures->compute_volta, figures->power_old, 1};
    case SPEED_KERNELS_TURING:
        return (struct generation){figures->compute_turing, figures->power_old, 1};
    case SPEED_KERNELS_AMPERE:
        return (struct generation){1, figures->power_8nm, 1};
    case SPEED_KERNELS_HOPPER:
        return (struct generation){parameters->compute_hopper, power_new, 1};
    case SPEED_KERNELS_BLACKWELL_DC:
        return (struct generation){parameters->compute_blackwell_dc, power_new, 1};
    case SPEED_KERNELS_GCN:
    case SPEED_KERNELS_GCN_DOT:
    case SPEED_KERNELS_CDNA:
        return (struct generation){parameters->compute_cdna, power_new, parameters->decode_cdna};
    case SPEED_KERNELS_XE_HPG:
    case SPEED_KERNELS_XE:
        return (struct generation){parameters->compute_xe, power_new, parameters->decode_xe};
    case SPEED_KERNELS_RDNA:
        return (struct generation){parameters->compute_rdna, power_new, 1};
    case SPEED_KERNELS_OTHER:
        return (struct generation){parameters->compute_other, power_new, 1};
    case SPEED_KERNELS_AMPERE_DC:
    case SPEED_KERNELS_ADA:
    case SPEED_KERNELS_BLACKWELL:
    case SPEED_KERNELS_COUNT:
        break;
    }
    return (struct generation){1, power_new, 1};
}

/* Data-center cards with GDDR check it in line, at the cost of bandwidth (A10, A40, T4, L4, L40S,
 * A2). */
static double ecc_factor(const struct calibration *figures, const struct gpu *gpu)
{
    bool is_inline = text_is(gpu->segment, "datacenter") && gpu->memory_type != NULL &&
                     strncmp(gpu->memory_type, "GDDR", 4) == 0;

    return is_inline ? figures->inline_ecc_factor : 1;
}

/* An operation takes the time of its peak and the time in which the power limit lets its energy
 * through; an A100 at 400 W is the unit. */
static double sustained_share(const struct calibration *figures,
                              const struct generation *generation, double peak, double watts)
{
    double unit = 1 + 1 / figures->power_new;

    return unit / (1 / peak + 1 / (generation->power * watts / A100_WATTS));
}

/* Share of the bandwidth that decode reaches: at batch 1 a multiprocessor can only fetch so many
 * bytes per clock, which is what holds wide HBM cards back. */
static double decode_share(const struct calibration *figures, struct speed_card *card)
{
    double asked = card->bandwidth_gb_s / (card->units * card->clock_ghz);

    if (isnan(asked)) { /* as if the card were just at its reach */
        asked = figures->decode_reach;
        card->is_assumed = true;
    }
    double at_eta = 1 / figures->decode_eta;
    double at_reach = asked / figures->decode_reach;
    double fourth = at_eta * at_eta * at_eta * at_eta + at_reach * at_reach * at_reach * at_reach;

    return 1 / sqrt(sqrt(fourth));
}

/* Peaks of one process. Where a maker prints no matrix rates for tensor cores, they do four and
 * eight operations where the plain cores do one (GeForce since 2018). */
static void read_peaks(const struct gpu *gpu, double share, struct speed_card *card)
{
    double matrix = known_or(gpu->tensor_fp16_acc16_tflops, matrix_tflops(gpu));
    double int8 = gpu->tensor_int8_tops;

    if (isnan(matrix) && gpu->tensor_cores > 0 && text_is(gpu->vendor, "nvidia")) {
        matrix = 4 * gpu->fp32_tflops;
        int8 = 8 * gpu->fp32_tflops;
    }
    card->matrix_tflops = matrix * share;
    card->half_tflops = half_tflops(gpu) * share;
    card->int8_tops = int8 * share;
    card->plain_tflops = fmax(gpu->fp16_tflops, gpu->fp32_tflops) * share;
    card->fp32_tflops = gpu->fp32_tflops * share;
}

void speed_card_read(const struct catalogue *catalogue, const struct gpu *gpu,
                     enum speed_precision precision, double power_limit_watts,
                     struct speed_card *card)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct speed_trait *trait = gpu->speed_trait;
    enum speed_kernels kernels = kernels_of(gpu);
    struct generation generation = generation_of(catalogue, kernels);
    double share = gpu->process_share;
    double boost = text_is(gpu->segment, "consumer") ? figures->consumer_boost : 1;
    double ecc = ecc_factor(figures, gpu);
    double watts = power_limit_watts < gpu->tdp_watts ? power_limit_watts : gpu->tdp_watts;
    double per_unit = trait == NULL ? (double)NAN : trait->cores_per_multiprocessor;

    *card = (struct speed_card){
        .kernels = kernels,
        .has_large_cache = trait != NULL && text_is(trait->large_cache, "yes"),
        .is_nvidia = text_is(gpu->vendor, "nvidia"),
        .is_amd = text_is(gpu->vendor, "amd"),
        .bandwidth_gb_s = gpu->memory_bandwidth_gb_s * share,
        .memory_gib = gpu->memory_per_process_gib,
        .watts = watts * share,
        .units = gpu->shader_cores * share / per_unit,
        .clock_ghz = gpu->boost_clock_mhz / 1000,
    };
    read_peaks(gpu, share, card);
    card->traffic_share = generation.traffic;
    card->decode_share = decode_share(figures, card) * ecc * generation.traffic;
    card->sustained = sustained_share(
        figures, &generation, peak_share(gpu, precision) * share * boost * generation.compute,
        card->watts);
    card->sustained_plain = sustained_share(figures, &generation,
                                            card->fp32_tflops / A100_FP32_TFLOPS * boost *
                                                (card->is_nvidia ? 1 : generation.compute),
                                            card->watts);
    card->band = card->bandwidth_gb_s / A100_GB_S * ecc * generation.traffic *
                 (card->has_large_cache ? figures->large_cache_factor : 1);
}

enum speed_backend speed_card_backend(const struct speed_work *work, const struct speed_card *card)
{
    if (work->backend != SPEED_BACKEND_UNASKED) {
        return work->backend;
    }
    return card->is_nvidia ? SPEED_BACKEND_CUDA
           : card->is_amd  ? SPEED_BACKEND_ROCM
                           : SPEED_BACKEND_VULKAN;
}
