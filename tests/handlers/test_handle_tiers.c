/* /tiers on the shipped facts. */
#include "handlers_fixture.h"

static void test_tiers(void)
{
    static const char *const IDS[] = {"low", "mid", "high", "unlimited"};

    tap_ok(test_get("/tiers") == 200 && json_array_size(test_at("tiers")) == 4, "four bands");
    for (size_t i = 0; i < 4; i++) {
        json_t *tier = json_array_get(test_at("tiers"), i);
        double low = json_number_value(json_object_get(tier, "min"));
        json_t *high = json_object_get(tier, "max");
        json_t *picks = json_object_get(tier, "picks");
        bool all_inside = json_array_size(picks) >= 1;

        tap_text(json_string_value(json_object_get(tier, "id")), IDS[i], "in order");
        for (size_t pick = 0; pick < json_array_size(picks); pick++) {
            double planning =
                json_number_value(test_at_in(json_array_get(picks, pick), "price.planning"));

            all_inside =
                all_inside && (i == 3 || (planning > low && planning <= json_number_value(high)));
        }
        tap_ok(all_inside, "picks of %s lie in its band", IDS[i]);
    }
    tap_ok(json_is_null(test_at("tiers.3.max")), "unlimited has no end");
    test_get("/tiers?currency=CNY&lang=zh&limit=1");
    tap_text(test_text("tiers.0.currency"), "CNY", "bands of their own in CNY");
    tap_text(test_text("tiers.0.label"), "低预算", "with a Chinese label");
    tap_ok(test_get("/tiers?budget=5") == 400, "a budget is no parameter of bands");
}

int main(void)
{
    test_open();
    test_tiers();
    return test_close();
}
