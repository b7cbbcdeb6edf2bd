/* predict_memory.c and predict_size.c: rows as questions, on tables written here with figures one
 * can recompute, and on the published tables where they are. */
#include "server/predict.h"

#include "tests/engine/work_fixture.h"

#include <math.h>

static const double GIB = 1024.0 * 1024.0 * 1024.0;
static const char OPEN_HALF[] = "../shared/ground-truth";

static const char MEMORY_COLUMNS[] =
    "id,model,params_b,task,precision,quantisation,optimizer,batch,seq_len,context,gpus,"
    "parallelism,checkpointing,gpu_slug,gpu_memory_gb,scope,method,source,notes\n";
static const char SIZE_COLUMNS[] =
    "id,kind,model,params_b,quant,n_ctx,n_layer,n_kv_heads,head_dim,unit,notes\n";

/* One row's answer; bails out where the table cannot be read. */
static struct prediction answer(const struct catalogue *catalogue, const char *columns,
                                const char *row, struct predict_case *one)
{
    char path[TEST_PATH_BYTES];
    struct predict_table table = {0};
    struct error err = {0};
    enum predict_kind kind = PREDICT_SPEED;
    struct prediction prediction = {(double)NAN, (double)NAN, (double)NAN, ANSWER_UNASKED};

    test_temporary_path(path);
    FILE *file = fopen(path, "w");

    if (file == NULL || fprintf(file, "%s%s\n", columns, row) < 0 || fclose(file) != 0 ||
        !predict_table_read(path, &table, &err) || !predict_kind_of(&table, &kind)) {
        test_bail_out("no table", err.text);
    }
    if (predict_read(catalogue, &table, kind, 0, one)) {
        predict_answer(catalogue, one, &prediction);
    }
    predict_table_fini(&table);
    (void)unlink(path);
    return prediction;
}

static void test_inference(const struct catalogue *catalogue)
{
    struct predict_case one;
    struct prediction found =
        answer(catalogue, MEMORY_COLUMNS,
               "m1,Llama 2 7 B,6.74,inference,bf16,,,1,,,1,,,nvidia-a100-sxm4-40gb,40,per-gpu,"
               "litgpt generate,litgpt resource tables,short generation",
               &one);

    /* 6,738,415,616 x 2; cache of 300 tokens 2 x 32 x 4096 x 2 each; 0.032e9 + 1.76 x 300 x 4096 x
     * 2
     */
    tap_near(found.value * GIB, 13476831232.0 + 300 * 524288.0 + 0.032e9 + 1.76 * 300 * 4096 * 2,
             1e-9, "a short generation of litgpt");
    tap_ok(one.ask.runtime == RUNTIME_LITGPT, "whose program is named by the source");
    tap_ok(found.low < found.value && found.value < found.high, "with a range");
    tap_ok(found.fits == ANSWER_YES, "which fits the card of 40 GB");

    found = answer(catalogue, MEMORY_COLUMNS,
                   "m2,Llama 3 70B,70.55,inference,f16,,,1,,1024,4,layer split,,"
                   "nvidia-geforce-rtx-4090,24,total,llama.cpp llama-bench,GPU-Benchmarks,",
                   &one);
    tap_ok(one.cards == 4 && one.strategy == STRATEGY_PP && found.fits == ANSWER_NO,
           "70B in 16 bit on four cards of 24 GB does not fit");
    tap_ok(found.value > 120, "and is told as one copy of it");
    found = answer(catalogue, MEMORY_COLUMNS,
                   "m3,Llama 3 70B,70.55,inference,f16,,,1,,1024,6,layer split,,"
                   "nvidia-geforce-rtx-3090,24,total,llama.cpp llama-bench,GPU-Benchmarks,",
                   &one);
    tap_ok(found.fits == ANSWER_YES, "on six it does: 14 layers of 1.6 GiB on the fullest");
    found = answer(catalogue, MEMORY_COLUMNS,
                   "m4,Nobody's 11B,11,inference,gguf,gguf-q4_k_m,,1,,4096,1,,,,,total,llama.cpp,,",
                   &one);
    tap_ok(one.ask.model_params == 11e9 && found.value > 6 && found.value < 9,
           "a model nobody knows is asked for by its size");
    tap_ok(found.fits == ANSWER_UNASKED, "without a card nothing is said of fitting");
    found =
        answer(catalogue, MEMORY_COLUMNS,
               "m5,Llama 3 8B,8.03,inference,bf16,q9_z,,1,,512,1,,,,,total,transformers,,", &one);
    tap_ok(isnan(found.value), "a format nobody knows is declined");
}

static void test_training(const struct catalogue *catalogue)
{
    struct predict_case one;
    struct prediction found =
        answer(catalogue, MEMORY_COLUMNS,
               "t1,Llama 2 7B,6.74,train-full,bf16,,AdamW,1,512,,2,ZeRO-3,yes,"
               "nvidia-a100-sxm4-80gb,80,total,full,Qwen (v1) README,grad accumulation 8",
               &one);

    /* per card (test_memory_training.c): 16 N / 2 + 1.5 blocks + 2.4e9 + 4 x 1e9 of the step */
    tap_near(found.value * GIB,
             2 * (16 * 6738415616.0 / 2 + 1.5 * 1333821952.0 + 2.4e9 + 4e9 + 0.032e9) * 1.02, 1e-9,
             "ZeRO-3 on two cards, both of them");
    tap_ok(found.fits == ANSWER_YES, "one of which has 80 GB");
    (void)answer(catalogue, MEMORY_COLUMNS,
                 "t2,Llama 2 7B,6.74,train-lora,bf16,,AdamW,2,,,1,,yes,,,per-gpu,"
                 "LoRA all layers r=64,torchtune LoRA tutorial,",
                 &one);
    tap_ok(one.ask.lora_rank == 64 && one.ask.lora_targets == LORA_TARGETS_ALL &&
               one.ask.runtime == RUNTIME_TORCHTUNE && one.ask.checkpointing == ANSWER_YES,
           "rank and matrices of an adapter are read");
    (void)answer(catalogue, MEMORY_COLUMNS,
                 "t3,Llama 3.2 3B,3.21,train-full,bf16,,PagedAdamW8bit,2,4096,,1,,"
                 "yes + activation offload,,,per-gpu,,torchtune README,optimizer fused in backward",
                 &one);
    tap_ok(one.ask.optimizer == OPTIMIZER_PAGED_ADAMW_8BIT && one.ask.rare.updates_in_backward &&
               one.ask.rare.offloads_activations && one.ask.master_weights == ANSWER_NO,
           "and what an optimiser does");
    (void)answer(catalogue, MEMORY_COLUMNS,
                 "t4,BLOOMZ 7B1,7.07,train-full,bf16/fp32 (not stated),,AdamW,,,,1,,,,80,per-gpu,"
                 "full fine-tuning,PEFT README,",
                 &one);
    tap_ok(one.ask.master_weights == ANSWER_YES && one.ask.seq_len == 2048,
           "what a row leaves open is the default of the product");
}

static void test_sizes(const struct catalogue *catalogue)
{
    struct predict_case one;
    struct prediction found =
        answer(catalogue, SIZE_COLUMNS, "s1,kv-cache,Llama 30B,32.53,,512,60,52,128,MiB,", &one);

    /* 2 x 60 x 52 x 128 x 2 bytes x 512 */
    tap_near(found.value, 780, 1e-12, "the cache of 512 tokens of LLaMA 30B: 780 MiB");
    found = answer(catalogue, SIZE_COLUMNS, "s2,gguf-size,Llama 3.1 8B,8.03,Q8_0,,,,,GiB,", &one);
    tap_near(found.value, 7.95, 1e-3, "a file in Q8_0: 7.95 GiB");
    found =
        answer(catalogue, SIZE_COLUMNS, "s3,checkpoint-size,Llama 3.1 8B,8.03,F32,,,,,GB,", &one);
    tap_near(found.value, 4 * 8.030261248, 1e-9, "a checkpoint in fp32");
    found = answer(catalogue, SIZE_COLUMNS, "s4,kv-cache,Qwen3-30B-A3B,30.53,,65536,48,4,128,MiB,",
                   &one);
    tap_near(found.value, 6144, 1e-12, "a cache longer than the model was made for");
    found = answer(catalogue, SIZE_COLUMNS, "s5,compute-buffer,Llama 3 8B,8.03,,512,,,,MiB,", &one);
    /* 512 x (4 x 128256 + 8 x 4096) bytes */
    tap_near(found.value, 266.5, 1e-12, "the scratch of llama.cpp");
    found = answer(catalogue, SIZE_COLUMNS, "s6,gguf-size,Llama 3 8B,8.03,Q9_Z,,,,,GiB,", &one);
    tap_ok(isnan(found.value), "no such type");
}

/* Every row of a published table gets an answer. */
static void test_open_half(const struct catalogue *catalogue, const char *name)
{
    char path[TEST_PATH_BYTES];
    struct predict_table table = {0};
    struct error err = {0};
    enum predict_kind kind = PREDICT_SPEED;
    size_t answered = 0;

    (void)snprintf(path, sizeof path, "%s/%s", OPEN_HALF, name);
    if (access(path, R_OK) != 0) {
        tap_skip("%s is not here", path);
        return;
    }
    if (!predict_table_read(path, &table, &err) || !predict_kind_of(&table, &kind)) {
        test_bail_out(path, err.text);
    }
    for (size_t row = 0; row < table.row_count; row++) {
        struct predict_case one;
        struct prediction found = {(double)NAN, (double)NAN, (double)NAN, ANSWER_UNASKED};

        if (predict_read(catalogue, &table, kind, row, &one)) {
            predict_answer(catalogue, &one, &found);
        }
        if (found.value > 0 && found.low <= found.value && found.value <= found.high) {
            answered++;
        } else {
            tap_ok(false, "%s is declined", predict_table_text(&table, row, "id"));
        }
    }
    tap_ok(answered == table.row_count && answered > 0, "%zu rows of %s answered", answered, name);
    predict_table_fini(&table);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_fix_memory_figures(catalogue);
    test_inference(catalogue);
    test_training(catalogue);
    test_sizes(catalogue);
    test_open_half(catalogue, "memory.csv");
    test_open_half(catalogue, "kv.csv");
    catalogue_unref(catalogue);
    return tap_done();
}
