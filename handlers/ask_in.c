/* The table of the question's parameters and the readers of those that are no plain value. It fills
 * struct ask; defaults are the engine's (ask_complete). One request, one thread. */
#include "ask_in.h"

#include "ask_custom.h"
#include "model_config.h"
#include "problem.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Of every question; of one with its work said in full; of one about cards to buy; of one with its
 * money and machine said in full; of what is listed in the answer. */
enum { BUY = ASK_RECOMMEND | ASK_DEAL | ASK_COMPARE, LISTED = ASK_RECOMMEND | ASK_TIERS };
enum { ALL = BUY | ASK_ESTIMATE | ASK_TIERS, WORK = BUY | ASK_ESTIMATE, PICKS = BUY | ASK_TIERS };

static const char *const ECOSYSTEM[] = {"ignore"};

static bool is_training(const void *ask)
{
    return ask_is_training(ask);
}

static bool is_inference(const void *ask)
{
    return !ask_is_training(ask);
}

static bool is_adapter(const void *target)
{
    const struct ask *ask = target;

    return ask->task == TASK_LORA || ask->task == TASK_QLORA;
}

static bool trains_all(const void *ask)
{
    return is_training(ask) && !is_adapter(ask);
}

/* Pictures and tables have no text whose length could count, nor a program that holds it. */
static bool may_read_text(const void *target)
{
    const struct ask *ask = target;

    return !ask_is_of_pictures(ask) && ask->domain != DOMAIN_DIFFUSION &&
           ask->domain != DOMAIN_TABULAR;
}

/* PyTorch serves by engines of many names, which the speed of an answer means unless Transformers
 * is asked for: then none is said back. */
static bool has_runtime(const void *target)
{
    const struct ask *ask = target;

    return may_read_text(ask) &&
           (ask->runtime_is_given || ask_is_training(ask) || ask->runtime != RUNTIME_TRANSFORMERS);
}

static bool is_picture(const void *target)
{
    const struct ask *ask = target;

    return !isnan(ask->resolution_px);
}

/* Shorthand of this table only. */
#define AT(field) .offset = offsetof(struct ask, field)
#define GIVEN(field) .given_offset = offsetof(struct ask, field)
#define NUMBER(label, sort, where, low, high, sample)                                              \
    .name = (label), .kind = (sort), .uses = (where), .minimum = (low), .maximum = (high),         \
    .example = (sample)
#define CHOICE(label, where, words, words_count)                                                   \
    .name = (label), .kind = PARAM_CHOICE, .uses = (where), .choices = (words),                    \
    .choice_count = (words_count)
#define CUSTOM(label, where, reader, writer)                                                       \
    .name = (label), .kind = PARAM_CUSTOM, .uses = (where), .read = (reader), .write = (writer)
#define FACT(label, where, from, of)                                                               \
    .name = (label), .kind = PARAM_FACT, .uses = (where), .table = (from), .column = (of)

/* The largest values are beyond any sensible question and far inside double and int64_t. */
const struct param ASK_PARAMS[] = {
    {CHOICE("task", ALL, TASK_NAMES, TASK_COUNT), AT(task), GIVEN(task_is_given)},
    {CHOICE("domain", ALL, DOMAIN_NAMES, DOMAIN_COUNT), AT(domain), GIVEN(domain_is_given)},
    {CUSTOM("model", ALL, ask_custom_read_model, ask_custom_write_model)},
    {CUSTOM("quant", ALL, ask_custom_read_quant, ask_custom_write_quant)},
    {CHOICE("kv_dtype", WORK, KV_DTYPE_NAMES, KV_DTYPE_COUNT), AT(kv_dtype),
     GIVEN(kv_dtype_is_given), .applies = is_inference},
    {NUMBER("context", PARAM_WHOLE, WORK, 1, 1e8, "8192"), AT(context), .applies = may_read_text},
    {NUMBER("seq_len", PARAM_WHOLE, WORK, 1, 1e8, "2048"), AT(seq_len), .applies = may_read_text},
    {NUMBER("batch", PARAM_WHOLE, WORK, 1, 1e6, "8"), AT(batch), GIVEN(batch_is_given)},
    {CHOICE("batch_fills", WORK, PARAMS_IN_YES_NO, 2), AT(batch_fills)},
    {NUMBER("users", PARAM_WHOLE, WORK, 1, 1e6, "4"), AT(users)},
    {CHOICE("optimizer", WORK, OPTIMIZER_NAMES, OPTIMIZER_COUNT), AT(optimizer),
     GIVEN(optimizer_is_given), .applies = is_training},
    {CHOICE("checkpointing", WORK, PARAMS_IN_YES_NO, 2), AT(checkpointing), .applies = is_training},
    {CHOICE("runtime", WORK, RUNTIME_NAMES, RUNTIME_COUNT), AT(runtime), GIVEN(runtime_is_given),
     .applies = has_runtime},
    {NUMBER("lora_rank", PARAM_WHOLE, WORK, 1, 4096, "16"), AT(lora_rank),
     GIVEN(lora_rank_is_given), .applies = is_adapter},
    {CHOICE("lora_targets", WORK, LORA_TARGETS_NAMES, LORA_TARGETS_COUNT), AT(lora_targets),
     GIVEN(lora_targets_is_given), .applies = is_adapter},
    {CHOICE("flash_attention", WORK, PARAMS_IN_YES_NO, 2), AT(flash_attention)},
    {CHOICE("master_weights", WORK, PARAMS_IN_YES_NO, 2), AT(master_weights),
     GIVEN(master_weights_is_given), .applies = trains_all},
    {NUMBER("resolution", PARAM_WHOLE, WORK, 16, 16384, "512"), AT(resolution_px),
     GIVEN(resolution_is_given), .applies = is_picture},
    {CHOICE("backend", WORK, SPEED_BACKEND_NAMES, SPEED_BACKEND_COUNT), AT(backend),
     .applies = is_inference},
    {CHOICE("strategy", WORK, STRATEGY_NAMES, STRATEGY_COUNT), AT(strategy)},
    {NUMBER("max_gpus", PARAM_WHOLE, PICKS, 1, ASK_MAX_CARDS, "2"), AT(max_gpus)},
    {NUMBER("min_memory_gib", PARAM_NUMBER, PICKS, 0, 1e5, "16"), AT(min_memory_gib)},
    {NUMBER("min_tokens_per_s", PARAM_NUMBER, BUY, 0, 1e6, "20"), AT(min_tokens_per_s)},
    {NUMBER("train_tokens", PARAM_WHOLE, WORK, 1, 1e16, "1000000000"), AT(train_tokens)},
    {NUMBER("samples", PARAM_WHOLE, WORK, 1, 1e15, "1280000"), AT(samples)},
    {NUMBER("hours", PARAM_NUMBER, WORK, 0.01, 1e6, "100"), AT(hours)},
    {NUMBER("budget", PARAM_MONEY, BUY, 1, ASK_MAX_AMOUNT, "1500.50"), AT(budget_micros)},
    {CHOICE("currency", PICKS, CURRENCY_NAMES, CURRENCY_COUNT), AT(currency)},
    {CHOICE("condition", PICKS, ASKED_CONDITION_NAMES, ASKED_CONDITION_COUNT), AT(condition)},
    {FACT("tier", ASK_RECOMMEND, "tiers", "id"), AT(tier)},
    {CHOICE("prefer", PICKS, PREFER_NAMES, PREFER_COUNT), AT(prefer)},
    {FACT("vendor", PICKS, "gpus", "vendor"), AT(vendor)},
    {FACT("segment", BUY, "gpus", "segment"), AT(segment)},
    {CHOICE("os", ALL, OS_NAMES, OS_COUNT), AT(os)},
    {CHOICE("framework", ALL, FRAMEWORK_NAMES, FRAMEWORK_ASKABLE_COUNT), AT(framework),
     GIVEN(framework_is_given)},
    {CUSTOM("ecosystem", PICKS, ask_custom_read_ecosystem, ask_custom_write_ecosystem),
     .choices = ECOSYSTEM, .choice_count = 1},
    {CUSTOM("needs", PICKS, ask_custom_read_needs, ask_custom_write_needs)},
    {CHOICE("chassis", PICKS, CHASSIS_NAMES, CHASSIS_COUNT), AT(chassis)},
    {NUMBER("psu_watts", PARAM_NUMBER, BUY, 1, 1e5, "750"), AT(psu_watts)},
    {NUMBER("max_slots", PARAM_NUMBER, BUY, 1, 64, "2"), AT(max_slots)},
    {NUMBER("max_length_mm", PARAM_NUMBER, BUY, 50, 1000, "310"), AT(max_length_mm)},
    {CUSTOM("power_plugs", BUY, ask_custom_read_plugs, ask_custom_write_plugs)},
    {NUMBER("pcie_gen", PARAM_WHOLE, BUY, 3, 6, "4"), AT(pcie_gen)},
    {NUMBER("pcie_lanes", PARAM_WHOLE, BUY, 4, 16, "8"), AT(pcie_lanes)},
    {NUMBER("hours_per_month", PARAM_NUMBER, BUY, 0, 744, "80"), AT(hours_per_month)},
    {NUMBER("months", PARAM_NUMBER, BUY, 1, 240, "24"), AT(months)},
    {NUMBER("electricity", PARAM_MONEY, BUY, 0, 1000, "0.30"), AT(electricity_micros_per_kwh)},
    {NUMBER("vat_percent", PARAM_PERCENT, BUY, 0, 100, "13"), AT(vat_share)},
    {NUMBER("host_price", PARAM_MONEY, BUY, 0, ASK_MAX_AMOUNT, "900"), AT(host_price_micros)},
    {NUMBER("host_watts", PARAM_NUMBER, BUY, 0, 1e5, "120"), AT(host_watts)},
    {NUMBER("power_limit_watts", PARAM_NUMBER, BUY, 1, 5000, "250"), AT(power_limit_watts)},
    {NUMBER("checkpoint_hours", PARAM_NUMBER, BUY, 0.01, 1000, "0.5"), AT(checkpoint_hours)},
    {NUMBER("spot_interruptions_per_day", PARAM_NUMBER, BUY, 0, 100, "1"),
     AT(spot_interruptions_per_day)},
    {CHOICE("display", ALL, PARAMS_IN_YES_NO, 2), AT(display)},
    {CUSTOM("region", PICKS, ask_custom_read_region, ask_custom_write_region)},
    {.name = "own", .kind = PARAM_GPU, .uses = ASK_RECOMMEND | ASK_DEAL, AT(own)},
    {CUSTOM("prices", PICKS, ask_custom_read_prices, ask_custom_write_prices)},
    {NUMBER("limit", PARAM_COUNT, LISTED, 1, LIMIT_PICKS_MAX, "10"), AT(limit)},
    {CHOICE("explain", ASK_RECOMMEND, EXPLAIN_NAMES, EXPLAIN_COUNT), AT(explain)},
};
const size_t ASK_PARAM_COUNT = sizeof ASK_PARAMS / sizeof ASK_PARAMS[0];

static void collect(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                    struct ask *ask)
{
    struct param_group groups[2] = {{ASK_PARAMS, ASK_PARAM_COUNT, use, ask}};
    size_t count = 1;

    ask_init(ask);
    if (exchange->posted != NULL) {
        ask->model = &exchange->posted->model;
    }
    if (own != NULL) {
        groups[count++] = *own;
    }
    params_in_collect(exchange, groups, count);
    if (exchange->posted != NULL && exchange->posted->quant_name != NULL && ask->quant == NULL &&
        !(ask->task_is_given &&
          ask_is_training(ask))) { /* trained are weights as they were before they were packed */
        ask->quant = catalogue_find_quant(exchange->catalogue, exchange->posted->quant_name);
    }
}

/* The engine names the first value that cannot be combined with the others. Asking again without it
 * finds the next one, so that all of them are named at once. */
static bool complete(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                     struct ask *ask)
{
    struct ask tried = *ask;
    struct error err = {0};

    while (!ask_complete(exchange->catalogue, &tried, &err)) {
        if (err.code != ERROR_BAD_PARAMETER) {
            problem_reply_error(exchange, &err);
            return false;
        }
        const char *name = complaints_add_error(&exchange->complaints, &err);

        if (name == NULL || !query_remove(&exchange->query, name)) {
            break;
        }
        collect(exchange, use, own, &tried);
    }
    *ask = tried;
    return params_in_accept(exchange);
}

bool ask_in_read(struct exchange *exchange, enum ask_use use, const struct param_group *own,
                 struct ask *ask, struct ask *open)
{
    collect(exchange, use, own, ask);
    if (!params_in_accept(exchange)) {
        return false;
    }
    if (open != NULL) {
        *open = *ask;
    }
    return complete(exchange, use, own, ask);
}
