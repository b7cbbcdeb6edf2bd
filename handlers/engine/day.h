/* Days of the proleptic Gregorian calendar, UTC. */
#ifndef GPUWISE_ENGINE_DAY_H
#define GPUWISE_ENGINE_DAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAY_UNKNOWN INT32_MIN

enum { DAY_TEXT_BYTES = 16 };

/* A date as its source gives it: 2022, 2022-11 or 2022-11-30. */
struct date {
    const char *text; /* as given; NULL: unknown */
    int32_t day; /* days since 1970-01-01; a year or month counts as its first day; DAY_UNKNOWN */
};

/* Reads YYYY, YYYY-MM or YYYY-MM-DD of an existing day in 1900 to 2199; false: none of these. */
bool day_parse(const char *text, size_t length, int32_t *day);

/* Writes YYYY-MM-DD; the day must be known. */
void day_format(int32_t day, char text[DAY_TEXT_BYTES]);

/* Years between two known days, by 365.2425 days a year. */
double day_years_between(int32_t from, int32_t to);

#endif
