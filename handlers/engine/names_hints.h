/* What stands beside a name decides between the cards it may mean, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_HINTS_H
#define GPUWISE_ENGINE_NAMES_HINTS_H

#include "names_meaning.h"

/* The cards of an instance type: of its own name, else what all known sizes of its family have
 * ("g5." of "g5.24xlarge"). */
void names_hints_find_instance(const struct catalogue *catalogue, const char *type,
                               struct names_meaning *meaning);

/* GPUs of an instance type, from the note of its alias ("8 GPUs", "1/3 GPU"), or as a type of Vast
 * says them ("4x-..."); NAN: not known. */
double names_hints_instance_gpus(const struct catalogue *catalogue, const char *type,
                                 size_t length);

/* Leaves the cards that the hints allow; has_size: the name says its memory, which then counts
 * alone. False: the hints contradict what is left. */
bool names_hints_apply(const struct catalogue *catalogue, const struct names_hints *hints,
                       bool has_size, struct names_meaning *meaning);

#endif
