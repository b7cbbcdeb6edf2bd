/* What a job keeps on a card, counted in bytes before it is shared out: between the files
 * memory*.c, and for those who need a part alone (speed_work.c, server/predict_size.c). */
#ifndef GPUWISE_ENGINE_MEMORY_PARTS_H
#define GPUWISE_ENGINE_MEMORY_PARTS_H

#include "ask.h"

/* What counts of a transformer, with a size asked for (7b) turned into more or fewer layers. */
struct memory_shape {
    double params;        /* N */
    double layers;        /* L; NAN: the shape is not known */
    double cached_layers; /* of these, with a cache that grows with every token */
    double window_layers; /* with a cache of at most `window` tokens */
    double window;
    double hidden;        /* h */
    double heads;         /* a, of queries */
    double query_width;   /* heads x head size */
    double kv_width;      /* KV heads x head size; MLA: latent and rotary part, kept once */
    double kv_heads;      /* cards that can share a cache; 1 for MLA */
    double experts;       /* of a layer; 0: none */
    double active_width;  /* I: width of the MLP that one token passes */
    double widest;        /* of one MLP matrix */
    double adapter_width; /* sum of the MLP widths of a layer, all experts counted */
    double vocab;         /* V; 0: no token table */
    double tables;        /* 1 tied, 2 not */
    double matrices;      /* of an MLP: 3 gated, 2 plain */
    bool is_latent;       /* MLA */
};

/* Bytes of one copy. All known; a part that does not exist is 0. Two phases peak apart: the
 * backward pass with its activations, then the step of the optimiser. */
struct memory_parts {
    double weights;           /* as told */
    double resident;          /* of them on the card, with copies that engines keep */
    double cache;             /* of keys and values */
    double gradients;         /* live after the backward pass, when activations are gone */
    double optimizer;         /* held all the time */
    double step;              /* more while the optimiser works */
    double activations_whole; /* not shared by tensor parallelism */
    double activations_shared;
    double card_bytes; /* beside them on every card of a set */
    double set_bytes;  /* more on each card of a set of two and more */
    /* under full sharding */
    double gathered;      /* weights and gradients that are whole for a moment */
    double frozen_copies; /* of the resident bytes: 2 where frozen weights get gradients too */
    double sharded_step;  /* instead of step, before it is shared out */
    double sharded_step_most;
    bool gradients_stay;                  /* beside the activations too */
    bool shards_gradients, shards_states; /* over data-parallel cards: ZeRO-2, ZeRO-1 */
    double table;                         /* one token table in the format of the weights */
    double end_tables; /* of them on the card: of the first and the last stage of a pipeline */
    double cache_ways; /* cards that can share the cache */
    double layers;     /* NAN: not known */
    bool is_full;      /* every weight is trained */
    bool is_training;
    bool has_unknown_cache;    /* counts as 0, the margin of activations stands for it */
    bool has_unknown_adapters; /* the same of their gradients and moments */
    const char *basis;
};

/* Language models (kinds llm, encoder, embedding). False: the parameters are not known. */
bool memory_language_parts(const struct catalogue *catalogue, const struct ask *ask,
                           struct memory_parts *parts);

/* Adds what training holds to parts with weights; the shape need not be known. */
void memory_training_parts(const struct catalogue *catalogue, const struct ask *ask,
                           const struct memory_shape *shape, struct memory_parts *parts);

/* Vision, speech and diffusion. False: the parameters are not known. */
bool memory_picture_parts(const struct catalogue *catalogue, const struct ask *ask,
                          struct memory_parts *parts);

/* Shape of the ask's model; the model must not be NULL. */
struct memory_shape memory_language_shape(const struct ask *ask);

/* Whether models of this kind keep keys and values of a text. */
bool memory_has_cache(const struct model *model);

/* Bytes that one sequence of that many tokens caches. */
double memory_cache_bytes(const struct ask *ask, const struct memory_shape *shape, double tokens);

/* Sequences or pictures on a card at the same time: batch, in inference of each user. */
double memory_at_once(const struct ask *ask);

/* V x h, the elements of one token table; 0: none, or not known. */
double memory_table_size(const struct memory_shape *shape);

/* Bytes of the weights in the ask's format (ACCURACY.md section 9.1). */
double memory_format_bytes(const struct ask *ask, const struct memory_shape *shape);

/* Bytes of one token table as the format holds it. */
double memory_table_bytes(const struct ask *ask, const struct memory_shape *shape);

/* A format that the runtime turns back into 16-bit matrices one at a time (bitsandbytes). */
bool memory_is_unpacked(const struct ask *ask);

/* Bytes that the optimiser of the ask keeps for one trained weight of bytes_each: its moments, and
 * the fp32 copy of a 16-bit weight where there is one. */
double memory_optimizer_bytes(const struct ask *ask, double bytes_each);

/* Bytes of one value in training: 4 for fp32, else 2 (FP8 training keeps 16-bit weights). */
double memory_training_bytes(const struct ask *ask);

/* True where every weight is trained. */
bool memory_trains_all(const struct ask *ask);

#endif
