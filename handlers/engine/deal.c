/* Judges an offer: ranks the question without the card, then finds the price at which the card's
 * score equals that of the pick it is compared with. Scores are those of rank.c. Pure; one thread
 * at a time. */
#include "deal.h"

#include "deal_parts.h"
#include "notes.h"
#include "pick.h"
#include "support.h"

#include <assert.h>
#include <math.h>

/* Above any price a score is told apart by; 10^9 units. */
static const int64_t CENTS_MAX = 100000000000;

const char *const DEAL_VERDICT_NAMES[DEAL_VERDICT_COUNT] = {
    [DEAL_GOOD] = "good",   [DEAL_FAIR] = "fair",       [DEAL_POOR] = "poor",
    [DEAL_AVOID] = "avoid", [DEAL_UNKNOWN] = "unknown",
};
const char *const DEAL_BASIS_NAMES[DEAL_BASIS_COUNT] = {
    [DEAL_QUOTED] = "quoted",
    [DEAL_OBSERVED] = "observed",
    [DEAL_STALE] = "stale",
    [DEAL_ESTIMATED] = "estimated",
};

/* The asker knows the condition; where it is not said, it is the one the card is seen in. */
static enum condition condition_of(const struct question *question, const struct gpu *gpu)
{
    const struct card_prices *prices = &question->prices[gpu->index];

    if (question->ask->condition != ASKED_ANY) {
        return question->ask->condition == ASKED_NEW ? CONDITION_NEW : CONDITION_USED;
    }
    return prices->is_known[CONDITION_USED] && !prices->is_known[CONDITION_NEW] ? CONDITION_USED
                                                                                : CONDITION_NEW;
}

static bool price_offer(struct judgement *judgement, struct error *err)
{
    int64_t micros = judgement->offer->price_micros;
    char day_text[DAY_TEXT_BYTES];

    day_format(judgement->question->day, day_text);
    judgement->price =
        (struct plan_price){.amount_micros = micros,
                            .planning_micros = micros,
                            .low_micros = micros,
                            .high_micros = micros,
                            .condition = condition_of(judgement->question, judgement->offer->gpu),
                            .basis = PRICE_QUOTED,
                            .observed_on = {.day = judgement->question->day,
                                            .text = arena_format(judgement->arena, "%s", day_text)},
                            .observations = 1};
    return judgement->price.observed_on.text != NULL ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for an offer");
}

/* Where only volunteers keep a card running that its maker has dropped, support has ended. */
static bool is_left_behind(const struct ask *ask, const struct gpu *gpu)
{
    enum framework stack = FRAMEWORK_DRIVER;
    enum support_status here = support_of(gpu, ask->framework, ask->os);

    return support_status_of(support_own_stack(gpu, &stack)) == SUPPORT_DROPPED &&
           (here == SUPPORT_UNOFFICIAL || here == SUPPORT_UNKNOWN);
}

/* A fault of the card counts more than that of its price. */
static bool is_better_way(const struct question *question, const struct option *a,
                          const struct option *b)
{
    size_t faults_a = 2 * constraint_count(a->rejections) + (constraint_of_price(question, a) != 0);
    size_t faults_b = 2 * constraint_count(b->rejections) + (constraint_of_price(question, b) != 0);

    return faults_a < faults_b ||
           (faults_a == faults_b && a->rejections == 0 && rank_is_before(a, b));
}

/* Tries every number of the card; none is rejected by the budget, which is another question. */
static void try_ways(struct judgement *judgement)
{
    const struct question *question = judgement->question;
    const struct gpu *gpu = judgement->offer->gpu;
    uint32_t card_rejections = constraint_of_card(question, gpu);

    for (size_t count = 1; count <= question->cards_max; count++) {
        struct option way = {.gpu = gpu,
                             .count = count,
                             .is_controlled = rank_is_controlled(question, gpu),
                             .price = &judgement->price,
                             .job_hours = (double)NAN};

        way.rejections = card_rejections | constraint_of_set(question, &way);
        way.rejections |= constraint_of_speed(question, &way);
        if (way.rejections == 0) {
            rank_score(question, &way);
        }
        if (way.rejections == 0) {
            judgement->ways[judgement->ways_count++] = way;
        }
        if (count == 1 || is_better_way(question, &way, &judgement->best)) {
            judgement->best = way;
        }
    }
    judgement->is_left_behind = is_left_behind(question->ask, gpu);
}

/* Takes the card out of the ranking. */
static bool rank_without(struct judgement *judgement, struct error *err)
{
    struct ranking *ranking = &judgement->without;
    size_t kept = 0;

    if (!rank_all(judgement->question, judgement->arena, ranking, err)) {
        return false;
    }
    for (size_t i = 0; i < ranking->fitting_count; i++) {
        if (ranking->fitting[i]->gpu != judgement->offer->gpu) {
            ranking->fitting[kept++] = ranking->fitting[i];
        }
    }
    ranking->fitting_count = kept;
    return true;
}

static enum deal_basis basis_of(const struct plan_price *price)
{
    if (price->basis == PRICE_ESTIMATED) {
        return DEAL_ESTIMATED;
    }
    if (price->is_stale) {
        return DEAL_STALE;
    }
    return price->basis == PRICE_QUOTED ? DEAL_QUOTED : DEAL_OBSERVED;
}

/* Who was quoted as many other cards as are compared has a market of his own: those, and no price
 * that somebody else saw, are what he can buy instead. */
static bool has_own_market(const struct ranking *ranking, double wanted)
{
    size_t quoted = 0;

    for (size_t i = 0; i < ranking->fitting_count; i++) {
        quoted += ranking->fitting[i]->price->basis == PRICE_QUOTED ? 1 : 0;
    }
    return (double)quoted >= wanted;
}

static void compare(const struct judgement *judgement, struct deal *deal)
{
    const struct ranking *ranking = &judgement->without;
    double wanted = judgement->question->catalogue->parameters.deal_rank_compared;
    bool only_quoted = has_own_market(ranking, wanted);

    deal->basis = DEAL_QUOTED;
    for (size_t i = 0; i < ranking->fitting_count && deal->compared_count < DEAL_MAX_COMPARED &&
                       (double)deal->compared_count < wanted;
         i++) {
        const struct option *option = ranking->fitting[i];
        enum deal_basis basis = basis_of(option->price);
        bool is_fresh = basis <= DEAL_OBSERVED;

        if (only_quoted && option->price->basis != PRICE_QUOTED) {
            continue;
        }
        deal->compared[deal->compared_count++] = (struct deal_compared){option, is_fresh};
        deal->fresh_count += is_fresh ? 1 : 0;
        deal->basis = basis > deal->basis ? basis : deal->basis;
    }
    if (deal->compared_count > 0 && (double)deal->compared_count >= wanted) {
        deal->matched = deal->compared[deal->compared_count - 1].option;
    }
}

/* The way at another price, as rank.c scores it. *price holds that price and must outlive it. */
static void set_price(const struct question *question, struct option *way, int64_t micros,
                      struct plan_price *price)
{
    *price = *way->price;
    price->amount_micros = micros;
    price->planning_micros = micros;
    price->low_micros = micros;
    price->high_micros = micros;
    way->price = price;
    rank_score(question, way);
}

static double score_at(const struct question *question, const struct option *way, int64_t cents)
{
    struct option tried = *way;
    struct plan_price price;

    set_price(question, &tried, cents * MONEY_MICROS_PER_CENT, &price);
    return tried.rejections == 0 ? tried.score : 0; /* an amount beyond all money: no cost */
}

/* The dearest price at which a way scores no less, by halving: the score falls with every cent,
 * and so the answer agrees with the ranking to the cent. -1: not even as a gift. */
static int64_t fair_cents(const struct question *question, const struct option *way, double score)
{
    int64_t low = -1;
    int64_t high = CENTS_MAX;

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (score_at(question, way, middle) >= score) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Of several numbers of the card the one that bears the dearest price; roomy before tight. */
static void find_fair_price(const struct judgement *judgement, struct deal *deal)
{
    const struct question *question = judgement->question;
    double exponent = score_exponent(&question->catalogue->parameters, question->ask->prefer);
    const struct option *fairest = NULL;
    int64_t most_cents = 0;

    if (deal->matched == NULL || exponent <= 0) {
        return;
    }
    for (size_t i = 0; i < judgement->ways_count; i++) {
        const struct option *way = &judgement->ways[i];
        int64_t cents = fair_cents(question, way, deal->matched->score);

        if (fairest == NULL || way->is_tight < fairest->is_tight ||
            (way->is_tight == fairest->is_tight && cents > most_cents)) {
            fairest = way;
            most_cents = cents;
        }
    }
    if (fairest == NULL) {
        return;
    }
    deal->fair_micros = most_cents < 0 ? 0 : most_cents * MONEY_MICROS_PER_CENT;
    deal->at_fair = *fairest;
    set_price(question, &deal->at_fair, deal->fair_micros, &deal->fair_price);
    cost_tell_resale(question->catalogue, deal->at_fair.gpu, deal->at_fair.count, &deal->fair_price,
                     question->day, &deal->at_fair.cost);
    deal->ratio = deal->fair_micros > 0 ? money_to_units(judgement->offer->price_micros) /
                                              money_to_units(deal->fair_micros)
                                        : (double)NAN;
}

static enum deal_verdict judge(const struct judgement *judgement, const struct deal *deal)
{
    const struct parameters *parameters = &judgement->question->catalogue->parameters;
    int64_t price_micros = judgement->offer->price_micros;

    if (deal_hard_rejections(judgement) != 0 || judgement->is_left_behind) {
        return DEAL_AVOID;
    }
    if (deal->fair_micros == MONEY_UNKNOWN ||
        (double)deal->fresh_count < parameters->deal_min_fresh_prices) {
        return DEAL_UNKNOWN;
    }
    if (price_micros <= deal->fair_micros) {
        return DEAL_GOOD;
    }
    return price_micros <= money_times(deal->fair_micros, parameters->deal_fair_band) ? DEAL_FAIR
                                                                                      : DEAL_POOR;
}

/* Puts the offer into the ranking at its place; returns that place. */
static bool insert_offer(const struct judgement *judgement, struct ranking *ranking, size_t *place,
                         struct error *err)
{
    const struct ranking *without = &judgement->without;
    const struct option **fitting =
        arena_alloc_array(judgement->arena, without->fitting_count + 1, sizeof *fitting);
    size_t at = 0;

    if (fitting == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for a ranking");
    }
    while (at < without->fitting_count && rank_is_before(without->fitting[at], &judgement->best)) {
        fitting[at] = without->fitting[at];
        at++;
    }
    fitting[at] = &judgement->best;
    for (size_t i = at; i < without->fitting_count; i++) {
        fitting[i + 1] = without->fitting[i];
    }
    *ranking = *without;
    ranking->fitting = fitting;
    ranking->fitting_count = without->fitting_count + 1;
    *place = at;
    return true;
}

/* A pick of nothing but the card and its price, for the warnings about it. */
static bool warn_only(const struct judgement *judgement, struct deal *deal, struct error *err)
{
    deal->pick = (struct pick){.gpu = judgement->offer->gpu,
                               .count = judgement->best.count,
                               .strategy = judgement->best.strategy,
                               .price = judgement->price,
                               .holds_up_to_micros = MONEY_UNKNOWN};
    speed_link(judgement->question->catalogue, judgement->question->ask, deal->pick.gpu,
               deal->pick.count, &deal->pick.link);
    return notes_of_warnings(judgement->question, &deal->pick, judgement->arena, err);
}

static bool list_picks(const struct judgement *judgement, struct deal *deal, struct error *err)
{
    struct ranking ranking = judgement->without;
    size_t place = ranking.fitting_count; /* what cannot be ranked is behind all that can */
    struct pick_maker maker;

    deal->has_pick = judgement->ways_count > 0;
    if (deal->has_pick && !insert_offer(judgement, &ranking, &place, err)) {
        return false;
    }
    pick_maker_init(&maker, judgement->question, &ranking);
    if (deal->has_pick ? !pick_make(&maker, place, judgement->arena, &deal->pick, err)
                       : !warn_only(judgement, deal, err)) {
        return false;
    }
    size_t count = place < DEAL_MAX_BETTER ? place : DEAL_MAX_BETTER;

    deal->better = arena_alloc_array(judgement->arena, count, sizeof *deal->better);
    if (deal->better == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu picks", count);
    }
    for (; deal->better_count < count; deal->better_count++) {
        struct pick *pick = &deal->better[deal->better_count];

        if (!pick_make(&maker, deal->better_count, judgement->arena, pick, err)) {
            return false;
        }
    }
    return true;
}

bool deal_judge(const struct catalogue *catalogue, const struct ask *ask,
                const struct deal_offer *offer, int32_t day, struct arena *arena, struct deal *deal,
                struct error *err)
{
    struct question question;
    struct judgement judgement = {.question = &question, .offer = offer, .arena = arena};

    assert(ask->own != offer->gpu);
    *deal = (struct deal){.fair_micros = MONEY_UNKNOWN, .ratio = (double)NAN};
    if (!question_init(&question, catalogue, ask, day, arena, err) ||
        !price_offer(&judgement, err) || !rank_without(&judgement, err)) {
        return false;
    }
    try_ways(&judgement);
    compare(&judgement, deal);
    if (deal_hard_rejections(&judgement) == 0 && !judgement.is_left_behind) {
        find_fair_price(&judgement, deal);
    }
    deal->verdict = judge(&judgement, deal);
    return list_picks(&judgement, deal, err) && deal_warn(&judgement, deal, err) &&
           deal_say_why(&judgement, deal, err);
}
