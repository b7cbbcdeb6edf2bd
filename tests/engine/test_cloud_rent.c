/* cloud_rent.c: what a rented card costs, and renting against buying. */
#include "cloud.h"

#include "cloud_bench.h"
#include "tests/catalogue_fixture.h"

static int64_t rent(const struct bench *bench, size_t gpu, size_t cards)
{
    struct ask ask;

    ask_init(&ask);
    return cloud_rent_per_hour_micros(&bench->catalogue, &ask, &bench->gpus[gpu], cards,
                                      STRATEGY_DDP, true, hand_date(TODAY).day);
}

static void test_rent(void)
{
    struct bench bench;
    struct ask ask;

    start(&bench);
    hand_same_money(rent(&bench, 0, 1), NULL, "no offer: not known");
    add_offers_of_3090(&bench);
    hand_same_money(rent(&bench, 0, 1), "0.20732",
                    "median of 0.2, 0.20732, 0.27593: no marketplace, none over 180 days");
    hand_same_money(rent(&bench, 0, 2), "0.41464", "two cards: two of the instances");
    hand_same_money(rent(&bench, 1, 1), NULL, "not the offers of another card");
    bench.catalogue.cloud_offer_count = 2;
    hand_same_money(rent(&bench, 0, 1), "0.387965", "of two the mean: 0.5 and 0.27593");
    bench.catalogue.cloud_offer_count = 1;
    hand_same_money(rent(&bench, 0, 1), "0.5", "of one that one");

    start(&bench);
    (void)add_offer(&bench, "Lambda", "gpu_8x", 2, 8, "16", "2026-11-01");
    hand_same_money(rent(&bench, 2, 1), "16", "an instance of eight is rented whole");
    hand_same_money(rent(&bench, 2, 8), "16", "and holds eight");
    (void)add_offer(&bench, "Lambda", "gpu_2x", 2, 2, "3", "2026-11-01");
    (void)add_offer(&bench, "Azure", "half", 2, 0.5, "0.1", "2026-11-01");
    bench.offers[0].is_newest = false;
    hand_same_money(rent(&bench, 2, 3), "6",
                    "three cards: two instances of two; half a card is none");
    (void)add_offer(&bench, "Later", "x", 2, 1, "0.1", "2026-12-01");
    hand_same_money(rent(&bench, 2, 1), "3", "tomorrow's offer is not known yet");
    (void)add_offer(&bench, "Spot", "spot", 2, 1, NULL, "2026-11-01");
    hand_same_money(rent(&bench, 2, 1), "3", "a spot price is no price on demand");
    ask_init(&ask);
    hand_same_money(cloud_rent_per_hour_micros(&bench.catalogue, &ask, &bench.gpus[2], 3,
                                               STRATEGY_FSDP, true, hand_date(TODAY).day),
                    NULL, "work shared out over three cards does not fit instances of two");
    bench.offers[1].is_in_china =
        true; /* of the two left: Lambda and Later are not newest, not yet */
    hand_same_money(rent(&bench, 2, 2), NULL, "an offer of China is not of the buyer's market");
    hand_same_money(cloud_rent_per_hour_micros(&bench.catalogue, &ask, &bench.gpus[2], 2,
                                               STRATEGY_DDP, false, hand_date(TODAY).day),
                    "3", "but of the other");
}

/* An RTX 3090 at 990 USD used, 594 back, 100.8 of energy for 24 months of 80 hours (test_cost.c).
 */
static void fill_pick(const struct bench *bench, struct ask *ask, struct pick *pick)
{
    ask_init(ask);
    ask->months = 24;
    ask->hours_per_month = 80;
    ask->electricity_micros_per_kwh = hand_money("0.15");
    ask->host_watts = 0;
    *pick = (struct pick){.gpu = &bench->gpus[0], .count = 1, .job_hours = (double)NAN};
    pick->cost = (struct cost){.purchase_micros = hand_money("990"),
                               .resale_micros = hand_money("594"),
                               .energy_micros = hand_money("100.8"),
                               .total_micros = hand_money("496.8")};
}

static bool compare(const struct bench *bench, const struct ask *ask, const struct pick *pick,
                    struct arena *arena, struct rent_or_buy *result)
{
    struct error err = {0};
    struct cloud_survey survey;
    struct question question = {
        .catalogue = &bench->catalogue, .ask = ask, .day = hand_date(TODAY).day};

    return cloud_survey_make(&survey, &question, arena, &err) &&
           cloud_rent_or_buy(&survey, &question, pick, arena, result, &err);
}

static void test_rent_or_buy(void)
{
    struct rent_or_buy result;
    struct arena arena;
    struct bench bench;
    struct pick pick;
    struct ask ask;

    arena_init(&arena, 64 * 1024);
    start(&bench);
    fill_pick(&bench, &ask, &pick);
    tap_ok(compare(&bench, &ask, &pick, &arena, &result) && !result.is_known &&
               isnan(result.break_even_hours),
           "no offer of the card: not known");
    tap_text(result.verdict, "unknown", "and no verdict");
    tap_ok(result.note.code == MESSAGE_RENT_NO_OFFER, "told so");
    tap_text(result.note.arguments[0], "GeForce RTX 3090", "naming the card");
    tap_ok(compare(&bench, &ask, NULL, &arena, &result) && !result.is_known, "no pick: not known");

    (void)add_offer(&bench, "Provider", "x", 0, 1, "0.2525", "2026-11-01");
    /* (990 - 594) / (0.2525 - 0.35 x 0.15) = 396 / 0.2 = 1980 h; the horizon is 1920 h. */
    tap_ok(compare(&bench, &ask, &pick, &arena, &result) && result.is_known, "an offer: known");
    tap_near(result.break_even_hours, 1980, 1e-9, "even after 1980 hours");
    tap_near(result.break_even_months, 24.75, 1e-9, "that is 24.75 months of 80");
    tap_text(result.verdict, "rent", "beyond the horizon: rent");
    tap_ok(result.note.code == MESSAGE_RENT_CHEAPER, "renting is cheaper");
    tap_text(result.note.arguments[0], "484.80 USD", "renting: 1920 x 0.2525");
    tap_text(result.note.arguments[1], "496.80 USD", "owning: 990 - 594 + 100.8");
    tap_text(result.note.arguments[2], "0.253 USD", "an hour, rounded to a tenth of a cent");

    bench.offers[0].usd_per_hour_micros = hand_money("0.4525"); /* 396 / 0.4 = 990 h */
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_near(result.break_even_hours, 990, 1e-9, "dearer rent: even after 990 hours");
    tap_text(result.verdict, "buy", "within the horizon: buy");
    tap_ok(result.note.code == MESSAGE_BUY_CHEAPER, "owning is cheaper");
    tap_text(result.note.arguments[1], "868.80 USD", "renting: 1920 x 0.4525");

    pick.job_hours = 100; /* where a job is all there is to do, it decides: 100 h are below 990 */
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_text(result.verdict, "rent", "a job of 100 hours: rent");
    tap_text(result.note.arguments[0], "45.25 USD", "renting: 100 x 0.4525");
    tap_text(result.note.arguments[1], "401.25 USD", "owning: 990 - 594 + 100 x 0.0525");
    pick.job_hours = (double)NAN;

    bench.offers[0].usd_per_hour_micros = hand_money("0.25875"); /* 396 / 0.20625 = 1920 h */
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(result.note.code == MESSAGE_RENT_BUY_EVEN, "the same money: even");
    tap_text(result.note.arguments[0], "1,920 h", "after the hours of the horizon");

    bench.offers[0].usd_per_hour_micros = hand_money("0.05"); /* below the energy of the own card */
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(isnan(result.break_even_hours) && isnan(result.break_even_months), "never even");
    tap_text(result.verdict, "rent", "then rent");
    arena_fini(&arena);
}

static void test_rent_or_buy_edges(void)
{
    struct cloud_survey survey;
    struct question question;
    struct rent_or_buy result;
    struct error err = {0};
    struct arena arena;
    struct bench bench;
    struct pick pick;
    struct ask ask;

    arena_init(&arena, 64 * 1024);
    start(&bench);
    fill_pick(&bench, &ask, &pick);
    (void)add_offer(&bench, "Provider", "x", 0, 1, "1", "2026-11-01");
    ask.currency = CURRENCY_CNY; /* rent 6.7046 CNY, energy 0.35 x 0.6 */
    ask.electricity_micros_per_kwh = hand_money("0.6");
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_near(result.break_even_hours, 396 / (6.7046 - 0.21), 1e-9,
             "in the currency of the question");
    ask.hours_per_month = 0;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(result.is_known && isnan(result.break_even_months), "no load: hours, but no months");
    tap_text(result.verdict, "rent", "what is not used is not bought");
    bench.catalogue.fx_rate_count = 0;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(!result.is_known, "no rate: not known");
    arena_fini(&arena);

    arena_init(&arena, 1);
    fill_pick(&bench, &ask, &pick);
    question = (struct question){.catalogue = &bench.catalogue, .ask = &ask, .day = TEST_DAY};
    survey = (struct cloud_survey){.is_home = true};
    tap_ok(!cloud_rent_or_buy(&survey, &question, &pick, &arena, &result, &err) &&
               err.code == ERROR_OUT_OF_MEMORY,
           "an exhausted arena is an error");
    tap_ok(!cloud_survey_make(&survey, &question, &arena, &err) && err.code == ERROR_OUT_OF_MEMORY,
           "so it is for the survey");
    arena_fini(&arena);
}

/* A 4090 that is let for less than a 3090 does the work of the 3090 in less time; here the speeds
 * are those of the shipped facts. */
static void test_other_card(const struct catalogue *catalogue)
{
    const struct gpu *rtx_4090 = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-4090");
    struct rent_or_buy result;
    struct arena arena;
    struct bench bench;
    struct pick pick;
    struct ask ask;
    struct speed speed;
    struct error err;

    arena_init(&arena, ARENA_BYTES);
    start(&bench);
    fill_pick(&bench, &ask, &pick);
    tap_ok(ask_complete(catalogue, &ask, &err) &&
               speed_estimate(catalogue, &ask, rtx_4090, STRATEGY_SINGLE, 1, &speed),
           "a 4090 has a speed");
    double ratio = speed.relative_low;

    (void)add_offer(&bench, "Provider", "x", 0, 1, "0.2525", "2026-11-01");
    (void)add_offer(&bench, "Provider", "y", 0, 1, "0.25", "2026-11-01");
    struct catalogue market = *catalogue; /* what is not replaced is shared */

    market.cloud_offers = bench.offers;
    market.cloud_offer_count = 2;
    bench.offers[0].gpu = pick.gpu = catalogue->reference_gpu;
    bench.offers[1].gpu = rtx_4090;
    bench.offers[0].gpu_memory_gb = bench.offers[1].gpu_memory_gb = 24;
    pick.speed.relative_low = 1;
    bench.catalogue = market;
    tap_ok(compare(&bench, &ask, &pick, &arena, &result) && result.is_known &&
               result.offer == &bench.offers[1] && result.cards == 1 && !result.is_spot,
           "compared with the 4090");
    tap_near(money_to_units(result.rent_per_hour_micros), 0.25 / ratio, 1e-5,
             "an hour of the 3090's work takes a part of one of the 4090");
    tap_near(result.offer_hours, 1920 / ratio, 1e-6, "all of it that share of 1920 hours");
    tap_near(result.break_even_hours, 396 / (0.25 / ratio - 0.0525), 1e-2,
             "even after 396 / (0.25 / ratio - 0.35 kW x 0.15) hours of the 3090");
    tap_near(money_to_units(result.renting_micros), 1920 * 0.25 / ratio, 1e-2, "renting it all");
    hand_same_money(result.owning_micros, "496.8", "owning: as before");
    tap_ok(result.note.code == MESSAGE_RENT_CHEAPER && result.note.variant == VARIANT_OTHER_CARD,
           "said so");
    tap_text(result.note.arguments[2], rtx_4090->name, "naming the 4090");
    tap_text(result.note.arguments[4], "Provider", "who lets it");
    tap_text(result.note.arguments[5], "0.25 USD", "and what an hour costs there");
    hand_same_money(result.offer_per_hour_micros, "0.25", "as its offer says");
    hand_same_money(result.same_card_per_hour_micros, "0.2525", "beside the price of a 3090");
    tap_near(result.same_card_break_even_hours, 1980, 1e-6, "and its hours: 396 / 0.2");

    bench.offers[1].usd_per_hour_micros = hand_money("1");
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(result.offer == NULL || result.offer == &bench.offers[0],
           "a dear 4090 leaves the comparison with the same card");
    tap_near(result.break_even_hours, 1980, 1e-6, "even after 1980 hours");
    pick.speed.relative_low = 2;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    hand_same_money(result.rent_per_hour_micros, "0.2525",
                    "two of the pick's hours of work still cost no more than the pick itself");
    arena_fini(&arena);
}

/* A rented 3090 for the work of a 4090 that runs most of the time: it would take longer than the
 * 24 months have. */
static void test_real_time(const struct catalogue *catalogue)
{
    const struct gpu *rtx_4090 = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-4090");
    struct rent_or_buy result;
    struct arena arena;
    struct bench bench;
    struct pick pick;
    struct ask ask;
    struct error err;

    arena_init(&arena, ARENA_BYTES);
    start(&bench);
    fill_pick(&bench, &ask, &pick);
    tap_ok(ask_complete(catalogue, &ask, &err), "a question");
    (void)add_offer(&bench, "Provider", "x", 0, 1, "0.05", "2026-11-01");
    bench.catalogue = *catalogue; /* what is not replaced is shared */
    bench.catalogue.cloud_offers = bench.offers;
    bench.catalogue.cloud_offer_count = 1;
    bench.offers[0].gpu = catalogue->reference_gpu;
    pick.gpu = rtx_4090;
    pick.speed.relative_low = 2;
    ask.hours_per_month = 365;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(result.offer == &bench.offers[0], "2 x 365 hours are within a month of 730.485");
    tap_near(result.offer_hours, 24 * 730, 1e-6, "for 24 months");
    ask.hours_per_month = 366;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(!result.is_known && result.offer == NULL && isnan(result.offer_hours),
           "2 x 366 are not, and nothing else is let");
    pick.speed.relative_low = 1;
    ask.hours_per_month = 744;
    (void)compare(&bench, &ask, &pick, &arena, &result);
    tap_ok(result.offer == &bench.offers[0], "a card as fast gets the hours that are planned");
    arena_fini(&arena);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_rent();
    test_rent_or_buy();
    test_rent_or_buy_edges();
    test_other_card(catalogue);
    test_real_time(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
