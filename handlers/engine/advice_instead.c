/* What may be better than buying: renting, or keeping the card that is there (DESIGN.md sections
 * 3.5 and 3.9). Pure; one thread at a time. */
#include "advice_parts.h"

#include "cloud.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* Buying is worth it from this many times the speed of the own card on (DESIGN.md section 3.9). */
#define KEEP_RATIO 1.5

/* "AutoDL 1x RTX 3060"; the accelerator too where the instance does not say it. */
static const char *offer_name(struct arena *arena, const struct cloud_offer *offer)
{
    const char *instance = offer->instance_type == NULL ? "" : offer->instance_type;

    if (strstr(instance, offer->accelerator) != NULL) {
        return arena_format(arena, "%s %s", offer->provider, instance);
    }
    return arena_format(arena, "%s %s%s%s", offer->provider, instance,
                        instance[0] == '\0' ? "" : " ", offer->accelerator);
}

/* Nothing can be bought: a free plan that holds the work, else the cheapest offer that runs it. */
static void advise_first_offer(struct adviser *adviser, const struct recommendation *recommendation)
{
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = advice_book(adviser, &advice->note);
    const struct cloud_offer *offer = NULL;
    const struct notebook_plan *free_plan = NULL;
    int64_t usd_per_hour_micros = 0;
    enum framework framework = adviser->question->ask->framework;

    for (size_t i = 0; i < recommendation->cloud_count; i++) {
        const struct cloud_choice *choice = &recommendation->cloud[i];

        if (choice->plan != NULL && choice->does_work &&
            choice->plan->price_usd_per_month_micros == 0) {
            free_plan = choice->plan;
        }
        if (choice->offer != NULL && offer == NULL &&
            support_of(choice->offer->gpu, framework, OS_LINUX) == SUPPORT_SUPPORTED) {
            offer = choice->offer;
            usd_per_hour_micros = choice->usd_per_hour_micros;
        }
    }
    if (free_plan != NULL) {
        advice->gain_text =
            arena_format(adviser->arena, "%s %s", free_plan->provider, free_plan->plan);
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_FREE, advice->gain_text, NULL);
    } else if (offer != NULL) {
        advice->gain_text = offer_name(adviser->arena, offer);
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_FITS, advice->gain_text,
                   phrase_money(&book, usd_per_hour_micros, CURRENCY_USD));
    } else {
        return;
    }
    advice->gain = (double)NAN;
    adviser->is_out_of_memory |= book.is_out_of_memory || advice->gain_text == NULL;
    adviser->count++;
}

void advice_instead_rent(struct adviser *adviser, const struct recommendation *recommendation,
                         const struct advice_own *own)
{
    const struct rent_or_buy *rent = &recommendation->rent_or_buy;
    const struct ask *ask = adviser->question->ask;
    double gain = 0;
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = advice_book(adviser, &advice->note);

    if (adviser->first == NULL) {
        advise_first_offer(adviser, recommendation);
        return;
    }
    if (!rent->is_known || !text_is(rent->verdict, "rent") || own->is_enough) {
        return; /* who keeps a card needs none, bought or rented */
    }
    double planned_hours = cloud_rent_planned_hours(ask, adviser->first->job_hours);
    gain = 1 - money_to_units(rent->renting_micros) / money_to_units(rent->owning_micros);
    if (!(gain >= ADVICE_LEAST_GAIN)) {
        return;
    }
    if (isnan(rent->break_even_hours)) {
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_CHEAPER, NULL, NULL);
    } else {
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_USUAL,
                   phrase_number(&book, rent->break_even_hours, 0, "h"),
                   phrase_number(&book, planned_hours, 0, "h"));
    }
    advice->gain = gain;
    advice->gain_text = arena_format(adviser->arena, "-%.0f %%", 100 * gain);
    adviser->is_out_of_memory |= book.is_out_of_memory || advice->gain_text == NULL;
    adviser->count++;
}

/* The own card does the work, whatever it is worth: software, memory and the speed asked for. */
static bool own_does_work(const struct question *question, struct option *own)
{
    uint32_t about_the_purchase =
        (uint32_t)1 << MESSAGE_VENDOR_EXCLUDED | (uint32_t)1 << MESSAGE_SEGMENT_EXCLUDED |
        (uint32_t)1 << MESSAGE_FORM_FACTOR | (uint32_t)1 << MESSAGE_PSU_TOO_SMALL |
        (uint32_t)1 << MESSAGE_POWER_PLUG_MISSING;
    uint32_t rejections = 0;

    *own = (struct option){.gpu = question->ask->own, .count = 1};
    rejections = constraint_of_card(question, own->gpu) | constraint_of_set(question, own) |
                 constraint_of_speed(question, own);
    return (rejections & ~about_the_purchase) == 0;
}

void advice_judge_own(const struct question *question, struct advice_own *verdict)
{
    struct option own;

    *verdict = (struct advice_own){.is_enough = false};
    if (question->ask->own == NULL || !own_does_work(question, &own)) {
        return;
    }
    verdict->has_instead = rank_fastest(question, &verdict->instead);
    verdict->is_enough = !verdict->has_instead ||
                         verdict->instead.speed.relative_low < KEEP_RATIO * own.speed.relative_low;
}

/* What is gained is the whole price of what would be bought instead. */
void advice_instead_keep(struct adviser *adviser, const struct advice_own *own)
{
    const struct ask *ask = adviser->question->ask;
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = advice_book(adviser, &advice->note);
    const char *ratio = phrase_number(&book, KEEP_RATIO, 1, "");

    if (!own->is_enough) {
        return;
    }
    if (ask->budget_micros != MONEY_UNKNOWN) {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {
            ask->own->name, phrase_money(&book, ask->budget_micros, ask->currency), ratio, NULL};

        phrase_add_all(&book, MESSAGE_KEEP_OWN, VARIANT_USUAL, arguments);
    } else {
        phrase_add(&book, MESSAGE_KEEP_OWN, VARIANT_NO_BUDGET, ask->own->name, ratio);
    }
    advice->gain = own->has_instead ? 1 : (double)NAN;
    advice->gain_text = own->has_instead
                            ? phrase_money(&book, own->instead.cost.purchase_micros, ask->currency)
                            : ask->own->name;
    adviser->is_out_of_memory |= book.is_out_of_memory;
    adviser->count++;
}
