/* Support and features of a card, read off the facts. Knows no price and no work. No state. */
#include "support.h"

#include <stdlib.h>

static const double CUDA_MAJOR_ASKED = 13; /* of needs=cuda-13 */

enum support_status support_status_of(const struct support *row)
{
    static const struct {
        const char *name;
        enum support_status status;
    } NAMES[] = {
        {"supported", SUPPORT_SUPPORTED},
        {"ending", SUPPORT_ENDING},
        {"unofficial", SUPPORT_UNOFFICIAL},
        {"dropped", SUPPORT_DROPPED},
        {"none", SUPPORT_NONE},
    };

    for (size_t i = 0; row != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (text_is(row->status, NAMES[i].name)) {
            return NAMES[i].status;
        }
    }
    return SUPPORT_UNKNOWN;
}

const struct support *support_row(const struct gpu *gpu, enum framework framework, enum os os)
{
    const struct support *row = gpu->support[framework][os];

    if (row != NULL || os != OS_WSL ||
        support_status_of(gpu->support[FRAMEWORK_ROCM][OS_WSL]) == SUPPORT_NONE) {
        return row;
    }
    return gpu->support[framework][OS_LINUX];
}

enum support_status support_of(const struct gpu *gpu, enum framework framework, enum os os)
{
    return support_status_of(support_row(gpu, framework, os));
}

const struct support *support_own_stack(const struct gpu *gpu, enum framework *framework)
{
    static const enum framework STACKS[] = {FRAMEWORK_CUDA, FRAMEWORK_ROCM};

    /* Other vendors' cards have a row that says "none" there. */
    for (size_t i = 0; i < sizeof STACKS / sizeof STACKS[0]; i++) {
        const struct support *row = gpu->support[STACKS[i]][OS_LINUX];

        if (row != NULL && support_status_of(row) != SUPPORT_NONE) {
            *framework = STACKS[i];
            return row;
        }
    }
    *framework = FRAMEWORK_DRIVER;
    return gpu->support[FRAMEWORK_DRIVER][OS_LINUX];
}

double support_life_factor(const struct catalogue *catalogue, enum support_status status)
{
    switch (status) {
    case SUPPORT_SUPPORTED:
        return catalogue->parameters.life_factor_supported;
    case SUPPORT_ENDING:
    case SUPPORT_UNOFFICIAL:
    case SUPPORT_UNKNOWN:
        return catalogue->parameters.life_factor_ending;
    case SUPPORT_DROPPED:
    case SUPPORT_NONE:
        break;
    }
    return 0; /* rejected before it is ranked */
}

double support_ecosystem_factor(const struct catalogue *catalogue, const struct ask *ask,
                                const struct gpu *gpu)
{
    const struct parameters *parameters = &catalogue->parameters;

    if (ask->ignores_ecosystem) {
        return 1;
    }
    if (text_is(gpu->vendor, "nvidia")) {
        return parameters->ecosystem_factor_cuda;
    }
    if (support_status_of(support_row(gpu, FRAMEWORK_ROCM, ask->os)) == SUPPORT_SUPPORTED) {
        return parameters->ecosystem_factor_rocm_listed;
    }
    return parameters->ecosystem_factor_other;
}

static bool is_cuda_at_least(const struct support *row, double major)
{
    if (support_status_of(row) != SUPPORT_SUPPORTED) {
        return false;
    }
    return row->last_version == NULL || strtod(row->last_version, NULL) >= major;
}

/* A known rate shows the mode as well as the word "yes" of the architecture; "partial" does not. */
static bool has_mode(double rate_tflops, const char *word)
{
    return rate_tflops > 0 || text_is(word, "yes");
}

bool support_has_feature(const struct gpu *gpu, enum feature feature, enum os os)
{
    const struct architecture *architecture = gpu->architecture_row;
    const char *bf16 = architecture == NULL ? NULL : architecture->bf16;
    const char *fp8 = architecture == NULL ? NULL : architecture->fp8;

    switch (feature) {
    case FEATURE_BF16:
        return has_mode(gpu->tensor_bf16_tflops, bf16);
    case FEATURE_FP8:
        return has_mode(gpu->tensor_fp8_tflops, fp8);
    case FEATURE_NVLINK:
        /* The column also tells other makers' links; NAN: unknown, and not above 0. */
        return text_is(gpu->vendor, "nvidia") && gpu->nvlink_gb_s > 0;
    case FEATURE_MIG:
        return gpu->mig_max_instances > 0;
    case FEATURE_ECC:
        return text_is(gpu->ecc, "yes") || text_is(gpu->ecc, "optional");
    case FEATURE_FLASH_ATTENTION_2:
        return support_status_of(support_row(gpu, FRAMEWORK_FLASH_ATTENTION_2, os)) ==
               SUPPORT_SUPPORTED;
    case FEATURE_CUDA_13:
        return is_cuda_at_least(support_row(gpu, FRAMEWORK_CUDA, os), CUDA_MAJOR_ASKED);
    case FEATURE_EXPORT_FREE:
        return text_is(gpu->export_controlled_cn, "no");
    case FEATURE_DISPLAY:
        return gpu->display_outputs > 0;
    case FEATURE_COUNT:
        break;
    }
    return false;
}
