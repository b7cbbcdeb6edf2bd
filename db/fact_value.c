/* Strict reading of numbers, money, dates and words. It knows no file and no database. */
#include "fact_value.h"

#include "../handlers/engine/day.h"
#include "../handlers/engine/money.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES_MAX = 40 }; /* more digits than that say more than a double can hold */

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53: larger whole numbers are not exact */

static bool refuse(struct fact_fault *fault, enum text text)
{
    *fault = (struct fact_fault){.text = text};
    return false;
}

bool fact_fault_by(struct fact_fault *fault, enum text text, const char *first)
{
    fault->text = text;
    (void)snprintf(fault->first, sizeof fault->first, "%s", first); /* a long list is cut */
    return false;
}

static bool refuse_by_number(struct fact_fault *fault, enum text text, double number)
{
    char first[NUMBER_BYTES_MAX];

    (void)snprintf(first, sizeof first, "%.15g", number);
    return fact_fault_by(fault, text, first);
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

static bool is_in_range(const struct fact_column *column, double number, struct fact_fault *fault)
{
    if (!isnan(column->minimum) && number < column->minimum) {
        return refuse_by_number(fault, TEXT_VALUE_LESS, column->minimum);
    }
    if (!isnan(column->maximum) && number > column->maximum) {
        return refuse_by_number(fault, TEXT_VALUE_MORE, column->maximum);
    }
    return true;
}

static bool read_number(const struct fact_column *column, const char *text, size_t length,
                        struct fact_value *value, struct fact_fault *fault)
{
    bool is_whole = column->type == FACT_INTEGER;

    if (!is_plain_decimal(text, length, is_whole)) {
        return refuse(fault, is_whole ? TEXT_VALUE_WHOLE : TEXT_VALUE_DECIMAL);
    }
    double number = strtod(text, NULL); /* the program stays in the C locale */

    if (is_whole && fabs(number) > WHOLE_MAX) {
        return refuse(fault, TEXT_VALUE_LARGE);
    }
    if (is_whole) {
        *value = (struct fact_value){.kind = FACT_VALUE_INTEGER, .integer = (int64_t)number};
    } else {
        *value = (struct fact_value){.kind = FACT_VALUE_REAL, .real = number};
    }
    return is_in_range(column, number, fault);
}

static bool read_money(const struct fact_column *column, const char *text, size_t length,
                       struct fact_value *value, struct fact_fault *fault)
{
    int64_t micros = 0;

    if (!money_parse(text, length, &micros)) {
        return refuse(fault, TEXT_VALUE_MONEY);
    }
    *value = (struct fact_value){.kind = FACT_VALUE_INTEGER, .integer = micros};
    return is_in_range(column, money_to_units(micros), fault);
}

static bool read_text(const struct fact_column *column, const char *text, size_t length,
                      struct fact_value *value, struct fact_fault *fault)
{
    int32_t day = DAY_UNKNOWN;

    if (column->type == FACT_DATE && !day_parse(text, length, &day)) {
        return refuse(fault, TEXT_VALUE_DATE);
    }
    if (column->choices != NULL && !fact_choice_has(column->choices, text, length)) {
        return fact_fault_by(fault, TEXT_VALUE_CHOICE, column->choices);
    }
    *value = (struct fact_value){.kind = FACT_VALUE_TEXT};
    return true;
}

bool fact_value_read(const struct fact_column *column, const char *text, size_t length,
                     struct fact_value *value, struct fact_fault *fault)
{
    if (length == 0) {
        *value = (struct fact_value){.kind = FACT_VALUE_NULL};
        return !column->is_required || refuse(fault, TEXT_VALUE_EMPTY);
    }
    switch (column->type) {
    case FACT_NUMBER:
    case FACT_INTEGER:
        return read_number(column, text, length, value, fault);
    case FACT_MONEY:
        return read_money(column, text, length, value, fault);
    case FACT_TEXT:
    case FACT_DATE:
    default:
        return read_text(column, text, length, value, fault);
    }
}
