/* Rows of the memory table as questions. The columns task, precision, quantisation and the like are
 * parameters of the API; what the columns source, method and notes tell of the software becomes its
 * settings, with the defaults that those programs had. */
#include "predict_parts.h"

#include "../handlers/engine/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Tokens of the short generations that litgpt's and torchtune's pages time. */
static const double SHORT_GENERATION_TOKENS = 300;

/* The longest cache that torchtune's generation recipe lays out, at most the model's context. */
static const double TORCHTUNE_CACHE_TOKENS = 8192;

/* Share of unified memory that macOS gives to the GPU unless told otherwise. */
static const double APPLE_SHARE = 0.75;

/* Cards of the row and of the catalogue are the same variant when their memory agrees so far. */
static const double SAME_MEMORY_SHARE = 0.05;

/* The texts of a row that name software. */
struct row_texts {
    const char *task, *precision, *quantisation, *optimizer, *parallelism, *checkpointing;
    const char *method, *source, *notes;
};

static void read_texts(const struct predict_table *table, size_t row, struct row_texts *texts)
{
    *texts = (struct row_texts){
        .task = predict_table_text(table, row, "task"),
        .precision = predict_table_text(table, row, "precision"),
        .quantisation = predict_table_text(table, row, "quantisation"),
        .optimizer = predict_table_text(table, row, "optimizer"),
        .parallelism = predict_table_text(table, row, "parallelism"),
        .checkpointing = predict_table_text(table, row, "checkpointing"),
        .method = predict_table_text(table, row, "method"),
        .source = predict_table_text(table, row, "source"),
        .notes = predict_table_text(table, row, "notes"),
    };
}

static bool plan_says(const struct row_texts *texts, const char *word)
{
    return predict_says(texts->parallelism, word) || predict_says(texts->method, word);
}

static enum task task_of(const struct row_texts *texts)
{
    if (strcmp(texts->task, "inference") == 0) {
        return TASK_INFERENCE;
    }
    if (strcmp(texts->task, "train-full") == 0 || strcmp(texts->task, "pretrain") == 0) {
        return TASK_FINETUNE;
    }
    return texts->quantisation[0] != '\0' ? TASK_QLORA : TASK_LORA;
}

/* The fine-tuning scripts of Qwen (v1) are Transformers' Trainer on DeepSpeed, and its quantised
 * models are AutoGPTQ's. */
static enum runtime runtime_of(const struct row_texts *texts)
{
    bool is_training = strcmp(texts->task, "inference") != 0;

    if (predict_says(texts->source, "litgpt")) {
        return RUNTIME_LITGPT;
    }
    if (predict_says(texts->source, "torchtune")) {
        return RUNTIME_TORCHTUNE;
    }
    if (predict_says(texts->source, "exllama")) {
        return RUNTIME_EXLLAMA;
    }
    if (predict_says(texts->source, "vllm")) {
        return RUNTIME_VLLM;
    }
    if (predict_says(texts->method, "llama.cpp") || predict_says(texts->quantisation, "gguf")) {
        return RUNTIME_LLAMA_CPP;
    }
    if (predict_says(texts->source, "Qwen (v1)")) {
        return is_training                                 ? RUNTIME_DEEPSPEED
               : predict_says(texts->quantisation, "gptq") ? RUNTIME_AUTOGPTQ
                                                           : RUNTIME_TRANSFORMERS;
    }
    return RUNTIME_TRANSFORMERS;
}

/* The name of a format in the catalogue; false: it has none. */
static bool read_quant(const struct catalogue *catalogue, const struct row_texts *texts,
                       struct ask *ask)
{
    static const struct {
        const char *word, *name;
    } FORMATS[] = {
        {"fp8", "fp8"},
        {"nf4-dq", "nf4-dq"},
        {"fp4-dq", "nf4-dq"},
        {"nf4", "nf4"},
        {"fp4", "nf4"},
        {"awq", "awq"},
        {"gptq-int8", "gptq-8bit"},
        {"g32", "gptq-g32"},
        {"nogroup", "gptq-nogroup"},
        {"gptq", "gptq"},
        {"int8", "int8"},
        {"int4", "gptq"},
        {"8bit", "int8"},
        {"4bit", "gptq-nogroup"},
    };
    /* torchtune quantises the scales of NF4 once more (pytorch/ao). */
    const char *quantisation = ask->runtime == RUNTIME_TORCHTUNE && texts->quantisation[0] != '\0'
                                   ? "nf4-dq"
                                   : texts->quantisation;
    bool is_fp32 =
        strcmp(texts->precision, "fp32") == 0 || predict_says(texts->precision, "fp32 weights");

    if (quantisation[0] == '\0') {
        ask->quant = catalogue_find_quant(catalogue, is_fp32                             ? "fp32"
                                                     : ask->runtime == RUNTIME_LLAMA_CPP ? "f16"
                                                                                         : "bf16");
        return ask->quant != NULL;
    }
    if (strncmp(quantisation, "gguf-", 5) == 0) {
        ask->quant = catalogue_find_quant(
            catalogue, quantisation + (strncmp(quantisation + 5, "ud-", 3) == 0 ? 8 : 5));
        if (ask->quant == NULL) { /* makers' own mixtures: the nearest usual one */
            ask->quant =
                catalogue_find_quant(catalogue, predict_says(quantisation, "q6")     ? "q6_k"
                                                : predict_says(quantisation, "q3")   ? "q3_k_m"
                                                : predict_says(quantisation, "bf16") ? "f16"
                                                                                     : "q4_k_m");
        }
        return ask->quant != NULL;
    }
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        if (predict_says(quantisation, FORMATS[i].word)) {
            ask->quant = catalogue_find_quant(catalogue, FORMATS[i].name);
            return ask->quant != NULL;
        }
    }
    return false;
}

/* r=8, rank 64, rank32: the last one said. */
static double rank_of(const char *method, double otherwise)
{
    double rank = otherwise;

    for (const char *place = method; *place != '\0'; place++) {
        const char *digits = place;

        if (strncasecmp(place, "rank", 4) == 0) {
            digits += 4;
        } else if (strncasecmp(place, "r=", 2) == 0) {
            digits += 2;
        } else {
            continue;
        }
        digits += strspn(digits, " =-");
        if (isdigit((unsigned char)*digits)) {
            rank = strtod(digits, NULL);
        }
    }
    return rank;
}

/* What a published run does not say of its adapter: queries and values at rank 8, where batch and
 * length make it a recipe of its own; otherwise what the product takes. */
static void read_adapter(const struct row_texts *texts, bool is_stated, struct ask *ask)
{
    bool is_qwen = ask->runtime == RUNTIME_DEEPSPEED;
    double otherwise = is_qwen ? 64 : is_stated ? 8 : (double)NAN;

    ask->lora_rank = rank_of(texts->method, otherwise);
    ask->lora_targets_is_given = true;
    if (is_qwen || predict_says(texts->method, "all layers")) {
        ask->lora_targets = LORA_TARGETS_ALL;
    } else if (predict_says(texts->method, "target-mlp")) {
        ask->lora_targets = LORA_TARGETS_MLP;
    } else if (is_stated || predict_says(texts->method, "q,v")) {
        ask->lora_targets = LORA_TARGETS_QV;
    } else {
        ask->lora_targets_is_given = false;
    }
    ask->rare.trains_tables = predict_says(texts->method, "embeddings trained");
    if (strcmp(texts->task, "train-adapter") == 0) {
        ask->rare.adapter = predict_says(texts->method, "v2") ? ADAPTER_LLAMA_V2 : ADAPTER_LLAMA;
    } else if (strcmp(texts->task, "train-ptuning") == 0) {
        ask->rare.adapter = ADAPTER_PROMPT;
    } else if (strncmp(texts->method, "ia3", 3) == 0) {
        ask->rare.adapter = ADAPTER_SCALES;
    }
}

static enum optimizer optimizer_of(const char *name)
{
    if (predict_says(name, "paged")) {
        return OPTIMIZER_PAGED_ADAMW_8BIT;
    }
    if (predict_says(name, "8bit") || predict_says(name, "8-bit")) {
        return OPTIMIZER_ADAMW_8BIT;
    }
    if (predict_says(name, "sgd")) {
        return OPTIMIZER_SGD;
    }
    if (predict_says(name, "adafactor")) {
        return OPTIMIZER_ADAFACTOR;
    }
    return predict_says(name, "lion") ? OPTIMIZER_LION : OPTIMIZER_ADAMW;
}

/* Only where the row says 16 bits and nothing else are the states 16-bit too. */
static bool is_pure_16_bit(const struct row_texts *texts)
{
    return strcmp(texts->precision, "bf16") == 0 || strcmp(texts->precision, "bfloat16") == 0;
}

static void read_training(const struct row_texts *texts, bool is_stated, struct ask *ask)
{
    ask->optimizer = optimizer_of(texts->optimizer);
    ask->optimizer_is_given = true;
    ask->rare.updates_in_backward = predict_says(texts->optimizer, "backward") ||
                                    predict_says(texts->optimizer, "in bwd") ||
                                    predict_says(texts->notes, "fused in backward");
    ask->rare.accumulates_gradients =
        ask->runtime != RUNTIME_DEEPSPEED && predict_says(texts->notes, "accumulation");
    ask->rare.offloads_optimizer = predict_says(texts->notes, "CPU offload") ||
                                   predict_says(texts->optimizer, "CPU offload") ||
                                   predict_says(texts->method, "CPU offload");
    ask->rare.offloads_activations = predict_says(texts->checkpointing, "activation offload");
    /* torchtune's table of options adds its chunked loss in a later line than packing. */
    ask->rare.keeps_logits =
        predict_says(texts->source, "README opt") &&
        (predict_says(texts->notes, "+packed") || strcmp(texts->notes, "packed to 4096") == 0 ||
         strcmp(texts->notes, "packed, compile") == 0);
    if (ask->task == TASK_FINETUNE) {
        bool is_mixed = !is_pure_16_bit(texts) || ask->runtime == RUNTIME_DEEPSPEED;

        ask->master_weights = is_mixed ? ANSWER_YES : ANSWER_NO;
        ask->master_weights_is_given = true;
    } else {
        read_adapter(texts, is_stated, ask);
    }
}

static void read_inference(const struct row_texts *texts, struct ask *ask)
{
    if (ask->runtime == RUNTIME_TORCHTUNE && ask->model != NULL) {
        ask->rare.cache_tokens = fmin(ask->model->context, TORCHTUNE_CACHE_TOKENS);
    }
    if (predict_says(texts->method, "cache int8")) {
        ask->kv_dtype = KV_DTYPE_Q8_0;
        ask->kv_dtype_is_given = true;
    }
    ask->rare.copies_cache = predict_says(texts->source, "Qwen (v1)");
    if (predict_says(texts->source, "GPU-Benchmarks")) { /* before llama.cpp's flash attention */
        ask->flash_attention = ANSWER_NO;
    }
}

/* After the completion, because people measure texts longer than a model was made for. */
static void read_length(const struct predict_table *table, size_t row, struct ask *ask)
{
    bool is_inference = ask->task == TASK_INFERENCE;
    double tokens = predict_table_number(table, row, is_inference ? "context" : "seq_len");

    if (is_inference) {
        ask->context = ask->runtime == RUNTIME_VLLM ? 1 : SHORT_GENERATION_TOKENS;
    }
    if (!isnan(tokens)) {
        *(is_inference ? &ask->context : &ask->seq_len) = tokens;
    }
}

static enum strategy strategy_of(const struct row_texts *texts, struct ask *ask, size_t cards)
{
    if (cards < 2) {
        return STRATEGY_SINGLE;
    }
    if (plan_says(texts, "tensor")) {
        return STRATEGY_TP;
    }
    if (ask->task == TASK_INFERENCE) {
        return STRATEGY_PP;
    }
    if (plan_says(texts, "FSDP") || plan_says(texts, "ZeRO-3")) {
        if (ask->runtime == RUNTIME_LITGPT) { /* its FSDP wraps each block in a checkpoint */
            ask->checkpointing = ANSWER_YES;
        }
        return STRATEGY_FSDP;
    }
    ask->rare.shards_gradients = plan_says(texts, "ZeRO-2");
    ask->rare.shards_states = plan_says(texts, "ZeRO");
    return STRATEGY_DDP;
}

/* What a process may use of one of the row's cards, by the catalogue where it has the card. */
static double usable_gib(const struct catalogue *catalogue, const struct ask *ask,
                         const struct gpu *gpu, double nominal_gib, const char *slug)
{
    if (gpu != NULL && !(fabs(gpu->memory_per_process_gib / nominal_gib - 1) > SAME_MEMORY_SHARE)) {
        return memory_usable_gib(catalogue, ask, gpu);
    }
    return nominal_gib * (strncmp(slug, "apple", 5) == 0
                              ? APPLE_SHARE
                              : catalogue->parameters.usable_share_default);
}

bool predict_memory_read(const struct catalogue *catalogue, const struct predict_table *table,
                         size_t row, struct predict_case *one)
{
    struct row_texts texts;
    struct error err = {0};
    struct ask *ask = &one->ask;
    double cards = predict_table_number(table, row, "gpus");
    /* A run whose batch and length are known is taken as written; of others only the aim is. */
    bool is_stated = !isnan(predict_table_number(table, row, "batch") +
                            predict_table_number(table, row, "seq_len"));

    read_texts(table, row, &texts);
    ask_init(ask);
    ask->task = task_of(&texts);
    ask->runtime = runtime_of(&texts);
    ask->runtime_is_given = true;
    ask->batch = predict_table_number(table, row, "batch");
    if (strncmp(texts.checkpointing, "yes", 3) == 0 && ask_is_training(ask)) {
        ask->checkpointing = ANSWER_YES;
    } else if (is_stated || texts.checkpointing[0] != '\0' || !ask_is_training(ask)) {
        ask->checkpointing = ANSWER_NO;
    }
    ask->rare.casts_weights = predict_says(texts.precision, "fp32 weights");
    one->cards = cards >= 1 ? (size_t)cards : 1;
    one->strategy = strategy_of(&texts, ask, one->cards);
    if (!predict_model_find(catalogue, predict_table_text(table, row, "model"),
                            predict_table_number(table, row, "params_b") * 1e9, ask) ||
        !read_quant(catalogue, &texts, ask)) {
        return false;
    }
    if (ask->task == TASK_INFERENCE) {
        read_inference(&texts, ask);
    } else {
        read_training(&texts, is_stated, ask);
    }
    if (!ask_complete(catalogue, ask, &err)) {
        return false;
    }
    read_length(table, row, ask);
    one->scope = PREDICT_ON_ONE_CARD;
    if (strcmp(predict_table_text(table, row, "scope"), "total") == 0) {
        one->scope = ask->task == TASK_INFERENCE ? PREDICT_ONE_COPY : PREDICT_ON_ALL_CARDS;
    }
    one->gpu = catalogue_find_gpu(catalogue, predict_table_text(table, row, "gpu_slug"));
    one->usable_gib =
        usable_gib(catalogue, ask, one->gpu, predict_table_number(table, row, "gpu_memory_gb"),
                   predict_table_text(table, row, "gpu_slug"));
    return true;
}

void predict_memory_answer(const struct catalogue *catalogue, const struct predict_case *one,
                           struct prediction *prediction)
{
    struct memory_need need;
    double copies = one->scope == PREDICT_ON_ALL_CARDS ? (double)one->cards : 1;
    bool is_copy = one->scope == PREDICT_ONE_COPY;

    memory_estimate(catalogue, &one->ask, one->strategy, one->cards, &need);
    if (need.is_floor) {
        return;
    }
    prediction->value =
        copies * ((is_copy ? need.total_gib : need.per_gpu_gib) - need.overhead_gib);
    prediction->low =
        copies * ((is_copy ? need.low_gib : need.per_gpu_low_gib) - need.overhead_gib);
    prediction->high =
        copies * ((is_copy ? need.high_gib : need.per_gpu_high_gib) - need.overhead_gib);
    if (!isnan(one->usable_gib)) {
        double room_gib = catalogue->parameters.memory_tight_share * one->usable_gib;

        prediction->fits = need.per_gpu_gib <= room_gib ? ANSWER_YES : ANSWER_NO;
    }
}
