/* Tests handlers/engine/day.c. */
#include "day.h"

#include "tests/tap.h"

/* Day numbers from `date -u -d 1999-12-31 +%s` divided by 86400. */
static const struct {
    const char *text;
    int32_t day;
} KNOWN[] = {
    {"1970-01-01", 0},     {"1969-12-31", -1},    {"1900-01-01", -25567}, {"1999-12-31", 10956},
    {"2000-02-29", 11016}, {"2000-03-01", 11017}, {"2024-02-29", 19782},  {"2026-11-30", 20787},
    {"2199-12-31", 84005}, {"2100-03-01", 47541},
};

static const char *const BROKEN[] = {
    "",           "2026-",      "2026-1",      "2026-13",
    "2026-00",    "2026-11-31", "2026-02-29",  "2100-02-29",
    "1899-12-31", "2200-01-01", "2026/11/30",  "2026-11-3",
    "26-11-30",   "2026-11-00", "2026-11-30 ", " 2026-11-30",
    "+026-11-30", "2026-1a-01", "2026-11-301", "20261130",
};

static void test_parse(void)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        char text[DAY_TEXT_BYTES];
        int32_t day = DAY_UNKNOWN;
        bool is_read = day_parse(KNOWN[i].text, strlen(KNOWN[i].text), &day);

        (void)tap_ok(is_read && day == KNOWN[i].day, "%s is day %d", KNOWN[i].text,
                     (int)KNOWN[i].day);
        day_format(KNOWN[i].day, text);
        (void)tap_text(text, KNOWN[i].text, "and back");
    }
    for (size_t i = 0; i < sizeof BROKEN / sizeof BROKEN[0]; i++) {
        int32_t day = 7;
        bool is_read = day_parse(BROKEN[i], strlen(BROKEN[i]), &day);

        (void)tap_ok(!is_read && day == 7, "'%s' is no date and changes nothing", BROKEN[i]);
    }
}

static void test_precision(void)
{
    int32_t year = 0;
    int32_t month = 0;
    int32_t day = 0;

    (void)tap_ok(day_parse("2022", 4, &year) && day_parse("2022-01-01", 10, &day) && year == day,
                 "a year counts as its first day");
    (void)tap_ok(day_parse("2022-11", 7, &month) && day_parse("2022-11-01", 10, &day) &&
                     month == day,
                 "a month counts as its first day");
    (void)tap_ok(day_parse("2022-11-30 and more", 10, &day), "only the given length is read");
}

static void test_every_day(void)
{
    int32_t first = 0;
    int32_t last = 0;
    bool is_same = day_parse("1900-01-01", 10, &first) && day_parse("2199-12-31", 10, &last);

    for (int32_t day = first; day <= last && is_same; day++) {
        char text[DAY_TEXT_BYTES];
        int32_t back = DAY_UNKNOWN;

        day_format(day, text);
        is_same = day_parse(text, strlen(text), &back) && back == day;
    }
    (void)tap_ok(is_same, "every day of 1900 to 2199 goes to text and back");
    /* leap years: 1904, 1908 to 2196 without 2100, that is 73 */
    (void)tap_ok(last - first + 1 == 300 * 365 + 73, "300 years have 300 x 365 + 73 days");
}

static void test_years(void)
{
    /* 2020-01-01 to 2024-01-01: 1461 days / 365.2425 = 4.00008 */
    (void)tap_near(day_years_between(18262, 19723), 1461 / 365.2425, 1e-12, "four years");
    (void)tap_near(day_years_between(19723, 18262), -1461 / 365.2425, 1e-12,
                   "backwards is negative");
}

int main(void)
{
    test_parse();
    test_precision();
    test_every_day();
    test_years();
    return tap_done();
}
