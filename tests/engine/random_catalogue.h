/* Catalogues that nobody made: some cards, prices, support and offers drawn at random around the
 * shipped models and constants, built like the real one. With gaps, ties, other currencies, old
 * prices, boards of several GPUs. */
#ifndef GPUWISE_TESTS_RANDOM_CATALOGUE_H
#define GPUWISE_TESTS_RANDOM_CATALOGUE_H

#include "dice.h"
#include "recommend_fixture.h"

enum {
    RANDOM_CARDS_LEAST = 6,
    RANDOM_CARDS_MORE = 14,
    RANDOM_ARCHITECTURES = 5,
    RANDOM_PRICES_MAX = 4,
    RANDOM_OFFERS = 8
};

static const double RANDOM_UNKNOWN = (double)NAN;

static const char *random_text(struct catalogue *catalogue, const char *format, size_t number)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%s%03zu", format, number);
    const char *copy = arena_copy_text(&catalogue->memory, text, strlen(text));

    if (copy == NULL) {
        abort();
    }
    return copy;
}

/* The value, or once in `sides` nothing. */
static double perhaps(struct dice *dice, size_t sides, double value)
{
    return throw_dice(dice, sides) == 0 ? RANDOM_UNKNOWN : value;
}

static void draw_rates(struct dice *dice, struct gpu *gpu)
{
    double half = PICK(dice, 10, 28, 60, 71, 125, 165, 312, 989);
    bool has_tensor_cores = throw_dice(dice, 4) != 0;

    gpu->shader_cores = perhaps(dice, 9, PICK(dice, 1024, 3584, 10496, 16896));
    gpu->boost_clock_mhz = PICK(dice, 900, 1700, 2500);
    gpu->fp32_tflops = half / 2;
    gpu->fp16_tflops = perhaps(dice, 4, half * PICK(dice, 0.02, 0.5, 1));
    gpu->tensor_cores = has_tensor_cores ? 320 : 0;
    gpu->tensor_fp16_tflops = has_tensor_cores ? perhaps(dice, 5, half) : RANDOM_UNKNOWN;
    gpu->tensor_bf16_tflops = has_tensor_cores ? perhaps(dice, 3, half) : RANDOM_UNKNOWN;
    gpu->tensor_tf32_tflops = has_tensor_cores ? perhaps(dice, 3, half / 2) : RANDOM_UNKNOWN;
    gpu->tensor_fp16_acc16_tflops = perhaps(dice, 2, half * 2);
    gpu->tensor_fp8_tflops = perhaps(dice, 2, half * 2);
    gpu->memory_bandwidth_gb_s = PICK(dice, 192, 336, 448, 616, 936, 1792, 2039, 3350);
    gpu->tdp_watts = perhaps(dice, 12, PICK(dice, 75, 170, 250, 350, 450, 575));
}

static void draw_memory(struct dice *dice, struct gpu *gpu)
{
    gpu->memory_gib = PICK(dice, 8, 8, 10, 11, 12, 12, 16, 16, 24, 24, 32, 48, 80);
    gpu->gpus_on_board = throw_dice(dice, 8) == 0 ? 2 : 1;
    gpu->memory_per_process_gib = gpu->memory_gib / gpu->gpus_on_board;
    gpu->memory_usable_gib = perhaps(dice, 2, gpu->memory_per_process_gib * 0.95);
    gpu->memory_type = PICK_TEXT(dice, "GDDR6", "HBM2e");
}

static void draw_board(struct dice *dice, struct gpu *gpu)
{
    bool has_nvlink = throw_dice(dice, 3) == 0;

    gpu->vendor = PICK_TEXT(dice, "nvidia", "nvidia", "nvidia", "amd", "intel");
    gpu->segment = PICK_TEXT(dice, "consumer", "consumer", "workstation", "datacenter");
    gpu->form_factor = PICK_TEXT(dice, "pcie", "pcie", "pcie", "pcie", "pcie", "pcie", "pcie",
                                 "sxm", "oam", "superchip");
    gpu->cooling =
        PICK_TEXT(dice, "open-air", "open-air", "open-air", "open-air", "blower", "passive", NULL);
    gpu->board_length_mm = perhaps(dice, 9, PICK(dice, 170, 245, 267, 285, 336));
    gpu->power_connectors = PICK_TEXT(dice, "none", "1x6-pin", "1x8-pin", "2x8-pin", "1x16-pin",
                                      "1x6-pin+1x8-pin", "1xEPS-8-pin", NULL);
    gpu->slots = perhaps(dice, 9, PICK(dice, 1, 2, 2, 3));
    gpu->pcie_gen = perhaps(dice, 9, PICK(dice, 3, 4, 5));
    gpu->pcie_lanes = PICK(dice, 8, 16);
    gpu->nvlink_gb_s = has_nvlink ? PICK(dice, 112.5, 600) : PICK(dice, 0, RANDOM_UNKNOWN);
    gpu->nvlink_max_gpus = has_nvlink ? PICK(dice, 2, 8) : gpu->nvlink_gb_s;
    gpu->mig_max_instances = PICK(dice, 0, 7, RANDOM_UNKNOWN);
    gpu->ecc = PICK_TEXT(dice, "yes", "no", "optional", NULL);
    gpu->export_controlled_cn = PICK_TEXT(dice, "no", "no", "yes", NULL);
    gpu->launch_msrp_usd_micros =
        throw_dice(dice, 3) == 0 ? MONEY_UNKNOWN : usd((int64_t)PICK(dice, 199, 499, 799, 1999));
    gpu->release_date = (struct date){"some day", TEST_DAY - (int32_t)throw_dice(dice, 2500)};
}

static const char *other_architecture(const struct catalogue *catalogue, struct dice *dice)
{
    return catalogue->architectures[throw_dice(dice, RANDOM_ARCHITECTURES)].architecture;
}

/* The reference card is kept; every sixth card is the one before under another name, so that they
 * tie. */
static void draw_cards(struct catalogue *catalogue, struct dice *dice)
{
    size_t count = RANDOM_CARDS_LEAST + throw_dice(dice, RANDOM_CARDS_MORE);

    catalogue->gpus[0] = *fixture_row(catalogue, REFERENCE_ID);
    for (size_t i = 1; i <= count; i++) {
        struct gpu *gpu = &catalogue->gpus[i];

        *gpu = catalogue->gpus[i - 1];
        gpu->id = random_text(catalogue, "card-", throw_dice(dice, 10) * 100 + i);
        gpu->name = gpu->id;
        if (i > 1 && throw_dice(dice, 6) == 0) {
            continue;
        }
        gpu->architecture = other_architecture(catalogue, dice);
        gpu->compute_capability = NULL;
        gpu->note = NULL;
        gpu->source = "nobody";
        draw_memory(dice, gpu);
        draw_rates(dice, gpu);
        draw_board(dice, gpu);
    }
    catalogue->gpu_count = count + 1;
}

static void draw_prices(struct catalogue *catalogue, struct dice *dice)
{
    static const struct {
        const char *currency, *market;
    } PLACES[] = {{"USD", "us"}, {"USD", "us"}, {"USD", "us"}, {"USD", NULL},
                  {"CNY", "cn"}, {"EUR", "eu"}, {"EUR", "de"}, {"ZZZ", "us"}};

    catalogue->price_count = 0;
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        int64_t around = usd((int64_t)PICK(dice, 80, 150, 280, 400, 700, 1100, 2500, 9000));
        size_t count = throw_dice(dice, RANDOM_PRICES_MAX + 1);

        for (size_t p = 0; p < count; p++) {
            size_t place = throw_dice(dice, sizeof PLACES / sizeof PLACES[0]);
            int32_t age_days = (int32_t)PICK(dice, 0, 3, 20, 60, 100, 200, 400, 900, 1300, -5);
            int32_t day = TEST_DAY - age_days; /* nobody sells a card before its release */
            int32_t release_day = catalogue->gpus[i].release_date.day;

            catalogue->prices[catalogue->price_count++] = (struct price){
                .gpu_slug = catalogue->gpus[i].id,
                .condition = PICK_TEXT(dice, "new", "new", "used", "used", "used", "msrp"),
                .currency = PLACES[place].currency,
                .amount_micros = around + MONEY_MICROS_PER_CENT * (int64_t)throw_dice(dice, 20000),
                .market = PLACES[place].market,
                .observed_on = {"some day", day > release_day ? day : release_day},
                .source = PICK_TEXT(dice, "a shop", "an auction (unverified)"),
            };
        }
    }
}

static void draw_support(struct catalogue *catalogue, struct dice *dice)
{
    catalogue->support_count = 0;
    for (size_t a = 0; a < RANDOM_ARCHITECTURES; a++) {
        for (size_t f = 0; f < FRAMEWORK_COUNT; f++) {
            for (size_t o = throw_dice(dice, 3); o < 4; o += 1 + throw_dice(dice, 3)) {
                catalogue->support[catalogue->support_count++] = (struct support){
                    .scope = throw_dice(dice, 5) == 0
                                 ? catalogue->gpus[throw_dice(dice, catalogue->gpu_count)].id
                                 : catalogue->architectures[a].architecture,
                    .framework = FRAMEWORK_NAMES[f],
                    .os = o < OS_COUNT ? OS_NAMES[o] : "any",
                    .status = PICK_TEXT(dice, "supported", "supported", "supported", "supported",
                                        "ending", "unofficial", "dropped", "none"),
                    .last_version = PICK_TEXT(dice, NULL, "12.9", "13.0"),
                    .end_date = {NULL, DAY_UNKNOWN},
                    .observed_on = {"2026-11", TEST_DAY - 29},
                    .source = "nobody",
                };
            }
        }
    }
}

static void draw_offers(struct catalogue *catalogue, struct dice *dice)
{
    for (size_t i = 0; i < RANDOM_OFFERS; i++) {
        catalogue->cloud_offers[i] =
            catalogue->cloud_offers[throw_dice(dice, catalogue->cloud_offer_count)];
        catalogue->cloud_offers[i].gpu_slug =
            catalogue->gpus[throw_dice(dice, catalogue->gpu_count)].id;
    }
    catalogue->cloud_offer_count = RANDOM_OFFERS;
}

/* Rows drawn and not built yet, so they may still be changed. Texts stay with the original, which
 * must live on. */
__attribute__((unused)) static struct catalogue *random_rows(const struct catalogue *original,
                                                             struct dice *dice)
{
    struct catalogue *copy = fixture_copy(original, 1);

    copy->alias_count = 0;
    copy->notebook_plan_count = copy->notebook_plan_count < 3 ? copy->notebook_plan_count : 3;
    for (size_t i = 0; i < RANDOM_ARCHITECTURES; i++) { /* another five come first */
        size_t other = i + throw_dice(dice, copy->architecture_count - i);
        struct architecture first = copy->architectures[i];

        copy->architectures[i] = copy->architectures[other];
        copy->architectures[other] = first;
    }
    draw_cards(copy, dice);
    draw_prices(copy, dice);
    draw_support(copy, dice);
    draw_offers(copy, dice);
    return copy;
}

__attribute__((unused)) static struct catalogue *random_catalogue(const struct catalogue *original,
                                                                  struct dice *dice)
{
    struct catalogue *copy = random_rows(original, dice);

    fixture_build(copy);
    return copy;
}

#endif
