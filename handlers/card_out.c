/* Writes the pieces that several endpoints share. One request, one thread. */
#include "card_out.h"

#include "problem.h"
#include "snapshot.h"

#include <math.h>

void card_out_catalogue(const struct exchange *exchange, struct json_out *out)
{
    json_out_open_object_at(out, "catalogue");
    json_out_text_at(out, "revision", exchange->catalogue->revision);
    json_out_text_at(out, "prices_as_of", exchange->catalogue->prices_as_of.text);
    json_out_close_object(out);
}

void card_out_reference(struct json_out *out, const struct gpu *gpu)
{
    json_out_open_object_at(out, "gpu");
    json_out_text_at(out, "id", gpu->id);
    json_out_text_at(out, "name", gpu->name);
    json_out_close_object(out);
}

void card_out_facts(const struct exchange *exchange, struct json_out *out, const struct gpu *gpu)
{
    const struct rows *rows = &exchange->view->snapshot->rows;
    const struct fragment *facts = &rows->gpus[gpu->index];
    const struct fragment *support = &rows->gpu_support[gpu->index];

    json_out_raw(out, facts->bytes, facts->length);
    json_out_raw(out, support->bytes, support->length);
}

void card_out_price(struct json_out *out, const struct plan_price *price, enum currency currency)
{
    json_out_money_at(out, "amount", price->amount_micros);
    json_out_money_at(out, "planning", price->planning_micros);
    json_out_money_at(out, "low", price->low_micros);
    json_out_money_at(out, "high", price->high_micros);
    json_out_text_at(out, "currency", CURRENCY_NAMES[currency]);
    json_out_text_at(out, "condition", CONDITION_NAMES[price->condition]);
    json_out_text_at(out, "basis", PRICE_BASIS_NAMES[price->basis]);
    json_out_text_at(out, "observed_on", price->observed_on.text);
    json_out_text_at(out, "source", price->source);
    json_out_text_at(out, "market", price->market);
    json_out_count_at(out, "observations", price->observations);
    json_out_bool_at(out, "stale", price->is_stale);
    json_out_bool_at(out, "very_old", price->is_very_old);
    json_out_bool_at(out, "other_market", price->is_other_market);
    json_out_bool_at(out, "unverified", price->is_unverified);
    if (price->fx_rate == NULL) {
        json_out_null_at(out, "exchange_rate");
        return;
    }
    json_out_open_object_at(out, "exchange_rate");
    json_out_text_at(out, "base", price->fx_rate->base);
    json_out_text_at(out, "quote", price->fx_rate->quote);
    json_out_number_at(out, "rate", price->fx_rate->rate);
    json_out_text_at(out, "observed_on", price->fx_rate->observed_on.text);
    json_out_text_at(out, "confidence", price->fx_rate->confidence);
    json_out_close_object(out);
}

void card_out_price_at(struct json_out *out, const char *key, const struct plan_price *price,
                       enum currency currency)
{
    json_out_key(out, key);
    if (price == NULL) {
        json_out_null(out);
        return;
    }
    json_out_open_object(out);
    card_out_price(out, price, currency);
    json_out_close_object(out);
}

void card_out_note(const struct exchange *exchange, struct json_out *out, const struct note *note)
{
    const char *text = message_text(note, exchange->language, exchange->arena);

    out->text.has_failed |= text == NULL;
    json_out_text_at(out, "code", message_code_name(note->code));
    json_out_text_at(out, "text", text);
}

void card_out_notes(const struct exchange *exchange, struct json_out *out, const char *key,
                    const struct note *notes, size_t count)
{
    json_out_open_array_at(out, key);
    for (size_t i = 0; i < count; i++) {
        json_out_open_object(out);
        card_out_note(exchange, out, &notes[i]);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}

void card_out_memory(struct json_out *out, const struct memory_need *need)
{
    json_out_estimate_at(out, "total_gib", need->total_gib);
    json_out_estimate_at(out, "allocator_peak_gib", need->allocator_peak_gib);
    json_out_estimate_at(out, "weights_gib", need->weights_gib);
    json_out_estimate_at(out, "copies_gib", need->copies_gib);
    json_out_estimate_at(out, "kv_cache_gib", need->kv_cache_gib);
    json_out_estimate_at(out, "gradients_gib", need->gradients_gib);
    json_out_estimate_at(out, "optimizer_gib", need->optimizer_gib);
    json_out_estimate_at(out, "activations_gib", need->activations_gib);
    json_out_estimate_at(out, "overhead_gib", need->overhead_gib);
    json_out_estimate_at(out, "low_gib", need->low_gib);
    json_out_estimate_at(out, "high_gib", need->high_gib);
    json_out_estimate_at(out, "per_gpu_gib", need->per_gpu_gib);
    json_out_estimate_at(out, "per_gpu_low_gib", need->per_gpu_low_gib);
    json_out_estimate_at(out, "per_gpu_high_gib", need->per_gpu_high_gib);
    json_out_bool_at(out, "is_floor", need->is_floor);
    json_out_text_at(out, "basis", need->basis);
}

void card_out_speed(struct json_out *out, const struct speed *speed)
{
    const struct speed nothing = {.value = (double)NAN,
                                  .low = (double)NAN,
                                  .high = (double)NAN,
                                  .relative_low = (double)NAN,
                                  .prefill_tokens_per_s = (double)NAN,
                                  .tokens_per_s_per_user = (double)NAN,
                                  .scaling = (double)NAN};
    const struct speed *shown = speed == NULL ? &nothing : speed;

    json_out_estimate_at(out, "value", shown->value);
    json_out_text_at(out, "unit", speed == NULL ? NULL : SPEED_UNIT_NAMES[shown->unit]);
    json_out_estimate_at(out, "low", shown->low);
    json_out_estimate_at(out, "high", shown->high);
    json_out_text_at(out, "basis", speed == NULL ? NULL : BASIS_NAMES[shown->basis]);
    json_out_bool_at(out, "unproven", speed == NULL || shown->is_unproven);
    json_out_estimate_at(out, "relative_low", shown->relative_low);
    json_out_estimate_at(out, "prefill_tokens_per_s", shown->prefill_tokens_per_s);
    json_out_estimate_at(out, "tokens_per_s_per_user", shown->tokens_per_s_per_user);
    json_out_estimate_at(out, "scaling", shown->scaling);
}

bool card_out_open_prices(struct exchange *exchange, enum currency currency,
                          enum asked_condition condition, struct ask *ask, struct price_book *book)
{
    struct error err = {0};

    ask_init(ask);
    ask->currency = currency;
    ask->condition = condition;
    if (!ask_complete(exchange->catalogue, ask, &err) ||
        !price_book_init(book, exchange->catalogue, ask, exchange->view->day, exchange->arena,
                         &err)) {
        problem_reply_error(exchange, &err);
        return false;
    }
    return true;
}

bool card_out_best_price(const struct price_book *book, const struct ask *ask,
                         const struct gpu *gpu, struct plan_price *price)
{
    struct plan_price other;
    bool has_new = ask->condition != ASKED_USED && price_plan(book, gpu, CONDITION_NEW, price);

    if (ask->condition == ASKED_NEW) {
        return has_new;
    }
    if (!price_plan(book, gpu, CONDITION_USED, &other)) {
        return has_new;
    }
    if (!has_new || other.planning_micros < price->planning_micros) {
        *price = other;
    }
    return true;
}
