/* checkup.c: each kind of fault and warning, by spoiling one value of the shipped facts at a time;
 * what db/check.c adds is in tests/db/test_check.c. */
#include "../../handlers/engine/checkup.h"

#include "../../handlers/engine/money.h"
#include "../catalogue_fixture.h"
#include "../tap.h"

enum { LINES_BYTES = 65536 };

static char lines[LINES_BYTES];
static size_t used;
static struct checkup checkup;

static void take(void *data, enum checkup_level level, const char *topic, const char *text)
{
    int length = snprintf(lines + used, sizeof lines - used, "%d %s %s\n", (int)level, topic, text);

    (void)data;
    used += length > 0 ? (size_t)length : 0;
}

static void look(const struct catalogue *catalogue, int32_t day)
{
    struct error err = {0};

    used = 0;
    lines[0] = '\0';
    checkup = (struct checkup){.tell = take};
    if (!checkup_catalogue(&checkup, catalogue, day, &err)) {
        test_bail_out("no memory", err.text);
    }
}

/* One fault, which is this one. */
static void faulty(const struct catalogue *catalogue, const char *line, const char *name)
{
    look(catalogue, TEST_DAY);
    bool is_good = checkup.count[CHECKUP_FAULT] == 1 && strstr(lines, line) != NULL;

    tap_ok(is_good, "%s", name);
    if (!is_good) {
        printf("# %zu faults, no line %s", checkup.count[CHECKUP_FAULT], line);
    }
}

static void test_currencies(struct catalogue *catalogue)
{
    struct price *price = &catalogue->prices[5];
    struct price good = *price;

    look(catalogue, TEST_DAY);
    tap_ok(strstr(lines, "1 no-exchange-rate 16 rows in a currency without an exchange rate, which"
                         " advise nobody: RUB") != NULL,
           "shipped prices in roubles have no rate");
    price->currency = "RMB";
    look(catalogue, TEST_DAY);
    tap_ok(strstr(lines, "1 no-exchange-rate 17 rows in a currency without an exchange rate, which"
                         " advise nobody: RMB, RUB") != NULL,
           "another without one is told");
    *price = good;
}

static void test_rules(struct catalogue *catalogue)
{
    struct gpu *gpu = &catalogue->gpus[3];
    struct gpu good = *gpu;
    struct price *price = &catalogue->prices[5];
    struct price good_price = *price;
    char line[256];

    gpu->memory_gib = 5000;
    (void)snprintf(line, sizeof line,
                   "2 gpus 1 values outside their rules: memory_gib of %s is out"
                   " of range\n",
                   gpu->id);
    faulty(catalogue, line, "a number above its range");
    *gpu = good;
    gpu->memory_gib = (double)NAN;
    (void)snprintf(line, sizeof line, "memory_gib of %s is missing\n", gpu->id);
    faulty(catalogue, line, "a number that must be known");
    *gpu = good;
    gpu->segment = "household";
    (void)snprintf(line, sizeof line, "segment of %s is not allowed\n", gpu->id);
    faulty(catalogue, line, "a word that is none of the choices");
    gpu->segment = "datacen";
    faulty(catalogue, line, "nor is the beginning of one");
    *gpu = good;
    gpu->source = NULL;
    (void)snprintf(line, sizeof line, "source of %s is missing\n", gpu->id);
    faulty(catalogue, line, "a text that must be there");
    *gpu = good;
    price->amount_micros = 0;
    (void)snprintf(line, sizeof line, "amount of %s is out of range\n", price->gpu_slug);
    faulty(catalogue, line, "an amount of nothing");
    *price = good_price;
    price->observed_on = (struct date){.text = "1492-10-12", .day = DAY_UNKNOWN};
    (void)snprintf(line, sizeof line, "observed_on of %s is no date of 1900 to 2199\n",
                   price->gpu_slug);
    faulty(catalogue, line, "a date out of time");
    *price = good_price;
    for (size_t i = 0; i < 9; i++) {
        catalogue->gpus[i].slots = 99;
    }
    look(catalogue, TEST_DAY);
    tap_ok(strstr(lines, "2 gpus 9 values outside their rules: slots of ") != NULL &&
               strstr(lines, " and more\n") != NULL,
           "nine faults are one line with a few of them");
}

static void test_ages(struct catalogue *catalogue)
{
    int32_t day = catalogue->cloud_offers[0].observed_on.day;

    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        catalogue->cloud_offers[i].observed_on.day = day;
    }
    look(catalogue, day + 30);
    tap_ok(strstr(lines, "0 offers 0 of ") != NULL, "30 days old, and no offer is stale");
    look(catalogue, day + 31);
    tap_ok(strstr(lines, "1 offers 0 of ") == NULL && strstr(lines, "1 offers ") != NULL &&
               strstr(lines, "31 days ago\n") != NULL,
           "a day later all are");
    for (size_t i = 0; i < catalogue->tpu_count; i++) {
        catalogue->tpus[i].price_observed_on.day = day - (int32_t)i % 2;
    }
    catalogue->tpus[0].price_observed_on = (struct date){.text = NULL, .day = DAY_UNKNOWN};
    look(catalogue, day + 30);
    char line[128];

    (void)snprintf(line, sizeof line, "1 tpus %zu of %zu are older than 30 days;",
                   catalogue->tpu_count / 2 + 1, catalogue->tpu_count);
    tap_ok(strstr(lines, line) != NULL, "prices of TPUs age alike, and one without a date is old");
    catalogue->cloud_offers[7].observed_on.day = day + 2;
    look(catalogue, day + 1);
    tap_ok(strstr(lines, "offers seen on a day to come") == NULL, "it may be tomorrow elsewhere");
    look(catalogue, day);
    tap_ok(strstr(lines, "1 dates 1 offers seen on a day to come: ") != NULL,
           "but not the day after");
}

static void test_cards(struct catalogue *catalogue)
{
    struct gpu *gpu = &catalogue->gpus[10];
    char line[256];

    gpu->price_count = 0;
    memset(gpu->support, 0, sizeof gpu->support);
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        catalogue->aliases[i].gpu =
            catalogue->aliases[i].gpu == gpu ? NULL : catalogue->aliases[i].gpu;
    }
    look(catalogue, TEST_DAY);
    (void)snprintf(line, sizeof line, "1 cards 1 cards whose support is not known: %s\n", gpu->id);
    tap_ok(strstr(lines, line) != NULL, "a card without support");
    (void)snprintf(line, sizeof line, "1 cards 1 cards with no name but their id: %s\n", gpu->id);
    tap_ok(strstr(lines, line) != NULL, "a card without a name");
    tap_ok(strstr(lines, " cards without a price: ") != NULL, "cards without a price");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    look(catalogue, TEST_DAY);
    tap_ok(checkup.count[CHECKUP_FAULT] == 0 && strstr(lines, "0 facts ") != NULL,
           "the shipped facts keep their rules");
    tap_ok(strstr(lines, "whose support is not known") == NULL &&
               strstr(lines, "with no name but their id") == NULL &&
               strstr(lines, "a day to come") == NULL && strstr(lines, "of a model") == NULL,
           "each card has support and names, nothing is of the future");
    test_ages(catalogue);
    test_cards(catalogue);
    test_currencies(catalogue);
    test_rules(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
