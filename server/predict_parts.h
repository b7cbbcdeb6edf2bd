/* Between the files predict*.c: the kinds of rows. What each pair does stands in predict.h. */
#ifndef GPUWISE_PREDICT_PARTS_H
#define GPUWISE_PREDICT_PARTS_H

#include "predict.h"

bool predict_speed_read(const struct catalogue *catalogue, const struct predict_table *table,
                        size_t row, struct predict_case *one);
void predict_speed_answer(const struct catalogue *catalogue, const struct predict_case *one,
                          struct prediction *prediction);

bool predict_memory_read(const struct catalogue *catalogue, const struct predict_table *table,
                         size_t row, struct predict_case *one);
void predict_memory_answer(const struct catalogue *catalogue, const struct predict_case *one,
                           struct prediction *prediction);

bool predict_size_read(const struct catalogue *catalogue, const struct predict_table *table,
                       size_t row, struct predict_case *one);
void predict_size_answer(const struct catalogue *catalogue, const struct predict_case *one,
                         struct prediction *prediction);

#endif
