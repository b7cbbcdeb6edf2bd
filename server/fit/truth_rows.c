/* Which rows stand for themselves: absolute speeds, memory, sizes. One thread. */
#include "truth_parts.h"

#include <math.h>
#include <string.h>

/* Engines whose kernels are not fused, and servers of many streams. */
static bool is_other_engine(const char *software)
{
    static const char *const OTHERS[] = {"transformers", "litgpt", "vllm", "sglang"};
    bool is_other = false;

    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        is_other = is_other || strcasestr(software, OTHERS[i]) != NULL;
    }
    return is_other;
}

static bool ends(const char *text, const char *words)
{
    size_t length = strlen(text), tail = strlen(words);

    return length >= tail && strcmp(text + length - tail, words) == 0;
}

/* TRUTH_KIND_COUNT: none. */
static enum truth_kind speed_kind(const struct predict_table *table, size_t row)
{
    const char *workload = predict_table_text(table, row, "workload");
    const char *source = predict_table_text(table, row, "source");
    bool is_other = is_other_engine(predict_table_text(table, row, "software"));
    double cards = floor(predict_table_number(table, row, "gpu_count"));

    if (truth_begins(workload, "llm-decode") && !is_other && cards <= 4) {
        return TRUTH_DECODE;
    }
    if (truth_begins(workload, "llm-prefill") && strcmp(source, "exllama") != 0 && cards == 1) {
        return TRUTH_PREFILL;
    }
    bool is_image = strcmp(source, "timm") == 0 && ends(workload, "-inference") && cards == 1;

    return is_image ? TRUTH_IMAGE : TRUTH_KIND_COUNT;
}

/* Neither reported by users nor known to be wrong, on a card that the catalogue has. */
bool truth_is_clean(const struct predict_table *table, size_t row)
{
    return strcmp(predict_table_text(table, row, "in_catalogue"), "yes") == 0 &&
           *predict_table_text(table, row, "flag") == '\0';
}

void truth_add_speeds(struct truth *truth, size_t first_row)
{
    const struct predict_table *table = &truth->tables[PREDICT_SPEED];

    for (size_t row = 0; row < table->row_count; row++) {
        enum truth_kind kind = speed_kind(table, row);

        if (kind != TRUTH_KIND_COUNT && truth_is_clean(table, row)) {
            truth_add_single(truth, kind, table, first_row, row,
                             predict_table_number(table, row, "value"));
        }
    }
}

/* Of language models whose settings are known; a figure recalled from memory is no measurement.
 * litgpt and torchtune rows without a context are a short generation. */
static bool is_memory_known(const struct predict_table *table, size_t row, bool is_inference)
{
    const char *evidence = predict_table_text(table, row, "evidence");
    const char *source = predict_table_text(table, row, "source");
    bool has_batch = *predict_table_text(table, row, "batch") != '\0';

    if (strcmp(evidence, "table") != 0 && strcmp(evidence, "log") != 0) {
        return false;
    }
    if (is_inference) {
        return *predict_table_text(table, row, "context") != '\0' ||
               (has_batch && (truth_begins(source, "litgpt") || truth_begins(source, "torchtune")));
    }
    return has_batch && *predict_table_text(table, row, "seq_len") != '\0';
}

void truth_add_memory(struct truth *truth, size_t first_row)
{
    const struct predict_table *table = &truth->tables[PREDICT_MEMORY];

    for (size_t row = 0; row < table->row_count; row++) {
        const char *fact = predict_table_text(table, row, "fact");
        bool is_inference = strcmp(predict_table_text(table, row, "task"), "inference") == 0;

        if (strcmp(fact, "measured") == 0 && is_memory_known(table, row, is_inference)) {
            truth_add_single(truth, is_inference ? TRUTH_INFERENCE : TRUTH_TRAINING, table,
                             first_row, row, predict_table_number(table, row, "measured_gib"));
        }
        if ((strcmp(fact, "fits") == 0 || strcmp(fact, "does-not-fit") == 0) &&
            *predict_table_text(table, row, "gpu_memory_gb") != '\0') {
            truth_add_single(truth, TRUTH_FACT, table, first_row, row, (double)NAN);
            truth->observations[truth->observation_count - 1].fits = strcmp(fact, "fits") == 0;
        }
    }
}

void truth_add_sizes(struct truth *truth, size_t first_row)
{
    const struct predict_table *table = &truth->tables[PREDICT_SIZE];

    for (size_t row = 0; row < table->row_count; row++) {
        const char *kind = predict_table_text(table, row, "kind");

        if (strcmp(kind, "gguf-size") == 0 || strcmp(kind, "kv-cache") == 0) {
            truth_add_single(truth, *kind == 'g' ? TRUTH_GGUF : TRUTH_KV, table, first_row, row,
                             predict_table_number(table, row, "size"));
        }
    }
}
