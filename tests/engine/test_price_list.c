/* price.c: what a list price is worth, and the street index that carries it to today. */
#include "price_fixture.h"

#include "tests/tap.h"

static void test_list_price(void)
{
    struct price rows[] = {
        hand_price(CONDITION_MSRP, "599", "USD", "us", "2024-01-17"),
        hand_price(CONDITION_NEW, "629.99", "USD", "us", "2025-07-23"),
    };
    struct bench bench;
    struct plan_price price;

    /* RTX 4070 Super: released 2024-01-17, list price 599. One card: the index is the parameter. */
    start(&bench, rows, 1, CURRENCY_USD);
    bench.gpu.release_date = hand_date("2024-01-17");
    tap_near(bench.book.street_index, 1.34, 1e-12, "too few cards: the index of parameters");
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price), "a list price plans");
    hand_same_money(price.planning_micros, "802.66", "599 x 1.34");
    hand_same_money(price.amount_micros, "802.66", "no growth by age");
    hand_same_money(price.low_micros, "706.82", "599 x 1.18");
    hand_same_money(price.high_micros, "970.38", "599 x 1.62");
    tap_ok(price.basis == PRICE_ESTIMATED && price.is_stale, "estimated, and its date is old");
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "it is no used price");

    bench.gpu.price_count = 2; /* 495 days old: 629.99 x 1.25^(315 / 365.2425) = 763.69 */
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price);
    hand_same_money(price.planning_micros, "802.66",
                    "beside an older observation the dearer counts");
    rows[1].amount_micros = hand_money("700");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price);
    tap_near(money_to_units(price.planning_micros), 848.57, 1e-4,
             "here the observation: 700 x 1.21224");
    tap_ok(price.basis == PRICE_OBSERVED, "observed");
    rows[1].observed_on = hand_date("2025-11-30");
    rows[1].amount_micros = hand_money("100");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price);
    hand_same_money(price.amount_micros, "100", "365 days: the list price is none");

    bench.gpu.release_date = hand_date("2023-11-01"); /* above three years */
    rows[1].observed_on = hand_date("2025-11-29");
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price),
           "released three years ago, not seen for one: no new price");
    bench.gpu.release_date = hand_date(NULL);
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price), "nor with unknown release");
    stop(&bench);
}

/* What was taken off sale more than a year ago is sold new by nobody. */
static void test_discontinued(void)
{
    struct price rows[] = {
        hand_price(CONDITION_MSRP, "599", "USD", "us", "2024-01-17"),
        hand_price(CONDITION_NEW, "560", "USD", "us", "2025-11-30"),
    };
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 1, CURRENCY_USD);
    bench.gpu.release_date = hand_date("2024-01-17");
    bench.gpu.discontinued = hand_date("2025-11-30");
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price),
           "off sale for 365 days: old stock at an estimated price");
    bench.gpu.discontinued = hand_date("2025-11-29");
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price), "for 366: no new price");
    bench.gpu.price_count = 2;
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price) &&
               price.basis == PRICE_OBSERVED,
           "but one that was seen within a year is one");
    stop(&bench);
}

static void test_launch_price(void)
{
    struct price rows[] = {hand_price(CONDITION_MSRP, "4499", "CNY", "cn", "2025-02-28")};
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 0, CURRENCY_EUR);
    bench.gpu.release_date = hand_date("2025-03-06");
    bench.gpu.launch_msrp_usd_micros = hand_money("549");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price);
    /* 549 x 0.892379 = 489.92 EUR; x 1.34 = 656.49 */
    hand_same_money(price.amount_micros, "656.49", "the launch price of the card, converted");
    tap_text(price.observed_on.text, "2025-03-06", "dated by the release");
    tap_ok(price.is_other_market && price.fx_rate == &hand_rates[0], "a price of the US");
    rows[0].market = "eu";
    rows[0].currency = "EUR";
    bench.gpu.price_count = 1;
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price);
    hand_same_money(price.amount_micros, "6028.66",
                    "a row of condition msrp comes first: 4499 x 1.34");
    stop(&bench);
}

/* RTX 5090 D: 16499 CNY in mainland China and nowhere else. */
static void test_listed_elsewhere(void)
{
    struct price rows[] = {hand_price(CONDITION_MSRP, "16499", "CNY", "cn", "2025-01-30"),
                           hand_price(CONDITION_USED, "9000", "CNY", "cn", "2026-10-01")};
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 1, CURRENCY_USD);
    bench.gpu.release_date = hand_date("2025-01-30");
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price),
           "a card listed in China alone has no new price in the US");
    bench.gpu.price_count = 2;
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price) && price.is_other_market,
           "but one that was seen there, converted");
    stop(&bench);

    start(&bench, rows, 1, CURRENCY_CNY);
    bench.gpu.release_date = hand_date("2025-01-30");
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price), "and one in China");
    hand_same_money(price.planning_micros, "22108.66", "16499 x 1.34");
    stop(&bench);
}

/* Five cards of one age; prices over list prices 1.1, 1.2, 1.3, 1.5 and 2. */
static void test_street_index(void)
{
    static const char *const STREET[] = {"110", "120", "150", "200", "130"};
    struct price rows[5][2];
    struct gpu gpus[5];
    struct bench bench;

    start(&bench, NULL, 0, CURRENCY_USD);
    for (size_t i = 0; i < 5; i++) {
        rows[i][0] = hand_price(CONDITION_NEW, STREET[i], "USD", "us", "2026-10-01");
        rows[i][1] = hand_price(CONDITION_MSRP, "100", "USD", "us", "2025-01-01");
        gpus[i] = (struct gpu){.release_date = hand_date("2025-01-01"),
                               .launch_msrp_usd_micros = hand_money("1"),
                               .prices = rows[i],
                               .price_count = 2};
    }
    bench.catalogue.gpus = gpus;
    bench.catalogue.gpu_count = 5;
    make_book(&bench, TODAY);
    tap_near(bench.book.street_index, 1.3, 1e-9, "five cards: the median of new over list price");
    rows[4][0].observed_on = hand_date("2025-11-29");
    make_book(&bench, TODAY);
    tap_near(bench.book.street_index, 1.34, 1e-9, "one not seen for a year: four are too few");
    rows[4][0] = hand_price(CONDITION_NEW, "130", "EUR", "de", "2026-10-01");
    make_book(&bench, TODAY);
    tap_near(bench.book.street_index, 1.34, 1e-9, "a euro price tells nothing of it");
    rows[4][0] = hand_price(CONDITION_NEW, "140", "USD", "us", "2026-10-01");
    gpus[4].release_date = hand_date("2022-01-01");
    make_book(&bench, TODAY);
    tap_near(bench.book.street_index, 1.34, 1e-9, "nor does a card that is too old to be carried");
    stop(&bench);
}

int main(void)
{
    test_list_price();
    test_discontinued();
    test_launch_price();
    test_listed_elsewhere();
    test_street_index();
    return tap_done();
}
