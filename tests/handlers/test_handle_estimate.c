/* /estimate: parts that add up, the card asked about, strategies. */
#include "handlers_fixture.h"

static void test_memory(void)
{
    /* 2 (keys, values) x 32 layers x 8 heads x 128 x 2 bytes = 128 KiB a token; 131072 tokens: 16
     * GiB */
    tap_ok(test_get("/estimate?model=llama-3.1-8b&task=inference&quant=bf16&context=131072&kv_"
                    "dtype=fp16") == 200,
           "an estimate");
    tap_near(test_number("memory.kv_cache_gib"), 16, 0.02, "cache of 8 key-value heads");
    tap_near(test_number("memory.weights_gib"), 14.96, 0.02, "8.03e9 x 2 bytes");
    tap_near(test_number("memory.total_gib"),
             test_number("memory.allocator_peak_gib") + test_number("memory.overhead_gib"), 1e-5,
             "total is peak and overhead");
    tap_ok(test_number("memory.low_gib") <= test_number("memory.total_gib") &&
               test_number("memory.total_gib") <= test_number("memory.high_gib"),
           "between low and high");
    tap_ok(json_array_size(test_at("fits")) ==
               app_snapshot_catalogue(test_view.snapshot)->gpu_count,
           "without a card, every card");
    tap_ok(test_number("assumptions.memory_tight_share") == 1 &&
               test_number("assumptions.memory_fragmentation") == 1.02 &&
               test_number("assumptions.usable_share_default") == 0.98 &&
               test_number("assumptions.context_overhead_gib") == 0.5,
           "the constants of memory are told");
    test_get("/estimate?model=resnet-50&task=train");
    tap_ok(test_at("query.batch") != NULL && test_at("query.seq_len") == NULL &&
               test_at("query.context") == NULL && test_at("query.runtime") == NULL,
           "pictures are told without the length of a text");
    test_get("/estimate?model=whisper-turbo&task=inference");
    tap_ok(test_number("query.context") == 448, "speech with it");
    tap_ok(json_is_null(test_at("memory.kv_cache_gib")) && test_number("memory.total_gib") > 0,
           "a cache of unknown size is null");
}

static void test_cards(void)
{
    static const char WORK[] = "/estimate?model=gemma-3-27b&task=inference&quant=bf16&context=2048";
    char target[256];

    (void)snprintf(target, sizeof target, "%s&gpu=nvidia-a100-sxm4-40gb&gpus=2&strategy=ddp", WORK);
    test_get(target);
    double copies = test_number("memory.per_gpu_gib");

    tap_ok(json_array_size(test_at("fits")) == 1 && json_is_false(test_at("fits.0.fits")),
           "two copies of 50 GiB do not fit 40 GiB cards");
    (void)snprintf(target, sizeof target, "%s&gpu=nvidia-a100-sxm4-40gb&gpus=2", WORK);
    test_get(target);
    tap_text(test_text("strategy"), "tp", "unasked: shared out where a copy does not fit");
    tap_ok(json_is_true(test_at("fits.0.fits")) && test_number("memory.per_gpu_gib") < copies,
           "and fits");
    tap_near(test_number("fits.0.headroom_gib"),
             test_number("fits.0.available_gib") - test_number("memory.per_gpu_gib"), 1e-4,
             "headroom");
    tap_text(test_text("speed.0.unit"), "tokens/s", "with its speed");
    test_get("/estimate?gpu=rtx-3090&gpus=2&model=llama-3.1-8b&task=inference&quant=awq");
    tap_text(test_text("strategy"), "tp", "one reader: two copies would leave one idle");
    test_get("/estimate?gpu=rtx-3090&gpus=2&model=llama-3.1-8b&task=inference&quant=awq&users=2");
    tap_text(test_text("strategy"), "ddp", "two readers: a copy for each");
    test_get("/estimate?gpu=rtx-4090&gpus=2&model=resnet-50&task=train&domain=vision");
    tap_text(test_text("strategy"), "ddp", "unasked: copies where one fits");
}

static void test_refusals(void)
{
    tap_ok(test_get("/estimate?gpu=a100&gpus=9&budget=5") == 400, "three faults");
    tap_ok(strlen(test_detail("gpu")) > 0 && strlen(test_detail("gpus")) > 0 &&
               strstr(test_detail("budget"), "/estimate") != NULL,
           "all named");
    tap_ok(json_array_size(test_at("candidates")) == 4, "with the candidates of the card");
    tap_ok(test_get("/estimate?gpu=rtx-3090&gpus=4&strategy=single") == 400 &&
               strlen(test_detail("gpus")) > 0,
           "single is about one card");
    /* 32 heads of 8 key-value heads */
    tap_ok(test_get("/estimate?model=llama-3.1-8b&task=inference&quant=bf16&gpu=rtx-3090&gpus=3&"
                    "strategy=tp") == 400 &&
               strstr(test_detail("gpus"), "strategy=pp") != NULL,
           "three cards cannot share 32 heads");
    tap_ok(test_get("/estimate?model=llama-3.1-70b&task=inference&quant=fp8&gpu=rtx-3090&gpus=3") ==
                   200 &&
               strcmp(test_text("strategy"), "pp") == 0,
           "unasked they take layers");
    tap_ok(test_get("/estimate?gpu=rtx-3090&strategy=tp") == 400 &&
               strstr(test_detail("strategy"), "from 2 to 8") != NULL,
           "the other strategies about several");
}

int main(void)
{
    test_open();
    test_memory();
    test_cards();
    test_refusals();
    return test_close();
}
