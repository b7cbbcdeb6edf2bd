/* Rows of the speed table as questions. */
#include "predict_parts.h"

bool predict_speed_read(const struct catalogue *catalogue, const struct predict_table *table,
                        size_t row, struct predict_case *one)
{
    (void)catalogue;
    (void)table;
    (void)row;
    (void)one;
    return false;
}

void predict_speed_answer(const struct catalogue *catalogue, const struct predict_case *one,
                          struct prediction *prediction)
{
    (void)catalogue;
    (void)one;
    (void)prediction;
}
