/* /models and /models/{id} on the shipped facts. */
#include "handlers_fixture.h"

static void test_models(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);

    test_get("/models?limit=500");
    tap_ok(json_array_size(test_at("data")) == catalogue->model_count, "all models");
    tap_ok(test_get("/models?kind=vision&q=resnet") == 200 && test_number("total") >= 1.0,
           "kind and q");
    test_get("/models?sort=-params_total&limit=2");
    tap_ok(test_number("data.0.params_total") >= test_number("data.1.params_total"),
           "sorted by size");
    tap_ok(test_get("/models/llama-2-7b") == 200 && test_number("params_total") == 6738415616.0,
           "one model, every digit of its size");
    tap_ok(test_get("/models/Llama-2%207B") == 200, "case and blanks");
    tap_ok(test_get("/models?sort=x&kind=y&q=%20") == 400 &&
               json_array_size(test_at("errors")) == 3,
           "bad filters are named at once");
    tap_ok(test_get("/models/llama-3.1") == 404 && json_array_size(test_at("suggestions")) >= 3,
           "404 with the models that hold the word");
    tap_ok(test_get("/models/lama-2-7b") == 404, "a typing error");
    tap_text(test_text("suggestions.0.id"), "llama-2-7b", "finds its model");
    tap_ok(test_get("/models/%20") == 404 && test_get("/models/x?y=1") == 400,
           "nothing and too much");
}

int main(void)
{
    test_open();
    test_models();
    return test_close();
}
