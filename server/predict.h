/* `gpuwise predict FILE`: what the advisor says of published measurements, for judging it.
 *
 * A row of a table (throughput, memory or file and cache sizes; the columns are those of
 * ground-truth files) becomes the question that a user would send, with the software named in the
 * row as settings of the request, and the engine answers it like any other. Nothing measured is
 * read. */
#ifndef GPUWISE_PREDICT_H
#define GPUWISE_PREDICT_H

#include "../handlers/engine/ask.h"
#include "predict_table.h"

enum predict_kind { PREDICT_SPEED, PREDICT_MEMORY, PREDICT_SIZE };

/* What a row of the size table measures. */
enum predict_size {
    PREDICT_FILE,           /* weights in a file */
    PREDICT_LOADED_WEIGHTS, /* the part of them that llama.cpp lays on the card */
    PREDICT_CACHE,
    PREDICT_SCRATCH /* llama.cpp's compute buffer */
};

/* A row as a question; what it points to belongs to the catalogue and the table. */
struct predict_case {
    enum predict_kind kind;
    struct ask ask; /* complete */
    const struct gpu *gpu;
    size_t cards;
    enum strategy strategy;
    /* memory */
    enum { PREDICT_ON_ONE_CARD, PREDICT_ON_ALL_CARDS, PREDICT_ONE_COPY } scope;
    double usable_gib; /* of one card for one process; NAN: no card is named */
    /* sizes */
    enum predict_size size;
    double tokens;      /* of a cache */
    double token_bytes; /* of it, where the row says the shape; NAN: of the model */
    double unit_bytes;  /* of the row */
    /* speed: what the row describes itself takes the place of what the ask points to */
    bool has_model, has_quant;
    struct model model;
    struct quant quant;
    const struct network *network; /* NULL: none is counted */
    bool is_prefill;               /* the row is about reading a prompt */
    bool is_time;                  /* the row's unit is a time */
};

/* In the unit of the row. */
struct prediction {
    double value, low, high; /* NAN: declined */
    enum answer fits;        /* memory only */
};

/* Which table it is, by its columns; false: none of the three. */
bool predict_kind_of(const struct predict_table *table, enum predict_kind *kind);

/* Reads one row. False: it cannot be said as a question, and is declined. */
bool predict_read(const struct catalogue *catalogue, const struct predict_table *table,
                  enum predict_kind kind, size_t row, struct predict_case *one);

/* Answers it with the numbers of the catalogue's calibration, which may have changed since. */
void predict_answer(const struct catalogue *catalogue, const struct predict_case *one,
                    struct prediction *prediction);

/* Writes id,predicted,low,high[,fits] of every row of the file to standard output, by the facts
 * that ship with this program. Fails for a file it cannot read, and when the rows cannot be
 * written. */
bool predict_run(const char *path, struct error *err) MUST_CHECK;

#endif
