/* What each format's columns mean. Data: the rules are in import_rules.c, the reading in
 * import_map.c. Quirks are those seen in files of 2022 to 2026. No state. */
#include "import_formats.h"

#include <string.h>

#define FIELDS(list) .fields = (list), .field_count = sizeof(list) / sizeof((list)[0])

/* SkyPilot's vms.csv, one file per provider. Price is of the whole machine in US dollars an hour.
 */
static const struct import_field SKYPILOT_FIELDS[] = {
    {"provider", NULL, IMPORT_PROVIDER, .argument = NULL},
    {"instance_type", "InstanceType|AcceleratorName", IMPORT_AS_IS, .argument = NULL},
    {"accelerator", "AcceleratorName", IMPORT_AS_IS, .argument = NULL},
    {"gpu_memory_gb", "GpuInfo", IMPORT_INFO_GB, "Vast.ai", "AcceleratorCount", .when = NULL},
    {"tpu_slug", "AcceleratorName", IMPORT_TPU, .argument = NULL},
    {"gpu_count", "AcceleratorName", IMPORT_TPU_CHIPS, .argument = NULL},
    {"gpu_count", "AcceleratorCount", IMPORT_NUMBER, .argument = NULL},
    {"gpu_slug", "AcceleratorName", IMPORT_CARD, .argument = NULL},
    {"vcpus", "vCPUs", IMPORT_NUMBER, .argument = NULL},
    {"ram_gb", "MemoryGiB", IMPORT_NUMBER, .argument = NULL},
    {"region", "Region", IMPORT_TRIMMED, .argument = NULL},
    {"currency", NULL, IMPORT_CONSTANT, "USD", .when = NULL},
    {"ondemand_per_hour", "Price", IMPORT_MONEY, .argument = NULL},
    {"ondemand_usd_per_hour", "Price", IMPORT_MONEY, .argument = NULL},
    {"spot_usd_per_hour", "SpotPrice", IMPORT_MONEY, .argument = NULL},
    {"observed_on", NULL, IMPORT_SEEN_ON, .argument = NULL},
    {"source", NULL, IMPORT_SOURCE, "SkyPilot catalogue", .when = NULL},
};

/* Google prices a machine and its accelerators in rows of their own. Machines that come with their
 * accelerators have those; to general ones (n1) one with eight processors a card is taken. */
static const struct import_host SKYPILOT_HOSTS[] = {
    {"A100", 1, "a2-highgpu-1g"},       {"A100", 2, "a2-highgpu-2g"},
    {"A100", 4, "a2-highgpu-4g"},       {"A100", 8, "a2-highgpu-8g"},
    {"A100", 16, "a2-megagpu-16g"},     {"A100-80GB", 1, "a2-ultragpu-1g"},
    {"A100-80GB", 2, "a2-ultragpu-2g"}, {"A100-80GB", 4, "a2-ultragpu-4g"},
    {"A100-80GB", 8, "a2-ultragpu-8g"}, {"H100", 1, "a3-highgpu-1g"},
    {"H100", 2, "a3-highgpu-2g"},       {"H100", 4, "a3-highgpu-4g"},
    {"H100", 8, "a3-highgpu-8g"},       {"H100-MEGA", 8, "a3-megagpu-8g"},
    {"H200", 8, "a3-ultragpu-8g"},      {"B200", 8, "a4-highgpu-8g"},
    {"L4", 1, "g2-standard-4"},         {"L4", 1, "g2-standard-8"},
    {"L4", 1, "g2-standard-12"},        {"L4", 1, "g2-standard-16"},
    {"L4", 1, "g2-standard-32"},        {"L4", 2, "g2-standard-24"},
    {"L4", 4, "g2-standard-48"},        {"L4", 8, "g2-standard-96"},
    {"T4", 1, "n1-standard-8"},         {"T4", 2, "n1-standard-16"},
    {"T4", 4, "n1-standard-32"},        {"P4", 1, "n1-standard-8"},
    {"P4", 2, "n1-standard-16"},        {"P4", 4, "n1-standard-32"},
    {"P100", 1, "n1-standard-8"},       {"P100", 2, "n1-standard-16"},
    {"P100", 4, "n1-standard-32"},      {"K80", 1, "n1-standard-8"},
    {"K80", 2, "n1-standard-16"},       {"K80", 4, "n1-standard-32"},
    {"K80", 8, "n1-standard-64"},       {"V100", 1, "n1-standard-8"},
    {"V100", 2, "n1-standard-16"},      {"V100", 4, "n1-standard-32"},
    {"V100", 8, "n1-standard-64"},
};

static const struct import_format SKYPILOT = {
    .name = "skypilot",
    .table = "cloud_offers",
    .columns = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region",
    FIELDS(SKYPILOT_FIELDS),
    .instance = "InstanceType",
    .hosts = SKYPILOT_HOSTS,
    .host_count = sizeof SKYPILOT_HOSTS / sizeof SKYPILOT_HOSTS[0],
    .place = "AvailabilityZone",
    .host_takes = "vCPUs,MemoryGiB",
    .host_adds = "Price,SpotPrice",
};

static const struct import_format SKYPILOT_ACCELERATORS = {
    .name = "skypilot-accelerators",
    .columns = "AcceleratorName,Clouds",
    .has_no_prices = true,
};

/* gpuhunt's catalogue, one file per provider; spot and on demand are rows of their own. Older files
 * lack the last columns. */
static const struct import_field GPUHUNT_FIELDS[] = {
    {"provider", NULL, IMPORT_PROVIDER, .argument = NULL},
    {"instance_type", "instance_name", IMPORT_AS_IS, .argument = NULL},
    {"accelerator", "gpu_name", IMPORT_AS_IS, .argument = NULL},
    {"gpu_memory_gb", "gpu_memory", IMPORT_NUMBER, .argument = NULL},
    {"tpu_slug", "gpu_name", IMPORT_TPU, .argument = NULL},
    {"gpu_count", "gpu_name", IMPORT_TPU_CHIPS, .argument = NULL},
    {"gpu_count", "gpu_count", IMPORT_NUMBER, .argument = NULL},
    {"gpu_slug", "gpu_name", IMPORT_CARD, .argument = NULL},
    {"vcpus", "cpu", IMPORT_NUMBER, .argument = NULL},
    {"ram_gb", "memory", IMPORT_NUMBER, .argument = NULL},
    {"region", "location", IMPORT_TRIMMED, .argument = NULL},
    {"currency", NULL, IMPORT_CONSTANT, "USD", .when = NULL},
    {"ondemand_per_hour", "price", IMPORT_MONEY, .when = "spot", .is = "false"},
    {"ondemand_usd_per_hour", "price", IMPORT_MONEY, .when = "spot", .is = "false"},
    {"spot_usd_per_hour", "price", IMPORT_MONEY, .when = "spot", .is = "true"},
    {"observed_on", NULL, IMPORT_SEEN_ON, .argument = NULL},
    {"source", NULL, IMPORT_SOURCE, "gpuhunt catalogue", .when = NULL},
};

static const struct import_format GPUHUNT = {
    .name = "gpuhunt",
    .table = "cloud_offers",
    .columns = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot",
    FIELDS(GPUHUNT_FIELDS),
    .instance = "instance_name",
    .vendor = "gpu_vendor",
    .joins_spot = true,
};

/* Full Stack Deep Learning's cloud-gpus.csv. A name's brackets are right where GPU RAM is not.
 * Exoscale's rows without On-demand have the machine's price under Per-GPU: it grows with the cards
 * (0.92, 1.71, 3.14 for one, two, four 3080 Ti). */
static const struct import_field FULL_STACK_FIELDS[] = {
    {"provider", "Cloud", IMPORT_PROVIDER, .argument = NULL},
    {"instance_type", "Name", IMPORT_AS_IS, .argument = NULL},
    {"accelerator", "GPU Type", IMPORT_AS_IS, .argument = NULL},
    {"gpu_count", "GPUs", IMPORT_NUMBER, .argument = NULL},
    {"gpu_memory_gb", "GPU Type", IMPORT_BRACKET_GB, .argument = NULL},
    {"gpu_memory_gb", "GPU RAM", IMPORT_SHARE, "FluidStack", "GPUs", .when = NULL},
    {"gpu_slug", "GPU Type", IMPORT_CARD, .argument = NULL},
    {"vcpus", "vCPUs", IMPORT_NUMBER, .argument = NULL},
    {"ram_gb", "RAM", IMPORT_NUMBER, .argument = NULL},
    {"currency", NULL, IMPORT_CONSTANT, "USD", .when = NULL},
    {"ondemand_per_hour", "On-demand", IMPORT_MONEY, .argument = NULL},
    {"ondemand_per_hour", "Per-GPU", IMPORT_MONEY, .when = "Cloud", .is = "Exoscale"},
    {"ondemand_per_hour", "Per-GPU", IMPORT_MONEY, .times = "GPUs"},
    {"ondemand_usd_per_hour", "On-demand", IMPORT_MONEY, .argument = NULL},
    {"ondemand_usd_per_hour", "Per-GPU", IMPORT_MONEY, .when = "Cloud", .is = "Exoscale"},
    {"ondemand_usd_per_hour", "Per-GPU", IMPORT_MONEY, .times = "GPUs"},
    {"spot_usd_per_hour", "Spot", IMPORT_MONEY, .argument = NULL},
    {"observed_on", NULL, IMPORT_SEEN_ON, .argument = NULL},
    {"source", NULL, IMPORT_SOURCE, "Full Stack Deep Learning cloud-gpus.csv", .when = NULL},
};

static const struct import_format FULL_STACK = {
    .name = "full-stack",
    .table = "cloud_offers",
    .columns = "Cloud,GPU Type,GPUs,GPU RAM,On-demand,Per-GPU,Spot",
    FIELDS(FULL_STACK_FIELDS),
    .instance = "Name",
};

/* gpu-pricing's offerings.json: one card a row. The lowest offer of a marketplace is no spot price.
 */
static const struct import_field GPU_PRICING_FIELDS[] = {
    {"provider", "provider_id", IMPORT_PROVIDER, .argument = NULL},
    {"instance_type", "tier", IMPORT_AS_IS, .argument = NULL},
    {"accelerator", "gpu_model", IMPORT_AS_IS, .argument = NULL},
    {"gpu_count", NULL, IMPORT_CONSTANT, "1", .when = NULL},
    {"gpu_memory_gb", "vram_gb", IMPORT_NUMBER, .argument = NULL},
    {"gpu_slug", "gpu_model", IMPORT_CARD, .argument = NULL},
    {"vcpus", "vcpu", IMPORT_NUMBER, .argument = NULL},
    {"ram_gb", "ram_gb", IMPORT_NUMBER, .argument = NULL},
    {"currency", NULL, IMPORT_CONSTANT, "USD", .when = NULL},
    {"ondemand_per_hour", "price_usd_hour", IMPORT_MONEY, .when = "is_spot", .is = "0|false"},
    {"ondemand_per_hour", "price_usd_hour", IMPORT_MONEY, .when = "tier", .is = "marketplace"},
    {"ondemand_usd_per_hour", "price_usd_hour", IMPORT_MONEY, .when = "is_spot", .is = "0|false"},
    {"ondemand_usd_per_hour", "price_usd_hour", IMPORT_MONEY, .when = "tier", .is = "marketplace"},
    {"spot_usd_per_hour", "price_usd_hour", IMPORT_MONEY, .when = "is_spot", .is = "1|true"},
    {"observed_on", "collected_at", IMPORT_DAY, .argument = NULL},
    {"source", "source_url", IMPORT_SOURCE, "gpu-pricing offerings.json", .when = NULL},
};

static const struct import_format GPU_PRICING = {
    .name = "gpu-pricing",
    .table = "cloud_offers",
    .columns = "provider_id,gpu_model,vram_gb,tier,is_spot,price_usd_hour,collected_at",
    .is_json = true,
    FIELDS(GPU_PRICING_FIELDS),
    .interconnect = "interconnect",
    .vendor = "gpu_brand",
};

/* The long table of observations: the price is of one GPU, whatever gpu_count says; older files
 * have one price column. */
static const struct import_field OBSERVATIONS_FIELDS[] = {
    {"provider", "provider", IMPORT_PROVIDER, .argument = NULL},
    {"accelerator", "gpu_model", IMPORT_AS_IS, .argument = NULL},
    {"gpu_count", "gpu_count", IMPORT_NUMBER, .argument = NULL},
    {"gpu_slug", "gpu_model", IMPORT_CARD, .argument = NULL},
    {"region", "region", IMPORT_TRIMMED, .argument = NULL},
    {"currency", NULL, IMPORT_CONSTANT, "USD", .when = NULL},
    {"ondemand_per_hour", "price_median_usd|price_per_gpu_hour_usd", IMPORT_MONEY, NULL,
     "gpu_count", "rental_type", "on_demand|on-demand|ondemand"},
    {"ondemand_usd_per_hour", "price_median_usd|price_per_gpu_hour_usd", IMPORT_MONEY, NULL,
     "gpu_count", "rental_type", "on_demand|on-demand|ondemand"},
    {"spot_usd_per_hour", "price_median_usd|price_per_gpu_hour_usd", IMPORT_MONEY, NULL,
     "gpu_count", "rental_type", "spot|interruptible|preemptible"},
    {"observed_on", "date", IMPORT_DAY, .argument = NULL},
    {"source", "source_url", IMPORT_SOURCE, "gpu-pricing-tracker observations.csv", .when = NULL},
};

static const struct import_format OBSERVATIONS = {
    .name = "observations",
    .table = "cloud_offers",
    .columns = "date,provider,gpu_model,gpu_count,rental_type",
    FIELDS(OBSERVATIONS_FIELDS),
    .joins_spot = true,
};

const struct import_format *const IMPORT_FORMATS[] = {
    &SKYPILOT, &SKYPILOT_ACCELERATORS, &GPUHUNT, &FULL_STACK, &GPU_PRICING, &OBSERVATIONS,
};
const size_t IMPORT_FORMAT_COUNT = sizeof IMPORT_FORMATS / sizeof IMPORT_FORMATS[0];

/* Providers by the letters and digits of their names, and our spelling of them. */
static const struct {
    const char *key, *name;
} PROVIDERS[] = {
    {"akamai", "Akamai"},
    {"akash", "Akash"},
    {"alibaba", "Alibaba Cloud"},
    {"alibabacloud", "Alibaba Cloud"},
    {"amazon", "AWS"},
    {"aws", "AWS"},
    {"azure", "Azure"},
    {"coreweave", "CoreWeave"},
    {"crusoe", "Crusoe"},
    {"cudo", "Cudo Compute"},
    {"cudocompute", "Cudo Compute"},
    {"datacrunch", "Verda"}, /* renamed in 2025 */
    {"do", "DigitalOcean"},
    {"digitalocean", "DigitalOcean"},
    {"fluidstack", "FluidStack"},
    {"gcp", "GCP"},
    {"genesis", "Genesis Cloud"},
    {"genesiscloud", "Genesis Cloud"},
    {"google", "GCP"},
    {"googlecloud", "GCP"},
    {"gpuhub", "GPUHub"},
    {"hotaisle", "Hot Aisle"},
    {"hyperbolic", "Hyperbolic"},
    {"hyperstack", "Hyperstack"},
    {"jarvislabs", "Jarvis Labs"},
    {"koyeb", "Koyeb"},
    {"lambda", "Lambda"},
    {"lambdalabs", "Lambda"},
    {"massedcompute", "Massed Compute"},
    {"modal", "Modal"},
    {"nebius", "Nebius"},
    {"oci", "OCI"},
    {"oracle", "OCI"},
    {"oraclecloud", "OCI"},
    {"ovh", "OVHcloud"},
    {"ovhcloud", "OVHcloud"},
    {"paperspace", "Paperspace"},
    {"runpod", "RunPod"},
    {"salad", "Salad"},
    {"scaleway", "Scaleway"},
    {"sfcompute", "SF Compute"},
    {"tensordock", "TensorDock"},
    {"thundercompute", "Thunder Compute"},
    {"together", "Together AI"},
    {"togetherai", "Together AI"},
    {"vast", "Vast.ai"},
    {"vastai", "Vast.ai"},
    {"verda", "Verda"},
    {"vultr", "Vultr"},
};

const char *import_provider_find(const char *text, size_t length)
{
    char key[32];
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        char letter = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];

        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
            if (used + 1 == sizeof key) {
                return NULL;
            }
            key[used++] = letter;
        }
    }
    key[used] = '\0';
    for (size_t i = 0; i < sizeof PROVIDERS / sizeof PROVIDERS[0]; i++) {
        if (strcmp(PROVIDERS[i].key, key) == 0) {
            return PROVIDERS[i].name;
        }
    }
    return NULL;
}

const char *import_provider_at(size_t place)
{
    return place < sizeof PROVIDERS / sizeof PROVIDERS[0] ? PROVIDERS[place].name : NULL;
}
