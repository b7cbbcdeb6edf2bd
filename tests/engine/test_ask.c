/* ask.c: defaults of the parameters table and combinations that cannot be answered. */
#include "work_fixture.h"

#include "money.h"

static void test_defaults(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);

    tap_ok(ask.domain == DOMAIN_GENERAL && ask_is_training(&ask) && !ask_is_language(&ask),
           "nothing said: learning, in general");
    tap_text(ask.quant->name, "bf16", "training in bf16");
    tap_ok(ask.framework == FRAMEWORK_PYTORCH && ask.os == OS_LINUX, "PyTorch on Linux");
    tap_ok(ask.max_gpus == 1 && ask.batch == 1 && ask.users == 1 && ask.limit == 10,
           "one card, one sample, one user, ten picks");
    tap_ok(ask.months == 24 && ask.hours_per_month == 80, "80 hours a month for 24 months");
    tap_ok(ask.electricity_micros_per_kwh == 150000, "0.15 USD a kWh");
    tap_ok(ask.vat_share == 0 && ask.host_price_micros == 0 && ask.host_watts == 0,
           "no tax, no host");
    tap_ok(ask.chassis == CHASSIS_DESKTOP && ask.display == ANSWER_NO,
           "a desktop without a screen");
    tap_ok(ask.checkpointing == ANSWER_NO, "no checkpointing but for language models");

    ask = test_ask(catalogue, TASK_LEARN, NULL, NULL);
    ask.currency = CURRENCY_EUR;
    ask.tier = "unlimited";
    ask.os = OS_WINDOWS;
    test_complete(catalogue, &ask);
    tap_ok(ask.electricity_micros_per_kwh == 300000, "0.30 EUR a kWh");
    tap_ok(ask.chassis == CHASSIS_SERVER, "the unlimited tier means a server");
    tap_ok(ask.display == ANSWER_YES, "Windows means a screen");
}

static void test_spot(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_TRAIN, NULL, NULL);

    tap_ok(isnan(ask.checkpoint_hours) && isnan(ask.spot_interruptions_per_day) &&
               isnan(ask.power_limit_watts),
           "no checkpoints, no spot machines; no power limit");
    ask.checkpoint_hours = 0.5;
    test_complete(catalogue, &ask);
    tap_near(ask.spot_interruptions_per_day, 1, 0, "with checkpoints one interruption a day");
    ask.spot_interruptions_per_day = 0.25;
    test_complete(catalogue, &ask);
    tap_near(ask.spot_interruptions_per_day, 0.25, 0, "or as many as asked");
}

/* BERT is fine-tuned on 16 or 32 texts at once (arXiv:1810.04805 appendix A.3). */
static void test_batches(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_TRAIN, "bert-base-uncased", NULL);

    tap_ok(ask.batch == 32 && ask.batch_fills == ANSWER_YES,
           "an encoder is trained on as many texts as fit, memory is told for 32");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "bert-base-uncased", NULL);
    tap_ok(ask.batch == 1 && ask.batch_fills == ANSWER_NO, "and answers one");
    ask = test_ask_complete(catalogue, TASK_TRAIN, "resnet-50", NULL);
    tap_ok(ask.batch == 32 && ask.batch_fills == ANSWER_YES, "so is a vision network");
    ask = test_ask(catalogue, TASK_TRAIN, "bert-base-uncased", NULL);
    ask.batch = 8;
    ask.batch_is_given = true;
    test_complete(catalogue, &ask);
    tap_ok(ask.batch == 8 && ask.batch_fills == ANSWER_NO, "a batch that is given counts");
    ask = test_ask(catalogue, TASK_TRAIN, NULL, NULL);
    ask.domain = DOMAIN_NLP;
    test_complete(catalogue, &ask);
    tap_ok(ask.batch_fills == ANSWER_YES, "text without a model fills the card too");
    ask.domain = DOMAIN_LLM;
    ask.batch_fills = ANSWER_UNASKED;
    test_complete(catalogue, &ask);
    tap_ok(ask.batch_fills == ANSWER_NO, "language models are trained a few texts at a time");
}

static void test_strategies(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-70b", "q4_k_m");

    ask.strategy = STRATEGY_TP;
    test_complete(catalogue, &ask);
    tap_ok(ask.strategy == STRATEGY_PP, "llama.cpp gives each card layers, whatever it is called");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-70b", "awq");
    ask.strategy = STRATEGY_TP;
    test_complete(catalogue, &ask);
    tap_ok(ask.strategy == STRATEGY_TP, "PyTorch shares every layer");
}

static void test_model_defaults(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", NULL);

    tap_text(ask.quant->name, "q4_k_m", "language models are served in q4_k_m");
    tap_ok(ask.framework == FRAMEWORK_LLAMA_CPP, "which is read by llama.cpp");
    tap_ok(ask.domain == DOMAIN_LLM && ask.context == 4096, "domain and context follow");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "bert-base-uncased", NULL);
    tap_text(ask.quant->name, "fp16", "an encoder is not");
    tap_ok(ask.domain == DOMAIN_NLP && ask.context == 512, "and takes no more than its 512 tokens");
    ask = test_ask_complete(catalogue, TASK_QLORA, NULL, NULL);
    tap_text(ask.quant->name, "nf4", "qlora rests on nf4");
    tap_ok(ask.domain == DOMAIN_LLM && ask.checkpointing == ANSWER_YES && ask.lora_rank == 16 &&
               ask.seq_len == 2048,
           "of a language model, with checkpointing, rank 16, 2048 tokens");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-8b", NULL);
    ask.framework = FRAMEWORK_PYTORCH;
    ask.framework_is_given = true;
    test_complete(catalogue, &ask);
    tap_text(ask.quant->name, "fp16", "PyTorch reads no GGUF file");
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-3.1-8b", NULL);
    ask.context = 8192;
    test_complete(catalogue, &ask);
    tap_ok(ask.seq_len == 8192 && isnan(ask.context), "context is the sequence length in training");
    ask = test_ask(catalogue, TASK_INFERENCE, "resnet-50", NULL);
    ask.runtime = RUNTIME_AUTOGPTQ;
    ask.runtime_is_given = true;
    test_complete(catalogue, &ask);
    tap_text(ask.quant->name, "fp16", "an engine for GPTQ gives a vision network no such format");
}

static void test_networks(const struct catalogue *catalogue)
{
    static const struct {
        const char *model, *network;
    } ROWS[] = {{"resnet-50", "resnet50"}, /* nf_resnet50 has as many parameters */
                {"vit-b-16", "vit_base_patch16_224"},
                {"swin-tiny", "swin_tiny_patch4_window7_224"},
                {"efficientnetv2-s", "tf_efficientnetv2_s"},
                {"mobilenetv3-large", "mobilenetv3_large_100"}};

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, ROWS[i].model, NULL);

        tap_text(ask.network == NULL ? NULL : ask.network->id, ROWS[i].network, ROWS[i].model);
    }
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "yolo11n", NULL);

    tap_ok(ask.network == NULL, "a network that is not listed is none");
    ask = test_ask(catalogue, TASK_TRAIN, NULL, NULL);
    ask.domain = DOMAIN_VISION;
    ask.domain_is_given = true;
    test_complete(catalogue, &ask);
    tap_ok(ask.model == NULL && ask.network != NULL, "vision without a model has a network only");
    tap_text(ask.network == NULL ? NULL : ask.network->id, "resnet50", "which is ResNet-50");
}

static void test_sizes(const struct catalogue *catalogue)
{
    const struct model *nearest = ask_model_of_size(catalogue, 7e9);
    const struct model *largest = ask_model_of_size(catalogue, 1e15);
    /* falcon-7b (7.217e9) and pythia-6.9b are nearer than 7.248e9, of designs no longer made */
    tap_text(nearest->id, "mistral-7b-v0.3", "7b is the nearest dense language model of today");
    /* three models have 13,015,864,320 parameters or nearly; context 4096 against 2048 */
    tap_text(ask_model_of_size(catalogue, 13e9)->id, "llama-2-13b", "of equals the longer context");
    tap_text(largest->id, "llama-3.1-405b", "a huge size is the largest dense one");
}

/* The first words of the text name the parameter; the question is left as it was. */
static void refuse(const struct catalogue *catalogue, struct ask ask, const char *parameter)
{
    struct error err;
    struct ask before = ask;
    bool is_good = ask_complete(catalogue, &ask, &err);

    tap_ok(!is_good && err.code == ERROR_BAD_PARAMETER &&
               strncmp(err.text, parameter, strlen(parameter)) == 0 &&
               err.text[strlen(parameter)] == ':',
           "%s is refused: %s", parameter, is_good ? "it was not" : err.text);
    tap_ok(ask.quant == before.quant && ask.limit == before.limit, "and nothing was filled in");
}

static void test_runtime(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);

    tap_ok(ask.runtime == RUNTIME_LLAMA_CPP, "a GGUF file is llama.cpp's");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-2-7b", "bf16");
    tap_ok(ask.runtime == RUNTIME_TRANSFORMERS, "other weights are Transformers'");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);
    ask.runtime = RUNTIME_VLLM;
    ask.runtime_is_given = true;
    test_complete(catalogue, &ask);
    tap_ok(ask.framework == FRAMEWORK_PYTORCH && strcmp(ask.quant->name, "fp16") == 0,
           "vLLM runs on PyTorch and loads 16 bit by itself");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);
    ask.runtime = RUNTIME_EXLLAMA;
    ask.runtime_is_given = true;
    test_complete(catalogue, &ask);
    tap_text(ask.quant->name, "gptq", "ExLlama was written for GPTQ");
    ask = test_ask(catalogue, TASK_QLORA, "llama-2-7b", NULL);
    ask.runtime = RUNTIME_AUTOGPTQ;
    ask.runtime_is_given = true;
    test_complete(catalogue, &ask);
    tap_text(ask.quant->name, "gptq", "as was AutoGPTQ, for adapters too");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "resnet-50", "int8");
    tap_text(ask.quant->name, "int8", "vision networks run in 8 bits");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "flux.1-dev", "q4_k_m");
    tap_text(ask.quant->name, "q4_k_m", "diffusion models come as GGUF files as well");
    ask = test_ask(catalogue, TASK_TRAIN, "resnet-50", NULL);
    test_complete(catalogue, &ask);
    tap_ok(ask.resolution_px == 224, "the network's own resolution");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "sdxl-base-unet", NULL);
    tap_ok(ask.resolution_px == 1024, "1024 pixels for a diffusion model");
    ask = test_ask_complete(catalogue, TASK_FINETUNE, "llama-2-7b", NULL);
    ask.task = TASK_INFERENCE;
    ask.optimizer_is_given = false;
    ask.checkpointing = ANSWER_UNASKED;
    ask.quant = catalogue_find_quant(catalogue, "q4_k_m");
    test_complete(catalogue, &ask);
    tap_ok(ask.runtime == RUNTIME_LLAMA_CPP, "asked again with other weights: another program");
}

static void test_memory_refusals(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_LORA, "llama-2-7b", NULL);

    ask.runtime = RUNTIME_VLLM;
    ask.runtime_is_given = true;
    refuse(catalogue, ask, "runtime");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);
    ask.runtime = RUNTIME_LLAMA_CPP;
    ask.runtime_is_given = true;
    ask.framework = FRAMEWORK_JAX;
    ask.framework_is_given = true;
    refuse(catalogue, ask, "runtime");
    ask.runtime = RUNTIME_VLLM;
    refuse(catalogue, ask, "runtime");
    ask.runtime = RUNTIME_TRANSFORMERS;
    test_complete(catalogue, &ask);
    tap_ok(ask.framework == FRAMEWORK_JAX, "Transformers runs on JAX as well");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", "q4_k_m");
    ask.runtime = RUNTIME_EXLLAMA;
    ask.runtime_is_given = true;
    refuse(catalogue, ask, "quant");
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", NULL);
    ask.lora_rank_is_given = true;
    refuse(catalogue, ask, "lora_rank");
    ask.lora_rank_is_given = false;
    ask.lora_targets_is_given = true;
    refuse(catalogue, ask, "lora_targets");
    ask = test_ask(catalogue, TASK_LORA, "llama-2-7b", NULL);
    ask.master_weights_is_given = true;
    refuse(catalogue, ask, "master_weights");
    ask.master_weights_is_given = false;
    ask.resolution_is_given = true;
    refuse(catalogue, ask, "resolution");
}

static void test_refusals(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);

    ask.context = 4097;
    refuse(catalogue, ask, "context");
    ask.seq_len = ask.context; /* by the name that the other task has for it */
    ask.context = (double)NAN;
    refuse(catalogue, ask, "seq_len");
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", NULL);
    ask.context = 4097;
    refuse(catalogue, ask, "context");
    refuse(catalogue, test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", "q4_k_m"), "quant");
    refuse(catalogue, test_ask(catalogue, TASK_QLORA, "llama-2-7b", "bf16"), "quant");
    refuse(catalogue, test_ask(catalogue, TASK_QLORA, "llama-2-7b", "q4_k_m"), "quant");
    refuse(catalogue, test_ask(catalogue, TASK_LORA, "llama-2-7b", "nf4"), "quant");
    refuse(catalogue, test_ask(catalogue, TASK_INFERENCE, "resnet-50", "q4_k_m"), "quant");
    refuse(catalogue, test_ask(catalogue, TASK_INFERENCE, "vit-l-16", "gptq"), "quant");
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", NULL);
    ask.kv_dtype_is_given = true;
    refuse(catalogue, ask, "kv_dtype");
    ask = test_ask(catalogue, TASK_TRAIN, NULL, NULL);
    ask.min_tokens_per_s = 10;
    refuse(catalogue, ask, "min_tokens_per_s");
    ask = test_ask(catalogue, TASK_INFERENCE, NULL, NULL);
    ask.checkpointing = ANSWER_YES;
    refuse(catalogue, ask, "checkpointing");
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", NULL);
    ask.seq_len = 1e6;
    refuse(catalogue, ask, "seq_len");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);
    ask.optimizer_is_given = true;
    refuse(catalogue, ask, "optimizer");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", NULL);
    ask.domain = DOMAIN_VISION;
    ask.domain_is_given = true;
    refuse(catalogue, ask, "domain");
    ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", "q4_k_m");
    ask.framework = FRAMEWORK_JAX;
    ask.framework_is_given = true;
    refuse(catalogue, ask, "quant");
    ask = test_ask(catalogue, TASK_LORA, "llama-2-7b", NULL);
    ask.framework = FRAMEWORK_LLAMA_CPP;
    ask.framework_is_given = true;
    refuse(catalogue, ask, "framework");
    ask = test_ask(catalogue, TASK_LEARN, NULL, NULL);
    ask.max_gpus = 9;
    refuse(catalogue, ask, "max_gpus");
    ask = test_ask(catalogue, TASK_LEARN, NULL, NULL);
    ask.spot_interruptions_per_day = 1;
    refuse(catalogue, ask, "spot_interruptions_per_day");
    ask = test_ask(catalogue, TASK_TRAIN, "resnet-50", NULL);
    ask.model_params = 7e9;
    refuse(catalogue, ask, "model");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_defaults(catalogue);
    test_spot(catalogue);
    test_batches(catalogue);
    test_strategies(catalogue);
    test_model_defaults(catalogue);
    test_networks(catalogue);
    test_sizes(catalogue);
    test_runtime(catalogue);
    test_memory_refusals(catalogue);
    test_refusals(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
