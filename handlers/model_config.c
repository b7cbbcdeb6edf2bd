/* From config.json to struct model. Families differ in the names of the same thing, so the names
 * are a table, and what a family leaves unsaid is another. One request, one thread. */
#include "model_config.h"

#include "engine/facts.h"
#include "engine/model_params.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 8, NUMBER_BYTES = 32 };

static const char BODY[] = "body";

/* A column of models.csv (which knows its range) and what config.json files call it, the most exact
 * name first. */
struct config_field {
    const char *column;
    const char *names[NAMES_MAX];
};

static const struct config_field FIELDS[] = {
    {"params_total", {"num_parameters"}},
    {"layers", {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"}},
    {"hidden", {"hidden_size", "n_embd", "d_model", "dim"}},
    {"heads", {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads"}},
    {"kv_heads", {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"}},
    {"head_dim", {"head_dim", "kv_channels", "d_kv"}},
    {"intermediate",
     {"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "d_ff", "hidden_dim",
      "encoder_ffn_dim"}},
    {"vocab", {"padded_vocab_size", "vocab_size"}},
    {"context",
     {"max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_seq_len",
      "max_sequence_length", "max_target_positions"}},
    {"sliding_window", {"sliding_window"}},
    {"global_every", {"sliding_window_pattern", "full_attention_interval"}},
    {"kv_latent_dim", {"kv_lora_rank"}},
    {"kv_rope_dim", {"qk_rope_head_dim"}},
    {"experts", {"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"}},
    {"experts_active", {"num_experts_per_tok", "num_experts_per_token", "moe_k"}},
    {"expert_intermediate", {"moe_intermediate_size", "expert_ffn_hidden_size"}},
    {"shared_experts", {"n_shared_experts", "num_shared_experts"}},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

/* What a family's files leave to the program that reads them; others are language models with a
 * gated MLP and a head of their own. */
struct config_family {
    const char *model_type; /* or the beginning of it, as all Gemmas */
    const char *kind, *mlp, *tied;
    double global_every;   /* one global layer in so many */
    bool has_positions;    /* learned */
    bool is_one_key_value; /* multi-query attention where the file says multi_query */
};

static const struct config_family FAMILIES[] = {
    {"gpt2", "llm", "plain", "yes", (double)NAN, true, false},
    {"gpt_bigcode", "llm", "plain", "yes", (double)NAN, true, true},
    {"gptj", "llm", "plain", "no", (double)NAN, false, false},
    {"gpt_neox", "llm", "plain", "no", (double)NAN, false, false},
    {"gpt_neo", "llm", "plain", "yes", (double)NAN, true, false},
    {"codegen", "llm", "plain", "no", (double)NAN, false, false},
    {"gpt_oss", "llm", "gated", "no", 2, false, false},
    {"opt", "llm", "plain", "yes", (double)NAN, true, false},
    {"bloom", "llm", "plain", "yes", (double)NAN, false, false},
    {"mpt", "llm", "plain", "yes", (double)NAN, false, false},
    {"falcon", "llm", "plain", "yes", (double)NAN, false, true},
    {"phi3", "llm", "gated", "no", (double)NAN, false, false},
    {"phimoe", "llm", "gated", "no", (double)NAN, false, false},
    {"phi", "llm", "plain", "no", (double)NAN, false, false},
    {"starcoder2", "llm", "plain", "yes", (double)NAN, false, false},
    {"cohere2", "llm", "gated", "yes", 4, false, false},
    {"cohere", "llm", "gated", "yes", (double)NAN, false, false},
    {"gemma2", "llm", "gated", "yes", 2, false, false},
    {"gemma3", "llm", "gated", "yes", 6, false, false},
    {"gemma", "llm", "gated", "yes", (double)NAN, false, false},
    {"bert", "encoder", "plain", "yes", (double)NAN, true, false},
    {"roberta", "encoder", "plain", "yes", (double)NAN, true, false},
    {"xlm-roberta", "encoder", "plain", "yes", (double)NAN, true, false},
    {"camembert", "encoder", "plain", "yes", (double)NAN, true, false},
    {"distilbert", "encoder", "plain", "yes", (double)NAN, true, false},
    {"electra", "encoder", "plain", "yes", (double)NAN, true, false},
    {"deberta", "encoder", "plain", "yes", (double)NAN, true, false},
    {"modernbert", "encoder", "gated", "yes", (double)NAN, false, false},
    {"whisper", "speech", "plain", "yes", (double)NAN, true, false},
    {"vit", "vision", "plain", NULL, (double)NAN, false, false},
    {"deit", "vision", "plain", NULL, (double)NAN, false, false},
    {"dinov2", "vision", "plain", NULL, (double)NAN, false, false},
    {"", "llm", "gated", "no", (double)NAN, false, false},
};

static const struct config_family *family_of(const char *model_type)
{
    const struct config_family *family = FAMILIES;

    while (strncmp(model_type, family->model_type, strlen(family->model_type)) != 0) {
        family++; /* the last one suits all */
    }
    return family;
}

static void complain(struct exchange *exchange, const char *name, enum text text)
{
    complaints_add(&exchange->complaints, name, strlen(name), SAY(text));
}

/* A number, or the mean of a list that has one for each layer; NAN: absent, null or false. */
static double number_of(struct exchange *exchange, json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    size_t count = json_array_size(value);
    double sum = 0;

    if (value == NULL || json_is_null(value) || json_is_false(value)) {
        return (double)NAN;
    }
    for (size_t i = 0; i < count; i++) {
        if (!json_is_number(json_array_get(value, i))) {
            count = 0;
        }
        sum += json_number_value(json_array_get(value, i));
    }
    if (count > 0) {
        return sum / (double)count;
    }
    if (!json_is_number(value)) {
        complain(exchange, name, TEXT_CONFIG_NUMBER);
        return (double)NAN;
    }
    if (floor(json_number_value(value)) != json_number_value(value)) {
        complain(exchange, name, TEXT_CONFIG_WHOLE_NUMBER);
        return (double)NAN;
    }
    return json_number_value(value);
}

/* The same number where it is in the range of what is possible; NAN: none, or a complaint. */
static double limited(struct exchange *exchange, const char *name, double number, double minimum,
                      double maximum)
{
    if (number >= -1 && number <= 0) {
        return (double)NAN; /* 0 experts, window 0, -1: the model has none */
    }
    if (number < minimum || number > maximum) {
        char low[NUMBER_BYTES];
        char high[NUMBER_BYTES];

        (void)snprintf(low, sizeof low, "%.0f", minimum);
        (void)snprintf(high, sizeof high, "%.0f", maximum);
        complaints_add(&exchange->complaints, name, strlen(name),
                       SAY(TEXT_CONFIG_RANGE, low, high));
        return (double)NAN;
    }
    return number;
}

/* The ranges of what models.csv does not hold, far above anything published. */
static double width_of(struct exchange *exchange, json_t *object, const char *name)
{
    return limited(exchange, name, number_of(exchange, object, name), 1, 1e6);
}

static double layers_of(struct exchange *exchange, json_t *object, const char *name)
{
    return limited(exchange, name, number_of(exchange, object, name), 1, 400);
}

static const struct fact_column *column_of(const char *name)
{
    const struct fact_table *table = fact_table_find("models");

    return &table->columns[fact_column_find(table, name, strlen(name))];
}

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text == NULL ? "" : text;
}

static void read_field(struct exchange *exchange, json_t *object, const struct config_field *field,
                       struct model *model)
{
    const struct fact_column *column = column_of(field->column);
    double number = (double)NAN;
    size_t i = 0;

    for (; isnan(number) && i < NAMES_MAX && field->names[i] != NULL; i++) {
        number = number_of(exchange, object, field->names[i]);
    }
    number = limited(exchange, field->names[i - 1], number, column->minimum, column->maximum);
    memcpy((char *)model + column->offset, &number, sizeof number);
}

/* The kinds of the layers, where the file lists them: every how many-th is global. */
static void read_layer_types(json_t *object, struct model *model)
{
    json_t *types = json_object_get(object, "layer_types");
    size_t count = json_array_size(types);
    double full = 0;
    bool is_hybrid = json_is_number(json_object_get(object, "full_attention_interval"));

    for (size_t i = 0; i < count; i++) {
        const char *type = json_string_value(json_array_get(types, i));

        full += text_is(type, "full_attention") ? 1 : 0;
        is_hybrid |= text_is(type, "linear_attention") || text_is(type, "mamba");
    }
    if (count > 0) {
        model->global_every = full > 0 ? round((double)count / full) : (double)NAN;
        if (full == (double)count) {
            model->sliding_window = (double)NAN;
        }
    }
    if (is_hybrid) {
        model->attention = "hybrid";
    }
}

static void set_default(double *value, double otherwise)
{
    if (isnan(*value)) {
        *value = otherwise;
    }
}

/* What follows from the family and from the rest. */
static void complete_shape(struct exchange *exchange, json_t *object,
                           const struct config_family *family, struct model *model)
{
    bool is_llm = text_is(family->kind, "llm");
    bool has_old_falcon = json_is_false(json_object_get(object, "new_decoder_architecture")) ||
                          json_object_get(object, "new_decoder_architecture") == NULL;

    if (family->is_one_key_value && has_old_falcon &&
        json_is_true(json_object_get(object, "multi_query"))) {
        model->kv_heads = 1;
    }
    set_default(&model->kv_heads, model->heads);
    set_default(&model->head_dim, model->hidden / model->heads);
    if (text_is(family->mlp, "plain")) {
        double ratio = width_of(exchange, object, "expansion_ratio");

        set_default(&model->intermediate, floor((isnan(ratio) ? 4 : ratio) * model->hidden));
    }
    if (json_is_false(json_object_get(object, "use_sliding_window"))) {
        model->sliding_window = (double)NAN;
    }
    if (!isnan(model->sliding_window)) {
        set_default(&model->global_every, family->global_every);
    }
    model->attention = !isnan(model->kv_latent_dim)      ? "mla"
                       : model->kv_heads == model->heads ? "mha"
                       : model->kv_heads == 1            ? "mqa"
                                                         : "gqa";
    read_layer_types(object, model);
    if (!isnan(model->experts)) {
        set_default(&model->experts_active, 1);
        set_default(&model->expert_intermediate, model->intermediate);
    }
    model->params_active = model->params_total;
    model->tied_embeddings = is_llm ? family->tied : NULL;
}

static void read_extra(struct exchange *exchange, json_t *object,
                       const struct config_family *family, const struct model *model,
                       struct model_params_extra *extra)
{
    double step = layers_of(exchange, object, "decoder_sparse_step");

    *extra = (struct model_params_extra){
        .query_latent_dim = width_of(exchange, object, "q_lora_rank"),
        .nope_dim = width_of(exchange, object, "qk_nope_head_dim"),
        .value_dim = width_of(exchange, object, "v_head_dim"),
        .dense_layers = layers_of(exchange, object, "first_k_dense_replace"),
        .expert_every =
            isnan(step) ? layers_of(exchange, object, "interleave_moe_layer_step") : step,
        .shared_width = width_of(exchange, object, "shared_expert_intermediate_size"),
        .decoder_layers = layers_of(exchange, object, "decoder_layers"),
        .positions = family->has_positions ? model->context : (double)NAN,
    };
    if (isnan(extra->shared_width)) {
        extra->shared_width = model->shared_experts * model->expert_intermediate;
    }
}

/* Vision tower beside a text model: its layers alone. */
static double vision_params(struct exchange *exchange, json_t *object)
{
    json_t *vision = json_object_get(object, "vision_config");
    double hidden = width_of(exchange, vision, "hidden_size");
    double layers = layers_of(exchange, vision, "num_hidden_layers");
    double wide = width_of(exchange, vision, "intermediate_size");

    if (isnan(layers)) {
        layers = layers_of(exchange, vision, "depth");
    }
    return layers * (4 * hidden * hidden + 2 * hidden * (isnan(wide) ? 4 * hidden : wide));
}

static void read_quant(json_t *object, struct model_config *config)
{
    static const char *const SAME[] = {"gptq", "awq", "fp8", "mxfp4"}; /* methods named as ours */
    json_t *quantization = json_object_get(object, "quantization_config");
    const char *method = text_of(quantization, "quant_method");

    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        config->quant_name = text_is(method, SAME[i]) ? SAME[i] : config->quant_name;
    }
    if (json_is_true(json_object_get(quantization, "load_in_4bit"))) {
        config->quant_name = "nf4";
    } else if (json_is_true(json_object_get(quantization, "load_in_8bit"))) {
        config->quant_name = "int8";
    }
}

/* A value that cannot be is not missing too. */
static bool is_complained(const struct exchange *exchange, const char *column)
{
    const struct config_field *field = FIELDS;

    while (strcmp(field->column, column) != 0) {
        field++;
    }
    for (size_t i = 0; i < exchange->complaints.count; i++) {
        for (size_t n = 0; n < NAMES_MAX && field->names[n] != NULL; n++) {
            if (strcmp(exchange->complaints.items[i].parameter, field->names[n]) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Without these nothing can be counted. */
static void check_complete(struct exchange *exchange, const struct model *model)
{
    const struct {
        double value;
        const char *column, *name;
    } needed[] = {{model->layers, "layers", "num_hidden_layers"},
                  {model->hidden, "hidden", "hidden_size"},
                  {model->heads, "heads", "num_attention_heads"},
                  {model->intermediate, "intermediate", "intermediate_size"},
                  {text_is(model->kind, "vision") ? 1 : model->vocab, "vocab", "vocab_size"}};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (isnan(needed[i].value) && !is_complained(exchange, needed[i].column)) {
            complain(exchange, needed[i].name, TEXT_CONFIG_MISSING);
        }
    }
}

/* Latent attention has these beside kv_lora_rank. */
static void check_latent(struct exchange *exchange, const struct model *model,
                         const struct model_params_extra *extra)
{
    const struct {
        double value;
        const char *name;
    } needed[] = {{extra->nope_dim, "qk_nope_head_dim"},
                  {model->kv_rope_dim, "qk_rope_head_dim"},
                  {extra->value_dim, "v_head_dim"}};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (text_is(model->attention, "mla") && isnan(needed[i].value)) {
            complain(exchange, needed[i].name, TEXT_CONFIG_MISSING_LATENT);
        }
    }
}

/* Parts that are each in range may still not go together. Of what is NAN nothing is said here. */
static void check_together(struct exchange *exchange, const struct model *model,
                           const struct model_params_extra *extra)
{
    const struct fact_column *head_dim = column_of("head_dim");
    double params_max = column_of("params_total")->maximum;
    const struct {
        double part, whole;
        const char *name;
        enum text text;
    } pairs[] = {
        {model->kv_heads, model->heads, "num_key_value_heads", TEXT_CONFIG_KV_HEADS},
        {model->experts_active, model->experts, "num_experts_per_tok", TEXT_CONFIG_EXPERTS},
        {extra->dense_layers, model->layers, "first_k_dense_replace", TEXT_CONFIG_DENSE_LAYERS},
        {model->head_dim, head_dim->maximum, "num_attention_heads", TEXT_CONFIG_HEADS_FEW},
        {head_dim->minimum, model->head_dim, "num_attention_heads", TEXT_CONFIG_HEADS_MANY},
        {model->head_dim, floor(model->head_dim), "num_attention_heads", TEXT_CONFIG_HEADS_UNEVEN},
        {model->intermediate, column_of("intermediate")->maximum, "expansion_ratio",
         TEXT_CONFIG_MLP_WIDE},
        {fmax(model->params_total, model->vision_params), params_max, BODY, TEXT_CONFIG_LARGE},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].part > pairs[i].whole) {
            complain(exchange, pairs[i].name, pairs[i].text);
        }
    }
}

static void read_names(struct exchange *exchange, json_t *root, const char *model_type,
                       struct model *model)
{
    const char *name = text_of(root, "_name_or_path");

    name = name[0] == '\0' || name[0] == '/' ? model_type : name;
    model->id = "posted";
    model->name = arena_copy_text(exchange->arena, name, strlen(name));
    model->family = arena_copy_text(exchange->arena, model_type, strlen(model_type));
    model->source = "config.json in the request";
    exchange->complaints.is_out_of_memory |= model->name == NULL || model->family == NULL;
}

static void read_model(struct exchange *exchange, json_t *root, struct model_config *config)
{
    json_t *text = json_object_get(root, "text_config");
    json_t *object = json_is_object(text) ? text : root;
    const char *model_type = text_of(object, "model_type");
    const struct config_family *family = family_of(model_type);
    struct model *model = &config->model;
    json_t *tied = json_object_get(root, "tie_word_embeddings");
    struct model_params_extra extra;

    read_names(exchange, root, model_type, model);
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        read_field(exchange, object, &FIELDS[i], model);
    }
    model->kind = family->kind;
    model->mlp = family->mlp;
    complete_shape(exchange, object, family, model);
    tied = tied == NULL ? json_object_get(object, "tie_word_embeddings") : tied;
    if (text_is(model->kind, "llm") && json_is_boolean(tied)) {
        model->tied_embeddings = json_is_true(tied) ? "yes" : "no";
    }
    check_complete(exchange, model);
    read_extra(exchange, object, family, model, &extra);
    model->vision_params = vision_params(exchange, root);
    check_latent(exchange, model, &extra);
    if (isnan(model->params_total)) {
        model_params_count(model, &extra);
    }
    check_together(exchange, model, &extra);
    read_quant(root, config);
}

/* What the parser says of it is English. */
static void complain_of_json(struct exchange *exchange, const json_error_t *fault)
{
    char line[NUMBER_BYTES];
    char column[NUMBER_BYTES];

    (void)snprintf(line, sizeof line, "%d", fault->line);
    (void)snprintf(column, sizeof column, "%d", fault->column);
    complaints_add(&exchange->complaints, BODY, strlen(BODY),
                   SAY(TEXT_BODY_NO_JSON, fault->text, line, column));
}

/* Jansson nests as deep as its own limit (2,048), far from the end of the stack. */
void model_config_read(struct exchange *exchange, struct model_config *config)
{
    const struct http_request *request = exchange->request;
    json_error_t fault;
    json_t *root = json_loadb(request->body, request->body_bytes, 0, &fault);

    *config = (struct model_config){0};
    if (request->body_bytes == 0) {
        complain(exchange, BODY, TEXT_BODY_EMPTY);
    } else if (root == NULL) {
        complain_of_json(exchange, &fault);
    } else if (!json_is_object(root)) {
        complain(exchange, BODY, TEXT_BODY_NO_OBJECT);
    } else {
        read_model(exchange, root, config);
    }
    json_decref(root);
}
