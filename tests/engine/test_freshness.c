/* Ages of the facts: by hand on the shipped facts' own rows, and a count at the edge of a day. */
#include "../../handlers/engine/freshness.h"

#include "../catalogue_fixture.h"
#include "../tap.h"

static void test_count(void)
{
    static const int32_t DAYS[] = {100, 99, DAY_UNKNOWN, 200};

    tap_ok(freshness_count_stale(DAYS, 4, 280, 180) == 2, "180 days old is fresh, 181 is not");
    tap_ok(freshness_count_stale(DAYS, 4, 281, 180) == 3, "a day later one more is stale");
    tap_ok(freshness_count_stale(DAYS, 0, 281, 180) == 0, "none of none");
}

/* The slow way: every row against every other. */
static void test_shipped(const struct catalogue *catalogue, const struct freshness *ages)
{
    int32_t newest[CONDITION_COUNT] = {DAY_UNKNOWN, DAY_UNKNOWN, DAY_UNKNOWN};
    size_t groups = 0, newest_offers = 0;

    for (size_t i = 0; i < catalogue->price_count; i++) {
        const struct price *price = &catalogue->prices[i];
        bool is_first = price->gpu != NULL && price->condition_code != CONDITION_MSRP;

        if (price->gpu != NULL && price->observed_on.day > newest[price->condition_code]) {
            newest[price->condition_code] = price->observed_on.day;
        }
        for (size_t k = 0; k < i; k++) {
            is_first = is_first && (catalogue->prices[k].gpu != price->gpu ||
                                    catalogue->prices[k].condition_code != price->condition_code);
        }
        groups += is_first ? 1 : 0;
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        newest_offers += catalogue->cloud_offers[i].is_newest ? 1 : 0;
    }
    tap_ok(memcmp(newest, ages->newest_price_day, sizeof newest) == 0, "newest day by condition");
    tap_ok(groups > 100 && ages->price_day_count == groups, "a day of each card new and used: %zu",
           groups);
    tap_ok(newest_offers > 100 && ages->offer_day_count == newest_offers,
           "a day of each offer: %zu", newest_offers);
    tap_ok(ages->market_count > 2 && ages->newest_rate_day == TEST_DAY, "markets and rates");
    for (size_t i = 0; i < ages->market_count; i++) {
        int32_t day = DAY_UNKNOWN;

        for (size_t k = 0; k < catalogue->price_count; k++) {
            const struct price *price = &catalogue->prices[k];
            bool is_there = price->market == ages->markets[i].market ||
                            text_is(price->market, ages->markets[i].market);

            if (is_there && price->gpu != NULL && price->condition_code != CONDITION_MSRP &&
                price->observed_on.day > day) {
                day = price->observed_on.day;
            }
        }
        tap_ok(day == ages->markets[i].newest_day, "newest day of market %s",
               ages->markets[i].market == NULL ? "unknown" : ages->markets[i].market);
    }
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct freshness ages;
    struct arena arena;
    struct error err = {0};

    arena_init(&arena, CATALOGUE_MEMORY_BYTES_MAX);
    test_count();
    if (tap_ok(freshness_build(catalogue, &arena, &ages, &err), "built: %s", err.text)) {
        test_shipped(catalogue, &ages);
    }
    arena_fini(&arena);
    arena_init(&arena, 16);
    tap_ok(!freshness_build(catalogue, &arena, &ages, &err) && err.code == ERROR_OUT_OF_MEMORY,
           "no memory is an ordinary error");
    arena_fini(&arena);
    catalogue_unref(catalogue);
    return tap_done();
}
