/* The JSON writer of the hot path; what is known when a snapshot is built is spliced in ready
 * (rows.c). It checks no grammar: tests parse every body with Jansson. One thread per writer. */
#include "json_out.h"

#include "engine/money.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_DIGITS_MAX = 20 };
enum {
    EXACT_DIGITS = 15,   /* a decimal of so many digits survives a double (DBL_DIG) */
    ESTIMATE_DIGITS = 6, /* more than any model knows, enough to compare two answers */
    FIXED_DECIMALS = 4   /* decimals beyond the digits kept, for zeros behind the point */
};

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53: every whole double below is exact */
static const double FIXED_MIN = 1e-5; /* smaller and larger ones are rare and left to printf */
static const double FIXED_MAX = 1e15;

/* A value or key follows another one unless an opening byte or a colon stands before it: text ends
 * with a quotation mark, so that the last byte tells. */
static void separate(struct json_out *out)
{
    const struct text_out *text = &out->text;
    char last = text->length == 0 ? '[' : text->bytes[text->length - 1];

    if (last != '{' && last != '[' && last != ':') {
        text_out_byte(&out->text, ',');
    }
}

void json_out_init(struct json_out *out, struct arena *arena)
{
    text_out_init(&out->text, arena);
}

void json_out_open_object(struct json_out *out)
{
    separate(out);
    text_out_byte(&out->text, '{');
}

void json_out_close_object(struct json_out *out)
{
    text_out_byte(&out->text, '}');
}

void json_out_open_array(struct json_out *out)
{
    separate(out);
    text_out_byte(&out->text, '[');
}

void json_out_close_array(struct json_out *out)
{
    text_out_byte(&out->text, ']');
}

/* Escapes what RFC 8259 section 7 demands; everything else stands as it is. */
static void put_text(struct json_out *out, const char *text, size_t length)
{
    size_t done = 0;

    text_out_byte(&out->text, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        char escape[8];

        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        text_out_bytes(&out->text, text + done, i - done);
        done = i + 1;
        if (byte == '"' || byte == '\\') {
            text_out_byte(&out->text, '\\');
            text_out_byte(&out->text, (char)byte);
        } else {
            (void)snprintf(escape, sizeof escape, "\\u%04x", byte);
            text_out_bytes(&out->text, escape, 6);
        }
    }
    text_out_bytes(&out->text, text + done, length - done);
    text_out_byte(&out->text, '"');
}

void json_out_key(struct json_out *out, const char *key)
{
    separate(out);
    put_text(out, key, strlen(key));
    text_out_byte(&out->text, ':');
}

void json_out_text(struct json_out *out, const char *text)
{
    if (text == NULL) {
        json_out_null(out);
    } else {
        separate(out);
        put_text(out, text, strlen(text));
    }
}

/* Decimal digits of a whole number; returns their count. */
static size_t whole_text(uint64_t whole, char *text)
{
    char reversed[TEXT_DIGITS_MAX];
    size_t count = 0;

    do {
        reversed[count++] = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole != 0);
    for (size_t i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

/* Number in [FIXED_MIN, FIXED_MAX): scaled to whole units of the last digit kept, then written with
 * the point put back and trailing zeros left out. */
static size_t fixed_text(double number, int digits, char *text)
{
    static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
    int decimals = digits + FIXED_DECIMALS;
    double bound = FIXED_MIN * 10;

    /* the digits before the point (or the zeros behind it) decide how many decimals are kept */
    while (number >= bound) {
        bound *= 10;
        decimals--;
    }
    if (decimals <= 0) { /* llrint() rounds half to even */
        return whole_text(
            (uint64_t)llrint(number / POWERS[-decimals]) * (uint64_t)POWERS[-decimals], text);
    }
    uint64_t units = (uint64_t)llrint(number * POWERS[decimals]);

    while (decimals > 0 && units % 10 == 0) {
        units /= 10;
        decimals--;
    }
    uint64_t power = (uint64_t)POWERS[decimals];
    size_t length = whole_text(units / power, text);

    if (decimals > 0) {
        uint64_t rest = units % power;

        text[length++] = '.';
        for (int i = decimals - 1; i >= 0; i--) {
            text[length + (size_t)i] = (char)('0' + rest % 10);
            rest /= 10;
        }
        length += (size_t)decimals;
    }
    return length;
}

static size_t number_text(double number, int digits, double whole_max,
                          char text[JSON_OUT_NUMBER_BYTES])
{
    double magnitude = fabs(number);
    size_t sign = number < 0 ? 1 : 0;

    if (!isfinite(number)) {
        memcpy(text, "null", 5);
        return 4;
    }
    text[0] = '-';
    if (magnitude < whole_max && floor(magnitude) == magnitude) {
        return sign + whole_text((uint64_t)magnitude, text + sign);
    }
    if (magnitude >= FIXED_MIN && magnitude < FIXED_MAX) {
        return sign + fixed_text(magnitude, digits, text + sign);
    }
    return (size_t)snprintf(text, JSON_OUT_NUMBER_BYTES, "%.*g", digits, number);
}

size_t json_out_number_text(double number, char text[JSON_OUT_NUMBER_BYTES])
{
    return number_text(number, EXACT_DIGITS, WHOLE_MAX, text);
}

size_t json_out_estimate_text(double number, char text[JSON_OUT_NUMBER_BYTES])
{
    return number_text(number, ESTIMATE_DIGITS, 1e6, text);
}

void json_out_number(struct json_out *out, double number)
{
    char text[JSON_OUT_NUMBER_BYTES];
    size_t length = json_out_number_text(number, text);

    separate(out);
    text_out_bytes(&out->text, text, length);
}

void json_out_estimate(struct json_out *out, double number)
{
    char text[JSON_OUT_NUMBER_BYTES];
    size_t length = json_out_estimate_text(number, text);

    separate(out);
    text_out_bytes(&out->text, text, length);
}

void json_out_count(struct json_out *out, size_t count)
{
    char text[TEXT_DIGITS_MAX];
    size_t length = whole_text(count, text);

    separate(out);
    text_out_bytes(&out->text, text, length);
}

void json_out_money(struct json_out *out, int64_t micros)
{
    char text[MONEY_TEXT_BYTES];

    if (micros == MONEY_UNKNOWN) {
        json_out_null(out);
        return;
    }
    money_format(micros, text);
    separate(out);
    text_out_bytes(&out->text, text, strlen(text));
}

void json_out_money_exact(struct json_out *out, int64_t micros)
{
    json_out_number(out, money_to_units(micros));
}

void json_out_bool(struct json_out *out, bool value)
{
    separate(out);
    text_out_bytes(&out->text, value ? "true" : "false", value ? 4 : 5);
}

void json_out_null(struct json_out *out)
{
    separate(out);
    text_out_bytes(&out->text, "null", 4);
}

void json_out_raw(struct json_out *out, const char *bytes, size_t length)
{
    if (length > 0) {
        separate(out);
        text_out_bytes(&out->text, bytes, length);
    }
}

void json_out_open_object_at(struct json_out *out, const char *key)
{
    json_out_key(out, key);
    json_out_open_object(out);
}

void json_out_open_array_at(struct json_out *out, const char *key)
{
    json_out_key(out, key);
    json_out_open_array(out);
}

void json_out_text_at(struct json_out *out, const char *key, const char *text)
{
    json_out_key(out, key);
    json_out_text(out, text);
}

void json_out_number_at(struct json_out *out, const char *key, double number)
{
    json_out_key(out, key);
    json_out_number(out, number);
}

void json_out_estimate_at(struct json_out *out, const char *key, double number)
{
    json_out_key(out, key);
    json_out_estimate(out, number);
}

void json_out_count_at(struct json_out *out, const char *key, size_t count)
{
    json_out_key(out, key);
    json_out_count(out, count);
}

void json_out_money_at(struct json_out *out, const char *key, int64_t micros)
{
    json_out_key(out, key);
    json_out_money(out, micros);
}

void json_out_money_exact_at(struct json_out *out, const char *key, int64_t micros)
{
    json_out_key(out, key);
    json_out_money_exact(out, micros);
}

void json_out_bool_at(struct json_out *out, const char *key, bool value)
{
    json_out_key(out, key);
    json_out_bool(out, value);
}

void json_out_null_at(struct json_out *out, const char *key)
{
    json_out_key(out, key);
    json_out_null(out);
}
