/* Numbers, money and names as people read them. */
#include "../../handlers/report_value.h"

#include "../../handlers/engine/text.h"
#include "../tap.h"

static struct arena arena;
static struct report report;

static void test_numbers(void)
{
    tap_text(report_value_exact(&report, 8030261248.0, ""), "8,030,261,248", "grouped");
    tap_text(report_value_exact(&report, 35.58, "TFLOPS"), "35.58 TFLOPS", "a fact as it is");
    tap_text(report_value_exact(&report, 0, "W"), "0 W", "zero is a number");
    tap_text(report_value_rough(&report, 0.972812, "x RTX 3090"), "0.973 x RTX 3090",
             "three digits of an estimate");
    tap_text(report_value_rough(&report, 18.4395, "GiB"), "18.4 GiB", "also of a larger one");
    tap_text(report_value_rough(&report, 4697.99, "tokens/s"), "4,698 tokens/s",
             "but whole numbers in full");
    tap_text(report_value_rough(&report, 0.00012345, ""), "0.000123", "and small ones");
    tap_text(report_value_rough(&report, 1e-12, ""), "0", "down to a limit");
    tap_text(report_value_rough(&report, -1.5, "GiB"), "-1.5 GiB", "what lacks");
    tap_text(report_value_rough(&report, 1e300, ""), "-", "nothing is that large");
}

static void test_money(void)
{
    tap_text(report_value_money(&report, 432, "USD"), "432 USD", "whole");
    tap_text(report_value_money(&report, 10018.75, "USD"), "10,019 USD", "cents of a large amount");
    tap_text(report_value_money(&report, 11.4, "USD"), "11.40 USD", "both digits of the cents");
    tap_text(report_value_money(&report, 0.1, "USD"), "0.10 USD", "of a small one");
    tap_text(report_value_money(&report, 0.1425, ""), "0.142", "tenths of a cent an hour");
    tap_text(report_value_money(&report, 0, "EUR"), "0 EUR", "nothing");
}

static void test_chinese(void)
{
    struct report chinese;

    report_init(&chinese, &arena, LANGUAGE_ZH);
    tap_text(report_value_money(&chinese, 5069, "CNY"), "5,069 元", "yuan");
    tap_text(report_value_rough(&chinese, 120.2, "tokens/s"), "120 词元/秒", "units");
}

static void test_paths(void)
{
    json_t *row = json_loads("{\"count\":2,\"gpu\":{\"name\":\"NVIDIA GeForce RTX 3090\"},"
                             "\"n\":null,\"notes\":[{\"text\":\"One.\"},{\"text\":\"Two.\"}]}",
                             0, NULL);
    double number = 0;

    tap_text(report_value_card(&report, row), "2 x RTX 3090", "two cards");
    tap_text(report_value_short_name("AMD Radeon RX 7900 XT"), "Radeon RX 7900 XT",
             "another maker");
    tap_text(report_value_short_name("Intel"), "Intel", "a name that is the maker's");
    tap_ok(!report_value_number(row, "n", &number) && !report_value_number(row, "x.y", &number) &&
               report_value_number(row, "count", &number) && number > 1 && number < 3,
           "null and absent are not known");
    tap_text(report_value_text(row, "count"), "", "a number is no text");
    tap_ok(report_value_at(row, "") == row && report_value_at(row, "gpu.name.x") == NULL,
           "paths end where the document does");
    tap_text(report_value_sentences(&report, report_value_at(row, "notes")), "One. Two.",
             "sentences in a row");
    json_decref(row);
}

int main(void)
{
    arena_init(&arena, 1024 * 1024);
    report_init(&report, &arena, LANGUAGE_EN);
    test_numbers();
    test_money();
    test_chinese();
    test_paths();
    arena_fini(&arena);
    return tap_done();
}
