/* /cloud on the shipped facts. */
#include "handlers_fixture.h"

static void test_cloud(void)
{
    tap_ok(test_get("/cloud?kind=instance&provider=GCP&gpu=nvidia-a100-sxm4-40gb&limit=500") == 200,
           "offers of one card");
    bool all_right = json_array_size(test_at("data")) > 0;
    bool has_eight = false;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        json_t *row = json_array_get(test_at("data"), i);

        all_right = all_right && strcmp(json_string_value(json_object_get(row, "gpu")),
                                        "nvidia-a100-sxm4-40gb") == 0;
        has_eight = has_eight || json_number_value(json_object_get(row, "gpu_count")) == 8.0;
    }
    tap_ok(all_right && has_eight, "only that card, also by eight");
    test_get("/cloud?sort=usd_per_hour&limit=500");
    bool is_rising = true;

    for (size_t i = 1; i < json_array_size(test_at("data")); i++) {
        json_t *one = json_object_get(json_array_get(test_at("data"), i - 1), "usd_per_hour");
        json_t *two = json_object_get(json_array_get(test_at("data"), i), "usd_per_hour");

        is_rising = is_rising &&
                    (json_is_null(two) || json_number_value(one) <= json_number_value(two)) &&
                    (!json_is_null(one) || json_is_null(two));
    }
    tap_ok(is_rising, "cheapest first, unknown last");
    tap_ok(test_get("/cloud?kind=tpu") == 200 &&
               test_number("total") ==
                   (double)app_snapshot_catalogue(test_view.snapshot)->tpu_count,
           "TPUs by chip");
    size_t warned = 0;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        json_t *warnings = json_object_get(json_array_get(test_at("data"), i), "warnings");
        json_t *code = json_object_get(json_array_get(warnings, 0), "code");

        warned += json_is_string(code) && strcmp(json_string_value(code), "xla-only") == 0 ? 1 : 0;
    }
    tap_ok(warned > 0 && warned == json_array_size(test_at("data")) &&
               test_get("/cloud?kind=instance&gpu=rtx-3090&lang=zh") == 200 &&
               json_array_size(test_at("data.0.warnings")) == 0,
           "each with the warning that it runs no CUDA code, which cards do without");
}

static void test_notebooks(void)
{
    tap_ok(test_get("/cloud?kind=notebook&max_usd_per_hour=0&limit=500") == 200 &&
               test_number("total") > 5.0,
           "free notebooks cost nothing an hour");
    bool all_free = true;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        all_free = all_free && json_number_value(json_object_get(json_array_get(test_at("data"), i),
                                                                 "price_usd_per_month")) == 0.0;
    }
    tap_ok(all_free, "nor a month");
    tap_ok(test_get("/cloud?kind=notebook&provider=google%20colab&gpu=nvidia-l4") == 200 &&
               test_number("data.0.cu_per_hour") == 1.7,
           "a card paid in compute units");
    tap_near(test_number("data.0.hours_per_month"), 58.8235, 1e-4,
             "which the 100 units of Pro run for 100 / 1.7 hours");
    tap_ok(test_get("/cloud?kind=notebook&provider=modelscope%20notebook&gpu=nvidia-a10") == 200 &&
               test_number("data.0.idle_timeout_minutes") == 60.0 &&
               test_number("data.0.session_limit_hours") == 10.0,
           "sessions and idle time of a plan");
}

static void test_faults(void)
{
    tap_ok(test_get("/cloud?provider=autodl") == 200 && test_number("total") > 0, "any case");
    tap_ok(test_get("/cloud?provider=nosuch&region=nowhere&sort=x") == 400 &&
               strstr(test_detail("provider"), "AutoDL") != NULL &&
               strstr(test_detail("region"), "us-east-1") != NULL &&
               strlen(test_detail("sort")) > 0,
           "an unknown provider or region is answered with those that there are");
    tap_ok(test_get("/cloud?kind=car&max_usd_per_hour=x&gpu=a100") == 400 &&
               json_array_size(test_at("errors")) == 3,
           "bad filters are named at once");
}

int main(void)
{
    test_open();
    test_cloud();
    test_notebooks();
    test_faults();
    return test_close();
}
