/* Offers, plans and TPUs in one shape, for /cloud and the choices of /recommend. */
#ifndef GPUWISE_CLOUD_ROWS_H
#define GPUWISE_CLOUD_ROWS_H

#include "engine/catalogue.h"
#include "json_out.h"

enum cloud_kind { CLOUD_NOTEBOOK, CLOUD_TPU, CLOUD_INSTANCE, CLOUD_KIND_COUNT };
extern const char *const CLOUD_KIND_NAMES[CLOUD_KIND_COUNT];

struct cloud_row { /* unknown: NULL, NAN, MONEY_UNKNOWN */
    enum cloud_kind kind;
    const char *provider, *instance_type, *accelerator, *tpu_slug, *region, *currency, *note,
        *source;
    const char *mainland_china_access; /* in words, of notebooks */
    const struct gpu *gpu;
    double gpu_count;  /* a share of a card is a fraction; a TPU row is one chip; a plan's is not
                          known */
    double memory_gib; /* of one card, as printed where the card is unknown */
    double vcpus, ram_gb;
    double session_limit_hours, idle_timeout_minutes; /* of a notebook plan */
    double compute_units_included, cu_per_hour;
    double hours_per_month;      /* a plan gives of its card at most, where such a limit is known */
    int64_t usd_per_hour_micros; /* of the whole instance on demand, converted where in another
                                    currency */
    int64_t spot_usd_per_hour_micros, usd_per_gpu_hour_micros, usd_per_month_micros;
    int64_t price_per_hour_micros; /* in currency */
    struct date observed_on;
    bool is_stale, is_marketplace;
};

/* All that counts today: newest offers, current plans, every TPU. NULL: out of memory. */
const struct cloud_row *cloud_rows_collect(const struct catalogue *catalogue, int32_t day,
                                           struct arena *arena, size_t *count) MUST_CHECK;

/* One offer, one plan. */
void cloud_rows_instance(struct cloud_row *row, const struct catalogue *catalogue,
                         const struct cloud_offer *offer, int32_t day);
void cloud_rows_notebook(struct cloud_row *row, const struct catalogue *catalogue,
                         const struct notebook_plan *plan, int32_t day);

/* A number that tells rows apart which have all their names in common, by what they cost, have and
 * where that is from. */
uint64_t cloud_rows_serial(const struct cloud_row *row);

/* The members of a row; hourly prices keep their fractions of a cent. */
void cloud_rows_write(struct json_out *out, const struct cloud_row *row);

#endif
