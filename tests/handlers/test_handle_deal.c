/* The body of /deal on the shipped facts: the fair price again from what the answer tells. */
#include "handlers_fixture.h"

static const char CARD_ID[] = "nvidia-geforce-rtx-4080";
static const char WORK[] = "currency=CNY&condition=new&prices=";

/* prices= of the first five picks without the card, each quoted at today's planning price. */
static char quotes[512];

static void quote_rivals(void)
{
    size_t used = 0;
    size_t count = 0;

    test_get("/recommend?currency=CNY&condition=new&explain=none");
    for (size_t i = 0; i < json_array_size(test_at("picks")) && count < 5; i++) {
        json_t *pick = json_array_get(test_at("picks"), i);
        const char *id = json_string_value(test_at_in(pick, "gpu.id"));
        double price = json_number_value(test_at_in(pick, "price.planning"));

        if (!text_is(id, CARD_ID)) {
            used += (size_t)snprintf(quotes + used, sizeof quotes - used, "%s%s:%.2f",
                                     count == 0 ? "" : ",", id, price);
            count++;
        }
    }
    printf("# %s\n", quotes);
}

/* Asks for the card at a price; the verdict. */
static const char *verdict_at(double price)
{
    char target[1024];

    (void)snprintf(target, sizeof target, "/deal?gpu=rtx-4080&price=%.2f&%s%s", price, WORK,
                   quotes);
    return test_get(target) == 200 ? test_text("verdict") : "no answer";
}

static void test_verdicts(void)
{
    tap_text(verdict_at(6999), "good", "an RTX 4080 at 6999 CNY, with five rivals quoted");
    double fair = test_number("fair_price.amount");

    printf("# fair price %.2f\n", fair);
    tap_text(test_text("fair_price.currency"), "CNY", "its fair price is in CNY");
    tap_near(test_number("ratio"), 6999 / fair, 1e-5, "ratio of the price to it");
    tap_text(verdict_at(fair), "good", "at the fair price");
    tap_text(verdict_at(fair + 0.01), "fair", "a cent above it");
    tap_text(verdict_at(1.2 * fair), "poor", "at 1.2 times the fair price");
    tap_near(test_number("fair_price.amount"), fair, 0, "the fair price stays");
    tap_ok(json_array_size(test_at("better")) == 5 && test_number("better.0.rank") == 1.0 &&
               test_number("offer.rank") > 5,
           "five picks are better");
}

/* Five rivals of the shop around the corner, of any condition: the used cards that others have seen
 * cheaper elsewhere are no part of that market. */
static void test_own_market(void)
{
    static const char SHOP[] =
        "/deal?gpu=rtx-4080&currency=CNY&prices=rtx-4090:13999,rtx-4070-ti:6299,rtx-3090:7499,"
        "rtx-3080-10gb:4999,rtx-3060-12gb:2299&price=";
    char target[512];

    (void)snprintf(target, sizeof target, "%s6999", SHOP);
    tap_ok(test_get(target) == 200, "five rivals quoted, any condition");
    double fair = test_number("fair_price.amount");

    printf("# fair price %.2f\n", fair);
    tap_text(test_text("verdict"), "good", "an RTX 4080 at 6999 CNY beside them");
    tap_text(test_text("fair_price.basis"), "quoted", "by the quotes alone");
    tap_ok(json_array_size(test_at("compared")) == 5 &&
               strcmp(test_text("compared.4.gpu.id"), test_text("fair_price.matches.gpu.id")) == 0,
           "the last of the five decides");
    (void)snprintf(target, sizeof target, "%s%.2f", SHOP, 1.2 * fair);
    tap_ok(test_get(target) == 200 && strcmp(test_text("verdict"), "poor") == 0,
           "at 1.2 times the fair price it is poor");
}

static bool warns_of(const char *code)
{
    json_t *warnings = test_at("warnings");

    for (size_t i = 0; i < json_array_size(warnings); i++) {
        if (strcmp(json_string_value(test_at_in(json_array_get(warnings, i), "code")), code) == 0) {
            return true;
        }
    }
    return false;
}

/* Used RTX 3090 were last seen at 990 USD. */
static void test_too_cheap(void)
{
    tap_ok(test_get("/deal?gpu=rtx-3090&price=300") == 200 && warns_of("too-cheap"),
           "a third of what others pay is too good to be true");
    tap_ok(test_get("/deal?gpu=rtx-3090&price=800") == 200 && !warns_of("too-cheap"),
           "a fifth less is not");
}

/* From score_parts, the exponent, and cost = purchase - resale + energy alone. */
static void test_by_hand(void)
{
    verdict_at(6999);
    double benefit = test_number("assumptions.score_scale") *
                     test_number("fair_price.score_parts.speed") *
                     test_number("fair_price.score_parts.headroom") *
                     test_number("fair_price.score_parts.life") *
                     test_number("fair_price.score_parts.ecosystem");
    double exponent = test_number("fair_price.score_exponent");
    double cost_usd = test_number("assumptions.score_cost_unit_usd") *
                      pow(benefit / test_number("compared.4.score"), 1 / exponent);
    double energy = test_number("fair_price.cost.energy");
    double cny_per_usd =
        test_number("fair_price.cost.total") / test_number("fair_price.cost.total_usd");
    double fair =
        (cost_usd * cny_per_usd - energy) / (1 - test_number("assumptions.resale_share_mid"));

    tap_near(exponent, 0.5, 0, "exponent of prefer=balanced");
    tap_near(test_number("fair_price.cost.total_usd"), cost_usd, cost_usd * 1e-4,
             "what may be spent to match the fifth");
    tap_near(test_number("fair_price.amount"), fair, fair * 1e-4, "the fair price by hand");
    tap_text(test_text("fair_price.matches.gpu.id"), test_text("compared.4.gpu.id"),
             "the fifth of what is compared");
    tap_near(test_number("fair_price.matches.score"), test_number("compared.4.score"), 0,
             "its score");
    bool are_fresh = json_array_size(test_at("compared")) == 5;

    for (size_t i = 0; i < json_array_size(test_at("compared")); i++) {
        are_fresh =
            are_fresh && json_is_true(test_at_in(json_array_get(test_at("compared"), i), "fresh"));
    }
    tap_ok(are_fresh, "all five are fresh");
}

/* What is compared is what /recommend picks, where the card is not among its first five. */
static void test_same_as_recommend(void)
{
    char ids[5][64];
    double scores[5];
    char target[1024];

    verdict_at(30000);
    for (size_t i = 0; i < 5; i++) {
        json_t *one = json_array_get(test_at("compared"), i);

        (void)snprintf(ids[i], sizeof ids[i], "%s", json_string_value(test_at_in(one, "gpu.id")));
        scores[i] = json_number_value(test_at_in(one, "score"));
    }
    (void)snprintf(target, sizeof target, "/recommend?explain=none&limit=5&%s%s,%s:30000", WORK,
                   quotes, CARD_ID);
    test_get(target);
    bool is_same = true;

    for (size_t i = 0; i < 5; i++) {
        json_t *pick = json_array_get(test_at("picks"), i);

        is_same = is_same && text_is(json_string_value(test_at_in(pick, "gpu.id")), ids[i]) &&
                  json_number_value(test_at_in(pick, "score")) == scores[i];
    }
    tap_ok(is_same, "the five are the first picks of /recommend");
}

static void test_avoid_and_unknown(void)
{
    for (int price = 1; price <= 10000; price *= 100) {
        char target[64];

        (void)snprintf(target, sizeof target, "/deal?gpu=k80&price=%d", price);
        tap_ok(test_get(target) == 200 && text_is(test_text("verdict"), "avoid"),
               "a K80 for %d: avoid", price);
    }
    tap_ok(json_is_null(test_at("offer")) && json_is_null(test_at("fair_price")) &&
               json_array_size(test_at("reasons")) >= 1 && json_array_size(test_at("warnings")) > 2,
           "why, and what to beware of, but no fair price");
    test_view.day = TEST_DAY + 400;
    tap_ok(test_get("/deal?gpu=rtx-4080&price=800") == 200, "on a day when every price is old");
    tap_text(test_text("verdict"), "unknown", "there is no verdict");
    tap_text(test_text("reasons.0.code"), "deal-unknown", "and it says why");
    tap_ok(test_number("fair_price.amount") > 0, "with the fair price");
    tap_text(test_text("fair_price.basis"), "stale", "and what it rests on");
    tap_ok(test_get("/deal?gpu=k80&price=10") == 200 && text_is(test_text("verdict"), "avoid"),
           "a K80 is still to be avoided");
    test_view.day = TEST_DAY;
}

static void test_languages(void)
{
    tap_ok(test_get("/deal?gpu=rtx-4080&price=800&lang=zh") == 200 &&
               strstr(test_text("reasons.0.text"), "合理价") != NULL,
           "Chinese");
    tap_ok(test_get("/deal?gpu=rtx-4080&price=800") == 200 &&
               strstr(test_text("reasons.0.text"), "fair price") != NULL,
           "English");
}

/* Of a GB10 neither NVLink nor PCIe is known, and one does not hold 405b. */
static void test_unknown_link(void)
{
    bool is_said = false;

    tap_ok(test_get("/deal?gpu=nvidia-gb10-dgx-spark-128gb&price=3000&max_gpus=8&model=405b&"
                    "min_tokens_per_s=396") == 200,
           "several cards with an unknown link");
    for (size_t i = 0; i < json_array_size(test_at("warnings")); i++) {
        json_t *item = json_array_get(test_at("warnings"), i);
        const char *text = json_string_value(json_object_get(item, "text"));

        is_said =
            is_said || (text_is(json_string_value(json_object_get(item, "code")), "no-nvlink") &&
                        strstr(text, "not known") != NULL && strstr(text, "nan") == NULL);
    }
    tap_ok(is_said, "is said to be unknown");
}

static void test_faults(void)
{
    tap_ok(test_get("/deal") == 400 && strstr(test_detail("gpu"), "missing") != NULL &&
               strstr(test_detail("price"), "missing") != NULL,
           "card and price are needed");
    tap_ok(test_get("/deal?gpu=4080%2012GB&price=900") == 400 &&
               strstr(test_text("note"), "cancelled") != NULL,
           "a name without a card: the note of the name");
    tap_ok(test_get("/deal?gpu=a100&price=0&batch=-1&tier=low") == 400 &&
               json_array_size(test_at("candidates")) == 4 && strlen(test_detail("gpu")) > 0 &&
               strstr(test_detail("price"), "0.01") != NULL && strlen(test_detail("batch")) > 0 &&
               strlen(test_detail("tier")) > 0,
           "an ambiguous name has candidates, and every fault is named at once");
    tap_ok(test_get("/deal?gpu=rtx-4080&price=900&own=4080") == 400 &&
               strlen(test_detail("own")) > 0,
           "the card cannot be the asker's own");
}

int main(void)
{
    test_open();
    quote_rivals();
    test_verdicts();
    test_own_market();
    test_too_cheap();
    test_by_hand();
    test_same_as_recommend();
    test_avoid_and_unknown();
    test_languages();
    test_unknown_link();
    test_faults();
    return test_close();
}
