/* Between the files predict*.c: the kinds of rows. What each pair does stands in predict.h. */
#ifndef GPUWISE_PREDICT_PARTS_H
#define GPUWISE_PREDICT_PARTS_H

#include "predict.h"

/* Names the model of a row in the ask: by name, else the one of nearly as many parameters, else by
 * size as a user would. False: none of these. */
bool predict_model_find(const struct catalogue *catalogue, const char *name, double params,
                        struct ask *ask);

/* Whether a text holds a word, in any case of letters. */
bool predict_says(const char *text, const char *word);

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
