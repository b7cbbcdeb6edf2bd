/* Civil dates to day numbers and back. No state. */
#include "day.h"

#include <stdio.h>

static const double DAYS_PER_YEAR = 365.2425; /* mean Gregorian year */

static bool is_leap(int32_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int32_t days_in_month(int32_t year, int32_t month)
{
    static const int32_t DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return month == 2 && is_leap(year) ? 29 : DAYS[month - 1];
}

/* Days of the years 1 to year - 1, and from there to the given day. */
static int32_t days_from_civil(int32_t year, int32_t month, int32_t day)
{
    int32_t before = year - 1;
    int32_t days = before * 365 + before / 4 - before / 100 + before / 400;

    for (int32_t m = 1; m < month; m++) {
        days += days_in_month(year, m);
    }
    return days + day - 1 - 719162; /* 719162 days lie before 1970-01-01 */
}

static bool read_digits(const char *text, size_t count, int32_t *value)
{
    int32_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        sum = sum * 10 + (text[i] - '0');
    }
    *value = sum;
    return true;
}

bool day_parse(const char *text, size_t length, int32_t *day)
{
    int32_t year = 0;
    int32_t month = 1;
    int32_t number = 1;

    if (length != 4 && length != 7 && length != 10) {
        return false;
    }
    if (!read_digits(text, 4, &year) || year < 1900 || year > 2199) {
        return false;
    }
    if (length >= 7 && (text[4] != '-' || !read_digits(text + 5, 2, &month))) {
        return false;
    }
    if (month < 1 || month > 12) {
        return false;
    }
    if (length == 10 && (text[7] != '-' || !read_digits(text + 8, 2, &number))) {
        return false;
    }
    if (number < 1 || number > days_in_month(year, month)) {
        return false;
    }
    *day = days_from_civil(year, month, number);
    return true;
}

void day_format(int32_t day, char text[DAY_TEXT_BYTES])
{
    int32_t year = 1970 + (int32_t)((double)day / DAYS_PER_YEAR) - 1; /* at most one too early */

    while (days_from_civil(year + 1, 1, 1) <= day) {
        year++;
    }
    int32_t month = 1;

    while (month < 12 && days_from_civil(year, month + 1, 1) <= day) {
        month++;
    }
    (void)snprintf(text, DAY_TEXT_BYTES, "%04d-%02d-%02d", (int)(year % 10000), (int)(month % 100),
                   (int)((day - days_from_civil(year, month, 1) + 1) % 100));
}

double day_years_between(int32_t from, int32_t to)
{
    return (double)(to - from) / DAYS_PER_YEAR;
}
