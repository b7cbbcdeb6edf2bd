/* Exact money arithmetic. No state. */
#include "money.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static const int64_t MONEY_UNITS_MAX = 1000000000000; /* 10^12 units: more is a typing error */
static const double MICROS_LIMIT = 1e18;              /* well inside int64_t */

bool money_parse(const char *text, size_t length, int64_t *micros)
{
    int64_t units = 0;
    int64_t fraction = 0;
    int64_t weight = MONEY_MICROS_PER_UNIT;
    size_t i = 0;

    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        units = units * 10 + (text[i] - '0');
        if (units > MONEY_UNITS_MAX) {
            return false;
        }
    }
    if (i == 0) {
        return false;
    }
    if (i < length && text[i] == '.') {
        size_t first = ++i;

        for (; i < length && text[i] >= '0' && text[i] <= '9' && weight > 1; i++) {
            weight /= 10;
            fraction += (text[i] - '0') * weight;
        }
        if (i == first) {
            return false;
        }
    }
    if (i != length) {
        return false;
    }
    *micros = units * MONEY_MICROS_PER_UNIT + fraction;
    return true;
}

int64_t money_times(int64_t micros, double factor)
{
    if (micros == MONEY_UNKNOWN) {
        return MONEY_UNKNOWN;
    }
    double product = nearbyint((double)micros * factor); /* default mode: half to even */

    if (!(fabs(product) < MICROS_LIMIT)) {
        return MONEY_UNKNOWN;
    }
    return (int64_t)product;
}

int64_t money_round_to_cent(int64_t micros)
{
    if (micros == MONEY_UNKNOWN) {
        return MONEY_UNKNOWN;
    }
    int64_t cents = micros / MONEY_MICROS_PER_CENT;
    int64_t rest = micros % MONEY_MICROS_PER_CENT;
    int64_t sign = micros < 0 ? -1 : 1;
    int64_t half = MONEY_MICROS_PER_CENT / 2;

    if (rest * sign > half || (rest * sign == half && cents % 2 != 0)) {
        cents += sign;
    }
    return cents * MONEY_MICROS_PER_CENT;
}

double money_to_units(int64_t micros)
{
    return micros == MONEY_UNKNOWN ? (double)NAN : (double)micros / MONEY_MICROS_PER_UNIT;
}

int64_t money_from_units(double units)
{
    return money_times(MONEY_MICROS_PER_UNIT, units);
}

void money_format(int64_t micros, char text[MONEY_TEXT_BYTES])
{
    assert(micros != MONEY_UNKNOWN);

    int64_t rounded = money_round_to_cent(micros);
    const char *sign = rounded < 0 ? "-" : "";
    int64_t cents = (rounded < 0 ? -rounded : rounded) / MONEY_MICROS_PER_CENT;

    if (cents % 100 == 0) {
        (void)snprintf(text, MONEY_TEXT_BYTES, "%s%lld", sign, (long long)(cents / 100));
    } else {
        (void)snprintf(text, MONEY_TEXT_BYTES, "%s%lld.%02d", sign, (long long)(cents / 100),
                       (int)(cents % 100));
    }
}
