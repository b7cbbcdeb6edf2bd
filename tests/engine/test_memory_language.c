/* memory_language.c: weights, caches and activations of language models against figures that can be
 * recomputed by hand and against the reference program of the model (ACCURACY.md section 9). */
#include "work_fixture.h"

#include "memory_parts.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;

static void test_weights(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "bf16");

    /* data/models.csv: 8,030,261,248 parameters x 2 bytes */
    tap_near(memory_weight_bytes(&ask), 16060522496.0, 1e-12, "16-bit weights take 2 bytes each");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "q4_k_m");
    tap_near(memory_weight_bytes(&ask) / GIB, 4.58, 2e-3, "the published GGUF file has 4.58 GiB");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "nf4");
    /* table 128256 x 4096 = 525,336,576 stays in 16 bit: (8030261248 - 525336576) x 4.5/8 + 2 x it
     */
    ask.runtime = RUNTIME_LITGPT;
    tap_near(memory_weight_bytes(&ask), 7504924672.0 * 0.5625 + 1050673152.0, 1e-12,
             "litgpt leaves the embedding in 16 bit");
    ask.runtime = RUNTIME_TRANSFORMERS;
    tap_near(memory_weight_bytes(&ask), 6979588096.0 * 0.5625 + 2101346304.0, 1e-12,
             "Transformers the head too");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "fp32");
    ask.rare.casts_weights = true;
    tap_near(memory_weight_bytes(&ask), 8030261248.0 * 4 + 7504924672.0 * 2, 1e-12,
             "autocast keeps a 16-bit copy of every matrix");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "awq");
    tap_near(memory_weight_bytes(&ask), 6979588096.0 * 0.53125 + 2101346304.0, 1e-12,
             "AWQ leaves embedding and head in 16 bit");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.2-3b", "fp8");
    /* tied table 128256 x 3072 = 394,002,432, stored twice: (3212749824 - 394002432) x 8.1/8 + 4 x
     * it */
    tap_near(memory_weight_bytes(&ask), 2818747392.0 * 1.0125 + 1576009728.0, 1e-12,
             "FP8 files hold a tied head on its own");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "deepseek-r1", "fp8");
    tap_near(memory_weight_bytes(&ask) / GIB, 625, 0.04, "DeepSeek R1 in FP8 is about 625 GiB");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "deepseek-r1", "bf16");
    tap_near(memory_weight_bytes(&ask) / GIB, 1250, 0.01, "and 1250 GiB in 16 bit");
    ask.model = NULL;
    tap_ok(isnan(memory_weight_bytes(&ask)), "no model, no weights");
}

static void test_cache(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "bf16");

    /* 2 x 32 layers x 8 KV heads x 128 x 2 bytes = 131,072 bytes a token */
    tap_ok(memory_kv_bytes(&ask, 131072) == 16 * GIB, "16 GiB at 131,072 tokens of Llama 3.1 8B");
    ask.kv_dtype = KV_DTYPE_Q8_0;
    tap_ok(memory_kv_bytes(&ask, 131072) == 8.5 * GIB, "q8_0 takes 8.5 bits a value");
    ask.kv_dtype = KV_DTYPE_Q4_0;
    tap_ok(memory_kv_bytes(&ask, 131072) == 4.5 * GIB, "q4_0 takes 4.5 bits a value");
    ask.kv_dtype = KV_DTYPE_FP8;
    tap_ok(memory_kv_bytes(&ask, 131072) == 8 * GIB, "fp8 takes 8 bits a value");

    ask = test_ask_complete(catalogue, TASK_INFERENCE, "deepseek-r1", "fp8");
    /* MLA, kept once: (512 + 64) values x 61 layers x 2 bytes = 70,272 bytes a token */
    tap_ok(memory_kv_bytes(&ask, 1000) == 70272000.0, "MLA caches the latent, not K and V");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "gemma-3-27b", "bf16");
    /* 62 layers, every 6th global: 10; local window 1024. 2 x 16 x 128 x 2 = 8192 bytes a layer and
     * token: 8192 x (10 x 8192 + 52 x 1024) */
    tap_ok(memory_kv_bytes(&ask, 8192) == 8192.0 * (10 * 8192 + 52 * 1024),
           "local layers stop at their window");
    tap_ok(memory_kv_bytes(&ask, 100) == 8192.0 * 62 * 100, "below the window all layers grow");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "qwen3-next-80b-a3b", "bf16");
    /* every 4th of 48 layers: 12 x 2 x 2 KV heads x 256 x 2 bytes */
    tap_ok(memory_kv_bytes(&ask, 10) == 12.0 * 2 * 2 * 256 * 2 * 10,
           "only every 4th layer of a hybrid has a growing cache");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "bert-base-uncased", "fp16");
    tap_ok(isnan(memory_kv_bytes(&ask, 10)), "an encoder has no cache");
}

static void test_size_asked(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, NULL, "bf16");

    ask.model = ask_model_of_size(catalogue, 7e9);
    ask.model_params = 7e9;
    test_complete(catalogue, &ask);
    tap_near(memory_weight_bytes(&ask), 14e9, 1e-12, "7b has weights for 7e9 parameters");
    struct ask whole = ask;

    whole.model_params = TEST_UNKNOWN;
    tap_near(memory_kv_bytes(&ask, 1000) / memory_kv_bytes(&whole, 1000),
             7e9 / ask.model->params_total, 1e-12, "and its cache is scaled alike");
}

/* Peaks in GiB printed by the reference program (printed 2026-11-30) for the
 * same model, format and context, batch 1. */
struct reference_row {
    enum runtime runtime;
    enum task task;
    const char *model, *quant;
    double length, batch;
    enum answer checkpointing;
    enum strategy strategy;
    size_t cards;
    double peak_gib;
};

static const struct reference_row REFERENCE[] = {
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-3.1-8b", "bf16", 4096, 1, ANSWER_NO,
     STRATEGY_SINGLE, 1, 15.5423295},
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-3.1-8b", "bf16", 131072, 1, ANSWER_NO,
     STRATEGY_SINGLE, 1, 32.7473295},
    {RUNTIME_LITGPT, TASK_INFERENCE, "llama-3.1-8b", "nf4", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1,
     7.2807060},
    {RUNTIME_LITGPT, TASK_INFERENCE, "llama-3.1-8b", "int8", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1,
     10.3386147},
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-3.1-8b", "fp8", 4096, 1, ANSWER_NO,
     STRATEGY_SINGLE, 1, 9.1233346},
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-3.2-3b", "fp8", 4096, 1, ANSWER_NO,
     STRATEGY_SINGLE, 1, 4.6343034},
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-3.1-8b", "awq", 4096, 1, ANSWER_NO,
     STRATEGY_SINGLE, 1, 5.9950903},
    {RUNTIME_TRANSFORMERS, TASK_INFERENCE, "llama-2-13b", "bf16", 4096, 1, ANSWER_NO, STRATEGY_TP,
     2, 13.7830206},
};

static void test_reference(const struct catalogue *catalogue)
{
    for (size_t i = 0; i < sizeof REFERENCE / sizeof REFERENCE[0]; i++) {
        const struct reference_row *row = &REFERENCE[i];
        struct ask ask = test_ask(catalogue, row->task, row->model, row->quant);
        char name[128];

        *(row->task == TASK_INFERENCE ? &ask.context : &ask.seq_len) = row->length;
        ask.batch = row->batch;
        ask.runtime = row->runtime;
        ask.runtime_is_given = true;
        ask.checkpointing = row->checkpointing;
        test_complete(catalogue, &ask);
        struct memory_need need = test_need(catalogue, &ask, row->strategy, row->cards);

        (void)snprintf(name, sizeof name, "%s %s %s, %.0f tokens, as the reference",
                       TASK_NAMES[row->task], row->model, row->quant, row->length);
        tap_near(need.per_gpu_gib - need.overhead_gib, row->peak_gib, 1e-6, name);
    }
}

/* llama.cpp, whose sizes come from the tensors (test_memory_gguf.c). Scratch is that of 512 tokens:
 * 512 x (4 V + 8 h). */
static void test_llama_cpp(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.2-3b", "q4_k_m");
    double weights = memory_weight_bytes(&ask);

    /* 2 x 28 x 1024 x 2 x 4096 of cache; 512 x (4 x 128256 + 8 x 3072) of scratch */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).allocator_peak_gib * GIB,
             weights + 469762048.0 + 275251200.0, 1e-9, "llama.cpp keeps a tied table");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "q4_k_m");
    weights = memory_weight_bytes(&ask);
    /* table 128256 x 4096 x 4.5 / 8; cache 2 x 32 x 1024 x 2 x 4096; 512 x (4 x 128256 + 8 x 4096)
     */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).allocator_peak_gib * GIB,
             weights - 295501824.0 + 536870912.0 + 279445504.0, 1e-9,
             "and leaves the input table on the host");
    ask.flash_attention = ANSWER_NO;
    /* 32 heads x 4096 tokens are 131,072 scores, more than there are logits */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).allocator_peak_gib * GIB,
             weights - 295501824.0 + 536870912.0 + 512.0 * (4 * 131072 + 8 * 4096), 1e-9,
             "without flash attention the scores count where they are more than the logits");
}

/* What each runtime lays beside 8B in 16 bit: cache 536,870,912 of 4096 tokens. */
static void test_runtimes(const struct catalogue *catalogue)
{
    const double weights = 16060522496.0;
    const double cache = 536870912.0;
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "bf16");

    ask.runtime = RUNTIME_EXLLAMA;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).allocator_peak_gib * GIB,
             weights + cache + 0.032e9 + 0.38e9, 1e-9, "ExLlama: 0.38 GB for 4096 hidden units");
    ask.runtime = RUNTIME_VLLM;
    /* two cards: half of weights and cache; 8192 tokens x (15.5 x 4096 + 6 x 14336) and twice 1.9e9
     */
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_TP, 2);

    tap_near((need.per_gpu_gib - need.overhead_gib) * GIB,
             (weights + cache) / 2 + 8192 * (15.5 * 4096 + 6 * 14336) + 2 * 1.9e9, 1e-9,
             "vLLM: the pass it tries first, and what lies outside the allocator");
    ask.runtime = RUNTIME_TRANSFORMERS;
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    ask.rare.copies_cache = true;
    tap_near((test_need(catalogue, &ask, STRATEGY_SINGLE, 1).total_gib - need.total_gib) * GIB,
             cache, 1e-9, "a cache that is copied as it grows counts twice");
    ask.rare = (struct rare_settings){.cache_tokens = 8192};
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).kv_cache_gib * GIB, 2 * cache, 1e-9,
             "a cache of fixed length is as long as that");
    ask.rare = (struct rare_settings){0};
    ask.flash_attention = ANSWER_NO;
    tap_near((test_need(catalogue, &ask, STRATEGY_SINGLE, 1).total_gib - need.total_gib) * GIB,
             6.0 * 32 * 4096 * 4096, 1e-9, "eager attention keeps 6 bytes a score");
}

static void test_experts(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "qwen3-30b-a3b", "bf16");
    struct memory_shape shape = memory_language_shape(&ask);

    tap_ok(shape.active_width == 8 * 768 && shape.adapter_width == 128 * 768,
           "a token passes 8 experts of 768, adapters sit on all 128");
    tap_near(memory_weight_bytes(&ask), 2 * 30532122624.0, 1e-12, "all experts are resident");
}

static void test_vision(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "gemma-3-27b", "bf16");

    /* models.csv: 417e6 parameters of the vision part */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).copies_gib * GIB, 2 * 417e6, 1e-9,
             "the vision part of a language model is loaded with it");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "gemma-3-27b", "q4_k_m");
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).copies_gib == 0,
           "but in a file of its own for llama.cpp");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_fix_memory_figures(catalogue);
    test_weights(catalogue);
    test_cache(catalogue);
    test_size_asked(catalogue);
    test_reference(catalogue);
    test_llama_cpp(catalogue);
    test_runtimes(catalogue);
    test_experts(catalogue);
    test_vision(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
