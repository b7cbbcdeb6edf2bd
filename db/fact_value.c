/* Strict reading of numbers, money, dates and words. It knows no file and no database. */
#include "fact_value.h"

#include "../handlers/engine/day.h"
#include "../handlers/engine/money.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES_MAX = 40 }; /* more digits than that say more than a double can hold */

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53: larger whole numbers are not exact */

__attribute__((format(printf, 2, 3))) static bool refuse(char *reason, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(reason, FACT_VALUE_REASON_BYTES, format, arguments); /* a long list is cut */
    va_end(arguments);
    return false;
}

/* "-12.5": an optional minus, digits, perhaps a point and digits; no exponent, no blanks. */
static bool is_plain_decimal(const char *text, size_t length, bool is_whole)
{
    size_t i = text[0] == '-' ? 1 : 0;
    size_t digits = strspn(text + i, "0123456789");

    i += digits;
    if (digits > 0 && !is_whole && text[i] == '.') {
        digits = strspn(text + i + 1, "0123456789");
        i += 1 + digits;
    }
    return digits > 0 && i == length && length <= NUMBER_BYTES_MAX;
}

static bool is_in_range(const struct fact_column *column, double number, char *reason)
{
    if (!isnan(column->minimum) && number < column->minimum) {
        return refuse(reason, "is less than %.15g", column->minimum);
    }
    if (!isnan(column->maximum) && number > column->maximum) {
        return refuse(reason, "is more than %.15g", column->maximum);
    }
    return true;
}

static bool read_number(const struct fact_column *column, const char *text, size_t length,
                        struct fact_value *value, char *reason)
{
    bool is_whole = column->type == FACT_INTEGER;

    if (!is_plain_decimal(text, length, is_whole)) {
        return refuse(reason, is_whole ? "is no whole number" : "is no plain decimal number");
    }
    double number = strtod(text, NULL); /* the program stays in the C locale */

    if (is_whole && fabs(number) > WHOLE_MAX) {
        return refuse(reason, "is too large");
    }
    if (is_whole) {
        *value = (struct fact_value){.kind = FACT_VALUE_INTEGER, .integer = (int64_t)number};
    } else {
        *value = (struct fact_value){.kind = FACT_VALUE_REAL, .real = number};
    }
    return is_in_range(column, number, reason);
}

static bool read_money(const struct fact_column *column, const char *text, size_t length,
                       struct fact_value *value, char *reason)
{
    int64_t micros = 0;

    if (!money_parse(text, length, &micros)) {
        return refuse(reason, "is no amount of money (digits, perhaps a point and up to 6 more)");
    }
    *value = (struct fact_value){.kind = FACT_VALUE_INTEGER, .integer = micros};
    return is_in_range(column, money_to_units(micros), reason);
}

static bool read_text(const struct fact_column *column, const char *text, size_t length,
                      struct fact_value *value, char *reason)
{
    int32_t day = DAY_UNKNOWN;

    if (column->type == FACT_DATE && !day_parse(text, length, &day)) {
        return refuse(reason, "is no date that exists (YYYY, YYYY-MM or YYYY-MM-DD)");
    }
    if (column->choices != NULL && !fact_choice_has(column->choices, text, length)) {
        return refuse(reason, "is none of %s", column->choices);
    }
    *value = (struct fact_value){.kind = FACT_VALUE_TEXT};
    return true;
}

bool fact_value_read(const struct fact_column *column, const char *text, size_t length,
                     struct fact_value *value, char reason[FACT_VALUE_REASON_BYTES])
{
    if (length == 0) {
        *value = (struct fact_value){.kind = FACT_VALUE_NULL};
        return !column->is_required || refuse(reason, "must not be empty");
    }
    switch (column->type) {
    case FACT_NUMBER:
    case FACT_INTEGER:
        return read_number(column, text, length, value, reason);
    case FACT_MONEY:
        return read_money(column, text, length, value, reason);
    case FACT_TEXT:
    case FACT_DATE:
    default:
        return read_text(column, text, length, value, reason);
    }
}
