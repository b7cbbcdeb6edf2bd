/* Parameters of a transformer, counted from its shape. */
#ifndef GPUWISE_ENGINE_MODEL_PARAMS_H
#define GPUWISE_ENGINE_MODEL_PARAMS_H

#include "catalogue.h"

/* What the count needs beyond struct model. NAN where the model has no such thing. */
struct model_params_extra {
    double query_latent_dim; /* MLA: width of the compressed queries; NAN: not compressed */
    double nope_dim;         /* MLA: part of a head without positions */
    double value_dim;        /* MLA: width of a value head */
    double dense_layers;     /* first layers without experts */
    double expert_every;     /* experts in every nth layer; NAN: in every one */
    double shared_width;     /* of all shared experts together */
    double decoder_layers;   /* encoder-decoder: layers of the decoder, with two attentions each */
    double positions;        /* learned, in the input of a model */
};

/* Sets params_total and params_active of a model whose layers, hidden, heads, kv_heads, head_dim,
 * intermediate and vocab are known: token tables, attention, MLP or experts, router and norms;
 * biases are left out (under 0.1 %). Layers with linear attention count like others. Active are all
 * but the experts that a token does not use. */
void model_params_count(struct model *model, const struct model_params_extra *extra);

#endif
