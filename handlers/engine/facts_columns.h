/* Shorthand for the column descriptions of facts_*.c. ROW must be the struct that holds the row; a
 * field has the name of its column, money that name with _micros behind it. */
#ifndef GPUWISE_ENGINE_FACTS_COLUMNS_H
#define GPUWISE_ENGINE_FACTS_COLUMNS_H

#include "catalogue.h"
#include "facts.h"

#include <math.h>

#define COLUMN(column, field, kind, required, low, high, allowed)                                  \
    {                                                                                              \
        .name = #column, .sql_name = #field, .type = (kind), .is_required = (required),            \
        .minimum = (double)(low), .maximum = (double)(high), .choices = (allowed),                 \
        .offset = offsetof(ROW, field)                                                             \
    }

#define TEXT(name) COLUMN(name, name, FACT_TEXT, false, NAN, NAN, NULL)
#define TEXT_REQUIRED(name) COLUMN(name, name, FACT_TEXT, true, NAN, NAN, NULL)
#define CHOICE(name, allowed) COLUMN(name, name, FACT_TEXT, false, NAN, NAN, allowed)
#define CHOICE_REQUIRED(name, allowed) COLUMN(name, name, FACT_TEXT, true, NAN, NAN, allowed)
#define NUMBER(name, low, high) COLUMN(name, name, FACT_NUMBER, false, low, high, NULL)
#define NUMBER_REQUIRED(name, low, high) COLUMN(name, name, FACT_NUMBER, true, low, high, NULL)
#define WHOLE(name, low, high) COLUMN(name, name, FACT_INTEGER, false, low, high, NULL)
#define WHOLE_REQUIRED(name, low, high) COLUMN(name, name, FACT_INTEGER, true, low, high, NULL)
#define MONEY(name, low, high) COLUMN(name, name##_micros, FACT_MONEY, false, low, high, NULL)
#define MONEY_REQUIRED(name, low, high)                                                            \
    COLUMN(name, name##_micros, FACT_MONEY, true, low, high, NULL)
#define DATE(name) COLUMN(name, name, FACT_DATE, false, NAN, NAN, NULL)
#define DATE_REQUIRED(name) COLUMN(name, name, FACT_DATE, true, NAN, NAN, NULL)

#define COLUMNS_OF(list) .columns = (list), .column_count = sizeof(list) / sizeof((list)[0])

#endif
