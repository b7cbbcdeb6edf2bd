/* db/fact_value.c: every type reads what it should and refuses the rest. */
#include "../../db/fact_value.h"
#include "../tap.h"

static struct fact_column column_of(enum fact_type type, double minimum, double maximum)
{
    return (struct fact_column){
        .name = "c", .sql_name = "c", .type = type, .minimum = minimum, .maximum = maximum};
}

static bool read_text(const struct fact_column *column, const char *text, struct fact_value *value,
                      struct fact_fault *fault)
{
    return fact_value_read(column, text, strlen(text), value, fault);
}

static void refused(const struct fact_column *column, const char *text, const char *wanted)
{
    char reason[256];
    struct fact_fault fault;
    struct fact_value value;

    (void)tap_ok(!read_text(column, text, &value, &fault), "\"%s\" is refused", text);
    text_print(SAY(fault.text, fault.first), LANGUAGE_EN, reason, sizeof reason);
    (void)tap_text(reason, wanted, "... with the reason");
}

static void test_numbers(void)
{
    static const char *const BAD[] = {"1e3", "1,000", "+1",    " 1",          "1 ",
                                      ".5",  "1.",    "-",     "--1",         "0x10",
                                      "nan", "inf",   "1.2.3", "\xef\xbc\x91"};
    struct fact_column number = column_of(FACT_NUMBER, -10, 1000);
    struct fact_column whole = column_of(FACT_INTEGER, (double)NAN, (double)NAN);
    struct fact_fault fault;
    struct fact_value value;

    (void)tap_ok(read_text(&number, "0.1", &value, &fault) && value.kind == FACT_VALUE_REAL &&
                     value.real == 0.1,
                 "0.1 is the double nearest to it");
    (void)tap_ok(read_text(&number, "-10", &value, &fault) && value.real == -10.0,
                 "limits included");
    refused(&number, "-10.5", "is less than -10");
    refused(&number, "1000.5", "is more than 1000");
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        refused(&number, BAD[i], "is no plain decimal number");
    }
    refused(&number, "1.00000000000000000000000000000000000000000", "is no plain decimal number");
    (void)tap_ok(read_text(&whole, "6738415616", &value, &fault) &&
                     value.kind == FACT_VALUE_INTEGER && value.integer == 6738415616,
                 "whole numbers above 2^32");
    refused(&whole, "64.0", "is no whole number");
    refused(&whole, "9007199254740994", "is too large");
}

static void test_money(void)
{
    struct fact_column money = column_of(FACT_MONEY, 0.01, 10000000);
    struct fact_fault fault;
    struct fact_value value;

    (void)tap_ok(read_text(&money, "15770.49", &value, &fault) &&
                     value.kind == FACT_VALUE_INTEGER && value.integer == 15770490000,
                 "15770.49 is 15770490000 micro-units");
    (void)tap_ok(read_text(&money, "0.315563", &value, &fault) && value.integer == 315563,
                 "six decimals are exact");
    refused(&money, "0", "is less than 0.01");
    refused(&money, "-5", "is no amount of money (digits, perhaps a point and up to 6 more)");
    refused(&money, "1.1234567",
            "is no amount of money (digits, perhaps a point and up to 6 more)");
}

static void test_texts(void)
{
    struct fact_column date = column_of(FACT_DATE, (double)NAN, (double)NAN);
    struct fact_column word = column_of(FACT_TEXT, (double)NAN, (double)NAN);
    struct fact_fault fault;
    struct fact_value value;

    (void)tap_ok(read_text(&date, "2024-02-29", &value, &fault) && value.kind == FACT_VALUE_TEXT,
                 "a leap day");
    (void)tap_ok(read_text(&date, "2024-02", &value, &fault) &&
                     read_text(&date, "2024", &value, &fault),
                 "a month and a year");
    refused(&date, "2023-02-29", "is no date that exists (YYYY, YYYY-MM or YYYY-MM-DD)");
    refused(&date, "30.11.2026", "is no date that exists (YYYY, YYYY-MM or YYYY-MM-DD)");
    word.choices = "new|used|msrp";
    (void)tap_ok(read_text(&word, "new", &value, &fault) &&
                     read_text(&word, "msrp", &value, &fault),
                 "first and last word of a list");
    refused(&word, "ne", "is none of new|used|msrp");
    refused(&word, "new|used", "is none of new|used|msrp");
    refused(&word, "New", "is none of new|used|msrp");
    (void)tap_ok(read_text(&word, "", &value, &fault) && value.kind == FACT_VALUE_NULL,
                 "empty is unknown");
    word.is_required = true;
    refused(&word, "", "must not be empty");
}

int main(void)
{
    test_numbers();
    test_money();
    test_texts();
    return tap_done();
}
