/* Rows of facts as finished JSON: written once with Jansson when a snapshot is built, spliced ever
 * after. */
#ifndef GPUWISE_ROWS_H
#define GPUWISE_ROWS_H

#include "engine/catalogue.h"

struct fragment { /* members of an object without its braces, or a whole value */
    const char *bytes;
    size_t length;
};

struct rows {
    struct fragment *gpus;        /* columns of gpus.csv; members */
    struct fragment *gpu_support; /* "support":{...},"features":[...]; members */
    struct fragment
        *gpu_details;        /* "architecture_facts", "software", "prices", "sources"; members */
    struct fragment *models; /* columns of models.csv; members */
};

/* Everything lives in the arena; one element per row of the catalogue. */
bool rows_build(const struct catalogue *catalogue, struct arena *arena, struct rows *rows,
                struct error *err) MUST_CHECK;

/* The members of one model, which need not be in the catalogue. */
bool rows_model(const struct model *model, struct arena *arena, struct fragment *members,
                struct error *err) MUST_CHECK;

#endif
