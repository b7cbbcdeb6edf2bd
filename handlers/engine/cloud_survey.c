/* Looks through the offers of every card for those that do the work and sorts them by what the same
 * work costs. Each number of cards of a kind is judged once. Pure; one thread at a time. */
#include "cloud_survey.h"

#include "cloud_offer.h"
#include "constraint.h"
#include "money.h"

#include <math.h>
#include <string.h>

enum { WAYS_MAX = 16 }; /* room for offer_median_of, shipped as 3 */

/* How a number of cards of one kind does the work. */
struct rental {
    bool is_judged, does_work, has_speed;
    double needed_gib, relative_low;
};

/* The cheapest ways to rent one card, sorted. */
struct ways {
    struct cloud_way ways[WAYS_MAX];
    size_t count, room;
};

/* What the asker's own computer takes, and whose card would be bought for it, does not matter for a
 * machine in a data centre. */
static void ask_as_rented(const struct question *question, struct cloud_survey *survey)
{
    struct ask *ask = &survey->ask;

    *ask = *question->ask;
    ask->os = OS_LINUX;
    ask->chassis = CHASSIS_SERVER;
    ask->display = ANSWER_NO;
    ask->vendor = NULL;
    ask->segment = NULL;
    ask->psu_watts = (double)NAN;
    ask->max_slots = (double)NAN;
    ask->max_length_mm = (double)NAN;
    ask->pcie_gen = (double)NAN;
    ask->pcie_lanes = (double)NAN;
    ask->plugs_is_given = false;
    ask->needs[FEATURE_EXPORT_FREE] = false;
    ask->needs[FEATURE_DISPLAY] = false;
    ask->power_limit_watts = (double)NAN;
    ask->max_gpus = ASK_MAX_CARDS;
    question_vary(&survey->rented, question, ask);
}

static void judge(const struct question *rented, const struct gpu *gpu, size_t cards,
                  struct rental *rental)
{
    struct option option = {.gpu = gpu, .count = cards};

    *rental = (struct rental){.is_judged = true, .relative_low = (double)NAN};
    if (cards > rented->cards_max || constraint_of_set(rented, &option) != 0) {
        return;
    }
    bool is_fast = constraint_of_speed(rented, &option) == 0;

    rental->does_work = is_fast || isnan(rented->ask->min_tokens_per_s);
    rental->needed_gib = option.needed_gib;
    rental->has_speed = option.has_speed;
    rental->relative_low = option.has_speed ? option.speed.relative_low : (double)NAN;
}

/* A card may be let with less memory than its kind has (as printed); NAN: not said. */
static bool holds(const struct rental *rental, double printed_gib)
{
    return rental->does_work && !(rental->needed_gib > printed_gib);
}

bool cloud_card_does_work(const struct question *rented, const struct gpu *gpu, double printed_gib)
{
    struct rental rental;

    judge(rented, gpu, 1, &rental);
    return holds(&rental, printed_gib);
}

/* One card of the instance or all of them, whichever is faster; 0: neither does the work. */
static size_t working_cards(const struct question *rented, const struct cloud_offer *offer,
                            struct rental rentals[ASK_MAX_CARDS + 1])
{
    const size_t counts[] = {1, (size_t)fmin(offer->gpu_count, ASK_MAX_CARDS)};
    size_t chosen = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct rental *rental = &rentals[counts[i]];

        if (!rental->is_judged) {
            judge(rented, offer->gpu, counts[i], rental);
        }
        if (holds(rental, offer->gpu_memory_gb) &&
            (chosen == 0 || rental->relative_low > rentals[chosen].relative_low)) {
            chosen = counts[i];
        }
    }
    return chosen;
}

bool cloud_way_is_before(const struct cloud_way *a, const struct cloud_way *b)
{
    if (a->has_speed != b->has_speed) {
        return a->has_speed;
    }
    if (a->per_work_micros != b->per_work_micros) {
        return a->per_work_micros < b->per_work_micros;
    }
    if (a->per_hour_micros != b->per_hour_micros) {
        return a->per_hour_micros < b->per_hour_micros;
    }
    if (a->offer->observed_on.day != b->offer->observed_on.day) {
        return a->offer->observed_on.day > b->offer->observed_on.day;
    }
    int order = cloud_compare_texts(a->offer->gpu->id, b->offer->gpu->id);

    order = order != 0 ? order : cloud_compare_texts(a->offer->provider, b->offer->provider);
    order =
        order != 0 ? order : cloud_compare_texts(a->offer->instance_type, b->offer->instance_type);
    order = order != 0 ? order : cloud_compare_texts(a->offer->region, b->offer->region);
    order = order != 0 ? order : cloud_compare_texts(a->offer->source, b->offer->source);
    return order != 0 ? order < 0 : !a->is_spot && b->is_spot;
}

static void keep(struct ways *kept, const struct cloud_way *way)
{
    size_t place = kept->count;

    while (place > 0 && cloud_way_is_before(way, &kept->ways[place - 1])) {
        place--;
    }
    if (place >= kept->room) {
        return;
    }
    size_t count = kept->count < kept->room ? kept->count + 1 : kept->room;

    memmove(&kept->ways[place + 1], &kept->ways[place], (count - place - 1) * sizeof kept->ways[0]);
    kept->ways[place] = *way;
    kept->count = count;
}

/* On demand or spot, whichever does the same work for less. */
static void keep_offer(const struct cloud_survey *survey, const struct cloud_offer *offer,
                       double spot_stretch, struct rental rentals[ASK_MAX_CARDS + 1],
                       struct ways *kept)
{
    const struct question *rented = &survey->rented;
    const int64_t usd[] = {cloud_offer_on_demand_micros(offer),
                           cloud_offer_spot_micros(rented->ask, offer)};
    struct cloud_way best = {.offer = NULL};

    if (usd[0] == MONEY_UNKNOWN && usd[1] == MONEY_UNKNOWN) {
        return;
    }
    size_t cards = working_cards(rented, offer, rentals);

    for (size_t i = 0; i < 2 && cards > 0; i++) {
        bool is_spot = i == 1;
        double stretch = is_spot ? spot_stretch : 1;
        struct cloud_way way = {.offer = offer,
                                .is_spot = is_spot,
                                .cards = cards,
                                .usd_per_hour_micros = usd[i],
                                .has_speed = rentals[cards].has_speed,
                                .relative_low = rentals[cards].relative_low};

        way.per_hour_micros = cloud_in_currency(
            rented->ask, survey->usd_rate, is_spot ? NULL : offer->currency,
            offer->ondemand_per_hour_micros, usd[i]); /* spot prices are in US dollars only */
        way.per_work_micros = money_times(way.per_hour_micros, stretch / way.relative_low);
        if (usd[i] == MONEY_UNKNOWN || way.per_hour_micros == MONEY_UNKNOWN ||
            money_times(way.per_hour_micros, stretch) == MONEY_UNKNOWN ||
            (way.has_speed && way.per_work_micros == MONEY_UNKNOWN)) {
            continue; /* not offered, or so often interrupted that it never ends */
        }
        if (best.offer == NULL || cloud_way_is_before(&way, &best)) {
            best = way;
        }
    }
    if (best.offer != NULL) {
        keep(kept, &best);
    }
}

/* Offers in a chain for each card, so that they are looked at card by card. */
struct chains {
    size_t *first; /* by gpu.index: number of an offer; the count of offers: none */
    size_t *next;  /* by number of an offer */
};

static bool chain_offers(const struct question *question, struct arena *arena,
                         struct chains *chains, struct error *err)
{
    const struct catalogue *catalogue = question->catalogue;
    size_t count = catalogue->cloud_offer_count;

    chains->first = arena_alloc_array(arena, catalogue->gpu_count, sizeof chains->first[0]);
    chains->next = arena_alloc_array(arena, count, sizeof chains->next[0]);
    if (chains->first == NULL || chains->next == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu offers", count);
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        chains->first[i] = count;
    }
    for (size_t i = 0; i < count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (cloud_offer_counts(catalogue, offer, question->day)) {
            chains->next[i] = chains->first[offer->gpu->index];
            chains->first[offer->gpu->index] = i;
        }
    }
    return true;
}

/* False: no offer of that market does the work. */
static bool survey_card(const struct cloud_survey *survey, const struct gpu *gpu,
                        const struct chains *chains, bool is_in_china, struct cloud_card *card)
{
    const struct question *rented = &survey->rented;
    const struct catalogue *catalogue = rented->catalogue;
    double spot_stretch = cloud_spot_stretch_of(catalogue, rented->ask, (double)NAN);
    struct rental rentals[ASK_MAX_CARDS + 1] = {{.is_judged = false}};
    struct ways kept = {.room =
                            (size_t)fmax(1, fmin(catalogue->parameters.offer_median_of, WAYS_MAX))};

    for (size_t i = chains->first[gpu->index]; i < catalogue->cloud_offer_count;
         i = chains->next[i]) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (offer->is_in_china == is_in_china) {
            keep_offer(survey, offer, spot_stretch, rentals, &kept);
        }
    }
    if (kept.count == 0) {
        return false;
    }
    const struct cloud_way *low = &kept.ways[(kept.count - 1) / 2];
    const struct cloud_way *high = &kept.ways[kept.count / 2];

    *card = (struct cloud_card){.gpu = gpu, .cheapest = kept.ways[0], .middle = *low};
    /* Half a micro-dollar an hour is lost at most; these are compared, not billed. */
    card->per_work_micros =
        high->has_speed ? (low->per_work_micros + high->per_work_micros) / 2 : low->per_work_micros;
    return true;
}

bool cloud_survey_make(struct cloud_survey *survey, const struct question *question,
                       struct arena *arena, struct error *err)
{
    const struct catalogue *catalogue = question->catalogue;
    bool is_in_china = cloud_buyer_is_in_china(question->ask);
    struct chains chains;

    survey->count = 0;
    survey->cards = arena_alloc_array(arena, catalogue->gpu_count, sizeof survey->cards[0]);
    if (survey->cards == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for what is let of %zu cards",
                         catalogue->gpu_count);
    }
    if (!chain_offers(question, arena, &chains, err)) {
        return false;
    }
    ask_as_rented(question, survey);
    survey->usd_rate = cloud_usd_rate(catalogue, question->ask);
    for (int market = 0; market < 2 && survey->count == 0; market++) {
        survey->is_home = market == 0;
        for (size_t i = 0; i < catalogue->gpu_count; i++) {
            const struct gpu *gpu = &catalogue->gpus[i];

            if (chains.first[i] < catalogue->cloud_offer_count &&
                constraint_of_card(&survey->rented, gpu) == 0 &&
                survey_card(survey, gpu, &chains, is_in_china == survey->is_home,
                            &survey->cards[survey->count])) {
                survey->count++;
            }
        }
    }
    return true;
}
