/* Tests handlers/engine/names.c by chance: known names with letters and words changed lead to no
 * card of another memory or another model number. */
#include "dice.h"
#include "names_fixture.h"

#include <ctype.h>
#include <strings.h>

enum { EDITS_PER_NAME = 24, TEXT_BYTES = 160, RUBBISH_COUNT = 50000, RUBBISH_BYTES = 320 };

static bool is_number(char letter)
{
    return isdigit((unsigned char)letter) != 0;
}

/* One change: a letter put in, taken out, replaced, swapped with the next, or a word repeated at
 * the end or taken from the front. */
static void edit(struct dice *dice, char text[TEXT_BYTES])
{
    static const char LETTERS[] = "0123456789abcdefgstix -_(),:/.";
    size_t length = strlen(text);
    size_t place = length == 0 ? 0 : throw_dice(dice, length);
    char letter = LETTERS[throw_dice(dice, sizeof LETTERS - 1)];
    size_t kind = throw_dice(dice, 6);

    if (length == 0 || length + 1 >= TEXT_BYTES || kind == 0) {
        text[place] = length == 0 ? '\0' : letter;
    } else if (kind == 1) {
        memmove(text + place + 1, text + place, length - place + 1);
        text[place] = letter;
    } else if (kind == 2) {
        memmove(text + place, text + place + 1, length - place);
    } else if (kind == 3 && place + 1 < length) {
        char first = text[place];

        text[place] = text[place + 1];
        text[place + 1] = first;
    } else if (kind == 4) {
        const char *last = strrchr(text, ' ');
        size_t from = last == NULL ? 0 : (size_t)(last - text);
        size_t count = length - from < TEXT_BYTES - 1 - length ? length - from : 0;

        memmove(text + length, text + from, count);
        text[length + count] = '\0';
    } else {
        const char *rest = strchr(text, ' ');

        memmove(text, rest == NULL ? text : rest + 1, strlen(rest == NULL ? text : rest + 1) + 1);
    }
}

/* Whether a run of digits of the text stands in the id or a name of the card. */
static bool is_digits_of(const struct catalogue *catalogue, const struct gpu *gpu,
                         const char *digits)
{
    if (strstr(gpu->id, digits) != NULL) {
        return true;
    }
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu == gpu && strstr(catalogue->aliases[i].key, digits) != NULL) {
            return true;
        }
    }
    return false;
}

/* The run of length bytes at text. */
static void copy_run(const char *text, size_t length, char out[TEXT_BYTES])
{
    length = length < TEXT_BYTES ? length : TEXT_BYTES - 1;
    memcpy(out, text, length);
    out[length] = '\0';
}

/* The digits of the text, what parts them left out: "r-t-x 30 90" says 3090. */
static void digits_only(const char *text, char out[TEXT_BYTES])
{
    size_t used = 0;

    for (; *text != '\0'; text++) {
        if (is_number(*text)) {
            out[used++] = *text;
        }
    }
    out[used] = '\0';
}

/* The model number in an id: the longest run of digits before a size ("3090", "100", "7900"). */
static void model_of(const struct gpu *gpu, char out[TEXT_BYTES])
{
    out[0] = '\0';
    for (const char *place = gpu->id; *place != '\0';) {
        size_t length = strspn(place, "0123456789");

        if (length > strlen(out) && strncmp(place + length, "gb", 2) != 0) {
            copy_run(place, length, out);
        }
        place += length == 0 ? 1 : length;
    }
}

/* Names whose digits are no model: instance types, chips of lspci, words. */
static bool is_of_model(const struct alias *alias)
{
    static const char *const OTHERS[] = {"azure-size", "instance", "lspci", "plan", "mark"};

    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        if (text_is(alias->kind, OTHERS[i])) {
            return false;
        }
    }
    return strlen(alias->alias) < TEXT_BYTES / 2;
}

/* Whether the card goes by a name without its number, such as PVC or DGX Spark. */
static bool has_other_name(const struct catalogue *catalogue, const struct gpu *gpu,
                           const char *model)
{
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu == gpu && is_of_model(&catalogue->aliases[i]) &&
            strstr(catalogue->aliases[i].key, model) == NULL) {
            return true;
        }
    }
    return false;
}

/* "g" or "gb", perhaps behind a blank. */
static bool is_unit(const char *text)
{
    text += *text == ' ' ? 1 : 0;
    return (strncasecmp(text, "gb", 2) == 0 && !isalnum((unsigned char)text[2])) ||
           (strncasecmp(text, "g", 1) == 0 && !isalnum((unsigned char)text[1]));
}

/* A size of two or more digits in the text, NAN: none. */
static double size_in(const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        size_t length = strspn(text + i, "0123456789");

        if (length >= 2 && length <= 3 && (i == 0 || text[i - 1] == ' ')) {
            if (is_unit(text + i + length)) {
                return strtod(text + i, NULL);
            }
        }
        i += length == 0 ? 0 : length - 1;
    }
    return (double)NAN;
}

struct tally {
    size_t found, wrong_models, wrong_numbers, wrong_sizes;
};

static void judge(const struct catalogue *catalogue, const char *text, struct tally *tally)
{
    struct names_result result;
    char digits[TEXT_BYTES];
    char model[TEXT_BYTES];

    names_resolve(catalogue, text, strlen(text), NULL, &result);
    if (result.outcome != NAMES_FOUND) {
        return;
    }
    const struct gpu *gpu = result.gpus[0];
    double size_gib = size_in(text);
    bool is_right = true;

    tally->found++;
    digits_only(text, digits);
    model_of(gpu, model);
    if (strstr(digits, model) == NULL && !has_other_name(catalogue, gpu, model)) {
        printf("# '%s' became %s\n", text, gpu->id);
        tally->wrong_models++;
    }
    for (const char *place = text; *place != '\0'; place++) {
        size_t length = strspn(place, "0123456789");

        if (length >= 3 && !is_unit(place + length)) {
            char run[TEXT_BYTES];

            copy_run(place, length, run);
            is_right = is_right && is_digits_of(catalogue, gpu, run);
        }
        place += length == 0 ? 0 : length - 1;
    }
    if (!is_right) {
        printf("# '%s' became %s in spite of its number\n", text, gpu->id);
        tally->wrong_numbers++;
    }
    if (!isnan(size_gib) && fabs(size_gib - gpu->memory_gib) > 0.08 * gpu->memory_gib &&
        fabs(size_gib - gpu->memory_per_process_gib) > 0.08 * gpu->memory_per_process_gib &&
        !(fabs(size_gib - gpu->memory_usable_gib) <= 0.02 * gpu->memory_usable_gib) &&
        strstr(gpu->id, "gh200") == NULL) { /* sold by the memory of its processor */
        printf("# '%s' became %s in spite of its size\n", text, gpu->id);
        tally->wrong_sizes++;
    }
}

/* Pieces of names, pasted lines and broken UTF-8 in any order: an answer, and none beyond bounds
 * (which the sanitizers watch). */
static void test_rubbish(const struct catalogue *catalogue, struct dice *dice)
{
    size_t outside = 0;

    for (size_t i = 0; i < RUBBISH_COUNT; i++) {
        struct names_hints hints = names_no_hints();
        struct names_result result;
        char text[RUBBISH_BYTES] = "";
        char type[RUBBISH_BYTES] = "";
        size_t pieces = throw_dice(dice, 24);

        for (size_t k = 0; k < pieces; k++) {
            char *place = throw_dice(dice, 4) == 0 ? type : text;
            size_t used = strlen(place);

            (void)snprintf(place + used, RUBBISH_BYTES - used, "%s",
                           PICK_TEXT(dice, "rtx", "3090", "a100", "80g", "80 gb", "-", " ", "[",
                                     "]", ": ", ",", "(rev a1)", "VGA compatible controller",
                                     "NVIDIA Corporation ", "GA102 ", "显卡", "魔改", "\xe6\x98",
                                     "\xff", "ＲＴＸ", "1x-", "-32-65536", "tpu-", "v5p", "mig",
                                     "1g.5gb", "laptop", "GPU 0: ", "(UUID:", ".", "max-q",
                                     "9999999999999999999999g", "sxm4", "/", "p4d."));
        }
        hints.instance_type = throw_dice(dice, 2) == 0 ? NULL : type;
        hints.provider = type;
        hints.interconnect = text;
        names_resolve(catalogue, text, strlen(text), &hints, &result);
        outside += result.count > NAMES_MAX_FOUND || result.outcome > NAMES_UNKNOWN ||
                           (result.outcome == NAMES_FOUND && result.count != 1)
                       ? 1
                       : 0;
    }
    (void)tap_ok(outside == 0, "of %d heaps of pieces each has an answer", RUBBISH_COUNT);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct dice dice = {.state = 20261130};
    struct tally tally = {.found = 0};

    for (size_t i = 0; i < catalogue->alias_count; i++) {
        for (size_t k = 0; k < EDITS_PER_NAME && is_of_model(&catalogue->aliases[i]); k++) {
            char text[TEXT_BYTES];

            (void)snprintf(text, sizeof text, "%s", catalogue->aliases[i].alias);
            for (size_t e = 0; e <= k % 3; e++) {
                edit(&dice, text);
            }
            judge(catalogue, text, &tally);
        }
    }
    (void)tap_ok(tally.found > 1000, "of the changed names %zu still mean one card", tally.found);
    (void)tap_ok(tally.wrong_models == 0, "none without the number of its model");
    (void)tap_ok(tally.wrong_numbers == 0, "none beside a number that is not of the card");
    (void)tap_ok(tally.wrong_sizes == 0, "none with the size of another card");
    test_rubbish(catalogue, &dice);
    catalogue_unref(catalogue);
    return tap_done();
}
