/* cloud_survey.c: the cheapest ways to rent each card that does the work, their middle, whose
 * market they are of. */
#include "cloud_survey.h"

#include "cloud_bench.h"
#include "tests/catalogue_fixture.h"

/* The survey of the bench for a need in GiB as sold. */
static void survey_bench(struct cloud_survey *survey, const struct bench *bench, struct ask *ask,
                         double need_gib, struct arena *arena)
{
    struct question question = {
        .catalogue = &bench->catalogue, .ask = ask, .day = hand_date(TODAY).day};
    struct error err;

    ask->min_memory_gib = need_gib;
    if (!cloud_survey_make(survey, &question, arena, &err)) {
        test_bail_out("no survey", err.text);
    }
}

static void test_cards(void)
{
    struct cloud_survey survey;
    struct arena arena;
    struct bench bench;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    start(&bench);
    survey_bench(&survey, &bench, &ask, 8, &arena);
    tap_ok(survey.count == 0, "no offers, no cards");
    add_offers_of_3090(&bench);
    (void)add_offer(&bench, "Modal", "serverless", 1, 1, "0.5904", "2026-10-01");
    survey_bench(&survey, &bench, &ask, 8, &arena);
    tap_ok(survey.count == 2 && survey.is_home, "two cards in the buyer's market");
    tap_ok(survey.cards[0].cheapest.offer == &bench.offers[3] &&
               survey.cards[0].middle.offer == &bench.offers[2],
           "0.2 the cheapest, 0.20732 the middle of 0.2, 0.20732, 0.27593");
    tap_ok(!survey.cards[0].cheapest.has_speed && survey.cards[0].per_work_micros == MONEY_UNKNOWN,
           "no speed, no cost of the same work");
    survey_bench(&survey, &bench, &ask, 17, &arena);
    tap_ok(survey.count == 1 && survey.cards[0].gpu == &bench.gpus[0], "17 GiB: not the T4");
    bench.offers[3].gpu_memory_gb = 16;
    survey_bench(&survey, &bench, &ask, 17, &arena);
    tap_ok(survey.cards[0].cheapest.offer == &bench.offers[2],
           "nor a 3090 that is let with 16 GiB");
    for (size_t i = 0; i < bench.catalogue.cloud_offer_count; i++) {
        bench.offers[i].is_in_china = true;
    }
    survey_bench(&survey, &bench, &ask, 8, &arena);
    tap_ok(survey.count == 2 && !survey.is_home, "only offers of the other market: those");
    bench.offers[6].is_in_china = false;
    survey_bench(&survey, &bench, &ask, 8, &arena);
    tap_ok(survey.count == 1 && survey.is_home && survey.cards[0].gpu == &bench.gpus[1],
           "one of the own market: only that");
    arena_fini(&arena);
}

/* Whatever the buyer's machine takes: a rented one stands elsewhere. */
static void test_rented(void)
{
    struct cloud_survey survey;
    struct arena arena;
    struct bench bench;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    ask.os = OS_WINDOWS;
    ask.display = ANSWER_YES;
    ask.psu_watts = 300;
    ask.max_slots = 1;
    ask.max_length_mm = 100;
    ask.needs[FEATURE_DISPLAY] = true; /* the cards of the bench have none */
    ask.plugs_is_given = true;
    ask.power_limit_watts = 100;
    ask.vendor = "amd";
    start(&bench);
    (void)add_offer(&bench, "Provider", "x", 2, 8, "16", "2026-11-01");
    survey_bench(&survey, &bench, &ask, 80, &arena);
    tap_ok(survey.count == 1 && survey.ask.os == OS_LINUX && isnan(survey.ask.power_limit_watts) &&
               isnan(survey.ask.psu_watts) && survey.ask.vendor == NULL,
           "an A100 is let to who asked for a small AMD card under Windows");
    tap_ok(cloud_card_does_work(&survey.rented, &bench.gpus[2], (double)NAN), "it holds 80 GiB");
    tap_ok(!cloud_card_does_work(&survey.rented, &bench.gpus[2], 40), "not with 40 printed");
    tap_ok(!cloud_card_does_work(&survey.rented, &bench.gpus[0], (double)NAN), "nor a 3090");
    arena_fini(&arena);
}

/* The same work: price over the low end of the speed, of the median of two the mean. */
static void test_work(const struct catalogue *catalogue)
{
    struct catalogue market = *catalogue;
    struct cloud_survey survey;
    struct question question;
    struct arena arena;
    struct bench bench;
    struct error err;
    struct ask ask;

    arena_init(&arena, ARENA_BYTES);
    ask_init(&ask);
    start(&bench);
    (void)add_offer(&bench, "A", "x", 0, 1, "0.2", "2026-11-01");
    (void)add_offer(&bench, "B", "x", 0, 1, "0.3", "2026-11-01");
    bench.offers[0].gpu = bench.offers[1].gpu = catalogue->reference_gpu;
    market.cloud_offers = bench.offers;
    market.cloud_offer_count = 2;
    tap_ok(ask_complete(&market, &ask, &err) &&
               question_init(&question, &market, &ask, TEST_DAY, &arena, &err) &&
               cloud_survey_make(&survey, &question, &arena, &err) && survey.count == 1,
           "the reference card by two providers");
    tap_near(survey.cards[0].cheapest.relative_low, 1, 1e-9, "its speed is 1");
    hand_same_money(survey.cards[0].cheapest.per_work_micros, "0.2", "so its work costs its price");
    hand_same_money(survey.cards[0].per_work_micros, "0.25", "and the middle is (0.2 + 0.3) / 2");
    bench.offers[0].spot_usd_per_hour_micros = hand_money("0.1");
    ask.checkpoint_hours = 1;
    ask.spot_interruptions_per_day = 1;
    tap_ok(cloud_survey_make(&survey, &question, &arena, &err) && survey.cards[0].cheapest.is_spot,
           "with checkpoints the spot price");
    hand_same_money(survey.cards[0].cheapest.per_work_micros, "0.107331",
                    "0.1 x (e^(1.05 / 24) - 1) x 24");
    ask.spot_interruptions_per_day = 100;
    tap_ok(cloud_survey_make(&survey, &question, &arena, &err) && !survey.cards[0].cheapest.is_spot,
           "not where it is taken back every quarter of an hour");
    ask.checkpoint_hours = 35; /* e^146 times as long */
    bench.gpus[0] = *catalogue->reference_gpu;
    bench.gpus[0].memory_bandwidth_gb_s = (double)NAN;
    bench.gpus[0].tensor_fp16_tflops = bench.gpus[0].tensor_bf16_tflops = (double)NAN;
    bench.gpus[0].fp16_tflops = bench.gpus[0].fp32_tflops = (double)NAN;
    bench.offers[0].gpu = bench.offers[1].gpu = &bench.gpus[0];
    tap_ok(cloud_survey_make(&survey, &question, &arena, &err) &&
               !survey.cards[0].cheapest.has_speed && !survey.cards[0].cheapest.is_spot,
           "nor on a card of unknown speed where nothing ever ends");
    arena_fini(&arena);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_cards();
    test_rented();
    test_work(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
