/* The JSON writer, with Jansson and printf as oracles. */
#include "../../handlers/json_out.h"

#include "../../handlers/engine/money.h"
#include "../tap.h"

#include <jansson.h>
#include <stdlib.h>

static char text_room[JSON_OUT_NUMBER_BYTES];

static const char *number_text(double number)
{
    text_room[json_out_number_text(number, text_room)] = '\0';
    return text_room;
}

static const char *estimate_text(double number)
{
    text_room[json_out_estimate_text(number, text_room)] = '\0';
    return text_room;
}

static void test_numbers(void)
{
    tap_text(number_text(0), "0", "zero");
    tap_text(number_text(-0.0), "0", "minus zero is zero");
    tap_text(number_text(0.1), "0.1", "a tenth has no tail");
    tap_text(number_text(-2.5), "-2.5", "a negative number");
    tap_text(number_text(15770.49), "15770.49", "cents");
    tap_text(number_text(6738415616.0), "6738415616", "whole numbers keep every digit");
    tap_text(number_text(9007199254740991.0), "9007199254740991", "up to 2^53");
    tap_text(number_text(0.00001), "0.00001", "the smallest fixed one");
    tap_text(number_text(123456789.5), "123456789.5", "a fact keeps its fraction");
    tap_text(number_text(0.155), "0.155", "a price a kWh");
    tap_text(number_text(1234567890123.25), "1234567890123.25", "fifteen digits");
    tap_text(number_text(100000000000000.7), "100000000000001", "no more than fifteen");
    tap_text(number_text(0.0000123456789012345), "0.0000123456789012345", "zeros do not count");
    tap_text(number_text(0.9999999999999996), "1", "rounding carries through the point");
    tap_text(number_text((double)NAN), "null", "NaN is null");
    tap_text(number_text(-(double)INFINITY), "null", "infinity is null");
    tap_text(number_text(1e300), "1e+300", "huge");
}

static void test_estimates(void)
{
    tap_text(estimate_text(0), "0", "zero");
    tap_text(estimate_text(-0.0), "0", "minus zero is zero");
    tap_text(estimate_text(8), "8", "a whole one");
    tap_text(estimate_text(206.664621), "206.665", "six digits");
    tap_text(estimate_text(-0.976790368), "-0.97679", "also of a negative one, without a tail");
    tap_text(estimate_text(11998.7803), "11998.8", "five digits before the point");
    tap_text(estimate_text(999999.5), "1000000", "rounding carries");
    tap_text(estimate_text(1234567.89), "1234570", "further digits before the point are zeros");
    tap_text(estimate_text(6738415616.0), "6738420000", "of a whole number too");
    tap_text(estimate_text(0.0000123456789), "0.0000123457", "a small one");
    tap_text(estimate_text(1.23456789e-7), "1.23457e-07", "a tiny one");
    tap_text(estimate_text(1.23456789e20), "1.23457e+20", "a huge one");
    tap_text(estimate_text((double)NAN), "null", "NaN is null");
}

/* Every magnitude, thirty mantissas each: at most half a unit of the last digit kept away. */
static void test_number_sweep(void)
{
    bool is_close = true;
    bool is_short = true;
    bool is_rounded = true;

    for (int exponent = -12; exponent < 18; exponent++) {
        for (int i = 1; i <= 30; i++) {
            double number = (1 + i * 0.2973148) * pow(10, exponent);
            char shortest[32];

            (void)snprintf(shortest, sizeof shortest, "%.15g", number);
            const char *found = number_text(number);

            is_close = is_close && fabs(strtod(found, NULL) - number) <= number * 5.0000001e-15;
            is_short = is_short && (strlen(found) <= strlen(shortest) + 12);
            found = estimate_text(number);
            is_rounded = is_rounded && fabs(strtod(found, NULL) - number) <= number * 5.0000001e-6;
        }
    }
    tap_ok(is_close, "900 numbers keep fifteen significant digits");
    tap_ok(is_rounded, "and six as estimates");
    tap_ok(is_short, "and are not much longer than printf's");
}

static void test_document(struct arena *arena)
{
    struct json_out out;
    char text[257];

    for (int i = 0; i < 256; i++) {
        text[i] = (char)(i < 127 ? i + 1 : 'x');
    }
    text[256] = '\0';
    json_out_init(&out, arena);
    json_out_open_object(&out);
    json_out_text_at(&out, "all \"bytes\"\n", text);
    json_out_text_at(&out, "zh", "显卡");
    json_out_text_at(&out, "none", NULL);
    json_out_money_at(&out, "money", 2500000005000); /* 2500000.005: half to even */
    json_out_money_at(&out, "unknown", MONEY_UNKNOWN);
    json_out_money_exact_at(&out, "hourly", 93965); /* 0.093965: a cent is too coarse */
    json_out_money_exact_at(&out, "never", MONEY_UNKNOWN);
    json_out_raw(&out, "\"a\":1,\"b\":[]", 12);
    json_out_raw(&out, "", 0);
    json_out_open_array_at(&out, "list");
    json_out_count(&out, 18446744073709551615U);
    json_out_bool(&out, false);
    json_out_open_object(&out);
    json_out_close_object(&out);
    json_out_open_array(&out);
    json_out_close_array(&out);
    json_out_text(&out, "ends with [");
    json_out_number(&out, 3);
    json_out_close_array(&out);
    json_out_bool_at(&out, "yes", true);
    json_out_close_object(&out);
    json_t *read = json_loadb(out.text.bytes, out.text.length, JSON_DECODE_INT_AS_REAL, NULL);

    tap_ok(!out.text.has_failed && read != NULL, "Jansson reads the document");
    tap_text(json_string_value(json_object_get(read, "all \"bytes\"\n")), text,
             "escapes come back");
    tap_text(json_string_value(json_object_get(read, "zh")), "显卡", "UTF-8 stays");
    tap_near(json_real_value(json_object_get(read, "money")), 2500000, 0, "money to the even cent");
    tap_ok(json_is_null(json_object_get(read, "unknown")) &&
               json_is_null(json_object_get(read, "none")) &&
               json_is_null(json_object_get(read, "never")),
           "unknown is null");
    tap_near(json_real_value(json_object_get(read, "hourly")), 0.093965, 0,
             "hourly prices keep their fractions of a cent");
    tap_ok(json_array_size(json_object_get(read, "list")) == 6, "six elements");
    tap_ok(json_object_size(read) == 11, "spliced members count");
    json_decref(read);
}

static void test_growth(struct arena *arena)
{
    struct json_out out;

    json_out_init(&out, arena);
    json_out_open_array(&out);
    for (int i = 0; i < 100000; i++) {
        json_out_number(&out, i + 0.5);
    }
    json_out_close_array(&out);
    json_t *read = json_loadb(out.text.bytes, out.text.length, 0, NULL);

    tap_ok(json_array_size(read) == 100000, "the buffer grows");
    json_decref(read);
    arena_reset(arena);
    arena->maximum_bytes = 40000;
    json_out_init(&out, arena);
    for (int i = 0; i < 100000; i++) {
        json_out_text(&out, "more than fits");
    }
    tap_ok(out.text.has_failed, "running out of memory is remembered");
}

int main(void)
{
    struct arena arena;

    arena_init(&arena, 16 * 1024 * 1024);
    test_numbers();
    test_estimates();
    test_number_sweep();
    test_document(&arena);
    test_growth(&arena);
    arena_fini(&arena);
    return tap_done();
}
