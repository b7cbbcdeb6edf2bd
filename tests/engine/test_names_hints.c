/* Tests handlers/engine/names_hints.c: what stands beside a name decides between its cards, or
 * contradicts it. */
#include "names_fixture.h"

struct beside {
    const char *text, *memory_gib, *memory_total_gib, *gpu_count, *instance_type, *interconnect,
        *vendor, *wanted, *provider; /* the last one mostly not given */
};

static const struct beside CASES[] = {
    {"A100", "80", NULL, NULL, NULL, NULL, NULL, "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb",
     NULL},
    {"A100", "80", NULL, NULL, NULL, "SXM", NULL, "nvidia-a100-sxm4-80gb", NULL},
    {"A100", "80", NULL, NULL, NULL, "SXM4", NULL, "nvidia-a100-sxm4-80gb", NULL},
    {"A100", "40", NULL, NULL, NULL, "PCIe", NULL, "nvidia-a100-pcie-40gb", NULL},
    {"A100", NULL, "640", "8", NULL, "HGX", NULL, "nvidia-a100-sxm4-80gb", NULL},
    {"A100", "74.5", NULL, NULL, NULL, "PCIe", NULL, "nvidia-a100-pcie-80gb", NULL},
    {"A100", "60", NULL, NULL, NULL, "PCIe", NULL, "nvidia-a100-pcie-40gb|nvidia-a100-pcie-80gb",
     NULL},
    {"A100", "40", NULL, NULL, "p4d.24xlarge", NULL, NULL, "nvidia-a100-sxm4-40gb", NULL},
    {"A100-80GB", "80", NULL, NULL, "Standard_NC24ads_A100_v4", NULL, NULL, "nvidia-a100-pcie-80gb",
     NULL},
    {"A100-80GB", "80", NULL, NULL, "Standard_ND96amsr_A100_v4", NULL, NULL,
     "nvidia-a100-sxm4-80gb", NULL},
    {"A100-80GB", NULL, NULL, NULL, "p4de.24xlarge", NULL, NULL, "nvidia-a100-sxm4-80gb", NULL},
    {"A100-80GB", "80", NULL, NULL, NULL, NULL, NULL, "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb",
     NULL},
    {"H100", "94", NULL, NULL, NULL, NULL, NULL, "nvidia-h100-nvl-94gb", NULL},
    {"H100", "93.58", NULL, NULL, NULL, NULL, NULL, "nvidia-h100-nvl-94gb", NULL},
    {"H100", "80", NULL, NULL, NULL, "PCIe", NULL, "nvidia-h100-pcie-80gb", NULL},
    {"H100", "80", NULL, NULL, "p5.48xlarge", NULL, NULL, "nvidia-h100-sxm5-80gb", NULL},
    {"H100", "80", NULL, NULL, "p5.4xlarge", NULL, NULL, "nvidia-h100-sxm5-80gb", NULL},
    {"H100", NULL, NULL, NULL, "gpu-h100-sxm_1gpu-16vcpu-200gb", NULL, NULL,
     "nvidia-h100-sxm5-80gb", NULL},
    {"A100", "80", NULL, NULL, "NVIDIA A100 80GB PCIe", NULL, NULL, "nvidia-a100-pcie-80gb", NULL},
    {"H100", "80", NULL, NULL, "1x-H100-75-722", NULL, NULL,
     "nvidia-h100-pcie-80gb|nvidia-h100-sxm5-80gb", NULL},
    {"L40S", "48", NULL, NULL, "odd-sxm-l40s", NULL, NULL, "nvidia-l40s", NULL},
    {"T4", "16", NULL, NULL, "g4dn.unheard", NULL, NULL, "nvidia-tesla-t4", NULL},
    {"V100", "16", NULL, NULL, "p3.unheard", NULL, NULL, "nvidia-tesla-v100-sxm2-16gb", NULL},
    {"A10", "8", NULL, NULL, "Standard_NV12ads_A10_v5", NULL, NULL, "nvidia-a10", NULL},
    {"T4", "16", NULL, NULL, "p4d.24xlarge", NULL, NULL, "nvidia-a100-sxm4-40gb|nvidia-tesla-t4",
     NULL},
    {"", NULL, NULL, NULL, "p4d.24xlarge", NULL, NULL, "nvidia-a100-sxm4-40gb", NULL},
    {"", NULL, NULL, NULL, "on-demand", NULL, NULL, "?", NULL},
    {"RTX 3060", "12", NULL, NULL, NULL, NULL, NULL, "nvidia-geforce-rtx-3060-12gb", NULL},
    {"RTX 3060", NULL, "48", "4", NULL, NULL, NULL, "nvidia-geforce-rtx-3060-12gb", NULL},
    {"RTX 3060", "8", NULL, NULL, NULL, NULL, NULL, "nvidia-geforce-rtx-3060-8gb", NULL},
    {"RTX 3060", "6", NULL, NULL, NULL, NULL, NULL,
     "nvidia-geforce-rtx-3060-12gb|nvidia-geforce-rtx-3060-8gb", NULL},
    {"RTX6000", "24", NULL, NULL, NULL, NULL, NULL, "nvidia-quadro-rtx-6000", NULL},
    {"RTX6000", "48", NULL, NULL, NULL, NULL, NULL, "nvidia-rtx-6000-ada", NULL},
    {"RTX 4090", "24", NULL, NULL, NULL, NULL, NULL, "nvidia-geforce-rtx-4090", NULL},
    {"RTX 4090", "48", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"RTX 4090", "16", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"RTX 5090", "24", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"RTX 3090", "24", NULL, NULL, NULL, "NVLink", NULL, "nvidia-geforce-rtx-3090", NULL},
    {"RTX 2080 Ti", "22", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"RTX 2080 Ti", "11", NULL, NULL, NULL, NULL, NULL, "nvidia-geforce-rtx-2080-ti", NULL},
    {"GTX 1080 Ti", "8", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"GTX 1060", "6", NULL, NULL, NULL, NULL, NULL, "nvidia-geforce-gtx-1060-6gb", NULL},
    {"GTX 1060", "3", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"L40", "40", NULL, NULL, NULL, NULL, NULL, "nvidia-l40", NULL},
    {"NVIDIA B200", "192", NULL, NULL, NULL, NULL, NULL, "nvidia-b200-sxm-180gb", NULL},
    {"NVIDIA B300", "262", NULL, NULL, NULL, NULL, NULL, "nvidia-b300-sxm-288gb", NULL},
    {"NVIDIA B300", "180", NULL, NULL, NULL, NULL, NULL, "?", NULL},
    {"H200", "141", NULL, NULL, NULL, "NVL", NULL, "nvidia-h200-nvl-141gb", NULL},
    {"K80", "12", NULL, NULL, NULL, NULL, NULL, "nvidia-tesla-k80", NULL},
    {"K80", "24", NULL, NULL, NULL, NULL, NULL, "nvidia-tesla-k80", NULL},
    {"K80", NULL, "48", "4", NULL, NULL, NULL, "nvidia-tesla-k80", NULL},
    {"A16", "16", NULL, NULL, NULL, NULL, NULL, "nvidia-a16", NULL},
    {"A4000 (16 GB)", NULL, "64", "8", NULL, NULL, NULL, "nvidia-rtx-a4000", NULL},
    {"A5000 (24 GB)", NULL, "72", "4", NULL, NULL, NULL, "nvidia-rtx-a5000", NULL},
    {"3080Ti (12 GB)", NULL, "36", "4", NULL, NULL, NULL, "nvidia-geforce-rtx-3080-ti", NULL},
    {"A100 (80 GB)", NULL, "80", "8", NULL, NULL, NULL,
     "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb", NULL},
    {"V100", "16", NULL, NULL, NULL, "NVLink", NULL, "nvidia-tesla-v100-sxm2-16gb", NULL},
    {"A100", "80", NULL, NULL, NULL, "NVLink", NULL, "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb",
     NULL},
    {"A100", "40", NULL, NULL, NULL, NULL, "NVIDIA", "nvidia-a100-pcie-40gb|nvidia-a100-sxm4-40gb",
     NULL},
    {"MI300X", "192", NULL, NULL, NULL, NULL, "amd", "amd-instinct-mi300x", NULL},
    {"A100", "40", NULL, NULL, NULL, NULL, "AMD", "?", NULL},
    {"A100", "40", NULL, NULL, NULL, NULL, "Somebody",
     "nvidia-a100-pcie-40gb|nvidia-a100-sxm4-40gb", NULL},
    {"v5litepod-8", NULL, NULL, NULL, NULL, NULL, "google", "tpu google-tpu-v5e 8", NULL},
    {"RTX3060", "8", NULL, NULL, "1x-RTX_3060_Ti-32-65536", NULL, NULL,
     "nvidia-geforce-rtx-3060-ti", NULL},
    {"RTX4060", NULL, "65.5", "4", "4x-RTX_4060_Ti-32-65536", NULL, NULL,
     "nvidia-geforce-rtx-4060-ti-16gb", NULL},
    {"RTX4070", NULL, "64", "4", "4x-RTX_4070S_Ti-32-65536", NULL, NULL,
     "nvidia-geforce-rtx-4070-ti-super", NULL},
    {"A100", NULL, "80", "2", "2x-A100_SXM4-32-65536", NULL, NULL, "nvidia-a100-sxm4-40gb", NULL},
    {"A100", NULL, "160", "2", "2x-A100_SXM4-32-65536", NULL, NULL, "nvidia-a100-sxm4-80gb", NULL},
    {"A100", NULL, "80", "2", "2x-A100_PCIE-32-65536", NULL, NULL, "nvidia-a100-pcie-40gb", NULL},
    {"H100", NULL, "93.6", "1", "1x-H100_NVL-32-65536", NULL, NULL, "nvidia-h100-nvl-94gb", NULL},
    {"H200", NULL, "140.4", "1", "1x-H200-32-65536", NULL, NULL, "nvidia-h200-sxm-141gb", NULL},
    {"V100", NULL, "16", "1", "1x-Tesla_V100-32-65536", NULL, NULL, "nvidia-tesla-v100-sxm2-16gb",
     NULL},
    {"V100", NULL, "32", "1", "1x-Tesla_V100-32-65536", NULL, NULL, "nvidia-tesla-v100-sxm2-32gb",
     NULL},
    {"RTX8000", NULL, "48", "1", "1x-Q_RTX_8000-32-65536", NULL, NULL, "nvidia-quadro-rtx-8000",
     NULL},
    {"RTX4090", NULL, "48", "1", "1x-RTX_4090-32-65536", NULL, NULL, "?", NULL},
    {"A100", "40", NULL, NULL, "1x-Something_New-32-65536", NULL, NULL, "?", NULL},
    {"A100", "40", NULL, NULL, NULL, "PCIe", "NVIDIA", "nvidia-a100-pcie-40gb", NULL},
    {"RTX 4080 12GB", "16", NULL, NULL, NULL, NULL, NULL, "-", NULL},
    {"tpu-v3-8", "16", NULL, NULL, NULL, NULL, NULL, "tpu google-tpu-v3 4", NULL},
    {"V100", "16", NULL, NULL, NULL, NULL, NULL, "nvidia-tesla-v100-sxm2-16gb", "GCP"},
    {"V100 (32 GB)", NULL, NULL, NULL, NULL, NULL, NULL, "nvidia-tesla-v100-sxm2-32gb", "aws"},
    {"A100", "40", NULL, NULL, NULL, NULL, NULL, "nvidia-a100-sxm4-40gb", "Azure"},
    {"A100-80GB", "80", NULL, NULL, NULL, NULL, NULL, "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb",
     "Azure"},
    {"H100 PCIe", "80", NULL, NULL, NULL, NULL, NULL, "nvidia-h100-pcie-80gb", "GCP"},
    {"RTX 3060", NULL, NULL, NULL, NULL, NULL, NULL,
     "nvidia-geforce-rtx-3060-12gb|nvidia-geforce-rtx-3060-8gb", "GCP"},
    {"A100", "80", NULL, NULL, NULL, NULL, NULL, "nvidia-a100-pcie-80gb|nvidia-a100-sxm4-80gb",
     "Somebody"},
};

static double number(const char *text)
{
    return text == NULL ? (double)NAN : strtod(text, NULL);
}

static void check_gpus(const struct catalogue *catalogue, const char *text, const char *type,
                       double wanted)
{
    struct names_hints hints = names_no_hints();
    struct names_result result;

    hints.instance_type = type;
    names_resolve(catalogue, text, strlen(text), &hints, &result);
    (void)tap_near(result.instance_gpus, wanted, 1e-9, type == NULL ? text : type);
}

static void test_gpus(const struct catalogue *catalogue)
{
    struct names_result result;
    size_t unknown = 0;

    check_gpus(catalogue, "ND96isr_H100_v5", NULL, 8);
    check_gpus(catalogue, "Standard_NC24ads_A100_v4", NULL, 1);
    check_gpus(catalogue, "A10", "Standard_NV12ads_A10_v5", 1.0 / 3);
    check_gpus(catalogue, "K80", "NC24", 4);
    check_gpus(catalogue, "A100", "p4d.24xlarge", 8);
    check_gpus(catalogue, "RTX4060", "4x-RTX_4060_Ti-32-65536", 4);
    names_resolve(catalogue, "A100", 4, NULL, &result);
    (void)tap_ok(isnan(result.instance_gpus), "a card is no instance");
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        const struct alias *alias = &catalogue->aliases[i];

        if (text_is(alias->kind, "azure-size") || text_is(alias->kind, "instance")) {
            names_resolve(catalogue, alias->alias, strlen(alias->alias), NULL, &result);
            unknown += isnan(result.instance_gpus) ? 1 : 0;
        }
    }
    (void)tap_ok(unknown == 0, "every known instance type says its number of GPUs");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct beside *beside = &CASES[i];
        const struct names_hints hints = {.memory_gib = number(beside->memory_gib),
                                          .memory_total_gib = number(beside->memory_total_gib),
                                          .gpu_count = number(beside->gpu_count),
                                          .instance_type = beside->instance_type,
                                          .interconnect = beside->interconnect,
                                          .vendor = beside->vendor,
                                          .provider = beside->provider};
        const char *const texts[] = {beside->memory_gib,   beside->memory_total_gib,
                                     beside->gpu_count,    beside->instance_type,
                                     beside->interconnect, beside->vendor};
        char found[MEANING_BYTES];
        char name[MEANING_BYTES];
        size_t used = (size_t)snprintf(name, sizeof name, "'%s'", beside->text);

        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            used += (size_t)snprintf(name + used, sizeof name - used, " %s",
                                     texts[k] == NULL ? "-" : texts[k]);
        }
        write_meaning(catalogue, beside->text, &hints, found);
        (void)tap_text(found, beside->wanted, name);
    }
    test_gpus(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
