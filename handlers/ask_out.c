/* Writes the question back by the same table that read it. One request, one thread. */
#include "ask_out.h"

#include "engine/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Constants that shape every answer; their meaning and basis stand in the table of parameters. */
static const char *const RECOMMEND_CONSTANTS[] = {"reference_gpu",
                                                  "resale_share_mid",
                                                  "price_window_days",
                                                  "price_stale_days",
                                                  "price_stale_growth_per_year",
                                                  "horizon_months",
                                                  "memory_pick_share",
                                                  "memory_tight_share",
                                                  "memory_fragmentation",
                                                  "usable_share_default",
                                                  "usable_share_ecc_gddr",
                                                  "psu_factor",
                                                  "psu_base_watts",
                                                  "context_overhead_gib"};
static const char *const DEAL_CONSTANTS[] = {"deal_rank_compared", "deal_min_fresh_prices",
                                             "deal_fair_band", "score_scale",
                                             "score_cost_unit_usd"};
static const char *const ESTIMATE_CONSTANTS[] = {
    "reference_gpu",        "memory_pick_share",     "memory_tight_share",  "memory_fragmentation",
    "usable_share_default", "usable_share_ecc_gddr", "context_overhead_gib"};

static void write_number(struct json_out *out, const struct param *param, const char *place)
{
    double number = (double)NAN;
    int64_t micros = MONEY_UNKNOWN;
    size_t count = 0;

    if (param->kind == PARAM_COUNT) {
        memcpy(&count, place, sizeof count);
        json_out_count(out, count);
    } else if (param->kind == PARAM_MONEY) {
        memcpy(&micros, place, sizeof micros);
        json_out_money_exact(out, micros);
    } else {
        memcpy(&number, place, sizeof number);
        json_out_number(out, param->kind == PARAM_PERCENT ? number * 100 : number);
    }
}

static void write_value(struct json_out *out, const struct param *param, const void *target)
{
    const char *place = (const char *)target + param->offset;
    const char *text = NULL;
    const struct gpu *gpu = NULL;
    unsigned choice = 0;

    switch (param->kind) {
    case PARAM_NUMBER:
    case PARAM_WHOLE:
    case PARAM_COUNT:
    case PARAM_PERCENT:
    case PARAM_MONEY:
        write_number(out, param, place);
        break;
    case PARAM_CHOICE: /* the value behind the last choice means that nothing was asked */
        memcpy(&choice, place, sizeof choice);
        json_out_text(out, choice < param->choice_count ? param->choices[choice] : NULL);
        break;
    case PARAM_FACT:
    case PARAM_TEXT:
    case PARAM_WORD:
        memcpy(&text, place, sizeof text);
        json_out_text(out, text);
        break;
    case PARAM_GPU:
        memcpy(&gpu, place, sizeof gpu);
        json_out_text(out, gpu == NULL ? NULL : gpu->id);
        break;
    case PARAM_CUSTOM:
        param->write(out, target);
        break;
    }
}

/* Key and value, taken back where the value is null or an empty list. */
static void write_member(struct json_out *out, const struct param *param, const void *target)
{
    size_t before = out->text.length;

    json_out_key(out, param->name);
    size_t value_at = out->text.length;

    write_value(out, param, target);
    if (out->text.has_failed) {
        return;
    }
    size_t length = out->text.length - value_at;
    const char *value = out->text.bytes + value_at;

    if ((length == 4 && memcmp(value, "null", 4) == 0) ||
        (length == 2 && memcmp(value, "[]", 2) == 0)) {
        out->text.length = before;
    }
}

static void write_group(const struct exchange *exchange, struct json_out *out,
                        const struct param_group *group, bool only_unasked)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct param *param = &group->params[i];
        bool is_given = query_find(&exchange->query, param->name) != NULL;
        bool applies = param->applies == NULL || param->applies(group->target);

        if (applies && params_in_is_used(param, group->uses) && !(only_unasked && is_given)) {
            write_member(out, param, group->target);
        }
    }
}

/* A parameter row: its value as a number where it is one. */
static void write_constant(struct json_out *out, const struct parameter *row)
{
    double number = (double)NAN;

    if (params_in_number(row->value, strlen(row->value), &number)) {
        json_out_number_at(out, row->name, number);
    } else {
        json_out_text_at(out, row->name, row->value);
    }
}

static void write_constants(const struct exchange *exchange, struct json_out *out,
                            const char *const *names, size_t count)
{
    const struct catalogue *catalogue = exchange->catalogue;

    for (size_t i = 0; i < count; i++) {
        for (size_t row = 0; row < catalogue->parameter_count; row++) {
            if (strcmp(catalogue->parameter_rows[row].name, names[i]) == 0) {
                write_constant(out, &catalogue->parameter_rows[row]);
            }
        }
    }
}

void ask_out_write(const struct exchange *exchange, struct json_out *out, enum ask_use use,
                   const struct param_group *own, const struct ask *ask)
{
    struct ask copy = *ask; /* a group's target is not const, because it is read into elsewhere */
    struct param_group group = {ASK_PARAMS, ASK_PARAM_COUNT, use, &copy};

    json_out_open_object_at(out, "query");
    write_group(exchange, out, &group, false);
    if (own != NULL) {
        write_group(exchange, out, own, false);
    }
    if (isfinite(ask->model_params)) {
        json_out_number_at(out, "model_params",
                           ask->model_params); /* a size: model stands for it */
    }
    json_out_text_at(out, "lang", LANGUAGE_NAMES[exchange->language]);
    json_out_close_object(out);
    json_out_open_object_at(out, "assumptions");
    write_group(exchange, out, &group, true);
    if (use == ASK_ESTIMATE) {
        write_constants(exchange, out, ESTIMATE_CONSTANTS,
                        sizeof ESTIMATE_CONSTANTS / sizeof ESTIMATE_CONSTANTS[0]);
    } else {
        write_constants(exchange, out, RECOMMEND_CONSTANTS,
                        sizeof RECOMMEND_CONSTANTS / sizeof RECOMMEND_CONSTANTS[0]);
    }
    if (use == ASK_DEAL) {
        write_constants(exchange, out, DEAL_CONSTANTS,
                        sizeof DEAL_CONSTANTS / sizeof DEAL_CONSTANTS[0]);
    }
    json_out_close_object(out);
}
