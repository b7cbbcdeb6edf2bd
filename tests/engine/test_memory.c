/* memory.c: floors, sharing over cards, ranges, what a card offers. */
#include "work_fixture.h"

static void test_floors(const struct catalogue *catalogue)
{
    /* DESIGN.md section 3.1: 8 GiB to learn, to infer and for tables, 12 for other work */
    struct ask ask = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    tap_ok(need.is_floor && need.per_gpu_gib == 8, "8 GiB for learning");
    tap_ok(isnan(need.weights_gib) && isnan(need.allocator_peak_gib), "a floor has no parts");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, NULL, NULL);
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).per_gpu_gib == 8, "8 GiB for inference");
    ask = test_ask_complete(catalogue, TASK_TRAIN, NULL, NULL);
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).per_gpu_gib == 12, "12 GiB for training");
    ask = test_ask(catalogue, TASK_TRAIN, NULL, NULL);
    ask.domain = DOMAIN_TABULAR;
    ask.domain_is_given = true;
    test_complete(catalogue, &ask);
    tap_ok(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).per_gpu_gib == 8, "8 GiB for tables");
    ask = test_ask_complete(catalogue, TASK_TRAIN, "nnu-net-3d-fullres", NULL);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_ok(need.is_floor && need.per_gpu_gib == 12, "a model of unknown size has the floor too");
}

/* The cases of users that the model must answer (cases/memory.json). */
static void test_user_cases(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-8b", "bf16");

    ask.context = 131072;
    test_complete(catalogue, &ask);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    double usable =
        memory_usable_gib(catalogue, &ask, test_gpu(catalogue, "nvidia-geforce-rtx-3090"));

    tap_near(need.weights_gib, 14.96, 0.001, "8B in 16 bit: 14.96 GiB");
    tap_near(need.kv_cache_gib, 16, 1e-9, "131,072 tokens: 16 GiB");
    tap_ok(need.per_gpu_gib > usable, "which one card of 24 GB does not hold");
    tap_ok(test_need(catalogue, &ask, STRATEGY_TP, 2).per_gpu_gib <= usable, "and two do");

    ask = test_ask(catalogue, TASK_INFERENCE, "qwen2.5-7b", "q4_k_m");
    ask.context = 131072;
    ask.kv_dtype = KV_DTYPE_Q8_0;
    ask.kv_dtype_is_given = true;
    test_complete(catalogue, &ask);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_near(need.weights_gib, 4.34, 0.01, "7B in q4_k_m: 4.34 GiB");
    tap_near(need.kv_cache_gib, 3.63, 0.05, "its 8-bit cache: 3.5 to 3.8 GiB");

    ask = test_ask(catalogue, TASK_INFERENCE, "gemma-3-27b", "bf16");
    ask.context = 2048;
    test_complete(catalogue, &ask);
    double whole = test_need(catalogue, &ask, STRATEGY_DDP, 2).per_gpu_gib;
    double shared = test_need(catalogue, &ask, STRATEGY_TP, 2).per_gpu_gib;

    tap_near(test_need(catalogue, &ask, STRATEGY_DDP, 2).weights_gib, 50.3, 0.001,
             "27B in 16 bit: 50.3 GiB");
    usable = memory_usable_gib(catalogue, &ask, test_gpu(catalogue, "nvidia-a100-sxm4-40gb"));
    tap_ok(whole > usable && shared <= usable,
           "two cards of 40 GB are no pool under data parallel");

    ask = test_ask_complete(catalogue, TASK_INFERENCE, "deepseek-r1", "fp8");
    usable = memory_usable_gib(catalogue, &ask, test_gpu(catalogue, "nvidia-h20-96gb"));
    tap_ok(test_need(catalogue, &ask, STRATEGY_TP, 8).per_gpu_gib <= usable,
           "DeepSeek R1 in FP8 runs on eight cards of 96 GB");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "deepseek-r1", "bf16");
    usable = memory_usable_gib(catalogue, &ask, test_gpu(catalogue, "nvidia-a100-sxm4-80gb"));
    tap_ok(test_need(catalogue, &ask, STRATEGY_TP, 8).per_gpu_gib > usable,
           "in 16 bit eight of 80 GB do not hold it");
}

/* Of every model: a part that is counted is finite, sharing never needs more, more text never less.
 */
static void test_monotone(const struct catalogue *catalogue)
{
    static const enum task TASKS[] = {TASK_INFERENCE, TASK_FINETUNE, TASK_LORA, TASK_QLORA};
    bool is_finite = true, shares = true, grows = true, in_range = true;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        for (size_t t = 0; t < sizeof TASKS / sizeof TASKS[0]; t++) {
            struct ask ask = test_ask_complete(catalogue, TASKS[t], catalogue->models[i].id, NULL);
            struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
            struct ask longer = ask;

            longer.context *= 2;
            longer.seq_len *= 2;
            is_finite = is_finite && need.per_gpu_gib > 0 && isfinite(need.per_gpu_high_gib);
            in_range =
                in_range && need.low_gib <= need.total_gib && need.total_gib <= need.high_gib;
            grows = grows &&
                    test_need(catalogue, &longer, STRATEGY_SINGLE, 1).total_gib >= need.total_gib;
            for (size_t cards = 2; cards <= 8; cards++) {
                double tp = test_need(catalogue, &ask, STRATEGY_TP, cards).per_gpu_gib;
                double pp = test_need(catalogue, &ask, STRATEGY_PP, cards).per_gpu_gib;
                double ddp = test_need(catalogue, &ask, STRATEGY_DDP, cards).per_gpu_gib;

                shares = shares && tp <= need.per_gpu_gib && pp <= need.per_gpu_gib &&
                         ddp == need.per_gpu_gib;
            }
        }
    }
    tap_ok(is_finite, "every model and task has a finite need");
    tap_ok(in_range, "the value lies in its range");
    tap_ok(grows, "twice the text never needs less");
    tap_ok(shares, "tp and pp never need more on a card than one copy, ddp the same");
}

static double known_or_nothing(double value)
{
    return isnan(value) ? 0 : value;
}

/* Of every model and program: the parts that are told explain the peak; training reserves 32 MB and
 * 2 % more. */
static void test_parts_add_up(const struct catalogue *catalogue)
{
    static const enum task TASKS[] = {TASK_INFERENCE, TASK_FINETUNE, TASK_LORA, TASK_QLORA};
    const char *short_of = "none";

    for (size_t i = 0; i < catalogue->model_count; i++) {
        for (size_t k = 0; k < RUNTIME_COUNT * sizeof TASKS / sizeof TASKS[0]; k++) {
            struct ask ask = test_ask_complete(catalogue, TASKS[k / RUNTIME_COUNT],
                                               catalogue->models[i].id, NULL);

            ask.runtime = (enum runtime)(k % RUNTIME_COUNT);
            struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
            double sum = known_or_nothing(need.kv_cache_gib) +
                         known_or_nothing(need.gradients_gib) +
                         known_or_nothing(need.optimizer_gib) + need.weights_gib + need.copies_gib +
                         need.activations_gib;

            if (!need.is_floor && need.allocator_peak_gib > (sum + 0.032e9 / 1073741824.0) * 1.02) {
                short_of = catalogue->models[i].id;
            }
        }
    }
    tap_text(short_of, "none", "no model whose parts are less than its peak");
}

/* What a model of unknown shape takes beside weights is one margin: its parts are not known. */
static void test_unknown_parts(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "whisper-turbo", NULL);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    tap_ok(isnan(need.kv_cache_gib) && need.gradients_gib == 0,
           "a cache of unknown size is not known, and gradients are none in inference");
    ask = test_ask_complete(catalogue, TASK_LORA, "sd-1.5-unet", NULL);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_ok(isnan(need.gradients_gib) && isnan(need.optimizer_gib) && need.kv_cache_gib == 0,
           "nor are the states of adapters of unknown size");
    tap_ok(isfinite(need.total_gib), "the need is");
}

static void test_sharding(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_FINETUNE, "llama-2-7b", "bf16");

    ask.seq_len = 512;
    test_complete(catalogue, &ask);
    /* ZeRO-3: 16 N / 8 + 1.5 blocks, the larger of activations and 2 N / 8; N = 6,738,415,616,
     * E = 32000 x 4096 = 131,072,000, block = 4 E + 4 (N - 2 E) / 32 = 1,333,821,952;
     * activations = 512 x (2 x 32 x 4096 + A) + 512 x 32000 x 12.8 with
     * A = 15.5 x 4096 + 6 x 11008 + 2 (2 x 4096 + 11008) = 167,936, in all 429,916,160 < 2 N / 8;
     * ((14 N + 2 N) / 8 + 2,000,733,696 + 32e6) x 1.02 = 15,820,333,983 bytes */
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_FSDP, 8);

    tap_near((need.per_gpu_gib - need.overhead_gib) * 1073741824.0, 15820333983.0, 1e-3,
             "full sharding over eight cards");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", "bf16");
    double seven = test_need(catalogue, &ask, STRATEGY_PP, 7).per_gpu_gib;
    double eight = test_need(catalogue, &ask, STRATEGY_PP, 8).per_gpu_gib;

    tap_ok(eight < seven, "4 of 32 layers are less than 5");

    /* 4096 tokens x 32 layers x 2 x 128 x 2 bytes = 64 MiB of cache a key-value head; 8 heads on
     * three cards are 3, 3 and 2; weights are shared evenly */
    struct memory_need whole = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    tap_near(test_need(catalogue, &ask, STRATEGY_TP, 3).per_gpu_gib,
             whole.total_gib - whole.weights_gib * 2 / 3 - 5 * 64 / 1024.0, 1e-9,
             "the fullest of three cards holds three of eight key-value heads");
    /* E = 128256 x 4096 = 525,336,576; whole at a time 2 E and two layers, in 16 bits:
     * 4 E + 4 (N - 2 E) / 32; N = 8,030,261,248 */
    tap_near(test_need(catalogue, &ask, STRATEGY_FSDP, 2).per_gpu_gib,
             whole.total_gib - whole.weights_gib / 2 +
                 (4 * 525336576.0 + (8030261248.0 - 2 * 525336576.0) / 8) / 1073741824.0,
             1e-9, "full sharding gathers tables and two layers in inference too");
}

static void test_usable(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct gpu gpu = {.segment = "datacenter",
                      .memory_type = "GDDR6",
                      .ecc = "yes",
                      .memory_per_process_gib = 16,
                      .memory_usable_gib = 14.6,
                      .display_outputs = 3};

    tap_ok(memory_usable_gib(catalogue, &ask, &gpu) == 14.6, "what the driver reports counts");
    gpu.memory_usable_gib = TEST_UNKNOWN;
    tap_ok(memory_usable_gib(catalogue, &ask, &gpu) == 15, "ECC takes a sixteenth of GDDR6");
    gpu.memory_type = "GDDR7";
    tap_near(memory_usable_gib(catalogue, &ask, &gpu), 15.68, 1e-12, "GDDR7 loses nothing to it");
    gpu.segment = "workstation";
    gpu.memory_type = "GDDR6";
    tap_near(memory_usable_gib(catalogue, &ask, &gpu), 15.68, 1e-12,
             "workstation cards ship with it off");
    ask.display = ANSWER_YES;
    tap_near(memory_usable_gib(catalogue, &ask, &gpu), 14.68, 1e-12, "a desktop takes 1 GiB");
    gpu.display_outputs = 0;
    tap_near(memory_usable_gib(catalogue, &ask, &gpu), 15.68, 1e-12,
             "not from a card without sockets");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_fix_memory_figures(catalogue);
    test_floors(catalogue);
    test_user_cases(catalogue);
    test_monotone(catalogue);
    test_parts_add_up(catalogue);
    test_unknown_parts(catalogue);
    test_sharding(catalogue);
    test_usable(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
