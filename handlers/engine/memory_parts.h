/* What a job keeps on a card, counted in bytes before it is shared out; between the files
 * memory*.c. */
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
    double hidden;      /* h */
    double query_width; /* heads x head size */
    double kv_width; /* KV heads x head size; MLA: latent and rotary part, kept once, not twice */
    double kv_heads; /* cards that can share a cache; 1 for MLA */
    double active_width;  /* I: width of the MLP that one token passes */
    double widest;        /* of one MLP matrix */
    double adapter_width; /* sum of the MLP widths of a layer, all experts counted */
    double vocab;         /* V; 0: no token table */
    double tables;        /* 1 tied, 2 not */
    double matrices;      /* of an MLP: 3 gated, 2 plain */
    bool is_latent;       /* MLA */
};

/* Bytes of one copy. All known; a part that does not exist is 0. */
struct memory_parts {
    double weights;  /* as told */
    double resident; /* of them on the card, with copies that engines keep */
    double cache;
    double gradients;         /* live after the backward pass, when activations are gone */
    double optimizer;         /* held all the time */
    double activations_whole; /* not shared by tensor parallelism */
    double activations_shared;
    double block;      /* 16-bit root and two layers, gathered under full sharding; 0: no blocks */
    double table;      /* one token table in the format of the weights */
    double cache_ways; /* cards that can share the cache */
    double layers;     /* NAN: not known */
    bool is_full;      /* every weight is trained */
    bool is_training;
    const char *basis;
};

/* Language models (kinds llm, encoder, embedding). False: the parameters are not known. */
bool memory_language_parts(const struct catalogue *catalogue, const struct ask *ask,
                           struct memory_parts *parts);

/* Vision, speech and diffusion. False: the parameters are not known. */
bool memory_picture_parts(const struct catalogue *catalogue, const struct ask *ask,
                          struct memory_parts *parts);

/* Shape of the ask's model; the model must not be NULL. */
struct memory_shape memory_language_shape(const struct ask *ask);

/* Bytes that an optimiser keeps for one trained parameter of bytes_each, an fp32 copy of a 16-bit
 * weight included. */
double memory_optimizer_bytes(enum optimizer optimizer, double bytes_each);

/* Bytes of one value in training: 4 for fp32, else 2 (FP8 training keeps 16-bit weights). */
double memory_training_bytes(const struct ask *ask);

#endif
