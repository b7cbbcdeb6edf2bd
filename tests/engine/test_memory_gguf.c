/* memory_gguf.c: files counted tensor by tensor on a shape small enough to do so by hand, and
 * published files of Llama 3.1 8B. */
#include "memory_gguf.h"

#include "memory_parts.h"
#include "work_fixture.h"

/* Eight layers: queries and outputs 256 x 256 = 65,536, keys and values 256 x 64 = 16,384, three
 * MLP matrices of 256 x 512 = 131,072; tables of 1000 x 256 = 256,000. In all 8 x 557,056 +
 * 512,000 = 4,968,448, and 4,352 of norms (8 x 2 + 1 of 256). */
static const struct memory_shape SMALL = {
    .params = 4968448.0 + 4352.0,
    .layers = 8,
    .hidden = 256,
    .heads = 4,
    .query_width = 256,
    .kv_width = 64,
    .kv_heads = 1,
    .active_width = 512,
    .widest = 512,
    .adapter_width = 512,
    .vocab = 1000,
    .tables = 2,
    .matrices = 3,
};
static const double NORMS_BITS = 4352.0 * 32;
static const double LAYERS_SIZE = 8 * 557056.0;

static void test_rules(void)
{
    struct memory_shape shape = SMALL;

    tap_near(memory_gguf_bytes("q4_0", &shape) * 8,
             LAYERS_SIZE * 4.5 + 256000 * (4.5 + 6.5625) + NORMS_BITS, 1e-12,
             "q4_0: 4.5 bits, but 6.56 for the head and fp32 norms");
    /* q4_k_m: of 8 layers the first, the last and, of the six between, two get 6.5625 bits in
     * values and down matrices */
    tap_near(memory_gguf_bytes("q4_k_m", &shape) * 8,
             LAYERS_SIZE * 4.5 + 4 * (16384.0 + 131072) * 2.0625 + 256000 * (4.5 + 6.5625) +
                 NORMS_BITS,
             1e-12, "q4_k_m: better values and down matrices in half the layers");
    /* q3_k_m: outputs of the attention and all down matrices 4.5 (of the first sixteenth, here
     * none, 5.5); two layers of values 5.5, the others 4.5 */
    tap_near(memory_gguf_bytes("q3_k_m", &shape) * 8,
             LAYERS_SIZE * 3.4375 + 8 * (65536.0 + 131072) * 1.0625 +
                 16384.0 * (2 * 2.0625 + 6 * 1.0625) + 256000 * (3.4375 + 6.5625) + NORMS_BITS,
             1e-12, "q3_k_m: better values, outputs and down matrices");
    /* iq2_xxs: shared values 4.5, first eighth of down 2.625, table 2.625, head 5.5 */
    tap_near(memory_gguf_bytes("iq2_xxs", &shape) * 8,
             LAYERS_SIZE * 2.0625 + 8 * 16384.0 * 2.4375 + 131072.0 * 0.5625 +
                 256000 * (2.625 + 5.5) + NORMS_BITS,
             1e-12, "iq2_xxs: the same for shared values");
    shape.kv_heads = 4; /* the values are each head's own now: no bonus */
    tap_near(memory_gguf_bytes("iq4_xs", &shape) * 8,
             LAYERS_SIZE * 4.25 + 131072.0 * 1.25 + 256000 * (4.25 + 6.5625) + NORMS_BITS, 1e-12,
             "iq4_xs: only shared values are better");
}

static void test_kinds_of_model(void)
{
    struct memory_shape shape = SMALL;

    shape.tables = 1;
    shape.params -= 256000;
    tap_near(memory_gguf_bytes("q4_0", &shape) * 8,
             LAYERS_SIZE * 4.5 + 256000 * 6.5625 + NORMS_BITS, 1e-12,
             "a tied table is treated as the head");
    tap_ok(memory_gguf_table_bits("q4_0", &shape) == 6.5625, "and told so");
    shape = SMALL;
    tap_ok(memory_gguf_table_bits("q4_0", &shape) == 4.5, "a table of its own is not");
    shape.experts = 8;
    tap_near(memory_gguf_bytes("q4_0", &shape) * 8,
             LAYERS_SIZE * 4.5 + 8 * (2 * 16384.0 * 4 + 65536.0) + 256000 * (4.5 + 6.5625) +
                 NORMS_BITS,
             1e-12, "beside eight experts keys and values get 8.5 bits, outputs 5.5");
    shape = SMALL;
    shape.layers = TEST_UNKNOWN;
    tap_ok(isnan(memory_gguf_bytes("q4_0", &shape)), "no shape, no size");
    tap_ok(isnan(memory_gguf_bytes("q9_z", &SMALL)), "no such type");
}

/* ggml-org/llama.cpp:tools/quantize/README.md, GiB of Llama 3.1 8B, rounded to 0.01. */
static void test_published(const struct catalogue *catalogue)
{
    static const struct {
        const char *type;
        double gib;
    } FILES[] = {{"iq1_s", 1.87},  {"iq2_xxs", 2.23}, {"iq2_m", 2.74},  {"iq3_xxs", 3.04},
                 {"iq3_m", 3.52},  {"iq4_xs", 4.17},  {"q2_k", 2.95},   {"q3_k_l", 4.02},
                 {"q4_k_s", 4.36}, {"q4_k_m", 4.58},  {"q5_k_m", 5.33}, {"q6_k", 6.14},
                 {"q8_0", 7.95},   {"f16", 14.96}};

    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        struct ask ask =
            test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", FILES[i].type);

        tap_near(memory_weight_bytes(&ask) / 1073741824.0, FILES[i].gib, 3e-3, FILES[i].type);
    }
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_rules();
    test_kinds_of_model();
    test_published(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
