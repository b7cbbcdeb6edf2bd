/* From a name to a card: whole, by its letters, by its words; then by what stands beside it. The
 * rules are stated in names.h. No state. */
#include "names.h"

#include "names_hints.h"
#include "names_index.h"
#include "names_near.h"
#include "names_paste.h"
#include "names_told.h"
#include "names_tpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char TPU_NAME[] = "tpu"; /* the alias that says what a TPU is */

/* The ASCII letter that a full-width form or the ideographic blank stands for, or 0: none of these.
 * They are U+FF01 to U+FF5E (EF BC 81 to EF BD 9E) for 21 to 7E, and U+3000 (E3 80 80). */
static char ascii_of_wide(const unsigned char *byte, size_t length)
{
    if (length < 3) {
        return 0;
    }
    if (byte[0] == 0xe3 && byte[1] == 0x80 && byte[2] == 0x80) {
        return ' ';
    }
    if (byte[0] == 0xef && byte[1] == 0xbc && byte[2] >= 0x81 && byte[2] <= 0xbf) {
        return (char)(byte[2] - 0x81 + 0x21);
    }
    if (byte[0] == 0xef && byte[1] == 0xbd && byte[2] >= 0x80 && byte[2] <= 0x9e) {
        return (char)(byte[2] - 0x80 + 0x60);
    }
    return 0;
}

static bool is_separator(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '-' ||
           letter == '_';
}

size_t names_normalise(const char *text, size_t length, char *out, size_t room)
{
    size_t used = 0;
    bool is_apart = false; /* a separator waits for the letter behind it */

    for (size_t i = 0; i < length; i++) {
        char letter = ascii_of_wide((const unsigned char *)text + i, length - i);

        if (letter == 0) {
            letter = text[i];
        } else {
            i += 2;
        }
        if (letter == '\0') {
            return 0; /* no name holds a NUL; what stands behind it must not be lost unseen */
        }
        if (is_separator(letter)) {
            is_apart = used > 0;
            continue;
        }
        if (used + (is_apart ? 2 : 1) >= room) {
            return 0;
        }
        if (is_apart) {
            out[used++] = '-';
            is_apart = false;
        }
        out[used++] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    }
    if (used > 0) {
        out[used] = '\0';
    }
    return used;
}

size_t names_distance(const char *a, const char *b, size_t limit)
{
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    size_t row[NAMES_KEY_BYTES]; /* distances of the first i letters of a to the first j of b */

    if (length_a >= NAMES_KEY_BYTES || length_b >= NAMES_KEY_BYTES ||
        (length_a > length_b ? length_a - length_b : length_b - length_a) > limit) {
        return limit + 1;
    }
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        size_t least = i;

        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = best;
            least = best < least ? best : least;
        }
        if (least > limit) {
            return limit + 1; /* rows never fall below their predecessor's least */
        }
    }
    return row[length_b] <= limit ? row[length_b] : limit + 1;
}

/* Looks the name up without more and more of the words that only describe the card, which must then
 * be as described. */
static bool find_described(const struct catalogue *catalogue, const struct names_split *split,
                           const struct names_told *told, unsigned without,
                           struct names_meaning *meaning)
{
    static const unsigned STEPS[] = {
        0,
        NAMES_WORD_LINE,
        NAMES_WORD_SIZE,
        NAMES_WORD_SIZE | NAMES_WORD_LINE,
        NAMES_WORD_SIZE | NAMES_WORD_MEMORY,
        NAMES_WORD_SIZE | NAMES_WORD_MEMORY | NAMES_WORD_FORM,
        NAMES_WORD_SIZE | NAMES_WORD_MEMORY | NAMES_WORD_FORM | NAMES_WORD_LINE,
    };
    char letters[NAMES_SPLIT_BYTES];

    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        unsigned left_out = without | STEPS[i] | NAMES_WORD_VENDOR | NAMES_WORD_NEUTRAL;

        names_split_join(split, left_out, letters);
        if (letters[0] == '\0' || !names_meaning_of_letters(catalogue, letters, meaning)) {
            continue;
        }
        bool is_card = meaning->count > 0;

        names_meaning_keep_told(meaning, told, left_out);
        if (meaning->count > 0 || !is_card) {
            if ((left_out & NAMES_WORD_SIZE) != 0 && !isnan(told->memory_gib) && is_card) {
                meaning->without_card = NULL; /* the size is that of the card */
            }
            return true;
        }
    }
    *meaning = (struct names_meaning){.count = 0};
    return false;
}

static void find_by_words(const struct catalogue *catalogue, struct names_split *split,
                          struct names_meaning *meaning, const struct names_told *told)
{
    struct names_meaning beside; /* a mark */

    if (told->is_contradictory || find_described(catalogue, split, told, 0, meaning) ||
        told->mark == NULL) {
        return;
    }
    if (find_described(catalogue, split, &(struct names_told){.memory_gib = (double)NAN},
                       NAMES_WORD_MARK, &beside)) {
        meaning->without_card = told->mark;
    }
}

/* All that a text may mean; told is what its words say beyond that. */
static void find_text(const struct catalogue *catalogue, const char *key,
                      struct names_meaning *meaning, struct names_told *told)
{
    struct names_split split;
    char letters[NAMES_SPLIT_BYTES];
    char inner[NAMES_KEY_BYTES];

    *meaning = (struct names_meaning){.count = 0};
    names_split(key, &split);
    names_split_join(&split, 0, letters);
    names_told_read(catalogue, &split, told);
    names_meaning_of_key(catalogue, key, meaning);
    if (names_meaning_is_known(meaning)) {
        return;
    }
    if (letters[0] == '\0' || names_meaning_of_letters(catalogue, letters, meaning)) {
        return;
    }
    if (names_paste_in_brackets(catalogue, key, inner)) {
        names_meaning_of_key(catalogue, inner, meaning);
        if (names_meaning_is_known(meaning)) {
            return;
        }
        names_split(inner, &split);
        names_told_read(catalogue, &split, told);
    }
    find_by_words(catalogue, &split, meaning, told);
}

struct names_hints names_no_hints(void)
{
    return (struct names_hints){
        .memory_gib = (double)NAN, .memory_total_gib = (double)NAN, .gpu_count = (double)NAN};
}

/* Vast shortens the names that the driver prints: they mean what SkyPilot or nvidia-smi mean. */
static bool find_vast(const struct catalogue *catalogue, const char *name,
                      struct names_meaning *meaning)
{
    static const struct {
        const char *before, *kind;
    } WAYS[] = {{"", "skypilot"}, {"nvidia-", "nvidia-smi"}};

    *meaning = (struct names_meaning){.count = 0};
    for (size_t w = 0; w < sizeof WAYS / sizeof WAYS[0] && !names_meaning_is_known(meaning); w++) {
        char key[NAMES_KEY_BYTES + sizeof "nvidia-"];

        (void)snprintf(key, sizeof key, "%s%s", WAYS[w].before, name); /* has room for both */
        for (size_t i = names_index_first_alias(catalogue, key);
             i < catalogue->alias_count && strcmp(catalogue->aliases[i].key, key) == 0; i++) {
            if (text_is(catalogue->aliases[i].kind, WAYS[w].kind)) {
                names_meaning_add_alias(meaning, &catalogue->aliases[i]);
            }
        }
    }
    return names_meaning_is_known(meaning);
}

static bool find_tpu(const struct catalogue *catalogue, const char *key,
                     const struct names_hints *hints, struct names_result *result)
{
    struct names_split split;

    names_split(key, &split);
    if (!names_tpu_read(catalogue, &split,
                        hints->vendor != NULL && strcasecmp(hints->vendor, "google") == 0,
                        &result->tpu, &result->tpu_chips)) {
        return false;
    }
    result->outcome = NAMES_TPU;
    return true;
}

static void tell(const struct names_meaning *meaning, bool is_possible, struct names_result *result)
{
    memcpy(result->gpus, meaning->gpus, sizeof result->gpus);
    result->count = meaning->count;
    if (meaning->count > 0 && is_possible) {
        result->outcome =
            meaning->count == 1 && meaning->without_card == NULL ? NAMES_FOUND : NAMES_AMBIGUOUS;
    } else if (meaning->count == 0 && meaning->without_card != NULL) {
        result->outcome = NAMES_NO_CARD;
        result->note = meaning->without_card->note;
    }
}

void names_resolve(const struct catalogue *catalogue, const char *text, size_t length,
                   const struct names_hints *hints, struct names_result *result)
{
    const struct names_hints none = names_no_hints();
    const struct names_hints *beside = hints == NULL ? &none : hints;
    const char *type = beside->instance_type;
    struct names_meaning meaning;
    struct names_told told;
    char key[NAMES_KEY_BYTES] = {0};
    char spelt[NAMES_KEY_BYTES];

    *result = (struct names_result){.outcome = NAMES_UNKNOWN, .tpu_chips = (double)NAN};
    result->instance_gpus = names_hints_instance_gpus(catalogue, type == NULL ? text : type,
                                                      type == NULL ? length : strlen(type));
    if (length == 0) {
        names_hints_find_instance(catalogue, type, &meaning);
        tell(&meaning, true, result);
        return;
    }
    if (names_normalise(text, length, key, sizeof key) == 0) {
        return;
    }
    if (find_tpu(catalogue, key, beside, result)) {
        return;
    }
    bool is_vast = type != NULL && names_normalise(type, strlen(type), spelt, sizeof spelt) > 0 &&
                   names_paste_of_instance(spelt, key);

    names_paste_unwrap(key);
    find_text(catalogue, key, &meaning, &told);
    if (is_vast) {
        struct names_meaning vast;

        meaning = find_vast(catalogue, key, &vast) ? vast : meaning;
    }
    tell(&meaning, names_hints_apply(catalogue, beside, !isnan(told.memory_gib), &meaning), result);
}

void names_find_gpu(const struct catalogue *catalogue, const char *text, size_t length,
                    struct names_result *result)
{
    char key[NAMES_KEY_BYTES] = {0};

    names_resolve(catalogue, text, length, NULL, result);
    if (result->outcome == NAMES_AMBIGUOUS && result->count == 1) {
        result->outcome = NAMES_FOUND;
    }
    if (result->outcome == NAMES_TPU) {
        struct names_meaning meaning = {.count = 0};

        names_meaning_of_key(catalogue, TPU_NAME, &meaning);
        result->outcome = NAMES_NO_CARD;
        result->note = meaning.without_card == NULL ? NULL : meaning.without_card->note;
    }
    if (result->count == 0 && names_normalise(text, length, key, sizeof key) > 0) {
        names_near_find(catalogue, key, result);
    }
}
