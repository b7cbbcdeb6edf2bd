/* Names of prices, offers and plans that lead to no card: for an operator to look at, who adds an
 * alias or corrects the source. A name that is known to mean no card of the catalogue (an alias
 * with a note) or a TPU is not among them. */
#ifndef GPUWISE_ENGINE_REVIEW_H
#define GPUWISE_ENGINE_REVIEW_H

#include "catalogue.h"
#include "names.h"

enum { REVIEW_MAX_GPUS = 4 }; /* candidates or nearest cards told with a name */

enum review_kind { REVIEW_PRICE, REVIEW_OFFER, REVIEW_PLAN, REVIEW_KIND_COUNT };

extern const char *const REVIEW_KIND_NAMES[REVIEW_KIND_COUNT]; /* "price", "offer", "plan" */

struct review_name {
    const char *name; /* as given */
    enum review_kind kind;
    enum names_outcome outcome; /* NAMES_AMBIGUOUS or NAMES_UNKNOWN */
    size_t row_count;
    const char *source;                      /* of the first of its rows */
    const struct gpu *gpus[REVIEW_MAX_GPUS]; /* candidates, or the nearest, first ones first */
    size_t gpu_count;
};

/* Lists each such name once for each kind and outcome, by kind, then name; the list and its texts
 * live as long as memory and the catalogue. False: no memory. */
bool review_list(const struct catalogue *catalogue, struct arena *memory,
                 struct review_name **names, size_t *count, struct error *err) MUST_CHECK;

#endif
