/* memory*.c against what people who do this work know: bounds that published runs and guides give
 * for everyday questions, in GiB on the fullest card, driver context included. */
#include "work_fixture.h"

static const struct known {
    enum task task;
    const char *model, *quant;
    double length, batch; /* 0: the default */
    enum runtime runtime;
    enum strategy strategy;
    size_t cards;
    double least_gib, most_gib;
    const char *why;
} KNOWN[] = {
    {TASK_QLORA, "llama-2-7b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 5.5, 10,
     "QLoRA of 7B fits 8 to 12 GB"},
    {TASK_LORA, "llama-2-7b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 14, 20,
     "LoRA of 7B in 16 bit fits 24 GB, not 12"},
    {TASK_FINETUNE, "llama-2-7b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 100, 125,
     "mixed AdamW takes 16 bytes a weight and more: no card of 80 GB"},
    {TASK_FINETUNE, "llama-2-7b", NULL, 0, 0, RUNTIME_TORCHTUNE, STRATEGY_SINGLE, 1, 50, 60,
     "8 bytes in pure bf16"},
    {TASK_INFERENCE, "llama-2-13b", "int8", 512, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 12.5,
     15, "13B in 8 bit fits 16 GB"},
    {TASK_INFERENCE, "llama-2-70b", "q4_k_m", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_SINGLE, 1, 39, 43,
     "70B in 4 bit fits 48 GB, not 40"},
    {TASK_INFERENCE, "llama-2-70b", "q4_k_m", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_PP, 2, 19.5, 22,
     "and two cards of 24 GB"},
    {TASK_INFERENCE, "llama-3.1-8b", "q4_k_m", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_SINGLE, 1, 5, 7,
     "8B in 4 bit fits 8 GB"},
    {TASK_INFERENCE, "mixtral-8x7b", "q4_k_m", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_SINGLE, 1, 25, 30,
     "Mixtral in 4 bit fits 32 GB, not 24"},
    {TASK_INFERENCE, "gpt-oss-20b", "mxfp4", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_SINGLE, 1, 11, 16,
     "its page: within 16 GB"},
    {TASK_INFERENCE, "gpt-oss-120b", "mxfp4", 0, 0, RUNTIME_LLAMA_CPP, STRATEGY_SINGLE, 1, 58, 80,
     "its page: on one card of 80 GB"},
    {TASK_INFERENCE, "llama-3.1-405b", "fp8", 0, 0, RUNTIME_VLLM, STRATEGY_TP, 8, 48, 80,
     "405B in FP8 on one node of eight cards of 80 GB"},
    {TASK_INFERENCE, "sdxl-base-unet", "fp16", 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 7,
     10, "SDXL in 16 bit fits 12 GB and hardly 8"},
    {TASK_INFERENCE, "whisper-large-v3", "fp16", 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1,
     3.2, 10, "its page: about 10 GB in fp32"},
    {TASK_TRAIN, "resnet-50", NULL, 0, 256, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 10, 16,
     "NVIDIA trains 256 pictures with AMP on 16 GB"},
    {TASK_TRAIN, "resnet-50", "fp32", 0, 256, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 20, 26,
     "and in fp32 that takes a card of 24 GB and more"},
    {TASK_FINETUNE, "bert-base-uncased", NULL, 512, 16, RUNTIME_TRANSFORMERS, STRATEGY_SINGLE, 1, 2,
     8, "BERT base trains on 8 GB"},
    {TASK_FINETUNE, "llama-3.1-70b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_FSDP, 8, 130, 160,
     "FSDP of 70B, every weight: not on eight cards of 80 GB"},
    {TASK_FINETUNE, "llama-3.1-70b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_FSDP, 16, 66, 80,
     "on sixteen"},
    {TASK_LORA, "llama-3.1-70b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_FSDP, 8, 17, 40,
     "LoRA on eight of 40 GB"},
    {TASK_QLORA, "llama-3.1-70b", NULL, 0, 0, RUNTIME_TRANSFORMERS, STRATEGY_FSDP, 2, 24, 40,
     "QLoRA on two of 40 GB, not of 24 without offloading"},
    {TASK_FINETUNE, "llama-2-7b", NULL, 0, 0, RUNTIME_DEEPSPEED, STRATEGY_FSDP, 4, 28, 40,
     "ZeRO-3: 18 bytes a weight over the cards, buckets, a live layer"},
};

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        const struct known *known = &KNOWN[i];
        struct ask ask = test_ask(catalogue, known->task, known->model, known->quant);

        ask.context = known->length > 0 ? known->length : TEST_UNKNOWN;
        ask.batch = known->batch > 0 ? known->batch : TEST_UNKNOWN;
        ask.runtime = known->runtime;
        ask.runtime_is_given = true;
        test_complete(catalogue, &ask);
        struct memory_need need = test_need(catalogue, &ask, known->strategy, known->cards);

        tap_ok(known->least_gib <= need.per_gpu_gib && need.per_gpu_gib <= known->most_gib,
               "%s on %zu: %s (%.1f GiB)", known->model, known->cards, known->why,
               need.per_gpu_gib);
    }
    catalogue_unref(catalogue);
    return tap_done();
}
