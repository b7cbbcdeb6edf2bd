/* GET /deal: whether a card at a price is a good buy, what would be a fair price and how it comes
 * about, and what beats the card. One request, one thread. */
#include "handle.h"

#include "ask_out.h"
#include "engine/deal.h"
#include "pick_out.h"
#include "problem.h"
#include "reply.h"

#include <math.h>
#include <stddef.h>

static const struct param DEAL_PARAMS[] = {
    {.name = "gpu", .kind = PARAM_GPU, .offset = offsetof(struct deal_offer, gpu)},
    {.name = "price",
     .kind = PARAM_MONEY,
     .minimum = 0.01,
     .maximum = 1e8,
     .example = "650.50",
     .offset = offsetof(struct deal_offer, price_micros)},
};

/* What a deal cannot do without; refused by ask_in_read, together with what is wrong elsewhere. */
static void require_offer(struct exchange *exchange)
{
    struct complaints *complaints = &exchange->complaints;

    if (query_find(&exchange->query, "gpu") == NULL) {
        complaints_add(complaints, "gpu", 3, SAY(TEXT_DEAL_GPU_MISSING));
    }
    if (query_find(&exchange->query, "price") == NULL) {
        complaints_add(complaints, "price", 5, SAY(TEXT_DEAL_PRICE_MISSING));
    }
}

static bool check_own(struct exchange *exchange, const struct deal_offer *offer,
                      const struct ask *ask)
{
    if (ask->own == offer->gpu) {
        complaints_add(&exchange->complaints, "own", 3, SAY(TEXT_DEAL_OWN));
    }
    return params_in_accept(exchange);
}

static void write_compared(struct json_out *out, const struct deal *deal, enum currency currency)
{
    json_out_open_array_at(out, "compared");
    for (size_t i = 0; i < deal->compared_count; i++) {
        const struct option *option = deal->compared[i].option;

        json_out_open_object(out);
        json_out_count_at(out, "rank", i + 1);
        card_out_reference(out, option->gpu);
        json_out_count_at(out, "count", option->count);
        json_out_estimate_at(out, "score", option->score);
        json_out_bool_at(out, "fresh", deal->compared[i].is_fresh);
        card_out_price_at(out, "price", option->price, currency);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}

/* Price, and what it is worked out from: the score of the pick it is measured by is scale x speed x
 * headroom x life x ecosystem / cost of score_parts, cost the exponent-th power of cost.total_usd
 * over score_cost_unit_usd, and cost.total a straight line of the price. */
static void write_fair_price(struct json_out *out, const struct deal *deal, const struct ask *ask,
                             const struct catalogue *catalogue)
{
    if (deal->fair_micros == MONEY_UNKNOWN) {
        json_out_null_at(out, "fair_price");
        return;
    }
    json_out_open_object_at(out, "fair_price");
    json_out_money_at(out, "amount", deal->fair_micros);
    json_out_text_at(out, "currency", CURRENCY_NAMES[ask->currency]);
    json_out_text_at(out, "basis", DEAL_BASIS_NAMES[deal->basis]);
    json_out_count_at(out, "fresh", deal->fresh_count);
    json_out_count_at(out, "count", deal->at_fair.count);
    json_out_open_object_at(out, "matches");
    json_out_count_at(out, "rank", deal->compared_count);
    card_out_reference(out, deal->matched->gpu);
    json_out_estimate_at(out, "score", deal->matched->score);
    json_out_close_object(out);
    pick_out_score(out, deal->at_fair.score, &deal->at_fair.score_parts);
    json_out_number_at(out, "score_exponent", score_exponent(&catalogue->parameters, ask->prefer));
    pick_out_cost(out, ask, &deal->at_fair.cost);
    json_out_close_object(out);
}

static void write_deal(const struct exchange *exchange, struct json_out *out,
                       const struct deal *deal, const struct deal_offer *offer,
                       const struct ask *ask)
{
    json_out_open_object_at(out, "gpu");
    card_out_facts(exchange, out, offer->gpu);
    json_out_close_object(out);
    json_out_text_at(out, "verdict", DEAL_VERDICT_NAMES[deal->verdict]);
    card_out_notes(exchange, out, "reasons", deal->reasons, deal->reason_count);
    card_out_price_at(out, "price", &deal->pick.price, ask->currency);
    write_fair_price(out, deal, ask, exchange->catalogue);
    json_out_estimate_at(out, "ratio", deal->ratio);
    write_compared(out, deal, ask->currency);
    json_out_key(out, "offer");
    if (deal->has_pick) {
        pick_out_pick(exchange, out, ask, &deal->pick);
    } else {
        json_out_null(out);
    }
    pick_out_picks(exchange, out, "better", ask, deal->better, deal->better_count);
    card_out_notes(exchange, out, "warnings", deal->pick.warnings, deal->pick.warning_count);
}

void handle_deal(struct exchange *exchange)
{
    struct deal_offer offer = {.price_micros = MONEY_UNKNOWN};
    const struct param_group own = {DEAL_PARAMS, sizeof DEAL_PARAMS / sizeof DEAL_PARAMS[0], 0,
                                    &offer};
    struct ask ask;
    struct deal deal;
    struct error err = {0};
    struct json_out out;

    require_offer(exchange);
    if (!ask_in_read(exchange, ASK_DEAL, &own, &ask, NULL) || !check_own(exchange, &offer, &ask)) {
        return;
    }
    if (!deal_judge(exchange->catalogue, &ask, &offer, exchange->view->day, exchange->arena, &deal,
                    &err)) {
        problem_reply_error(exchange, &err);
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    card_out_catalogue(exchange, &out);
    ask_out_write(exchange, &out, ASK_DEAL, &own, &ask);
    write_deal(exchange, &out, &deal, &offer, &ask);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
