/* Cuts names into words and finds the sizes among them. No state. */
#include "names_split.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_GIB_MAX = 1024 }; /* beyond: a model number */

static const char MODULE[] = "sxm";
static const char BREAKS[] = "- ()[]{},;:|\"'*&";

/* Chinese is written together: these words are cut out of it. */
static const char *const CHINESE_WORDS[] = {"英伟达", "英特尔", "显卡", "显存", "单卡"};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_break(char letter)
{
    return letter != '\0' && strchr(BREAKS, letter) != NULL;
}

static bool is_ascii(char letter)
{
    return (unsigned char)letter < 0x80;
}

/* Bytes of a number without sign or exponent at the start; 0: none. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "0123456789");

    if (length > 0 && text[length] == '.' && is_digit(text[length + 1])) {
        length += 1 + strspn(text + length + 1, "0123456789");
    }
    return length;
}

static bool is_unit(const char *text)
{
    return strcmp(text, "g") == 0 || strcmp(text, "gb") == 0 || strcmp(text, "gib") == 0;
}

/* The size that a word is, NAN: none. */
static double size_of(const char *text)
{
    size_t length = number_length(text);

    if (length == 0 || !is_unit(text + length)) {
        return (double)NAN;
    }
    double memory_gib = strtod(text, NULL);

    return memory_gib > 0 && memory_gib <= SIZE_GIB_MAX ? memory_gib : (double)NAN;
}

/* Where a size stands at the end of a model written together with it ("3060ti8g"); 0: nowhere.
 * The model has a digit and ends with a letter. */
static size_t find_glued_size(const char *text)
{
    size_t length = strlen(text);
    size_t place = 0;

    for (size_t i = 1; i < length; i++) {
        if (is_digit(text[i]) && text[i - 1] >= 'a' && text[i - 1] <= 'z') {
            place = i;
        }
    }
    if (place >= strlen(MODULE) &&
        strncmp(text + place - strlen(MODULE), MODULE, strlen(MODULE)) == 0) {
        return 0; /* "a100sxm480gb": the 4 belongs to the module; "b200sxm180gb": the 1 does not */
    }
    return place > 0 && strcspn(text, "0123456789") < place && !isnan(size_of(text + place)) ? place
                                                                                             : 0;
}

static size_t chinese_word_at(const char *text)
{
    for (size_t i = 0; i < sizeof CHINESE_WORDS / sizeof CHINESE_WORDS[0]; i++) {
        size_t length = strlen(CHINESE_WORDS[i]);

        if (strncmp(text, CHINESE_WORDS[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Bytes of the word that begins here. */
static size_t word_length(const char *text)
{
    size_t length = chinese_word_at(text);

    if (length > 0) {
        return length;
    }
    for (length = 1;
         text[length] != '\0' && !is_break(text[length]) &&
         is_ascii(text[length]) == is_ascii(text[0]) && chinese_word_at(text + length) == 0;
         length++) {
    }
    return length;
}

/* Appends a word of length bytes; used is what stands in split->text. */
static void add_word(struct names_split *split, size_t *used, const char *text, size_t length,
                     char before)
{
    if (split->count == NAMES_SPLIT_MAX_WORDS || *used + length + 1 > NAMES_SPLIT_BYTES) {
        return; /* not with a key of under NAMES_KEY_BYTES */
    }
    char *place = split->text + *used;

    memcpy(place, text, length);
    place[length] = '\0';
    *used += length + 1;
    split->words[split->count++] =
        (struct names_word){.text = place, .memory_gib = (double)NAN, .before = before};
}

static void cut(const char *key, struct names_split *split)
{
    size_t used = 0;
    char before = '\0';

    split->count = 0;
    while (*key != '\0') {
        if (is_break(*key)) {
            before = *key == ',' || *key == ':' ? *key : before;
            key++;
            continue;
        }
        size_t length = word_length(key);

        add_word(split, &used, key, length, before);
        struct names_word *word = &split->words[split->count - 1];
        size_t glued = find_glued_size(word->text);

        if (glued > 0) {
            used = (size_t)(word->text - split->text) + glued + 1;
            split->text[used - 1] = '\0';
            add_word(split, &used, key + glued, length - glued, '\0');
        }
        key += length;
        before = '\0';
    }
}

/* Marks the sizes: "80gb", "80" and "gb", and a bare number behind the last comma. */
static void find_sizes(struct names_split *split)
{
    size_t kept = 0;

    for (size_t i = 0; i < split->count; i++) {
        struct names_word word = split->words[i];
        bool is_number = word.text[number_length(word.text)] == '\0';
        bool is_parted = is_number && i + 1 < split->count && is_unit(split->words[i + 1].text);
        bool is_behind_comma = is_number && word.before == ',' && i + 1 == split->count;

        if (is_parted || is_behind_comma) {
            double memory_gib = strtod(word.text, NULL);

            word.memory_gib =
                memory_gib > 0 && memory_gib <= SIZE_GIB_MAX ? memory_gib : (double)NAN;
        } else {
            word.memory_gib = size_of(word.text);
        }
        word.kind = isnan(word.memory_gib) ? NAMES_WORD_OF_NAME : NAMES_WORD_SIZE;
        i += is_parted && word.kind == NAMES_WORD_SIZE ? 1 : 0;
        split->words[kept++] = word;
    }
    split->count = kept;
}

void names_split(const char *key, struct names_split *split)
{
    cut(key, split);
    find_sizes(split);
}

void names_split_join(const struct names_split *split, unsigned without,
                      char out[NAMES_SPLIT_BYTES])
{
    size_t used = 0;
    bool is_gap = false; /* a word was left out */

    out[0] = '\0';
    for (size_t i = 0; i < split->count; i++) {
        const struct names_word *word = &split->words[i];
        bool is_size = word->kind == NAMES_WORD_SIZE;

        if ((without & (unsigned)word->kind) != 0) {
            is_gap = true;
            continue;
        }
        if (is_gap && used > 0 && is_digit(out[used - 1]) && is_digit(word->text[0]) && !is_size) {
            out[used++] = ' '; /* "A100 8GB 0" is no A1000; there is room: the gap had letters */
        }
        is_gap = false;
        int length = is_size
                         ? snprintf(out + used, NAMES_SPLIT_BYTES - used, ":%gg", word->memory_gib)
                         : snprintf(out + used, NAMES_SPLIT_BYTES - used, "%s%s",
                                    word->before == ':' ? ":" : "", word->text);

        if (length < 0 || used + (size_t)length >= NAMES_SPLIT_BYTES) {
            out[used] = '\0';
            return; /* not with words of a key of under NAMES_KEY_BYTES */
        }
        used += (size_t)length;
    }
}
