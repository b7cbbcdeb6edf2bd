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
    enum text label;
};

/* Shorthand of this table only. */
#define OF_GPU(column) offsetof(struct gpu, column)
#define OF_CARD(member) offsetof(struct compare_card, member)
#define FACT(column, unit, better, label)                                                          \
    {                                                                                              \
#column, (unit), ROW_FACT, OF_GPU(column), (better), (label)                               \
    }
#define WORDS(column, label)                                                                       \
    {                                                                                              \
#column, NULL, ROW_FACT_TEXT, OF_GPU(column), NEITHER, (label)                             \
    }
#define SUPPORT(field, framework, label)                                                           \
    {                                                                                              \
        (field), NULL, ROW_TEXT, OF_CARD(support[framework]), NEITHER, (label)                     \
    }

static const struct compare_row ROWS[] = {
    WORDS(architecture, TEXT_ROW_ARCHITECTURE),
    {"release_date", NULL, ROW_DATE, OF_GPU(release_date), NEITHER, TEXT_ROW_RELEASE_DATE},
    FACT(memory_gib, "GiB", HIGHER, TEXT_ROW_MEMORY_GIB),
    FACT(memory_per_process_gib, "GiB", HIGHER, TEXT_ROW_MEMORY_PER_PROCESS_GIB),
    FACT(memory_bandwidth_gb_s, "GB/s", HIGHER, TEXT_ROW_MEMORY_BANDWIDTH_GB_S),
    WORDS(ecc, TEXT_ROW_ECC),
    FACT(tensor_fp16_tflops, "TFLOPS", HIGHER, TEXT_ROW_TENSOR_FP16_TFLOPS),
    FACT(tensor_bf16_tflops, "TFLOPS", HIGHER, TEXT_ROW_TENSOR_BF16_TFLOPS),
    FACT(tensor_fp8_tflops, "TFLOPS", HIGHER, TEXT_ROW_TENSOR_FP8_TFLOPS),
    FACT(tensor_int8_tops, "TOPS", HIGHER, TEXT_ROW_TENSOR_INT8_TOPS),
    FACT(fp16_tflops, "TFLOPS", HIGHER, TEXT_ROW_FP16_TFLOPS),
    FACT(fp32_tflops, "TFLOPS", HIGHER, TEXT_ROW_FP32_TFLOPS),
    FACT(tdp_watts, "W", LOWER, TEXT_ROW_TDP_WATTS),
    WORDS(power_connectors, TEXT_ROW_POWER_CONNECTORS),
    FACT(slots, NULL, LOWER, TEXT_ROW_SLOTS),
    FACT(board_length_mm, "mm", LOWER, TEXT_ROW_BOARD_LENGTH_MM),
    WORDS(form_factor, TEXT_ROW_FORM_FACTOR),
    WORDS(cooling, TEXT_ROW_COOLING),
    FACT(display_outputs, NULL, NEITHER, TEXT_ROW_DISPLAY_OUTPUTS),
    FACT(nvlink_gb_s, "GB/s", HIGHER, TEXT_ROW_NVLINK_GB_S),
    FACT(pcie_gen, NULL, HIGHER, TEXT_ROW_PCIE_GEN),
    FACT(pcie_lanes, NULL, HIGHER, TEXT_ROW_PCIE_LANES),
    {"features", NULL, ROW_TEXT, OF_CARD(features), NEITHER, TEXT_ROW_FEATURES},
    {"support", NULL, ROW_TEXT, OF_CARD(own_support), NEITHER, TEXT_ROW_SUPPORT},
    SUPPORT("support_pytorch", FRAMEWORK_PYTORCH, TEXT_ROW_SUPPORT_PYTORCH),
    SUPPORT("support_tensorflow", FRAMEWORK_TENSORFLOW, TEXT_ROW_SUPPORT_TENSORFLOW),
    SUPPORT("support_jax", FRAMEWORK_JAX, TEXT_ROW_SUPPORT_JAX),
    SUPPORT("support_llama_cpp", FRAMEWORK_LLAMA_CPP, TEXT_ROW_SUPPORT_LLAMA_CPP),
    {"price_new", NULL, ROW_MONEY, OF_CARD(price_new_micros), LOWER, TEXT_ROW_PRICE_NEW},
    {"price_used", NULL, ROW_MONEY, OF_CARD(price_used_micros), LOWER, TEXT_ROW_PRICE_USED},
    {"price", NULL, ROW_MONEY, OF_CARD(price_micros), LOWER, TEXT_ROW_PRICE},
    {"count", NULL, ROW_ESTIMATE, OF_CARD(count), NEITHER, TEXT_ROW_COUNT},
    {"strategy", NULL, ROW_TEXT, OF_CARD(strategy), NEITHER, TEXT_ROW_STRATEGY},
    {"needed_gib", "GiB", ROW_ESTIMATE, OF_CARD(needed_gib), LOWER, TEXT_ROW_NEEDED_GIB},
    {"available_gib", "GiB", ROW_ESTIMATE, OF_CARD(available_gib), HIGHER, TEXT_ROW_AVAILABLE_GIB},
    {"headroom_gib", "GiB", ROW_ESTIMATE, OF_CARD(headroom_gib), HIGHER, TEXT_ROW_HEADROOM_GIB},
    {"fits", NULL, ROW_ANSWER, OF_CARD(fits), HIGHER, TEXT_ROW_FITS},
    {"speed", NULL, ROW_SPEED, OF_CARD(speed), HIGHER, TEXT_ROW_SPEED},
    {"speed_low", NULL, ROW_SPEED, OF_CARD(speed_low), HIGHER, TEXT_ROW_SPEED_LOW},
    {"speed_high", NULL, ROW_SPEED, OF_CARD(speed_high), HIGHER, TEXT_ROW_SPEED_HIGH},
    {"tokens_per_s_per_user", "tokens/s", ROW_ESTIMATE, OF_CARD(tokens_per_s_per_user), HIGHER,
     TEXT_ROW_TOKENS_PER_S_PER_USER},
    {"prefill_tokens_per_s", "tokens/s", ROW_ESTIMATE, OF_CARD(prefill_tokens_per_s), HIGHER,
     TEXT_ROW_PREFILL_TOKENS_PER_S},
    {"job_hours", "h", ROW_ESTIMATE, OF_CARD(job_hours), LOWER, TEXT_ROW_JOB_HOURS},
    {"cost", NULL, ROW_MONEY, OF_CARD(cost_micros), LOWER, TEXT_ROW_COST},
    {"cost_per_month", NULL, ROW_MONEY, OF_CARD(cost_per_month_micros), LOWER,
     TEXT_ROW_COST_PER_MONTH},
    {"energy", NULL, ROW_MONEY, OF_CARD(energy_micros), LOWER, TEXT_ROW_ENERGY},
    {"score", NULL, ROW_ESTIMATE, OF_CARD(score), HIGHER, TEXT_ROW_SCORE},
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
        json_out_text_at(out, "label", text_plain(row->label, exchange->language));
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
