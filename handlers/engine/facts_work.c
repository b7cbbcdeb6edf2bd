/* The tables about work and its constants: links, parameters, calibration, weights, models,
 * networks. No state. */
#include "facts_columns.h"
#include "facts_tables.h"

#define ROW struct link
static const struct fact_column LINKS_COLUMNS[] = {
    TEXT_REQUIRED(id),
    TEXT_REQUIRED(name),
    NUMBER(bandwidth_per_direction_gb_s, 0.1, 2000),
    CHOICE_REQUIRED(latency_class, "low|medium|high"),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_LINKS = {
    .name = "links",
    COLUMNS_OF(LINKS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "id",
    .catalogue_rows = offsetof(struct catalogue, links),
    .catalogue_count = offsetof(struct catalogue, link_count),
};

#undef ROW
#define ROW struct parameter
static const struct fact_column PARAMETERS_COLUMNS[] = {
    TEXT_REQUIRED(name),    TEXT_REQUIRED(value), TEXT_REQUIRED(unit),
    TEXT_REQUIRED(meaning), TEXT_REQUIRED(basis),
};

const struct fact_table FACTS_PARAMETERS = {
    .name = "parameters",
    COLUMNS_OF(PARAMETERS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "name",
    .catalogue_rows = offsetof(struct catalogue, parameter_rows),
    .catalogue_count = offsetof(struct catalogue, parameter_count),
};

#undef ROW
#define ROW struct calibration_row
static const struct fact_column CALIBRATION_COLUMNS[] = {
    TEXT_REQUIRED(name),        NUMBER_REQUIRED(value, NAN, NAN),
    TEXT_REQUIRED(unit),        TEXT_REQUIRED(meaning),
    TEXT_REQUIRED(basis),       TEXT_REQUIRED(source),
    DATE_REQUIRED(observed_on),
};

const struct fact_table FACTS_CALIBRATION = {
    .name = "calibration",
    COLUMNS_OF(CALIBRATION_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "name",
    .catalogue_rows = offsetof(struct catalogue, calibration_rows),
    .catalogue_count = offsetof(struct catalogue, calibration_count),
};

#undef ROW
#define ROW struct quant
static const struct fact_column QUANTS_COLUMNS[] = {
    TEXT_REQUIRED(name),
    CHOICE_REQUIRED(kind, "float|gguf|bitsandbytes|gptq|awq|fp8|mxfp4|int8"),
    NUMBER_REQUIRED(bits_per_weight, 1, 32),
    TEXT(note),
    TEXT_REQUIRED(source),
    DATE_REQUIRED(observed_on),
};

const struct fact_table FACTS_QUANTS = {
    .name = "quants",
    COLUMNS_OF(QUANTS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "name",
    .catalogue_rows = offsetof(struct catalogue, quants),
    .catalogue_count = offsetof(struct catalogue, quant_count),
};

#undef ROW
#define ROW struct model
static const struct fact_column MODELS_COLUMNS[] = {
    TEXT_REQUIRED(id),
    TEXT_REQUIRED(name),
    TEXT(family),
    TEXT_REQUIRED(kind),
    NUMBER(params_total, 1e5, 5e12),
    NUMBER(params_active, 1e5, 5e12),
    WHOLE(layers, 1, 400),
    WHOLE(hidden, 16, 65536),
    WHOLE(heads, 1, 512),
    WHOLE(kv_heads, 1, 512),
    WHOLE(head_dim, 8, 1024),
    WHOLE(intermediate, 16, 300000),
    WHOLE(vocab, 10, 1000000),
    WHOLE(context, 16, 100000000),
    CHOICE(attention, "mha|gqa|mla|hybrid|mqa"),
    WHOLE(sliding_window, 16, 10000000),
    WHOLE(global_every, 1, 100),
    WHOLE(kv_latent_dim, 16, 8192),
    WHOLE(kv_rope_dim, 8, 1024),
    WHOLE(experts, 2, 2048),
    WHOLE(experts_active, 1, 256),
    WHOLE(expert_intermediate, 16, 100000),
    WHOLE(shared_experts, 0, 16),
    CHOICE(tied_embeddings, "yes|no"),
    CHOICE(mlp, "gated|plain"),
    NUMBER(vision_params, 1e5, 1e12),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_MODELS = {
    .name = "models",
    COLUMNS_OF(MODELS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "id",
    .catalogue_rows = offsetof(struct catalogue, models),
    .catalogue_count = offsetof(struct catalogue, model_count),
};

#undef ROW
#define ROW struct model_alias
static const struct fact_column MODEL_ALIASES_COLUMNS[] = {
    TEXT_REQUIRED(alias),
    TEXT_REQUIRED(model_id),
    TEXT(note),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_MODEL_ALIASES = {
    .name = "model_aliases",
    COLUMNS_OF(MODEL_ALIASES_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "alias",
    .catalogue_rows = offsetof(struct catalogue, model_aliases),
    .catalogue_count = offsetof(struct catalogue, model_alias_count),
};

#undef ROW
#define ROW struct network
static const struct fact_column NETWORKS_COLUMNS[] = {
    TEXT_REQUIRED(id),
    NUMBER(gmacs, 0.001, NAN),
    NUMBER(activations_m, 0.001, NAN),
    NUMBER(params_m, 0.001, NAN),
    WHOLE_REQUIRED(resolution_px, 8, 4096),
    WHOLE(kernels, 1, 100000),
    NUMBER(tensor_gmacs, 0.001, NAN),
    NUMBER(depthwise_gmacs, 0, NAN),
    NUMBER(traffic_mb, 0.001, NAN),
    NUMBER(attention_mb, 0, NAN),
    TEXT_REQUIRED(source),
};

const struct fact_table FACTS_NETWORKS = {
    .name = "networks",
    COLUMNS_OF(NETWORKS_COLUMNS),
    .row_bytes = sizeof(ROW),
    .key = "id,resolution_px",
    .catalogue_rows = offsetof(struct catalogue, networks),
    .catalogue_count = offsetof(struct catalogue, network_count),
};
