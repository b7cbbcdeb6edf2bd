/* Sizes of GGUF files, tensor by tensor. A type names the block format of most matrices and those
 * of the tensors that llama.cpp treats better; all of it is one table. Any thread; no state. */
#include "memory_gguf.h"

#include "memory_parts.h"

#include <math.h>
#include <string.h>

/* Block formats. */
enum block {
    F32,
    F16,
    Q8_0,
    Q6_K,
    Q5_K,
    Q4_K,
    Q3_K,
    Q2_K,
    Q5_1,
    Q5_0,
    Q4_1,
    Q4_0,
    IQ4_NL,
    IQ4_XS,
    IQ3_S,
    IQ3_XXS,
    IQ2_S,
    IQ2_XS,
    IQ2_XXS,
    IQ1_M,
    IQ1_S,
    TQ2_0,
    TQ1_0,
    BLOCK_COUNT
};

/* Bits per weight, from bytes and weights of a block (gpustack/gguf-parser-go:ggml.go). */
static const double BLOCK_BITS[BLOCK_COUNT] = {
    [F32] = 32,         [F16] = 16,       [Q8_0] = 8.5,      [Q6_K] = 6.5625,    [Q5_K] = 5.5,
    [Q4_K] = 4.5,       [Q3_K] = 3.4375,  [Q2_K] = 2.625,    [Q5_1] = 6,         [Q5_0] = 5.5,
    [Q4_1] = 5,         [Q4_0] = 4.5,     [IQ4_NL] = 4.5,    [IQ4_XS] = 4.25,    [IQ3_S] = 3.4375,
    [IQ3_XXS] = 3.0625, [IQ2_S] = 2.5625, [IQ2_XS] = 2.3125, [IQ2_XXS] = 2.0625, [IQ1_M] = 1.75,
    [IQ1_S] = 1.5625,   [TQ2_0] = 2.0625, [TQ1_0] = 1.6875,
};

/* Which layers get the better format. An eighth of them is counted in whole layers. */
enum layers {
    NO_LAYER,
    FIRST_TWO,
    FIRST_FOUR,
    FIRST_SIXTEENTH,
    FIRST_EIGHTH,
    EVERY_THIRD, /* and the first and last eighth */
    MIDDLE,      /* all but the first and last eighth */
    EVERY_LAYER
};

struct better {
    enum layers where;
    enum block block;
};

struct recipe {
    const char *type;
    enum block base, output, table;
    enum block query_key;
    struct better value;        /* where every query head has its own */
    struct better shared_value; /* where four or more share one */
    enum block attention_output;
    struct better gate_up, down;
};

#define PLAIN(name, block, head)                                                                   \
    {                                                                                              \
        name, block, head, block, block, {NO_LAYER, block}, {NO_LAYER, block}, block,              \
            {NO_LAYER, block},                                                                     \
        {                                                                                          \
            NO_LAYER, block                                                                        \
        }                                                                                          \
    }

static const struct recipe RECIPES[] = {
    PLAIN("f16", F16, F16),
    PLAIN("bf16", F16, F16),
    PLAIN("q8_0", Q8_0, Q8_0),
    PLAIN("q6_k", Q6_K, Q6_K),
    PLAIN("q5_1", Q5_1, Q6_K),
    PLAIN("q5_0", Q5_0, Q6_K),
    PLAIN("q4_1", Q4_1, Q6_K),
    PLAIN("q4_0", Q4_0, Q6_K),
    PLAIN("q5_k_s", Q5_K, Q6_K),
    PLAIN("q3_k_s", Q3_K, Q6_K),
    {"tq1_0",
     TQ1_0,
     Q6_K,
     Q4_K,
     TQ1_0,
     {NO_LAYER, TQ1_0},
     {NO_LAYER, TQ1_0},
     TQ1_0,
     {NO_LAYER, TQ1_0},
     {NO_LAYER, TQ1_0}},
    {"tq2_0",
     TQ2_0,
     Q6_K,
     Q4_K,
     TQ2_0,
     {NO_LAYER, TQ2_0},
     {NO_LAYER, TQ2_0},
     TQ2_0,
     {NO_LAYER, TQ2_0},
     {NO_LAYER, TQ2_0}},
    {"q5_k_m",
     Q5_K,
     Q6_K,
     Q5_K,
     Q5_K,
     {EVERY_THIRD, Q6_K},
     {EVERY_THIRD, Q6_K},
     Q5_K,
     {NO_LAYER, Q5_K},
     {EVERY_THIRD, Q6_K}},
    {"q4_k_m",
     Q4_K,
     Q6_K,
     Q4_K,
     Q4_K,
     {EVERY_THIRD, Q6_K},
     {EVERY_THIRD, Q6_K},
     Q4_K,
     {NO_LAYER, Q4_K},
     {EVERY_THIRD, Q6_K}},
    {"q4_k_s",
     Q4_K,
     Q6_K,
     Q4_K,
     Q4_K,
     {FIRST_FOUR, Q5_K},
     {FIRST_FOUR, Q5_K},
     Q4_K,
     {NO_LAYER, Q4_K},
     {FIRST_EIGHTH, Q5_K}},
    {"q3_k_l",
     Q3_K,
     Q6_K,
     Q3_K,
     Q3_K,
     {EVERY_LAYER, Q5_K},
     {EVERY_LAYER, Q5_K},
     Q5_K,
     {NO_LAYER, Q3_K},
     {EVERY_LAYER, Q5_K}},
    {"q3_k_m",
     Q3_K,
     Q6_K,
     Q3_K,
     Q3_K,
     {FIRST_TWO, Q5_K},
     {FIRST_TWO, Q5_K},
     Q4_K,
     {NO_LAYER, Q3_K},
     {FIRST_SIXTEENTH, Q5_K}},
    {"q2_k",
     Q2_K,
     Q6_K,
     Q2_K,
     Q2_K,
     {EVERY_LAYER, Q3_K},
     {EVERY_LAYER, Q4_K},
     Q3_K,
     {NO_LAYER, Q2_K},
     {EVERY_LAYER, Q3_K}},
    {"q2_k_s",
     Q2_K,
     Q6_K,
     Q2_K,
     Q2_K,
     {NO_LAYER, Q2_K},
     {EVERY_LAYER, Q4_K},
     Q2_K,
     {NO_LAYER, Q2_K},
     {FIRST_EIGHTH, Q4_K}},
    {"iq4_nl",
     IQ4_NL,
     Q6_K,
     IQ4_NL,
     IQ4_NL,
     {NO_LAYER, IQ4_NL},
     {EVERY_LAYER, Q5_K},
     IQ4_NL,
     {NO_LAYER, IQ4_NL},
     {FIRST_EIGHTH, Q5_K}},
    {"iq4_xs",
     IQ4_XS,
     Q6_K,
     IQ4_XS,
     IQ4_XS,
     {NO_LAYER, IQ4_XS},
     {EVERY_LAYER, Q5_K},
     IQ4_XS,
     {NO_LAYER, IQ4_XS},
     {FIRST_EIGHTH, Q5_K}},
    {"iq3_m",
     IQ3_S,
     Q6_K,
     IQ3_S,
     IQ3_S,
     {EVERY_LAYER, Q4_K},
     {EVERY_LAYER, Q4_K},
     Q4_K,
     {NO_LAYER, IQ3_S},
     {FIRST_EIGHTH, Q4_K}},
    {"iq3_s",
     IQ3_S,
     Q6_K,
     IQ3_S,
     IQ3_S,
     {NO_LAYER, IQ3_S},
     {EVERY_LAYER, Q4_K},
     IQ3_S,
     {NO_LAYER, IQ3_S},
     {NO_LAYER, IQ3_S}},
    {"iq3_xs",
     IQ3_S,
     Q6_K,
     IQ3_S,
     IQ3_XXS,
     {NO_LAYER, IQ3_S},
     {EVERY_LAYER, Q4_K},
     IQ3_S,
     {MIDDLE, IQ3_XXS},
     {NO_LAYER, IQ3_S}},
    {"iq3_xxs",
     IQ3_XXS,
     Q5_K,
     IQ3_S,
     IQ2_S,
     {NO_LAYER, IQ3_XXS},
     {EVERY_LAYER, Q4_K},
     IQ3_S,
     {NO_LAYER, IQ3_XXS},
     {NO_LAYER, IQ3_XXS}},
    {"iq2_m",
     IQ2_S,
     Q5_K,
     IQ3_S,
     IQ2_S,
     {EVERY_LAYER, IQ3_S},
     {EVERY_LAYER, Q4_K},
     IQ3_S,
     {NO_LAYER, IQ2_S},
     {FIRST_EIGHTH, IQ3_S}},
    {"iq2_s",
     IQ2_XS,
     Q5_K,
     IQ3_S,
     IQ2_XS,
     {EVERY_LAYER, IQ3_S},
     {EVERY_LAYER, Q4_K},
     IQ3_S,
     {NO_LAYER, IQ2_XS},
     {FIRST_EIGHTH, IQ3_S}},
    {"iq2_xs",
     IQ2_XS,
     Q5_K,
     Q2_K,
     IQ2_XS,
     {EVERY_LAYER, Q2_K},
     {EVERY_LAYER, Q4_K},
     IQ2_XS,
     {NO_LAYER, IQ2_XS},
     {FIRST_EIGHTH, Q2_K}},
    {"iq2_xxs",
     IQ2_XXS,
     Q5_K,
     Q2_K,
     IQ2_XXS,
     {EVERY_LAYER, Q2_K},
     {EVERY_LAYER, Q4_K},
     IQ2_XXS,
     {NO_LAYER, IQ2_XXS},
     {FIRST_EIGHTH, Q2_K}},
    {"iq1_m",
     IQ1_M,
     Q5_K,
     Q2_K,
     IQ1_M,
     {EVERY_LAYER, Q2_K},
     {EVERY_LAYER, Q4_K},
     IQ2_XXS,
     {NO_LAYER, IQ1_M},
     {FIRST_EIGHTH, Q2_K}},
    {"iq1_s",
     IQ1_S,
     Q5_K,
     Q2_K,
     IQ1_S,
     {EVERY_LAYER, Q2_K},
     {EVERY_LAYER, Q4_K},
     IQ2_XXS,
     {NO_LAYER, IQ1_S},
     {FIRST_EIGHTH, Q2_K}},
};

static const struct recipe *find_recipe(const char *type)
{
    for (size_t i = 0; i < sizeof RECIPES / sizeof RECIPES[0]; i++) {
        if (strcmp(RECIPES[i].type, type) == 0) {
            return &RECIPES[i];
        }
    }
    return NULL;
}

static double better_layers(enum layers where, double layers)
{
    double eighth = floor(layers / 8);
    double last = floor(7 * layers / 8); /* the first layer of the last eighth */

    switch (where) {
    case NO_LAYER:
        return 0;
    case FIRST_TWO:
        return fmin(2, layers);
    case FIRST_FOUR:
        return fmin(4, layers);
    case FIRST_SIXTEENTH:
        return floor(layers / 16);
    case FIRST_EIGHTH:
        return eighth;
    case EVERY_THIRD: /* between them the third, the sixth and so on */
        return eighth + (layers - last) + floor((last - eighth) / 3);
    case MIDDLE:
        return last - eighth;
    case EVERY_LAYER:
        return layers;
    }
    return 0;
}

/* Bits of one kind of tensor over all layers; `size` is that of one layer. */
static double mixed_bits(struct better better, enum block other, double layers, double size)
{
    double count = better_layers(better.where, layers);

    return size * (count * BLOCK_BITS[better.block] + (layers - count) * BLOCK_BITS[other]);
}

/* Exceptions for the attention: in models of eighty layers whose heads share values (70B) these get
 * five bits at least where three or four were meant; eight experts leave little in them, so they
 * get eight and five. */
static double attention_bits(const struct recipe *recipe, const struct memory_shape *shape)
{
    bool is_shared = shape->heads >= 4 * shape->kv_heads;
    struct better value = is_shared ? recipe->shared_value : recipe->value;
    enum block value_base = recipe->base;
    enum block output = recipe->attention_output;
    enum block key = recipe->query_key;

    if (strcmp(recipe->type, "q3_k_m") == 0) {
        value_base = Q4_K; /* where it is not among the first two */
    }
    if (shape->layers == 80 && shape->kv_heads < shape->heads && recipe->output == Q6_K) {
        value.block = value.block == Q3_K || value.block == Q4_K ? Q5_K : value.block;
        value_base = value_base == Q3_K || value_base == Q4_K ? Q5_K : value_base;
    }
    if (shape->experts == 8 && recipe->base != F16) {
        bool is_low = recipe->output == Q5_K;

        value = (struct better){EVERY_LAYER, is_low ? Q4_K : Q8_0};
        key = is_low ? Q4_K : Q8_0;
        output = BLOCK_BITS[output] < BLOCK_BITS[Q5_K] ? Q5_K : output;
    }
    double query = shape->hidden * shape->query_width;
    double kv = shape->hidden * shape->kv_width;

    return shape->layers * (query * (BLOCK_BITS[recipe->query_key] + BLOCK_BITS[output]) +
                            kv * BLOCK_BITS[key]) +
           mixed_bits(value, value_base, shape->layers, kv);
}

static double mlp_bits(const struct recipe *recipe, const struct memory_shape *shape)
{
    double matrix = shape->hidden * shape->adapter_width;
    enum block down_base = recipe->base;

    if (strcmp(recipe->type, "q3_k_m") == 0) {
        down_base = Q4_K;
    }
    return mixed_bits(recipe->gate_up, recipe->base, shape->layers,
                      (shape->matrices - 1) * matrix) +
           mixed_bits(recipe->down, down_base, shape->layers, matrix);
}

double memory_gguf_table_bits(const char *type, const struct memory_shape *shape)
{
    const struct recipe *recipe = find_recipe(type);

    if (recipe == NULL || isnan(shape->layers)) {
        return (double)NAN;
    }
    return BLOCK_BITS[shape->tables > 1 ? recipe->table : recipe->output];
}

double memory_gguf_bytes(const char *type, const struct memory_shape *shape)
{
    /* What is left beside the matrices: below this share it is norms, biases and routers, which
     * stay in fp32; above it the layers are of another kind, and are taken as the other matrices.
     */
    const double small_share = 0.003;
    const struct recipe *recipe = find_recipe(type);
    double table = memory_table_size(shape);

    if (recipe == NULL || isnan(shape->layers) || table <= 0) {
        return (double)NAN;
    }
    double attention = shape->hidden * (2 * shape->query_width + 2 * shape->kv_width);
    double counted =
        shape->layers * (attention + shape->matrices * shape->hidden * shape->adapter_width) +
        shape->tables * table;
    double bits = attention_bits(recipe, shape) + mlp_bits(recipe, shape) +
                  table * BLOCK_BITS[recipe->output];
    double rest = shape->params - counted;

    if (shape->tables > 1) {
        bits += table * BLOCK_BITS[recipe->table];
    }
    if (rest < 0) { /* more matrices counted than there are weights: keep the mixture */
        return bits / counted * shape->params / 8;
    }
    return (bits + rest * BLOCK_BITS[rest < small_share * shape->params ? F32 : recipe->base]) / 8;
}
