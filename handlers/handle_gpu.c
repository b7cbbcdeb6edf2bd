/* GET /gpus/{id}: one card with its prices, support, warnings, sources and the models it runs. One
 * request, one thread. */
#include "handle.h"

#include "ask_custom.h"
#include "card_out.h"
#include "engine/notes.h"
#include "params_in.h"
#include "problem.h"
#include "reply.h"
#include "runs_out.h"
#include "snapshot.h"

#include <math.h>
#include <stddef.h>

struct gpu_ask {
    enum currency currency;
    enum asked_condition condition;
    struct runs_ask runs;
};

/* The tasks of the look-up, in the order of RUN_TASKS. */
static const char *const RUN_TASK_NAMES[] = {"inference", "finetune", "lora", "qlora"};
static const enum task RUN_TASKS[] = {TASK_INFERENCE, TASK_FINETUNE, TASK_LORA, TASK_QLORA};
enum { RUN_TASK_COUNT = sizeof RUN_TASKS / sizeof RUN_TASKS[0] };

static void read_task(struct exchange *exchange, const struct query_parameter *given, void *target)
{
    struct gpu_ask *asked = target;

    for (size_t i = 0; i < RUN_TASK_COUNT; i++) {
        if (text_is(given->value, RUN_TASK_NAMES[i])) {
            asked->runs.task = RUN_TASKS[i];
            return;
        }
    }
    params_in_complain_choice(exchange, given->name, RUN_TASK_NAMES, RUN_TASK_COUNT,
                              TEXT_MUST_BE_ONE_OF);
}

static void read_quant(struct exchange *exchange, const struct query_parameter *given, void *target)
{
    struct gpu_ask *asked = target;
    struct ask ask;

    ask_init(&ask);
    ask_custom_read_quant(exchange, given, &ask);
    asked->runs.quant = ask.quant;
}

static void read_runs(struct exchange *exchange, const struct query_parameter *given, void *target)
{
    static const char *const WORDS[] = {"largest", "all"};
    struct gpu_ask *asked = target;

    asked->runs.is_all = text_is(given->value, WORDS[1]);
    if (!asked->runs.is_all && !text_is(given->value, WORDS[0])) {
        params_in_complain_choice(exchange, given->name, WORDS, 2, TEXT_MUST_BE_ONE_OF);
    }
}

static const struct param GPU_PARAMS[] = {
    {.name = "currency",
     .kind = PARAM_CHOICE,
     .choices = CURRENCY_NAMES,
     .choice_count = CURRENCY_COUNT,
     .offset = offsetof(struct gpu_ask, currency)},
    {.name = "condition",
     .kind = PARAM_CHOICE,
     .choices = ASKED_CONDITION_NAMES,
     .choice_count = ASKED_CONDITION_COUNT,
     .offset = offsetof(struct gpu_ask, condition)},
    {.name = "runs", .kind = PARAM_CUSTOM, .read = read_runs},
    {.name = "task", .kind = PARAM_CUSTOM, .read = read_task},
    {.name = "quant", .kind = PARAM_CUSTOM, .read = read_quant},
    {.name = "context",
     .kind = PARAM_WHOLE,
     .minimum = 1,
     .maximum = 1e8,
     .example = "8192",
     .offset = offsetof(struct gpu_ask, runs.tokens)},
};

/* "price": the better of both; "price_new" and "price_used" beside it. */
static void write_prices(struct json_out *out, const struct price_book *book, const struct ask *ask,
                         const struct gpu *gpu)
{
    struct plan_price price;
    bool has_price = card_out_best_price(book, ask, gpu, &price);

    card_out_price_at(out, "price", has_price ? &price : NULL, ask->currency);
    has_price = price_plan(book, gpu, CONDITION_NEW, &price);
    card_out_price_at(out, "price_new", has_price ? &price : NULL, ask->currency);
    has_price = price_plan(book, gpu, CONDITION_USED, &price);
    card_out_price_at(out, "price_used", has_price ? &price : NULL, ask->currency);
}

static void reply_card(struct exchange *exchange, const struct gpu_ask *asked,
                       const struct gpu *gpu)
{
    const struct fragment *details = &exchange->view->snapshot->rows.gpu_details[gpu->index];
    struct note warnings[RECOMMEND_MAX_NOTES];
    size_t count = notes_of_card(gpu, exchange->arena, warnings);
    struct ask ask;
    struct price_book book;
    struct runs runs;
    struct error err = {0};
    struct json_out out;

    if (!runs_find(exchange->catalogue, gpu, &asked->runs, exchange->arena, &runs, &err)) {
        problem_reply_error(exchange, &err);
        return;
    }
    if (!card_out_open_prices(exchange, asked->currency, asked->condition, &ask, &book)) {
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    card_out_facts(exchange, &out, gpu);
    write_prices(&out, &book, &ask, gpu);
    card_out_notes(exchange, &out, "warnings", warnings, count);
    runs_out_write(exchange, &out, gpu, &runs);
    json_out_raw(&out, details->bytes, details->length);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}

void handle_gpu(struct exchange *exchange)
{
    struct gpu_ask asked = {.currency = CURRENCY_USD,
                            .condition = ASKED_ANY,
                            .runs = {.tokens = (double)NAN, .task = TASK_COUNT}};
    const struct param_group group = {GPU_PARAMS, sizeof GPU_PARAMS / sizeof GPU_PARAMS[0], 0,
                                      &asked};
    struct names_result found = {0};

    if (!params_in_read(exchange, &group, 1)) {
        return;
    }
    names_find_gpu(exchange->catalogue, exchange->argument, exchange->argument_length, &found);
    if (found.outcome == NAMES_FOUND) {
        reply_card(exchange, &asked, found.gpus[0]);
    } else {
        problem_reply_name(exchange, exchange->argument, &found);
    }
}
