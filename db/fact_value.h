/* One field of a file of facts as the value its column stores. Pure; any thread. */
#ifndef GPUWISE_DB_FACT_VALUE_H
#define GPUWISE_DB_FACT_VALUE_H

#include "../handlers/engine/error.h"
#include "../handlers/engine/facts.h"
#include "../handlers/engine/text.h"

#include <stddef.h>
#include <stdint.h>

enum fact_value_kind { FACT_VALUE_NULL, FACT_VALUE_INTEGER, FACT_VALUE_REAL, FACT_VALUE_TEXT };

struct fact_value {
    enum fact_value_kind kind;
    int64_t integer; /* whole numbers, and money in micro-units */
    double real;
};

/* What is wrong with a value: a text that goes on behind it, and the text's argument. */
struct fact_fault {
    enum text text;
    char first[200];
};

/* Fills one whose text names an argument, which is copied and cut; false, to return it at once. */
bool fact_fault_by(struct fact_fault *fault, enum text text, const char *first);

/* Reads text (length bytes, a NUL behind them) by the column's type, limits and words. Empty is
 * NULL. False: not allowed, and fault says why ("is less than 1"). */
bool fact_value_read(const struct fact_column *column, const char *text, size_t length,
                     struct fact_value *value, struct fact_fault *fault) MUST_CHECK;

#endif
