/* One field of a file of facts as the value its column stores. Pure; any thread. */
#ifndef GPUWISE_DB_FACT_VALUE_H
#define GPUWISE_DB_FACT_VALUE_H

#include "../handlers/engine/error.h"
#include "../handlers/engine/facts.h"

#include <stddef.h>
#include <stdint.h>

enum fact_value_kind { FACT_VALUE_NULL, FACT_VALUE_INTEGER, FACT_VALUE_REAL, FACT_VALUE_TEXT };

struct fact_value {
    enum fact_value_kind kind;
    int64_t integer; /* whole numbers, and money in micro-units */
    double real;
};

enum { FACT_VALUE_REASON_BYTES = 200 };

/* Reads text (length bytes, a NUL behind them) by the column's type, limits and words. Empty is
 * NULL. False: not allowed, and reason says why in words that follow the value ("is less than 1").
 */
bool fact_value_read(const struct fact_column *column, const char *text, size_t length,
                     struct fact_value *value, char reason[FACT_VALUE_REASON_BYTES]) MUST_CHECK;

#endif
