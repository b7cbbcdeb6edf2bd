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
    /* x 4.89 bits of the whole file; the published file has 4.9 GB */
    tap_near(memory_weight_bytes(&ask), 8030261248.0 * 4.89 / 8, 1e-12, "GGUF weighs by its file");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "nf4");
    /* table 128256 x 4096 = 525,336,576 stays in 16 bit: (8030261248 - 525336576) x 4.5/8 + 2 x it
     */
    tap_near(memory_weight_bytes(&ask), 7504924672.0 * 0.5625 + 1050673152.0, 1e-12,
             "bitsandbytes leaves the embedding in 16 bit");
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
 * same model, format, 4096 tokens of context or 2048 of training, batch 1, adapters of rank 16 on
 * all layers. */
struct reference_row {
    enum task task;
    const char *model, *quant;
    double length, batch;
    enum answer checkpointing;
    enum strategy strategy;
    size_t cards;
    double peak_gib;
};

static const struct reference_row REFERENCE[] = {
    {TASK_INFERENCE, "llama-3.1-8b", "bf16", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 15.5423295},
    {TASK_INFERENCE, "llama-3.1-8b", "bf16", 131072, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 32.7473295},
    {TASK_INFERENCE, "llama-3.1-8b", "q4_k_m", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 5.0325893},
    {TASK_INFERENCE, "llama-2-7b", "q4_k_m", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 5.8380288},
    {TASK_INFERENCE, "llama-3.1-8b", "nf4", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 7.2807060},
    {TASK_INFERENCE, "llama-3.1-8b", "int8", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 10.3386147},
    {TASK_INFERENCE, "llama-3.1-8b", "fp8", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 9.1233346},
    {TASK_INFERENCE, "llama-3.2-3b", "fp8", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 4.6343034},
    {TASK_INFERENCE, "llama-3.1-8b", "awq", 4096, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 5.9950903},
    {TASK_INFERENCE, "llama-2-13b", "bf16", 4096, 1, ANSWER_NO, STRATEGY_TP, 2, 13.7830206},
    {TASK_QLORA, "llama-3.1-8b", "nf4", 2048, 1, ANSWER_YES, STRATEGY_SINGLE, 1, 12.1645189},
    {TASK_QLORA, "llama-3.1-8b", "nf4", 2048, 1, ANSWER_NO, STRATEGY_SINGLE, 1, 23.2402845},
    {TASK_LORA, "llama-2-7b", "bf16", 2048, 4, ANSWER_YES, STRATEGY_SINGLE, 1, 19.8554608},
    {TASK_LORA, "llama-2-7b", "bf16", 2048, 1, ANSWER_YES, STRATEGY_FSDP, 4, 6.2537269},
};

static void test_reference(const struct catalogue *catalogue)
{
    for (size_t i = 0; i < sizeof REFERENCE / sizeof REFERENCE[0]; i++) {
        const struct reference_row *row = &REFERENCE[i];
        struct ask ask = test_ask(catalogue, row->task, row->model, row->quant);
        char name[128];

        *(row->task == TASK_INFERENCE ? &ask.context : &ask.seq_len) = row->length;
        ask.batch = row->batch;
        ask.checkpointing = row->checkpointing;
        test_complete(catalogue, &ask);
        struct memory_need need = test_need(catalogue, &ask, row->strategy, row->cards);

        (void)snprintf(name, sizeof name, "%s %s %s, %.0f tokens, as the reference",
                       TASK_NAMES[row->task], row->model, row->quant, row->length);
        tap_near(need.per_gpu_gib - need.overhead_gib, row->peak_gib, 1e-6, name);
    }
}

/* A tied table stays on the card, as it is the head too. Not compared with the reference, which
 * takes it off and puts a little less back. 3,212,749,824 x 4.89 / 8; cache 2 x 28 x 1024 x 2 x
 * 4096; scratch of 512 tokens: 512 x (4 x 128256 + 8 x 3072). */
static void test_tied_table(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.2-3b", "q4_k_m");

    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).allocator_peak_gib * GIB,
             1963793329.92 + 469762048.0 + 275251200.0, 1e-9, "llama.cpp keeps a tied table");
}

static void test_full_training(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", "bf16");

    ask.seq_len = 512;
    test_complete(catalogue, &ask);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    /* ZeRO section 3.1: 2 + 2 + 12 bytes for each of 6,738,415,616 parameters */
    tap_near(need.weights_gib * GIB, 13476831232.0, 1e-9, "weights in 16 bit");
    tap_near(need.gradients_gib * GIB, 13476831232.0, 1e-9, "gradients in 16 bit");
    tap_near(need.optimizer_gib * GIB, 80860987392.0, 1e-9, "fp32 copy and two moments");
    tap_ok(need.total_gib >= 70, "full fine-tuning of 7B takes 70 GiB and more");
    ask.optimizer = OPTIMIZER_ADAMW_8BIT;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 40430493696.0,
             1e-9, "8-bit Adam keeps 2 bytes of moments and the copy");
    ask.optimizer = OPTIMIZER_ADAFACTOR;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 26953662464.0,
             1e-9, "Adafactor keeps the copy");
}

static void test_experts(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "qwen3-30b-a3b", "bf16");
    struct memory_shape shape = memory_language_shape(&ask);

    tap_ok(shape.active_width == 8 * 768 && shape.adapter_width == 128 * 768,
           "a token passes 8 experts of 768, adapters sit on all 128");
    tap_near(memory_weight_bytes(&ask), 2 * 30532122624.0, 1e-12, "all experts are resident");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_weights(catalogue);
    test_cache(catalogue);
    test_size_asked(catalogue);
    test_reference(catalogue);
    test_tied_table(catalogue);
    test_full_training(catalogue);
    test_experts(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
