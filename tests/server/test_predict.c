/* predict.c: a row and the request that says the same get the same figure, and a table of
 * predictions that cannot be written is a failure. */
#include "server/predict.h"

#include "tests/handlers/handlers_fixture.h"

#include <math.h>
#include <sys/wait.h>

/* What of the answer of /estimate is the figure of the row. */
enum figure { PER_CARD, ONE_COPY, ALL_CARDS, WEIGHTS, CACHE, DECODE, PREFILL };

static const char MEMORY[] =
    "id,model,params_b,task,precision,quantisation,optimizer,batch,seq_len,context,gpus,"
    "parallelism,checkpointing,gpu_slug,gpu_memory_gb,scope,method,source,notes\n";
static const char SIZES[] = "id,kind,model,params_b,quant,n_ctx,n_layer,n_kv_heads,head_dim,unit,"
                            "notes\n";
static const char SPEEDS[] = "id,workload,family,precision,gpu_slug,gpu_count,batch,metric,unit,"
                             "software,date,source\n";

static const struct pair {
    const char *columns, *row;
    const char *request;
    enum figure figure;
} PAIRS[] = {
    {MEMORY,
     "m1,Llama 2 7B,6.74,inference,bf16,,,1,,1024,1,,,nvidia-a100-sxm4-40gb,40,per-gpu,,litgpt,",
     "model=llama-2-7b&task=inference&quant=bf16&runtime=litgpt&context=1024&batch=1&"
     "gpu=nvidia-a100-sxm4-40gb",
     PER_CARD},
    {MEMORY, "m2,Llama 2 13B,13.02,inference,bf16,nf4,,2,,2048,1,,,,,per-gpu,,litgpt,",
     "model=llama-2-13b&task=inference&quant=nf4&runtime=litgpt&context=2048&batch=2", PER_CARD},
    {MEMORY,
     "m3,Llama 3.1 70B,70.55,inference,gguf,gguf-q4_k_m,,1,,4096,1,,,nvidia-geforce-rtx-3090,24,"
     "total,llama.cpp,,",
     "model=llama-3.1-70b&task=inference&quant=q4_k_m&context=4096&gpu=nvidia-geforce-rtx-3090",
     ONE_COPY},
    {MEMORY, "m4,Llama 3.1 8B,8.03,inference,bf16,,,1,,8192,2,tensor parallel,,,,per-gpu,,vllm,",
     "model=llama-3.1-8b&task=inference&quant=bf16&runtime=vllm&context=8192&gpus=2&strategy=tp",
     PER_CARD},
    {MEMORY, "m5,Llama 2 7B,6.74,inference,fp16,gptq-int4-g128,,1,,2048,1,,,,,per-gpu,,exllama,",
     "model=llama-2-7b&task=inference&quant=gptq&runtime=exllama&context=2048", PER_CARD},
    {MEMORY, "m6,Mistral 7B v0.3,7.25,inference,fp16,int8,,1,,2048,1,,,,,per-gpu,,Transformers,",
     "model=mistral-7b-v0.3&task=inference&quant=int8&context=2048", PER_CARD},
    {MEMORY,
     "m7,Llama 3 70B,70.55,inference,f16,,,1,,1024,4,layer split,,nvidia-a100-sxm4-80gb,80,per-gpu,"
     "llama.cpp,,",
     "model=llama-3-70b&task=inference&quant=f16&context=1024&gpus=4&strategy=pp&"
     "gpu=nvidia-a100-sxm4-80gb",
     PER_CARD},
    {MEMORY,
     "m8,Llama 2 7B,6.74,train-lora,bf16,,AdamW,2,2048,,1,,yes,nvidia-geforce-rtx-4090,24,per-gpu,"
     "LoRA all layers r=64,torchtune,",
     "model=llama-2-7b&task=lora&runtime=torchtune&lora_rank=64&lora_targets=all&batch=2&"
     "seq_len=2048&gpu=nvidia-geforce-rtx-4090",
     PER_CARD},
    {MEMORY,
     "m9,Llama 3.1 8B,8.03,train-qlora,bf16,nf4,AdamW,1,1024,,1,,no,,,per-gpu,\"LoRA q,v "
     "r=8\",PEFT,",
     "model=llama-3.1-8b&task=qlora&lora_rank=8&lora_targets=qv&batch=1&seq_len=1024&"
     "checkpointing=no",
     PER_CARD},
    {MEMORY, "m10,Llama 2 7B,6.74,train-full,bf16-mixed,,AdamW,1,512,,1,,yes,,,per-gpu,,,",
     "model=llama-2-7b&task=finetune&batch=1&seq_len=512", PER_CARD},
    {MEMORY, "m11,Llama 2 7B,6.74,train-full,bf16,,SGD,1,512,,1,,yes,,,per-gpu,,,",
     "model=llama-2-7b&task=finetune&optimizer=sgd&master_weights=no&batch=1&seq_len=512",
     PER_CARD},
    {MEMORY, "m12,Llama 3.2 1B,1.24,train-full,fp32,,AdamW,1,512,,1,,no,,,per-gpu,,,",
     "model=llama-3.2-1b&task=finetune&quant=fp32&batch=1&seq_len=512&checkpointing=no", PER_CARD},
    {MEMORY,
     "m13,Llama 2 13B,13.02,train-full,bf16-mixed,,AdamW,1,1024,,8,ZeRO-3,yes,"
     "nvidia-a100-sxm4-80gb,80,total,,Qwen (v1) README,",
     "model=llama-2-13b&task=finetune&runtime=deepspeed&strategy=fsdp&gpus=8&seq_len=1024&"
     "gpu=nvidia-a100-sxm4-80gb",
     ALL_CARDS},
    {MEMORY, "m14,Llama 2 7B,6.74,train-lora,bf16,,AdamW,1,512,,2,FSDP,,,,per-gpu,r=8,litgpt,",
     "model=llama-2-7b&task=lora&runtime=litgpt&lora_rank=8&lora_targets=qv&strategy=fsdp&gpus=2&"
     "seq_len=512",
     PER_CARD},
    {MEMORY, "m15,Nobody's 11B,11,inference,gguf,gguf-q5_k_m,,1,,4096,1,,,,,total,llama.cpp,,",
     "model=11b&task=inference&quant=q5_k_m&context=4096", ONE_COPY},
    {SIZES, "s1,gguf-size,Llama 3.1 8B,8.03,Q4_K_M,,,,,GiB,",
     "model=llama-3.1-8b&task=inference&quant=q4_k_m", WEIGHTS},
    {SIZES, "s2,gguf-size,Qwen2.5 72B,72.7,IQ3_M,,,,,GiB,",
     "model=qwen2.5-72b&task=inference&quant=iq3_m", WEIGHTS},
    {SIZES, "s3,kv-cache,Gemma 3 27B,27,,16384,,,,GiB,",
     "model=gemma-3-27b&task=inference&context=16384", CACHE},
    {SPEEDS,
     "v1,llm-decode-8b-q4_k_m,llama3.1-8b,q4_k_m,nvidia-geforce-rtx-4090,1,1,generation,tokens/s,"
     "ollama flash,,",
     "model=llama-3.1-8b&task=inference&quant=q4_k_m&context=256&gpu=nvidia-geforce-rtx-4090",
     DECODE},
    {SPEEDS,
     "v2,llm-decode-70b-q4_k_m,llama3.1-70b,q4_k_m,nvidia-a100-sxm4-80gb,2,1,generation,tokens/s,"
     "ollama flash,,",
     "model=llama-3.1-70b&task=inference&quant=q4_k_m&context=256&gpu=nvidia-a100-sxm4-80gb&gpus=2&"
     "strategy=tp",
     DECODE},
    {SPEEDS,
     "v3,llm-decode-7b-q8_0,mistral-7b,q8_0,amd-radeon-rx-7900-xtx,1,1,generation,tokens/s,"
     "llama.cpp server Vulkan flash,,",
     "model=mistral-7b-v0.3&task=inference&quant=q8_0&context=256&gpu=amd-radeon-rx-7900-xtx&"
     "backend=vulkan",
     DECODE},
    {SPEEDS,
     "v4,llm-prefill-8b-q4_0,llama3-8b,q4_0,nvidia-geforce-rtx-3090,1,1,prompt of 1024 tokens,"
     "tokens/s,llama.cpp server flash,,",
     "model=llama-3-8b&task=inference&quant=q4_0&context=1024&gpu=nvidia-geforce-rtx-3090",
     PREFILL},
};

/* False: the row is declined. */
static bool predict_row(const struct pair *pair, struct predict_case *one,
                        struct prediction *prediction)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    char path[TEST_PATH_BYTES];
    struct predict_table table = {0};
    struct error err = {0};
    enum predict_kind kind = PREDICT_SPEED;

    test_temporary_path(path);
    FILE *file = fopen(path, "w");

    if (file == NULL || fprintf(file, "%s%s\n", pair->columns, pair->row) < 0 ||
        fclose(file) != 0 || !predict_table_read(path, &table, &err) ||
        !predict_kind_of(&table, &kind)) {
        test_bail_out("no table", err.text);
    }
    bool is_read = predict_read(catalogue, &table, kind, 0, one);

    if (is_read) {
        predict_answer(catalogue, one, prediction);
    }
    predict_table_fini(&table);
    (void)unlink(path);
    return is_read;
}

static double less_overhead(const char *path)
{
    return test_number(path) - test_number("memory.overhead_gib");
}

static double asked_figure(const struct pair *pair, double cards)
{
    switch (pair->figure) {
    case PER_CARD:
        return less_overhead("memory.per_gpu_gib");
    case ONE_COPY:
        return less_overhead("memory.total_gib");
    case ALL_CARDS:
        return cards * less_overhead("memory.per_gpu_gib");
    case WEIGHTS:
        return test_number("memory.weights_gib");
    case CACHE:
        return test_number("memory.kv_cache_gib");
    case DECODE:
        return test_number("speed.0.value");
    case PREFILL:
        return test_number("speed.0.prefill_tokens_per_s");
    }
    return (double)NAN;
}

/* The API prints six digits. */
static void test_same_figures(void)
{
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        const struct pair *pair = &PAIRS[i];
        struct predict_case one;
        struct prediction found = {(double)NAN, (double)NAN, (double)NAN, ANSWER_UNASKED};
        char target[TEST_PATH_BYTES];

        (void)snprintf(target, sizeof target, "/estimate?%s", pair->request);
        if (!predict_row(pair, &one, &found) || test_get(target) != 200) {
            tap_ok(false, "%s and its row are answered", target);
            continue;
        }
        tap_near(asked_figure(pair, (double)one.cards), found.value, 1e-5, pair->request);
        tap_ok(found.low <= found.value && found.value <= found.high, "inside its range");
        if (found.fits != ANSWER_UNASKED) {
            tap_ok(json_is_true(test_at("fits.0.fits")) == (found.fits == ANSWER_YES),
                   "and both say whether it fits");
        }
    }
}

/* In a process of its own, whose standard output is full. */
static void test_full_output(void)
{
    char path[TEST_PATH_BYTES];
    int status = 0;

    test_temporary_path(path);
    FILE *file = fopen(path, "w");

    if (file == NULL || fprintf(file, "%s%s\n", MEMORY, PAIRS[0].row) < 0 || fclose(file) != 0) {
        test_bail_out("no table", path);
    }
    (void)fflush(stdout); /* else the child would have it too */
    pid_t child = fork();

    if (child == 0) {
        struct error err = {0};
        bool is_full = freopen("/dev/full", "w", stdout) != NULL;

        _exit(is_full && !predict_run(path, &err) && err.code == ERROR_BAD_FILE ? 0 : 1);
    }
    tap_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "rows that cannot be written are a failure");
    (void)unlink(path);
}

int main(void)
{
    test_open();
    test_same_figures();
    test_full_output();
    return test_close();
}
