/* The rows of a comparison are a table: where a value stands, and which is better. One request, one
 * thread. */
#include "compare_out.h"

#include "engine/notes.h"
#include "engine/support.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum row_kind {
    ROW_FACT,      /* double of the card, exact */
    ROW_FACT_TEXT, /* text of the card */
    ROW_DATE,      /* struct date of the card, as text */
    ROW_ESTIMATE,  /* double of struct compare_card, a result of a model */
    ROW_SPEED,     /* the same, in the unit of the speed */
    ROW_ANSWER,    /* the same as yes or no */
    ROW_MONEY,     /* int64_t of struct compare_card, in the currency of the ask */
    ROW_TEXT       /* text of struct compare_card */
};
enum better { NEITHER, HIGHER, LOWER };

struct compare_row {
    const char *field, *unit; /* unit NULL: none, or that of the kind */
    enum row_kind kind;
    size_t offset;
    enum better better;
    const char *labels[LANGUAGE_COUNT];
};

/* Shorthand of this table only. */
#define OF_GPU(column) offsetof(struct gpu, column)
#define OF_CARD(member) offsetof(struct compare_card, member)
#define FACT(column, unit, better, english, chinese)                                               \
    {                                                                                              \
#column, (unit), ROW_FACT, OF_GPU(column), (better),                                       \
        {                                                                                          \
            (english), (chinese)                                                                   \
        }                                                                                          \
    }
#define WORDS(column, english, chinese)                                                            \
    {                                                                                              \
#column, NULL, ROW_FACT_TEXT, OF_GPU(column), NEITHER,                                     \
        {                                                                                          \
            (english), (chinese)                                                                   \
        }                                                                                          \
    }
#define SUPPORT(field, framework, english, chinese)                                                \
    {                                                                                              \
        (field), NULL, ROW_TEXT, OF_CARD(support[framework]), NEITHER,                             \
        {                                                                                          \
            (english), (chinese)                                                                   \
        }                                                                                          \
    }

static const struct compare_row ROWS[] = {
    WORDS(architecture, "Architecture", "架构"),
    {"release_date", NULL, ROW_DATE, OF_GPU(release_date), NEITHER, {"Released", "发布日期"}},
    FACT(memory_gib, "GiB", HIGHER, "Memory", "显存"),
    FACT(memory_per_process_gib, "GiB", HIGHER, "Memory of one process", "单进程可用显存"),
    FACT(memory_bandwidth_gb_s, "GB/s", HIGHER, "Memory bandwidth", "显存带宽"),
    WORDS(ecc, "ECC", "ECC"),
    FACT(tensor_fp16_tflops, "TFLOPS", HIGHER, "FP16 tensor, dense", "FP16 张量（稠密）"),
    FACT(tensor_bf16_tflops, "TFLOPS", HIGHER, "BF16 tensor, dense", "BF16 张量（稠密）"),
    FACT(tensor_fp8_tflops, "TFLOPS", HIGHER, "FP8 tensor, dense", "FP8 张量（稠密）"),
    FACT(tensor_int8_tops, "TOPS", HIGHER, "INT8 tensor, dense", "INT8 张量（稠密）"),
    FACT(fp16_tflops, "TFLOPS", HIGHER, "FP16 shaders", "FP16 通用核心"),
    FACT(fp32_tflops, "TFLOPS", HIGHER, "FP32 shaders", "FP32 通用核心"),
    FACT(tdp_watts, "W", LOWER, "Board power", "整卡功耗"),
    WORDS(power_connectors, "Power connectors", "供电接口"),
    FACT(slots, NULL, LOWER, "Slots", "占用槽位"),
    FACT(board_length_mm, "mm", LOWER, "Length", "长度"),
    WORDS(form_factor, "Form factor", "形态"),
    WORDS(cooling, "Cooling", "散热方式"),
    FACT(display_outputs, NULL, NEITHER, "Display outputs", "显示接口"),
    FACT(nvlink_gb_s, "GB/s", HIGHER, "NVLink, both directions", "NVLink（双向）"),
    FACT(pcie_gen, NULL, HIGHER, "PCIe generation", "PCIe 代数"),
    FACT(pcie_lanes, NULL, HIGHER, "PCIe lanes", "PCIe 通道数"),
    {"features", NULL, ROW_TEXT, OF_CARD(features), NEITHER, {"Features", "功能"}},
    {"support", NULL, ROW_TEXT, OF_CARD(own_support), NEITHER, {"Vendor support", "厂商支持"}},
    SUPPORT("support_pytorch", FRAMEWORK_PYTORCH, "PyTorch", "PyTorch"),
    SUPPORT("support_tensorflow", FRAMEWORK_TENSORFLOW, "TensorFlow", "TensorFlow"),
    SUPPORT("support_jax", FRAMEWORK_JAX, "JAX", "JAX"),
    SUPPORT("support_llama_cpp", FRAMEWORK_LLAMA_CPP, "llama.cpp", "llama.cpp"),
    {"price_new", NULL, ROW_MONEY, OF_CARD(price_new_micros), LOWER, {"Price new", "全新价"}},
    {"price_used", NULL, ROW_MONEY, OF_CARD(price_used_micros), LOWER, {"Price used", "二手价"}},
    {"price",
     NULL,
     ROW_MONEY,
     OF_CARD(price_micros),
     LOWER,
     {"Price it is counted at", "计算用价"}},
    {"count", NULL, ROW_ESTIMATE, OF_CARD(count), NEITHER, {"Cards", "卡数"}},
    {"strategy", NULL, ROW_TEXT, OF_CARD(strategy), NEITHER, {"Strategy", "并行方式"}},
    {"needed_gib", "GiB", ROW_ESTIMATE, OF_CARD(needed_gib), LOWER, {"Memory needed", "所需显存"}},
    {"available_gib",
     "GiB",
     ROW_ESTIMATE,
     OF_CARD(available_gib),
     HIGHER,
     {"Memory available", "可用显存"}},
    {"headroom_gib",
     "GiB",
     ROW_ESTIMATE,
     OF_CARD(headroom_gib),
     HIGHER,
     {"Memory to spare", "显存余量"}},
    {"fits", NULL, ROW_ANSWER, OF_CARD(fits), HIGHER, {"Work fits", "装得下"}},
    {"speed", NULL, ROW_SPEED, OF_CARD(speed), HIGHER, {"Speed", "速度"}},
    {"speed_low", NULL, ROW_SPEED, OF_CARD(speed_low), HIGHER, {"Speed, low end", "速度下限"}},
    {"speed_high", NULL, ROW_SPEED, OF_CARD(speed_high), HIGHER, {"Speed, high end", "速度上限"}},
    {"tokens_per_s_per_user",
     "tokens/s",
     ROW_ESTIMATE,
     OF_CARD(tokens_per_s_per_user),
     HIGHER,
     {"Tokens a second per user", "每用户每秒词元"}},
    {"prefill_tokens_per_s",
     "tokens/s",
     ROW_ESTIMATE,
     OF_CARD(prefill_tokens_per_s),
     HIGHER,
     {"Prompt tokens a second", "每秒处理提示词元"}},
    {"job_hours", "h", ROW_ESTIMATE, OF_CARD(job_hours), LOWER, {"Hours of the job", "任务时长"}},
    {"cost", NULL, ROW_MONEY, OF_CARD(cost_micros), LOWER, {"Cost over the months", "总成本"}},
    {"cost_per_month",
     NULL,
     ROW_MONEY,
     OF_CARD(cost_per_month_micros),
     LOWER,
     {"Cost a month", "每月成本"}},
    {"energy",
     NULL,
     ROW_MONEY,
     OF_CARD(energy_micros),
     LOWER,
     {"Of that, electricity", "其中电费"}},
    {"score", NULL, ROW_ESTIMATE, OF_CARD(score), HIGHER, {"Score", "得分"}},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* NULL: not known. */
static const char *status_of(const struct support *row)
{
    return row == NULL ? NULL : row->status;
}

static const char *features_of(const struct question *question, const struct gpu *gpu,
                               struct arena *arena)
{
    const char *list = "";

    for (size_t i = 0; i < FEATURE_COUNT && list != NULL; i++) {
        if (support_has_feature(gpu, (enum feature)i, question->ask->os)) {
            list = arena_format(arena, "%s%s%s", list, *list == '\0' ? "" : " ", FEATURE_NAMES[i]);
        }
    }
    return list;
}

static int64_t planning_micros(const struct question *question, const struct gpu *gpu,
                               enum condition condition)
{
    const struct card_prices *prices = &question->prices[gpu->index];

    return prices->is_known[condition] ? prices->price[condition].planning_micros : MONEY_UNKNOWN;
}

static void fill_software(const struct question *question, struct compare_card *card)
{
    enum framework own = FRAMEWORK_DRIVER;

    card->own_support = status_of(support_own_stack(card->gpu, &own));
    for (size_t i = 0; i < FRAMEWORK_ASKABLE_COUNT; i++) {
        card->support[i] = status_of(support_row(card->gpu, (enum framework)i, question->ask->os));
    }
}

static void fill_work(struct compare_card *card)
{
    const struct option *option = &card->option;
    const struct speed *speed = &option->speed;

    card->count = (double)option->count;
    card->strategy = STRATEGY_NAMES[option->strategy];
    card->needed_gib = option->needed_gib;
    card->available_gib = option->available_gib;
    card->headroom_gib = option->available_gib - option->needed_gib;
    card->fits = (option->rejections >> MESSAGE_MEMORY_TOO_SMALL & 1) == 0 ? 1 : 0;
    card->speed = option->has_speed ? speed->value : (double)NAN;
    card->speed_low = option->has_speed ? speed->low : (double)NAN;
    card->speed_high = option->has_speed ? speed->high : (double)NAN;
    card->prefill_tokens_per_s = option->has_speed ? speed->prefill_tokens_per_s : (double)NAN;
    card->tokens_per_s_per_user = option->has_speed ? speed->tokens_per_s_per_user : (double)NAN;
}

/* Costs are told of a card that is no pick too, a score is not. */
static void fill_money(const struct question *question, struct compare_card *card)
{
    struct option *option = &card->option;
    bool is_pick = option->rejections == 0;

    card->price_new_micros = planning_micros(question, card->gpu, CONDITION_NEW);
    card->price_used_micros = planning_micros(question, card->gpu, CONDITION_USED);
    card->price_micros = MONEY_UNKNOWN;
    card->cost_micros = MONEY_UNKNOWN;
    card->cost_per_month_micros = MONEY_UNKNOWN;
    card->energy_micros = MONEY_UNKNOWN;
    card->job_hours = option->has_speed
                          ? speed_job_hours(question->ask, &option->speed, option->speed.value)
                          : (double)NAN;
    card->score = is_pick ? option->score : (double)NAN;
    if (option->price == NULL) {
        return;
    }
    if (!is_pick) {
        cost_estimate(question->catalogue, question->ask, card->gpu, option->count, option->price,
                      card->job_hours, &option->cost);
    }
    card->price_micros = option->price->planning_micros;
    card->cost_micros = option->cost.total_micros;
    card->cost_per_month_micros = option->cost.per_month_micros;
    card->energy_micros = option->cost.energy_micros;
}

bool compare_out_judge(const struct question *question, const struct gpu *gpu, struct arena *arena,
                       struct compare_card *card, struct error *err)
{
    *card = (struct compare_card){.gpu = gpu, .features = features_of(question, gpu, arena)};
    if (card->features == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the features of %s", gpu->id);
    }
    rank_card(question, gpu, &card->option);
    if (card->option.rejections != 0 &&
        !notes_of_rejection(question, &card->option, arena, &card->rejection, err)) {
        return false;
    }
    fill_software(question, card);
    fill_work(card);
    fill_money(question, card);
    return true;
}

void compare_out_cards(const struct exchange *exchange, struct json_out *out,
                       const struct question *question, const struct compare_card *cards,
                       size_t count)
{
    enum currency currency = question->ask->currency;

    json_out_open_array_at(out, "gpus");
    for (size_t i = 0; i < count; i++) {
        const struct compare_card *card = &cards[i];
        const struct card_prices *prices = &question->prices[card->gpu->index];
        struct note warnings[RECOMMEND_MAX_NOTES];
        size_t warning_count = notes_of_card(card->gpu, exchange->arena, warnings);

        json_out_open_object(out);
        card_out_facts(exchange, out, card->gpu);
        card_out_price_at(out, "price", card->option.price, currency);
        card_out_price_at(out, "price_new",
                          prices->is_known[CONDITION_NEW] ? &prices->price[CONDITION_NEW] : NULL,
                          currency);
        card_out_price_at(out, "price_used",
                          prices->is_known[CONDITION_USED] ? &prices->price[CONDITION_USED] : NULL,
                          currency);
        card_out_notes(exchange, out, "rejected", card->rejection.reasons,
                       card->rejection.reason_count);
        card_out_notes(exchange, out, "warnings", warnings, warning_count);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}

static int64_t money_of(const struct compare_row *row, const struct compare_card *card)
{
    int64_t micros = MONEY_UNKNOWN;

    memcpy(&micros, (const char *)card + row->offset, sizeof micros);
    return micros;
}

/* The value of a row as a number; NAN: unknown, or it is text. */
static double number_of(const struct compare_row *row, const struct compare_card *card)
{
    double number = (double)NAN;

    switch (row->kind) {
    case ROW_FACT:
        memcpy(&number, (const char *)card->gpu + row->offset, sizeof number);
        break;
    case ROW_ESTIMATE:
    case ROW_SPEED:
    case ROW_ANSWER:
        memcpy(&number, (const char *)card + row->offset, sizeof number);
        break;
    case ROW_MONEY:
        number = money_to_units(money_round_to_cent(money_of(row, card))); /* as it is shown */
        break;
    case ROW_FACT_TEXT:
    case ROW_DATE:
    case ROW_TEXT:
        break;
    }
    return number;
}

static const char *text_of(const struct compare_row *row, const struct compare_card *card)
{
    const char *base = row->kind == ROW_TEXT ? (const char *)card : (const char *)card->gpu;
    const char *text = NULL;

    memcpy(&text, base + row->offset, sizeof text);
    return text;
}
_Static_assert(offsetof(struct date, text) == 0, "text_of reads a date's text as the date");

static void write_value(struct json_out *out, const struct compare_row *row,
                        const struct compare_card *card)
{
    double number = number_of(row, card);

    switch (row->kind) {
    case ROW_FACT:
        json_out_number(out, number);
        break;
    case ROW_ESTIMATE:
    case ROW_SPEED:
        json_out_estimate(out, number);
        break;
    case ROW_ANSWER:
        json_out_bool(out, number > 0);
        break;
    case ROW_MONEY:
        json_out_money(out, money_of(row, card));
        break;
    case ROW_FACT_TEXT:
    case ROW_DATE:
    case ROW_TEXT:
        json_out_text(out, text_of(row, card));
        break;
    }
}

static void write_ratios(struct json_out *out, const struct compare_row *row,
                         const struct compare_card *cards, size_t count)
{
    double first = number_of(row, &cards[0]);

    if (isnan(first) || first <= 0 || row->kind == ROW_ANSWER) {
        json_out_null_at(out, "ratios");
        return;
    }
    json_out_open_array_at(out, "ratios");
    for (size_t i = 0; i < count; i++) {
        double number = number_of(row, &cards[i]);

        json_out_estimate(out, number < 0 ? (double)NAN : number / first); /* memory that lacks */
    }
    json_out_close_array(out);
}

/* A number as it is shown: what looks equal is equally good. */
static double shown_of(const struct compare_row *row, const struct compare_card *card)
{
    double number = number_of(row, card);
    char text[JSON_OUT_NUMBER_BYTES + 1];

    if ((row->kind != ROW_ESTIMATE && row->kind != ROW_SPEED) || !isfinite(number)) {
        return number;
    }
    text[json_out_estimate_text(number, text)] = '\0';
    return strtod(text, NULL); /* the program keeps the C locale */
}

/* Places of the best of the known values; null where fewer than two are known or all are equal. */
static void write_best(struct json_out *out, const struct compare_row *row,
                       const struct compare_card *cards, size_t count)
{
    double sign = row->better == LOWER ? -1 : 1;
    double best = -(double)INFINITY;
    double worst = (double)INFINITY;
    double shown[COMPARE_CARDS_MAX] = {0};

    for (size_t i = 0; i < count && row->better != NEITHER; i++) {
        shown[i] = sign * shown_of(row, &cards[i]);
        best = fmax(best, shown[i]); /* of NAN and a number the number */
        worst = fmin(worst, shown[i]);
    }
    if (!(best > worst)) {
        json_out_null_at(out, "best");
        return;
    }
    json_out_open_array_at(out, "best");
    for (size_t i = 0; i < count; i++) {
        if (shown[i] >= best) {
            json_out_count(out, i);
        }
    }
    json_out_close_array(out);
}

/* Of one question the unit is the same for every card. */
static const char *speed_unit(const struct compare_card *cards, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cards[i].option.has_speed) {
            return SPEED_UNIT_NAMES[cards[i].option.speed.unit];
        }
    }
    return NULL;
}

void compare_out_rows(const struct exchange *exchange, struct json_out *out,
                      const struct question *question, const struct compare_card *cards,
                      size_t count)
{
    json_out_open_array_at(out, "rows");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct compare_row *row = &ROWS[i];
        const char *unit = row->kind == ROW_MONEY   ? CURRENCY_NAMES[question->ask->currency]
                           : row->kind == ROW_SPEED ? speed_unit(cards, count)
                                                    : row->unit;

        json_out_open_object(out);
        json_out_text_at(out, "field", row->field);
        json_out_text_at(out, "label", row->labels[exchange->language]);
        json_out_text_at(out, "unit", unit);
        json_out_open_array_at(out, "values");
        for (size_t card = 0; card < count; card++) {
            write_value(out, row, &cards[card]);
        }
        json_out_close_array(out);
        write_ratios(out, row, cards, count);
        write_best(out, row, cards, count);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}
