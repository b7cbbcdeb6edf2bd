/* Tests handlers/engine/names.c, on the shipped cards and names. */
#include "names.h"

#include "tests/catalogue_fixture.h"
#include "tests/tap.h"

static void check_normalised(const char *text, const char *wanted)
{
    char out[64] = "untouched";
    size_t length = names_normalise(text, strlen(text), out, sizeof out);

    (void)tap_ok(length == strlen(wanted) && (length == 0 || strcmp(out, wanted) == 0),
                 "'%s' is compared as '%s'", text, wanted);
}

static void test_normalise(void)
{
    char out[8];

    check_normalised("GeForce RTX 3090", "geforce-rtx-3090");
    check_normalised("  rtx -_ 3090\t", "rtx-3090");
    check_normalised("ＲＴＸ　４０９０Ｄ", "rtx-4090d"); /* full-width letters, digits and blank */
    check_normalised("4090显卡", "4090显卡");            /* other UTF-8 stays */
    check_normalised("＿ａ～", "a~");                    /* both ends of the full-width forms */
    check_normalised("", "");
    check_normalised(" -_ ", "");
    check_normalised("\xef\xbc", "\xef\xbc"); /* a cut form is kept as it is */
    (void)tap_ok(names_normalise("1234567", 7, out, sizeof out) == 7, "what just fits");
    (void)tap_ok(names_normalise("12345678", 8, out, sizeof out) == 0, "no room for the NUL");
    (void)tap_ok(names_normalise("123456-7", 8, out, sizeof out) == 0, "nor for a hyphen more");
    (void)tap_ok(names_normalise("rtx\0003090", 8, out, sizeof out) == 0, "a NUL is in no name");
}

static void test_distance(void)
{
    (void)tap_ok(names_distance("kitten", "sitting", 5) == 3,
                 "kitten, sitting: 3"); /* textbook case */
    (void)tap_ok(names_distance("kitten", "sitting", 3) == 3, "the limit itself is told");
    (void)tap_ok(names_distance("kitten", "sitting", 2) == 3, "beyond the limit: limit + 1");
    (void)tap_ok(names_distance("", "abc", 5) == 3 && names_distance("abc", "", 5) == 3,
                 "to nothing");
    (void)tap_ok(names_distance("", "", 0) == 0 && names_distance("a", "a", 0) == 0, "equal: 0");
    (void)tap_ok(names_distance("abcdefgh", "a", 2) == 3, "lengths alone exceed the limit");
    (void)tap_ok(names_distance("condition", "conditoin", 4) == 2, "two letters swapped: 2");
}

static struct names_result find(const struct catalogue *catalogue, const char *text)
{
    struct names_result result;

    names_find_gpu(catalogue, text, strlen(text), &result);
    return result;
}

static bool holds(const struct names_result *result, const char *id)
{
    for (size_t i = 0; i < result->count; i++) {
        if (strcmp(result->gpus[i]->id, id) == 0) {
            return true;
        }
    }
    return false;
}

static void check_found(const struct catalogue *catalogue, const char *text, const char *id)
{
    struct names_result result = find(catalogue, text);

    (void)tap_ok(result.outcome == NAMES_FOUND && result.count == 1 && holds(&result, id),
                 "'%s' is %s", text, id);
}

static void test_found(const struct catalogue *catalogue)
{
    check_found(catalogue, "nvidia-geforce-rtx-3090", "nvidia-geforce-rtx-3090");
    check_found(catalogue, "rtx-3090", "nvidia-geforce-rtx-3090");
    check_found(catalogue, "RTX 3090", "nvidia-geforce-rtx-3090");
    check_found(catalogue, "rtx3090", "nvidia-geforce-rtx-3090");
    check_found(catalogue, "NVIDIA GeForce RTX 3090", "nvidia-geforce-rtx-3090");
    check_found(catalogue, "4090", "nvidia-geforce-rtx-4090");
    check_found(catalogue, "ｒｔｘ　４０９０", "nvidia-geforce-rtx-4090");
    check_found(catalogue, "4090显卡", "nvidia-geforce-rtx-4090");
    check_found(catalogue, "3060ti", "nvidia-geforce-rtx-3060-ti");
    check_found(catalogue, "r-t-x 30 90",
                "nvidia-geforce-rtx-3090"); /* only when written together */
}

static void check_ambiguous(const struct catalogue *catalogue, const char *text, const char *one,
                            const char *other)
{
    struct names_result result = find(catalogue, text);
    bool is_sorted = true;

    for (size_t i = 1; i < result.count; i++) {
        is_sorted = is_sorted && strcmp(result.gpus[i - 1]->id, result.gpus[i]->id) < 0;
    }
    (void)tap_ok(result.outcome == NAMES_AMBIGUOUS && holds(&result, one) && holds(&result, other),
                 "'%s' may be %s or %s", text, one, other);
    (void)tap_ok(is_sorted, "and the candidates come by id, each once");
}

static void test_ambiguous(const struct catalogue *catalogue)
{
    check_ambiguous(catalogue, "a100", "nvidia-a100-sxm4-40gb", "nvidia-a100-sxm4-80gb");
    check_ambiguous(catalogue, "A 100", "nvidia-a100-sxm4-40gb", "nvidia-a100-sxm4-80gb");
    check_ambiguous(catalogue, "A100 80G", "nvidia-a100-pcie-80gb", "nvidia-a100-sxm4-80gb");
    check_ambiguous(catalogue, "rtx-3060", "nvidia-geforce-rtx-3060-12gb",
                    "nvidia-geforce-rtx-3060-8gb");
}

/* Not a card here: never answered as the plain card, which is the first suggestion. */
static void check_not_plain(const struct catalogue *catalogue, const char *text,
                            const char *nearest)
{
    struct names_result result = find(catalogue, text);

    (void)tap_ok(result.outcome == NAMES_NO_CARD || result.outcome == NAMES_UNKNOWN,
                 "'%s' is no card of the catalogue", text);
    (void)tap_text(result.count == 0 ? NULL : result.gpus[0]->id, nearest,
                   "the nearest comes first");
    (void)tap_ok((result.note != NULL) == (result.outcome == NAMES_NO_CARD),
                 "a note where the name is known, and only there");
}

static void test_not_found(const struct catalogue *catalogue)
{
    struct names_result result;

    check_not_plain(catalogue, "rtx-2080-ti-22gb", "nvidia-geforce-rtx-2080-ti");
    check_not_plain(catalogue, "rtx-5070-laptop", "nvidia-geforce-rtx-5070");
    check_not_plain(catalogue, "5090ti", "nvidia-geforce-rtx-5090");
    check_not_plain(catalogue, "rtx 3090 tie", "nvidia-geforce-rtx-3090-ti");
    check_not_plain(catalogue, "gforce rtx 4080", "nvidia-geforce-rtx-4080");
    check_not_plain(catalogue, "3090 3090 3090", "nvidia-geforce-rtx-3090");
    result = find(catalogue, "rtx-2080-ti-22gb");
    (void)tap_ok(result.outcome == NAMES_NO_CARD, "a modified card is a known name without a card");
    result = find(catalogue, "mi300");
    (void)tap_ok(holds(&result, "amd-instinct-mi300x") && holds(&result, "amd-instinct-mi300a"),
                 "half a name suggests those that begin with it");
    result = find(catalogue, "tesla something odd");
    (void)tap_ok(result.outcome == NAMES_UNKNOWN && result.count > 0,
                 "one word in common is enough");
    result = find(catalogue, "qqqqqqqqqq");
    (void)tap_ok(result.outcome == NAMES_UNKNOWN && result.count == 0,
                 "nothing in common, nothing said");
}

static void test_hostile(const struct catalogue *catalogue)
{
    static const char *const TEXTS[] = {"",  " ", "---", "\xff\xfe", "%", "'; drop table gpus; --",
                                        "\n"};
    struct names_result result;
    char long_text[600];

    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        result = find(catalogue, TEXTS[i]);
        (void)tap_ok(result.outcome == NAMES_UNKNOWN, "hostile text %zu is unknown", i);
    }
    memset(long_text, 'a', sizeof long_text);
    names_find_gpu(catalogue, long_text, sizeof long_text, &result);
    (void)tap_ok(result.outcome == NAMES_UNKNOWN && result.count == 0, "600 letters are unknown");
    names_find_gpu(catalogue, "rtx-3090-and-more", 8, &result);
    (void)tap_ok(result.outcome == NAMES_FOUND, "only the given length counts");
    for (size_t i = 0; i + 1 < sizeof long_text; i += 2) {
        long_text[i] = 'x';
        long_text[i + 1] = '-';
    }
    memcpy(long_text + 200, "tesla", 5);
    names_find_gpu(catalogue, long_text, 205, &result);
    (void)tap_ok(result.outcome == NAMES_UNKNOWN && result.count > 0,
                 "of a hundred words and one, the one known still counts");
}

/* A known name with a word too many is never left without a suggestion. */
static void test_shared_words(const struct catalogue *catalogue)
{
    size_t empty = 0;

    for (size_t i = 0; i < catalogue->alias_count; i += 40) { /* all would take seconds */
        const struct alias *alias = &catalogue->aliases[i];
        char text[256];

        (void)snprintf(text, sizeof text, "qqqq %.80s", alias->alias);
        struct names_result result = find(catalogue, text);

        empty += alias->gpu != NULL && result.count == 0 ? 1 : 0;
        empty += result.outcome == NAMES_UNKNOWN ? 0 : 1;
    }
    (void)tap_ok(empty == 0, "a name that shares a word with a known one gets suggestions");
}

/* A product without a card here and a card share the name: the card is found. */
static bool is_of_card_too(const struct catalogue *catalogue, const char *key)
{
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu != NULL && strcmp(catalogue->aliases[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

static void test_every_name(const struct catalogue *catalogue)
{
    size_t wrong_ids = 0;
    size_t wrong_aliases = 0;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        struct names_result result = find(catalogue, catalogue->gpus[i].id);

        wrong_ids += result.outcome == NAMES_FOUND && result.gpus[0] == &catalogue->gpus[i] ? 0 : 1;
    }
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        const struct alias *alias = &catalogue->aliases[i];
        struct names_result result = find(catalogue, alias->alias);
        bool is_right =
            alias->gpu == NULL
                ? result.outcome == NAMES_NO_CARD || is_of_card_too(catalogue, alias->key)
                : result.outcome <= NAMES_AMBIGUOUS && holds(&result, alias->gpu_id);

        wrong_aliases += is_right ? 0 : 1;
    }
    (void)tap_ok(catalogue->gpu_count > 0 && wrong_ids == 0, "every id is its card");
    (void)tap_ok(catalogue->alias_count > 0 && wrong_aliases == 0,
                 "every known name leads to its card, or to none with a note");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_normalise();
    test_distance();
    test_found(catalogue);
    test_ambiguous(catalogue);
    test_not_found(catalogue);
    test_hostile(catalogue);
    test_shared_words(catalogue);
    test_every_name(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
