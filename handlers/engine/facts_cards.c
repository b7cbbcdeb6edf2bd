/* The tables about cards: architectures, cards, their names, software support and speed traits.
 * Limits are those of a sensible figure, wide enough for hardware to come. No state. */
#include "facts_columns.h"
#include "facts_tables.h"

#define VENDORS "nvidia|amd|intel|huawei|moorethreads|cambricon|hygon"

#define ROW struct architecture
static const struct fact_column ARCHITECTURES_COLUMNS[] = {
    TEXT_REQUIRED(architecture),
    CHOICE_REQUIRED(vendor, VENDORS),
    WHOLE_REQUIRED(first_year, 2005, 2030),
    TEXT(compute_capabilities),
    TEXT(gfx_targets),
    TEXT(first_cuda_toolkit),
    TEXT(last_cuda_toolkit),
    TEXT(last_driver_branch),
    TEXT(tensor_core_generation),
    TEXT(fp16_tensor),
    TEXT(bf16),
    TEXT(tf32),
    TEXT(int8_tensor),
    TEXT(fp8),
    TEXT(fp4),
    TEXT(sparsity_2_4),
    TEXT(flash_attention_2),
    TEXT(mixed_precision_worthwhile),
    TEXT(rocm_status),
    TEXT(pytorch_status),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_ARCHITECTURES = {
    .name = "architectures",
    COLUMNS_OF(ARCHITECTURES_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "architecture",
    .catalogue_rows = offsetof(struct catalogue, architectures),
    .catalogue_count = offsetof(struct catalogue, architecture_count),
};

#undef ROW
#define ROW struct gpu
static const struct fact_column GPUS_COLUMNS[] = {
    TEXT_REQUIRED(id),
    TEXT_REQUIRED(name),
    CHOICE_REQUIRED(vendor, VENDORS),
    CHOICE_REQUIRED(segment, "consumer|workstation|datacenter"),
    CHOICE_REQUIRED(form_factor, "pcie|sxm|oam|superchip|mxm"),
    TEXT_REQUIRED(architecture),
    TEXT(chip),
    TEXT(compute_capability),
    TEXT(gfx_target),
    DATE(release_date),
    DATE(discontinued),
    NUMBER_REQUIRED(memory_gib, 1, 1024),
    NUMBER_REQUIRED(memory_per_process_gib, 1, 1024),
    NUMBER(memory_usable_gib, 0.5, 1024),
    TEXT(memory_type),
    WHOLE(memory_bus_bits, 32, 16384),
    NUMBER_REQUIRED(memory_bandwidth_gb_s, 20, 32000),
    CHOICE(ecc, "yes|no|optional"),
    WHOLE(shader_cores, 64, 200000),
    WHOLE(tensor_cores, 0, 5000),
    NUMBER(boost_clock_mhz, 200, 5000),
    NUMBER(fp64_tflops, 0, 1000),
    NUMBER(fp32_tflops, 0, 1000),
    NUMBER(fp16_tflops, 0, 5000),
    NUMBER(tensor_tf32_tflops, 0, 20000),
    NUMBER(tensor_fp16_tflops, 0, 20000),
    NUMBER(tensor_fp16_acc16_tflops, 0, 20000),
    NUMBER(tensor_bf16_tflops, 0, 20000),
    NUMBER(tensor_fp8_tflops, 0, 40000),
    NUMBER(tensor_int8_tops, 0, 40000),
    NUMBER(tensor_fp4_tflops, 0, 80000),
    NUMBER(tdp_watts, 10, 3000),
    NUMBER(recommended_psu_watts, 200, 3000),
    TEXT(power_connectors),
    NUMBER(pcie_gen, 1, 7),
    WHOLE(pcie_lanes, 1, 32),
    NUMBER(nvlink_gb_s, 0, 4000),
    WHOLE(nvlink_max_gpus, 0, 600),
    WHOLE(mig_max_instances, 0, 16),
    TEXT(cooling),
    WHOLE(slots, 1, 5),
    NUMBER(board_length_mm, 100, 400),
    WHOLE(display_outputs, 0, 8),
    WHOLE_REQUIRED(gpus_on_board, 1, 4),
    MONEY(launch_msrp_usd, 1, 100000),
    CHOICE(export_controlled_cn, "yes|no"),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_GPUS = {
    .name = "gpus",
    COLUMNS_OF(GPUS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "id",
    .catalogue_rows = offsetof(struct catalogue, gpus),
    .catalogue_count = offsetof(struct catalogue, gpu_count),
};

#undef ROW
#define ROW struct support
static const struct fact_column SUPPORT_COLUMNS[] = {
    TEXT_REQUIRED(scope),
    CHOICE_REQUIRED(framework, "cuda|driver|pytorch|tensorflow|jax|rocm|directml|llama.cpp|flash-"
                               "attention-2|flash-attention-3|vllm"),
    CHOICE_REQUIRED(os, "linux|windows|wsl|any"),
    CHOICE_REQUIRED(status, "supported|ending|dropped|unofficial|none"),
    TEXT(first_version),
    TEXT(last_version),
    DATE(end_date),
    DATE_REQUIRED(observed_on),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_SUPPORT = {
    .name = "support",
    COLUMNS_OF(SUPPORT_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "scope,framework,os",
    .catalogue_rows = offsetof(struct catalogue, support),
    .catalogue_count = offsetof(struct catalogue, support_count),
};

#undef ROW
#define ROW struct alias
static const struct fact_column ALIASES_COLUMNS[] = {
    TEXT_REQUIRED(alias),
    TEXT(gpu_id),
    CHOICE_REQUIRED(kind, "short|marketing|lspci|nvidia-smi|skypilot|gpuhunt|azure-size|zh|"
                          "historic|gpu-pricing|instance|provider|plan|mark"),
    TEXT(note),
};

const struct fact_table FACTS_ALIASES = {
    .name = "aliases",
    COLUMNS_OF(ALIASES_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, aliases),
    .catalogue_count = offsetof(struct catalogue, alias_count),
};

#undef ROW
#define ROW struct speed_trait
static const struct fact_column SPEED_TRAITS_COLUMNS[] = {
    TEXT_REQUIRED(architecture),
    TEXT(compute_capability),
    CHOICE_REQUIRED(kernels, SPEED_KERNELS_CHOICE),
    WHOLE_REQUIRED(cores_per_multiprocessor, 1, 1024),
    CHOICE_REQUIRED(large_cache, "yes|no"),
    WHOLE_REQUIRED(training_rows, 0, 1000000),
    WHOLE_REQUIRED(inference_rows, 0, 1000000),
    WHOLE_REQUIRED(language_rows, 0, 1000000),
    TEXT_REQUIRED(basis),
    TEXT_REQUIRED(source),
    DATE_REQUIRED(observed_on),
};

const struct fact_table FACTS_SPEED_TRAITS = {
    .name = "speed_traits",
    COLUMNS_OF(SPEED_TRAITS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, speed_traits),
    .catalogue_count = offsetof(struct catalogue, speed_trait_count),
};
