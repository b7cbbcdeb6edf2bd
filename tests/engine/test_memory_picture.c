/* memory_picture.c: rules of thumb for vision, diffusion and speech, with arithmetic one can
 * repeat. */
#include "work_fixture.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;

static void test_vision(const struct catalogue *catalogue)
{
    struct ask ask = test_ask(catalogue, TASK_TRAIN, "resnet-50", NULL);

    ask.batch = 64;
    test_complete(catalogue, &ask);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);

    /* networks.csv: 11.11e6 activations x 2 copies x 2 bytes x 64 pictures */
    tap_near(need.activations_gib * GIB, 11.11e6 * 4 * 64, 1e-9, "ResNet-50 keeps two copies");
    tap_near(need.optimizer_gib * GIB, 25557032.0 * 12, 1e-9, "and states for each weight");
    tap_text(need.basis, "assumed", "pictures are assumed");
    tap_near((need.low_gib - need.overhead_gib) / need.allocator_peak_gib, 0.6, 1e-9,
             "so that the range is wide");
    tap_near((need.high_gib - need.overhead_gib) / need.allocator_peak_gib, 1.8, 1e-9,
             "on its high side too");
    ask.batch = 128;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib,
             2 * need.activations_gib, 1e-9, "twice the batch, twice the activations");

    ask.resolution_px = 448;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib,
             8 * need.activations_gib, 1e-9, "and twice the edge four times as many");
    ask.users = 4;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib,
             8 * need.activations_gib, 1e-9, "users are none of training's");

    ask = test_ask_complete(catalogue, TASK_INFERENCE, "yolo11x", NULL);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    /* 56.9e6 parameters: nearest in networks.csv is resnet152 (60.19) or tf_efficientnetv2_m
     * (54.14, 57.52e6 activations); 54.14 is nearer */
    tap_near(need.activations_gib * GIB, 57.52e6 * 2 + 0.032e9, 1e-9,
             "a network that is not listed takes the nearest in size");
    ask.users = 4;
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_near(need.activations_gib * GIB, 4 * 57.52e6 * 2 + 0.032e9, 1e-9,
             "four users have four pictures");
}

static void test_diffusion(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "sdxl-base-unet", NULL);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    /* 2.6e9 x 2 bytes; encoders and activations 0.7 of them; 32 MB for the allocator */
    tap_near(need.allocator_peak_gib * GIB, 2.6e9 * 2 * 1.7 + 0.032e9, 1e-9, "SDXL in 16 bit");

    ask.resolution_px = 2048;
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    /* four times the pixels: half of the 0.7 stays, half is four times as much */
    tap_near(need.allocator_peak_gib * GIB, 2.6e9 * 2 * (1 + 0.7 * 2.5) + 0.032e9, 1e-9,
             "and at twice the edge");

    ask = test_ask(catalogue, TASK_LORA, "sd-1.5-unet", NULL);
    ask.batch = 2;
    test_complete(catalogue, &ask);
    /* 860e6 weights: 0.7 of encoders and decoder, 6.5 bytes for each weight and picture */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib * GIB,
             860e6 * (0.7 + 2 * 6.5), 1e-9, "training keeps more of each picture");
    ask.checkpointing = ANSWER_YES;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib * GIB,
             860e6 * (0.7 + 2 * 6.5 / 3), 1e-9, "and a third with checkpointing");

    ask = test_ask_complete(catalogue, TASK_LORA, "flux.1-dev", NULL);
    /* models.csv: 12e9 weights, 57 layers of 3072, MLP taken as 4 x 3072; (1024 / 16)^2 patches and
     * 512 tokens of text: 4608 x 57 x (15.5 x 3072 + 2 x 12288) */
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib * GIB,
             12e9 * 0.7 + 4608.0 * 57 * (15.5 * 3072 + 2 * 12288), 1e-9,
             "a diffusion transformer is counted by its tokens");
    ask.checkpointing = ANSWER_YES;
    tap_near(test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib * GIB,
             12e9 * 0.7 + 4608.0 * (2 * 57 * 3072 + 15.5 * 3072 + 2 * 12288), 1e-9,
             "of which checkpointing keeps the inputs of layers");
}

static void test_speech(const struct catalogue *catalogue)
{
    struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, "whisper-large-v3", NULL);
    struct memory_need need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    /* 1500 audio positions and 448 of text x 2 x 32 layers x 1280 x 2 bytes */
    tap_near(need.kv_cache_gib * GIB, 1948.0 * 2 * 32 * 1280 * 2, 1e-9,
             "Whisper caches text and audio");
    tap_ok(need.total_gib < 10, "Whisper large runs in the 10 GB its page names");
    ask = test_ask_complete(catalogue, TASK_INFERENCE, "whisper-turbo", NULL);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    tap_ok(need.total_gib > need.weights_gib && need.total_gib < 6,
           "a shape that is not known still has a need");
    ask = test_ask_complete(catalogue, TASK_FINETUNE, "whisper-large-v3", NULL);
    need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    ask = test_ask_complete(catalogue, TASK_FINETUNE, "whisper-large-v3", "fp32");
    /* 1948 positions x 32 layers x (15.5 x 1280 + 2 x 4 x 1280) once more; logits are as they were
     */
    tap_near(
        (test_need(catalogue, &ask, STRATEGY_SINGLE, 1).activations_gib - need.activations_gib) *
            GIB,
        1948.0 * 32 * (15.5 * 1280 + 2 * 5120), 1e-9, "fp32 stores twice the bytes");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_fix_memory_figures(catalogue);
    test_vision(catalogue);
    test_diffusion(catalogue);
    test_speech(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
