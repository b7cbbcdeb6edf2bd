/* Names what can be rented for the work, with its time, cost and what to beware of. What does the
 * work is found in cloud_survey.c and cloud_plan.c; renting against buying is cloud_rent.c. Pure;
 * one thread at a time. */
#include "cloud.h"

#include "cloud_offer.h"
#include "cloud_plan.h"
#include "constraint.h"
#include "money.h"
#include "phrase.h"

#include <math.h>

static const struct cloud_choice NOTHING_KNOWN = {
    .per_job_micros = MONEY_UNKNOWN,
    .per_million_tokens_micros = MONEY_UNKNOWN,
    .per_million_images_micros = MONEY_UNKNOWN,
    .job_hours = (double)NAN,
    .job_hours_low = (double)NAN,
    .job_hours_high = (double)NAN,
    .spot_stretch = (double)NAN,
    .best_checkpoint_hours = (double)NAN,
    .sessions = (double)NAN,
    .hours_per_month = (double)NAN,
};

/* Hours of the job at a speed, with the restarts of a spot machine. */
static double expected_hours(const struct question *rented, const struct cloud_choice *choice,
                             double speed_value)
{
    double hours = speed_job_hours(rented->ask, &choice->speed, speed_value);

    return choice->is_spot ? hours * cloud_spot_stretch_of(rented->catalogue, rented->ask, hours)
                           : hours;
}

/* Time and money of the work on the cards of the choice, as far as they hold it and their speed is
 * known. */
static void tell_work(const struct question *rented, const struct gpu *gpu,
                      struct cloud_choice *choice)
{
    const struct ask *ask = rented->ask;
    const struct speed *speed = &choice->speed;
    struct option option = {.gpu = gpu, .count = choice->cards};
    bool is_held = constraint_of_set(rented, &option) == 0;

    choice->strategy = option.strategy;
    choice->per_month_micros = money_times(choice->per_hour_micros, ask->hours_per_month);
    if (choice->is_spot) {
        choice->spot_stretch = cloud_spot_stretch_of(rented->catalogue, ask, (double)NAN);
        choice->best_checkpoint_hours = cloud_spot_best_interval_of(rented->catalogue, ask);
    }
    choice->has_speed = is_held && speed_rate(&rented->speed_rater, gpu, option.strategy,
                                              option.count, &choice->speed);
    if (!choice->has_speed) {
        return;
    }
    double stretch = choice->is_spot ? choice->spot_stretch : 1;

    choice->job_hours = expected_hours(rented, choice, speed->value);
    choice->job_hours_low = expected_hours(rented, choice, speed->high);
    choice->job_hours_high = expected_hours(rented, choice, speed->low);
    choice->per_job_micros = money_times(choice->per_hour_micros, choice->job_hours);
    choice->per_million_tokens_micros =
        cost_per_million_micros(choice->per_hour_micros, speed, SPEED_TOKENS_PER_S, stretch);
    choice->per_million_images_micros =
        cost_per_million_micros(choice->per_hour_micros, speed, SPEED_IMAGES_PER_S, stretch);
}

static void warn_way(struct phrase_book *book, const struct ask *ask,
                     const struct cloud_choice *choice)
{
    bool is_in_china = choice->offer->is_in_china;

    if (choice->is_spot) {
        phrase_add_all(book, MESSAGE_SPOT_EVICTION, VARIANT_EXPECTED,
                       (const char *const[NOTE_MAX_ARGUMENTS]){
                           phrase_number(book, ask->checkpoint_hours, 2, "h"),
                           phrase_number(book, ask->spot_interruptions_per_day, 2, ""),
                           phrase_number(book, 100 * (choice->spot_stretch - 1), 0, "%"), NULL});
    }
    if (is_in_china != cloud_buyer_is_in_china(ask)) {
        phrase_add(book, MESSAGE_OFFER_OTHER_MARKET, is_in_china ? VARIANT_USUAL : VARIANT_ABROAD,
                   NULL, NULL);
    }
}

/* How long the card is given, against what is planned. */
static void warn_quota(struct phrase_book *book, const struct ask *ask,
                       const struct plan_limits *limits, bool is_free)
{
    const char *planned = phrase_number(book, ask->hours_per_month, 0, "h");
    const char *given = phrase_number(book, limits->hours_per_month, 0, "h");

    if (limits->subscription != NULL) {
        phrase_add_all(book, MESSAGE_QUOTA, VARIANT_UNITS,
                       (const char *const[NOTE_MAX_ARGUMENTS]){
                           phrase_number(book, limits->subscription->compute_units_included, 0, ""),
                           limits->subscription->plan, given, planned});
    } else if (limits->hours_in_all < ask->hours_per_month * ask->months) {
        phrase_add(book, MESSAGE_QUOTA, VARIANT_IN_ALL,
                   phrase_number(book, limits->hours_in_all, 0, "h"), planned);
    } else if (limits->hours_per_month < ask->hours_per_month) {
        phrase_add(book, MESSAGE_QUOTA, VARIANT_MONTH, given, planned);
    } else if (is_free) {
        phrase_add(book, MESSAGE_QUOTA, VARIANT_USUAL, NULL, NULL);
    }
}

static void warn_plan(struct phrase_book *book, const struct ask *ask,
                      const struct cloud_choice *choice, const struct plan_limits *limits)
{
    const char *session = phrase_number(book, choice->plan->session_limit_hours, 0, "h");
    int distance = cloud_plan_distance(ask, choice->plan);

    if (choice->sessions > 1) {
        phrase_add_all(book, MESSAGE_SESSION_LIMIT, VARIANT_JOB,
                       (const char *const[NOTE_MAX_ARGUMENTS]){
                           session, phrase_number(book, choice->job_hours, 0, "h"),
                           phrase_number(book, choice->sessions, 0, ""), NULL});
    } else if (choice->plan->session_limit_hours > 0 && isnan(choice->sessions)) {
        phrase_add(book, MESSAGE_SESSION_LIMIT, VARIANT_USUAL, session, NULL);
    }
    warn_quota(book, ask, limits, choice->usd_per_hour_micros == 0);
    if (distance == 2) {
        phrase_add(book, MESSAGE_REGIONAL_ACCESS, VARIANT_USUAL, NULL, NULL);
    } else if (distance == 1 && !cloud_buyer_is_in_china(ask)) {
        phrase_add(book, MESSAGE_OFFER_OTHER_MARKET, VARIANT_USUAL, NULL, NULL);
    }
}

static bool finish(struct cloud_choice *choice, const struct phrase_book *book, struct error *err)
{
    choice->warning_count = book->count;
    return !book->is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for what is to be said of an offer");
}

static bool add_plan(const struct cloud_survey *survey, const struct notebook_plan *plan,
                     bool does_work, struct arena *arena, struct cloud_choice *choice,
                     struct error *err)
{
    const struct question *rented = &survey->rented;
    struct phrase_book book = {arena, choice->warnings, 0, RECOMMEND_MAX_CLOUD_NOTES, false};
    struct plan_limits limits;

    *choice = NOTHING_KNOWN;
    choice->plan = plan;
    choice->does_work = does_work;
    choice->cards = 1;
    choice->usd_per_hour_micros = cloud_plan_usd_per_hour_micros(rented->catalogue, plan);
    choice->per_hour_micros =
        cloud_in_currency(rented->ask, survey->usd_rate, plan->currency,
                          plan->price_per_hour_micros, choice->usd_per_hour_micros);
    tell_work(rented, plan->gpu, choice);
    cloud_plan_limits(rented->catalogue, plan, &limits);
    choice->hours_per_month = limits.hours_per_month;
    choice->subscription = limits.subscription;
    if (plan->session_limit_hours > 0) {
        choice->sessions = ceil(choice->job_hours / plan->session_limit_hours);
    }
    warn_plan(&book, rented->ask, choice, &limits);
    return finish(choice, &book, err);
}

static bool add_way(const struct question *rented, const struct cloud_way *way, struct arena *arena,
                    struct cloud_choice *choice, struct error *err)
{
    struct phrase_book book = {arena, choice->warnings, 0, RECOMMEND_MAX_CLOUD_NOTES, false};

    *choice = NOTHING_KNOWN;
    choice->offer = way->offer;
    choice->does_work = true;
    choice->is_spot = way->is_spot;
    choice->cards = way->cards;
    choice->usd_per_hour_micros = way->usd_per_hour_micros;
    choice->per_hour_micros = way->per_hour_micros;
    tell_work(rented, way->offer->gpu, choice);
    warn_way(&book, rented->ask, choice);
    return finish(choice, &book, err);
}

/* The next card after `before` in the order of ways; NULL: none. */
static const struct cloud_way *next_way(const struct cloud_survey *survey,
                                        const struct cloud_way *before)
{
    const struct cloud_way *best = NULL;

    for (size_t i = 0; i < survey->count; i++) {
        const struct cloud_way *way = &survey->cards[i].cheapest;

        if ((before == NULL || cloud_way_is_before(before, way)) &&
            (best == NULL || cloud_way_is_before(way, best))) {
            best = way;
        }
    }
    return best;
}

bool cloud_choose(const struct cloud_survey *survey, struct arena *arena,
                  struct cloud_choice choices[RECOMMEND_MAX_CLOUD], size_t *count,
                  struct error *err)
{
    const struct question *rented = &survey->rented;
    bool does_work = false;
    const struct notebook_plan *plan = cloud_plan_choose(rented, &does_work);
    const struct cloud_way *way = next_way(survey, NULL);
    size_t chosen = 0;

    if (plan != NULL && (does_work || way == NULL)) {
        if (!add_plan(survey, plan, does_work, arena, &choices[chosen++], err)) {
            return false;
        }
    }
    while (way != NULL && chosen < RECOMMEND_MAX_CLOUD) {
        if (!add_way(rented, way, arena, &choices[chosen++], err)) {
            return false;
        }
        way = next_way(survey, way);
    }
    *count = chosen;
    return true;
}
