/* predict_speed.c and predict_names.c: rows as questions, on tables written here, and on the
 * published table where it is. */
#include "server/predict.h"

#include "tests/engine/work_fixture.h"

#include <math.h>

static const char COLUMNS[] = "id,workload,family,precision,gpu_slug,gpu_count,batch,metric,unit,"
                              "software,date,source\n";

static struct prediction answer(const struct catalogue *catalogue, const char *row,
                                struct predict_case *one)
{
    char path[TEST_PATH_BYTES];
    struct predict_table table = {0};
    struct error err = {0};
    enum predict_kind kind = PREDICT_SIZE;
    struct prediction prediction = {(double)NAN, (double)NAN, (double)NAN, ANSWER_UNASKED};

    test_temporary_path(path);
    FILE *file = fopen(path, "w");

    if (file == NULL || fprintf(file, "%s%s\n", COLUMNS, row) < 0 || fclose(file) != 0 ||
        !predict_table_read(path, &table, &err) || !predict_kind_of(&table, &kind)) {
        test_bail_out("no table", err.text);
    }
    tap_ok(kind == PREDICT_SPEED, "a table with workloads is one of speeds");
    if (predict_read(catalogue, &table, kind, 0, one)) {
        predict_answer(catalogue, one, &prediction);
    }
    predict_table_fini(&table);
    (void)unlink(path);
    return prediction;
}

static void test_language(const struct catalogue *catalogue)
{
    struct predict_case one;
    struct prediction found =
        answer(catalogue,
               "t1,llm-decode-7b-q4_0,llama2-7b,q4_0,nvidia-geforce-rtx-5070,1,1,llama-bench "
               "tg128,tokens/s,llama.cpp CUDA flash-attention,2025-08,llamacpp-scoreboard",
               &one);
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, "llama-2-7b", "q4_0");

    ask.context = 64; /* the mean of 128 tokens */
    test_complete(catalogue, &ask);
    ask.speed.serves = ANSWER_NO;
    struct speed asked = test_speed(catalogue, &ask, "nvidia-geforce-rtx-5070", STRATEGY_SINGLE, 1);

    tap_near(found.value, asked.value, 1e-12, "decode is answered as the question would be");
    tap_near(found.low, asked.low, 1e-12, "with its range");
    tap_near(one.ask.speed.build_year, 2025 + 7.0 / 12, 1e-9, "by builds of August 2025");
    tap_ok(one.ask.flash_attention == ANSWER_YES, "and the attention that the software names");

    found = answer(catalogue,
                   "t2,llm-prefill-8b-f16,llama3-8b,f16,nvidia-geforce-rtx-4090,1,1,prompt of 1024 "
                   "tokens,tokens/s,llama.cpp 2024-05 CUDA/Metal,2024-05,xiongjiedai",
                   &one);
    tap_ok(one.is_prefill && one.ask.context == 1024 && one.ask.flash_attention == ANSWER_NO &&
               found.value > 5000,
           "a prompt of 1024 tokens");
    found = answer(catalogue,
                   "t3,llm-decode-x-q4_k_m,moe-nobody-a3b,q4_k_m,nvidia-geforce-rtx-4090,1,1,"
                   "\"single-stream generation; total params 30B, active 3B\",tokens/s,ollama "
                   "(community),2026-01,llmfit-localmaxxing",
                   &one);
    tap_near(one.model.params_active, 3e9, 1e-12, "experts by the size that the metric states");
    tap_ok(one.ask.speed.serves == ANSWER_YES && found.value > 60, "under a server");
    found = answer(catalogue,
                   "t4,llm-decode-7b-bf16,nobody-7b,exl2-3.0bpw,nvidia-geforce-rtx-4090,1,1,"
                   "generation speed,tokens/s,ExLlama v1,2023-06,exllama",
                   &one);
    tap_ok(one.model.params_total == 7e9 && one.quant.bits_per_weight == 3 &&
               one.ask.speed.replays_graphs == ANSWER_NO && !isnan(found.value),
           "a model nobody knows by the size in its name");
    found = answer(catalogue,
                   "t5,llm-decode-mystery,mystery,q4_0,nvidia-geforce-rtx-4090,1,1,generation "
                   "speed,tokens/s,llama.cpp,2025,somewhere",
                   &one);
    tap_ok(isnan(found.value), "without any size it is declined");
}

static void test_other(const struct catalogue *catalogue)
{
    struct predict_case one;
    struct prediction found =
        answer(catalogue,
               "t6,resnet50-torchvision-bs12-train,torchvision-resnet,fp32,nvidia-titan-v,1,12,"
               "step time,ms/step (lower is better),PyTorch 1.4,2020,ryujaehun",
               &one);

    tap_ok(one.is_time && one.ask.batch == 12 && one.network->resolution_px == 224,
           "a step of twelve pictures");
    tap_ok(found.low < found.value && found.value < found.high, "the range of a time is in order");
    (void)answer(
        catalogue,
        "t11,mobilenet-v2-torchvision-bs12-train,torchvision-mobilenet,fp32,nvidia-titan-v,"
        "1,12,step time,ms/step (lower is better),PyTorch 1.4,2020,ryujaehun",
        &one);
    tap_text(one.network->id, "mobilenetv2_100", "a network by a name that is nearly its own");
    (void)answer(catalogue,
                 "t7,regnety-032-288px-inference,timm-regnety,fp16-amp,nvidia-geforce-rtx-3090,1,"
                 "1024,inference throughput,images/s,PyTorch 1.13 CUDA 11.7 eager,2022-11,timm",
                 &one);
    tap_ok(one.ask.resolution_px == 288 && one.ask.flash_attention == ANSWER_NO,
           "pictures of 288 px in software of 2022");
    (void)answer(catalogue,
                 "t8,gnmt-train,gnmt,fp16-amp,nvidia-geforce-rtx-3090,2,512,training throughput,"
                 "tokens/s,NGC pytorch 22.09+,2022,lambda",
                 &one);
    tap_ok(one.ask.batch_fills == ANSWER_YES && one.ask.speed.class == SPEED_CLASS_SPEECH &&
               one.model.params_total == 160e6 && one.cards == 2,
           "batches of the Lambda logs fill the memory");
    (void)answer(catalogue,
                 "t9,llama2-70b-inference-mlperf,llama2-70b,vendor-best,nvidia-b200-sxm-180gb,8,,"
                 "MLPerf Offline throughput,tokens/s,MLPerf,2024-09,mlperf-inference-v4.1",
                 &one);
    tap_ok(one.ask.speed.class == SPEED_CLASS_SERVING && text_is(one.ask.quant->name, "mxfp4"),
           "language models of MLPerf 4 may use four bits");
    found = answer(catalogue,
                   "t10,gnmt-train,gnmt,fp32,nvidia-unheard-of,1,1,training throughput,tokens/s,"
                   "NGC,2022,lambda",
                   &one);
    tap_ok(isnan(found.value), "a card that is not known is declined");
}

/* Every published row of a known card is answered. */
static void test_open_half(const struct catalogue *catalogue)
{
    struct predict_table table = {0};
    struct error err = {0};
    size_t asked = 0;
    size_t answered = 0;

    if (!predict_table_read("../shared/ground-truth/throughput.csv", &table, &err)) {
        tap_ok(true, "# SKIP ../shared is not there");
        return;
    }
    for (size_t row = 0; row < table.row_count; row++) {
        struct predict_case one;
        struct prediction found = {(double)NAN, (double)NAN, (double)NAN, ANSWER_UNASKED};

        if (!text_is(predict_table_text(&table, row, "in_catalogue"), "yes")) {
            continue;
        }
        asked++;
        if (predict_read(catalogue, &table, PREDICT_SPEED, row, &one)) {
            predict_answer(catalogue, &one, &found);
        }
        answered += found.low <= found.value && found.value <= found.high && found.low > 0 ? 1 : 0;
    }
    tap_ok(asked > 2000 && answered == asked, "every published row has an answer and a range");
    predict_table_fini(&table);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_language(catalogue);
    test_other(catalogue);
    test_open_half(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
