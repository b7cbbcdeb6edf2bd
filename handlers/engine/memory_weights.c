/* Bytes of weights by format, and what training keeps for each of them (ACCURACY.md sections 8.1
 * and 9.1). Any thread; no state. */
#include "memory.h"
#include "memory_gguf.h"
#include "memory_parts.h"

#include <math.h>

double memory_table_size(const struct memory_shape *shape)
{
    return shape->vocab > 0 && !isnan(shape->hidden) ? shape->vocab * shape->hidden : 0;
}

bool memory_trains_all(const struct ask *ask)
{
    return ask_is_training(ask) && ask->task != TASK_LORA && ask->task != TASK_QLORA;
}

double memory_training_bytes(const struct ask *ask)
{
    return ask->quant != NULL && ask->quant->bits_per_weight > 16 ? 4 : 2;
}

bool memory_is_unpacked(const struct ask *ask)
{
    return text_is(ask->quant->kind, "bitsandbytes") || text_is(ask->quant->kind, "int8");
}

/* Elements that a format leaves in 16 bits. Transformers and torchtune quantise no token table;
 * litgpt quantises the head, which is a linear layer like others. FP8 files hold a tied head on its
 * own. */
static double unquantised_size(const struct ask *ask, const struct memory_shape *shape)
{
    double table = memory_table_size(shape);

    if (text_is(ask->quant->kind, "fp8")) {
        return 2 * table;
    }
    return memory_is_unpacked(ask) && ask->runtime == RUNTIME_LITGPT ? table
                                                                     : shape->tables * table;
}

/* 16-bit or fp32 weights, with the 16-bit copy of every matrix that autocast keeps. */
static double float_bytes(const struct ask *ask, const struct memory_shape *shape,
                          double value_bytes)
{
    double copied = ask->rare.casts_weights ? 2 * (shape->params - memory_table_size(shape)) : 0;

    return shape->params * value_bytes + copied;
}

double memory_format_bytes(const struct ask *ask, const struct memory_shape *shape)
{
    const char *kind = ask->quant->kind;
    double value_bytes = ask->quant->bits_per_weight / 8;
    double kept = unquantised_size(ask, shape);
    double params = shape->params;

    if (ask_is_training(ask) && ask->task != TASK_QLORA) {
        return float_bytes(ask, shape, memory_training_bytes(ask));
    }
    if (text_is(kind, "float")) {
        return float_bytes(ask, shape, value_bytes);
    }
    if (text_is(kind, "gguf")) {
        double counted = memory_gguf_bytes(ask->quant->name, shape);

        return isnan(counted) ? params * value_bytes : counted;
    }
    if (text_is(kind, "fp8") && shape->tables < 2) {
        params += memory_table_size(shape);
    }
    return (params - kept) * value_bytes + 2 * kept;
}

double memory_table_bytes(const struct ask *ask, const struct memory_shape *shape)
{
    double table = memory_table_size(shape);
    double bits = (double)NAN;

    if (ask_is_training(ask)) {
        return table * memory_training_bytes(ask);
    }
    if (text_is(ask->quant->kind, "gguf")) {
        bits = memory_gguf_table_bits(ask->quant->name, shape);
        return table * (isnan(bits) ? ask->quant->bits_per_weight : bits) / 8;
    }
    return table * (text_is(ask->quant->kind, "float") ? ask->quant->bits_per_weight / 8 : 2);
}

double memory_weight_bytes(const struct ask *ask)
{
    if (ask->model == NULL || ask->quant == NULL) {
        return (double)NAN;
    }
    struct memory_shape shape = memory_language_shape(ask);

    return memory_format_bytes(ask, &shape);
}

/* ACCURACY 8.1: two moments of AdamW, one for momentum or Lion, in fp32 beside an fp32 copy and in
 * the type of the weights without one; two of one byte; rows and columns of Adafactor, near
 * nothing. Paged states leave the card when room is short. */
static double moment_bytes(enum optimizer optimizer, double state_bytes)
{
    const double bytes[OPTIMIZER_COUNT] = {
        [OPTIMIZER_ADAMW] = 2 * state_bytes, [OPTIMIZER_ADAMW_8BIT] = 2,
        [OPTIMIZER_SGD] = state_bytes,       [OPTIMIZER_LION] = state_bytes,
        [OPTIMIZER_ADAFACTOR] = 0,           [OPTIMIZER_PAGED_ADAMW_8BIT] = 0,
    };

    return bytes[optimizer];
}

double memory_optimizer_bytes(const struct ask *ask, double bytes_each)
{
    bool has_copy = bytes_each < 4 && ask->master_weights == ANSWER_YES;

    return moment_bytes(ask->optimizer, has_copy ? 4 : bytes_each) + (has_copy ? 4 : 0);
}
