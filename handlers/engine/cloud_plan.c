/* Judges notebook plans. Their limits are partly in words ("30 GPU hours a week"), which are read
 * as notebook_plans.csv writes them. Pure; any thread. */
#include "cloud_plan.h"

#include "cloud_offer.h"
#include "cloud_survey.h"
#include "constraint.h"
#include "money.h"
#include "speed.h"
#include "support.h"

#include <math.h>
#include <string.h>

static const double WEEKS_PER_MONTH = 365.2425 / 12 / 7;

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

/* The whole number right before the words; NAN: they are not there. */
static double number_before(const char *text, const char *words)
{
    const char *at = text == NULL ? NULL : strstr(text, words);
    double number = (double)NAN;
    double weight = 1;

    while (at != NULL && at > text && at[-1] >= '0' && at[-1] <= '9') {
        at--;
        number = (isnan(number) ? 0 : number) + weight * (*at - '0');
        weight *= 10;
    }
    return number;
}

/* The cheapest plan by the month that includes compute units, where cards are paid in them. */
static const struct notebook_plan *find_subscription(const struct catalogue *catalogue,
                                                     const struct notebook_plan *plan)
{
    const struct notebook_plan *best = NULL;

    for (size_t i = 0; i < catalogue->notebook_plan_count && plan->cu_per_hour > 0; i++) {
        const struct notebook_plan *other = &catalogue->notebook_plans[i];

        if (text_is(other->provider, plan->provider) && text_is(other->status, "current") &&
            other->compute_units_included > 0 && other->price_usd_per_month_micros > 0 &&
            (best == NULL ||
             other->price_usd_per_month_micros < best->price_usd_per_month_micros)) {
            best = other;
        }
    }
    return best;
}

void cloud_plan_limits(const struct catalogue *catalogue, const struct notebook_plan *plan,
                       struct plan_limits *limits)
{
    const char *words = plan->guarantee_or_limits;

    *limits = (struct plan_limits){
        .hours_per_month = number_before(words, " GPU hours a week") * WEEKS_PER_MONTH,
        .hours_in_all = number_before(words, " h in total"),
        .subscription = find_subscription(catalogue, plan),
    };
    if (limits->subscription != NULL) {
        limits->hours_per_month = limits->subscription->compute_units_included / plan->cu_per_hour;
    }
}

int cloud_plan_distance(const struct ask *ask, const struct notebook_plan *plan)
{
    const char *access = plan->mainland_china_access;
    bool is_domestic = (access != NULL && strncmp(access, "yes", 3) == 0) ||
                       text_is(plan->currency, CURRENCY_NAMES[CURRENCY_CNY]);

    if (!cloud_buyer_is_in_china(ask)) {
        return is_domestic ? 1 : 0;
    }
    if (is_domestic) {
        return 0;
    }
    return access != NULL && strstr(access, "needs a VPN") != NULL ? 2 : 1;
}

/* A plan as it is compared. */
struct plan_merit {
    const struct notebook_plan *plan;
    bool does_work;
    int distance;
    double memory_gib;
    int64_t usd_per_hour_micros; /* 0: free */
    double life;                 /* support_life_factor of the framework asked for */
};

/* Whether a grant given once, or a weekly quota over the months of the question, lasts for the job;
 * without a size of the job it may. The units of a subscription can be bought on top. */
static bool lasts(const struct question *rented, const struct notebook_plan *plan)
{
    struct plan_limits limits;
    struct speed speed;

    cloud_plan_limits(rented->catalogue, plan, &limits);
    double quota_hours =
        limits.subscription == NULL ? limits.hours_per_month * rented->ask->months : (double)NAN;
    double given_hours = fmin(limits.hours_in_all, quota_hours); /* ignores a NAN */

    if (isnan(given_hours) ||
        !speed_rate(&rented->speed_rater, plan->gpu, STRATEGY_SINGLE, 1, &speed)) {
        return true;
    }
    return !(speed_job_hours(rented->ask, &speed, speed.value) > given_hours);
}

static bool judge(const struct question *rented, const struct notebook_plan *plan,
                  struct plan_merit *merit)
{
    const struct catalogue *catalogue = rented->catalogue;

    if (plan->gpu == NULL || !text_is(plan->status, "current") ||
        constraint_of_card(rented, plan->gpu) != 0 ||
        !cloud_is_seen_lately(&plan->observed_on, rented->day, (double)INFINITY)) {
        return false;
    }
    int64_t micros = cloud_plan_usd_per_hour_micros(catalogue, plan);
    enum support_status status = support_of(plan->gpu, rented->ask->framework, OS_LINUX);

    *merit = (struct plan_merit){
        .plan = plan,
        .does_work =
            cloud_card_does_work(rented, plan->gpu, plan->gpu_memory_gb) && lasts(rented, plan),
        .distance = cloud_plan_distance(rented->ask, plan),
        .memory_gib =
            fmin(plan->gpu->memory_per_process_gib, plan->gpu_memory_gb), /* ignores a NAN */
        .usd_per_hour_micros = micros,
        .life = support_life_factor(catalogue, status)};
    return micros != MONEY_UNKNOWN;
}

static bool is_before(const struct plan_merit *a, const struct plan_merit *b)
{
    if (b->plan == NULL || a->does_work != b->does_work) {
        return b->plan == NULL || a->does_work;
    }
    if (a->distance != b->distance) {
        return a->distance < b->distance;
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
    int order = cloud_compare_texts(a->plan->provider, b->plan->provider);

    order = order != 0 ? order : cloud_compare_texts(a->plan->plan, b->plan->plan);
    order = order != 0 ? order : cloud_compare_texts(a->plan->accelerator, b->plan->accelerator);
    order = order != 0 ? order : cloud_compare_texts(a->plan->source, b->plan->source);
    return order < 0;
}

const struct notebook_plan *cloud_plan_choose(const struct question *rented, bool *does_work)
{
    const struct catalogue *catalogue = rented->catalogue;
    struct plan_merit best = {.plan = NULL};

    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        struct plan_merit merit;

        if (judge(rented, &catalogue->notebook_plans[i], &merit) && is_before(&merit, &best)) {
            best = merit;
        }
    }
    *does_work = best.does_work;
    return best.plan;
}
