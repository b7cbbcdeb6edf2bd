/* Between the files ask*.c: parts of the completion of a question. */
#ifndef GPUWISE_ENGINE_ASK_PARTS_H
#define GPUWISE_ENGINE_ASK_PARTS_H

#include "ask.h"

/* Fills a number that is not known. */
void ask_default_number(double *value, double wanted);

/* Position of a word in a list; count when it is none of them. */
size_t ask_word_index(const char *word, const char *const *words, size_t count);

/* The network of networks.csv that is a vision model of models.csv: both name the same family and
 * have the same number of parameters; of several the one nearest in them, then with the shortest
 * name. NULL: none. */
const struct network *ask_network_of_model(const struct catalogue *catalogue,
                                           const struct model *model);

/* A runtime that was asked for says which framework is meant, and the other way round. Fails where
 * they do not go together. */
bool ask_match_runtime(struct ask *ask, struct error *err) MUST_CHECK;

/* Fills the settings that only memory depends on; task, model, network and runtime are known. Fails
 * where one was asked for that the task has not. */
bool ask_complete_memory(const struct parameters *parameters, struct ask *ask,
                         struct error *err) MUST_CHECK;

#endif
