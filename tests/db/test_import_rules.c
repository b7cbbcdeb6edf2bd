/* db/import_rules.c: single values of foreign files. */
#include "../../db/import_formats.h"
#include "../../db/import_rules.h"
#include "../../db/import_seen.h"
#include "../tap.h"

static struct import_text text_of(const char *text)
{
    return (struct import_text){.text = text, .length = strlen(text)};
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        double wanted; /* NAN: none */
    } CASES[] = {
        {"8.0", 8},
        {" 24 GB", 24},
        {"24GiB", 24},
        {"1e-3", 0.001},
        {"-2", -2},
        {"", (double)NAN},
        {"4-6", (double)NAN},
        {"1,5", (double)NAN},
        {"1 TB", (double)NAN},
        {"1e999", (double)NAN},
        {"nan", (double)NAN},
        {"0x10", (double)NAN},
        {".", (double)NAN},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct import_text text = text_of(CASES[i].text);
        double found = import_rule_number(&text);

        tap_ok(isnan(CASES[i].wanted) ? isnan(found) : fabs(found - CASES[i].wanted) < 1e-12,
               "the number of \"%s\"", CASES[i].text);
    }
    struct import_text range = text_of("200-240"), date = text_of("2026-05-01"),
                       minus = text_of("-6");

    tap_ok(import_rule_is_range(&range) && !import_rule_is_range(&date) &&
               !import_rule_is_range(&minus),
           "ranges");
}

static void test_memory(void)
{
    static const struct {
        const char *text;
        double count, wanted;
    } CASES[] = {
        {"{'Gpus': [{'Name': 'A', 'MemoryInfo': {'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': 1}",
         1, 40},
        {"{'gpus': [{'memoryinfo': {'sizeinmib': 81559}}]}", 1, 80},
        {"{'SizeInMiB': 65214}", 2, 32},
        {"{'SizeInMiB': 80}", 1, 80},
        {"{'SizeInMiB': 0}", 1, (double)NAN},
        {"{'SizeInMiB': None}", 1, (double)NAN},
        {"{'SizeInMiB': ", 1, (double)NAN},
        {"A10", 1, (double)NAN},
        {"", 1, (double)NAN},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct import_text text = text_of(CASES[i].text);
        double found = import_rule_info_gib(&text, CASES[i].count);

        tap_ok(isnan(CASES[i].wanted) ? isnan(found) : fabs(found - CASES[i].wanted) < 1e-12,
               "GiB of %s", CASES[i].text);
    }
    struct import_text good = text_of("H100 HGX (80GB)"), mod = text_of("RTX 4090 (48 GB mod)");
    struct import_text open = text_of("A (80"), none = text_of("A10");

    tap_near(import_rule_bracket_gb(&good), 80, 0, "GB in brackets");
    tap_ok(isnan(import_rule_bracket_gb(&mod)) && isnan(import_rule_bracket_gb(&open)) &&
               isnan(import_rule_bracket_gb(&none)),
           "no GB in brackets");
}

static void test_file_names(void)
{
    char date[11] = "";

    tap_text(import_rule_provider_in_name("catalogs/v8/gcp/vms.csv"), "GCP", "by the folder");
    tap_text(import_rule_provider_in_name("skypilot-format_vast_vms.csv"), "Vast.ai", "by a word");
    tap_text(import_rule_provider_in_name("/a/lambda/x-aws.csv"), "Lambda",
             "the folder comes first");
    tap_text(import_rule_provider_in_name("catalogs/v8/do/vms.csv"), "DigitalOcean",
             "of two letters");
    tap_text(import_rule_provider_in_name("do.csv"), "DigitalOcean", "... a file's too");
    tap_ok(import_rule_provider_in_name("what-to-do.csv") == NULL &&
               import_rule_provider_in_name("/do-it/vms.csv") == NULL,
           "... but nothing longer");
    tap_ok(import_rule_provider_in_name("/aws/b/vms.csv") == NULL &&
               import_rule_provider_in_name("lawson.csv") == NULL &&
               import_rule_provider_in_name("") == NULL,
           "no provider in a name");
    tap_text(import_provider_find("vast-ai", 7), "Vast.ai", "our spelling");
    tap_ok(import_provider_find("Nobody", 6) == NULL, "of those we know");
    tap_ok(import_rule_date_in_name("/2020-01-01/prices-2026-05-24.csv", date) &&
               strcmp(date, "2026-05-24") == 0,
           "the date of a file's name, not of its folder");
    tap_ok(!import_rule_date_in_name("prices-2026-13-24.csv", date) &&
               !import_rule_date_in_name("prices-2026-05.csv", date),
           "no date in a name");
}

static void test_texts(void)
{
    struct import_text region = text_of(", CA, NA, "), blank = text_of(" ,"),
                       word = text_of("TRUE");
    struct import_text time = text_of("2026-05-24T10:00:00Z"), day = text_of("2026-05");
    struct import_text trimmed = import_rule_trim(&region);
    struct import_text seen = import_rule_day(&time);

    tap_ok(trimmed.length == 6 && memcmp(trimmed.text, "CA, NA", 6) == 0 &&
               import_rule_trim(&blank).length == 0,
           "commas and blanks at the ends");
    tap_ok(seen.length == 10 && import_rule_day(&day).length == 7, "the day of a time");
    tap_ok(import_rule_is_word(&word, "1|true") && !import_rule_is_word(&word, "tru|false") &&
               !import_rule_is_word(&blank, "1|"),
           "words");
}

/* A hundred thousand fingerprints, each found with its number. */
static void test_seen(void)
{
    enum { COUNT = 100000 };
    struct import_seen seen = {0};
    bool is_good = true;

    for (uint32_t i = 1; i <= COUNT && is_good; i++) {
        struct import_print print = {.a = i % 97, .b = i}; /* many in one slot */

        print.a += (uint64_t)i << 20;
        is_good = import_seen_find(&seen, &print) == 0 && import_seen_add(&seen, &print, i);
    }
    for (uint32_t i = 1; i <= COUNT && is_good; i++) {
        struct import_print print = {.a = i % 97 + ((uint64_t)i << 20), .b = i};

        is_good = import_seen_find(&seen, &print) == i;
    }
    tap_ok(is_good && seen.count == COUNT, "fingerprints are kept apart and found again");
    import_seen_fini(&seen);
}

int main(void)
{
    test_numbers();
    test_memory();
    test_file_names();
    test_texts();
    test_seen();
    return tap_done();
}
