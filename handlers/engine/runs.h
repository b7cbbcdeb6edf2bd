/* What a card runs: the models of the catalogue that fit on one such card, and how fast. */
#ifndef GPUWISE_ENGINE_RUNS_H
#define GPUWISE_ENGINE_RUNS_H

#include "memory.h"
#include "speed.h"
#include "support.h"

enum { RUNS_MAX_FORMATS = 3, RUNS_MAX_BLOCKS = 6 };

struct runs_ask {
    double tokens;             /* context of inference, sequence of training; NAN: the defaults */
    enum task task;            /* inference, finetune, lora or qlora; TASK_COUNT: all of them */
    const struct quant *quant; /* NULL: the usual ones of the task */
    bool is_all;               /* every model that fits; false: the largest of each kind */
};

struct run_format { /* one model in one format of its weights */
    const struct quant *quant;
    double needed_gib, available_gib;
    bool is_tight;
    bool has_speed;
    struct speed speed;
};

struct run {
    const struct model *model;
    double tokens;                               /* NAN: it has no tokens */
    struct run_format formats[RUNS_MAX_FORMATS]; /* those that fit, most bits first */
    size_t format_count;
};

/* One task on language models, or on all others. */
struct runs_block {
    struct ask ask; /* complete, but for the model: its values are the settings in effect */
    bool is_language;
    enum support_status
        support; /* of the framework under Linux; dropped, none: nothing is listed */
    size_t tried_count, fitting_count;
    struct run *runs; /* listed, largest first, ties by id */
    size_t run_count;
};

struct runs {
    struct runs_block blocks[RUNS_MAX_BLOCKS];
    size_t block_count;
};

/* The lists live in the arena. Fails with ERROR_BAD_PARAMETER where the format is none of the task
 * asked for. */
bool runs_find(const struct catalogue *catalogue, const struct gpu *gpu,
               const struct runs_ask *asked, struct arena *arena, struct runs *runs,
               struct error *err) MUST_CHECK;

#endif
