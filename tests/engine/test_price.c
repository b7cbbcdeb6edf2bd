/* price.c: which observations make a price, and what age does to it; list prices are
 * test_price_list.c. */
#include "price_fixture.h"

#include "tests/catalogue_fixture.h"

/* RTX 3090 used, gpu_prices.csv as shipped on 2026-11-30 (a part of its rows). */
static size_t rows_of_3090(struct price rows[16])
{
    const struct price ROWS[] = {
        hand_price(CONDITION_USED, "704", "USD", "us", "2023-10-31"),
        hand_price(CONDITION_USED, "1049", "USD", "us", "2026-04-30"),
        hand_price(CONDITION_USED, "956", "USD", "us", "2026-06-30"),
        hand_price(CONDITION_USED, "775", "USD", "us", "2026-07-05"),
        hand_price(CONDITION_USED, "990", "USD", "us", "2026-07-31"),
        hand_price(CONDITION_USED, "1207", "USD", "us", "2026-09-30"),
        hand_price(CONDITION_USED, "750", "EUR", "eu", "2025-10-31"),
        hand_price(CONDITION_USED, "730", "EUR", "eu", "2025-11-30"),
        hand_price(CONDITION_USED, "950", "EUR", "eu", "2026-01-19"),
        hand_price(CONDITION_USED, "8300", "CNY", "cn", "2025-08-23"),
        hand_price(CONDITION_USED, "6500", "HKD", "hk", "2026-06-30"),
        hand_price(CONDITION_NEW, "1499.99", "USD", "us", "2025-08-06"),
    };

    memcpy(rows, ROWS, sizeof ROWS);
    return sizeof ROWS / sizeof ROWS[0];
}

static void test_window(void)
{
    struct price rows[16];
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, rows_of_3090(rows), CURRENCY_USD);
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "a used 3090 has a price");
    /* 90 days before 2026-09-30 is 2026-07-02: 775, 990 and 1207 count, 956 of 06-30 does not. */
    hand_same_money(price.amount_micros, "990", "median of the 90 days before the newest");
    tap_ok(price.observations == 3, "three observations in the window");
    hand_same_money(price.low_micros, "775", "low end of the window");
    hand_same_money(price.high_micros, "1207", "high end of the window");
    hand_same_money(price.planning_micros, "990", "61 days old: planned as observed");
    tap_ok(!price.is_stale && !price.is_very_old && !price.is_other_market,
           "fresh, of its own market");
    tap_text(price.observed_on.text, "2026-09-30", "dated by the newest");
    tap_ok(price.fx_rate == NULL && price.basis == PRICE_OBSERVED, "observed, not converted");
    stop(&bench);
}

static void test_own_market_first(void)
{
    struct price rows[16];
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, rows_of_3090(rows), CURRENCY_EUR);
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "a used 3090 in euro");
    /* Window from 2025-10-21: 730, 750, 950. */
    hand_same_money(price.amount_micros, "750", "euro markets come first, though older");
    /* 315 days old, 135 beyond 180: 1.25^(135 / 365.2425) = 1.08597 (ln 1.25 = 0.2231436). */
    tap_near(money_to_units(price.planning_micros), 750 * 1.08597, 1e-5,
             "stale: grown for 135 days");
    tap_near(money_to_units(price.high_micros), 950 * 1.08597, 1e-5, "the high end grows alike");
    hand_same_money(price.low_micros, "730", "the low end stays");
    tap_ok(price.is_stale && !price.is_very_old && !price.is_other_market, "stale");
    stop(&bench);

    start(&bench, rows, rows_of_3090(rows), CURRENCY_CNY);
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.amount_micros, "8300", "CNY: the Chinese market");
    tap_ok(price.market != NULL && !price.is_other_market && price.observations == 1,
           "its own market");
    stop(&bench);
}

static void test_other_market(void)
{
    struct price rows[] = {
        hand_price(CONDITION_USED, "100", "USD", "us", "2026-10-01"),
        hand_price(CONDITION_USED, "999", "CNY", "cn", "2026-11-01"),
        hand_price(CONDITION_USED, "15825.4507", "JPY", "jp", "2026-11-02"),
        hand_price(CONDITION_USED, "784.71", "HKD", "hk", "2026-11-02"),
        hand_price(CONDITION_USED, "1", "RUB", "ru", "2026-11-29"),
    };
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 5, CURRENCY_EUR);
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.amount_micros, "89.24", "EUR without a euro row: us, 100 x 0.892379");
    tap_ok(price.is_other_market, "told as another market");
    tap_ok(price.fx_rate == &hand_rates[0], "with the rate used");

    rows[0].market = "gb"; /* now us and euro are gone */
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_text(price.market, "cn", "then cn");
    tap_near(money_to_units(price.amount_micros), 999 / 6.7046 * 0.892379, 1e-4, "CNY through USD");

    rows[1].market = "tw"; /* only the rest: hk and jp are the newest, the rouble has no rate */
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_text(price.market, "hk", "then the newest of the rest, ties by name");
    hand_same_money(price.amount_micros, "89.24", "784.71 HKD are 100 USD");
    tap_ok(price.observations == 1, "each of the rest is a market of its own");
    stop(&bench);

    start(&bench, &rows[4], 1, CURRENCY_EUR);
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "no rate, no price");
    stop(&bench);
}

static void test_rounding(void)
{
    struct price rows[] = {
        hand_price(CONDITION_USED, "100.01", "USD", "us", "2026-10-01"),
        hand_price(CONDITION_USED, "100.02", "USD", "us", "2026-10-02"),
    };
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 2, CURRENCY_USD);
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.amount_micros, "100.02", "100.015 is rounded to the even cent above");
    rows[0].amount_micros = hand_money("100.03");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.amount_micros, "100.02", "100.025 is rounded to the even cent below");
    rows[0].amount_micros = hand_money("100.030001");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.amount_micros, "100.03", "100.0250005 is above the half, not on it");
    stop(&bench);
}

static void test_age(void)
{
    struct price rows[] = {hand_price(CONDITION_USED, "500", "USD", "us", "2026-06-03")};
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 1, CURRENCY_USD);
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(!price.is_stale && price.planning_micros == price.amount_micros, "180 days: not stale");
    rows[0].observed_on = hand_date("2026-06-02");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(price.is_stale && price.planning_micros > price.amount_micros, "181 days: stale, grown");
    rows[0].observed_on = hand_date("2025-06-02"); /* 546 days, 366 beyond the limit */
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_near(money_to_units(price.planning_micros), 625, 0.001,
             "a year beyond the limit: a quarter more");
    rows[0].observed_on = hand_date("2024-06-02"); /* 911 days, 731 beyond: compound, 1.5625 */
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_near(money_to_units(price.planning_micros), 781.25, 0.001,
             "two years: the growth compounds");
    tap_ok(!price.is_very_old, "two and a half years are not very old");
    rows[0].observed_on = hand_date("2023-11-29");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(price.is_very_old, "three years and a day are very old");
    rows[0].observed_on = hand_date("2019");
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.planning_micros, "1000", "never more than twice the price");
    hand_same_money(price.amount_micros, "500", "shown as observed");
    rows[0].observed_on = hand_date("2026-12-01");
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price),
           "tomorrow is not known yet");
    rows[0].observed_on = hand_date(NULL);
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "no date, no price");
    stop(&bench);
}

static void test_quote(void)
{
    struct price rows[] = {hand_price(CONDITION_USED, "500", "USD", "us", "2020-01-01")};
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 1, CURRENCY_USD);
    bench.ask.quotes[0] = (struct quote){.gpu = &bench.gpu, .amount_micros = hand_money("640.5")};
    bench.ask.quote_count = 1;
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price),
           "any: the quote is a new price");
    tap_ok(price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price), "and a used one");
    hand_same_money(price.planning_micros, "640.5", "as quoted");
    tap_ok(price.basis == PRICE_QUOTED && !price.is_stale && !price.is_very_old,
           "quoted and fresh");
    tap_text(price.observed_on.text, TODAY, "dated by the question");
    bench.ask.condition = ASKED_NEW;
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(price.basis == PRICE_OBSERVED, "a quote for a new card is no used price");
    bench.ask.condition = ASKED_USED;
    tap_ok(!price_plan(&bench.book, &bench.gpu, CONDITION_NEW, &price), "nor the other way round");
    bench.ask.condition = ASKED_NEW;
    bench.ask.own = &bench.gpu;
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    hand_same_money(price.planning_micros, "640.5",
                    "the own card is worth what was quoted, whatever is bought");
    stop(&bench);
}

static void test_unverified(void)
{
    struct price rows[] = {
        hand_price(CONDITION_USED, "500", "USD", "us", "2026-10-02"),
        hand_price(CONDITION_USED, "510", "USD", "us", "2026-10-01"),
    };
    struct bench bench;
    struct plan_price price;

    start(&bench, rows, 2, CURRENCY_USD);
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(!price.is_unverified, "nothing unverified");
    rows[1].source = "vendor announcement (unverified)";
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(price.is_unverified, "an unverified source of the window is told");
    tap_text(price.source, "a shop", "the newest lends its source");
    rows[1] = hand_price(CONDITION_USED, "510", "USD", "us", "2026-10-01");
    rows[0].note = "date unverified";
    (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
    tap_ok(price.is_unverified, "an unverified note too");
    stop(&bench);
}

static bool is_same_price(const struct plan_price *a, const struct plan_price *b)
{
    return a->amount_micros == b->amount_micros && a->planning_micros == b->planning_micros &&
           a->low_micros == b->low_micros && a->high_micros == b->high_micros &&
           a->observed_on.day == b->observed_on.day && text_is(a->source, b->source) &&
           text_is(a->market, b->market) && a->fx_rate == b->fx_rate &&
           a->observations == b->observations && a->is_stale == b->is_stale &&
           a->is_other_market == b->is_other_market && a->is_unverified == b->is_unverified;
}

static void test_permutation(void)
{
    struct price rows[16];
    size_t count = rows_of_3090(rows);
    struct bench bench;
    uint32_t state = 1; /* any sequence does, the same each run */
    bool is_same = true;

    rows[count++] = hand_price(CONDITION_USED, "1300", "USD", "us", "2026-09-30");
    rows[count - 1].source = "another shop";
    for (enum currency currency = CURRENCY_USD; currency < CURRENCY_COUNT; currency++) {
        struct plan_price first;

        start(&bench, rows, count, currency);
        (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &first);
        for (int round = 0; round < 200; round++) {
            struct plan_price price;

            for (size_t i = count - 1; i > 0; i--) {
                state = state * 1664525U + 1013904223U;
                size_t other = (size_t)(state >> 16) % (i + 1);
                struct price kept = rows[i];

                rows[i] = rows[other];
                rows[other] = kept;
            }
            (void)price_plan(&bench.book, &bench.gpu, CONDITION_USED, &price);
            is_same = is_same && is_same_price(&price, &first);
        }
        stop(&bench);
    }
    tap_ok(is_same, "the order of the rows changes nothing, in any currency");
}

/* Moving all prices of a card back in time never makes it look cheaper. */
static void test_moved_back(void)
{
    bool is_dearer = true;
    int steps = 0;

    for (enum currency currency = CURRENCY_USD; currency < CURRENCY_COUNT; currency++) {
        for (enum condition condition = CONDITION_NEW; condition <= CONDITION_USED; condition++) {
            struct price rows[16];
            size_t count = rows_of_3090(rows);
            struct bench bench;
            int64_t before = 0;

            rows[count++] = hand_price(CONDITION_NEW, "420", "USD", "us", "2026-11-01");
            rows[count++] = hand_price(CONDITION_MSRP, "499", "USD", "us", "2025-01-01");
            start(&bench, rows, count, currency);
            bench.gpu.release_date = hand_date("2025-01-01");
            for (int moved = 0; moved < 2500; moved += 7) {
                struct plan_price price;

                if (price_plan(&bench.book, &bench.gpu, condition, &price)) {
                    is_dearer = is_dearer && price.planning_micros >= before &&
                                price.planning_micros >= price.amount_micros;
                    before = price.planning_micros;
                    steps++;
                }
                for (size_t i = 0; i < count; i++) {
                    rows[i].observed_on.day -= 7;
                }
            }
            stop(&bench);
        }
    }
    tap_ok(is_dearer && steps > 2000, "older prices never plan cheaper (%d steps)", steps);
}

static void test_arena_exhausted(void)
{
    struct bench bench;
    struct error err = {0};
    struct arena small;

    start(&bench, NULL, 0, CURRENCY_USD);
    arena_init(&small, 1);
    tap_ok(!price_book_init(&bench.book, &bench.catalogue, &bench.ask, hand_date(TODAY).day, &small,
                            &err) &&
               err.code == ERROR_OUT_OF_MEMORY,
           "no room for the book is an error");
    arena_fini(&small);
    stop(&bench);
}

/* What the shipped rows say on 2026-11-30; the figures are read off gpu_prices.csv and gpus.csv. */
static void test_shipped(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct ask ask = {.currency = CURRENCY_USD, .condition = ASKED_ANY};
    struct price_book book;
    struct plan_price price;
    struct error err = {0};
    struct arena arena;

    arena_init(&arena, 1024 * 1024);
    bool is_made = price_book_init(&book, catalogue, &ask, TEST_DAY, &arena, &err);

    assert(is_made);
    /* Fifteen cards; the eighth ratio is that of the RTX 5060: (357 + 440) / 2 = 398.5 over 299. */
    tap_near(book.street_index, 398.5 / 299, 1e-6, "shipped: street index");

    const struct gpu *gpu = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-3090");

    tap_ok(price_plan(&book, gpu, CONDITION_USED, &price), "shipped: a used 3090");
    hand_same_money(price.planning_micros, "990", "775, 990, 1207 within 90 days of 2026-09-30");
    tap_ok(!price_plan(&book, gpu, CONDITION_NEW, &price),
           "shipped: no new 3090, unseen for a year");
    gpu = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-5060-ti-16gb");
    (void)price_plan(&book, gpu, CONDITION_NEW, &price);
    hand_same_money(price.planning_micros, "788", "a new 5060 Ti 16GB: 584, 788, 875");
    gpu = catalogue_find_gpu(catalogue, "amd-radeon-rx-7600-xt");
    (void)price_plan(&book, gpu, CONDITION_NEW, &price);
    hand_same_money(price.planning_micros, "438.48", "a new RX 7600 XT: 329 x 1.332776");
    tap_ok(price.basis == PRICE_ESTIMATED, "estimated");
    gpu = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-4070-super");
    tap_ok(!price_plan(&book, gpu, CONDITION_NEW, &price),
           "no new 4070 Super: off sale since 2024, last seen new on 2025-07-23");

    size_t count = 0;
    bool is_sound = true;

    for (enum currency currency = CURRENCY_USD; currency < CURRENCY_COUNT; currency++) {
        ask.currency = currency;
        is_sound = price_book_init(&book, catalogue, &ask, TEST_DAY, &arena, &err) && is_sound;
        for (size_t i = 0; i < 2 * catalogue->gpu_count; i++) {
            if (!price_plan(&book, &catalogue->gpus[i / 2], i % 2 ? CONDITION_USED : CONDITION_NEW,
                            &price)) {
                continue;
            }
            count++;
            is_sound = is_sound && price.amount_micros > 0 &&
                       price.low_micros <= price.amount_micros &&
                       price.amount_micros <= price.planning_micros &&
                       price.planning_micros <= price.high_micros && price.source != NULL &&
                       price.observed_on.day <= TEST_DAY && price.observations > 0 &&
                       (price.basis == PRICE_ESTIMATED || price.is_stale ||
                        price.planning_micros == price.amount_micros);
        }
    }
    tap_ok(is_sound, "shipped: low <= amount <= planning <= high for all %zu prices", count);
    tap_ok(count > 3 * 150, "shipped: more than 150 prices in each currency");
    arena_fini(&arena);
    catalogue_unref(catalogue);
}

int main(void)
{
    test_shipped();
    test_window();
    test_own_market_first();
    test_other_market();
    test_rounding();
    test_age();
    test_quote();
    test_unverified();
    test_permutation();
    test_moved_back();
    test_arena_exhausted();
    return tap_done();
}
