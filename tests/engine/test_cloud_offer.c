/* cloud_offer.c: what one offer is, and what interruptions cost. */
#include "cloud_offer.h"

#include "cloud_bench.h"

static bool is_marketplace(const struct cloud_offer *offer)
{
    return offer->is_marketplace;
}

static bool is_in_china(struct cloud_offer *offer)
{
    cloud_offer_derive(offer);
    return offer->is_in_china;
}

static void test_marketplace(void)
{
    struct bench bench;

    start(&bench);
    tap_ok(is_marketplace(add_offer(&bench, "Vast.ai", "1x-T4", 1, 1, "0.1", TODAY)), "Vast.ai");
    tap_ok(is_marketplace(add_offer(&bench, "Salad", "spot", 1, 1, NULL, TODAY)), "Salad");
    tap_ok(is_marketplace(add_offer(&bench, "Akash", "marketplace", 1, 1, "0.1", TODAY)), "Akash");
    tap_ok(is_marketplace(add_offer(&bench, "RunPod", "community", 1, 1, "0.1", TODAY)),
           "RunPod community");
    tap_ok(!is_marketplace(add_offer(&bench, "RunPod", "secure", 1, 1, "0.1", TODAY)),
           "RunPod secure is none");
    tap_ok(!is_marketplace(add_offer(&bench, "OVHcloud", NULL, 1, 1, "0.1", TODAY)),
           "no instance named: none");
}

static void test_stale(void)
{
    struct bench bench;
    int32_t day = hand_date(TODAY).day;

    start(&bench);
    tap_ok(!cloud_is_stale(&bench.catalogue,
                           &add_offer(&bench, "A", "x", 1, 1, "1", "2026-10-31")->observed_on, day),
           "30 days are not stale");
    tap_ok(cloud_is_stale(&bench.catalogue,
                          &add_offer(&bench, "A", "x", 1, 1, "1", "2026-10-30")->observed_on, day),
           "31 days are");
    tap_ok(cloud_is_stale(&bench.catalogue,
                          &add_offer(&bench, "A", "x", 1, 1, "1", NULL)->observed_on, day),
           "so is an offer without a date");
}

static void test_prices(void)
{
    struct bench bench;
    struct ask ask;

    start(&bench);
    ask_init(&ask);
    struct cloud_offer *offer = add_offer(&bench, "RunPod", "secure", 1, 1, "0.4", TODAY);

    offer->spot_usd_per_hour_micros = hand_money("0.1");
    hand_same_money(cloud_offer_on_demand_micros(offer), "0.4", "on demand");
    hand_same_money(cloud_offer_spot_micros(&ask, offer), NULL, "no checkpoints, no spot");
    ask.checkpoint_hours = 1;
    hand_same_money(cloud_offer_spot_micros(&ask, offer), "0.1", "with checkpoints spot counts");
    offer->provider = "Vast.ai";
    cloud_offer_derive(offer);
    hand_same_money(cloud_offer_on_demand_micros(offer), NULL,
                    "the lowest offer of a marketplace is no price to plan with");

    hand_same_money(cloud_in_currency(&ask, cloud_usd_rate(&bench.catalogue, &ask), "CNY",
                                      hand_money("1.39"), hand_money("0.20732")),
                    "0.20732", "in USD as converted");
    ask.currency = CURRENCY_CNY;
    hand_same_money(cloud_in_currency(&ask, cloud_usd_rate(&bench.catalogue, &ask), "CNY",
                                      hand_money("1.39"), hand_money("0.20732")),
                    "1.39", "in CNY as the provider names it, not there and back");
    hand_same_money(cloud_in_currency(&ask, cloud_usd_rate(&bench.catalogue, &ask), "USD",
                                      hand_money("0.5"), hand_money("0.5")),
                    "3.3523", "0.5 x 6.7046");
}

static void test_markets(void)
{
    struct bench bench;
    struct ask ask;

    start(&bench);
    ask_init(&ask);
    struct cloud_offer *offer = add_offer(&bench, "X", "x", 1, 1, "0.4", TODAY);

    tap_ok(!is_in_china(offer), "no region, no currency: not of China");
    offer->region = "Sichuan, CN, AS";
    tap_ok(is_in_china(offer), "Sichuan, CN, AS is");
    offer->region = "CN, AS";
    tap_ok(is_in_china(offer), "CN, AS is");
    offer->region = "us-central1";
    tap_ok(!is_in_china(offer), "us-central1 is not");
    offer->region = "cn";
    tap_ok(is_in_china(offer), "cn is");
    offer->region = NULL;
    offer->currency = "CNY";
    tap_ok(is_in_china(offer), "what is paid in yuan is");

    tap_ok(!cloud_buyer_is_in_china(&ask), "a buyer with dollars is not in China");
    ask.currency = CURRENCY_CNY;
    tap_ok(cloud_buyer_is_in_china(&ask), "one with yuan is");
    ask.region = "us";
    tap_ok(!cloud_buyer_is_in_china(&ask), "but the region says more than the currency");
    ask.currency = CURRENCY_USD;
    ask.region = "cn";
    tap_ok(cloud_buyer_is_in_china(&ask), "either way");
}

/* x = 1/24 an hour, k = 0.05 h. */
static void test_spot(void)
{
    struct bench bench;
    struct ask ask;

    tap_near(cloud_spot_stretch(1 / 24.0, 1, 0.05, (double)NAN), 1.0733074, 1e-7,
             "saved every hour: (e^(1.05 / 24) - 1) x 24");
    tap_near(cloud_spot_stretch(1 / 24.0, 1, 0.05, 100), 1.0733074, 1e-7, "so in 100 hours");
    tap_near(cloud_spot_stretch(1 / 24.0, 1, 0.05, 100), 1 + 0.05 + 1 / 48.0, 3e-3,
             "to first order 1 + k / c + x c / 2");
    tap_near(cloud_spot_stretch(1 / 24.0, 24, 0.05, 12), 1.2974425, 1e-7,
             "12 hours, nothing saved: (e^0.5 - 1) / 0.5");
    tap_near(cloud_spot_stretch(0, 1, 0.05, 100), 1.05, 1e-12,
             "never interrupted: only the saving");
    tap_near(cloud_spot_stretch(0, 200, 0.05, 100), 1, 0, "and not even that");
    tap_near(cloud_spot_best_interval_hours(1 / 24.0, 0.05), 1.5491933, 1e-7,
             "best saved every sqrt(2 x 0.05 x 24) hours");
    tap_ok(isinf(cloud_spot_best_interval_hours(0, 0.05)), "never, without interruptions");
    bool is_best = true;
    double best = cloud_spot_stretch(1 / 24.0, 1.5491933, 0.05, (double)NAN);

    for (double hours = 0.1; hours < 10; hours += 0.1) {
        double stretch = cloud_spot_stretch(1 / 24.0, hours, 0.05, (double)NAN);

        is_best &= stretch >= best - 1e-4;
    }
    tap_ok(is_best, "no other interval is better by more than 0.01 %%");

    start(&bench);
    ask_init(&ask);
    ask.checkpoint_hours = 1;
    ask.spot_interruptions_per_day = 1;
    tap_near(cloud_spot_stretch_of(&bench.catalogue, &ask, (double)NAN), 1.0733074, 1e-7,
             "the same for an ask: once a day, three minutes a checkpoint");
}

int main(void)
{
    test_marketplace();
    test_stale();
    test_prices();
    test_markets();
    test_spot();
    return tap_done();
}
