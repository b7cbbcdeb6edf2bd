/* POST /estimate: models described by a config.json, their parameters against published counts. */
#include "handlers_fixture.h"

#include <math.h>

static int post(const char *target, const char *body)
{
    return test_send(target, (struct http_request){.method = HTTP_POST,
                                                   .content_type = "application/json",
                                                   .body = body,
                                                   .body_bytes = strlen(body)});
}

/* Shapes as published in the repositories of the models; counts by hand or from their cards. */
static const struct {
    const char *what, *config;
    double total, active, share; /* largest difference */
} MODELS[] = {
    {"Llama 3.1 8B: 2 x 128256 x 4096 + 32 layers",
     "{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
     "\"vocab_size\":128256,\"max_position_embeddings\":131072,\"tie_word_embeddings\":false}",
     8030261248, 8030261248, 1e-9},
    {"GPT-2: 1024 learned positions, tied head",
     "{\"model_type\":\"gpt2\",\"n_embd\":768,\"n_layer\":12,\"n_head\":12,"
     "\"n_positions\":1024,\"vocab_size\":50257}",
     124439808, 124439808, 1e-3},
    {"Mixtral 8x7B: 8 experts, 2 at once",
     "{\"model_type\":\"mixtral\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
     "\"num_local_experts\":8,\"num_experts_per_tok\":2,\"vocab_size\":32000,"
     "\"sliding_window\":null,\"max_position_embeddings\":32768}",
     46702792704, 12879925248, 1e-6},
    {"DeepSeek V3: latent attention, 3 dense layers, 256 experts and a shared one",
     "{\"model_type\":\"deepseek_v3\",\"first_k_dense_replace\":3,\"hidden_size\":7168,"
     "\"intermediate_size\":18432,\"kv_lora_rank\":512,\"moe_intermediate_size\":2048,"
     "\"n_routed_experts\":256,\"n_shared_experts\":1,\"num_attention_heads\":128,"
     "\"num_experts_per_tok\":8,\"num_hidden_layers\":61,\"num_key_value_heads\":128,"
     "\"q_lora_rank\":1536,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,"
     "\"v_head_dim\":128,\"vocab_size\":129280,\"max_position_embeddings\":163840}",
     671026419200, 37.5e9, 2e-3},
    {"Gemma 2 2B: heads wider than hidden / heads, tied head",
     "{\"model_type\":\"gemma2\",\"hidden_size\":2304,\"num_hidden_layers\":26,"
     "\"num_attention_heads\":8,\"num_key_value_heads\":4,\"head_dim\":256,"
     "\"intermediate_size\":9216,\"vocab_size\":256000,\"sliding_window\":4096,"
     "\"max_position_embeddings\":8192}",
     2614341888, 2614341888, 1e-3},
    {"Falcon 7B: one key-value head, MLP of four times the width",
     "{\"model_type\":\"falcon\",\"hidden_size\":4544,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":71,\"multi_query\":true,\"vocab_size\":65024}",
     6921720704, 6921720704, 1e-3},
    {"Qwen 1.5 MoE A2.7B: shared experts of their own width",
     "{\"model_type\":\"qwen2_moe\",\"hidden_size\":2048,\"num_hidden_layers\":24,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,\"intermediate_size\":5632,"
     "\"moe_intermediate_size\":1408,\"shared_expert_intermediate_size\":5632,"
     "\"num_experts\":60,\"num_experts_per_tok\":4,\"decoder_sparse_step\":1,"
     "\"vocab_size\":151936,\"max_position_embeddings\":8192}",
     14315784192, 2.69e9, 2e-3},
    {"Phi 3.5 MoE: gated experts, unlike the other Phi",
     "{\"model_type\":\"phimoe\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":6400,"
     "\"num_local_experts\":16,\"num_experts_per_tok\":2,\"vocab_size\":32064}",
     41.87e9, 6.64e9, 2e-3},
    {"GPT-Neo 1.3B: as GPT-2, with 2048 learned positions",
     "{\"model_type\":\"gpt_neo\",\"hidden_size\":2048,\"num_layers\":24,\"num_heads\":16,"
     "\"intermediate_size\":null,\"max_position_embeddings\":2048,\"vocab_size\":50257}",
     1315575808, 1315575808, 1e-3},
    {"BERT base: an encoder has no head",
     "{\"model_type\":\"bert\",\"hidden_size\":768,\"num_hidden_layers\":12,"
     "\"num_attention_heads\":12,\"intermediate_size\":3072,\"vocab_size\":30522,"
     "\"max_position_embeddings\":512}",
     109482240, 109482240, 1e-2},
};

static void test_counts(void)
{
    for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
        tap_ok(post("/estimate?task=inference", MODELS[i].config) == 200, "%s", MODELS[i].what);
        tap_near(test_number("model.params_total") / MODELS[i].total, 1, MODELS[i].share, "total");
        tap_near(test_number("model.params_active") / MODELS[i].active, 1, MODELS[i].share,
                 "active");
    }
}

/* Every shape of the catalogue, written as config.json, counts to the catalogue's figure. */
static void test_shapes(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    size_t tried = 0;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];
        char body[1024];

        if (!text_is(model->kind, "llm") || !text_is(model->mlp, "gated") || model->experts > 0 ||
            text_is(model->attention, "hybrid") ||
            isnan(model->layers * model->hidden * model->heads * model->kv_heads * model->head_dim *
                  model->intermediate * model->vocab) ||
            strncmp(model->id, "gemma-3n", 8) == 0 || strncmp(model->id, "gemma-4", 7) == 0 ||
            fmod(model->params_total, 1e6) < 1) {
            continue; /* other shapes; rounded totals */
        }
        (void)snprintf(body, sizeof body,
                       "{\"model_type\":\"llama\",\"hidden_size\":%.0f,\"num_hidden_layers\":%.0f,"
                       "\"num_attention_heads\":%.0f,\"num_key_value_heads\":%.0f,"
                       "\"head_dim\":%.0f,\"intermediate_size\":%.0f,\"vocab_size\":%.0f,"
                       "\"tie_word_embeddings\":%s}",
                       model->hidden, model->layers, model->heads, model->kv_heads, model->head_dim,
                       model->intermediate, model->vocab,
                       text_is(model->tied_embeddings, "yes") ? "true" : "false");
        tried++;
        if (post("/estimate?task=inference", body) != 200 ||
            fabs(test_number("model.params_total") / model->params_total - 1) > 0.006) {
            tap_ok(false, "%s counts to %.0f, not %.0f", model->id,
                   test_number("model.params_total"), model->params_total);
        }
    }
    tap_ok(tried > 25, "%zu shapes of the catalogue count to their totals within 0.6 %%", tried);
}

/* The same model by name and by config.json needs the same. */
static void test_same_as_named(void)
{
    static const char CONFIG[] =
        "{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
        "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
        "\"vocab_size\":128256,\"max_position_embeddings\":131072}";
    static const char *const WORK[] = {"task=inference&quant=bf16&context=8192",
                                       "task=qlora&seq_len=1024", "task=train",
                                       "task=inference&users=8&gpu=rtx-4090"};

    for (size_t i = 0; i < sizeof WORK / sizeof WORK[0]; i++) {
        char target[256];

        (void)snprintf(target, sizeof target, "/estimate?model=llama-3.1-8b&%s", WORK[i]);
        tap_ok(test_get(target) == 200, "%s", WORK[i]);
        double named = test_number("memory.total_gib");
        double speed = test_number("speed.0.value");

        (void)snprintf(target, sizeof target, "/estimate?%s", WORK[i]);
        tap_ok(post(target, CONFIG) == 200, "posted");
        tap_near(test_number("memory.total_gib"), named, 1e-6, "the same memory");
        tap_near(test_number("speed.0.value"), speed, 1e-6 * speed, "the same speed");
    }
    tap_text(test_text("query.model"), "posted", "the query says where the model came from");
    tap_text(test_header("Cache-Control"), "no-store", "nobody else's answer");
    tap_ok(test_header("ETag") == NULL, "and no tag");
}

static void test_details(void)
{
    tap_ok(post("/estimate",
                "{\"model_type\":\"llama\",\"hidden_size\":4096,"
                "\"num_hidden_layers\":32,\"num_attention_heads\":32,"
                "\"intermediate_size\":11008,\"vocab_size\":32000,"
                "\"quantization_config\":{\"quant_method\":\"awq\",\"bits\":4}}") == 200,
           "a quantised model");
    tap_text(test_text("query.quant"), "awq", "its format is that of the file");
    tap_text(test_text("query.task"), "inference", "who posts a model wants to run it");
    tap_ok(post("/estimate?task=inference",
                "{\"model_type\":\"gemma3\",\"text_config\":{\"model_type\":\"gemma3_text\","
                "\"hidden_size\":2560,\"num_hidden_layers\":34,\"num_attention_heads\":8,"
                "\"num_key_value_heads\":4,\"head_dim\":256,\"intermediate_size\":10240,"
                "\"vocab_size\":262208,\"sliding_window\":1024},"
                "\"vision_config\":{\"hidden_size\":1152,\"num_hidden_layers\":27,"
                "\"intermediate_size\":4304}}") == 200,
           "a model with a vision tower");
    tap_near(test_number("model.global_every"), 6, 0, "one global layer in six, as Gemma 3 has");
    /* 27 x (4 x 1152^2 + 2 x 1152 x 4304) */
    tap_near(test_number("model.vision_params"), 411070464, 1e3, "the tower counted");
    tap_ok(post("/estimate?task=inference",
                "{\"model_type\":\"qwen3_next\",\"hidden_size\":2048,\"num_hidden_layers\":48,"
                "\"num_attention_heads\":16,\"num_key_value_heads\":2,\"head_dim\":256,"
                "\"intermediate_size\":5120,\"moe_intermediate_size\":512,\"num_experts\":512,"
                "\"num_experts_per_tok\":10,\"shared_expert_intermediate_size\":512,"
                "\"full_attention_interval\":4,\"vocab_size\":151936}") == 200,
           "linear attention in three layers of four");
    tap_text(test_text("model.attention"), "hybrid", "is a hybrid");
    tap_near(test_number("model.global_every"), 4, 0, "with a cache in every fourth layer");
}

static void test_refusals(void)
{
    tap_ok(test_send("/estimate", (struct http_request){.method = HTTP_POST,
                                                        .content_type = "text/plain",
                                                        .body = "{}",
                                                        .body_bytes = 2}) == 415,
           "another media type");
    tap_ok(post("/estimate", "") == 400 && strstr(test_detail("body"), "is empty") != NULL,
           "an empty body");
    tap_text(test_header("Cache-Control"), "no-store", "a refused body is nobody else's either");
    tap_ok(post("/estimate", "{\"hidden_size\":") == 400 &&
               strstr(test_detail("body"), "line 1") != NULL,
           "no JSON: where it breaks");
    tap_ok(post("/estimate", "[1]") == 400 && strlen(test_detail("body")) > 0, "no object");
    tap_ok(post("/estimate?gpu=none&model=7b", "{\"hidden_size\":\"wide\"}") == 400 &&
               strlen(test_detail("hidden_size")) > 0 &&
               strlen(test_detail("num_hidden_layers")) > 0 && strlen(test_detail("gpu")) > 0 &&
               strlen(test_detail("model")) > 0,
           "body and query are judged together");
    tap_ok(post("/estimate", "{\"hidden_size\":1e9,\"num_hidden_layers\":-1,"
                             "\"num_attention_heads\":32,\"intermediate_size\":4096,"
                             "\"vocab_size\":32000}") == 400 &&
               strstr(test_detail("hidden_size"), "65536") != NULL,
           "out of range, with the range");
    static const struct {
        const char *members, *name;
    } IMPOSSIBLE[] = {
        {"\"hidden_size\":-5", "hidden_size"},
        {"\"shared_expert_intermediate_size\":-1e12", "shared_expert_intermediate_size"},
        {"\"first_k_dense_replace\":1e9", "first_k_dense_replace"},
        {"\"decoder_layers\":-1e9", "decoder_layers"},
        {"\"num_key_value_heads\":32", "num_key_value_heads"},
        {"\"num_local_experts\":8,\"num_experts_per_tok\":9", "num_experts_per_tok"},
        {"\"kv_lora_rank\":512,\"qk_nope_head_dim\":128,\"v_head_dim\":128", "qk_rope_head_dim"},
        {"\"vision_config\":{\"num_hidden_layers\":1e5}", "num_hidden_layers"},
    };

    for (size_t i = 0; i < sizeof IMPOSSIBLE / sizeof IMPOSSIBLE[0]; i++) {
        char body[512];

        (void)snprintf(body, sizeof body,
                       "{\"hidden_size\":2048,\"num_hidden_layers\":24,\"num_attention_heads\":16,"
                       "\"intermediate_size\":5632,\"vocab_size\":32000,%s}",
                       IMPOSSIBLE[i].members); /* of a name given twice the last counts */
        tap_ok(post("/estimate", body) == 400 && strlen(test_detail(IMPOSSIBLE[i].name)) > 0,
               "cannot be: %s", IMPOSSIBLE[i].members);
    }
    tap_ok(post("/estimate", "{\"_class_name\":\"UNet2DConditionModel\"}") == 400,
           "no transformer");
    tap_ok(post("/estimate", "{\"n_embd\":\"wide\",\"n_layer\":12,\"n_head\":12,"
                             "\"n_inner\":3072,\"vocab_size\":50257}") == 400 &&
               json_array_size(test_at("errors")) == 1 && strlen(test_detail("n_embd")) > 0,
           "a value that cannot be is one fault, under the name it has");
    tap_ok(post("/recommend", "{}") == 405, "only /estimate takes a model");
    tap_text(test_header("Allow"), "GET, HEAD, OPTIONS", "405 names what is allowed");
}

/* Values that are each possible, or of fields that only the count reads. */
static void test_absurd(void)
{
    static const struct {
        const char *what, *more, *parameter;
    } CASES[] = {
        {"more decoder layers than any model", "\"decoder_layers\":1e15", "decoder_layers"},
        {"a vision tower of 1e300 layers",
         "\"vision_config\":{\"hidden_size\":1024,\"num_hidden_layers\":1e300}",
         "num_hidden_layers"},
        {"a query latent of 1e9", "\"q_lora_rank\":1000000000", "q_lora_rank"},
        {"more dense layers than layers", "\"num_experts\":8,\"first_k_dense_replace\":33",
         "first_k_dense_replace"},
        {"more experts at once than there are", "\"num_experts\":8,\"num_experts_per_tok\":9",
         "num_experts_per_tok"},
        {"more key-value heads than heads", "\"num_key_value_heads\":64", "num_key_value_heads"},
        {"half a head", "\"num_key_value_heads\":0.5", "num_key_value_heads"},
        {"heads of different widths", "\"num_attention_heads\":24", "num_attention_heads"},
        /* 32 layers x 2048 experts x 3 x 4096 x 100000 = 8.1e13 */
        {"more parameters than any model", "\"num_experts\":2048,\"moe_intermediate_size\":100000",
         "body"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char body[512];

        (void)snprintf(body, sizeof body,
                       "{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
                       "\"num_attention_heads\":32,\"intermediate_size\":11008,"
                       "\"vocab_size\":32000,%s}",
                       CASES[i].more);
        tap_ok(post("/estimate", body) == 400 && strlen(test_detail(CASES[i].parameter)) > 0, "%s",
               CASES[i].what);
    }
    tap_ok(post("/estimate",
                "{\"model_type\":\"mpt\",\"d_model\":4096,\"n_layers\":32,"
                "\"n_heads\":2,\"expansion_ratio\":1e3,\"vocab_size\":32000}") == 400 &&
               strlen(test_detail("num_attention_heads")) > 0 &&
               strlen(test_detail("expansion_ratio")) > 0,
           "derived widths beyond any model, both named");
}

int main(void)
{
    test_open();
    test_counts();
    test_shapes();
    test_same_as_named();
    test_details();
    test_refusals();
    test_absurd();
    return test_close();
}
