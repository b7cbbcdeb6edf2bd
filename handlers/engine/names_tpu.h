/* Names of TPUs, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_TPU_H
#define GPUWISE_ENGINE_NAMES_TPU_H

#include "catalogue.h"
#include "names_split.h"

/* "tpu-v3-8", "TPU v5e", "tpu7x", and "v5litepod-8" where the source says that Google made it: the
 * generation and, where the name counts, the chips. The number counts TensorCores for v2, v3, v4
 * and v5p and chips for v5e and v6e. False: no TPU of the catalogue. */
bool names_tpu_read(const struct catalogue *catalogue, const struct names_split *split,
                    bool is_from_google, const struct tpu **tpu, double *chips);

#endif
