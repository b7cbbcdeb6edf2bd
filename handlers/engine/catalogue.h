/* The catalogue: everything gpuwise knows, as one immutable, reference-counted value in memory.
 *
 * db/catalogue_load.c fills the rows, catalogue_build() derives what the advisor looks up, and from
 * then on nothing changes until the last reference is gone. Any thread may read it without a lock.
 *
 * Units are those of the shipped files (see migrations/): memory in GiB, bandwidth in GB/s (10^9),
 * rates in dense TFLOPS or TOPS, power in watts. Rates, bandwidth, memory and power of a board of
 * several GPUs are the board's; one process has the share memory_per_process_gib / memory_gib of
 * them. Unknown: NULL, NAN, MONEY_UNKNOWN, DAY_UNKNOWN (facts.h). */
#ifndef GPUWISE_ENGINE_CATALOGUE_H
#define GPUWISE_ENGINE_CATALOGUE_H

#include "arena.h"
#include "calibration.h"
#include "day.h"
#include "parameters.h"

#include <stdint.h>

/* Software whose support is recorded; the order is that of catalogue_framework_names. */
enum framework {
    FRAMEWORK_PYTORCH,
    FRAMEWORK_TENSORFLOW,
    FRAMEWORK_JAX,
    FRAMEWORK_LLAMA_CPP,
    FRAMEWORK_ASKABLE_COUNT, /* the four above are values of framework= */
    FRAMEWORK_CUDA = FRAMEWORK_ASKABLE_COUNT,
    FRAMEWORK_ROCM,
    FRAMEWORK_DRIVER,
    FRAMEWORK_DIRECTML,
    FRAMEWORK_FLASH_ATTENTION_2,
    FRAMEWORK_FLASH_ATTENTION_3,
    FRAMEWORK_VLLM,
    FRAMEWORK_COUNT
};
enum os { OS_LINUX, OS_WINDOWS, OS_WSL, OS_COUNT };
enum currency { CURRENCY_USD, CURRENCY_CNY, CURRENCY_EUR, CURRENCY_COUNT };
enum condition { CONDITION_NEW, CONDITION_USED, CONDITION_MSRP, CONDITION_COUNT };

extern const char *const FRAMEWORK_NAMES[FRAMEWORK_COUNT]; /* "pytorch", ... */
extern const char *const OS_NAMES[OS_COUNT];
extern const char *const CURRENCY_NAMES[CURRENCY_COUNT];   /* "USD", ... */
extern const char *const CURRENCY_MARKETS[CURRENCY_COUNT]; /* "us", "cn", "eu" */
extern const char *const CONDITION_NAMES[CONDITION_COUNT]; /* "new", "used", "msrp" */

struct architecture {
    const char *architecture, *vendor;
    double first_year;
    const char *compute_capabilities, *gfx_targets, *first_cuda_toolkit, *last_cuda_toolkit;
    const char *last_driver_branch, *tensor_core_generation, *fp16_tensor, *bf16, *tf32,
        *int8_tensor;
    const char *fp8, *fp4, *sparsity_2_4, *flash_attention_2, *mixed_precision_worthwhile;
    const char *rocm_status, *pytorch_status, *note, *source;
};

/* Generations of kernels that reach different shares of what a card could do; the order is that of
 * SPEED_KERNELS_NAMES. The shares are numbers of calibration.h and parameters.h. */
enum speed_kernels {
    SPEED_KERNELS_OLDER, /* before Pascal */
    SPEED_KERNELS_PASCAL,
    SPEED_KERNELS_VOLTA,
    SPEED_KERNELS_TURING,
    SPEED_KERNELS_AMPERE,
    SPEED_KERNELS_AMPERE_DC, /* GA100 */
    SPEED_KERNELS_ADA,
    SPEED_KERNELS_HOPPER,
    SPEED_KERNELS_BLACKWELL,
    SPEED_KERNELS_BLACKWELL_DC, /* B100 to B300 */
    SPEED_KERNELS_GCN,
    SPEED_KERNELS_GCN_DOT, /* with four-way dot products: gfx906 */
    SPEED_KERNELS_CDNA,
    SPEED_KERNELS_RDNA,
    SPEED_KERNELS_XE_HPG,
    SPEED_KERNELS_XE,
    SPEED_KERNELS_OTHER,
    SPEED_KERNELS_COUNT
};
extern const char *const SPEED_KERNELS_NAMES[SPEED_KERNELS_COUNT];
/* The same words as a choice of facts.h. */
#define SPEED_KERNELS_CHOICE                                                                       \
    "older|pascal|volta|turing|ampere|ampere-dc|ada|hopper|blackwell|blackwell-dc|gcn|"            \
    "gcn-dot|cdna|rdna|xe-hpg|xe|other"

/* What the speed model needs of an architecture; see speed.h. Keyed by architecture and, where its
 * members differ (GA100 and GA10x are both Ampere), by compute capability. */
struct speed_trait {
    const char *architecture;
    const char *compute_capability; /* NULL: every other member */
    const char *kernels;
    double cores_per_multiprocessor;
    const char *large_cache; /* yes, no: a large last-level cache in front of GDDR */
    double training_rows;    /* clean measurements behind the architecture, by phase */
    double inference_rows;
    double language_rows; /* of inference_rows: of language models */
    const char *basis, *source;
    struct date observed_on;
    enum speed_kernels kernels_code; /* derived */
};

struct support {
    const char *scope;                   /* an architecture, or the id of a card */
    const char *framework, *os, *status; /* supported, ending, dropped, unofficial, none */
    const char *first_version, *last_version;
    struct date end_date, observed_on;
    const char *note, *source;
};

/* One price seen for one card. */
struct price {
    const char *gpu_slug; /* as given; may name no card of the catalogue */
    const char *condition, *currency;
    int64_t amount_micros;
    const char *market; /* us, cn, eu, de, ...; NULL: unknown */
    struct date observed_on;
    const char *source, *note;
    /* derived */
    const struct gpu *gpu; /* NULL: kept, but no card of the catalogue has this name */
    enum condition condition_code;
};

struct gpu {
    const char *id, *name, *vendor, *segment, *form_factor, *architecture, *chip,
        *compute_capability;
    const char *gfx_target;
    struct date release_date, discontinued;
    double memory_gib, memory_per_process_gib, memory_usable_gib;
    const char *memory_type;
    double memory_bus_bits, memory_bandwidth_gb_s;
    const char *ecc;
    double shader_cores, tensor_cores, boost_clock_mhz, fp64_tflops, fp32_tflops, fp16_tflops;
    double tensor_tf32_tflops, tensor_fp16_tflops, tensor_fp16_acc16_tflops, tensor_bf16_tflops;
    double tensor_fp8_tflops, tensor_int8_tops, tensor_fp4_tflops, tdp_watts, recommended_psu_watts;
    const char *power_connectors;
    double pcie_gen, pcie_lanes, nvlink_gb_s, nvlink_max_gpus, mig_max_instances;
    const char *cooling;
    double slots, board_length_mm, display_outputs, gpus_on_board;
    int64_t launch_msrp_usd_micros;
    const char *export_controlled_cn, *note, *source;
    /* derived by catalogue_build */
    size_t index; /* its place in catalogue.gpus */
    const struct architecture *architecture_row;
    const struct speed_trait *speed_trait; /* NULL: none known */
    const struct price *prices; /* slice of catalogue.prices: condition, then newest first */
    size_t price_count;
    const struct support
        *support[FRAMEWORK_COUNT][OS_COUNT]; /* card row, else architecture; exact
                                                system, else any; NULL: not known */
    double process_share;                    /* memory_per_process_gib / memory_gib */
};

struct alias {
    const char *alias, *gpu_id, *kind,
        *note; /* gpu_id NULL: a known name without a card; note says why */
    /* derived */
    const char *key;       /* normalised by names.h; aliases are sorted by it */
    const struct gpu *gpu; /* NULL as gpu_id */
};

struct tier {
    const char *id, *currency;
    int64_t min_micros,
        max_micros;       /* above min, up to and including max; max MONEY_UNKNOWN: no end */
    const char *segments; /* allowed segments joined by ';' */
    const char *note;
};

struct link {
    const char *id, *name;
    double bandwidth_per_direction_gb_s;
    const char *latency_class, *note, *source;
};

struct model {
    const char *id, *name, *family, *kind; /* llm, vision, diffusion, speech, embedding, encoder */
    double params_total, params_active, layers, hidden, heads, kv_heads, head_dim, intermediate,
        vocab;
    double context;
    const char *attention; /* mha, gqa, mla, hybrid */
    double sliding_window, global_every, kv_latent_dim, kv_rope_dim, experts, experts_active;
    double expert_intermediate, shared_experts;
    const char *tied_embeddings, *mlp;
    double vision_params;
    const char *note, *source;
    const char *id_key, *name_key; /* derived: the forms model_names_key() compares */
};

struct model_alias {
    const char *alias, *model_id, *note, *source;
    /* derived */
    const char *key;
    const struct model *model; /* NULL: the catalogue has no such model */
};

struct network {
    const char *id;
    double gmacs, activations_m, params_m, resolution_px;
    /* Counted layer by layer for one picture at its resolution; NAN: not counted. */
    double kernels;         /* launched for a pass forward without fusing them */
    double tensor_gmacs;    /* multiply-adds on matrix units, padded to their tiles */
    double depthwise_gmacs; /* of depthwise convolutions, which use the plain cores */
    double traffic_mb;      /* 10^6 bytes read and written by every kernel, mixed precision */
    double attention_mb;    /* more where attention scores go through memory (PyTorch 1) */
    const char *source;
};

/* A format of weights: bits per weight of the whole file where it mixes formats. */
struct quant {
    const char *name; /* bf16, q4_k_m, nf4, ... */
    const char *kind; /* float, gguf, bitsandbytes, gptq, awq, fp8, mxfp4, int8 */
    double bits_per_weight;
    const char *note, *source;
    struct date observed_on;
};

struct cloud_offer {
    const char *provider, *instance_type, *accelerator, *gpu_slug, *tpu_slug;
    double gpu_count, gpu_memory_gb, vcpus, ram_gb;
    const char *region, *currency;
    int64_t ondemand_per_hour_micros, ondemand_usd_per_hour_micros, spot_usd_per_hour_micros;
    struct date observed_on;
    const char *source;
    /* derived */
    const struct gpu *gpu; /* NULL: none named */
    bool is_marketplace;   /* lowest of the day, which a host may take back (cloud_offer.h) */
    bool is_in_china;      /* of mainland China: its region or its currency says so */
    bool is_newest; /* no later date of the same provider, instance, card, count and region */
    int64_t usd_per_hour_micros; /* on demand, converted where in another currency; MONEY_UNKNOWN */
};

struct notebook_plan {
    const char *provider, *plan;
    int64_t price_usd_per_month_micros;
    const char *price_basis;
    double compute_units_included;
    const char *accelerator, *gpu_slug, *tpu_slug;
    double gpu_memory_gb, cu_per_hour;
    const char *currency;
    int64_t price_per_hour_micros, usd_per_hour_micros;
    double session_limit_hours, idle_timeout_minutes, ram_gb, disk_gb;
    const char *guarantee_or_limits, *mainland_china_access, *status;
    struct date observed_on;
    const char *source;
    const struct gpu *gpu; /* derived; NULL: none named */
};

struct tpu {
    const char *tpu_slug, *version;
    struct date release_date;
    double bf16_tflops, int8_tops, fp8_tflops, hbm_gib, hbm_bandwidth_gb_s;
    double interconnect_gbit_s_per_chip;
    const char *topology;
    double max_pod_chips, pod_pflops_bf16, chips_per_host, tensorcores_per_chip, tdp_watts;
    const char *availability, *price_region;
    int64_t usd_per_chip_hour_ondemand_micros, usd_per_chip_hour_spot_micros;
    int64_t usd_per_chip_hour_1y_micros, usd_per_chip_hour_3y_micros;
    struct date price_observed_on;
    const char *frameworks, *note;
    struct date observed_on;
    const char *source;
};

struct fx_rate {
    const char *base, *quote;
    double rate; /* quote for one base */
    struct date observed_on;
    const char *note, *source, *confidence; /* high, medium, low, assumption */
};

struct depreciation {
    const char *class_name; /* column "class": a segment of gpus, or a situation told beside it */
    double age_from_years, yearly_rate_low, yearly_rate_mid, yearly_rate_high, n;
    const char *basis, *source;
    struct date observed_on;
};

struct catalogue {
    struct arena memory;      /* owns every row and text below */
    char revision[17];        /* 64-bit hash of all rows, hexadecimal: same facts, same revision */
    struct date prices_as_of; /* newest date of a price of a known card; text NULL: no prices */

    /* Sorted by their columns in the order of facts.h where nothing else is said. */
    struct architecture *architectures;
    size_t architecture_count;
    struct gpu *gpus;
    size_t gpu_count; /* sorted by id */
    struct alias *aliases;
    size_t alias_count; /* sorted by key */
    struct support *support;
    size_t support_count;
    struct speed_trait *speed_traits;
    size_t speed_trait_count;
    struct tier *tiers;
    size_t tier_count; /* by currency, low to unlimited */
    struct link *links;
    size_t link_count;
    struct parameter *parameter_rows;
    size_t parameter_count;
    struct calibration_row *calibration_rows;
    size_t calibration_count;
    struct quant *quants;
    size_t quant_count;
    struct model *models;
    size_t model_count; /* sorted by id */
    struct model_alias *model_aliases;
    size_t model_alias_count;
    struct network *networks;
    size_t network_count;
    struct price *prices;
    size_t price_count; /* sorted by card, condition, newest */
    struct fx_rate *fx_rates;
    size_t fx_rate_count;
    struct cloud_offer *cloud_offers;
    size_t cloud_offer_count; /* what differs only in day and price stands together */
    struct notebook_plan *notebook_plans;
    size_t notebook_plan_count;
    struct tpu *tpus;
    size_t tpu_count;
    struct depreciation *depreciations;
    size_t depreciation_count;

    struct names_key *name_keys; /* ids and aliases by their letters, for names.c */
    size_t name_key_count;
    const struct alias **name_marks; /* aliases of kind mark */
    size_t name_mark_count;

    struct parameters parameters;    /* parameter_rows by name */
    struct calibration calibration;  /* calibration_rows by name */
    const struct gpu *reference_gpu; /* parameter reference_gpu: relative speed 1 */
    size_t unknown_price_count;      /* prices kept under a name that is no card */
    int reference_count;             /* touched only by catalogue_ref and catalogue_unref */
};

/* A million observations are about 300 MB. (The engine sees no header of handlers/, so it stands
 * here.) */
enum { CATALOGUE_MEMORY_BYTES_MAX = 1024 * 1024 * 1024 };

/* An empty catalogue with one reference; NULL: out of memory. */
struct catalogue *catalogue_new(void) MUST_CHECK;

/* Sorts, links and checks the loaded rows; call once, before the first reader. Fails when a row
 * that the advisor cannot do without is missing or points nowhere; the text names it. */
bool catalogue_build(struct catalogue *catalogue, struct error *err) MUST_CHECK;

/* Counted references, from any thread. unref of the last frees everything; NULL is accepted. */
struct catalogue *catalogue_ref(struct catalogue *catalogue);
void catalogue_unref(struct catalogue *catalogue);

/* Look-ups by exact id; NULL: none. Valid as long as the catalogue. */
const struct gpu *catalogue_find_gpu(const struct catalogue *catalogue, const char *id);
const struct model *catalogue_find_model(const struct catalogue *catalogue, const char *id);
const struct quant *catalogue_find_quant(const struct catalogue *catalogue, const char *name);
const struct network *catalogue_find_network(const struct catalogue *catalogue, const char *id);

/* The band of a currency a planning price of a segment lies in; NULL: none (a tier is missing). */
const struct tier *catalogue_tier_of(const struct catalogue *catalogue, enum currency currency,
                                     int64_t planning_micros, const char *segment);

/* amount in another currency by the newest rate of confidence high or medium, else the newest;
 * either direction serves, through USD where no direct rate exists. *rate_row (may be NULL)
 * receives the row used (of two, the older), NULL where both are the same. MONEY_UNKNOWN: no rate
 * or amount unknown. Exact codes such as "JPY" are accepted. */
int64_t catalogue_convert(const struct catalogue *catalogue, int64_t micros, const char *from,
                          const char *to, const struct fx_rate **rate_row);

/* The same for many amounts: what one `from` is in `to`, and the row used, NULL where both are the
 * same. False: no rate; then both are untouched. */
bool catalogue_find_rate(const struct catalogue *catalogue, const char *from, const char *to,
                         double *factor, const struct fx_rate **rate_row) MUST_CHECK;

/* True when both are known and equal. */
bool text_is(const char *a, const char *b);

/* A number that is not known is replaced. */
double known_or(double value, double otherwise);

#endif
