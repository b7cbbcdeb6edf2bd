/* Tests handlers/engine/catalogue.c with catalogue_build.c, catalogue_link.c and catalogue_rows.c:
 * the shipped facts, and copies of them with rows moved, changed or gone. */
#include "catalogue.h"

#include "facts.h"
#include "money.h"
#include "names.h"
#include "tests/catalogue_fixture.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { MICROS = MONEY_MICROS_PER_UNIT };

/* Where row i of count goes: the order kept, turned round, or mixed by a step that shares no
 * divisor. */
enum arrangement { KEPT, REVERSED, MIXED };

static size_t moved(size_t i, size_t count, enum arrangement arrangement)
{
    if (arrangement == REVERSED) {
        return count - 1 - i;
    }
    return arrangement == MIXED && count % 7919 != 0 ? i * 7919 % count : i; /* 7919 is prime */
}

/* Rows of a built catalogue, not built again yet. Texts stay with the original, which must live on.
 */
static struct catalogue *copy_rows(const struct catalogue *original, enum arrangement arrangement)
{
    struct catalogue *copy = catalogue_new();

    for (size_t t = 0; copy != NULL && t < FACT_TABLE_COUNT; t++) {
        const struct fact_table *table = FACT_TABLES[t];
        const char *from = NULL;
        size_t count = 0;

        memcpy(&from, (const char *)original + table->catalogue_rows, sizeof from);
        memcpy(&count, (const char *)original + table->catalogue_count, sizeof count);
        char *to = arena_alloc_array(&copy->memory, count, table->row_bytes);

        if (to == NULL) {
            abort(); /* out of memory: there is nothing to test */
        }
        for (size_t i = 0; i < count; i++) {
            memcpy(to + moved(i, count, arrangement) * table->row_bytes,
                   from + i * table->row_bytes, table->row_bytes);
        }
        memcpy((char *)copy + table->catalogue_rows, &to, sizeof to);
        memcpy((char *)copy + table->catalogue_count, &count, sizeof count);
    }
    return copy;
}

static void test_order(const struct catalogue *catalogue)
{
    static const enum arrangement ARRANGEMENTS[] = {KEPT, REVERSED, MIXED};

    for (size_t a = 0; a < sizeof ARRANGEMENTS / sizeof ARRANGEMENTS[0]; a++) {
        struct catalogue *copy = copy_rows(catalogue, ARRANGEMENTS[a]);
        struct error err;
        bool is_built = catalogue_build(copy, &err);
        bool is_same = is_built;

        (void)tap_ok(is_built, "rows in order %zu build", a);
        (void)tap_text(copy->revision, catalogue->revision, "and have the same revision");
        for (size_t i = 0; i < catalogue->gpu_count && is_same; i++) {
            is_same = strcmp(copy->gpus[i].id, catalogue->gpus[i].id) == 0 &&
                      copy->gpus[i].price_count == catalogue->gpus[i].price_count;
        }
        for (size_t i = 0; i < catalogue->price_count && is_same; i++) {
            is_same = copy->prices[i].amount_micros == catalogue->prices[i].amount_micros &&
                      strcmp(copy->prices[i].source, catalogue->prices[i].source) == 0;
        }
        for (size_t i = 0; i < catalogue->alias_count && is_same; i++) {
            is_same = strcmp(copy->aliases[i].alias, catalogue->aliases[i].alias) == 0;
        }
        (void)tap_ok(is_same, "cards, prices and names stand in the same order");
        catalogue_unref(copy);
    }
}

static void test_revision(const struct catalogue *catalogue)
{
    struct catalogue *copy = copy_rows(catalogue, KEPT);
    struct error err;

    copy->prices[0].amount_micros += 10000;
    (void)tap_ok(catalogue_build(copy, &err), "a price changed by a cent builds");
    (void)tap_ok(strlen(copy->revision) == 16 && strcmp(copy->revision, catalogue->revision) != 0,
                 "a changed cent changes the revision, 16 digits long");
    catalogue_unref(copy);

    copy = copy_rows(catalogue, KEPT);
    copy->gpus[0].slots = (double)NAN;
    copy->gpus[1].slots = 0;
    (void)tap_ok(catalogue_build(copy, &err), "unknown and zero build");
    struct catalogue *other = copy_rows(catalogue, KEPT);

    other->gpus[0].slots = 0;
    other->gpus[1].slots = (double)NAN;
    (void)tap_ok(catalogue_build(other, &err) && strcmp(copy->revision, other->revision) != 0,
                 "unknown is not zero");
    catalogue_unref(copy);
    catalogue_unref(other);
}

static void check_broken(struct catalogue *copy, const char *wanted)
{
    struct error err = {0};
    bool is_built = catalogue_build(copy, &err);

    (void)tap_ok(!is_built && err.code == ERROR_BAD_DATABASE && strstr(err.text, wanted) != NULL,
                 "refused, naming it: %s", wanted);
    if (strstr(err.text, wanted) == NULL) {
        printf("# found: %s\n", err.text);
    }
    catalogue_unref(copy);
}

static void test_broken(const struct catalogue *catalogue)
{
    struct catalogue *copy = copy_rows(catalogue, KEPT);

    copy->gpus[3].architecture = "Nowhere";
    check_broken(copy, catalogue->gpus[3].id);
    copy = copy_rows(catalogue, KEPT);
    copy->gpus[3].id = copy->gpus[4].id;
    check_broken(copy, "twice");
    copy = copy_rows(catalogue, KEPT);
    copy->parameter_count--;
    check_broken(copy, catalogue->parameter_rows[catalogue->parameter_count - 1].name);
    copy = copy_rows(catalogue, KEPT);
    copy->calibration_count = 0;
    check_broken(copy, "calibration: ");
    copy = copy_rows(catalogue, KEPT);
    copy->tier_count--; /* the last is unlimited in euros */
    check_broken(copy, "EUR unlimited");
    copy = copy_rows(catalogue, KEPT);
    copy->tiers[1].min_micros += 1;
    check_broken(copy, "USD mid");
    copy = copy_rows(catalogue, KEPT);
    copy->prices[0].condition = "refurbished";
    check_broken(copy, "refurbished");
    copy = copy_rows(catalogue, KEPT);
    copy->aliases[0].alias = " - ";
    check_broken(copy, "aliases");
    copy = copy_rows(catalogue, KEPT);
    for (size_t i = 0; i < copy->parameter_count; i++) {
        if (text_is(copy->parameter_rows[i].name, "reference_gpu")) {
            copy->parameter_rows[i].value = "no-such-card";
        }
    }
    check_broken(copy, "no-such-card");
    copy = copy_rows(catalogue, KEPT);
    for (size_t i = 0; i < copy->parameter_count; i++) {
        if (text_is(copy->parameter_rows[i].name, "horizon_months")) {
            copy->parameter_rows[i].value = "nan";
        }
    }
    check_broken(copy, "horizon_months");
}

static void test_look_ups(const struct catalogue *catalogue)
{
    const struct gpu *gpu = catalogue_find_gpu(catalogue, "nvidia-tesla-k80");
    const struct gpu *a100 = catalogue_find_gpu(catalogue, "nvidia-a100-sxm4-40gb");
    const struct gpu *rtx = catalogue_find_gpu(catalogue, "nvidia-geforce-rtx-3090");

    (void)tap_ok(gpu != NULL && &catalogue->gpus[gpu->index] == gpu,
                 "a card is found and knows its place");
    (void)tap_near(gpu->process_share, 0.5, 0, "a K80 process has 12 of 24 GiB"); /* gpus.csv */
    (void)tap_text(gpu->architecture_row->architecture, "Kepler", "its architecture");
    (void)tap_ok(catalogue->reference_gpu == rtx, "the reference card is the RTX 3090");
    (void)tap_near(catalogue->parameters.horizon_months, 24, 0, "parameters are read");
    (void)tap_near(
        a100->speed_trait->cores_per_multiprocessor, 64, 0,
        "GA100 has a row of its compute capability"); /* 64 FP32 cores a multiprocessor */
    (void)tap_near(rtx->speed_trait->cores_per_multiprocessor, 128, 0,
                   "GA102 has the row of the other Ampere cards");
    (void)tap_ok(catalogue_find_gpu(catalogue, "nvidia") == NULL, "half an id finds no card");
    (void)tap_ok(catalogue_find_gpu(catalogue, NULL) == NULL, "nor does none");
    (void)tap_ok(catalogue_find_model(catalogue, "llama-2-7b") != NULL, "a model is found");
    (void)tap_ok(catalogue_find_model(catalogue, "llama-2-7") == NULL, "half an id finds no model");
    (void)tap_ok(catalogue_find_quant(catalogue, "q4_k_m") != NULL, "a quant is found");
    (void)tap_ok(catalogue_find_quant(catalogue, "q4") == NULL, "an unknown quant is not");
    (void)tap_ok(catalogue_find_network(catalogue, "resnet50") != NULL, "a network is found");
    (void)tap_ok(catalogue_find_network(catalogue, "") == NULL, "an unknown network is not");
}

/* Under its id, or under a name that means it and nothing else. */
static bool is_of(const struct catalogue *catalogue, const struct price *price,
                  const struct gpu *gpu)
{
    struct names_result found;

    names_resolve(catalogue, price->gpu_slug, strlen(price->gpu_slug), NULL, &found);
    return found.outcome == NAMES_FOUND && found.gpus[0] == gpu;
}

static void test_prices(const struct catalogue *catalogue)
{
    size_t linked = 0;
    int32_t newest = DAY_UNKNOWN;
    bool is_sorted = true;
    bool is_own = true;

    for (size_t g = 0; g < catalogue->gpu_count; g++) {
        const struct gpu *gpu = &catalogue->gpus[g];

        linked += gpu->price_count;
        for (size_t i = 0; i < gpu->price_count; i++) {
            const struct price *price = &gpu->prices[i];

            is_own = is_own && is_of(catalogue, price, gpu);
            newest = price->observed_on.day > newest ? price->observed_on.day : newest;
            if (i > 0 && price[-1].condition_code == price->condition_code) {
                is_sorted = is_sorted && price[-1].observed_on.day >= price->observed_on.day;
            } else if (i > 0) {
                is_sorted = is_sorted && price[-1].condition_code < price->condition_code;
            }
        }
    }
    (void)tap_ok(is_own, "a card has only its own prices");
    (void)tap_ok(is_sorted, "by condition, then newest first");
    (void)tap_ok(catalogue->unknown_price_count > 0 &&
                     linked + catalogue->unknown_price_count == catalogue->price_count,
                 "prices of unknown cards are kept and counted, and belong to no card");
    (void)tap_ok(catalogue->prices_as_of.day == newest && newest != DAY_UNKNOWN,
                 "prices_as_of is the newest date of a known card");
}

/* The status of jax for the first card where only these two rows are known; NULL: not known. */
static const char *status_after(const struct catalogue *catalogue, struct support one,
                                struct support other, enum os os)
{
    struct catalogue *copy = copy_rows(catalogue, KEPT);
    struct error err;
    const char *status = "not built";

    copy->support_count = 2;
    copy->support[0] = one;
    copy->support[1] = other;
    if (catalogue_build(copy, &err)) {
        const struct support *row = copy->gpus[0].support[FRAMEWORK_JAX][os];

        status = row == NULL ? NULL : row->status; /* a literal of test_support() */
    }
    catalogue_unref(copy);
    return status;
}

static struct support support_row(const char *scope, const char *os, const char *status)
{
    return (struct support){
        .scope = scope, .framework = "jax", .os = os, .status = status, .source = "test"};
}

static void test_support(const struct catalogue *catalogue)
{
    const struct gpu *gpu = &catalogue->gpus[0];
    struct support card_any = support_row(gpu->id, "any", "supported");
    struct support card_linux = support_row(gpu->id, "linux", "ending");
    struct support family_any = support_row(gpu->architecture, "any", "none");
    struct support family_linux = support_row(gpu->architecture, "linux", "dropped");
    const struct gpu *rtx = catalogue->reference_gpu;

    (void)tap_text(rtx->support[FRAMEWORK_PYTORCH][OS_LINUX]->status, "supported",
                   "PyTorch on Linux supports the RTX 3090");
    (void)tap_text(status_after(catalogue, card_any, family_linux, OS_LINUX), "supported",
                   "any system of the card beats the exact one of its architecture");
    (void)tap_text(status_after(catalogue, family_any, family_linux, OS_LINUX), "dropped",
                   "the exact system beats any");
    (void)tap_text(status_after(catalogue, card_linux, card_any, OS_LINUX), "ending",
                   "for a card too");
    (void)tap_text(status_after(catalogue, card_linux, family_any, OS_WSL), "none",
                   "another system falls back to the architecture");
    (void)tap_ok(status_after(catalogue, card_linux, family_linux, OS_WSL) == NULL,
                 "no row: not known");
}

static void test_convert(const struct catalogue *catalogue)
{
    const struct fx_rate *rate = NULL;

    /* fx_assumptions.csv: USD CNY 6.7046 of 2026-10-02 (medium) is newer than 6.7758 of 2026-06-30
     * (high) and goes before 7.2 of 2026-11-30 (assumption). */
    (void)tap_ok(catalogue_convert(catalogue, MICROS, "USD", "CNY", &rate) == 6704600,
                 "1 USD in CNY");
    (void)tap_text(rate->observed_on.text, "2026-10-02", "newest of high or medium confidence");
    /* 110000 / 6.7046 = 16406.646183 */
    (void)tap_ok(catalogue_convert(catalogue, (int64_t)110000 * MICROS, "CNY", "USD", NULL) ==
                     16406646183,
                 "the other direction of the same rate");
    /* 1000 / 158.254507 x 0.892379 = 5.638885 */
    (void)tap_ok(catalogue_convert(catalogue, (int64_t)1000 * MICROS, "JPY", "EUR", &rate) ==
                     5638885,
                 "through the dollar where no rate is direct");
    rate = &catalogue->fx_rates[0];
    (void)tap_ok(catalogue_convert(catalogue, 5, "JPY", "JPY", &rate) == 5 && rate == NULL,
                 "the same currency takes no rate");
    (void)tap_ok(catalogue_convert(catalogue, 5, "RUB", "USD", NULL) == MONEY_UNKNOWN,
                 "no rate: unknown");
    (void)tap_ok(catalogue_convert(catalogue, 5, "RUB", "EUR", NULL) == MONEY_UNKNOWN,
                 "nor through the dollar");
    (void)tap_ok(catalogue_convert(catalogue, MONEY_UNKNOWN, "USD", "CNY", NULL) == MONEY_UNKNOWN,
                 "an unknown amount stays unknown");
}

static void test_rate_choice(const struct catalogue *catalogue)
{
    struct catalogue *copy = copy_rows(catalogue, KEPT);
    struct date day = {.text = "2026-11-01", .day = 20758};
    struct date older = {.text = "2026-10-01", .day = 20727};
    const struct fx_rate *rate = NULL;

    copy->fx_rate_count = 4;
    copy->fx_rates[0] = (struct fx_rate){"USD", "CNY", 2, day, NULL, "b", "medium"};
    copy->fx_rates[1] = (struct fx_rate){"CNY", "USD", 0.25, day, NULL, "c", "high"};
    copy->fx_rates[2] = (struct fx_rate){"USD", "EUR", 8, older, NULL, "d", "low"};
    copy->fx_rates[3] = (struct fx_rate){"USD", "EUR", 16, day, NULL, "e", "assumption"};
    (void)tap_ok(catalogue_convert(copy, 100, "USD", "CNY", &rate) == 400 &&
                     text_is(rate->source, "c"),
                 "of one day, high goes before medium, and 1 / 0.25 serves");
    (void)tap_ok(catalogue_convert(copy, 100, "USD", "EUR", NULL) == 1600,
                 "without trusted rates the newest of any confidence");
    (void)tap_ok(catalogue_convert(copy, 100, "CNY", "EUR", &rate) == 400,
                 "0.25 x 16 through the dollar");
    copy->fx_rates[0].confidence = "high";
    (void)tap_ok(catalogue_convert(copy, 100, "USD", "CNY", NULL) == 200, "then by source");
    catalogue_unref(copy);
}

static void check_tier(const struct catalogue *catalogue, enum currency currency, int64_t cents,
                       const char *segment, const char *wanted)
{
    const struct tier *tier =
        catalogue_tier_of(catalogue, currency, cents * MONEY_MICROS_PER_CENT, segment);

    (void)tap_ok(tier != NULL && text_is(tier->id, wanted) &&
                     text_is(tier->currency, CURRENCY_NAMES[currency]),
                 "%s card at %lld cents of %s: %s", segment, (long long)cents,
                 CURRENCY_NAMES[currency], wanted);
}

static void test_tiers(const struct catalogue *catalogue)
{
    check_tier(catalogue, CURRENCY_USD, 0, "consumer", "low");
    check_tier(catalogue, CURRENCY_USD, 40000, "consumer", "low");
    check_tier(catalogue, CURRENCY_USD, 40001, "consumer", "mid");
    check_tier(catalogue, CURRENCY_USD, 100000, "datacenter", "mid");
    check_tier(catalogue, CURRENCY_USD, 100001, "consumer", "high");
    check_tier(catalogue, CURRENCY_USD, 100001, "datacenter", "unlimited");
    check_tier(catalogue, CURRENCY_USD, 800000, "workstation", "high");
    check_tier(catalogue, CURRENCY_USD, 800001, "workstation", "unlimited");
    check_tier(catalogue, CURRENCY_CNY, 300000, "consumer", "low");
    check_tier(catalogue, CURRENCY_CNY, 6000001, "consumer", "unlimited");
    check_tier(catalogue, CURRENCY_EUR, 40001, "consumer", "mid");
    (void)tap_ok(catalogue_tier_of(catalogue, CURRENCY_USD, MONEY_UNKNOWN, "consumer") == NULL,
                 "an unknown price is in no band");
}

static bool is_same_offer(const struct cloud_offer *a, const struct cloud_offer *b)
{
    bool has_same_type = (a->instance_type == NULL && b->instance_type == NULL) ||
                         text_is(a->instance_type, b->instance_type);
    bool has_same_region =
        (a->region == NULL && b->region == NULL) || text_is(a->region, b->region);
    bool has_count = a->gpu_count >= b->gpu_count && a->gpu_count <= b->gpu_count;

    return text_is(a->provider, b->provider) && has_same_type &&
           text_is(a->gpu_slug, b->gpu_slug) && has_same_region && has_count;
}

static void test_offers(const struct catalogue *catalogue)
{
    size_t wrong = 0;
    size_t converted = 0;
    size_t old = 0;

    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];
        bool is_newest = true;

        for (size_t j = 0; j < catalogue->cloud_offer_count; j++) {
            const struct cloud_offer *other = &catalogue->cloud_offers[j];

            if (is_same_offer(offer, other) && other->observed_on.day > offer->observed_on.day) {
                is_newest = false;
            }
        }
        /* only offers of cards: is_same_offer() does not compare the others */
        wrong += offer->gpu_slug != NULL && offer->is_newest != is_newest ? 1 : 0;
        wrong += (offer->gpu != NULL) ==
                         text_is(offer->gpu == NULL ? NULL : offer->gpu->id, offer->gpu_slug)
                     ? 0
                     : 1;
        old += is_newest ? 0 : 1;
        if (text_is(offer->currency, "CNY")) {
            int64_t usd_micros =
                catalogue_convert(catalogue, offer->ondemand_per_hour_micros, "CNY", "USD", NULL);

            wrong += offer->usd_per_hour_micros == usd_micros ? 0 : 1;
            converted++;
        } else if (text_is(offer->currency, "USD")) {
            wrong += offer->usd_per_hour_micros == offer->ondemand_per_hour_micros ? 0 : 1;
        }
    }
    (void)tap_ok(wrong == 0 && old > 0, "only the newest of the same offer is newest");
    (void)tap_ok(converted > 0, "offers in CNY are converted");
}

static void test_references(const struct catalogue *catalogue)
{
    struct catalogue *copy = copy_rows(catalogue, KEPT);

    (void)tap_ok(copy->reference_count == 1, "a new catalogue has one reference");
    (void)tap_ok(catalogue_ref(copy) == copy && copy->reference_count == 2, "another one");
    catalogue_unref(copy);
    (void)tap_ok(copy->reference_count == 1, "and given back");
    catalogue_unref(copy);
    catalogue_unref(NULL);
    (void)tap_ok(!text_is(NULL, NULL) && !text_is("a", NULL) && text_is("a", "a"),
                 "unknown texts are not equal");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_order(catalogue);
    test_revision(catalogue);
    test_broken(catalogue);
    test_look_ups(catalogue);
    test_prices(catalogue);
    test_support(catalogue);
    test_convert(catalogue);
    test_rate_choice(catalogue);
    test_tiers(catalogue);
    test_offers(catalogue);
    test_references(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
