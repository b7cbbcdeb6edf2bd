/* speed.c: classes of work, ranges, unproven architectures, unknown rates, time of a job. */
#include "work_fixture.h"

static struct ask ask_of_domain(const struct catalogue *catalogue, enum task task,
                                enum domain domain)
{
    struct ask ask = test_ask(catalogue, task, NULL, NULL);

    ask.domain = domain;
    ask.domain_is_given = true;
    test_complete(catalogue, &ask);
    return ask;
}

static void test_classes(const struct catalogue *catalogue)
{
    static const char CARD[] = "nvidia-geforce-rtx-4090";
    struct ask learn = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct ask text = ask_of_domain(catalogue, TASK_TRAIN, DOMAIN_LLM);
    struct ask pictures = ask_of_domain(catalogue, TASK_TRAIN, DOMAIN_MEDICAL_IMAGING);
    struct ask diffusion = ask_of_domain(catalogue, TASK_INFERENCE, DOMAIN_DIFFUSION);
    double cnn = test_speed(catalogue, &pictures, CARD, STRATEGY_SINGLE, 1).value;
    double transformer = test_speed(catalogue, &text, CARD, STRATEGY_SINGLE, 1).value;
    struct speed mean = test_speed(catalogue, &learn, CARD, STRATEGY_SINGLE, 1);

    tap_near(mean.value, sqrt(cnn * transformer), 1e-9,
             "learning is the geometric mean of CNN and transformer training");
    tap_ok(mean.unit == SPEED_RELATIVE && isnan(mean.prefill_tokens_per_s) &&
               isnan(mean.tokens_per_s_per_user),
           "and told relative to the reference");
    tap_ok(test_speed(catalogue, &diffusion, CARD, STRATEGY_SINGLE, 1).basis == BASIS_ASSUMED,
           "diffusion is assumed until fitted");
    struct ask vision = ask_of_domain(catalogue, TASK_INFERENCE, DOMAIN_VISION);

    tap_ok(test_speed(catalogue, &vision, CARD, STRATEGY_SINGLE, 1).unit == SPEED_IMAGES_PER_S,
           "vision without a model is ResNet-50, whose pictures are counted");
    struct ask embedding = test_ask_complete(catalogue, TASK_INFERENCE, "bge-m3", NULL);

    tap_near(test_speed(catalogue, &embedding, CARD, STRATEGY_SINGLE, 1).value, transformer, 1e-9,
             "an embedding model decodes nothing: transformer class");
}

/* 4N: 400 W sustain power_new times the peak of an A100, so that an RTX 4090 (165.2 TFLOPS, a
 * consumer card) has 1 / peak + 1 / power of time for an operation. */
static void test_power_limit(const struct catalogue *catalogue)
{
    static const char CARD[] = "nvidia-geforce-rtx-4090"; /* 450 W */
    const struct calibration *figures = &catalogue->calibration;
    struct ask decode = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", NULL);
    struct ask lora = test_ask_complete(catalogue, TASK_LORA, "llama-3.1-8b", NULL);
    struct speed full = test_speed(catalogue, &decode, CARD, STRATEGY_SINGLE, 1);
    double trains = test_speed(catalogue, &lora, CARD, STRATEGY_SINGLE, 1).value;
    double peak = test_gpu(catalogue, CARD)->tensor_fp16_tflops / 312 * figures->consumer_boost;
    double share = (1 / peak + 400 / (figures->power_new * 450)) /
                   (1 / peak + 400 / (figures->power_new * 225));

    decode.power_limit_watts = lora.power_limit_watts = 225;
    struct speed limited = test_speed(catalogue, &decode, CARD, STRATEGY_SINGLE, 1);
    double left = limited.prefill_tokens_per_s / full.prefill_tokens_per_s;

    tap_ok(left > pow(0.5, figures->prompt_power) && left < 1,
           "half the watts: prompts lose less than the clock does");
    tap_near(limited.value, full.value, 1e-9, "decode is held by the memory, not by power");
    left = test_speed(catalogue, &lora, CARD, STRATEGY_SINGLE, 1).value / trains;
    tap_ok(left > share && left < 1, "training loses some, no more than its arithmetic");
    lora.power_limit_watts = 450;
    tap_near(test_speed(catalogue, &lora, CARD, STRATEGY_SINGLE, 1).value, trains, 1e-12,
             "a limit at the board power limits nothing");
}

static void test_ranges(const struct catalogue *catalogue)
{
    struct ask learn = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct speed ours =
        test_speed(catalogue, &learn, "nvidia-geforce-rtx-3090", STRATEGY_SINGLE, 1);
    struct speed unproven = test_speed(catalogue, &learn, "intel-arc-b580", STRATEGY_SINGLE, 1);
    double half_width = catalogue->calibration.half_width_relative;

    tap_near(ours.value, 1, 1e-12, "the reference card is 1");
    tap_near(ours.low, 1 - half_width, 1e-12, "its low end");
    tap_near(ours.high, 1 + half_width, 1e-12, "its high end");
    tap_near(ours.relative_low, 1, 1e-12, "its share in the score is 1");
    tap_ok(ours.basis == BASIS_ESTIMATED && !ours.is_unproven, "estimated from many measurements");
    tap_ok(unproven.is_unproven && unproven.basis == BASIS_ASSUMED, "Xe2 is unproven");
    tap_near(unproven.low, unproven.value / 2, 1e-12, "with half the value as low end");
    tap_near(unproven.relative_low, unproven.low / (1 - half_width), 1e-9,
             "which counts in the score");
    /* RDNA 3: measured in inference, not in training */
    struct ask decode = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", NULL);

    tap_ok(
        !test_speed(catalogue, &decode, "amd-radeon-rx-7900-xtx", STRATEGY_SINGLE, 1).is_unproven,
        "RDNA 3 is measured in inference");
    tap_ok(test_speed(catalogue, &learn, "amd-radeon-rx-7900-xtx", STRATEGY_SINGLE, 1).is_unproven,
           "and not in training");
    /* all seven measurements are of language models */
    struct ask pictures = ask_of_domain(catalogue, TASK_INFERENCE, DOMAIN_VISION);
    struct ask diffusion = ask_of_domain(catalogue, TASK_INFERENCE, DOMAIN_DIFFUSION);
    struct ask speech = ask_of_domain(catalogue, TASK_INFERENCE, DOMAIN_SPEECH);

    tap_ok(test_speed(catalogue, &pictures, "amd-radeon-rx-7900-xtx", STRATEGY_SINGLE, 1)
                   .is_unproven &&
               test_speed(catalogue, &diffusion, "amd-radeon-rx-7900-xtx", STRATEGY_SINGLE, 1)
                   .is_unproven &&
               test_speed(catalogue, &speech, "amd-radeon-rx-7900-xtx", STRATEGY_SINGLE, 1)
                   .is_unproven,
           "nor in pictures, diffusion and speech, which language models say nothing about");
    tap_ok(!test_speed(catalogue, &pictures, "nvidia-tesla-p100-pcie-16gb", STRATEGY_SINGLE, 1)
                .is_unproven,
           "Pascal is measured in pictures");
}

static bool is_known(const struct catalogue *catalogue, const struct ask *ask,
                     const struct gpu *gpu)
{
    struct speed speed;

    return speed_estimate(catalogue, ask, gpu, STRATEGY_SINGLE, 1, &speed);
}

static void test_unknown_rates(const struct catalogue *catalogue)
{
    static const char *const MODELS[] = {"llama-3.1-8b", "bert-base-uncased", "resnet-50"};
    struct ask learn = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct ask decode = test_ask_complete(catalogue, TASK_INFERENCE, "llama-3.1-8b", NULL);
    struct gpu gpu = *test_gpu(catalogue, "nvidia-geforce-rtx-3090");

    gpu.tdp_watts = TEST_UNKNOWN;
    tap_ok(!is_known(catalogue, &learn, &gpu), "training needs the board power");
    tap_ok(is_known(catalogue, &decode, &gpu), "one stream of decode does not");
    gpu = *test_gpu(catalogue, "nvidia-geforce-rtx-3090");
    gpu.memory_bandwidth_gb_s = TEST_UNKNOWN;
    tap_ok(!is_known(catalogue, &decode, &gpu), "decode needs the bandwidth");
    struct ask eager = test_ask(catalogue, TASK_INFERENCE, "llama-3.1-8b", "fp16");

    eager.runtime = RUNTIME_LITGPT;
    eager.runtime_is_given = true;
    test_complete(catalogue, &eager);
    tap_ok(!is_known(catalogue, &eager, &gpu), "and so does it kernel by kernel");
    /* tensor cores whose rate is not published: no rate is made up from the shader's */
    tap_ok(!is_known(catalogue, &learn, test_gpu(catalogue, "nvidia-geforce-rtx-5090-d")),
           "tensor cores of unknown rate");
    for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
        struct ask train = test_ask_complete(catalogue, TASK_TRAIN, MODELS[i], NULL);

        tap_ok(!is_known(catalogue, &train, test_gpu(catalogue, "nvidia-geforce-rtx-5090-d")),
               "nor for training %s", MODELS[i]);
    }
    gpu = *test_gpu(catalogue, "nvidia-geforce-rtx-3090");
    gpu.boost_clock_mhz = TEST_UNKNOWN;
    struct speed speed;

    tap_ok(speed_estimate(catalogue, &decode, &gpu, STRATEGY_SINGLE, 1, &speed) &&
               speed.basis == BASIS_ASSUMED,
           "an unknown clock makes decode an assumption");
}

/* A Tesla K80 is two GPUs of half the board's rates; one process has one of them. */
static void test_share_of_board(const struct catalogue *catalogue)
{
    struct ask learn = test_ask_complete(catalogue, TASK_LEARN, NULL, NULL);
    struct gpu board = *test_gpu(catalogue, "nvidia-tesla-k80");
    struct gpu half = board;
    struct speed of_board, of_half;

    half.process_share = 1;
    half.memory_bandwidth_gb_s /= 2;
    half.fp32_tflops /= 2;
    half.tdp_watts /= 2;
    half.shader_cores /= 2;
    tap_ok(board.process_share == 0.5, "a process has half of the board");
    tap_ok(speed_estimate(catalogue, &learn, &board, STRATEGY_SINGLE, 1, &of_board) &&
               speed_estimate(catalogue, &learn, &half, STRATEGY_SINGLE, 1, &of_half),
           "its speed is known");
    tap_near(of_board.value, of_half.value, 1e-12, "and that of half the board");
}

/* Replaces *before by the card's speed, which must not be lower. */
static bool is_no_slower(const struct catalogue *catalogue, const struct ask *ask,
                         const struct gpu *gpu, struct speed *before)
{
    struct speed after;

    if (!speed_estimate(catalogue, ask, gpu, STRATEGY_SINGLE, 1, &after) ||
        after.value < before->value || after.low > after.value) {
        return false;
    }
    *before = after;
    return true;
}

/* More bandwidth, rate or power never makes a card slower, in any class. */
static void test_monotone(const struct catalogue *catalogue)
{
    bool never_slower = true;

    for (int domain = 0; domain < DOMAIN_COUNT; domain++) {
        for (int task = 0; task < TASK_COUNT; task++) {
            if (task == TASK_QLORA) {
                continue;
            }
            struct ask ask = ask_of_domain(catalogue, (enum task)task, (enum domain)domain);

            for (size_t i = 0; i < catalogue->gpu_count; i++) {
                struct gpu better = catalogue->gpus[i];
                struct speed before;

                if (!speed_estimate(catalogue, &ask, &better, STRATEGY_SINGLE, 1, &before)) {
                    continue;
                }
                better.memory_bandwidth_gb_s *= 1.3;
                never_slower = never_slower && is_no_slower(catalogue, &ask, &better, &before);
                better.tensor_fp16_tflops *= 1.3;
                better.tdp_watts *= 1.3;
                never_slower = never_slower && is_no_slower(catalogue, &ask, &better, &before);
            }
        }
    }
    tap_ok(never_slower, "better figures never make a card slower");
}

static void test_job(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_LORA, "llama-2-7b", "bf16");

    ask.train_tokens = 1e9;
    test_complete(catalogue, &ask);
    struct speed speed = test_speed(catalogue, &ask, "nvidia-a100-sxm4-80gb", STRATEGY_SINGLE, 1);

    tap_near(speed_job_hours(&ask, &speed, speed.value), 1e9 / speed.value / 3600, 1e-12,
             "tokens over tokens a second");
    ask.train_tokens = TEST_UNKNOWN;
    ask.samples = 1000;
    tap_near(speed_job_hours(&ask, &speed, speed.low), 1000 * 2048 / speed.low / 3600, 1e-12,
             "a sample is one sequence");
    ask.samples = TEST_UNKNOWN;
    tap_ok(isnan(speed_job_hours(&ask, &speed, speed.value)), "no size, no time");
    ask.hours = 10;
    tap_near(speed_job_hours(&ask, &speed, speed.value), 10 / speed.relative, 1e-12,
             "hours are those of one reference card");
    tap_ok(speed_job_hours(&ask, &speed, speed.low) > speed_job_hours(&ask, &speed, speed.high),
           "the low end takes longer");
    struct ask images = test_ask_complete(catalogue, TASK_INFERENCE, "resnet-50", NULL);

    images.samples = 1e6;
    speed = test_speed(catalogue, &images, "nvidia-geforce-rtx-3090", STRATEGY_SINGLE, 1);
    tap_near(speed_job_hours(&images, &speed, speed.value), 1e6 / speed.value / 3600, 1e-12,
             "pictures over pictures a second");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_classes(catalogue);
    test_power_limit(catalogue);
    test_ranges(catalogue);
    test_unknown_rates(catalogue);
    test_share_of_board(catalogue);
    test_monotone(catalogue);
    test_job(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
