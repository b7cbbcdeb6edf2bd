/* support.c: words of support.csv turned into statuses, factors and features. */
#include "support.h"

#include "hand_catalogue.h"
#include "tests/catalogue_fixture.h"

/* Rows as in support.csv of 2026-11-30. */
static const struct support VOLTA_CUDA = {.scope = "Volta",
                                          .framework = "cuda",
                                          .os = "linux",
                                          .status = "dropped",
                                          .last_version = "12.9"};
static const struct support VOLTA_PYTORCH = {
    .scope = "Volta", .framework = "pytorch", .os = "linux", .status = "ending"};
static const struct support TURING_CUDA = {.scope = "Turing",
                                           .framework = "cuda",
                                           .os = "linux",
                                           .status = "supported",
                                           .first_version = "10.0"};
static const struct support TURING_FLASH = {
    .scope = "Turing", .framework = "flash-attention-2", .os = "linux", .status = "unofficial"};
static const struct support AMPERE_FLASH = {
    .scope = "Ampere", .framework = "flash-attention-2", .os = "linux", .status = "supported"};
static const struct support RDNA_3_CUDA = {
    .scope = "RDNA 3", .framework = "cuda", .os = "linux", .status = "none"};
static const struct support XTX_ROCM = {
    .scope = "amd-radeon-rx-7900-xtx", .framework = "rocm", .os = "linux", .status = "supported"};
static const struct support RDNA_2_ROCM = {
    .scope = "RDNA 2", .framework = "rocm", .os = "linux", .status = "unofficial"};
static const struct support RDNA_2_ROCM_WSL = {
    .scope = "RDNA 2", .framework = "rocm", .os = "wsl", .status = "none"};
static const struct support ARC_DRIVER = {
    .scope = "Xe-HPG", .framework = "driver", .os = "linux", .status = "supported"};

static struct gpu card(const char *vendor, const struct architecture *architecture)
{
    return (struct gpu){.vendor = vendor,
                        .architecture_row = architecture,
                        .tensor_bf16_tflops = (double)NAN,
                        .tensor_fp8_tflops = (double)NAN,
                        .nvlink_gb_s = (double)NAN,
                        .mig_max_instances = (double)NAN};
}

static void test_status(void)
{
    struct gpu volta = card("nvidia", NULL);
    struct catalogue catalogue;

    hand_catalogue(&catalogue);
    volta.support[FRAMEWORK_PYTORCH][OS_LINUX] = &VOLTA_PYTORCH;
    tap_ok(support_of(&volta, FRAMEWORK_PYTORCH, OS_LINUX) == SUPPORT_ENDING,
           "Volta ends under PyTorch");
    tap_ok(support_of(&volta, FRAMEWORK_JAX, OS_LINUX) == SUPPORT_UNKNOWN, "no row: not known");
    tap_ok(support_status_of(NULL) == SUPPORT_UNKNOWN, "NULL: not known");
    tap_ok(support_status_of(&VOLTA_CUDA) == SUPPORT_DROPPED, "dropped");
    tap_ok(support_status_of(&RDNA_3_CUDA) == SUPPORT_NONE, "none");
    tap_ok(support_status_of(&TURING_FLASH) == SUPPORT_UNOFFICIAL, "unofficial");
    tap_ok(support_life_factor(&catalogue, SUPPORT_SUPPORTED) == 1, "L of supported");
    tap_ok(support_life_factor(&catalogue, SUPPORT_ENDING) == 0.5, "L of ending");
    tap_ok(support_life_factor(&catalogue, SUPPORT_UNOFFICIAL) == 0.5, "L of unofficial");
    tap_ok(support_life_factor(&catalogue, SUPPORT_UNKNOWN) == 0.5, "L of not known");
    tap_ok(support_life_factor(&catalogue, SUPPORT_DROPPED) == 0, "dropped does not live");
    tap_ok(support_life_factor(&catalogue, SUPPORT_NONE) == 0, "nor does none");
}

static void test_own_stack(void)
{
    struct gpu volta = card("nvidia", NULL);
    struct gpu xtx = card("amd", NULL);
    struct gpu arc = card("intel", NULL);
    enum framework framework = FRAMEWORK_COUNT;

    volta.support[FRAMEWORK_CUDA][OS_LINUX] = &VOLTA_CUDA;
    tap_ok(support_own_stack(&volta, &framework) == &VOLTA_CUDA && framework == FRAMEWORK_CUDA,
           "CUDA of an NVIDIA card, though dropped");
    xtx.support[FRAMEWORK_CUDA][OS_LINUX] = &RDNA_3_CUDA;
    xtx.support[FRAMEWORK_ROCM][OS_LINUX] = &XTX_ROCM;
    tap_ok(support_own_stack(&xtx, &framework) == &XTX_ROCM && framework == FRAMEWORK_ROCM,
           "ROCm of an AMD card: \"none\" under CUDA is not its stack");
    arc.support[FRAMEWORK_CUDA][OS_LINUX] = &RDNA_3_CUDA;
    arc.support[FRAMEWORK_DRIVER][OS_LINUX] = &ARC_DRIVER;
    tap_ok(support_own_stack(&arc, &framework) == &ARC_DRIVER && framework == FRAMEWORK_DRIVER,
           "else the driver");
    arc.support[FRAMEWORK_DRIVER][OS_LINUX] = NULL;
    tap_ok(support_own_stack(&arc, &framework) == NULL, "nothing known: NULL");
}

static void test_ecosystem(void)
{
    struct gpu nvidia = card("nvidia", NULL);
    struct gpu xtx = card("amd", NULL);
    struct gpu rdna_2 = card("amd", NULL);
    struct ask ask = {.os = OS_LINUX};
    struct catalogue catalogue;

    hand_catalogue(&catalogue);
    xtx.support[FRAMEWORK_ROCM][OS_LINUX] = &XTX_ROCM;
    rdna_2.support[FRAMEWORK_ROCM][OS_LINUX] = &RDNA_2_ROCM;
    rdna_2.support[FRAMEWORK_ROCM][OS_WSL] = &RDNA_2_ROCM_WSL;
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &nvidia) == 1, "CUDA");
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &xtx) == 0.85, "on the ROCm list");
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &rdna_2) == 0.7, "not on the list");
    ask.os = OS_WINDOWS;
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &xtx) == 0.7,
           "listed for Linux, asked for Windows");
    ask.os = OS_WSL;
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &xtx) == 0.85, "WSL runs what Linux runs");
    rdna_2.support[FRAMEWORK_ROCM][OS_LINUX] = &XTX_ROCM;
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &rdna_2) == 0.7,
           "unless a row of WSL says no");
    ask.ignores_ecosystem = true;
    tap_ok(support_ecosystem_factor(&catalogue, &ask, &rdna_2) == 1, "ecosystem=ignore");
}

static void test_hardware_features(void)
{
    struct architecture yes = {.bf16 = "yes", .fp8 = "yes"};
    struct architecture partial = {.bf16 = "partial", .fp8 = "partial"};
    struct gpu bare = card("nvidia", NULL);
    struct gpu worded = card("nvidia", &yes);
    struct gpu half = card("nvidia", &partial);

    for (int feature = 0; feature < FEATURE_COUNT; feature++) {
        tap_ok(!support_has_feature(&bare, (enum feature)feature, OS_LINUX), "%s: unknown is no",
               FEATURE_NAMES[feature]);
    }
    tap_ok(support_has_feature(&worded, FEATURE_BF16, OS_LINUX), "bf16 by the architecture");
    tap_ok(support_has_feature(&worded, FEATURE_FP8, OS_LINUX), "fp8 by the architecture");
    tap_ok(!support_has_feature(&half, FEATURE_BF16, OS_LINUX), "partial is no");
    tap_ok(!support_has_feature(&half, FEATURE_FP8, OS_LINUX), "partial is no fp8 either");
    half.tensor_bf16_tflops = 71.2;
    tap_ok(support_has_feature(&half, FEATURE_BF16, OS_LINUX), "a known rate shows the mode");
    bare.nvlink_gb_s = 0;
    tap_ok(!support_has_feature(&bare, FEATURE_NVLINK, OS_LINUX), "0 is no link");
    bare.nvlink_gb_s = 112.5;
    bare.vendor = "amd";
    tap_ok(!support_has_feature(&bare, FEATURE_NVLINK, OS_LINUX), "Infinity Fabric is no NVLink");
    bare.vendor = "nvidia";
    tap_ok(support_has_feature(&bare, FEATURE_NVLINK, OS_LINUX), "the bridge of the 3090 is one");
    bare.mig_max_instances = 7;
    tap_ok(support_has_feature(&bare, FEATURE_MIG, OS_LINUX), "seven MIG slices");
    bare.ecc = "optional";
    tap_ok(support_has_feature(&bare, FEATURE_ECC, OS_LINUX), "optional ECC is accepted");
    bare.ecc = "no";
    tap_ok(!support_has_feature(&bare, FEATURE_ECC, OS_LINUX), "no ECC");
}

static void test_software_features(void)
{
    static const struct support BOUNDED = {
        .framework = "cuda", .os = "linux", .status = "supported", .last_version = "13.2"};
    static const struct support ENDED = {
        .framework = "cuda", .os = "linux", .status = "supported", .last_version = "12.9"};
    struct gpu gpu = card("nvidia", NULL);

    gpu.support[FRAMEWORK_CUDA][OS_LINUX] = &VOLTA_CUDA;
    tap_ok(!support_has_feature(&gpu, FEATURE_CUDA_13, OS_LINUX), "CUDA 13 dropped Volta");
    gpu.support[FRAMEWORK_CUDA][OS_LINUX] = &TURING_CUDA;
    tap_ok(support_has_feature(&gpu, FEATURE_CUDA_13, OS_LINUX), "Turing has it");
    tap_ok(!support_has_feature(&gpu, FEATURE_CUDA_13, OS_WINDOWS),
           "a row of Linux says nothing of Windows");
    tap_ok(support_has_feature(&gpu, FEATURE_CUDA_13, OS_WSL), "WSL runs the Linux toolkit");
    gpu.support[FRAMEWORK_CUDA][OS_LINUX] = &BOUNDED;
    tap_ok(support_has_feature(&gpu, FEATURE_CUDA_13, OS_LINUX), "up to 13.2 holds 13");
    gpu.support[FRAMEWORK_CUDA][OS_LINUX] = &ENDED;
    tap_ok(!support_has_feature(&gpu, FEATURE_CUDA_13, OS_LINUX), "up to 12.9 does not");
    gpu.support[FRAMEWORK_FLASH_ATTENTION_2][OS_LINUX] = &TURING_FLASH;
    tap_ok(!support_has_feature(&gpu, FEATURE_FLASH_ATTENTION_2, OS_LINUX),
           "unofficial does not satisfy");
    gpu.support[FRAMEWORK_FLASH_ATTENTION_2][OS_LINUX] = &AMPERE_FLASH;
    tap_ok(support_has_feature(&gpu, FEATURE_FLASH_ATTENTION_2, OS_LINUX), "Ampere has it");
}

static void test_shipped(void)
{
    struct catalogue *catalogue = test_catalogue();
    const struct gpu *v100 = catalogue_find_gpu(catalogue, "nvidia-tesla-v100-sxm2-32gb");
    const struct gpu *t4 = catalogue_find_gpu(catalogue, "nvidia-tesla-t4");
    const struct gpu *xtx = catalogue_find_gpu(catalogue, "amd-radeon-rx-7900-xtx");
    const struct gpu *rx_6800 = catalogue_find_gpu(catalogue, "amd-radeon-rx-6800");
    const struct gpu *rtx_5070_ti = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-5070-ti");
    enum framework framework = FRAMEWORK_COUNT;
    struct ask ask = {.os = OS_WINDOWS};

    tap_ok(!support_has_feature(v100, FEATURE_CUDA_13, OS_LINUX), "shipped: V100 has no CUDA 13");
    tap_ok(support_has_feature(t4, FEATURE_CUDA_13, OS_LINUX), "shipped: T4 has CUDA 13");
    tap_ok(!support_has_feature(t4, FEATURE_BF16, OS_LINUX), "shipped: T4 has no BF16");
    tap_ok(!support_has_feature(t4, FEATURE_FLASH_ATTENTION_2, OS_LINUX), "nor FlashAttention 2");
    tap_ok(support_has_feature(xtx, FEATURE_FLASH_ATTENTION_2, OS_LINUX), "the 7900 XTX has");
    tap_ok(support_ecosystem_factor(catalogue, &ask, xtx) == 0.85, "and is listed under Windows");
    tap_ok(support_ecosystem_factor(catalogue, &ask, rx_6800) == 0.7, "the RX 6800 is not");
    tap_text(support_own_stack(rtx_5070_ti, &framework)->first_version, "12.8",
             "RTX 50: CUDA 12.8");
    tap_text(support_own_stack(rx_6800, &framework)->status, "unofficial",
             "RX 6800: ROCm unofficial");
    tap_ok(framework == FRAMEWORK_ROCM, "ROCm is the stack of AMD");
    tap_ok(support_of(v100, FRAMEWORK_PYTORCH, OS_LINUX) == SUPPORT_ENDING,
           "V100 ends under PyTorch");
    catalogue_unref(catalogue);
}

/* No row of llama.cpp speaks of WSL; of ROCm some do, and where it does not come nothing is known.
 */
static void test_wsl(void)
{
    static const struct support LLAMA_CPP = {
        .framework = "llama.cpp", .os = "linux", .status = "supported"};
    struct gpu gpu = card("nvidia", NULL);

    gpu.support[FRAMEWORK_LLAMA_CPP][OS_LINUX] = &LLAMA_CPP;
    tap_ok(support_of(&gpu, FRAMEWORK_LLAMA_CPP, OS_WSL) == SUPPORT_SUPPORTED,
           "what runs on Linux runs in WSL");
    tap_ok(support_of(&gpu, FRAMEWORK_LLAMA_CPP, OS_WINDOWS) == SUPPORT_UNKNOWN,
           "and says nothing of Windows");
    gpu.support[FRAMEWORK_ROCM][OS_WSL] = &RDNA_2_ROCM_WSL;
    tap_ok(support_row(&gpu, FRAMEWORK_LLAMA_CPP, OS_WSL) == NULL,
           "unless the stack of the card does not come there");
}

int main(void)
{
    test_shipped();
    test_status();
    test_own_stack();
    test_ecosystem();
    test_hardware_features();
    test_software_features();
    test_wsl();
    return tap_done();
}
