/* Renting against buying, by what the same work costs. Pure; one thread at a time. */
#include "cloud.h"
#include "cloud_offer.h"
#include "money.h"
#include "phrase.h"

#include <math.h>
#include <string.h>

enum { MEDIAN_MAX_OFFERS = 16 }; /* room for offer_median_of, shipped as 3 */

static const double HOURS_PER_MONTH = 365.2425 / 12 * 24;

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

static bool is_shared_out(enum strategy strategy)
{
    return strategy == STRATEGY_FSDP || strategy == STRATEGY_TP || strategy == STRATEGY_PP;
}

int64_t cloud_rent_per_hour_micros(const struct catalogue *catalogue, const struct ask *ask,
                                   const struct gpu *gpu, size_t cards, enum strategy strategy,
                                   bool is_home, int32_t day)
{
    int64_t cheapest[MEDIAN_MAX_OFFERS];
    double asked = catalogue->parameters.offer_median_of;
    size_t room = (size_t)fmax(1, fmin(asked, MEDIAN_MAX_OFFERS));
    bool is_in_china = cloud_buyer_is_in_china(ask) == is_home;
    double usd_rate = cloud_usd_rate(catalogue, ask);
    size_t found = 0;

    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        if (offer->gpu != gpu || !cloud_offer_counts(catalogue, offer, day) ||
            offer->is_in_china != is_in_china ||
            (is_shared_out(strategy) && offer->gpu_count < (double)cards)) {
            continue;
        }
        int64_t usd_micros = cloud_offer_on_demand_micros(offer);
        double instances = ceil((double)cards / offer->gpu_count);
        int64_t micros = cloud_in_currency(ask, usd_rate, offer->currency,
                                           offer->ondemand_per_hour_micros, usd_micros);

        if (usd_micros != MONEY_UNKNOWN && micros != MONEY_UNKNOWN) {
            found = keep_cheapest(cheapest, found, room, money_times(micros, instances));
        }
    }
    if (found == 0) {
        return MONEY_UNKNOWN;
    }
    /* Half a micro-unit an hour is lost at most; these are compared, not billed. */
    return (cheapest[(found - 1) / 2] + cheapest[found / 2]) / 2;
}

double cloud_rent_planned_hours(const struct ask *ask, double job_hours)
{
    return isnan(job_hours) ? ask->months * ask->hours_per_month : job_hours;
}

/* Hours a way to rent takes for all the work of the pick, restarts counted. */
static double hours_on(const struct cloud_survey *survey, const struct pick *pick,
                       const struct cloud_way *way)
{
    const struct ask *ask = &survey->ask;
    double hours = cloud_rent_planned_hours(ask, pick->job_hours) * pick->speed.relative_low;
    double stretch =
        way->is_spot ? cloud_spot_stretch_of(survey->rented.catalogue, ask, (double)NAN) : 1;

    return hours / way->relative_low * stretch;
}

/* Whether day and night of the horizon are enough for that. Who plans more hours a month than an
 * average one has gets as many. */
static bool keeps_up(const struct cloud_survey *survey, const struct pick *pick,
                     const struct cloud_way *way)
{
    const struct ask *ask = &survey->ask;

    return hours_on(survey, pick, way) <= ask->months * fmax(ask->hours_per_month, HOURS_PER_MONTH);
}

/* The card whose cheapest offers do the same work for least, in time; NULL: none of known speed. */
static const struct cloud_card *cheapest_card(const struct cloud_survey *survey,
                                              const struct pick *pick)
{
    const struct cloud_card *best = NULL;

    for (size_t i = 0; i < survey->count; i++) {
        const struct cloud_card *card = &survey->cards[i];

        if (card->middle.has_speed && keeps_up(survey, pick, &card->middle) &&
            (best == NULL || card->per_work_micros < best->per_work_micros)) {
            best = card; /* cards are sorted by id: the first of equals stays */
        }
    }
    return best;
}

/* Hours of load after which both cost the same; NAN: never. */
static double break_even(const struct pick *pick, int64_t rent_micros, int64_t energy_micros)
{
    if (pick->cost.total_micros == MONEY_UNKNOWN) {
        return (double)NAN;
    }
    double saved_per_hour = money_to_units(rent_micros) - money_to_units(energy_micros);
    double tied_up = money_to_units(pick->cost.purchase_micros - pick->cost.resale_micros);

    return saved_per_hour > 0 ? tied_up / saved_per_hour : (double)NAN;
}

/* Over the horizon, or with the energy of the job alone where its size is given. */
static int64_t owning_micros(const struct pick *pick, int64_t energy_micros)
{
    const struct cost *cost = &pick->cost;
    int64_t job_micros = money_times(energy_micros, pick->job_hours);

    if (isnan(pick->job_hours) || cost->total_micros == MONEY_UNKNOWN ||
        job_micros == MONEY_UNKNOWN) {
        return cost->total_micros;
    }
    return cost->purchase_micros - cost->resale_micros + money_round_to_cent(job_micros);
}

/* What an hour of the pick's work costs rented, and where: on the card that does it cheapest,
 * unless the pick's own cards are cheaper still. */
static int64_t find_rent(const struct cloud_survey *survey, const struct pick *pick,
                         struct rent_or_buy *made)
{
    const struct cloud_card *card = cheapest_card(survey, pick);
    double work = pick->speed.relative_low; /* of one reference card in an hour */
    int64_t same_micros = made->same_card_per_hour_micros;
    int64_t micros =
        card == NULL || !(work > 0) ? MONEY_UNKNOWN : money_times(card->per_work_micros, work);

    if (micros == MONEY_UNKNOWN || (same_micros != MONEY_UNKNOWN && same_micros <= micros)) {
        return same_micros;
    }
    const struct cloud_way *way = &card->middle;

    made->offer = way->offer;
    made->is_spot = way->is_spot;
    made->cards = way->cards;
    made->offer_hours = hours_on(survey, pick, way);
    made->offer_per_hour_micros = way->per_hour_micros;
    return micros;
}

/* An hour's price is told as the offers tell it: three decimals, a cent is too coarse. */
static const char *hourly(struct phrase_book *book, int64_t micros, enum currency currency)
{
    return phrase_number(book, money_to_units(micros), 3, CURRENCY_NAMES[currency]);
}

/* The sentence that goes with the verdict: what both cost over the horizon, or at which load they
 * meet. */
static bool write_note(const struct ask *ask, const struct pick *pick, struct arena *arena,
                       struct rent_or_buy *made, struct error *err)
{
    struct phrase_book book = {arena, &made->note, 0, 1, false};
    bool is_other = made->offer != NULL && made->offer->gpu != pick->gpu;
    bool is_buy = text_is(made->verdict, "buy");
    const char *owning = phrase_money(&book, made->owning_micros, ask->currency);
    const char *renting = phrase_money(&book, made->renting_micros, ask->currency);
    const char *said[NOTE_MAX_ARGUMENTS] = {is_buy ? owning : renting, is_buy ? renting : owning};

    if (is_other) {
        said[2] = made->offer->gpu->name;
        if (made->cards > 1) {
            said[2] = arena_format(arena, "%zu x %s", made->cards, said[2]);
            book.is_out_of_memory |= said[2] == NULL;
        }
        said[3] = phrase_number(&book, made->offer_hours, 0, "h");
        said[4] = made->offer->provider;
        said[5] = hourly(&book, made->offer_per_hour_micros, ask->currency);
    } else {
        said[2] = hourly(&book, made->rent_per_hour_micros, ask->currency);
    }
    if (money_round_to_cent(made->owning_micros) == money_round_to_cent(made->renting_micros)) {
        phrase_add(&book, MESSAGE_RENT_BUY_EVEN, VARIANT_USUAL,
                   phrase_number(&book, made->break_even_hours, 0, "h"),
                   phrase_number(&book, ask->months, 1, "months"));
    } else {
        phrase_add_all(&book, is_buy ? MESSAGE_BUY_CHEAPER : MESSAGE_RENT_CHEAPER,
                       is_other ? VARIANT_OTHER_CARD : VARIANT_USUAL, said);
    }
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for renting or buying");
}

static bool compare(const struct cloud_survey *survey, const struct question *question,
                    const struct pick *pick, struct arena *arena, struct rent_or_buy *made,
                    struct error *err)
{
    const struct ask *ask = question->ask;
    double planned_hours = cloud_rent_planned_hours(ask, pick->job_hours);
    int64_t energy_micros = cost_energy_per_hour_micros(ask, pick->gpu, pick->count);

    made->same_card_per_hour_micros =
        cloud_rent_per_hour_micros(question->catalogue, ask, pick->gpu, pick->count, pick->strategy,
                                   survey->is_home, question->day);
    made->same_card_break_even_hours =
        break_even(pick, made->same_card_per_hour_micros, energy_micros);
    made->rent_per_hour_micros = find_rent(survey, pick, made);
    made->owning_micros = owning_micros(pick, energy_micros);
    made->renting_micros = money_times(made->rent_per_hour_micros, planned_hours);
    if (made->renting_micros == MONEY_UNKNOWN || energy_micros == MONEY_UNKNOWN ||
        made->owning_micros == MONEY_UNKNOWN) {
        made->offer = NULL;
        return true;
    }
    made->break_even_hours = break_even(pick, made->rent_per_hour_micros, energy_micros);
    made->break_even_months =
        ask->hours_per_month > 0 ? made->break_even_hours / ask->hours_per_month : (double)NAN;
    made->is_known = true;
    made->verdict = made->break_even_hours <= planned_hours ? "buy" : "rent"; /* NAN: never */
    return write_note(ask, pick, arena, made, err);
}

bool cloud_rent_or_buy(const struct cloud_survey *survey, const struct question *question,
                       const struct pick *pick, struct arena *arena, struct rent_or_buy *result,
                       struct error *err)
{
    struct rent_or_buy made = {.break_even_hours = (double)NAN,
                               .break_even_months = (double)NAN,
                               .verdict = "unknown",
                               .offer_hours = (double)NAN,
                               .offer_per_hour_micros = MONEY_UNKNOWN,
                               .rent_per_hour_micros = MONEY_UNKNOWN,
                               .owning_micros = MONEY_UNKNOWN,
                               .renting_micros = MONEY_UNKNOWN,
                               .same_card_per_hour_micros = MONEY_UNKNOWN,
                               .same_card_break_even_hours = (double)NAN};
    const char *name = pick == NULL ? "-" : pick->gpu->name;

    made.note = (struct note){.code = MESSAGE_RENT_NO_OFFER, .arguments = {name}};
    if (pick != NULL && !compare(survey, question, pick, arena, &made, err)) {
        return false;
    }
    *result = made;
    return true;
}
