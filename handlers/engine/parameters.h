/* Constants and defaults of the advisor, as rows of data with their basis; read by name once. */
#ifndef GPUWISE_ENGINE_PARAMETERS_H
#define GPUWISE_ENGINE_PARAMETERS_H

#include "error.h"

#include <stddef.h>

struct parameter {
    const char *name, *value, *unit, *meaning, *basis;
};

/* The values by name. Shares are of 1; text values point into the rows. Meaning, unit and basis of
 * each stand in its row (migrations/parameters.csv). */
struct parameters {
    double score_exponent_balanced, score_exponent_value, score_exponent_speed, score_scale;
    double score_cost_unit_usd, horizon_months, hours_per_month;
    double electricity_usd_per_kwh, electricity_cny_per_kwh, electricity_eur_per_kwh;
    double host_watts, host_cost, tax_rate, resale_share_mid, resale_share_low, resale_share_high;
    double price_window_days, price_stale_days, price_stale_growth_per_year, price_stale_growth_cap;
    double price_very_old_years, msrp_ignored_if_observed_days, msrp_street_index_mid;
    double msrp_street_index_low, msrp_street_index_high, msrp_release_limit_years;
    double msrp_discontinued_limit_days, offer_stale_days;
    double spot_interruptions_per_day, spot_checkpoint_minutes;
    double offer_max_age_days, offer_median_of, deal_fair_band, deal_rank_compared;
    double deal_min_fresh_prices, psu_factor, psu_base_watts, psu_tight_share, memory_pick_share;
    double memory_tight_share, context_overhead_gib, display_gib, usable_share_ecc_gddr;
    double usable_share_default, headroom_bonus_exponent, headroom_bonus_cap,
        learn_memory_floor_gib;
    double research_memory_floor_gib, default_max_gpus, default_context_tokens,
        default_seq_len_tokens;
    double default_batch, default_batch_network, default_users, default_lora_rank,
        life_factor_supported, life_factor_ending;
    double ecosystem_factor_cuda, ecosystem_factor_rocm_listed, ecosystem_factor_other;
    double unproven_min_rows, unproven_low_factor, max_cards, advice_budget_step;
    double rejected_listed_default, link_measured_share_pcie, link_measured_share_nvlink;
    double memory_fragmentation, memory_unknown_shape, memory_activation_copies;
    double memory_diffusion_share, memory_decoder_bytes, memory_diffusion_train_bytes,
        memory_server_gb;
    double memory_assumed_low, memory_assumed_high;
    /* speed: what is counted, measured or assumed, beside the fitted numbers of calibration.h */
    double compute_hopper, compute_blackwell_dc, compute_cdna, compute_rdna, compute_xe;
    double compute_other, decode_xe, w_diffusion, o_diffusion;
    double decode_depth_scale, decode_depth_exponent, train_peak_share, train_peak_most,
        hidden_communication_share, scaling_unknown_step;
    double allreduce_nvlink_us, allreduce_pcie_us, half_width_training;
    double eager_layer_us, eager_quantised_share, decode_cdna, decode_server_ms, decode_experts;
    double prompt_vulkan, prompt_kquant, prompt_shader, train_picture_passes, single_step_ratio;
    const char *reference_gpu, *default_quant_inference, *default_quant_training,
        *default_quant_qlora;
    const char *default_kv_dtype, *default_optimizer, *default_checkpointing, *default_lora_targets,
        *default_flash_attention, *default_master_weights, *chassis_default;
    const char *export_region_cn_prefers;
};

/* Fills *parameters from the rows; fails when one is missing or no number, naming it. */
bool parameters_read(const struct parameter *rows, size_t count, struct parameters *parameters,
                     struct error *err) MUST_CHECK;

#endif
