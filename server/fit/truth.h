/* Published measurements as observations that a prediction can be held against.
 *
 * Reads the three tables of a folder (throughput.csv, memory.csv, kv.csv), makes a question of each
 * row as `gpuwise predict` does, and then forgets the measured cells of the table, so that no
 * prediction can read them. What is an observation, and of which kind, follows the rules by which
 * the open half is scored; rows that users reported are left out. Predicts nothing. */
#ifndef GPUWISE_FIT_TRUTH_H
#define GPUWISE_FIT_TRUTH_H

#include "../predict.h"

enum truth_kind {
    TRUTH_RELATIVE,  /* speed of a card inside its group */
    TRUTH_DECODE,    /* tokens/s of one stream, fused kernels */
    TRUTH_PREFILL,   /* tokens/s */
    TRUTH_IMAGE,     /* images/s */
    TRUTH_INFERENCE, /* GiB */
    TRUTH_TRAINING,  /* GiB */
    TRUTH_FACT,      /* fits or does not */
    TRUTH_GGUF,      /* in the unit of the row */
    TRUTH_KV,
    TRUTH_KIND_COUNT
};

/* The largest of the open half has 12 rows; more are left out. */
enum { TRUTH_NO_GROUP = -1, TRUTH_ITEM_ROWS_MAX = 64 };

/* A row that can be said as a question. */
struct truth_row {
    struct predict_case one;
    bool is_read; /* false: declined */
};

/* What a row gives to an observation. */
struct truth_member {
    size_t row;
    double measured; /* as the observation wants it */
    double divisor;  /* cards that share the value */
    bool is_time;    /* the inverse is meant */
};

/* One measured value; where a card has several rows in its group, their median. */
struct observation {
    enum truth_kind kind;
    int group;                               /* of relative kinds, counted from 0; TRUTH_NO_GROUP */
    size_t first, count;                     /* members */
    double measured;                         /* NAN: a fact */
    bool fits;                               /* facts only */
    const char *id, *card, *source, *family; /* of the first member; "" unknown */
};

struct truth {
    struct predict_table tables[3]; /* by enum predict_kind; owns every text */
    struct truth_row *rows;         /* of all tables one after another */
    size_t row_count;
    struct truth_member *members;
    size_t member_count;
    struct observation *observations; /* those of a group together, in the order of the tables */
    size_t observation_count;
    size_t group_count;
};

/* Reads the folder. The catalogue must live as long as the truth. */
bool truth_read(const struct catalogue *catalogue, const char *folder, struct truth *truth,
                struct error *err) MUST_CHECK;

/* Accepts a zeroed truth. */
void truth_fini(struct truth *truth);

/* A word for each kind, as "decode". */
const char *truth_kind_name(enum truth_kind kind);

#endif
