/* speed_scale.c: links between cards and what several cards keep of their speed. */
#include "work_fixture.h"

static struct set_link link_of(const struct catalogue *catalogue, const char *gpu, size_t cards)
{
    struct set_link link;
    struct ask ask;

    ask_init(&ask);

    speed_link(catalogue, &ask, test_gpu(catalogue, gpu), cards, &link);
    return link;
}

static void test_links(const struct catalogue *catalogue)
{
    static const struct {
        const char *gpu;
        size_t cards;
        const char *name;
        double gb_s; /* nominal of links.csv x 0.8, the share measured in collectives */
    } ROWS[] = {
        {"nvidia-geforce-rtx-3090", 2, "bridge-rtx-3090", 56.25 * 0.8},
        {"nvidia-geforce-rtx-3090", 3, "pcie-4-x16", 31.51 * 0.8}, /* a bridge joins two cards */
        {"nvidia-geforce-rtx-4090", 2, "pcie-4-x16", 31.51 * 0.8 / 2}, /* through the host */
        {"nvidia-geforce-rtx-5090", 4, "pcie-5-x16", 63.02 * 0.8 / 2},
        {"nvidia-rtx-6000-ada", 2, "pcie-4-x16", 31.51 * 0.8},
        {"nvidia-rtx-a6000", 2, "bridge-rtx-a6000", 56.25 * 0.8},
        {"nvidia-a100-sxm4-80gb", 8, "nvlink-3", 300 * 0.8},
        {"nvidia-h100-sxm5-80gb", 8, "nvlink-4", 450 * 0.8},
        {"nvidia-h800-sxm5-80gb", 8, "nvlink-4-h800", 200 * 0.8},
        {"nvidia-b200-sxm-180gb", 8, "nvlink-5", 900 * 0.8},
        {"amd-instinct-mi300x", 8, "infinity-fabric-4", 448 * 0.8},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct set_link link = link_of(catalogue, ROWS[i].gpu, ROWS[i].cards);
        char name[128];

        (void)snprintf(name, sizeof name, "%zu x %s", ROWS[i].cards, ROWS[i].gpu);
        tap_text(link.name, ROWS[i].name, name);
        tap_near(link.bandwidth_per_direction_gb_s, ROWS[i].gb_s, 1e-9, name);
    }
    tap_ok(link_of(catalogue, "nvidia-geforce-rtx-3090", 1).name == NULL, "one card has no link");
}

/* links.csv: PCIe 4.0 x8 and 3.0 x16 carry 15.75 GB/s each way, 3.0 x8 half of it; 0.8 of it is
 * reached, and half of that through the host, which an RTX 40 needs. */
static void test_slots(const struct catalogue *catalogue)
{
    static const struct {
        const char *gpu;
        double pcie_gen, pcie_lanes;
        const char *name;
        double gb_s;
    } ROWS[] = {
        {"nvidia-geforce-rtx-4060-ti-16gb", (double)NAN, (double)NAN, "pcie-4-x8", 15.75 * 0.8 / 2},
        {"nvidia-geforce-rtx-4060-ti-16gb", 3, (double)NAN, "pcie-3-x8", 7.88 * 0.8 / 2},
        {"nvidia-geforce-rtx-4060-ti-16gb", 5, 16, "pcie-4-x8", 15.75 * 0.8 / 2},
        {"nvidia-geforce-rtx-4090", 3, (double)NAN, "pcie-3-x16", 15.75 * 0.8 / 2},
        {"nvidia-geforce-rtx-4090", (double)NAN, 8, "pcie-4-x8", 15.75 * 0.8 / 2},
        {"nvidia-geforce-rtx-4090", 3, 4, "pcie-3-x4", 3.94 * 0.8 / 2},
        {"nvidia-geforce-rtx-3090", 3, 4, "bridge-rtx-3090", 56.25 * 0.8},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct set_link link;
        struct ask ask;

        ask_init(&ask);
        ask.pcie_gen = ROWS[i].pcie_gen;
        ask.pcie_lanes = ROWS[i].pcie_lanes;
        speed_link(catalogue, &ask, test_gpu(catalogue, ROWS[i].gpu), 2, &link);
        tap_text(link.name, ROWS[i].name, "the link is what card and slot have both");
        tap_near(link.bandwidth_per_direction_gb_s, ROWS[i].gb_s, 1e-9, "and so is its rate");
    }
}

static void test_decode(const struct catalogue *catalogue)
{
    static const char CARD[] = "nvidia-a100-sxm4-80gb";
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-70b", "awq");
    struct speed one = test_speed(catalogue, &ask, CARD, STRATEGY_SINGLE, 1);
    struct speed split = test_speed(catalogue, &ask, CARD, STRATEGY_TP, 4);
    double fixed = 80 * catalogue->calibration.decode_layer_us * 1e-6 +
                   catalogue->parameters.decode_server_ms * 1e-3;
    /* bytes over four cards, two all-reduces of 15 us a layer, 2 x 3/4 x 8192 x 2 bytes each */
    double reduce = 2 * 80 * (15e-6 + 1.5 * 8192 * 2 / 240e9);

    tap_near(1 / split.value, (1 / one.value - fixed) / 4 + fixed + reduce, 1e-9,
             "tensor parallel decode divides the bytes and adds all-reduces");
    tap_near(test_speed(catalogue, &ask, CARD, STRATEGY_PP, 4).value, one.value, 1e-12,
             "one stream gains nothing from stages");
    tap_near(test_speed(catalogue, &ask, CARD, STRATEGY_DDP, 4).value, one.value, 1e-12,
             "nor from copies");
    ask.users = 4;
    tap_near(test_speed(catalogue, &ask, CARD, STRATEGY_DDP, 4).value, 4 * one.value, 1e-12,
             "four users on four copies have a card each");
    /* 3/4 of the weights at 240e9 bytes a second are 0.12 s more for each token */
    double gather = memory_weight_bytes(&ask) * 0.75 / 240e9;

    tap_near(test_speed(catalogue, &ask, CARD, STRATEGY_FSDP, 4).value,
             4 / (1 / one.value + gather), 1e-9, "full sharding gathers weights for every token");
}

/* Measured with llama.cpp of 2024-05 (XiongjieDai/GPU-Benchmarks-on-LLM-Inference), 70B q4_k_m; the
 * model is within 20 % of nine rows in ten. */
static void test_layer_split(const struct catalogue *catalogue)
{
    static const struct {
        const char *gpu;
        size_t cards;
        double tokens_per_s;
    } ROWS[] = {
        {"nvidia-geforce-rtx-3090", 2, 16.29}, {"nvidia-geforce-rtx-3090", 4, 16.89},
        {"nvidia-geforce-rtx-3090", 6, 16.93}, {"nvidia-geforce-rtx-4090", 2, 19.06},
        {"nvidia-geforce-rtx-4090", 8, 18.76}, {"nvidia-a100-pcie-80gb", 4, 22.68},
        {"nvidia-h100-pcie-80gb", 4, 26.20},   {"nvidia-l40s", 4, 14.99},
        {"nvidia-rtx-a6000", 4, 14.32},        {"nvidia-a40", 4, 11.91},
        {"nvidia-rtx-4000-ada", 4, 7.33},      {"nvidia-rtx-6000-ada", 4, 17.96},
    };
    struct ask ask = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-70b", "q4_k_m");

    ask.context = 512;
    test_complete(catalogue, &ask);
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char name[128];

        (void)snprintf(name, sizeof name, "%zu x %s take turns, within 20 %%", ROWS[i].cards,
                       ROWS[i].gpu);
        tap_near(test_speed(catalogue, &ask, ROWS[i].gpu, STRATEGY_PP, ROWS[i].cards).value,
                 ROWS[i].tokens_per_s, 0.2, name);
    }
}

static void test_training(const struct catalogue *catalogue)
{
    static const char BRIDGED[] = "nvidia-geforce-rtx-3090";
    struct ask ask = test_ask_complete(catalogue, TASK_FINETUNE, "llama-2-7b", "bf16");
    double one = test_speed(catalogue, &ask, BRIDGED, STRATEGY_SINGLE, 1).value;
    struct speed two = test_speed(catalogue, &ask, BRIDGED, STRATEGY_DDP, 2);
    /* a ring of two sends 2 x 1/2 x 13.48e9 bytes of gradients at 45e9 a second, 0.7 of it hidden
     */
    double exposed = 13476831232.0 / 45e9 * 0.3;
    double step = 2048 / one;

    tap_near(two.scaling, step / (step + exposed), 1e-9, "gradients over a bridge");
    tap_ok(test_speed(catalogue, &ask, BRIDGED, STRATEGY_DDP, 3).scaling < two.scaling,
           "PCI Express costs more");
    tap_ok(test_speed(catalogue, &ask, BRIDGED, STRATEGY_FSDP, 2).scaling < two.scaling,
           "full sharding moves 1.5 times as much");
    tap_near(test_speed(catalogue, &ask, BRIDGED, STRATEGY_PP, 4).scaling, 4.0 / 7, 1e-12,
             "four micro-batches in four stages: 3 of 7 slots idle");
    struct ask lora = test_ask_complete(catalogue, TASK_LORA, "llama-2-7b", "bf16");

    tap_ok(test_speed(catalogue, &lora, BRIDGED, STRATEGY_DDP, 2).scaling > two.scaling,
           "adapters exchange little");
    ask = test_ask(catalogue, TASK_TRAIN, NULL, NULL);
    ask.domain = DOMAIN_VISION;
    ask.domain_is_given = true;
    test_complete(catalogue, &ask);
    tap_near(test_speed(catalogue, &ask, BRIDGED, STRATEGY_DDP, 2).scaling, 0.96, 1e-12,
             "a step of unknown length keeps 0.96");
}

static void test_unknown_link(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_FINETUNE, "llama-2-7b", "bf16");
    struct gpu gpu = *test_gpu(catalogue, "nvidia-geforce-rtx-4090");
    struct speed speed;

    gpu.pcie_lanes = TEST_UNKNOWN;
    tap_ok(speed_estimate(catalogue, &ask, &gpu, STRATEGY_SINGLE, 1, &speed),
           "one card needs no link");
    tap_ok(!speed_estimate(catalogue, &ask, &gpu, STRATEGY_DDP, 2, &speed),
           "two cards of unknown link have no known speed");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_links(catalogue);
    test_slots(catalogue);
    test_decode(catalogue);
    test_layer_split(catalogue);
    test_training(catalogue);
    test_unknown_link(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
