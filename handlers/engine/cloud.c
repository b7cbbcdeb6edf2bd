/* Rented instances and notebook plans beside bought cards. Reads offers as they were seen: on
 * demand only, spot needs a checkpoint interval that nobody has given here. Orders by money alone;
 * compares a card with the same card rented. Pure; one thread at a time. */
#include "cloud.h"

#include "constraint.h"
#include "money.h"
#include "phrase.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { MEDIAN_MAX_OFFERS = 16 }; /* room for offer_median_of, shipped as 3 */

/* Order of texts, unknown first. */
static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    return strcmp(a, b);
}

bool cloud_is_marketplace(const struct cloud_offer *offer)
{
    /* Providers that only broker machines of others; elsewhere the instance says so (RunPod
     * community). */
    static const char *const PROVIDERS[] = {"Vast.ai", "Salad", "Akash"};
    static const char *const INSTANCES[] = {"community", "marketplace"};

    for (size_t i = 0; i < sizeof PROVIDERS / sizeof PROVIDERS[0]; i++) {
        if (text_is(offer->provider, PROVIDERS[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof INSTANCES / sizeof INSTANCES[0]; i++) {
        if (offer->instance_type != NULL && strstr(offer->instance_type, INSTANCES[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool cloud_offer_is_stale(const struct catalogue *catalogue, const struct cloud_offer *offer,
                          int32_t day)
{
    return offer->observed_on.day == DAY_UNKNOWN ||
           day - offer->observed_on.day > catalogue->parameters.offer_stale_days;
}

/* Whether something seen then is known on the day and not too old to stand for it. */
static bool is_seen_lately(const struct date *observed_on, int32_t day, double max_age_days)
{
    return observed_on->day != DAY_UNKNOWN && observed_on->day <= day &&
           day - observed_on->day <= max_age_days;
}

/* A whole card on demand, by its newest price. */
static bool is_usable(const struct catalogue *catalogue, const struct cloud_offer *offer,
                      int32_t day)
{
    return offer->gpu != NULL && offer->is_newest && offer->usd_per_hour_micros > 0 &&
           offer->gpu_count >= 1 &&
           is_seen_lately(&offer->observed_on, day, catalogue->parameters.offer_max_age_days) &&
           !cloud_is_marketplace(offer); /* last: it reads texts */
}

/* Keeps the cheapest amounts, sorted; returns how many there are now. */
static size_t keep_cheapest(int64_t *sorted, size_t count, size_t room, int64_t micros)
{
    size_t place = count;

    while (place > 0 && sorted[place - 1] > micros) {
        place--;
    }
    if (place >= room) {
        return count;
    }
    size_t kept = count < room ? count + 1 : room;

    memmove(&sorted[place + 1], &sorted[place], (kept - place - 1) * sizeof sorted[0]);
    sorted[place] = micros;
    return kept;
}

int64_t cloud_rent_usd_per_hour_micros(const struct catalogue *catalogue, const struct gpu *gpu,
                                       size_t count, int32_t day)
{
    int64_t cheapest[MEDIAN_MAX_OFFERS];
    double asked = catalogue->parameters.offer_median_of;
    size_t room = (size_t)fmax(1, fmin(asked, MEDIAN_MAX_OFFERS));
    size_t found = 0;

    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (offer->gpu != gpu || !is_usable(catalogue, offer, day)) {
            continue;
        }
        double instances = ceil((double)count / offer->gpu_count);
        int64_t micros = money_times(offer->usd_per_hour_micros, instances);

        if (micros != MONEY_UNKNOWN) {
            found = keep_cheapest(cheapest, found, room, micros);
        }
    }
    if (found == 0) {
        return MONEY_UNKNOWN;
    }
    /* Half a micro-dollar an hour is lost at most; these are compared, not billed. */
    return (cheapest[(found - 1) / 2] + cheapest[found / 2]) / 2;
}

/* The question as a rented machine meets it: a server under Linux with up to eight cards. What the
 * asker's own computer takes, and whose card would be bought for it, does not matter there. */
static void ask_as_rented(const struct question *question, struct ask *ask, struct question *rented)
{
    *ask = *question->ask;
    ask->os = OS_LINUX;
    ask->chassis = CHASSIS_SERVER;
    ask->display = ANSWER_NO;
    ask->vendor = NULL;
    ask->segment = NULL;
    ask->psu_watts = (double)NAN;
    ask->max_slots = (double)NAN;
    ask->max_gpus = ASK_MAX_CARDS;
    question_vary(rented, question, ask);
}

/* Whether a machine with that many cards does the work, on one of them or on all. A card may have
 * less memory than its kind (as printed); NAN: not said. */
static bool does_work(const struct question *rented, const struct gpu *gpu, double cards,
                      double printed_gib)
{
    const size_t counts[] = {1, (size_t)fmin(cards, ASK_MAX_CARDS)};
    bool is_speed_asked = !isnan(rented->ask->min_tokens_per_s);

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct option option = {.gpu = gpu, .count = counts[i]};

        if (counts[i] <= rented->cards_max && constraint_of_set(rented, &option) == 0 &&
            !(option.needed_gib > printed_gib) &&
            (!is_speed_asked || constraint_of_speed(rented, &option) == 0)) {
            return true;
        }
    }
    return false;
}

/* Cheaper to start first, then an order that does not hang on the order of the rows. */
static bool is_offer_before(const struct cloud_offer *a, const struct cloud_offer *b)
{
    if (b == NULL || a->usd_per_hour_micros != b->usd_per_hour_micros) {
        return b == NULL || a->usd_per_hour_micros < b->usd_per_hour_micros;
    }
    if (a->observed_on.day != b->observed_on.day) {
        return a->observed_on.day > b->observed_on.day;
    }
    int order = compare_texts(a->gpu->id, b->gpu->id);

    order = order != 0 ? order : compare_texts(a->provider, b->provider);
    order = order != 0 ? order : compare_texts(a->instance_type, b->instance_type);
    order = order != 0 ? order : compare_texts(a->region, b->region);
    order = order != 0 ? order : compare_texts(a->source, b->source);
    return order < 0;
}

/* The first offer of each card that does the work, by gpu.index; NULL: none. */
static void find_offers(const struct question *rented, const struct cloud_offer **offers)
{
    const struct catalogue *catalogue = rented->catalogue;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        offers[i] = NULL;
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];
        const struct gpu *gpu = offer->gpu;

        if (is_usable(catalogue, offer, rented->day) &&
            is_offer_before(offer, offers[gpu->index]) && constraint_of_card(rented, gpu) == 0 &&
            does_work(rented, gpu, offer->gpu_count, offer->gpu_memory_gb)) {
            offers[gpu->index] = offer;
        }
    }
}

/* The first of the offers, which is taken out of them; NULL: none is left. */
static const struct cloud_offer *next_offer(const struct cloud_offer **offers, size_t count)
{
    const struct cloud_offer *best = NULL;

    for (size_t i = 0; i < count; i++) {
        if (offers[i] != NULL && is_offer_before(offers[i], best)) {
            best = offers[i];
        }
    }
    if (best != NULL) {
        offers[best->gpu->index] = NULL;
    }
    return best;
}

/* A plan as it is compared. */
struct plan_merit {
    const struct notebook_plan *plan;
    bool does_work;
    double memory_gib;
    int64_t usd_per_hour_micros; /* 0: free */
    double life;                 /* support_life_factor of the framework asked for */
};

int64_t cloud_plan_usd_per_hour_micros(const struct catalogue *catalogue,
                                       const struct notebook_plan *plan)
{
    if (plan->price_usd_per_month_micros == 0) {
        return 0;
    }
    if (plan->usd_per_hour_micros != MONEY_UNKNOWN || plan->currency == NULL) {
        return plan->usd_per_hour_micros;
    }
    return catalogue_convert(catalogue, plan->price_per_hour_micros, plan->currency,
                             CURRENCY_NAMES[CURRENCY_USD], NULL);
}

static bool judge_plan(const struct question *rented, const struct notebook_plan *plan,
                       struct plan_merit *merit)
{
    const struct catalogue *catalogue = rented->catalogue;

    if (plan->gpu == NULL || !text_is(plan->status, "current") ||
        constraint_of_card(rented, plan->gpu) != 0 ||
        !is_seen_lately(&plan->observed_on, rented->day, (double)INFINITY)) {
        return false;
    }
    int64_t micros = cloud_plan_usd_per_hour_micros(catalogue, plan);
    enum support_status status = support_of(plan->gpu, rented->ask->framework, OS_LINUX);

    *merit = (struct plan_merit){.plan = plan,
                                 .does_work = does_work(rented, plan->gpu, 1, plan->gpu_memory_gb),
                                 .memory_gib = fmin(plan->gpu->memory_per_process_gib,
                                                    plan->gpu_memory_gb), /* ignores a NAN */
                                 .usd_per_hour_micros = micros,
                                 .life = support_life_factor(catalogue, status)};
    return micros != MONEY_UNKNOWN;
}

static bool is_plan_before(const struct plan_merit *a, const struct plan_merit *b)
{
    if (b->plan == NULL || a->does_work != b->does_work) {
        return b->plan == NULL || a->does_work;
    }
    if (!a->does_work && a->memory_gib != b->memory_gib) {
        return a->memory_gib > b->memory_gib;
    }
    if (a->usd_per_hour_micros != b->usd_per_hour_micros) {
        return a->usd_per_hour_micros < b->usd_per_hour_micros;
    }
    if (a->life != b->life) {
        return a->life > b->life;
    }
    if (a->plan->observed_on.day != b->plan->observed_on.day) {
        return a->plan->observed_on.day > b->plan->observed_on.day;
    }
    int order = compare_texts(a->plan->provider, b->plan->provider);

    order = order != 0 ? order : compare_texts(a->plan->plan, b->plan->plan);
    order = order != 0 ? order : compare_texts(a->plan->accelerator, b->plan->accelerator);
    order = order != 0 ? order : compare_texts(a->plan->source, b->plan->source);
    return order < 0;
}

/* Plan NULL: there is none. */
static struct plan_merit best_plan(const struct question *rented)
{
    const struct catalogue *catalogue = rented->catalogue;
    struct plan_merit best = {0};

    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        struct plan_merit merit;

        if (judge_plan(rented, &catalogue->notebook_plans[i], &merit) &&
            is_plan_before(&merit, &best)) {
            best = merit;
        }
    }
    return best;
}

bool cloud_choose(const struct question *question, struct arena *arena,
                  struct cloud_choice choices[RECOMMEND_MAX_CLOUD], size_t *count,
                  struct error *err)
{
    size_t cards = question->catalogue->gpu_count;
    const struct cloud_offer **offers = arena_alloc_array(arena, cards, sizeof *offers);
    const struct cloud_offer *offer = NULL;
    struct ask ask;
    struct question rented;
    size_t chosen = 0;

    if (offers == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the offers of %zu cards", cards);
    }
    ask_as_rented(question, &ask, &rented);
    find_offers(&rented, offers);

    struct plan_merit best = best_plan(&rented);

    if (best.does_work) {
        choices[chosen++] = (struct cloud_choice){.plan = best.plan, .does_work = true};
    }
    do {
        offer = next_offer(offers, cards);
        if (offer != NULL) {
            choices[chosen++] = (struct cloud_choice){.offer = offer, .does_work = true};
        }
    } while (offer != NULL && chosen < RECOMMEND_MAX_CLOUD);
    if (chosen == 0 && best.plan != NULL) {
        choices[chosen++] = (struct cloud_choice){.plan = best.plan};
    }
    *count = chosen;
    return true;
}

/* "1,234.50 USD"; NULL: the arena is exhausted. */
static const char *money_text(struct arena *arena, int64_t micros, enum currency currency)
{
    struct phrase_book book = {.arena = arena};
    const char *text = phrase_money(&book, micros, currency);

    return book.is_out_of_memory ? NULL : text;
}

/* The sentence that goes with the verdict: what both cost over the horizon, or at which load they
 * meet. */
static bool write_note(const struct ask *ask, int64_t owning_micros, int64_t renting_micros,
                       struct arena *arena, struct rent_or_buy *result, struct error *err)
{
    const char *owning = money_text(arena, owning_micros, ask->currency);
    const char *renting = money_text(arena, renting_micros, ask->currency);
    struct note note = {.code = MESSAGE_RENT_CHEAPER, .arguments = {renting, owning}};

    if (money_round_to_cent(owning_micros) == money_round_to_cent(renting_micros)) {
        note = (struct note){.code = MESSAGE_RENT_BUY_EVEN,
                             .arguments = {arena_format(arena, "%.0f h", result->break_even_hours),
                                           arena_format(arena, "%.1f months", ask->months)}};
    } else if (text_is(result->verdict, "buy")) {
        note = (struct note){.code = MESSAGE_BUY_CHEAPER, .arguments = {owning, renting}};
    }
    if (owning == NULL || renting == NULL || note.arguments[0] == NULL ||
        note.arguments[1] == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for renting or buying");
    }
    result->note = note;
    return true;
}

bool cloud_rent_or_buy(const struct catalogue *catalogue, const struct ask *ask,
                       const struct pick *pick, int32_t day, struct arena *arena,
                       struct rent_or_buy *result, struct error *err)
{
    struct rent_or_buy made = {
        .break_even_hours = (double)NAN, .break_even_months = (double)NAN, .verdict = "unknown"};
    const char *name = pick == NULL ? "-" : pick->gpu->name;

    made.note = (struct note){.code = MESSAGE_RENT_NO_OFFER, .arguments = {name}};
    if (pick == NULL) {
        *result = made;
        return true;
    }
    int64_t rent_usd_micros =
        cloud_rent_usd_per_hour_micros(catalogue, pick->gpu, pick->count, day);
    int64_t rent_micros =
        catalogue_convert(catalogue, rent_usd_micros, CURRENCY_NAMES[CURRENCY_USD],
                          CURRENCY_NAMES[ask->currency], NULL);
    int64_t energy_micros = cost_energy_per_hour_micros(ask, pick->gpu, pick->count);
    double horizon_hours = ask->months * ask->hours_per_month;
    int64_t renting_micros = money_times(rent_micros, horizon_hours);

    if (renting_micros == MONEY_UNKNOWN || energy_micros == MONEY_UNKNOWN ||
        pick->cost.total_micros == MONEY_UNKNOWN) {
        *result = made;
        return true;
    }
    double saved_per_hour = money_to_units(rent_micros) - money_to_units(energy_micros);

    if (saved_per_hour > 0) {
        double tied_up = money_to_units(pick->cost.purchase_micros - pick->cost.resale_micros);

        made.break_even_hours = tied_up / saved_per_hour;
        made.break_even_months =
            ask->hours_per_month > 0 ? made.break_even_hours / ask->hours_per_month : (double)NAN;
    }
    made.is_known = true;
    made.verdict = made.break_even_hours <= horizon_hours ? "buy" : "rent"; /* NAN: never */
    if (!write_note(ask, pick->cost.total_micros, renting_micros, arena, &made, err)) {
        return false;
    }
    *result = made;
    return true;
}
