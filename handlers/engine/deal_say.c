/* Says why an offer is good or not, and what to beware of. Pure; one thread at a time. */
#include "deal_parts.h"

#include "notes.h"
#include "phrase.h"
#include "support.h"

#include <assert.h>
#include <math.h>

/* Below this share of the lowest price seen lately an offer is rarely what it says. */
static const double SUSPICIOUS_SHARE = 0.6;

uint32_t deal_hard_rejections(const struct judgement *judgement)
{
    return judgement->best.rejections & ~((uint32_t)1 << MESSAGE_SPEED_UNKNOWN) &
           ~((uint32_t)1 << MESSAGE_NO_PRICE);
}

static void say_verdict(struct phrase_book *book, const struct judgement *judgement,
                        const struct deal *deal)
{
    enum currency currency = judgement->question->ask->currency;
    const char *price = phrase_money(book, judgement->offer->price_micros, currency);
    const char *fair = phrase_money(book, deal->fair_micros, currency);
    const char *matched = deal->matched->gpu->name;
    const char *above = phrase_number(book, fmax(1, (deal->ratio - 1) * 100), 0, "%");

    if (deal->verdict == DEAL_GOOD) {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {price, fair, matched};

        phrase_add_all(book, MESSAGE_DEAL_GOOD, VARIANT_USUAL, arguments);
    } else if (deal->fair_micros == 0) {
        phrase_add(book, MESSAGE_DEAL_POOR, VARIANT_AS_A_GIFT, matched, NULL);
    } else {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {price, above, fair, matched};

        phrase_add_all(book, deal->verdict == DEAL_FAIR ? MESSAGE_DEAL_FAIR : MESSAGE_DEAL_POOR,
                       VARIANT_USUAL, arguments);
    }
}

static void say_unknown(struct phrase_book *book, const struct judgement *judgement,
                        const struct deal *deal)
{
    const struct question *question = judgement->question;
    const struct parameters *parameters = &question->catalogue->parameters;

    if (judgement->ways_count == 0) {
        phrase_add(book, MESSAGE_SPEED_UNKNOWN, VARIANT_USUAL, NULL, NULL);
    } else if (score_exponent(parameters, question->ask->prefer) <= 0) {
        phrase_add(book, MESSAGE_DEAL_UNKNOWN, VARIANT_BY_SPEED, NULL, NULL);
    } else if (deal->matched == NULL) {
        phrase_add(book, MESSAGE_DEAL_UNKNOWN, VARIANT_FEW_PICKS,
                   phrase_number(book, (double)deal->compared_count, 0, ""),
                   phrase_number(book, parameters->deal_rank_compared, 0, ""));
    } else {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {
            phrase_number(book, (double)deal->fresh_count, 0, ""),
            phrase_number(book, (double)deal->compared_count, 0, ""),
            phrase_number(book, parameters->deal_min_fresh_prices, 0, ""),
            phrase_money(book, deal->fair_micros, question->ask->currency)};

        phrase_add_all(book, MESSAGE_DEAL_UNKNOWN, VARIANT_USUAL, arguments);
    }
}

/* Notes of what a set of rejections says, behind those already there. */
static bool say_rejections(struct phrase_book *book, const struct judgement *judgement,
                           uint32_t rejections, struct error *err)
{
    struct option option = judgement->best;
    struct rejection rejection = {0};

    option.rejections = rejections;
    if (rejections == 0) {
        return true;
    }
    if (!notes_of_rejection(judgement->question, &option, judgement->arena, &rejection, err)) {
        return false;
    }
    for (size_t i = 0; i < rejection.reason_count; i++) {
        assert(book->count < book->maximum);
        book->notes[book->count++] = rejection.reasons[i];
    }
    return true;
}

bool deal_say_why(const struct judgement *judgement, struct deal *deal, struct error *err)
{
    struct phrase_book book = {judgement->arena, deal->reasons, 0, DEAL_MAX_REASONS, false};
    uint32_t over_budget = constraint_of_price(judgement->question, &judgement->best) &
                           (uint32_t)1 << MESSAGE_OVER_BUDGET;

    if (deal->verdict == DEAL_UNKNOWN) {
        say_unknown(&book, judgement, deal);
    } else if (deal->verdict != DEAL_AVOID) {
        say_verdict(&book, judgement, deal);
    } else if (!say_rejections(&book, judgement, deal_hard_rejections(judgement), err)) {
        return false;
    }
    if (deal->verdict == DEAL_AVOID && judgement->is_left_behind) {
        enum framework stack = FRAMEWORK_DRIVER;
        const struct support *own = support_own_stack(judgement->offer->gpu, &stack);

        phrase_add(&book, MESSAGE_SUPPORT_DROPPED,
                   own->last_version == NULL ? VARIANT_NO_VERSION : VARIANT_USUAL,
                   phrase_framework(stack), own->last_version);
    }
    if (!say_rejections(&book, judgement, over_budget, err)) {
        return false;
    }
    deal->reason_count = book.count;
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the reasons of a verdict");
}

/* Prices of the same condition that others have seen lately; a quote of the asker's own is none. */
static void warn_too_cheap(struct phrase_book *book, const struct judgement *judgement)
{
    const struct question *question = judgement->question;
    const struct card_prices *prices = &question->prices[judgement->offer->gpu->index];
    int64_t low_micros = MONEY_UNKNOWN;

    for (size_t condition = CONDITION_NEW; condition <= CONDITION_USED; condition++) {
        const struct plan_price *seen = &prices->price[condition];

        if (prices->is_known[condition] && seen->basis == PRICE_OBSERVED && !seen->is_stale &&
            (low_micros == MONEY_UNKNOWN || seen->low_micros < low_micros)) {
            low_micros = seen->low_micros;
        }
    }
    if (low_micros != MONEY_UNKNOWN &&
        judgement->offer->price_micros < money_times(low_micros, SUSPICIOUS_SHARE)) {
        phrase_add(book, MESSAGE_TOO_CHEAP, VARIANT_USUAL,
                   phrase_money(book, low_micros, question->ask->currency), NULL);
    }
}

bool deal_warn(const struct judgement *judgement, struct deal *deal, struct error *err)
{
    struct pick *pick = &deal->pick;
    struct phrase_book book = {judgement->arena, pick->warnings, pick->warning_count,
                               RECOMMEND_MAX_NOTES, false};
    size_t old_count = deal->compared_count - deal->fresh_count;

    if (old_count > 0 && deal->fair_micros != MONEY_UNKNOWN) {
        phrase_add(&book, MESSAGE_PRICE_STALE, VARIANT_COMPARED,
                   phrase_number(&book, (double)old_count, 0, ""),
                   phrase_number(&book, (double)deal->compared_count, 0, ""));
    }
    warn_too_cheap(&book, judgement);
    pick->warning_count = book.count;
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the warnings of an offer");
}
