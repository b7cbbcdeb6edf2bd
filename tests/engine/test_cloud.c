/* cloud.c: which offers are named, with their time, cost and warnings. */
#include "cloud.h"

#include "cloud_bench.h"
#include "cloud_offer.h"
#include "support.h"
#include "tests/catalogue_fixture.h"

/* What is chosen for a need without a model, which is compared with memory as sold. The warnings
 * live in the arena. */
static size_t choose(const struct bench *bench, struct ask *ask, double need_gib,
                     struct arena *arena, struct cloud_choice *choices)
{
    struct error err;
    struct cloud_survey survey;
    struct question question = {
        .catalogue = &bench->catalogue, .ask = ask, .day = hand_date(TODAY).day};
    size_t count = SIZE_MAX;

    ask->min_memory_gib = need_gib;
    ask->hours_per_month = 80;
    ask->months = 24;
    if (!cloud_survey_make(&survey, &question, arena, &err) ||
        !cloud_choose(&survey, arena, choices, &count, &err)) {
        test_bail_out("no choice", err.text);
    }
    return count;
}

static void test_choose_plan(void)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct arena arena;
    struct bench bench;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    start(&bench);
    tap_ok(choose(&bench, &ask, 8, &arena, choices) == 0, "nothing known, nothing named");
    add_plans(&bench);
    tap_ok(choose(&bench, &ask, 8, &arena, choices) == 1 && choices[0].plan == &bench.plans[1],
           "8 GiB: a free GPU, the one seen last");
    bench.plans[1].status = "historic";
    tap_ok(choose(&bench, &ask, 8, &arena, choices) == 1 && choices[0].plan == &bench.plans[0],
           "not a plan that is history");
    tap_ok(choose(&bench, &ask, 15, &arena, choices) == 1 && choices[0].plan == &bench.plans[0],
           "a floor is met by memory as sold: the 16 GiB of a T4, of which 14.9 can be used");
    bench.plans[0].gpu_memory_gb = 14.5;
    tap_ok(choose(&bench, &ask, 15, &arena, choices) == 1 && choices[0].plan == &bench.plans[3],
           "not by a card that is given with less");
    tap_ok(choose(&bench, &ask, 17, &arena, choices) == 1 && choices[0].plan == &bench.plans[3] &&
               choices[0].does_work && choices[0].warning_count == 0,
           "more than a T4 has: one for 2.50 USD of a provider one can reach");
    ask.region = "cn"; /* 7.03 CNY are 1.05 USD */
    tap_ok(choose(&bench, &ask, 17, &arena, choices) == 1 && choices[0].plan == &bench.plans[2] &&
               choices[0].warning_count == 0,
           "in China the domestic one");
    ask.region = NULL;
    bench.plans[3].status = "historic";
    tap_ok(choose(&bench, &ask, 17, &arena, choices) == 1 && choices[0].plan == &bench.plans[2],
           "elsewhere only where there is no other");
    tap_ok(choices[0].warning_count == 1 &&
               choices[0].warnings[0].code == MESSAGE_OFFER_OTHER_MARKET,
           "with a word about it");
    bench.plans[3].status = "current";
    tap_ok(choose(&bench, &ask, 500, &arena, choices) == 1 && choices[0].plan == &bench.plans[3] &&
               !choices[0].does_work,
           "nothing does it: the roomiest is named, as one that does not");
    (void)add_offer(&bench, "RunPod", "secure", 2, 1, "1.2", TODAY);
    bench.plans[2].gpu = bench.plans[3].gpu = &bench.gpus[1];
    tap_ok(choose(&bench, &ask, 70, &arena, choices) == 1 && choices[0].plan == NULL,
           "a plan that does not do the work is not named beside an offer that does");
    bench.plans[2].gpu = bench.plans[3].gpu = &bench.gpus[2];
    bench.catalogue.cloud_offer_count = 0;
    bench.gpus[1].support[FRAMEWORK_PYTORCH][OS_LINUX] = &DROPPED;
    tap_ok(choose(&bench, &ask, 8, &arena, choices) == 1 && choices[0].plan == &bench.plans[3],
           "not a card that PyTorch dropped");
    arena_fini(&arena);
}

static void test_choose_offers(void)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct arena arena;
    struct bench bench;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    start(&bench);
    add_offers_of_3090(&bench);
    (void)add_offer(&bench, "Modal", "serverless", 1, 1, "0.5904", "2026-10-01");
    (void)add_offer(&bench, "Verda", "on-demand", 2, 1, "1.2", "2026-10-01");
    tap_ok(choose(&bench, &ask, 8, &arena, choices) == 3, "one offer a card");
    tap_ok(choices[0].offer == &bench.offers[3] && choices[1].offer == &bench.offers[6] &&
               choices[2].offer == &bench.offers[7],
           "the cheapest first");
    tap_ok(choose(&bench, &ask, 20, &arena, choices) == 2 && choices[1].offer == &bench.offers[7],
           "20 GiB: not the T4");
    tap_ok(choose(&bench, &ask, 81, &arena, choices) == 0, "81 GiB: nothing");
    bench.offers[3].usd_per_hour_micros = hand_money("0.20732");
    bench.offers[3].observed_on = hand_date("2026-10-04");
    tap_ok(choose(&bench, &ask, 20, &arena, choices) == 2 && choices[0].offer == &bench.offers[2],
           "ties by provider: AutoDL before TensorDock");
    add_plans(&bench);
    tap_ok(choose(&bench, &ask, 20, &arena, choices) == 3 && choices[0].plan != NULL &&
               choices[0].offer == NULL,
           "the plan comes first");
    arena_fini(&arena);
}

/* The choices for a question on the shipped facts; the arena holds what the question needs. */
static size_t choose_for(const struct catalogue *catalogue, struct ask *ask, struct arena *arena,
                         struct question *question, struct cloud_choice *choices)
{
    struct cloud_survey survey;
    struct error err;
    size_t count = 0;

    if (!ask_complete(catalogue, ask, &err) ||
        !question_init(question, catalogue, ask, TEST_DAY, arena, &err) ||
        !cloud_survey_make(&survey, question, arena, &err) ||
        !cloud_choose(&survey, arena, choices, &count, &err)) {
        test_bail_out("no choice", err.text);
    }
    return count;
}

/* Dollars for what one reference card does in an hour, at the low end. */
static double work_usd(const struct cloud_choice *choice)
{
    return money_to_units(choice->usd_per_hour_micros) / choice->speed.relative_low;
}

/* Every offer does what was asked on one of its cards or shared out over all of them, and the same
 * work goes up in price. */
static bool are_sound(const struct question *question, const struct cloud_choice *choices,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct cloud_offer *offer = choices[i].offer;

        if (offer == NULL) {
            continue;
        }
        size_t cards = (size_t)fmin(offer->gpu_count, ASK_MAX_CARDS);
        double usable_gib = memory_usable_gib(question->catalogue, question->ask, offer->gpu);
        struct memory_need whole;
        struct memory_need shared;

        memory_estimate(question->catalogue, question->ask, STRATEGY_SINGLE, 1, &whole);
        memory_estimate(question->catalogue, question->ask,
                        ask_is_training(question->ask) ? STRATEGY_FSDP : STRATEGY_TP, cards,
                        &shared);
        if (whole.per_gpu_gib > usable_gib && shared.per_gpu_gib > usable_gib) {
            return false;
        }
        if (i > 0 && choices[i - 1].offer != NULL &&
            work_usd(&choices[i - 1]) > work_usd(&choices[i]) + 1e-6) {
            return false;
        }
    }
    return true;
}

/* Full tuning of 7B takes 107 GiB: the first pick may hold an eighth of it, but a rented RTX 3090
 * alone holds nothing. */
static void test_shared_out(const struct catalogue *catalogue)
{
    static const struct {
        enum task task;
        const char *model;
        double max_gpus;
    } WORKS[] = {{TASK_FINETUNE, "qwen2.5-7b", 8},
                 {TASK_INFERENCE, "llama-3.1-70b", 4},
                 {TASK_QLORA, "llama-3.1-70b", 1},
                 {TASK_LORA, "qwen2.5-7b", 1}};

    for (size_t i = 0; i < sizeof WORKS / sizeof WORKS[0]; i++) {
        struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
        struct question question;
        struct arena arena;
        struct ask ask;

        ask_init(&ask);
        ask.task = WORKS[i].task;
        ask.model = catalogue_find_model(catalogue, WORKS[i].model);
        ask.max_gpus = WORKS[i].max_gpus;
        arena_init(&arena, ARENA_BYTES);

        size_t count = choose_for(catalogue, &ask, &arena, &question, choices);

        tap_ok(count > 0 && are_sound(&question, choices, count),
               "%s of %s: only offers that do all of it", TASK_NAMES[ask.task], ask.model->id);
        arena_fini(&arena);
    }
}

/* What was asked of the work is asked of rented cards too, what was asked of the purchase is not.
 */
static void test_constraints(const struct catalogue *catalogue)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct arena arena;
    struct ask ask;
    bool have_fp8 = true;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    ask.needs[FEATURE_FP8] = true;
    ask.vendor = "intel";
    ask.psu_watts = 1;

    size_t count = choose_for(catalogue, &ask, &arena, &question, choices);

    for (size_t i = 0; i < count; i++) {
        const struct gpu *gpu =
            choices[i].offer != NULL ? choices[i].offer->gpu : choices[i].plan->gpu;

        have_fp8 &= support_has_feature(gpu, FEATURE_FP8, OS_LINUX);
    }
    tap_ok(count > 0 && have_fp8, "needs=fp8: rented cards have it, whoever makes them");

    ask_init(&ask);
    ask.task = TASK_INFERENCE;
    ask.model = catalogue_find_model(catalogue, "llama-3.1-8b");
    ask.min_tokens_per_s = 100000;
    count = choose_for(catalogue, &ask, &arena, &question, choices);
    tap_ok(count == 1 && choices[0].plan != NULL && !choices[0].does_work,
           "100,000 tokens a second: nothing rented gives them");
    arena_fini(&arena);
}

/* cloud_offers.csv and notebook_plans.csv as shipped, on 2026-11-30. */
static void test_shipped(const struct catalogue *catalogue)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct arena arena;
    struct ask ask;
    bool is_sound = true;

    for (int floor_gib = 8; floor_gib < 256; floor_gib += 8) {
        arena_init(&arena, ARENA_BYTES);
        ask_init(&ask);
        ask.min_memory_gib = floor_gib;

        size_t count = choose_for(catalogue, &ask, &arena, &question, choices);

        for (size_t i = 0; i < count; i++) {
            const struct gpu *gpu =
                choices[i].offer != NULL ? choices[i].offer->gpu : choices[i].plan->gpu;

            is_sound &= gpu->memory_per_process_gib >= floor_gib;
        }
        is_sound &= count > 0;
        arena_fini(&arena);
    }
    tap_ok(is_sound, "shipped: cards with the memory asked for, as sold");
    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    (void)choose_for(catalogue, &ask, &arena, &question, choices);
    tap_ok(choices[0].plan->price_usd_per_month_micros == 0, "shipped: 8 GiB are free somewhere");
    tap_text(choices[0].plan->gpu->id, "nvidia-tesla-t4", "on a T4");
    arena_fini(&arena);
}

/* Offers made by hand for cards of the shipped facts, whose speeds are read where they are needed.
 * The catalogue is a shallow copy: what is not replaced is shared. */
struct market {
    struct catalogue catalogue;
    struct cloud_offer offers[4];
    struct notebook_plan plans[2];
};

static void start_market(struct market *market, const struct catalogue *catalogue)
{
    *market = (struct market){.catalogue = *catalogue};
    market->catalogue.cloud_offers = market->offers;
    market->catalogue.cloud_offer_count = 0;
    market->catalogue.notebook_plans = market->plans;
    market->catalogue.notebook_plan_count = 0;
}

static struct cloud_offer *let(struct market *market, const char *gpu, double count,
                               const char *usd_per_hour)
{
    struct cloud_offer *offer = &market->offers[market->catalogue.cloud_offer_count++];

    *offer = (struct cloud_offer){.provider = "Provider",
                                  .gpu_count = count,
                                  .gpu_memory_gb = (double)NAN,
                                  .currency = "USD",
                                  .ondemand_per_hour_micros = hand_money(usd_per_hour),
                                  .spot_usd_per_hour_micros = MONEY_UNKNOWN,
                                  .observed_on = hand_date("2026-11-01"),
                                  .gpu = catalogue_find_gpu(&market->catalogue, gpu),
                                  .is_newest = true,
                                  .usd_per_hour_micros = hand_money(usd_per_hour)};
    return offer;
}

/* The same offer in China. */
static void test_job_in_yuan(struct market *market, struct arena *arena, struct cloud_offer *offer)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct ask ask;

    ask_init(&ask);
    ask.hours = 100;
    offer->currency = "CNY";
    offer->is_in_china = true;
    offer->ondemand_per_hour_micros = hand_money("1.39");
    offer->usd_per_hour_micros = hand_money("0.20732");
    ask.currency = CURRENCY_CNY;
    (void)choose_for(&market->catalogue, &ask, arena, &question, choices);
    hand_same_money(choices[0].per_job_micros, "139", "1.39 CNY x 100 h, cent for cent");
    tap_ok(choices[0].warning_count == 0, "in China without a warning");
    ask.currency = CURRENCY_USD;
    (void)choose_for(&market->catalogue, &ask, arena, &question, choices);
    tap_ok(choices[0].warning_count == 1 &&
               choices[0].warnings[0].code == MESSAGE_OFFER_OTHER_MARKET,
           "elsewhere with one, where nothing else is let");
    (void)let(market, "nvidia-geforce-rtx-3090", 1, "2");
    tap_ok(choose_for(&market->catalogue, &ask, arena, &question, choices) == 1 &&
               choices[0].offer == &market->offers[1],
           "and not at all beside an offer of one's own market, dear as it may be");
}

/* 100 hours of one RTX 3090, rented for 0.25 USD, or in yuan. */
static void test_job(const struct catalogue *catalogue)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct market market;
    struct arena arena;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    start_market(&market, catalogue);
    struct cloud_offer *offer = let(&market, "nvidia-geforce-rtx-3090", 1, "0.25");

    ask_init(&ask);
    ask.hours = 100;
    tap_ok(choose_for(&market.catalogue, &ask, &arena, &question, choices) == 1 &&
               choices[0].cards == 1 && choices[0].strategy == STRATEGY_SINGLE,
           "one offer, one card");
    tap_near(choices[0].job_hours, 100, 1e-9, "the reference card takes the hours asked");
    hand_same_money(choices[0].per_job_micros, "25", "100 h x 0.25");
    hand_same_money(choices[0].per_month_micros, "20", "80 h x 0.25");
    hand_same_money(choices[0].per_million_tokens_micros, NULL,
                    "a relative speed counts no tokens");
    tap_ok(choices[0].job_hours_low < 100 && choices[0].job_hours_high > 100 &&
               choices[0].warning_count == 0 && isnan(choices[0].spot_stretch),
           "with its range, and nothing to beware of");

    offer->spot_usd_per_hour_micros = hand_money("0.1");
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(!choices[0].is_spot, "spot is not considered without checkpoints");
    ask.checkpoint_hours = 1;
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(choices[0].is_spot, "with checkpoints it is, where the same work costs less");
    tap_near(choices[0].job_hours, 107.33074, 1e-4, "100 h x (e^(1.05 / 24) - 1) x 24");
    hand_same_money(choices[0].per_job_micros, "10.733074", "for 0.1 an hour");
    tap_near(choices[0].best_checkpoint_hours, 1.5491933, 1e-6, "best saved every 1.55 h");
    tap_ok(choices[0].warning_count == 1 && choices[0].warnings[0].code == MESSAGE_SPOT_EVICTION &&
               strcmp(choices[0].warnings[0].arguments[2], "7 %") == 0,
           "the eviction and the 7 %% of time it costs are told");
    offer->spot_usd_per_hour_micros = hand_money("0.24"); /* 0.24 x 1.073 is 0.2576 */
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(!choices[0].is_spot, "spot that saves less than restarts cost is not taken");
    test_job_in_yuan(&market, &arena, offer);
    arena_fini(&arena);
}

/* The card that costs less for the same work comes first, not the one that costs less an hour. */
static void test_same_work(const struct catalogue *catalogue)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct market market;
    struct arena arena;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    start_market(&market, catalogue);
    ask_init(&ask);
    (void)let(&market, "nvidia-geforce-rtx-3090", 1, "0.3");
    (void)let(&market, "nvidia-geforce-rtx-4090", 1, "0.33"); /* more than 1.1 times as fast */
    (void)let(&market, "nvidia-geforce-rtx-4090", 4, "1.31"); /* less a card, but cards lose some */
    size_t count = choose_for(&market.catalogue, &ask, &arena, &question, choices);

    tap_ok(count == 2 && choices[0].offer == &market.offers[1] &&
               choices[1].offer == &market.offers[0],
           "0.33 for a 4090 before 0.30 for a 3090; each card once");
    market.offers[2].usd_per_hour_micros = market.offers[2].ondemand_per_hour_micros =
        hand_money("0.5");
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(choices[0].offer == &market.offers[2] && choices[0].cards == 4 &&
               choices[0].strategy == STRATEGY_DDP,
           "four of them for half as much: all four work");
    arena_fini(&arena);
}

/* More hours a month than the quota gives, another country, a model that the plan does not hold. */
static void test_plan_refusals(struct market *market, struct arena *arena)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct ask ask;

    ask_init(&ask);
    ask.hours = 0.1;
    ask.hours_per_month = 131; /* 30 x 365.2425 / 84 = 130.44 */
    (void)choose_for(&market->catalogue, &ask, arena, &question, choices);
    tap_ok(choices[0].warnings[0].code == MESSAGE_QUOTA &&
               choices[0].warnings[0].variant == VARIANT_MONTH,
           "more than 30 hours a week give: told");
    tap_text(choices[0].warnings[0].arguments[0], "130 h", "with the hours of a month");
    market->plans[0].mainland_china_access = "needs a VPN (article A (2022))";
    ask.region = "cn";
    (void)choose_for(&market->catalogue, &ask, arena, &question, choices);
    tap_ok(choices[0].warning_count == 2 && choices[0].warnings[1].code == MESSAGE_REGIONAL_ACCESS,
           "from China it cannot be reached");
    ask.min_memory_gib = (double)NAN;
    ask.task = TASK_INFERENCE;
    ask.model = catalogue_find_model(&market->catalogue, "llama-3.1-70b");
    (void)choose_for(&market->catalogue, &ask, arena, &question, choices);
    tap_ok(choices[0].plan == &market->plans[0] && !choices[0].does_work && !choices[0].has_speed &&
               isnan(choices[0].job_hours) && choices[0].per_job_micros == MONEY_UNKNOWN,
           "a plan that does not hold the model has no speed and no time for it");
}

/* Sessions and quotas of plans on a T4, which takes some 3 h for 1 h of an RTX 3090. */
static void test_plan_limits(const struct catalogue *catalogue)
{
    struct cloud_choice choices[RECOMMEND_MAX_CLOUD];
    struct question question;
    struct market market;
    struct arena arena;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    start_market(&market, catalogue);
    market.catalogue.notebook_plan_count = 1;
    market.plans[0] =
        (struct notebook_plan){.provider = "Kaggle Notebooks",
                               .plan = "Free",
                               .price_usd_per_month_micros = 0,
                               .compute_units_included = (double)NAN,
                               .gpu_memory_gb = 16,
                               .cu_per_hour = (double)NAN,
                               .session_limit_hours = 12,
                               .guarantee_or_limits = "30 GPU hours a week, reset weekly",
                               .status = "current",
                               .observed_on = hand_date("2026-07-12"),
                               .gpu = catalogue_find_gpu(catalogue, "nvidia-tesla-t4")};
    ask_init(&ask);
    ask.hours = 10;
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_near(choices[0].sessions, ceil(choices[0].job_hours / 12), 0, "a long job in sessions");
    tap_ok(choices[0].sessions >= 2 && choices[0].warning_count == 2 &&
               choices[0].warnings[0].code == MESSAGE_SESSION_LIMIT &&
               choices[0].warnings[0].variant == VARIANT_JOB &&
               choices[0].warnings[1].code == MESSAGE_QUOTA,
           "told with their number, and that time is limited");
    hand_same_money(choices[0].per_job_micros, "0", "for nothing");
    ask.hours = 0.1;
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(choices[0].sessions <= 1 && choices[0].warning_count == 1,
           "a short job fits one session");
    ask.hours = 3200; /* more on a T4; 24 months of 130.44 h are 3131 h */
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(!choices[0].does_work && choices[0].job_hours > 3200,
           "a job that the quota of all months is too short for is not done there");
    ask.hours = 0.1;
    (void)choose_for(&market.catalogue, &ask, &arena, &question, choices);
    tap_ok(choices[0].does_work, "a short one is");
    test_plan_refusals(&market, &arena);
    arena_fini(&arena);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_shipped(catalogue);
    test_shared_out(catalogue);
    test_constraints(catalogue);
    test_choose_plan();
    test_choose_offers();
    test_job(catalogue);
    test_same_work(catalogue);
    test_plan_limits(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
