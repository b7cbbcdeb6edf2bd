/* memory_training.c: states, activations, sharding of the training of language models, all of it
 * Llama 2 7B: N = 6,738,415,616, L = 32, h = 4096, I = 11008, V = 32000, E = V h = 131,072,000. */
#include "work_fixture.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;
static const double N = 6738415616.0;
static const double E = 131072000.0;

static struct ask question(const struct catalogue *catalogue, enum task task, double seq_len)
{
    struct ask ask = test_ask(catalogue, task, "llama-2-7b", NULL);

    ask.seq_len = seq_len;
    test_complete(catalogue, &ask);
    return ask;
}

/* Allocator peak of one card, bytes. */
static double peak(const struct catalogue *catalogue, const struct ask *ask, enum strategy strategy,
                   size_t cards)
{
    struct memory_need need = test_need(catalogue, ask, strategy, cards);

    return (need.per_gpu_gib - need.overhead_gib) * GIB;
}

/* What training reserves: base and fragmentation. */
static double reserved(double bytes)
{
    return (bytes + 0.032e9) * 1.02;
}

static void test_states(const struct catalogue *catalogue)
{
    struct ask ask = question(catalogue, TASK_FINETUNE, 512);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    /* ZeRO section 3.1: 2 + 2 + 12 bytes for each parameter */
    tap_near(need.weights_gib * GIB, 2 * N, 1e-9, "weights in 16 bit");
    tap_near(need.gradients_gib * GIB, 2 * N, 1e-9, "gradients in 16 bit");
    tap_near(need.optimizer_gib * GIB, 12 * N, 1e-9, "fp32 copy and two moments");
    tap_ok(need.total_gib >= 70, "full fine-tuning of 7B takes 70 GiB and more");
    ask.optimizer = OPTIMIZER_ADAMW_8BIT;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 6 * N, 1e-9,
             "8-bit Adam keeps 2 bytes of moments and the copy");
    ask.optimizer = OPTIMIZER_ADAFACTOR;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 4 * N, 1e-9,
             "Adafactor keeps the copy");
    ask.master_weights = ANSWER_NO;
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib == 0,
           "and nothing without one");
    ask.optimizer = OPTIMIZER_ADAMW;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 6 * N, 1e-9,
             "moments are 16-bit then, and the step needs one value more");
    /* the step needs one more value of each weight: 2 + 4 + 2 + 2 */
    tap_near(peak(catalogue, &ask, STRATEGY_SINGLE, 1), reserved(10 * N), 1e-9,
             "the step of AdamW needs 2 bytes more");
    ask.rare.offloads_optimizer = true;
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib == 0,
           "states on the host are not on the card");
    ask = question(catalogue, TASK_FINETUNE, 512);
    ask.runtime = RUNTIME_TORCHTUNE;
    ask.runtime_is_given = true;
    test_complete(catalogue, &ask);
    tap_ok(ask.master_weights == ANSWER_NO, "torchtune trains in the type of the weights");
}

static double activations(const struct catalogue *catalogue, const struct ask *ask)
{
    return test_need(catalogue, ask, STRATEGY_SINGLE, 1).activations_gib * GIB;
}

/* 512 tokens; A = 15.5 h + 6 I + 2 (2 h + I) = 167,936 bytes a token and layer in full training. */
static void test_activations(const struct catalogue *catalogue)
{
    struct ask ask = question(catalogue, TASK_FINETUNE, 512);
    double logits = 512.0 * 32000 * 12.8; /* 409,600 bytes a token, more than one layer */

    tap_near(activations(catalogue, &ask), 512 * 2.0 * 32 * 4096 + logits, 1e-9,
             "checkpoints, and the larger of logits and one live layer");
    ask.rare.offloads_activations = true;
    tap_near(activations(catalogue, &ask), logits, 1e-9, "checkpoints may go to the host");
    ask.checkpointing = ANSWER_NO;
    tap_near(activations(catalogue, &ask), 512 * 32 * 167936.0 + logits, 1e-9,
             "every layer and the logits without checkpointing");
    ask.flash_attention = ANSWER_NO;
    tap_near(activations(catalogue, &ask), 512 * 32 * (167936.0 + 5 * 32 * 512) + logits, 1e-9,
             "and 5 a s^2 of scores");
    ask = question(catalogue, TASK_FINETUNE, 512);
    ask.runtime = RUNTIME_TORCHTUNE;
    tap_near(activations(catalogue, &ask), 512 * (2.0 * 32 * 4096 + 167936), 1e-9,
             "torchtune computes the loss in chunks, so that a layer is larger");
    ask.rare.keeps_logits = true;
    tap_near(activations(catalogue, &ask), 512 * 2.0 * 32 * 4096 + logits, 1e-9,
             "unless told not to");
}

/* The same with every value of 4 bytes: logits have an fp32 copy anyway. */
static void test_single_precision(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", "fp32");
    double logits = 512.0 * 32000 * 12.8;

    ask.seq_len = 512;
    test_complete(catalogue, &ask);
    tap_near(activations(catalogue, &ask), 512 * 4.0 * 32 * 4096 + logits, 1e-9,
             "checkpoints of fp32 take 4 bytes");
    ask.checkpointing = ANSWER_NO;
    tap_near(activations(catalogue, &ask), 512 * 32 * 2 * 167936.0 + logits, 1e-9,
             "and every layer twice as much");
    ask.flash_attention = ANSWER_NO;
    tap_near(activations(catalogue, &ask), 512 * 32 * (2 * 167936.0 + 9 * 32 * 512) + logits, 1e-9,
             "scores 9 bytes, with a byte of mask");
    ask.rare.casts_weights = true;
    tap_near(activations(catalogue, &ask), 512 * 32 * (167936.0 + 5 * 32 * 512) + logits, 1e-9,
             "autocast computes in 16 bits");
    /* 4 + 4 + 8 bytes; root and two layers are twice the bytes of 16-bit ones; activations stay
     * below the gradients */
    ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", "fp32");
    ask.seq_len = 512;
    test_complete(catalogue, &ask);
    tap_near(peak(catalogue, &ask, STRATEGY_FSDP, 2), reserved(16 * N / 2 + 1.5 * 2 * 1333821952.0),
             1e-9, "and full sharding gathers 4 bytes a weight");
}

/* Without checkpointing, what adapters store beside 15.5 h + 6 I + 10.4 h and the logits. */
static void test_adapter_activations(const struct catalogue *catalogue)
{
    struct ask ask = question(catalogue, TASK_LORA, 512);
    double plain = 25.9 * 4096 + 6 * 11008;
    double logits = 512.0 * 32000 * 12.8;

    ask.checkpointing = ANSWER_NO;
    ask.lora_targets = LORA_TARGETS_QV;
    tap_near(activations(catalogue, &ask), 512 * 32 * plain + logits, 1e-9, "queries and values");
    ask.lora_targets = LORA_TARGETS_MLP;
    tap_near(activations(catalogue, &ask), 512 * 32 * (plain + 4 * 11008) + logits, 1e-9,
             "PEFT copies the input of the way down to fp32");
    ask.lora_targets = LORA_TARGETS_ALL; /* keys, output, gate and up: 4 h; way down: I */
    tap_near(activations(catalogue, &ask), 512 * 32 * (plain + 4 * (4 * 4096 + 11008)) + logits,
             1e-9, "and those of all matrices");
    ask.runtime = RUNTIME_DEEPSPEED; /* output and MLP: 2 h; way down: I */
    tap_near(activations(catalogue, &ask), 512 * 32 * (plain + 2 * (2 * 4096 + 11008)) + logits,
             1e-9, "16-bit adapters share their inputs");
    ask.runtime = RUNTIME_TRANSFORMERS;
    ask.rare.adapter = ADAPTER_SCALES;
    tap_near(activations(catalogue, &ask),
             512 * 32 * (15.5 * 4096 + 6 * 11008 + 4 * (2 * 4096 + 11008)) + logits, 1e-9,
             "IA3 keeps what it scales in fp32");
    ask.rare.adapter = ADAPTER_LLAMA_V2;
    tap_near(activations(catalogue, &ask),
             512 * 32 * (15.5 * 4096 + 6 * 11008 + 2 * (7 * 4096 + 2 * 11008)) + logits, 1e-9,
             "LLaMA-Adapter v2 keeps every output");
    ask.rare.adapter = ADAPTER_PROMPT;
    tap_near(activations(catalogue, &ask), 512 * 32 * (15.5 * 4096 + 6 * 11008) + logits, 1e-9,
             "a prompt stores nothing in the layers");
    ask = test_ask(catalogue, TASK_QLORA, "llama-2-7b", "gptq");
    ask.seq_len = 512;
    test_complete(catalogue, &ask);
    ask.runtime = RUNTIME_DEEPSPEED;
    /* 2 (N - 2 E) / 32 = 404,766,976 of unpacked weights, more than 512 x 32000 x 8.1 */
    tap_near(activations(catalogue, &ask),
             512 * (2.0 * 32 * 4096 + plain + 2 * (2 * 4096 + 11008)) + 404766976.0, 1e-9,
             "autograd keeps the unpacked weights of a GPTQ layer");
}

/* Rank 8. Queries and values: 2 (h + h) = 16,384 a layer; all seven: 4 x 2 h + 3 (h + I) = 78,080.
 */
static void test_adapters(const struct catalogue *catalogue)
{
    struct ask ask = question(catalogue, TASK_LORA, 512);
    double all = 8.0 * 32 * 78080;

    tap_ok(ask.lora_rank == 16 && ask.lora_targets == LORA_TARGETS_ALL,
           "adapters have rank 16 on all layers unless asked");
    ask.lora_rank = 8;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB, 12 * all, 1e-9,
             "an adapter weight is kept in fp32 with two moments");
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).gradients_gib * GIB, 4 * all, 1e-9,
             "its gradient is fp32");
    ask.lora_targets = LORA_TARGETS_QV;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB,
             12 * 8.0 * 32 * 16384, 1e-9, "on queries and values alone");
    ask.lora_targets = LORA_TARGETS_ATTENTION;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB,
             12 * 8.0 * 32 * 32768, 1e-9, "on the attention");
    ask.lora_targets = LORA_TARGETS_MLP;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB,
             12 * 8.0 * 32 * 45312, 1e-9, "on the MLP");
    ask.rare.trains_tables = true;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).optimizer_gib * GIB,
             12 * (8.0 * 32 * 45312 + 2 * E), 1e-9, "and both token tables");

    ask = question(catalogue, TASK_QLORA, 512);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    tap_near(need.weights_gib * GIB, (N - 2 * E) * 4.5 / 8 + 4 * E, 1e-9,
             "nf4 but for the two tables");
    tap_near(need.copies_gib * GIB, 7.5 * E, 1e-9, "of which Transformers makes copies");
    ask.runtime = RUNTIME_LITGPT;
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_near(need.copies_gib * GIB, 3.65 * E, 1e-9, "litgpt unpacks one matrix at a time");
    ask.runtime = RUNTIME_TORCHTUNE;
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).copies_gib == 0, "torchtune none");
}

/* Block: root and two layers, 4 E + 4 (N - 2 E) / 32 = 1,333,821,952 bytes. */
static void test_sharding(const struct catalogue *catalogue)
{
    const double block = 1333821952.0;
    struct ask ask = question(catalogue, TASK_FINETUNE, 512);

    /* activations of 512 tokens stay below the gradients on two cards, 2 N / 2 */
    tap_near(peak(catalogue, &ask, STRATEGY_FSDP, 2), reserved(16 * N / 2 + 1.5 * block), 1e-9,
             "FSDP shares weights, gradients and states, and gathers a block and a half");
    ask.rare.shards_gradients = ask.rare.shards_states = true;
    tap_near(peak(catalogue, &ask, STRATEGY_DDP, 2), reserved(2 * N + 14 * N / 2), 1e-9,
             "ZeRO-2 shares gradients and states");
    ask.rare.shards_gradients = false;
    tap_near(peak(catalogue, &ask, STRATEGY_DDP, 2), reserved(4 * N + 12 * N / 2), 1e-9,
             "ZeRO-1 shares the states");
    ask.rare.shards_states = false;
    ask.runtime = RUNTIME_DEEPSPEED;
    tap_near(peak(catalogue, &ask, STRATEGY_SINGLE, 1), reserved(24 * N + 2.4e9), 1e-9,
             "DeepSpeed's step adds 8 bytes, its buckets 2.4 GB");
    tap_near(peak(catalogue, &ask, STRATEGY_FSDP, 4),
             reserved(16 * N / 4 + 1.5 * block + 2.4e9 + 4e9), 1e-9,
             "ZeRO-3's step goes by 1e9 weights");
    ask = question(catalogue, TASK_LORA, 512);
    ask.runtime = RUNTIME_LITGPT;
    ask.lora_rank = 8;
    ask.lora_targets = LORA_TARGETS_QV;
    /* activations: 512 x (2 x 32 x h + 25.9 h + 6 I), more than 512 x 32000 x 2.4; 12 bytes of
     * 4,194,304 adapter weights */
    tap_near(peak(catalogue, &ask, STRATEGY_FSDP, 2),
             reserved(2 * N + 2.65 * block + 512.0 * (64 * 4096 + 25.9 * 4096 + 6 * 11008) +
                      12 * 4194304.0 / 2),
             1e-9, "FSDP 1 gives frozen weights gradients too");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_fix_memory_figures(catalogue);
    test_states(catalogue);
    test_activations(catalogue);
    test_single_precision(catalogue);
    test_adapter_activations(catalogue);
    test_adapters(catalogue);
    test_sharding(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
