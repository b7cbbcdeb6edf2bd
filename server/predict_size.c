/* Rows of the size table as questions: files of weights, caches and scratch of llama.cpp. */
#include "predict_parts.h"

#include "../handlers/engine/memory.h"
#include "../handlers/engine/memory_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { QUANT_LENGTH_MAX = 32 };

/* Half of the range told: sizes are counted, what differs is the release of the converter. */
static const double HALF_WIDTH = 0.02;

static bool read_kind(const char *kind, enum predict_size *size)
{
    static const struct {
        const char *name;
        enum predict_size size;
    } KINDS[] = {{"gguf-size", PREDICT_FILE},
                 {"checkpoint-size", PREDICT_FILE},
                 {"weights-on-gpu", PREDICT_LOADED_WEIGHTS},
                 {"kv-cache", PREDICT_CACHE},
                 {"compute-buffer", PREDICT_SCRATCH}};

    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcmp(KINDS[i].name, kind) == 0) {
            *size = KINDS[i].size;
            return true;
        }
    }
    return false;
}

static double bytes_of_unit(const char *unit)
{
    if (strcmp(unit, "GB") == 0) {
        return 1e9;
    }
    return strcmp(unit, "MiB") == 0 ? 1024.0 * 1024.0 : 1024.0 * 1024.0 * 1024.0;
}

static const struct quant *read_quant(const struct catalogue *catalogue, const char *text)
{
    char name[QUANT_LENGTH_MAX] = {0};

    if (text[0] == '\0') {
        return catalogue_find_quant(catalogue, "f16"); /* a cache or scratch has no format */
    }
    if (strcmp(text, "F32") == 0) {
        return catalogue_find_quant(catalogue, "fp32");
    }
    for (size_t i = 0; text[i] != '\0' && i + 1 < sizeof name; i++) {
        name[i] = (char)tolower((unsigned char)text[i]);
    }
    return catalogue_find_quant(catalogue, name);
}

bool predict_size_read(const struct catalogue *catalogue, const struct predict_table *table,
                       size_t row, struct predict_case *one)
{
    struct error err = {0};
    struct ask *ask = &one->ask;
    const char *notes = predict_table_text(table, row, "notes");

    ask_init(ask);
    ask->task = TASK_INFERENCE;
    ask->runtime = RUNTIME_LLAMA_CPP;
    ask->runtime_is_given = true;
    ask->quant = read_quant(catalogue, predict_table_text(table, row, "quant"));
    one->tokens = predict_table_number(table, row, "n_ctx");
    one->token_bytes = 4 * predict_table_number(table, row, "n_layer") *
                       predict_table_number(table, row, "n_kv_heads") *
                       predict_table_number(table, row, "head_dim");
    one->unit_bytes = bytes_of_unit(predict_table_text(table, row, "unit"));
    one->cards = 1;
    one->strategy = STRATEGY_SINGLE;
    ask->flash_attention = predict_says(notes, "flash attention on") ? ANSWER_YES : ANSWER_NO;
    if (!read_kind(predict_table_text(table, row, "kind"), &one->size) || ask->quant == NULL ||
        !predict_model_find(catalogue, predict_table_text(table, row, "model"),
                            predict_table_number(table, row, "params_b") * 1e9, ask) ||
        !ask_complete(catalogue, ask, &err)) {
        return false;
    }
    if (!isnan(one->tokens)) { /* logs may show more than the model was made for */
        ask->context = one->tokens;
    }
    return true;
}

void predict_size_answer(const struct catalogue *catalogue, const struct predict_case *one,
                         struct prediction *prediction)
{
    struct memory_parts parts;
    double bytes = (double)NAN;

    if (!memory_language_parts(catalogue, &one->ask, &parts)) {
        return;
    }
    switch (one->size) {
    case PREDICT_FILE:
        bytes = parts.weights;
        break;
    case PREDICT_LOADED_WEIGHTS:
        bytes = parts.resident;
        break;
    case PREDICT_CACHE:
        bytes = isnan(one->token_bytes) ? memory_kv_bytes(&one->ask, one->ask.context)
                                        : one->token_bytes * one->tokens;
        break;
    case PREDICT_SCRATCH:
        bytes = parts.activations_whole;
        break;
    }
    prediction->value = bytes / one->unit_bytes;
    prediction->low = prediction->value * (1 - HALF_WIDTH);
    prediction->high = prediction->value * (1 + HALF_WIDTH);
}
