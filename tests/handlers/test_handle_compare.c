/* The body of /compare on the shipped facts. */
#include "handlers_fixture.h"

/* A row by its field; NULL: none. */
static json_t *row_of(const char *field)
{
    for (size_t i = 0; i < json_array_size(test_at("rows")); i++) {
        json_t *row = json_array_get(test_at("rows"), i);

        if (text_is(json_string_value(json_object_get(row, "field")), field)) {
            return row;
        }
    }
    return NULL;
}

static double value_of(const char *field, const char *list, size_t place)
{
    return json_number_value(json_array_get(json_object_get(row_of(field), list), place));
}

/* The places in `best` as a number with a digit for each, from 1; 0: null. */
static int best_of(const char *field)
{
    json_t *best = json_object_get(row_of(field), "best");
    int digits = 0;

    for (size_t i = 0; i < json_array_size(best); i++) {
        digits = digits * 10 + 1 + (int)json_integer_value(json_array_get(best, i));
    }
    return digits;
}

static void test_facts(void)
{
    tap_ok(test_get("/compare?gpus=t4,nvidia-a100-sxm4-40gb,rtx-3090") == 200, "three cards");
    tap_text(test_text("gpus.0.id"), "nvidia-tesla-t4", "in the order asked for, by any name");
    tap_near(test_number("gpus.1.tensor_fp16_tflops"), 311.9, 0.1, "facts of the second");
    tap_ok(json_is_null(test_at("gpus.0.tensor_bf16_tflops")), "what a card lacks is null");
    tap_near(value_of("tensor_fp16_tflops", "values", 0), 65.1, 0.1, "the same in its row");
    tap_near(value_of("memory_bandwidth_gb_s", "ratios", 2), 936.0 / 320, 1e-4,
             "ratio to the first card");
    tap_ok(best_of("memory_gib") == 2 && best_of("tdp_watts") == 1, "most memory, least power");
    tap_ok(json_is_null(json_object_get(row_of("architecture"), "best")) &&
               json_is_null(json_object_get(row_of("architecture"), "ratios")),
           "words have no best and no ratio");
    tap_ok(best_of("pcie_lanes") == 0, "none is best where all are equal");
    tap_ok(best_of("tensor_bf16_tflops") == 2, "what is not known is never best");
    tap_ok(json_array_size(test_at("gpus.1.rejected")) == 2 &&
               text_is(test_text("gpus.1.rejected.0.code"), "form-factor") &&
               json_is_null(json_array_get(json_object_get(row_of("score"), "values"), 1)),
           "a module is no pick for a desktop, which is told, and has no score");
    tap_ok(value_of("speed", "values", 1) > 0, "but a speed");
    tap_ok(test_get("/compare?gpus=t4,rtx-3090&os=wsl") == 200, "under WSL");
    tap_text(json_string_value(
                 json_array_get(json_object_get(row_of("support_llama_cpp"), "values"), 1)),
             "supported", "what runs under Linux runs there");
}

/* Each figure of a pick of /recommend stands in the comparison too. */
static void test_work(void)
{
    static const char WORK[] = "task=inference&model=qwen3-14b&context=8192&currency=EUR";
    char target[256];

    (void)snprintf(target, sizeof target, "/compare?gpus=rtx-3090,rtx-4090,k80&%s", WORK);
    tap_ok(test_get(target) == 200, "with a workload");
    double speed = value_of("speed", "values", 1);
    double low = value_of("speed_low", "values", 1);
    double cost = value_of("cost", "values", 1);
    double score = value_of("score", "values", 1);
    double needed = value_of("needed_gib", "values", 1);
    double price = value_of("price", "values", 1);

    tap_text(json_string_value(json_object_get(row_of("speed"), "unit")), "tokens/s", "its unit");
    tap_text(json_string_value(json_object_get(row_of("cost"), "unit")), "EUR", "its currency");
    tap_near(value_of("speed", "ratios", 1), speed / value_of("speed", "values", 0), 1e-5,
             "times as fast as the first");
    tap_ok(best_of("speed") == 2, "the 4090 is the fastest");
    tap_ok(json_is_true(json_array_get(json_object_get(row_of("fits"), "values"), 0)), "it fits");
    (void)snprintf(target, sizeof target, "/recommend?limit=100&explain=none&%s", WORK);
    test_get(target);
    for (size_t i = 0; i < json_array_size(test_at("picks")); i++) {
        json_t *pick = json_array_get(test_at("picks"), i);

        if (text_is(json_string_value(test_at_in(pick, "gpu.id")), "nvidia-geforce-rtx-4090")) {
            tap_ok(json_number_value(test_at_in(pick, "speed.value")) == speed &&
                       json_number_value(test_at_in(pick, "speed.low")) == low &&
                       json_number_value(test_at_in(pick, "cost.total")) == cost &&
                       json_number_value(test_at_in(pick, "score")) == score &&
                       json_number_value(test_at_in(pick, "fit.needed_gib")) == needed &&
                       json_number_value(test_at_in(pick, "price.planning")) == price,
                   "as /recommend says of the same work");
        }
    }
    test_get("/compare?gpus=rtx-3060-12gb,rtx-3090&task=inference&model=qwen3-32b");
    tap_ok(json_is_false(json_array_get(json_object_get(row_of("fits"), "values"), 0)) &&
               best_of("fits") == 2 &&
               text_is(test_text("gpus.0.rejected.0.code"), "memory-too-small"),
           "the one it fits on is best");
    test_get("/compare?gpus=rtx-3090,rtx-3060-12gb&task=inference&model=qwen3-32b");
    tap_ok(value_of("headroom_gib", "values", 1) < 0 &&
               json_is_null(json_array_get(json_object_get(row_of("headroom_gib"), "ratios"), 1)),
           "memory that lacks is no multiple of memory to spare");
    test_get("/compare?gpus=arc-b580,mi50-16gb,a10&pcie_lanes=8"); /* 6.40 a month, before rounding
                                                                      not quite the same */
    tap_ok(value_of("cost_per_month", "values", 0) == value_of("cost_per_month", "values", 1) &&
               best_of("cost_per_month") == 12,
           "what is shown as equal is equally good");
}

static void test_faults(void)
{
    tap_ok(test_get("/compare") == 400 && strstr(test_detail("gpus"), "missing") != NULL,
           "cards are needed");
    tap_ok(test_get("/compare?gpus=rtx-3090") == 400 && strstr(test_detail("gpus"), "2 to 8"),
           "two of them");
    tap_ok(test_get("/compare?gpus=rtx-3090,RTX%203090") == 400 &&
               strstr(test_detail("gpus"), "more than once") != NULL,
           "different ones");
    tap_ok(test_get("/compare?gpus=rtx-3090,a100&model=zx") == 400 &&
               json_array_size(test_at("candidates")) == 4 && strlen(test_detail("model")) > 0,
           "an ambiguous name has candidates");
    tap_ok(test_get("/compare?gpus=rtx-3090,,t4") == 400 &&
               strstr(test_detail("gpus"), "empty") != NULL,
           "an empty name");
    tap_ok(test_get("/compare?gpus=rtx-3090,rtx-3080-ti,rtx-3070,rtx-4090,rtx-4080,rtx-4070,t4,"
                    "rtx-5090,rtx-5080") == 400 &&
               strstr(test_detail("gpus"), "at most 8") != NULL,
           "nine cards");
}

static void test_languages(void)
{
    bool are_all_said = test_get("/compare?gpus=rtx-3090,t4&lang=zh") == 200;
    json_t *chinese = json_incref(test_at("rows"));

    tap_text(json_string_value(test_at_in(chinese, "2.label")), "显存", "labels in Chinese");
    test_get("/compare?gpus=rtx-3090,t4");
    for (size_t i = 0; i < json_array_size(test_at("rows")); i++) {
        json_t *row = json_array_get(test_at("rows"), i);

        are_all_said = are_all_said && json_is_string(json_object_get(row, "label")) &&
                       json_array_size(json_object_get(row, "values")) == 2;
    }
    tap_ok(are_all_said && json_array_size(chinese) == json_array_size(test_at("rows")),
           "each row has a label and a value for each card");
    tap_text(test_text("rows.2.label"), "Memory", "in English too");
    json_decref(chinese);
}

int main(void)
{
    test_open();
    test_facts();
    test_work();
    test_faults();
    test_languages();
    return test_close();
}
