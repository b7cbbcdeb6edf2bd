/* GET /gpus/{id}: one card with its prices, support, warnings and sources. One request, one thread.
 */
#include "handle.h"

#include "card_out.h"
#include "params_in.h"
#include "problem.h"
#include "reply.h"
#include "snapshot.h"

#include <stddef.h>

struct gpu_ask {
    enum currency currency;
    enum asked_condition condition;
};

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
    size_t count = recommend_card_warnings(exchange->catalogue, gpu, exchange->arena, warnings);
    struct ask ask;
    struct price_book book;
    struct json_out out;

    if (!card_out_open_prices(exchange, asked->currency, asked->condition, &ask, &book)) {
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    card_out_facts(exchange, &out, gpu);
    write_prices(&out, &book, &ask, gpu);
    card_out_notes(exchange, &out, "warnings", warnings, count);
    json_out_raw(&out, details->bytes, details->length);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}

void handle_gpu(struct exchange *exchange)
{
    struct gpu_ask asked = {CURRENCY_USD, ASKED_ANY};
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
