/* Brings what can be rented into one shape. It filters and orders nothing. Pure. */
#include "cloud_rows.h"

#include "engine/cloud_offer.h"
#include "engine/cloud_plan.h"
#include "engine/hash.h"

#include <math.h>

const char *const CLOUD_KIND_NAMES[CLOUD_KIND_COUNT] = {"notebook", "tpu", "instance"};

static const struct cloud_row NOTHING_KNOWN = {
    .gpu_count = (double)NAN,
    .memory_gib = (double)NAN,
    .vcpus = (double)NAN,
    .ram_gb = (double)NAN,
    .session_limit_hours = (double)NAN,
    .idle_timeout_minutes = (double)NAN,
    .compute_units_included = (double)NAN,
    .cu_per_hour = (double)NAN,
    .hours_per_month = (double)NAN,
    .usd_per_hour_micros = MONEY_UNKNOWN,
    .spot_usd_per_hour_micros = MONEY_UNKNOWN,
    .usd_per_gpu_hour_micros = MONEY_UNKNOWN,
    .usd_per_month_micros = MONEY_UNKNOWN,
    .price_per_hour_micros = MONEY_UNKNOWN,
};

static double memory_of(const struct gpu *gpu, double printed_gb)
{
    return gpu == NULL ? printed_gb : gpu->memory_per_process_gib;
}

void cloud_rows_instance(struct cloud_row *row, const struct catalogue *catalogue,
                         const struct cloud_offer *offer, int32_t day)
{
    bool is_divisible = offer->usd_per_hour_micros != MONEY_UNKNOWN && offer->gpu_count > 0;

    *row = NOTHING_KNOWN;
    row->kind = CLOUD_INSTANCE;
    row->provider = offer->provider;
    row->instance_type = offer->instance_type;
    row->accelerator = offer->accelerator;
    row->tpu_slug = offer->tpu_slug;
    row->gpu = offer->gpu;
    row->gpu_count = offer->gpu_count;
    row->memory_gib = memory_of(offer->gpu, offer->gpu_memory_gb);
    row->vcpus = offer->vcpus;
    row->ram_gb = offer->ram_gb;
    row->region = offer->region;
    row->currency = offer->currency;
    row->usd_per_hour_micros = offer->usd_per_hour_micros;
    row->spot_usd_per_hour_micros = offer->spot_usd_per_hour_micros;
    row->usd_per_gpu_hour_micros =
        is_divisible ? money_times(offer->usd_per_hour_micros, 1 / offer->gpu_count)
                     : MONEY_UNKNOWN;
    row->price_per_hour_micros = offer->ondemand_per_hour_micros;
    row->observed_on = offer->observed_on;
    row->is_stale = cloud_is_stale(catalogue, &offer->observed_on, day);
    row->is_marketplace = offer->is_marketplace;
    row->source = offer->source;
}

void cloud_rows_notebook(struct cloud_row *row, const struct catalogue *catalogue,
                         const struct notebook_plan *plan, int32_t day)
{
    struct plan_limits limits;

    cloud_plan_limits(catalogue, plan, &limits);
    *row = NOTHING_KNOWN;
    row->kind = CLOUD_NOTEBOOK;
    row->provider = plan->provider;
    row->instance_type = plan->plan;
    row->accelerator = plan->accelerator;
    row->tpu_slug = plan->tpu_slug;
    row->gpu = plan->gpu;
    row->memory_gib =
        isnan(plan->gpu_memory_gb) ? memory_of(plan->gpu, (double)NAN) : plan->gpu_memory_gb;
    row->ram_gb = plan->ram_gb;
    row->currency = plan->currency;
    row->usd_per_hour_micros = cloud_plan_usd_per_hour_micros(catalogue, plan);
    row->usd_per_month_micros = plan->price_usd_per_month_micros;
    row->price_per_hour_micros = plan->price_per_hour_micros;
    row->session_limit_hours = plan->session_limit_hours;
    row->idle_timeout_minutes = plan->idle_timeout_minutes;
    row->compute_units_included = plan->compute_units_included;
    row->cu_per_hour = plan->cu_per_hour;
    row->hours_per_month = limits.hours_per_month;
    row->observed_on = plan->observed_on;
    row->is_stale = cloud_is_stale(catalogue, &plan->observed_on, day);
    row->note = plan->guarantee_or_limits;
    row->mainland_china_access = plan->mainland_china_access;
    row->source = plan->source;
}

static void fill_tpu(struct cloud_row *row, const struct catalogue *catalogue,
                     const struct tpu *tpu, int32_t day)
{
    const struct date *observed_on =
        tpu->price_observed_on.text == NULL ? &tpu->observed_on : &tpu->price_observed_on;

    *row = NOTHING_KNOWN;
    row->kind = CLOUD_TPU;
    row->provider = "GCP";
    row->instance_type = tpu->tpu_slug;
    row->accelerator = tpu->version;
    row->tpu_slug = tpu->tpu_slug;
    row->gpu_count = 1;
    row->memory_gib = tpu->hbm_gib;
    row->region = tpu->price_region;
    row->currency = CURRENCY_NAMES[CURRENCY_USD];
    row->usd_per_hour_micros = tpu->usd_per_chip_hour_ondemand_micros;
    row->spot_usd_per_hour_micros = tpu->usd_per_chip_hour_spot_micros;
    row->usd_per_gpu_hour_micros = tpu->usd_per_chip_hour_ondemand_micros;
    row->price_per_hour_micros = tpu->usd_per_chip_hour_ondemand_micros;
    row->observed_on = *observed_on;
    row->is_stale = cloud_is_stale(catalogue, observed_on, day);
    row->note = tpu->note;
    row->source = tpu->source;
}

const struct cloud_row *cloud_rows_collect(const struct catalogue *catalogue, int32_t day,
                                           struct arena *arena, size_t *count)
{
    size_t room =
        catalogue->cloud_offer_count + catalogue->notebook_plan_count + catalogue->tpu_count;
    struct cloud_row *rows = arena_alloc_array(arena, room, sizeof *rows);

    *count = 0;
    for (size_t i = 0; rows != NULL && i < catalogue->notebook_plan_count; i++) {
        if (!text_is(catalogue->notebook_plans[i].status, "historic")) {
            cloud_rows_notebook(&rows[(*count)++], catalogue, &catalogue->notebook_plans[i], day);
        }
    }
    for (size_t i = 0; rows != NULL && i < catalogue->tpu_count; i++) {
        fill_tpu(&rows[(*count)++], catalogue, &catalogue->tpus[i], day);
    }
    for (size_t i = 0; rows != NULL && i < catalogue->cloud_offer_count; i++) {
        if (catalogue->cloud_offers[i].is_newest) {
            cloud_rows_instance(&rows[(*count)++], catalogue, &catalogue->cloud_offers[i], day);
        }
    }
    return rows;
}

uint64_t cloud_rows_serial(const struct cloud_row *row)
{
    const int64_t amounts[] = {row->kind, row->observed_on.day, row->price_per_hour_micros,
                               row->usd_per_month_micros, row->spot_usd_per_hour_micros};
    const double sizes[] = {row->gpu_count, row->memory_gib, row->vcpus, row->ram_gb};
    uint64_t hash = hash_words(HASH_SEED, amounts, sizeof amounts);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double size = isnan(sizes[i]) ? -1 : sizes[i]; /* unknown is one value */

        hash = hash_words(hash, &size, sizeof size);
    }
    return hash_text(hash, row->source);
}

void cloud_rows_write(struct json_out *out, const struct cloud_row *row)
{
    json_out_text_at(out, "kind", CLOUD_KIND_NAMES[row->kind]);
    json_out_text_at(out, "provider", row->provider);
    json_out_text_at(out, "instance_type", row->instance_type);
    json_out_text_at(out, "accelerator", row->accelerator);
    json_out_text_at(out, "gpu", row->gpu == NULL ? NULL : row->gpu->id);
    json_out_text_at(out, "tpu", row->tpu_slug);
    json_out_number_at(out, "gpu_count", row->gpu_count);
    json_out_number_at(out, "memory_gib", row->memory_gib);
    json_out_number_at(out, "vcpus", row->vcpus);
    json_out_number_at(out, "ram_gb", row->ram_gb);
    json_out_text_at(out, "region", row->region);
    json_out_money_exact_at(out, "usd_per_hour", row->usd_per_hour_micros);
    json_out_money_exact_at(out, "spot_usd_per_hour", row->spot_usd_per_hour_micros);
    json_out_money_exact_at(out, "usd_per_gpu_hour", row->usd_per_gpu_hour_micros);
    json_out_money_at(out, "price_usd_per_month", row->usd_per_month_micros);
    json_out_text_at(out, "currency", row->currency);
    json_out_money_exact_at(out, "price_per_hour", row->price_per_hour_micros);
    json_out_text_at(out, "observed_on", row->observed_on.text);
    json_out_bool_at(out, "stale", row->is_stale);
    json_out_bool_at(out, "marketplace", row->is_marketplace);
    json_out_number_at(out, "session_limit_hours", row->session_limit_hours);
    json_out_number_at(out, "idle_timeout_minutes", row->idle_timeout_minutes);
    json_out_number_at(out, "compute_units_included", row->compute_units_included);
    json_out_number_at(out, "cu_per_hour", row->cu_per_hour);
    json_out_estimate_at(out, "hours_per_month", row->hours_per_month);
    json_out_text_at(out, "mainland_china_access", row->mainland_china_access);
    json_out_text_at(out, "note", row->note);
    json_out_text_at(out, "source", row->source);
}
