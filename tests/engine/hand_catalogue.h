/* Rows made by hand for tests of the engine that need no database: dates and amounts from their
 * text, and the parameters that money rests on with the values of migrations/parameters.csv
 * (2026-11). */
#ifndef GPUWISE_TESTS_HAND_CATALOGUE_H
#define GPUWISE_TESTS_HAND_CATALOGUE_H

#include "catalogue.h"
#include "money.h"
#include "tests/tap.h"

#include <assert.h>
#include <string.h>

/* The text must outlive the date. */
__attribute__((unused)) static struct date hand_date(const char *text)
{
    struct date date = {.text = text, .day = DAY_UNKNOWN};

    if (text != NULL) {
        bool is_day = day_parse(text, strlen(text), &date.day);

        assert(is_day);
    }
    return date;
}

/* NULL: unknown. */
__attribute__((unused)) static int64_t hand_money(const char *text)
{
    int64_t micros = MONEY_UNKNOWN;

    if (text != NULL) {
        bool is_amount = money_parse(text, strlen(text), &micros);

        assert(is_amount);
    }
    return micros;
}

/* One observation: "990", "USD", "us", "2026-07-31". */
__attribute__((unused)) static struct price hand_price(enum condition condition, const char *amount,
                                                       const char *currency, const char *market,
                                                       const char *observed_on)
{
    return (struct price){.condition = CONDITION_NAMES[condition],
                          .currency = currency,
                          .amount_micros = hand_money(amount),
                          .market = market,
                          .observed_on = hand_date(observed_on),
                          .source = "a shop",
                          .condition_code = condition};
}

/* The newest rates of fx_assumptions.csv of confidence high or medium. */
static struct fx_rate hand_rates[] = {
    {.base = "USD", .quote = "EUR", .rate = 0.892379, .source = "ECB", .confidence = "high"},
    {.base = "USD", .quote = "CNY", .rate = 6.7046, .source = "ECB", .confidence = "medium"},
    {.base = "USD", .quote = "JPY", .rate = 158.254507, .source = "ECB", .confidence = "high"},
    {.base = "USD",
     .quote = "HKD",
     .rate = 7.8471,
     .source = "open er-api",
     .confidence = "medium"},
};

__attribute__((unused)) static void hand_catalogue(struct catalogue *catalogue)
{
    *catalogue = (struct catalogue){.fx_rates = hand_rates,
                                    .fx_rate_count = sizeof hand_rates / sizeof hand_rates[0]};
    catalogue->parameters = (struct parameters){
        .horizon_months = 24,
        .resale_share_mid = 0.6,
        .resale_share_low = 0.4,
        .resale_share_high = 0.75,
        .price_window_days = 90,
        .price_stale_days = 180,
        .price_stale_growth_per_year = 0.25,
        .price_stale_growth_cap = 2,
        .price_very_old_years = 3,
        .msrp_ignored_if_observed_days = 365,
        .msrp_street_index_mid = 1.34,
        .msrp_street_index_low = 1.18,
        .msrp_street_index_high = 1.62,
        .msrp_release_limit_years = 3,
        .msrp_discontinued_limit_days = 365,
        .offer_stale_days = 30,
        .spot_interruptions_per_day = 1,
        .spot_checkpoint_minutes = 3,
        .offer_max_age_days = 180,
        .offer_median_of = 3,
        .usable_share_default = 0.98,
        .life_factor_supported = 1,
        .life_factor_ending = 0.5,
        .ecosystem_factor_cuda = 1,
        .ecosystem_factor_rocm_listed = 0.85,
        .ecosystem_factor_other = 0.7,
    };
}

/* Same money to the micro-unit. */
__attribute__((unused)) static bool hand_same_money(int64_t found, const char *wanted,
                                                    const char *name)
{
    bool is_good = tap_ok(found == hand_money(wanted), "%s", name);

    if (!is_good) {
        printf("# found %lld micros, wanted %s units\n", (long long)found,
               wanted == NULL ? "unknown" : wanted);
    }
    return is_good;
}

#endif
