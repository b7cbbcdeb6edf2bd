/* The tables about money: tiers, prices, offers, plans, exchange rates, loss of value. No state. */
#include "facts_columns.h"
#include "facts_tables.h"

#define ROW struct tier
static const struct fact_column TIERS_COLUMNS[] = {
    CHOICE_REQUIRED(id, "low|mid|high|unlimited"),
    CHOICE_REQUIRED(currency, "USD|CNY|EUR"),
    MONEY_REQUIRED(min, 0, NAN),
    MONEY(max, 0, NAN),
    TEXT_REQUIRED(segments),
    TEXT(note),
};

const struct fact_table FACTS_TIERS = {
    .name = "tiers",
    COLUMNS_OF(TIERS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "id,currency",
    .catalogue_rows = offsetof(struct catalogue, tiers),
    .catalogue_count = offsetof(struct catalogue, tier_count),
};

#undef ROW
#define ROW struct tpu
static const struct fact_column TPUS_COLUMNS[] = {
    TEXT_REQUIRED(tpu_slug),
    TEXT_REQUIRED(version),
    DATE_REQUIRED(release_date),
    NUMBER(bf16_tflops, 1, 10000),
    NUMBER(int8_tops, 1, 20000),
    NUMBER(fp8_tflops, 1, 20000),
    NUMBER(hbm_gib, 1, 1024),
    NUMBER(hbm_bandwidth_gb_s, 100, 32000),
    NUMBER(interconnect_gbit_s_per_chip, 1, 100000),
    TEXT(topology),
    WHOLE(max_pod_chips, 1, 100000),
    NUMBER(pod_pflops_bf16, 0, NAN),
    WHOLE(chips_per_host, 1, 64),
    WHOLE(tensorcores_per_chip, 1, 16),
    NUMBER(tdp_watts, 10, 3000),
    TEXT(availability),
    TEXT(price_region),
    MONEY(usd_per_chip_hour_ondemand, 0, NAN),
    MONEY(usd_per_chip_hour_spot, 0, NAN),
    MONEY(usd_per_chip_hour_1y, 0, NAN),
    MONEY(usd_per_chip_hour_3y, 0, NAN),
    DATE(price_observed_on),
    TEXT(frameworks),
    TEXT(note),
    DATE_REQUIRED(observed_on),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_TPUS = {
    .name = "tpus",
    COLUMNS_OF(TPUS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, tpus),
    .catalogue_count = offsetof(struct catalogue, tpu_count),
};

#undef ROW
#define ROW struct cloud_offer
static const struct fact_column CLOUD_OFFERS_COLUMNS[] = {
    TEXT_REQUIRED(provider),
    TEXT(instance_type),
    TEXT_REQUIRED(accelerator),
    TEXT(gpu_slug),
    TEXT(tpu_slug),
    NUMBER_REQUIRED(gpu_count, 0.05, 1024),
    NUMBER(gpu_memory_gb, 1, 1024),
    NUMBER(vcpus, 0.5, 4096),
    NUMBER(ram_gb, 0.5, 32768),
    TEXT(region),
    CHOICE_REQUIRED(currency, "USD|CNY|EUR"),
    MONEY(ondemand_per_hour, 0, 2000),
    MONEY(ondemand_usd_per_hour, 0, 2000),
    MONEY(spot_usd_per_hour, 0, 2000),
    DATE_REQUIRED(observed_on),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_CLOUD_OFFERS = {
    .name = "cloud_offers",
    COLUMNS_OF(CLOUD_OFFERS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, cloud_offers),
    .catalogue_count = offsetof(struct catalogue, cloud_offer_count),
};

#undef ROW
#define ROW struct notebook_plan
static const struct fact_column NOTEBOOK_PLANS_COLUMNS[] = {
    TEXT_REQUIRED(provider),
    TEXT_REQUIRED(plan),
    MONEY(price_usd_per_month, 0, 10000),
    TEXT(price_basis),
    NUMBER(compute_units_included, 0, NAN),
    TEXT_REQUIRED(accelerator),
    TEXT(gpu_slug),
    TEXT(tpu_slug),
    NUMBER(gpu_memory_gb, 1, 1024),
    NUMBER(cu_per_hour, 0, NAN),
    CHOICE_REQUIRED(currency, "USD|CNY|EUR"),
    MONEY(price_per_hour, 0, NAN),
    MONEY(usd_per_hour, 0, NAN),
    NUMBER(session_limit_hours, 0, NAN),
    NUMBER(idle_timeout_minutes, 0, NAN),
    NUMBER(ram_gb, 0, NAN),
    NUMBER(disk_gb, 0, NAN),
    TEXT(guarantee_or_limits),
    TEXT(mainland_china_access),
    CHOICE_REQUIRED(status, "current|historic"),
    DATE_REQUIRED(observed_on),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_NOTEBOOK_PLANS = {
    .name = "notebook_plans",
    COLUMNS_OF(NOTEBOOK_PLANS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, notebook_plans),
    .catalogue_count = offsetof(struct catalogue, notebook_plan_count),
};

#undef ROW
#define ROW struct price
static const struct fact_column GPU_PRICES_COLUMNS[] = {
    TEXT_REQUIRED(gpu_slug),
    CHOICE_REQUIRED(condition, "new|used|msrp"),
    TEXT_REQUIRED(currency),
    MONEY_REQUIRED(amount, 0.01, 10000000),
    CHOICE(market, "us|eu|de|fr|gr|gb|ch|cn|hk|tw|jp|au|ru"),
    DATE_REQUIRED(observed_on),
    TEXT_REQUIRED(source),
    TEXT(note),
};

const struct fact_table FACTS_GPU_PRICES = {
    .name = "gpu_prices",
    COLUMNS_OF(GPU_PRICES_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, prices),
    .catalogue_count = offsetof(struct catalogue, price_count),
};

#undef ROW
#define ROW struct fx_rate
static const struct fact_column FX_ASSUMPTIONS_COLUMNS[] = {
    TEXT_REQUIRED(base),
    TEXT_REQUIRED(quote),
    NUMBER_REQUIRED(rate, 0.0001, 100000),
    DATE_REQUIRED(observed_on),
    TEXT(note),
    TEXT_REQUIRED(source),
    CHOICE(confidence, "high|medium|low|assumption"),
};

const struct fact_table FACTS_FX_ASSUMPTIONS = {
    .name = "fx_assumptions",
    COLUMNS_OF(FX_ASSUMPTIONS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, fx_rates),
    .catalogue_count = offsetof(struct catalogue, fx_rate_count),
};

#undef ROW
#define ROW struct depreciation
static const struct fact_column DEPRECIATION_COLUMNS[] = {
    {.name = "class",
     .sql_name = "class",
     .type = FACT_TEXT,
     .is_required = true,
     .minimum = (double)NAN,
     .maximum = (double)NAN,
     .offset = offsetof(ROW, class_name)},
    NUMBER_REQUIRED(age_from_years, 0, 100),
    NUMBER_REQUIRED(yearly_rate_low, -1, 1),
    NUMBER_REQUIRED(yearly_rate_mid, -1, 1),
    NUMBER_REQUIRED(yearly_rate_high, -1, 1),
    WHOLE(n, 0, 1000000),
    TEXT(basis),
    TEXT_REQUIRED(source),
    DATE(observed_on),
};

const struct fact_table FACTS_DEPRECIATION = {
    .name = "depreciation",
    COLUMNS_OF(DEPRECIATION_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = NULL,
    .catalogue_rows = offsetof(struct catalogue, depreciations),
    .catalogue_count = offsetof(struct catalogue, depreciation_count),
};
