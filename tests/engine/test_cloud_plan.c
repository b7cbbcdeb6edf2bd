/* cloud_plan.c: what limits a notebook plan, from where it is reached, which one suits. */
#include "cloud_plan.h"

#include "cloud_bench.h"
#include "tests/catalogue_fixture.h"

static const struct notebook_plan *find(const struct catalogue *catalogue, const char *provider,
                                        const char *plan, const char *gpu)
{
    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        const struct notebook_plan *row = &catalogue->notebook_plans[i];

        if (text_is(row->status, "current") && text_is(row->provider, provider) &&
            text_is(row->plan, plan) && text_is(row->gpu_slug, gpu)) {
            return row;
        }
    }
    test_bail_out("no such plan", provider);
}

static void test_hourly(void)
{
    struct bench bench;

    start(&bench);
    add_plans(&bench);
    hand_same_money(cloud_plan_usd_per_hour_micros(&bench.catalogue, &bench.plans[0]), "0",
                    "a free plan costs nothing an hour");
    hand_same_money(cloud_plan_usd_per_hour_micros(&bench.catalogue, &bench.plans[2]), "1.048534",
                    "7.03 CNY / 6.7046");
    hand_same_money(cloud_plan_usd_per_hour_micros(&bench.catalogue, &bench.plans[3]), "2.5",
                    "dollars as they are");
}

/* notebook_plans.csv as shipped: 1.07 units an hour on a T4, Pro with 100 units for 9.99 USD. */
static void test_limits(const struct catalogue *catalogue)
{
    struct plan_limits limits;

    cloud_plan_limits(catalogue,
                      find(catalogue, "Google Colab", "compute unit rate", "nvidia-tesla-t4"),
                      &limits);
    tap_near(limits.hours_per_month, 100 / 1.07, 1e-9, "100 units last 93 hours on a T4");
    tap_text(limits.subscription->plan, "Pro", "by the cheapest plan with units");
    cloud_plan_limits(catalogue,
                      find(catalogue, "Google Colab", "compute unit rate", "nvidia-a100-sxm4-40gb"),
                      &limits);
    tap_near(limits.hours_per_month, 100 / 5.37, 1e-9, "and 19 on an A100");
    cloud_plan_limits(catalogue, find(catalogue, "Kaggle Notebooks", "Free", "nvidia-tesla-t4"),
                      &limits);
    tap_near(limits.hours_per_month, 30 * 365.2425 / 84, 1e-9, "30 hours a week are 130 a month");
    tap_ok(limits.subscription == NULL && isnan(limits.hours_in_all), "without a subscription");
    cloud_plan_limits(catalogue,
                      find(catalogue, "ModelScope Notebook", "Free GPU instance", "nvidia-a10"),
                      &limits);
    tap_near(limits.hours_in_all, 36, 0, "36 hours in all");
    tap_ok(isnan(limits.hours_per_month), "no matter in which month");
    cloud_plan_limits(catalogue, find(catalogue, "Google Colab", "Free", "nvidia-tesla-t4"),
                      &limits);
    tap_ok(isnan(limits.hours_per_month) && isnan(limits.hours_in_all) &&
               limits.subscription == NULL,
           "nothing published: nothing known");
}

static void test_distance(void)
{
    const struct notebook_plan domestic = {.mainland_china_access = "yes, domestic service"};
    const struct notebook_plan in_yuan = {.currency = "CNY"};
    const struct notebook_plan blocked = {.mainland_china_access =
                                              "needs a VPN (article A (2022))"};
    const struct notebook_plan reachable = {.mainland_china_access = "reachable without a VPN"};
    const struct notebook_plan unsaid = {.currency = "USD"};
    struct ask ask;

    ask_init(&ask);
    tap_ok(cloud_plan_distance(&ask, &domestic) == 1 && cloud_plan_distance(&ask, &in_yuan) == 1,
           "a Chinese service is far from elsewhere");
    tap_ok(cloud_plan_distance(&ask, &blocked) == 0 && cloud_plan_distance(&ask, &unsaid) == 0,
           "the others are near");
    ask.region = "cn";
    tap_ok(cloud_plan_distance(&ask, &domestic) == 0 && cloud_plan_distance(&ask, &in_yuan) == 0,
           "in China it is near");
    tap_ok(cloud_plan_distance(&ask, &unsaid) == 1 && cloud_plan_distance(&ask, &reachable) == 1,
           "what may be reached is farther");
    tap_ok(cloud_plan_distance(&ask, &blocked) == 2, "what needs a VPN is out of reach");
}

static const struct notebook_plan *choose(const struct catalogue *catalogue, double hours,
                                          bool *does_work)
{
    struct cloud_survey survey;
    struct question question;
    struct arena arena;
    struct error err;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    ask.region = "cn";
    ask.min_memory_gib = 24;
    ask.hours = hours;
    if (!ask_complete(catalogue, &ask, &err) ||
        !question_init(&question, catalogue, &ask, TEST_DAY, &arena, &err) ||
        !cloud_survey_make(&survey, &question, &arena, &err)) {
        test_bail_out("no survey", err.text);
    }
    const struct notebook_plan *plan = cloud_plan_choose(&survey.rented, does_work);

    arena_fini(&arena);
    return plan;
}

/* 36 hours of an A10 (slower than an RTX 3090) do 10 hours of that card's work, not 36. */
static void test_grant(const struct catalogue *catalogue)
{
    bool does_work = false;

    tap_text(choose(catalogue, 10, &does_work)->provider, "ModelScope Notebook",
             "a grant that lasts for the job");
    tap_ok(does_work, "does it");
    tap_text(choose(catalogue, 36, &does_work)->provider, "AutoDL",
             "for a longer job one that is paid by the hour");
    tap_ok(does_work, "which does it too");
    tap_text(choose(catalogue, (double)NAN, &does_work)->provider, "ModelScope Notebook",
             "without a size of the job the free one");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_hourly();
    test_limits(catalogue);
    test_distance();
    test_grant(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
