/* price_sample.c: the rules beneath test_price.c, one by one. */
#include "price_sample.h"

#include "hand_catalogue.h"

static void test_median(void)
{
    int64_t odd[] = {30, 10, 20};
    int64_t even[] = {40, 10, 20, 30};
    int64_t halves[] = {15, 15};
    int64_t above[] = {25, 26};
    int64_t one[] = {7};

    tap_ok(price_sample_median(odd, 3, 1) == 20, "of three the middle one");
    tap_ok(odd[0] == 10 && odd[2] == 30, "the amounts are sorted");
    tap_ok(price_sample_median(even, 4, 1) == 25, "of four the mean of the two middle ones");
    tap_ok(price_sample_median(one, 1, 1) == 7, "of one that one");
    tap_ok(price_sample_median(halves, 2, 10) == 20, "15 to tens: to the even 20");
    tap_ok(price_sample_median(above, 2, 10) == 30, "25.5 to tens: above the half, 30 and not 20");
    above[0] = above[1] = 25;
    tap_ok(price_sample_median(above, 2, 10) == 20, "25 to tens: to the even 20");
}

static void test_markets(void)
{
    static const char *const EURO[] = {"eu", "de", "fr", "gr"};

    for (size_t i = 0; i < sizeof EURO / sizeof EURO[0]; i++) {
        tap_ok(price_sample_is_own_market(EURO[i], CURRENCY_EUR), "%s is a euro market", EURO[i]);
    }
    tap_ok(price_sample_is_own_market("us", CURRENCY_USD), "us is that of the dollar");
    tap_ok(price_sample_is_own_market("cn", CURRENCY_CNY), "cn is that of the yuan");
    tap_ok(!price_sample_is_own_market("hk", CURRENCY_CNY), "hk is not");
    tap_ok(!price_sample_is_own_market("us", CURRENCY_EUR), "us is not that of the euro");
    tap_ok(!price_sample_is_own_market(NULL, CURRENCY_USD), "an unknown market is nobody's own");
}

static void test_seen(void)
{
    struct price row = hand_price(CONDITION_USED, "500", "USD", "us", "2026-11-30");
    int32_t day = hand_date("2026-11-30").day;

    tap_ok(price_sample_is_seen(&row, CONDITION_USED, day), "seen on its own day");
    tap_ok(!price_sample_is_seen(&row, CONDITION_USED, day - 1), "not the day before");
    tap_ok(!price_sample_is_seen(&row, CONDITION_NEW, day), "not in another condition");
    row.amount_micros = MONEY_UNKNOWN;
    tap_ok(!price_sample_is_seen(&row, CONDITION_USED, day), "not without an amount");
}

static void test_unverified(void)
{
    tap_ok(price_sample_says_unverified("vendor announcement (unverified)"), "(unverified)");
    tap_ok(price_sample_says_unverified("looks real, not verified"), "not verified");
    tap_ok(!price_sample_says_unverified("a verified shop"), "verified");
    tap_ok(!price_sample_says_unverified(NULL), "nothing said");
}

int main(void)
{
    test_median();
    test_markets();
    test_seen();
    test_unverified();
    return tap_done();
}
