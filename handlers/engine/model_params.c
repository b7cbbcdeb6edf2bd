/* Counts the weights of a transformer. Formulas: the matrices of attention (multi-head, grouped,
 * DeepSeek-V2 arXiv:2405.04434 section 2.1 for MLA), of the MLP and of experts. Any thread; no
 * state. */
#include "model_params.h"

#include <math.h>

static double attention_params(const struct model *model, const struct model_params_extra *extra)
{
    double hidden = model->hidden;
    double heads = model->heads;

    if (!text_is(model->attention, "mla")) {
        return 2 * hidden * (heads + model->kv_heads) * model->head_dim;
    }
    double head = extra->nope_dim + model->kv_rope_dim;
    double latent = extra->query_latent_dim;
    double queries = isnan(latent) ? hidden * heads * head : latent * (hidden + heads * head);

    return queries + hidden * (model->kv_latent_dim + model->kv_rope_dim) +
           model->kv_latent_dim * heads * (extra->nope_dim + extra->value_dim) +
           heads * extra->value_dim * hidden;
}

/* Of the layers that have experts: all of them, or those one token passes. */
static double expert_params(const struct model *model, const struct model_params_extra *extra,
                            double experts)
{
    double each = (text_is(model->mlp, "plain") ? 2 : 3) * model->hidden;

    return each * (experts * model->expert_intermediate + known_or(extra->shared_width, 0)) +
           model->hidden * model->experts; /* the router */
}

void model_params_count(struct model *model, const struct model_params_extra *extra)
{
    double hidden = model->hidden;
    bool has_head = text_is(model->kind, "llm") && text_is(model->tied_embeddings, "no");
    double tables = (has_head ? 2 : 1) * known_or(model->vocab, 0) * hidden +
                    known_or(extra->positions, 0) * hidden;
    double dense = (text_is(model->mlp, "plain") ? 2 : 3) * hidden * model->intermediate;
    double attention = attention_params(model, extra) + 2 * hidden; /* with two norms */
    double expert_layers = 0;

    if (model->experts > 0) {
        expert_layers = floor((model->layers - known_or(extra->dense_layers, 0)) /
                              known_or(extra->expert_every, 1));
    }
    double common = tables + hidden + model->layers * attention;

    if (expert_layers < model->layers) {
        common += (model->layers - expert_layers) * dense;
    }
    if (!isnan(extra->decoder_layers)) {
        common += extra->decoder_layers * (2 * attention + dense);
    }
    model->params_total = model->params_active = common;
    if (expert_layers > 0) {
        model->params_total += expert_layers * expert_params(model, extra, model->experts);
        model->params_active += expert_layers * expert_params(model, extra, model->experts_active);
    }
}
