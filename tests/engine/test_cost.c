/* cost.c: purchase, energy, resale and what follows, recomputed by hand. */
#include "cost.h"

#include "hand_catalogue.h"

static const char *const TODAY = "2026-11-30";

/* depreciation.csv as shipped on 2026-11-30: the consumer rows, two of workstation, one told
 * beside. */
static struct depreciation RATES[] = {
    {.class_name = "workstation",
     .age_from_years = 6,
     .yearly_rate_low = 0.128,
     .yearly_rate_mid = (double)NAN,
     .yearly_rate_high = 0.149},
    {.class_name = "consumer",
     .age_from_years = 2,
     .yearly_rate_low = 0.075,
     .yearly_rate_mid = 0.148,
     .yearly_rate_high = 0.341},
    {.class_name = "consumer",
     .age_from_years = 0,
     .yearly_rate_low = 0.183,
     .yearly_rate_mid = 0.196,
     .yearly_rate_high = 0.366},
    {.class_name = "consumer",
     .age_from_years = 4,
     .yearly_rate_low = -0.033,
     .yearly_rate_mid = 0.057,
     .yearly_rate_high = 0.290},
    {.class_name = "consumer",
     .age_from_years = 1,
     .yearly_rate_low = 0.040,
     .yearly_rate_mid = 0.148,
     .yearly_rate_high = 0.361},
    {.class_name = "workstation",
     .age_from_years = 3,
     .yearly_rate_low = -0.007,
     .yearly_rate_mid = 0.060,
     .yearly_rate_high = 0.097},
    {.class_name = "consumer_shortage_2026",
     .age_from_years = 0,
     .yearly_rate_low = -0.112,
     .yearly_rate_high = 0.014},
};

struct bench {
    struct catalogue catalogue;
    struct gpu gpu;
    struct ask ask;
    struct plan_price price;
};

/* An RTX 3090 (350 W, released 2020-09-24) at 990 USD used, for the defaults of parameters.csv: 24
 * months of 80 hours at 0.15 USD a kWh. */
static struct bench start(void)
{
    struct bench bench = {
        .gpu = {.segment = "consumer", .tdp_watts = 350, .release_date = hand_date("2020-09-24")},
        .ask = {.currency = CURRENCY_USD,
                .months = 24,
                .hours_per_month = 80,
                .electricity_micros_per_kwh = hand_money("0.15"),
                .power_limit_watts = (double)NAN},
        .price = {.amount_micros = hand_money("900"),
                  .planning_micros = hand_money("990"),
                  .condition = CONDITION_USED},
    };

    hand_catalogue(&bench.catalogue);
    bench.catalogue.depreciations = RATES;
    bench.catalogue.depreciation_count = sizeof RATES / sizeof RATES[0];
    return bench;
}

static struct cost estimate(const struct bench *bench, size_t cards, double job_hours)
{
    struct cost cost;

    cost_estimate(&bench->catalogue, &bench->ask, &bench->gpu, cards, &bench->price, job_hours,
                  &cost);
    cost_tell_resale(&bench->catalogue, &bench->gpu, cards, &bench->price, hand_date(TODAY).day,
                     &cost);
    return cost;
}

static void test_one_card(void)
{
    struct bench bench = start();
    struct cost cost = estimate(&bench, 1, 100);

    hand_same_money(cost.purchase_micros, "990",
                    "the planning price is paid, not the observed one");
    hand_same_money(cost.resale_micros, "594", "0.6 of it comes back after 24 months");
    hand_same_money(cost.energy_micros, "100.8", "0.35 kW x 1920 h x 0.15");
    hand_same_money(cost.total_micros, "496.8", "990 - 594 + 100.8");
    hand_same_money(cost.per_month_micros, "20.7", "496.8 / 24");
    hand_same_money(cost.per_hour_micros, "0.25875", "496.8 / 1920");
    hand_same_money(cost.per_job_micros, "25.875", "100 hours of that");
    tap_near(cost.total_usd, 496.8, 1e-12, "in USD for the score");
    tap_ok(cost.months == 24 && cost.hours_per_month == 80, "with the horizon it is for");
}

static void test_set_with_tax_and_host(void)
{
    struct bench bench = start();

    bench.ask.currency = CURRENCY_CNY;
    bench.ask.vat_share = 0.13;
    bench.ask.host_price_micros = hand_money("3000");
    bench.ask.host_watts = 100;
    bench.ask.electricity_micros_per_kwh = hand_money("0.6");
    bench.price.planning_micros = hand_money("8300");

    struct cost cost = estimate(&bench, 2, (double)NAN);

    hand_same_money(cost.purchase_micros, "21758", "2 x 8300 x 1.13 + 3000");
    hand_same_money(cost.resale_micros, "9960", "0.6 x 16600: neither tax nor host come back");
    hand_same_money(cost.energy_micros, "921.6", "0.8 kW x 1920 h x 0.6");
    hand_same_money(cost.total_micros, "12719.6", "21758 - 9960 + 921.6");
    hand_same_money(cost.per_job_micros, NULL, "no size of a job, no cost of it");
    tap_near(cost.total_usd, 12719.6 / 6.7046, 1e-9, "CNY to USD");
    hand_same_money(cost_energy_per_hour_micros(&bench.ask, &bench.gpu, 2), "0.48", "0.8 kW x 0.6");
}

static void test_horizon(void)
{
    struct bench bench = start();

    bench.ask.months = 12;
    hand_same_money(estimate(&bench, 1, (double)NAN).resale_micros, "766.85",
                    "after 12 of 24 months the square root of 0.6: 990 x 0.7745967, to the cent");
    bench.ask.months = 48;
    hand_same_money(estimate(&bench, 1, (double)NAN).resale_micros, "356.4",
                    "after 48 its square, 0.36");
    bench.ask.hours_per_month = 0;

    struct cost cost = estimate(&bench, 1, 100);

    hand_same_money(cost.energy_micros, "0", "no load, no energy");
    hand_same_money(cost.per_hour_micros, NULL, "and no cost of an hour");
    hand_same_money(cost.per_job_micros, NULL, "nor of a job");
}

static void test_told_range(void)
{
    struct bench bench = start();
    struct cost cost = estimate(&bench, 1, (double)NAN);

    /* 6.2 years old: both years take the row from 4 on. (1 - 0.29)^2 = 0.5041; 1.033^2 is above 1.
     */
    hand_same_money(cost.resale_low_micros, "499.059", "990 x 0.71^2");
    hand_same_money(cost.resale_high_micros, "990", "at most the price");
    tap_near(money_to_units(cost.resale_mid_micros), 990 * 0.943 * 0.943, 1e-8,
             "mid: 990 x 0.943^2");

    bench.price.condition = CONDITION_NEW; /* the rows from 0 and from 1 on */
    cost = estimate(&bench, 1, (double)NAN);
    tap_near(money_to_units(cost.resale_low_micros), 990 * 0.634 * 0.639, 1e-8,
             "new: 0.634 x 0.639");
    tap_near(money_to_units(cost.resale_high_micros), 990 * 0.817 * 0.960, 1e-8,
             "new: 0.817 x 0.960");
    tap_near(money_to_units(cost.resale_mid_micros), 990 * 0.804 * 0.852, 1e-8,
             "new: 0.804 x 0.852");
    bench.ask.months = 18;
    cost = estimate(&bench, 1, (double)NAN);
    tap_near(money_to_units(cost.resale_low_micros), 990 * 0.634 * sqrt(0.639), 1e-8,
             "half of the second year is a square root");

    bench.gpu.segment = "workstation"; /* no row from 0 on */
    bench.ask.months = 12;
    cost = estimate(&bench, 1, (double)NAN);
    tap_near(money_to_units(cost.resale_low_micros), 990 * sqrt(0.4), 1e-8,
             "no row: low of parameters");
    tap_near(money_to_units(cost.resale_high_micros), 990 * sqrt(0.75), 1e-8, "and the high one");

    bench.price.condition = CONDITION_USED;
    bench.gpu.release_date =
        hand_date("2021-06-01"); /* 5.5 years: row 3 now, row 6 in the next year */
    bench.ask.months = 24;
    cost = estimate(&bench, 1, (double)NAN);
    tap_near(money_to_units(cost.resale_low_micros), 990 * 0.903 * 0.851, 1e-8,
             "a card of 5.5 years passes into the row of 6");
    hand_same_money(cost.resale_mid_micros, NULL, "a row without a mid rate tells none");
    bench.gpu.release_date = hand_date(NULL);
    cost = estimate(&bench, 1, (double)NAN);
    hand_same_money(cost.resale_low_micros, "396", "unknown age: 0.4 of parameters");
    hand_same_money(cost.resale_micros, "594", "the rank takes 0.6 for every card");
}

static void test_unknown(void)
{
    struct bench bench = start();

    bench.gpu.tdp_watts = (double)NAN;

    struct cost cost = estimate(&bench, 1, 100);

    hand_same_money(cost.purchase_micros, "990", "the price is known");
    hand_same_money(cost.energy_micros, NULL, "unknown power: unknown energy");
    hand_same_money(cost.total_micros, NULL, "and unknown total");
    hand_same_money(cost.per_month_micros, NULL, "and all that follows");
    tap_ok(isnan(cost.total_usd), "no figure for the score");

    bench = start();
    bench.catalogue.fx_rate_count = 0;
    bench.ask.currency = CURRENCY_EUR;
    cost = estimate(&bench, 1, 100);
    hand_same_money(cost.total_micros, "496.8", "without a rate the cost stands in its currency");
    tap_ok(isnan(cost.total_usd), "but not in USD");

    bench = start();
    bench.price.planning_micros = hand_money("999999999999");
    cost = estimate(&bench, 8, 100);
    hand_same_money(cost.purchase_micros, NULL, "beyond 10^18 micro-units: unknown, never wrapped");
    hand_same_money(cost.total_micros, NULL, "and so is the total");
}

static void test_power_limit(void)
{
    struct bench bench = start();

    bench.ask.power_limit_watts = 250;
    bench.ask.host_watts = 100;
    tap_near(cost_board_watts(&bench.ask, &bench.gpu), 250, 0, "the limit, below the board power");
    hand_same_money(estimate(&bench, 2, (double)NAN).energy_micros, "172.8",
                    "(2 x 250 + 100) W x 1920 h x 0.15");
    hand_same_money(cost_energy_per_hour_micros(&bench.ask, &bench.gpu, 2), "0.09",
                    "0.6 kW x 0.15");
    bench.ask.power_limit_watts = 400;
    tap_near(cost_board_watts(&bench.ask, &bench.gpu), 350, 0, "a limit above it limits nothing");
    bench.gpu.tdp_watts = (double)NAN;
    hand_same_money(estimate(&bench, 1, (double)NAN).energy_micros, NULL,
                    "a limit does not tell what a card of unknown power draws");
}

static void test_unit_of_work(void)
{
    struct bench bench = start();
    struct cost cost = estimate(&bench, 1, (double)NAN);
    struct speed speed = {.value = 50, .unit = SPEED_TOKENS_PER_S};

    hand_same_money(cost.per_million_tokens_micros, NULL, "nothing is told without a speed");
    /* 0.25875 an hour, 180000 tokens an hour: a million takes 5.5556 hours */
    cost_tell_work(&speed, &cost);
    hand_same_money(cost.per_million_tokens_micros, "1.4375", "0.25875 / 0.18 million tokens");
    hand_same_money(cost.per_million_images_micros, NULL, "tokens are no images");

    cost = estimate(&bench, 1, (double)NAN);
    speed = (struct speed){.value = 1000, .unit = SPEED_IMAGES_PER_S};
    cost_tell_work(&speed, &cost); /* 3.6 million an hour */
    hand_same_money(cost.per_million_images_micros, "0.071875", "0.25875 / 3.6 million images");
    hand_same_money(cost.per_million_tokens_micros, NULL, "images are no tokens");

    cost = estimate(&bench, 1, (double)NAN);
    speed.unit = SPEED_RELATIVE;
    cost_tell_work(&speed, &cost);
    hand_same_money(cost.per_million_tokens_micros, NULL, "a relative speed counts neither");
    hand_same_money(cost.per_million_images_micros, NULL, "tokens nor images");
    bench.ask.hours_per_month = 0;
    cost = estimate(&bench, 1, (double)NAN);
    speed.unit = SPEED_TOKENS_PER_S;
    cost_tell_work(&speed, &cost);
    hand_same_money(cost.per_million_tokens_micros, NULL, "no hours of load: no cost of an hour");
}

/* A dearer card of the same kind never costs less. */
static void test_monotone(void)
{
    struct bench bench = start();
    int64_t before = 0;
    bool is_dearer = true;

    for (int units = 1; units < 3000; units++) {
        bench.price.planning_micros = (int64_t)units * MONEY_MICROS_PER_UNIT + 330000;
        int64_t total = estimate(&bench, 3, (double)NAN).total_micros;

        is_dearer = is_dearer && total > before;
        before = total;
    }
    tap_ok(is_dearer, "the total rises with the price");
}

int main(void)
{
    test_one_card();
    test_set_with_tax_and_host();
    test_horizon();
    test_told_range();
    test_unknown();
    test_power_limit();
    test_unit_of_work();
    test_monotone();
    return tap_done();
}
