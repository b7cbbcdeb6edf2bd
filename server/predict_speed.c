/* Rows of the speed table as questions. Main thread. */
#include "predict_names.h"
#include "predict_parts.h"

#include "../handlers/engine/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Engines whose decoding launches every operation as a kernel of its own. */
static bool is_eager(const char *software)
{
    return strstr(software, "ransformers") != NULL || strstr(software, "litgpt") != NULL;
}

/* 2024-07 is 2024.5; of a range such as 2024-2025 the last year counts. NAN: not stated. */
static double year_of(const char *date)
{
    double year = (double)NAN;

    for (const char *at = date; *at != '\0';) {
        char *end = NULL;
        long number = strtol(at, &end, 10);

        if (end == at) {
            at++;
            continue;
        }
        if (number >= 1000) {
            year = (double)number;
        } else if (number >= 1 && number <= 12 && !isnan(year)) {
            year += (double)(number - 1) / 12;
        }
        at = end + (*end == '-' ? 1 : 0);
    }
    return year;
}

static enum speed_backend backend_of(const char *software)
{
    return strstr(software, "Vulkan") != NULL ? SPEED_BACKEND_VULKAN
           : strstr(software, "SYCL") != NULL ? SPEED_BACKEND_SYCL
                                              : SPEED_BACKEND_UNASKED;
}

/* Tokens of a prompt, and of the mean text while an answer is written. */
static double tokens_of(const char *metric, bool is_prefill)
{
    if (is_prefill) {
        return strstr(metric, "512") != NULL ? 512 : 1024;
    }
    if (strstr(metric, "tg128") != NULL) {
        return 64;
    }
    return strstr(metric, "generation of 1024") != NULL ? 512 : 256;
}

static bool has_any(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(text, words[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static enum answer answer_of(bool is_so)
{
    return is_so ? ANSWER_YES : ANSWER_NO;
}

/* What the engine in the row's software does. */
static void read_engine(const char *software, struct ask *ask)
{
    static const char *const SERVERS[] = {"ollama", "community", "server", "vllm", "SGLang"};

    ask->backend = backend_of(software);
    if (is_eager(software)) {
        ask->runtime = RUNTIME_LITGPT; /* plain PyTorch, as Transformers was then */
        ask->runtime_is_given = true;
    }
    ask->speed.serves = answer_of(has_any(software, SERVERS, sizeof SERVERS / sizeof SERVERS[0]));
    ask->flash_attention = answer_of(strstr(software, "flash") != NULL);
    if (strstr(software, "ExLlamaV2") != NULL || strstr(software, "MLC") != NULL) {
        ask->speed.replays_graphs = ANSWER_YES;
    } else if (strstr(software, "ExLlama") != NULL) {
        ask->speed.replays_graphs = ANSWER_NO;
    }
}

/* A language model that reads a prompt or writes token after token. */
static bool read_language(const struct catalogue *catalogue, const struct predict_table *table,
                          size_t row, struct predict_case *one)
{
    one->is_prefill =
        predict_names_begins(predict_table_text(table, row, "workload"), "llm-prefill");
    one->ask.task = TASK_INFERENCE;
    one->ask.context = tokens_of(predict_table_text(table, row, "metric"), one->is_prefill);
    one->ask.speed.build_year = year_of(predict_table_text(table, row, "date"));
    read_engine(predict_table_text(table, row, "software"), &one->ask);
    one->ask.strategy = one->cards > 1 ? STRATEGY_TP : STRATEGY_SINGLE;
    one->has_model = predict_names_model(catalogue, predict_table_text(table, row, "family"),
                                         predict_table_text(table, row, "metric"), &one->model);
    one->has_quant = true;
    predict_names_quant(catalogue, predict_table_text(table, row, "precision"), &one->quant);
    return one->has_model;
}

/* MLPerf inference: the format is the submitter's choice, the smallest that rounds sold then. */
static const char *tuned_quant(const char *source, bool is_language)
{
    if (predict_names_begins(source, "mlperf-inference-v0") ||
        predict_names_begins(source, "mlperf-inference-v1")) {
        return "int8";
    }
    if (is_language && !predict_names_begins(source, "mlperf-inference-v2") &&
        !predict_names_begins(source, "mlperf-inference-v3")) {
        return "mxfp4";
    }
    return "fp8";
}

static void read_tuned(const struct catalogue *catalogue, const struct predict_table *table,
                       size_t row, struct predict_case *one)
{
    const char *workload = predict_table_text(table, row, "workload");
    bool is_language =
        predict_names_begins(workload, "llama") || predict_names_begins(workload, "gpt") ||
        predict_names_begins(workload, "mixtral") || predict_names_begins(workload, "deepseek");

    one->ask.task = TASK_INFERENCE;
    one->ask.speed.class = is_language ? SPEED_CLASS_SERVING : SPEED_CLASS_TUNED;
    one->ask.quant = catalogue_find_quant(
        catalogue, tuned_quant(predict_table_text(table, row, "source"), is_language));
}

/* A picture network that networks.csv counts, at the row's size of a picture. */
static void read_network(const struct catalogue *catalogue, const struct predict_table *table,
                         size_t row, struct predict_case *one)
{
    double pixels = (double)NAN;

    one->network =
        predict_names_network(catalogue, predict_table_text(table, row, "workload"), &pixels);
    if (one->network == NULL) {
        return;
    }
    one->has_model = false;
    one->ask.domain = DOMAIN_VISION;
    one->ask.domain_is_given = true;
    one->ask.resolution_px = isnan(pixels) ? one->network->resolution_px : pixels;
    one->ask.resolution_is_given = true;
}

static void read_other(const struct catalogue *catalogue, const struct predict_table *table,
                       size_t row, struct predict_case *one)
{
    const char *source = predict_table_text(table, row, "source");
    const char *workload = predict_table_text(table, row, "workload");
    const char *precision = predict_table_text(table, row, "precision");
    struct predict_work work =
        predict_names_work(predict_table_text(table, row, "family"), workload);

    one->ask.task = strstr(workload, "train") != NULL ? TASK_TRAIN : TASK_INFERENCE;
    one->ask.speed.class = work.class;
    one->ask.quant = catalogue_find_quant(catalogue, predict_names_begins(precision, "fp32") ||
                                                             predict_names_begins(precision, "tf32")
                                                         ? "fp32"
                                                         : "fp16");
    if (!isnan(work.params_m)) {
        one->has_model = true;
        one->model = predict_names_blank("other", work.params_m * 1e6);
    }
    if (text_is(source, "lambda")) { /* its batches are as large as the memory allows */
        one->ask.batch_fills = ANSWER_YES;
    } else if (work.class == SPEED_CLASS_CNN && text_is(source, "timm")) {
        read_network(catalogue, table, row, one);
        one->ask.flash_attention =
            answer_of(strstr(predict_table_text(table, row, "software"), "PyTorch 1.") == NULL);
    } else if (work.class == SPEED_CLASS_CNN && strstr(workload, "-bs") != NULL) {
        read_network(catalogue, table, row, one);
        one->ask.batch = predict_table_number(table, row, "batch");
        one->ask.batch_is_given = true;
        one->ask.speed.build_year = year_of(predict_table_text(table, row, "date"));
    }
}

/* The question with what the row itself describes. */
static struct ask ask_of(const struct predict_case *one)
{
    struct ask ask = one->ask;

    if (one->has_model) {
        ask.model = &one->model;
    }
    if (one->has_quant) {
        ask.quant = &one->quant;
    }
    ask.network = one->network;
    return ask;
}

static bool complete(const struct catalogue *catalogue, struct predict_case *one)
{
    struct ask ask = ask_of(one);
    struct error err;

    if (!ask_complete(catalogue, &ask, &err)) {
        return false;
    }
    one->ask = ask;
    if (ask.strategy != STRATEGY_UNASKED) {
        one->strategy = ask.strategy; /* as the program runs it */
    }
    return true;
}

bool predict_speed_read(const struct catalogue *catalogue, const struct predict_table *table,
                        size_t row, struct predict_case *one)
{
    const char *workload = predict_table_text(table, row, "workload");
    double cards = predict_table_number(table, row, "gpu_count");

    ask_init(&one->ask);
    one->gpu = catalogue_find_gpu(catalogue, predict_table_text(table, row, "gpu_slug"));
    one->cards = cards >= 1 ? (size_t)cards : 1;
    one->strategy = one->cards > 1 ? STRATEGY_DDP : STRATEGY_SINGLE;
    one->is_time = predict_names_begins(predict_table_text(table, row, "unit"), "ms");
    if (one->gpu == NULL) {
        return false;
    }
    if (predict_names_begins(workload, "llm-decode") ||
        predict_names_begins(workload, "llm-prefill")) {
        if (!read_language(catalogue, table, row, one)) {
            return false;
        }
    } else if (predict_names_begins(predict_table_text(table, row, "source"), "mlperf")) {
        read_tuned(catalogue, table, row, one);
    } else {
        read_other(catalogue, table, row, one);
    }
    return complete(catalogue, one);
}

void predict_speed_answer(const struct catalogue *catalogue, const struct predict_case *one,
                          struct prediction *prediction)
{
    struct ask ask = ask_of(one);
    struct speed speed;

    if (!speed_estimate(catalogue, &ask, one->gpu, one->strategy, one->cards, &speed)) {
        return;
    }
    double value = speed.value;
    double low = speed.low;
    double high = speed.high;

    if (one->is_prefill) {
        value = speed.prefill_tokens_per_s;
        low = value * (1 - speed.prefill_half_width);
        high = value * (1 + speed.prefill_half_width);
    }
    prediction->value = one->is_time ? 1 / value : value;
    prediction->low = one->is_time ? 1 / high : low;
    prediction->high = one->is_time ? 1 / low : high;
}
