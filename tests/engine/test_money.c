/* Tests handlers/engine/money.c. */
#include "money.h"

#include "tests/tap.h"

static const struct {
    const char *text;
    int64_t micros;
} READABLE[] = {
    {"0", 0},
    {"699", 699000000},
    {"15770.49", 15770490000},
    {"0.000001", 1},
    {"0.315563", 315563}, /* a spot price of tpus.csv */
    {"007", 7000000},
    {"1000000000000", 1000000000000000000},
};

static const char *const BROKEN[] = {
    "",
    "-1",
    "+1",
    "1e3",
    "1,000",
    " 1",
    "1 ",
    ".5",
    "5.",
    "1.0000001",
    "$1",
    "1_0",
    "nan",
    "0x10",
    "1000000000001",
    "99999999999999999999999",
    "１",
    "1.2.3",
};

static void test_parse(void)
{
    for (size_t i = 0; i < sizeof READABLE / sizeof READABLE[0]; i++) {
        int64_t micros = -1;
        bool is_read = money_parse(READABLE[i].text, strlen(READABLE[i].text), &micros);

        (void)tap_ok(is_read && micros == READABLE[i].micros, "%s is read exactly",
                     READABLE[i].text);
    }
    for (size_t i = 0; i < sizeof BROKEN / sizeof BROKEN[0]; i++) {
        int64_t micros = -1;
        bool is_read = money_parse(BROKEN[i], strlen(BROKEN[i]), &micros);

        (void)tap_ok(!is_read && micros == -1, "'%s' is no amount and changes nothing", BROKEN[i]);
    }
    int64_t micros = -1;

    (void)tap_ok(!money_parse("1\0"
                              "2",
                              3, &micros),
                 "a NUL inside is no amount");
}

static void test_arithmetic(void)
{
    (void)tap_ok(money_times(1000000, 6.7046) == 6704600, "1 x 6.7046");
    (void)tap_ok(money_times(1, 0.5) == 0 && money_times(3, 0.5) == 2,
                 "halves go to the even micro");
    (void)tap_ok(money_times(MONEY_UNKNOWN, 2) == MONEY_UNKNOWN, "unknown stays unknown");
    (void)tap_ok(money_times(5, (double)NAN) == MONEY_UNKNOWN, "an unknown factor makes unknown");
    (void)tap_ok(money_times(1000000000000000000, 2) == MONEY_UNKNOWN, "out of range is unknown");
    (void)tap_ok(isnan(money_to_units(MONEY_UNKNOWN)), "unknown is no number");
    (void)tap_near(money_to_units(15770490000), 15770.49, 1e-12, "to units");
    (void)tap_ok(money_from_units(699.99) == 699990000, "from units");
    (void)tap_ok(money_from_units((double)NAN) == MONEY_UNKNOWN, "from no number");
}

static const struct {
    int64_t micros;
    const char *text;
} PRINTED[] = {
    {704000000, "704"},
    {15770490000, "15770.49"},
    {5000, "0"},
    {15000, "0.02"},
    {25000, "0.02"},
    {5001, "0.01"},
    {-15000, "-0.02"},
    {-25000, "-0.02"},
    {1999995000, "2000"},
    {100000, "0.10"},
    {0, "0"},
    {12345678, "12.35"},
};

static void test_format(void)
{
    for (size_t i = 0; i < sizeof PRINTED / sizeof PRINTED[0]; i++) {
        char text[MONEY_TEXT_BYTES];

        money_format(PRINTED[i].micros, text);
        (void)tap_text(text, PRINTED[i].text, "rounded half-even to the cent, as printed");
    }
    (void)tap_ok(money_round_to_cent(MONEY_UNKNOWN) == MONEY_UNKNOWN, "unknown is not rounded");
}

int main(void)
{
    test_parse();
    test_arithmetic();
    test_format();
    return tap_done();
}
