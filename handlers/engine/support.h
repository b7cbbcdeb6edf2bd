/* Which software runs on a card, and which features it has: facts of support.csv and gpus.csv. */
#ifndef GPUWISE_ENGINE_SUPPORT_H
#define GPUWISE_ENGINE_SUPPORT_H

#include "ask.h"

enum support_status {
    SUPPORT_UNKNOWN,
    SUPPORT_SUPPORTED,
    SUPPORT_ENDING,
    SUPPORT_UNOFFICIAL,
    SUPPORT_DROPPED,
    SUPPORT_NONE
};

enum support_status support_status_of(const struct support *row); /* NULL: unknown */

/* What is known of a framework on a system; NULL: nothing. WSL runs the Linux builds: where no row
 * speaks of WSL, the one of Linux does, unless ROCm is known not to come there. */
const struct support *support_row(const struct gpu *gpu, enum framework framework, enum os os);

/* Its status. */
enum support_status support_of(const struct gpu *gpu, enum framework framework, enum os os);

/* The vendor's own stack on Linux (cuda, rocm, else driver), as shown on a card. */
const struct support *support_own_stack(const struct gpu *gpu, enum framework *framework);

/* L of the score: 1 supported, life_factor_ending for ending, unofficial and not known. */
double support_life_factor(const struct catalogue *catalogue, enum support_status status);

/* E of the score. */
double support_ecosystem_factor(const struct catalogue *catalogue, const struct ask *ask,
                                const struct gpu *gpu);

/* True only when the fact is known and says yes. */
bool support_has_feature(const struct gpu *gpu, enum feature feature, enum os os);

#endif
