/* Three cards, their offers and notebook plans, made by hand for the tests of the files cloud*.c.
 * Their speed is not known there, so prices alone decide. */
#ifndef GPUWISE_TESTS_CLOUD_BENCH_H
#define GPUWISE_TESTS_CLOUD_BENCH_H

#include "cloud.h"
#include "cloud_offer.h"

#include "hand_catalogue.h"

__attribute__((unused)) static const char *const TODAY = "2026-11-30";

enum { MAX_OFFERS = 16, ARENA_BYTES = 4 * 1024 * 1024 };

struct bench {
    struct catalogue catalogue;
    struct gpu gpus[3]; /* RTX 3090, T4, A100 80 GB */
    struct cloud_offer offers[MAX_OFFERS];
    struct notebook_plan plans[4];
};

static const struct support SUPPORTED = {
    .framework = "pytorch", .os = "linux", .status = "supported"};
__attribute__((unused)) static const struct support DROPPED = {
    .framework = "pytorch", .os = "linux", .status = "dropped"};

/* In place: the catalogue points into the bench. */
__attribute__((unused)) static void start(struct bench *bench)
{
    *bench = (struct bench){.gpus = {{.id = "nvidia-geforce-rtx-3090",
                                      .name = "GeForce RTX 3090",
                                      .tdp_watts = 350,
                                      .memory_per_process_gib = 24,
                                      .memory_usable_gib = 23.7},
                                     {.id = "nvidia-tesla-t4",
                                      .name = "Tesla T4",
                                      .tdp_watts = 70,
                                      .memory_per_process_gib = 16,
                                      .memory_usable_gib = 14.9},
                                     {.id = "nvidia-a100-sxm4-80gb",
                                      .name = "A100 SXM4 80GB",
                                      .tdp_watts = 400,
                                      .memory_per_process_gib = 80,
                                      .memory_usable_gib = (double)NAN}}};
    hand_catalogue(&bench->catalogue);
    bench->catalogue.parameters.learn_memory_floor_gib = 8;
    for (size_t i = 0; i < 3; i++) {
        bench->gpus[i].index = i;
        bench->gpus[i].support[FRAMEWORK_PYTORCH][OS_LINUX] = &SUPPORTED;
    }
    bench->catalogue.gpus = bench->gpus;
    bench->catalogue.gpu_count = 3;
    bench->catalogue.reference_gpu = &bench->gpus[0];
    bench->catalogue.cloud_offers = bench->offers;
    bench->catalogue.notebook_plans = bench->plans;
}

__attribute__((unused)) static struct cloud_offer *
add_offer(struct bench *bench, const char *provider, const char *instance_type, size_t gpu,
          double count, const char *usd_per_hour, const char *observed_on)
{
    struct cloud_offer *offer = &bench->offers[bench->catalogue.cloud_offer_count++];

    *offer = (struct cloud_offer){.provider = provider,
                                  .instance_type = instance_type,
                                  .accelerator = bench->gpus[gpu].name,
                                  .gpu_count = count,
                                  .gpu_memory_gb = bench->gpus[gpu].memory_per_process_gib,
                                  .observed_on = hand_date(observed_on),
                                  .gpu = &bench->gpus[gpu],
                                  .is_newest = true,
                                  .usd_per_hour_micros = hand_money(usd_per_hour),
                                  .spot_usd_per_hour_micros = MONEY_UNKNOWN,
                                  .ondemand_per_hour_micros = MONEY_UNKNOWN};
    cloud_offer_derive(offer);
    return offer;
}

/* RTX 3090 in cloud_offers.csv as shipped on 2026-11-30, yuan at 6.7046. */
__attribute__((unused)) static void add_offers_of_3090(struct bench *bench)
{
    (void)add_offer(bench, "RunPod", "secure", 0, 1, "0.5", "2026-10-01");
    (void)add_offer(bench, "Matpool", "1x RTX 3090", 0, 1, "0.27593", "2026-10-04"); /* 1.85 CNY */
    (void)add_offer(bench, "AutoDL", "1x RTX 3090", 0, 1, "0.20732", "2026-10-04");  /* 1.39 CNY */
    (void)add_offer(bench, "TensorDock", "on-demand", 0, 1, "0.2", "2026-10-01");
    (void)add_offer(bench, "Akash", "marketplace", 0, 1, "0.14", "2026-05-24");
    (void)add_offer(bench, "Genesis Cloud", "on-demand", 0, 1, "0.19", "2026-05-24"); /* 190 days */
}

__attribute__((unused)) static void add_plans(struct bench *bench)
{
    const struct notebook_plan PLANS[] = {
        {.provider = "Google Colab",
         .plan = "Free",
         .price_usd_per_month_micros = 0,
         .compute_units_included = (double)NAN,
         .cu_per_hour = (double)NAN,
         .session_limit_hours = 12,
         .usd_per_hour_micros = MONEY_UNKNOWN,
         .price_per_hour_micros = MONEY_UNKNOWN,
         .gpu_memory_gb = 15,
         .status = "current",
         .observed_on = hand_date("2026-03-01"),
         .gpu = &bench->gpus[1]},
        {.provider = "Kaggle Notebooks",
         .plan = "Free",
         .price_usd_per_month_micros = 0,
         .compute_units_included = (double)NAN,
         .cu_per_hour = (double)NAN,
         .session_limit_hours = 12,
         .usd_per_hour_micros = MONEY_UNKNOWN,
         .price_per_hour_micros = MONEY_UNKNOWN,
         .gpu_memory_gb = 16,
         .status = "current",
         .observed_on = hand_date("2026-07-12"),
         .gpu = &bench->gpus[1]},
        {.provider = "AutoDL",
         .plan = "pay per use",
         .price_usd_per_month_micros = MONEY_UNKNOWN,
         .compute_units_included = (double)NAN,
         .cu_per_hour = (double)NAN,
         .session_limit_hours = (double)NAN,
         .gpu_memory_gb = 80,
         .currency = "CNY",
         .price_per_hour_micros = hand_money("7.03"),
         .usd_per_hour_micros = MONEY_UNKNOWN,
         .status = "current",
         .observed_on = hand_date("2026-10-04"),
         .gpu = &bench->gpus[2]},
        {.provider = "Hugging Face Spaces",
         .plan = "upgraded hardware",
         .price_usd_per_month_micros = MONEY_UNKNOWN,
         .compute_units_included = (double)NAN,
         .cu_per_hour = (double)NAN,
         .session_limit_hours = (double)NAN,
         .gpu_memory_gb = 80,
         .currency = "USD",
         .price_per_hour_micros = hand_money("2.5"),
         .usd_per_hour_micros = hand_money("2.5"),
         .status = "current",
         .observed_on = hand_date("2026-05-05"),
         .gpu = &bench->gpus[2]},
    };

    memcpy(bench->plans, PLANS, sizeof PLANS);
    bench->catalogue.notebook_plan_count = 4;
}

#endif
