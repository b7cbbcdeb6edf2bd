/* Suggestions for a name that is not known, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_NEAR_H
#define GPUWISE_ENGINE_NAMES_NEAR_H

#include "names.h"

/* Writes the nearest cards to result->gpus and count, nearest first; key is normalised. */
void names_near_find(const struct catalogue *catalogue, const char *key,
                     struct names_result *result);

#endif
