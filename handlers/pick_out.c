/* Writes picks, rejections, advice and what can be rented. One request, one thread. */
#include "pick_out.h"

#include "cloud_rows.h"

#include <math.h>

static void write_labels(struct json_out *out, const struct pick *pick)
{
    json_out_open_array_at(out, "labels");
    for (int label = 0; label < LABEL_COUNT; label++) {
        if (pick->labels[label]) {
            json_out_text(out, LABEL_NAMES[label]);
        }
    }
    json_out_close_array(out);
}

static void write_price(struct json_out *out, const struct ask *ask, const struct pick *pick)
{
    json_out_open_object_at(out, "price");
    json_out_money_at(out, "total", pick->price_total_micros);
    json_out_money_at(out, "holds_up_to", pick->holds_up_to_micros);
    card_out_price(out, &pick->price, ask->currency);
    json_out_close_object(out);
}

static void write_time(struct json_out *out, double hours, double low, double high)
{
    if (!isfinite(hours)) {
        json_out_null_at(out, "time");
        return;
    }
    json_out_open_object_at(out, "time");
    json_out_estimate_at(out, "hours", hours);
    json_out_estimate_at(out, "low", low);
    json_out_estimate_at(out, "high", high);
    json_out_close_object(out);
}

void pick_out_cost(struct json_out *out, const struct ask *ask, const struct cost *cost)
{
    json_out_open_object_at(out, "cost");
    json_out_money_at(out, "total", cost->total_micros);
    json_out_money_at(out, "purchase", cost->purchase_micros);
    json_out_money_at(out, "energy", cost->energy_micros);
    json_out_money_at(out, "resale", cost->resale_micros);
    json_out_money_at(out, "resale_low", cost->resale_low_micros);
    json_out_money_at(out, "resale_mid", cost->resale_mid_micros);
    json_out_money_at(out, "resale_high", cost->resale_high_micros);
    json_out_money_at(out, "per_month", cost->per_month_micros);
    json_out_money_exact_at(out, "per_hour", cost->per_hour_micros);
    json_out_money_at(out, "per_job", cost->per_job_micros);
    json_out_money_exact_at(out, "per_million_tokens", cost->per_million_tokens_micros);
    json_out_money_exact_at(out, "per_million_images", cost->per_million_images_micros);
    json_out_money_at(out, "total_usd", money_from_units(cost->total_usd));
    json_out_text_at(out, "currency", CURRENCY_NAMES[ask->currency]);
    json_out_number_at(out, "months", cost->months);
    json_out_number_at(out, "hours_per_month", cost->hours_per_month);
    json_out_close_object(out);
}

void pick_out_score(struct json_out *out, double score, const struct score_parts *parts)
{
    json_out_estimate_at(out, "score", score);
    json_out_open_object_at(out, "score_parts");
    json_out_estimate_at(out, "speed", parts->speed);
    json_out_estimate_at(out, "headroom", parts->headroom);
    json_out_estimate_at(out, "life", parts->life);
    json_out_estimate_at(out, "ecosystem", parts->ecosystem);
    json_out_estimate_at(out, "cost", parts->cost);
    json_out_close_object(out);
}

void pick_out_pick(const struct exchange *exchange, struct json_out *out, const struct ask *ask,
                   const struct pick *pick)
{
    json_out_open_object(out);
    json_out_count_at(out, "rank", pick->rank);
    write_labels(out, pick);
    json_out_text_at(out, "tier", pick->tier == NULL ? NULL : pick->tier->id);
    json_out_open_object_at(out, "gpu");
    card_out_facts(exchange, out, pick->gpu);
    json_out_close_object(out);
    json_out_count_at(out, "count", pick->count);
    json_out_text_at(out, "strategy", STRATEGY_NAMES[pick->strategy]);
    json_out_text_at(out, "link", pick->link.name);
    json_out_bool_at(out, "pareto", pick->is_pareto);
    write_price(out, ask, pick);
    json_out_open_object_at(out, "fit");
    json_out_estimate_at(out, "needed_gib", pick->needed_gib);
    json_out_estimate_at(out, "available_gib", pick->available_gib);
    json_out_estimate_at(out, "headroom_gib", pick->available_gib - pick->needed_gib);
    json_out_bool_at(out, "tight", pick->is_tight);
    json_out_close_object(out);
    json_out_open_object_at(out, "speed");
    card_out_speed(out, &pick->speed);
    json_out_close_object(out);
    write_time(out, pick->job_hours, pick->job_hours_low, pick->job_hours_high);
    pick_out_cost(out, ask, &pick->cost);
    pick_out_score(out, pick->score, &pick->score_parts);
    card_out_notes(exchange, out, "reasons", pick->reasons, pick->reason_count);
    card_out_notes(exchange, out, "warnings", pick->warnings, pick->warning_count);
    json_out_close_object(out);
}

void pick_out_picks(const struct exchange *exchange, struct json_out *out, const char *key,
                    const struct ask *ask, const struct pick *picks, size_t count)
{
    json_out_open_array_at(out, key);
    for (size_t i = 0; i < count; i++) {
        pick_out_pick(exchange, out, ask, &picks[i]);
    }
    json_out_close_array(out);
}

void pick_out_rejected(const struct exchange *exchange, struct json_out *out,
                       const struct recommendation *recommendation)
{
    json_out_open_array_at(out, "rejected");
    for (size_t i = 0; i < recommendation->rejection_count; i++) {
        const struct rejection *rejection = &recommendation->rejections[i];

        json_out_open_object(out);
        card_out_reference(out, rejection->gpu);
        card_out_notes(exchange, out, "reasons", rejection->reasons, rejection->reason_count);
        json_out_close_object(out);
    }
    json_out_close_array(out);
    json_out_open_object_at(out, "rejected_counts");
    for (int code = 0; code < MESSAGE_REJECTION_COUNT; code++) {
        if (recommendation->rejected_counts[code] > 0) {
            json_out_count_at(out, message_code_name((enum message_code)code),
                              recommendation->rejected_counts[code]);
        }
    }
    json_out_close_object(out);
}

static void write_change(struct json_out *out, const struct advice_change *change)
{
    json_out_open_object(out);
    json_out_text_at(out, "parameter", change->parameter);
    json_out_text_at(out, "value", change->value);
    json_out_close_object(out);
}

static void write_advice(const struct exchange *exchange, struct json_out *out,
                         const struct advice *advice)
{
    json_out_open_object(out);
    card_out_note(exchange, out, &advice->note);
    json_out_key(out, "change");
    if (advice->change_count == 0) {
        json_out_null(out);
    } else {
        write_change(out, &advice->changes[0]);
    }
    json_out_open_array_at(out, "also");
    for (size_t i = 1; i < advice->change_count; i++) {
        write_change(out, &advice->changes[i]);
    }
    json_out_close_array(out);
    json_out_estimate_at(out, "gain", advice->gain);
    json_out_text_at(out, "gain_text", advice->gain_text);
    json_out_close_object(out);
}

static void write_choice_work(struct json_out *out, const struct ask *ask,
                              const struct cloud_choice *choice)
{
    json_out_open_object_at(out, "speed");
    card_out_speed(out, choice->has_speed ? &choice->speed : NULL);
    json_out_close_object(out);
    write_time(out, choice->job_hours, choice->job_hours_low, choice->job_hours_high);
    json_out_open_object_at(out, "cost");
    json_out_money_exact_at(out, "per_hour", choice->per_hour_micros);
    json_out_money_at(out, "per_month", choice->per_month_micros);
    json_out_money_at(out, "per_job", choice->per_job_micros);
    json_out_money_exact_at(out, "per_million_tokens", choice->per_million_tokens_micros);
    json_out_money_exact_at(out, "per_million_images", choice->per_million_images_micros);
    json_out_text_at(out, "currency", CURRENCY_NAMES[ask->currency]);
    json_out_close_object(out);
}

/* null: rented on demand. */
static void write_spot(struct json_out *out, const struct ask *ask,
                       const struct cloud_choice *choice)
{
    if (!choice->is_spot) {
        json_out_null_at(out, "spot");
        return;
    }
    json_out_open_object_at(out, "spot");
    json_out_number_at(out, "interruptions_per_day", ask->spot_interruptions_per_day);
    json_out_number_at(out, "checkpoint_hours", ask->checkpoint_hours);
    json_out_estimate_at(out, "best_checkpoint_hours",
                         isfinite(choice->best_checkpoint_hours) ? choice->best_checkpoint_hours
                                                                 : (double)NAN);
    json_out_estimate_at(out, "time_factor", choice->spot_stretch);
    json_out_close_object(out);
}

/* What a plan gives a month, and by which subscription; null: no such limit is known. */
static void write_allowance(struct json_out *out, const struct cloud_choice *choice)
{
    const struct notebook_plan *subscription = choice->subscription;

    if (isnan(choice->hours_per_month)) {
        json_out_null_at(out, "allowance");
        return;
    }
    json_out_open_object_at(out, "allowance");
    json_out_estimate_at(out, "hours_per_month", choice->hours_per_month);
    json_out_text_at(out, "plan", subscription == NULL ? NULL : subscription->plan);
    json_out_number_at(out, "compute_units",
                       subscription == NULL ? (double)NAN : subscription->compute_units_included);
    json_out_money_at(out, "usd_per_month",
                      subscription == NULL ? MONEY_UNKNOWN
                                           : subscription->price_usd_per_month_micros);
    json_out_close_object(out);
}

static void write_choice(const struct exchange *exchange, struct json_out *out,
                         const struct ask *ask, const struct cloud_choice *choice)
{
    struct cloud_row row;

    if (choice->offer != NULL) {
        cloud_rows_instance(&row, exchange->catalogue, choice->offer, exchange->view->day);
    } else {
        cloud_rows_notebook(&row, exchange->catalogue, choice->plan, exchange->view->day);
    }
    json_out_open_object(out);
    cloud_rows_write(out, &row);
    json_out_bool_at(out, "does_work", choice->does_work);
    json_out_count_at(out, "count", choice->cards);
    json_out_text_at(out, "strategy", STRATEGY_NAMES[choice->strategy]);
    write_choice_work(out, ask, choice);
    write_spot(out, ask, choice);
    json_out_estimate_at(out, "sessions", choice->sessions);
    write_allowance(out, choice);
    card_out_notes(exchange, out, "warnings", choice->warnings, choice->warning_count);
    json_out_close_object(out);
}

/* What was compared: another card's offer, or the pick's own cards. */
static void write_rented(struct json_out *out, const struct rent_or_buy *result)
{
    const struct cloud_offer *offer = result->offer;

    if (offer == NULL) {
        json_out_null_at(out, "rented");
        return;
    }
    json_out_open_object_at(out, "rented");
    card_out_reference(out, offer->gpu);
    json_out_count_at(out, "count", result->cards);
    json_out_text_at(out, "provider", offer->provider);
    json_out_text_at(out, "instance_type", offer->instance_type);
    json_out_text_at(out, "region", offer->region);
    json_out_bool_at(out, "spot", result->is_spot);
    json_out_estimate_at(out, "hours", result->offer_hours);
    json_out_close_object(out);
}

static void write_rent_or_buy(const struct exchange *exchange, struct json_out *out,
                              const struct ask *ask, const struct rent_or_buy *result)
{
    json_out_open_object_at(out, "rent_or_buy");
    json_out_estimate_at(out, "break_even_hours",
                         result->is_known ? result->break_even_hours : (double)NAN);
    json_out_estimate_at(out, "break_even_months",
                         result->is_known ? result->break_even_months : (double)NAN);
    json_out_text_at(out, "verdict", result->verdict);
    json_out_money_at(out, "owning", result->owning_micros);
    json_out_money_at(out, "renting", result->renting_micros);
    json_out_money_exact_at(out, "rent_per_hour", result->rent_per_hour_micros);
    json_out_text_at(out, "currency", CURRENCY_NAMES[ask->currency]);
    write_rented(out, result);
    json_out_open_object_at(out, "same_card");
    json_out_money_exact_at(out, "rent_per_hour", result->same_card_per_hour_micros);
    json_out_estimate_at(out, "break_even_hours", result->same_card_break_even_hours);
    json_out_close_object(out);
    card_out_note(exchange, out, &result->note);
    json_out_close_object(out);
}

void pick_out_alternatives(const struct exchange *exchange, struct json_out *out,
                           const struct ask *ask, const struct recommendation *recommendation)
{
    json_out_open_array_at(out, "advice");
    for (size_t i = 0; i < recommendation->advice_count; i++) {
        write_advice(exchange, out, &recommendation->advice[i]);
    }
    json_out_close_array(out);
    json_out_open_array_at(out, "cloud");
    for (size_t i = 0; i < recommendation->cloud_count; i++) {
        write_choice(exchange, out, ask, &recommendation->cloud[i]);
    }
    json_out_close_array(out);
    write_rent_or_buy(exchange, out, ask, &recommendation->rent_or_buy);
}
