/* /gpus and /gpus/{id} on the shipped facts. */
#include "handlers_fixture.h"

#include "../../handlers/engine/money.h"

static size_t total_of(const char *target)
{
    return test_get(target) == 200 ? (size_t)test_number("total") : SIZE_MAX;
}

static void test_filters(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    size_t amd = 0;
    size_t large = 0;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        amd += text_is(catalogue->gpus[i].vendor, "amd") ? 1 : 0;
        large += catalogue->gpus[i].memory_gib >= 24 ? 1 : 0;
    }
    tap_ok(total_of("/gpus") == catalogue->gpu_count, "all cards");
    tap_ok(json_array_size(test_at("data")) == 50 && test_number("page.limit") == 50.0,
           "fifty a page");
    tap_ok(total_of("/gpus?vendor=amd") == amd && amd > 0, "vendor");
    tap_ok(total_of("/gpus?min_memory_gib=24") == large && large > 0, "memory");
    tap_ok(total_of("/gpus?q=4090") == 2, "q finds the 4090 and the 4090 D");
    tap_ok(total_of("/gpus?q=rtx3060+ti+8g") == 1, "q finds what a name means");
    tap_ok(total_of("/gpus?q=A100+80GB+HBM2e") == 2, "and all that it may mean");
    tap_ok(total_of("/gpus?q=7900+xtx&limit=1") > 1, "several hold the words of one name");
    tap_text(test_text("data.0.id"), "amd-radeon-rx-7900-xtx", "the card so named comes first");
    tap_ok(test_get("/gpus?q=7900+xtx&sort=id") == 200, "with a sort key");
    tap_text(test_text("data.0.id"), "amd-radeon-rx-7900-gre", "its order holds instead");
    tap_ok(total_of("/gpus?q=4090+mod") == 0, "but not the card that was modified");
    tap_ok(total_of("/gpus?q=no+such+card") == 0, "an empty list is 200");
    tap_ok(total_of("/gpus?architecture=ada+lovelace&segment=consumer") > 5,
           "architecture and segment");
    size_t nvlink = total_of("/gpus?supports=nvlink,bf16&limit=500");
    bool all_have = nvlink > 0;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        json_t *gpu = json_array_get(test_at("data"), i);

        all_have = all_have && json_number_value(json_object_get(gpu, "nvlink_gb_s")) > 0;
    }
    tap_ok(all_have, "an unknown or missing feature satisfies no filter");
    size_t cheap = total_of("/gpus?max_price=500&condition=used&limit=500&sort=-price");
    bool all_cheap = cheap > 0;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        json_t *price = json_object_get(json_array_get(test_at("data"), i), "price");

        all_cheap = all_cheap && json_number_value(json_object_get(price, "planning")) <= 500 &&
                    strcmp(json_string_value(json_object_get(price, "condition")), "used") == 0;
    }
    tap_ok(all_cheap, "price and condition");
    tap_ok(test_get("/gpus?vendor=x&limit=0&sort=colour&cursor=-1") == 400 &&
               json_array_size(test_at("errors")) == 4,
           "bad filters are named at once");
    tap_ok(total_of("/gpus?architecture=RDNA3") == total_of("/gpus?architecture=RDNA+3") &&
               test_number("total") > 0,
           "blanks in an architecture do not matter");
    tap_ok(test_get("/gpus?q=%20-") == 400 && strstr(test_detail("q"), "letter") != NULL,
           "nothing to look for");
    tap_ok(test_get("/gpus?sort=colour") == 400 &&
               strstr(test_detail("sort"), "memory_gib") != NULL &&
               strstr(test_detail("sort"), "falling") != NULL,
           "a bad sort key names the good ones and the directions");
}

static void test_filters_together(void)
{
    size_t together = total_of("/gpus?vendor=nvidia&segment=consumer&min_memory_gib=16&"
                               "supports=fp8&max_price=3000&condition=any&q=rtx&limit=500");
    bool all_match = together > 0;

    for (size_t i = 0; i < json_array_size(test_at("data")); i++) {
        json_t *gpu = json_array_get(test_at("data"), i);

        all_match = all_match &&
                    text_is(json_string_value(json_object_get(gpu, "vendor")), "nvidia") &&
                    text_is(json_string_value(json_object_get(gpu, "segment")), "consumer") &&
                    json_number_value(json_object_get(gpu, "memory_gib")) >= 16 &&
                    json_number_value(json_object_get(gpu, "tensor_fp8_tflops")) > 0 &&
                    json_number_value(test_at_in(gpu, "price.planning")) <= 3000;
    }
    tap_ok(all_match, "%zu cards pass seven filters together", together);
}

/* Sorted by a number, unknown ones last, ties by id. */
static bool is_sorted(const char *key, bool is_falling)
{
    json_t *data = test_at("data");
    bool is_good = json_array_size(data) > 1;

    for (size_t i = 1; i < json_array_size(data); i++) {
        json_t *one = json_object_get(json_array_get(data, i - 1), key);
        json_t *two = json_object_get(json_array_get(data, i), key);
        double difference =
            (json_number_value(two) - json_number_value(one)) * (is_falling ? -1 : 1);
        const char *one_id = json_string_value(json_object_get(json_array_get(data, i - 1), "id"));
        const char *two_id = json_string_value(json_object_get(json_array_get(data, i), "id"));

        if (json_is_null(one)) {
            is_good = is_good && json_is_null(two) && strcmp(one_id, two_id) < 0;
        } else if (!json_is_null(two)) {
            is_good =
                is_good && (difference > 0 || (difference == 0.0 && strcmp(one_id, two_id) < 0));
        }
    }
    return is_good;
}

static void test_order_and_pages(void)
{
    test_get("/gpus?sort=tensor_fp16_tflops&limit=500");
    tap_ok(is_sorted("tensor_fp16_tflops", false), "rising, nulls last, ties by id");
    test_get("/gpus?sort=-tensor_fp16_tflops&limit=500");
    tap_ok(is_sorted("tensor_fp16_tflops", true), "falling, nulls last too");
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    char target[1024] = "/gpus?sort=-memory_gib&limit=30";
    size_t seen = 0;
    size_t pages = 0;

    while (test_get(target) == 200 && pages++ < 20) {
        const char *link = test_header("Link");

        seen += json_array_size(test_at("data"));
        if (link == NULL) {
            break;
        }
        bool is_last = strstr(link, "rel=\"next\"") == NULL;

        tap_ok((strstr(link, "</gpus?sort=-memory_gib&limit=30>; rel=\"first\"") == NULL) ==
                   (pages == 1),
               "Link on page %zu: %s", pages, link);
        if (is_last) {
            break;
        }
        (void)snprintf(target, sizeof target, "%.*s", (int)strcspn(link + 1, ">"), link + 1);
    }
    tap_ok(seen == catalogue->gpu_count && json_is_null(test_at("page.next")),
           "%zu pages hold every card", pages);
    tap_ok(test_get("/gpus?cursor=9999") == 400 && strlen(test_detail("cursor")) > 0,
           "what is no cursor is named");
}

static void test_one_card(void)
{
    tap_ok(test_get("/gpus/rtx-5070-ti") == 200, "by another name");
    tap_text(test_text("id"), "nvidia-geforce-rtx-5070-ti", "the card");
    tap_text(test_text("support.cuda_first"), "12.8", "first CUDA of support.csv");
    tap_ok(strstr(test_text("support.pytorch_note"), "2.7") != NULL,
           "PyTorch note of architectures.csv");
    tap_ok(json_array_size(test_at("prices")) > 0 && json_array_size(test_at("sources")) > 0 &&
               json_is_array(test_at("warnings")) && json_array_size(test_at("software")) > 0,
           "prices, sources, warnings, software");
    tap_ok(test_get("/gpus/RTX%203090") == 200 && test_number("nvlink_gb_s") == 112.5,
           "case and blanks");
    tap_ok(test_get("/gpus/a100") == 300 && json_array_size(test_at("candidates")) == 4,
           "an ambiguous name: 300 with candidates");
    tap_ok(test_get("/gpus/rtx-5070-laptop") == 404 && json_array_size(test_at("suggestions")) >= 1,
           "an unknown one: 404 with suggestions");
    tap_ok(test_get("/gpus/rtx-2080-ti-22gb") == 404 && test_text("note") != NULL,
           "a known name without a card: 404 with its note");
    tap_ok(test_get("/gpus/rtx-3090?currency=CNY") == 200, "in another currency");
    tap_text(test_text("price.currency"), "CNY", "says so");
    tap_ok(test_get("/gpus/rtx-3090?budget=5") == 400 &&
               strstr(test_detail("budget"), "/gpus/{id}") != NULL,
           "an unknown parameter of the path as documented");
    tap_ok(test_get("/gpus/%zz?x=%&y=1&y=2") == 400 && strlen(test_detail("id")) > 0 &&
               strlen(test_detail("x")) > 0 && strlen(test_detail("y")) > 0,
           "a name that cannot be read is named beside the query's faults");
    char target[LIMIT_PARAMETER_VALUE_BYTES + 10] = "/gpus/";

    memset(target + 6, 'a', LIMIT_PARAMETER_VALUE_BYTES + 1);
    tap_ok(test_get(target) == 400 &&
               strcmp(test_detail("id"), "the name is longer than 512 bytes") == 0,
           "a name is as long as a parameter at most, wherever it was written");
    tap_ok(test_get("/cloud?gpu=zx-81") == 400 && json_is_array(test_at("suggestions")),
           "an unknown card as a parameter has suggestions, even if there are none");
}

/* What a card runs: settings, need and speed as /estimate says them. */
/* People's spellings, percent-encoded, in every place that takes a card. */
static void test_spellings(void)
{
    static const struct {
        const char *target, *id;
    } FOUND[] = {
        {"/gpus/3060ti", "nvidia-geforce-rtx-3060-ti"},
        {"/gpus/GeForce%20RTX%203060%20Ti%208G", "nvidia-geforce-rtx-3060-ti"},
        {"/gpus/A100%2080GB%20SXM4", "nvidia-a100-sxm4-80gb"},
        {"/gpus/%EF%BC%B2%EF%BC%B4%EF%BC%B8%EF%BC%93%EF%BC%90%EF%BC%99%EF%BC%90",
         "nvidia-geforce-rtx-3090"}, /* full-width RTX3090 */
        {"/gpus/3090%E6%98%BE%E5%8D%A124G%E6%98%BE%E5%AD%98",
         "nvidia-geforce-rtx-3090"}, /* 3090显卡24G显存 */
        {"/gpus/NVIDIA%20H100%2080GB%20HBM3", "nvidia-h100-sxm5-80gb"},
        {"/gpus/01:00.0%20VGA%20compatible%20controller:%20NVIDIA%20Corporation%20GA102%20"
         "[GeForce%20RTX%203090]%20(rev%20a1)",
         "nvidia-geforce-rtx-3090"},
        {"/gpus/Standard_NC24ads_A100_v4", "nvidia-a100-pcie-80gb"},
    };

    for (size_t i = 0; i < sizeof FOUND / sizeof FOUND[0]; i++) {
        tap_ok(test_get(FOUND[i].target) == 200, "%s", FOUND[i].target);
        tap_text(test_text("id"), FOUND[i].id, "is its card");
    }
    tap_ok(test_get("/gpus/A100%2080G") == 300 && json_array_size(test_at("candidates")) == 2,
           "A100 80G may be two cards");
    tap_ok(test_get("/gpus/4090%2048G%20%E9%AD%94%E6%94%B9") == 404 &&
               strstr(test_text("note"), "modified") != NULL,
           "a modified card is no card here, and it is said why");
    tap_ok(test_get("/gpus/tpu-v3-8") == 404 && strstr(test_text("note"), "kind=tpu") != NULL,
           "a TPU is looked for elsewhere");
    tap_ok(test_get("/gpus/rtx-4090-24gb-white") == 404 && test_at("note") == NULL &&
               json_array_size(test_at("suggestions")) > 0,
           "a word too many: not known, with suggestions");
    tap_ok(test_get("/recommend?own=GeForce+3090+24GB&prices=rtx4070tisuper16g:700") == 200,
           "in own= and prices=");
    tap_ok(test_get("/deal?gpu=RTX+3090+24G+GPU&price=700") == 200, "in gpu=");
    tap_ok(test_get("/compare?gpus=h100+sxm5+80g,HGX+H200") == 200, "in gpus=");
    tap_ok(test_get("/deal?gpu=RTX+4090+Laptop&price=700") == 400 &&
               strstr(test_detail("gpu"), "notebook") != NULL,
           "and what is no card is refused with its note");
}

static void test_runs(void)
{
    char target[256];

    tap_ok(test_get("/gpus/rtx-3090") == 200 && json_array_size(test_at("runs")) == 6,
           "four tasks, two of them on other models too");
    tap_text(test_text("runs.0.task"), "inference", "inference first");
    tap_text(test_text("runs.0.framework"), "llama.cpp", "under llama.cpp");
    tap_near(test_number("runs.0.settings.context"), 4096, 0, "with the context assumed");
    tap_ok(json_array_size(test_at("runs.0.models")) == 5 && test_number("runs.0.fitting") > 5,
           "the five largest, and how many fit");
    tap_ok(test_get("/gpus/rtx-3090?runs=all&task=inference&context=8192&quant=q4_k_m") == 200 &&
               json_array_size(test_at("runs")) == 1 &&
               json_array_size(test_at("runs.0.models")) == (size_t)test_number("runs.0.fitting"),
           "all of one task in one format");
    json_t *model = json_incref(test_at("runs.0.models.3"));
    double needed = json_number_value(test_at_in(model, "formats.0.needed_gib"));
    double speed = json_number_value(test_at_in(model, "formats.0.speed.value"));

    (void)snprintf(target, sizeof target,
                   "/estimate?gpu=rtx-3090&task=inference&context=8192&quant=q4_k_m&model=%s",
                   json_string_value(test_at_in(model, "id")));
    json_decref(model);
    tap_ok(test_get(target) == 200, "%s", target);
    tap_near(test_number("fits.0.needed_gib"), needed, 0, "needs the same");
    tap_near(test_number("speed.0.value"), speed, 0, "and is as fast");
    tap_ok(test_get("/gpus/k80?lang=zh&task=lora") == 200 &&
               json_array_size(test_at("runs.0.models")) == 0 &&
               text_is(test_text("runs.0.note.code"), "support-dropped") &&
               strstr(test_text("runs.0.note.text"), "支持") != NULL,
           "nothing where support was dropped, and why");
    tap_ok(test_get("/gpus/rtx-3090?task=learn&runs=some&quant=q9&context=0") == 400 &&
               json_array_size(test_at("errors")) == 4,
           "bad words are named at once");
    tap_ok(test_get("/gpus/rtx-3090?task=lora&quant=q4_k_m") == 400 &&
               strlen(test_detail("quant")) > 0,
           "a format the task does not take");
}

/* What is unknown is null, what is known comes out as it went in. */
static void test_facts(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    bool all_equal = true;

    test_get("/gpus?limit=500&sort=id");
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        const struct gpu *gpu = &catalogue->gpus[i];
        json_t *shown = json_array_get(test_at("data"), i);
        json_t *rate = json_object_get(shown, "tensor_bf16_tflops");
        double msrp = json_number_value(json_object_get(shown, "launch_msrp_usd"));
        bool same_rate = isnan(gpu->tensor_bf16_tflops)
                             ? json_is_null(rate)
                             : json_number_value(rate) == gpu->tensor_bf16_tflops;

        all_equal = all_equal && same_rate &&
                    strcmp(json_string_value(json_object_get(shown, "id")), gpu->id) == 0 &&
                    (gpu->launch_msrp_usd_micros == MONEY_UNKNOWN ||
                     fabs(msrp * 1e6 - (double)gpu->launch_msrp_usd_micros) < 1);
    }
    tap_ok(all_equal, "rates and list prices of all cards");
}

int main(void)
{
    test_open();
    test_filters();
    test_filters_together();
    test_order_and_pages();
    test_one_card();
    test_spellings();
    test_runs();
    test_facts();
    return test_close();
}
