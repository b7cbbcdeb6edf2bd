/* Reads the advisor's constants by name into struct parameters. Which they are is one table: a new
 * one needs its line here, its field in parameters.h and its row in migrations/parameters.csv. No
 * state. */
#include "parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parameter_field {
    const char *name;
    bool is_text;
    size_t offset;
};

#define NUMBER(field)                                                                              \
    {                                                                                              \
#field, false, offsetof(struct parameters, field)                                          \
    }
#define TEXT(field)                                                                                \
    {                                                                                              \
#field, true, offsetof(struct parameters, field)                                           \
    }

static const struct parameter_field FIELDS[] = {
    NUMBER(score_exponent_balanced),
    NUMBER(score_exponent_value),
    NUMBER(score_exponent_speed),
    NUMBER(score_scale),
    NUMBER(score_cost_unit_usd),
    NUMBER(horizon_months),
    NUMBER(hours_per_month),
    NUMBER(electricity_usd_per_kwh),
    NUMBER(electricity_cny_per_kwh),
    NUMBER(electricity_eur_per_kwh),
    NUMBER(host_watts),
    NUMBER(host_cost),
    NUMBER(tax_rate),
    NUMBER(resale_share_mid),
    NUMBER(resale_share_low),
    NUMBER(resale_share_high),
    NUMBER(price_window_days),
    NUMBER(price_stale_days),
    NUMBER(price_stale_growth_per_year),
    NUMBER(price_stale_growth_cap),
    NUMBER(price_very_old_years),
    NUMBER(msrp_ignored_if_observed_days),
    NUMBER(msrp_street_index_mid),
    NUMBER(msrp_street_index_low),
    NUMBER(msrp_street_index_high),
    NUMBER(msrp_release_limit_years),
    NUMBER(msrp_discontinued_limit_days),
    NUMBER(offer_stale_days),
    NUMBER(spot_interruptions_per_day),
    NUMBER(spot_checkpoint_minutes),
    NUMBER(offer_max_age_days),
    NUMBER(offer_median_of),
    NUMBER(deal_fair_band),
    NUMBER(deal_rank_compared),
    NUMBER(deal_min_fresh_prices),
    NUMBER(psu_factor),
    NUMBER(psu_base_watts),
    NUMBER(psu_tight_share),
    NUMBER(memory_pick_share),
    NUMBER(memory_tight_share),
    NUMBER(context_overhead_gib),
    NUMBER(display_gib),
    NUMBER(usable_share_ecc_gddr),
    NUMBER(usable_share_default),
    NUMBER(headroom_bonus_exponent),
    NUMBER(headroom_bonus_cap),
    NUMBER(learn_memory_floor_gib),
    NUMBER(research_memory_floor_gib),
    NUMBER(default_max_gpus),
    NUMBER(default_context_tokens),
    NUMBER(default_seq_len_tokens),
    NUMBER(default_batch),
    NUMBER(default_batch_network),
    NUMBER(default_users),
    NUMBER(default_lora_rank),
    NUMBER(life_factor_supported),
    NUMBER(life_factor_ending),
    NUMBER(ecosystem_factor_cuda),
    NUMBER(ecosystem_factor_rocm_listed),
    NUMBER(ecosystem_factor_other),
    NUMBER(unproven_min_rows),
    NUMBER(unproven_low_factor),
    NUMBER(max_cards),
    NUMBER(advice_budget_step),
    NUMBER(rejected_listed_default),
    NUMBER(link_measured_share_pcie),
    NUMBER(link_measured_share_nvlink),
    NUMBER(memory_fragmentation),
    NUMBER(memory_unknown_shape),
    NUMBER(memory_activation_copies),
    NUMBER(memory_diffusion_share),
    NUMBER(memory_decoder_bytes),
    NUMBER(memory_diffusion_train_bytes),
    NUMBER(memory_server_gb),
    NUMBER(memory_assumed_low),
    NUMBER(memory_assumed_high),
    NUMBER(compute_hopper),
    NUMBER(compute_blackwell_dc),
    NUMBER(compute_cdna),
    NUMBER(compute_rdna),
    NUMBER(compute_xe),
    NUMBER(compute_other),
    NUMBER(decode_xe),
    NUMBER(w_diffusion),
    NUMBER(o_diffusion),
    NUMBER(decode_depth_scale),
    NUMBER(decode_depth_exponent),
    NUMBER(train_peak_share),
    NUMBER(train_peak_most),
    NUMBER(hidden_communication_share),
    NUMBER(scaling_unknown_step),
    NUMBER(allreduce_nvlink_us),
    NUMBER(allreduce_pcie_us),
    NUMBER(half_width_training),
    NUMBER(eager_layer_us),
    NUMBER(eager_quantised_share),
    NUMBER(decode_cdna),
    NUMBER(decode_server_ms),
    NUMBER(decode_experts),
    NUMBER(prompt_vulkan),
    NUMBER(prompt_kquant),
    NUMBER(prompt_shader),
    NUMBER(train_picture_passes),
    NUMBER(single_step_ratio),
    TEXT(reference_gpu),
    TEXT(default_quant_inference),
    TEXT(default_quant_training),
    TEXT(default_quant_qlora),
    TEXT(default_kv_dtype),
    TEXT(default_optimizer),
    TEXT(default_checkpointing),
    TEXT(default_lora_targets),
    TEXT(default_flash_attention),
    TEXT(default_master_weights),
    TEXT(chassis_default),
    TEXT(export_region_cn_prefers),
};

static const struct parameter *find_row(const struct parameter *rows, size_t count,
                                        const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* A whole finite number and nothing behind it; strtod alone would also take "nan" and "0x1". */
static bool read_number(const char *text, double *value)
{
    char *end = NULL;

    if (text == NULL || text[0] == '\0' || strspn(text, "0123456789.+-eE") != strlen(text)) {
        return false;
    }
    double number = strtod(text, &end);

    if (*end != '\0' || !isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}

bool parameters_read(const struct parameter *rows, size_t count, struct parameters *parameters,
                     struct error *err)
{
    struct parameters read = {0};

    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        const struct parameter *row = find_row(rows, count, FIELDS[i].name);
        char *place = (char *)&read + FIELDS[i].offset;
        double number = 0;

        if (row == NULL || row->value == NULL) {
            return error_set(err, ERROR_BAD_DATABASE, "parameters: %s is missing", FIELDS[i].name);
        }
        if (FIELDS[i].is_text) {
            memcpy(place, &row->value, sizeof row->value);
        } else if (read_number(row->value, &number)) {
            memcpy(place, &number, sizeof number);
        } else {
            return error_set(err, ERROR_BAD_DATABASE, "parameters: %s is no number: %s",
                             FIELDS[i].name, row->value);
        }
    }
    *parameters = read;
    return true;
}
