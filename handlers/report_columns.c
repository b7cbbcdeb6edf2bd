/* The columns of the CSV tables. A member that JSON gains is added at the end of its group: readers
 * go by name, and a test finds what is missing here. No logic; any thread. */
#include "report_csv.h"

static const char *const SUPPORT[] = {"status",     "framework",    "cuda_first", "cuda_last",
                                      "rocm_first", "rocm_last",    "end_date",   "observed_on",
                                      "note",       "pytorch_note", "rocm_note"};
static const char *const PRICE[] = {"amount",
                                    "planning",
                                    "low",
                                    "high",
                                    "currency",
                                    "condition",
                                    "basis",
                                    "observed_on",
                                    "source",
                                    "market",
                                    "observations",
                                    "stale",
                                    "very_old",
                                    "other_market",
                                    "unverified",
                                    "exchange_rate.base",
                                    "exchange_rate.quote",
                                    "exchange_rate.rate",
                                    "exchange_rate.observed_on",
                                    "exchange_rate.confidence"};
static const char *const SPEED[] = {"value",
                                    "unit",
                                    "low",
                                    "high",
                                    "basis",
                                    "unproven",
                                    "relative_low",
                                    "prefill_tokens_per_s",
                                    "tokens_per_s_per_user",
                                    "scaling"};
static const char *const COST[] = {"total",          "purchase",           "energy",
                                   "resale",         "resale_low",         "resale_mid",
                                   "resale_high",    "per_month",          "per_hour",
                                   "per_job",        "per_million_tokens", "per_million_images",
                                   "total_usd",      "currency",           "months",
                                   "hours_per_month"};
static const char *const FIT[] = {"needed_gib", "available_gib", "headroom_gib", "tight"};
static const char *const TIME[] = {"hours", "low", "high"};
static const char *const SCORE_PARTS[] = {"speed", "headroom", "life", "ecosystem", "cost"};
static const char *const NOTES[] = {"reasons", "warnings"};
static const char *const REFERENCE[] = {"id", "name"};

static const char *const PICK[] = {"rank", "labels", "tier"};
static const char *const PICK_CARD[] = {"features"};
static const char *const PICK_SET[] = {"count", "strategy", "link", "pareto"};
static const char *const PICK_PRICE[] = {"total", "holds_up_to"};
static const char *const SCORE[] = {"score"};

static const char *const DEAL[] = {"verdict", "ratio"};
static const char *const FAIR[] = {
    "amount",         "currency",         "basis",         "fresh", "count",         "matches.rank",
    "matches.gpu.id", "matches.gpu.name", "matches.score", "score", "score_exponent"};

static const char *const COMPARED[] = {"field", "label", "unit", "best"};

static const char *const ESTIMATE[] = {"count",      "fits",          "tight",
                                       "needed_gib", "available_gib", "headroom_gib"};
static const char *const JOB[] = {"job_hours"};

static const char *const CARD[] = {"features", "warnings"};

static const char *const CLOUD[] = {"kind",
                                    "provider",
                                    "instance_type",
                                    "accelerator",
                                    "gpu",
                                    "tpu",
                                    "gpu_count",
                                    "memory_gib",
                                    "vcpus",
                                    "ram_gb",
                                    "region",
                                    "usd_per_hour",
                                    "spot_usd_per_hour",
                                    "usd_per_gpu_hour",
                                    "price_usd_per_month",
                                    "currency",
                                    "price_per_hour",
                                    "observed_on",
                                    "stale",
                                    "marketplace",
                                    "session_limit_hours",
                                    "idle_timeout_minutes",
                                    "compute_units_included",
                                    "cu_per_hour",
                                    "hours_per_month",
                                    "mainland_china_access",
                                    "note",
                                    "source",
                                    "warnings"};

#define NAMES(prefix, list)                                                                        \
    {                                                                                              \
        prefix, NULL, list, sizeof(list) / sizeof((list)[0])                                       \
    }
#define FACTS(prefix, table)                                                                       \
    {                                                                                              \
        prefix, table, NULL, 0                                                                     \
    }
#define GROUPS(list) list, sizeof(list) / sizeof((list)[0])

static const struct report_group PICK_GROUPS[] = {
    NAMES("", PICK),
    FACTS("gpu.", "gpus"),
    NAMES("gpu.support.", SUPPORT),
    NAMES("gpu.", PICK_CARD),
    NAMES("", PICK_SET),
    NAMES("price.", PICK_PRICE),
    NAMES("price.", PRICE),
    NAMES("fit.", FIT),
    NAMES("speed.", SPEED),
    NAMES("time.", TIME),
    NAMES("cost.", COST),
    NAMES("", SCORE),
    NAMES("score_parts.", SCORE_PARTS),
    NAMES("", NOTES),
};

static const struct report_group DEAL_GROUPS[] = {
    NAMES("gpu.", REFERENCE),   NAMES("", DEAL),  NAMES("price.", PRICE),
    NAMES("fair_price.", FAIR), NAMES("", NOTES),
};

static const struct report_group COMPARE_GROUPS[] = {NAMES("", COMPARED)};

static const struct report_group ESTIMATE_GROUPS[] = {NAMES("gpu.", REFERENCE), NAMES("", ESTIMATE),
                                                      NAMES("speed.", SPEED), NAMES("speed.", JOB)};

static const struct report_group GPU_LIST_GROUPS[] = {FACTS("", "gpus"), NAMES("support.", SUPPORT),
                                                      NAMES("price.", PRICE), NAMES("", CARD)};

static const struct report_group GPU_GROUPS[] = {
    FACTS("", "gpus"),          NAMES("support.", SUPPORT),  NAMES("price.", PRICE),
    NAMES("price_new.", PRICE), NAMES("price_used.", PRICE), NAMES("", CARD)};

static const struct report_group MODEL_GROUPS[] = {FACTS("", "models")};
static const struct report_group CLOUD_GROUPS[] = {NAMES("", CLOUD)};

const struct report_csv REPORT_CSV_PICKS = {"picks", GROUPS(PICK_GROUPS), false};
const struct report_csv REPORT_CSV_TIERS = {"rows", GROUPS(PICK_GROUPS), false};
const struct report_csv REPORT_CSV_DEAL = {"", GROUPS(DEAL_GROUPS), false};
const struct report_csv REPORT_CSV_COMPARE = {"rows", GROUPS(COMPARE_GROUPS), true};
const struct report_csv REPORT_CSV_ESTIMATE = {"fits", GROUPS(ESTIMATE_GROUPS), false};
const struct report_csv REPORT_CSV_GPUS = {"data", GROUPS(GPU_LIST_GROUPS), false};
const struct report_csv REPORT_CSV_GPU = {"", GROUPS(GPU_GROUPS), false};
const struct report_csv REPORT_CSV_MODELS = {"data", GROUPS(MODEL_GROUPS), false};
const struct report_csv REPORT_CSV_MODEL = {"", GROUPS(MODEL_GROUPS), false};
const struct report_csv REPORT_CSV_CLOUD = {"data", GROUPS(CLOUD_GROUPS), false};
