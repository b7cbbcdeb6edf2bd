/* GET /tiers: the budget bands of a currency, each with its best picks. One request, one thread. */
#include "handle.h"

#include "ask_out.h"
#include "pick_out.h"
#include "problem.h"
#include "reply.h"

#include <string.h>

enum { TIER_PICKS_DEFAULT = 3 };

struct tier_label {
    const char *id;
    enum text label;
};

static const struct tier_label TIER_LABELS[] = {
    {"low", TEXT_TIER_LOW},
    {"mid", TEXT_TIER_MID},
    {"high", TEXT_TIER_HIGH},
    {"unlimited", TEXT_TIER_UNLIMITED},
};

/* A band that an operator added has no label of its own: its id is shown. */
static const char *label_of(const struct tier *tier, enum language language)
{
    for (size_t i = 0; i < sizeof TIER_LABELS / sizeof TIER_LABELS[0]; i++) {
        if (text_is(TIER_LABELS[i].id, tier->id)) {
            return text_plain(TIER_LABELS[i].label, language);
        }
    }
    return tier->id;
}

/* Asks for the tier's picks and writes them; false: *err says why. */
static bool write_tier(struct exchange *exchange, struct json_out *out, const struct tier *tier,
                       const struct ask *given, struct error *err)
{
    struct ask ask = *given;
    struct recommendation recommendation;

    ask.tier = tier->id;
    if (!ask_complete(exchange->catalogue, &ask, err) ||
        !recommend(exchange->catalogue, &ask, exchange->view->day, exchange->arena, &recommendation,
                   err)) {
        return false;
    }
    json_out_open_object(out);
    json_out_text_at(out, "id", tier->id);
    json_out_text_at(out, "label", label_of(tier, exchange->language));
    json_out_money_at(out, "min", tier->min_micros);
    json_out_money_at(out, "max", tier->max_micros);
    json_out_text_at(out, "currency", tier->currency);
    json_out_text_at(out, "segments", tier->segments);
    json_out_text_at(out, "note", tier->note);
    json_out_count_at(out, "fitting", recommendation.fitting_count);
    pick_out_picks(exchange, out, "picks", &ask, recommendation.picks, recommendation.pick_count);
    json_out_close_object(out);
    return true;
}

void handle_tiers(struct exchange *exchange)
{
    const struct catalogue *catalogue = exchange->catalogue;
    struct ask ask;
    struct ask shown;
    struct error err = {0};
    struct json_out out;

    if (!ask_in_read(exchange, ASK_TIERS, NULL, &shown, &ask)) {
        return;
    }
    if (query_find(&exchange->query, "limit") == NULL) {
        ask.limit = TIER_PICKS_DEFAULT;
        shown.limit = TIER_PICKS_DEFAULT;
    }
    ask.explain = EXPLAIN_NONE;
    shown.chassis = ask.chassis; /* unasked it is not the same in every band */
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    ask_out_write(exchange, &out, ASK_TIERS, NULL, &shown);
    json_out_open_array_at(&out, "tiers");
    for (size_t i = 0; i < catalogue->tier_count; i++) {
        if (text_is(catalogue->tiers[i].currency, CURRENCY_NAMES[ask.currency]) &&
            !write_tier(exchange, &out, &catalogue->tiers[i], &ask, &err)) {
            problem_reply_error(exchange, &err);
            return;
        }
    }
    json_out_close_array(&out);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
