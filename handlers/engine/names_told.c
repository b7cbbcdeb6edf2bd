/* The kinds of words and what they say. The lists here are the rules of names.h; words that make a
 * name another product are rows of aliases.csv of kind mark. No state. */
#include "names_told.h"

#include "names.h"

#include <math.h>
#include <string.h>
#include <strings.h>

struct range {
    double least, most;
};

/* Printed over known, by nearness. As printed: 74.5 GiB are 80 GB, drivers show as little as 0.93
 * with ECC, and B200 is printed as 192; the sizes of one name differ by 1.17 or more (H100 80 and
 * 94). In doubt: L40 with 40 GB (0.83), B300 with 262 (0.91); notebook chips of the same number
 * have 0.75 or less, modified cards twice the memory. */
static const struct range NEAR[] = {{0.98, 1.02}, {0.92, 1.07}, {0.8, 1.1}};

struct vendor_word {
    const char *word, *vendor; /* vendor NULL: of whichever */
};
static const struct vendor_word VENDORS[] = {
    {"nvidia", "nvidia"}, {"英伟达", "nvidia"}, {"amd", "amd"},
    {"intel", "intel"},   {"英特尔", "intel"},  {"corporation", NULL},
};
static const char *const NEUTRALS[] = {
    "gpu",  "gpus",   "graphics", "card",     "vram", "memory",  "显卡",
    "显存", "tensor", "core",     "cores",    "lhr", /* Lite Hash Rate: slower at mining only */
    "lite", "hash",   "rate",     "founders", "fe",   "edition", "单卡",
};
static const char *const MEMORY_TYPES[] = {"hbm2",   "hbm2e", "hbm3",   "hbm3e", "gddr5",
                                           "gddr5x", "gddr6", "gddr6x", "gddr7"};
static const char *const LINES[] = {"geforce", "radeon", "quadro", "tesla", "instinct"};

enum { FIRST_SXM = 2, LAST_SXM = 6 };

/* The module of a generation: SXM2 carried Pascal and Volta, and so on. */
static int sxm_generation_of(const struct gpu *gpu)
{
    static const struct {
        const char *architecture;
        int generation;
    } GENERATIONS[] = {{"Pascal", 2}, {"Volta", 2},     {"Ampere", 4},
                       {"Hopper", 5}, {"Blackwell", 6}, {"Blackwell Ultra", 6}};

    for (size_t i = 0; i < sizeof GENERATIONS / sizeof GENERATIONS[0]; i++) {
        if (text_is(gpu->architecture, GENERATIONS[i].architecture)) {
            return GENERATIONS[i].generation;
        }
    }
    return 0;
}

static const char *find_word(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return words[i];
        }
    }
    return NULL;
}

static bool read_form(const char *word, struct names_told *told)
{
    if (strcmp(word, "pcie") == 0) {
        told->is_pcie = true;
    } else if (strcmp(word, "sxm") == 0 || strcmp(word, "hgx") == 0 || strcmp(word, "dgx") == 0) {
        told->is_sxm = true;
    } else if (strncmp(word, "sxm", 3) == 0 && word[3] >= '0' + FIRST_SXM &&
               word[3] <= '0' + LAST_SXM && word[4] == '\0') {
        told->is_sxm = true;
        told->sxm_generation = word[3] - '0';
    } else if (strcmp(word, "oam") == 0) {
        told->is_oam = true;
    } else if (strcmp(word, "nvl") == 0) {
        told->is_nvl = true;
    } else if (strcmp(word, "nvlink") == 0) {
        told->has_nvlink = true;
    } else {
        return false;
    }
    return true;
}

/* Sets what may be said once, or again in the same words. */
static void set_once(const char **place, const char *text, struct names_told *told)
{
    told->is_contradictory |= *place != NULL && text != NULL && strcmp(*place, text) != 0;
    *place = text == NULL ? *place : text;
}

static void read_word(struct names_word *word, struct names_told *told)
{
    if (word->kind == NAMES_WORD_SIZE) {
        told->is_contradictory |=
            !isnan(told->memory_gib) && fabs(told->memory_gib - word->memory_gib) > 0.5;
        told->memory_gib = word->memory_gib;
        return;
    }
    for (size_t i = 0; i < sizeof VENDORS / sizeof VENDORS[0]; i++) {
        if (strcmp(VENDORS[i].word, word->text) == 0) {
            word->kind = NAMES_WORD_VENDOR;
            set_once(&told->vendor, VENDORS[i].vendor, told);
            return;
        }
    }
    if (find_word(NEUTRALS, sizeof NEUTRALS / sizeof NEUTRALS[0], word->text) != NULL) {
        word->kind = NAMES_WORD_NEUTRAL;
        return;
    }
    const char *type =
        find_word(MEMORY_TYPES, sizeof MEMORY_TYPES / sizeof MEMORY_TYPES[0], word->text);
    const char *line = find_word(LINES, sizeof LINES / sizeof LINES[0], word->text);

    if (type != NULL) {
        word->kind = NAMES_WORD_MEMORY;
        set_once(&told->memory_type, type, told);
    } else if (line != NULL) {
        word->kind = NAMES_WORD_LINE;
        set_once(&told->line, line, told);
    } else if (read_form(word->text, told)) {
        word->kind = NAMES_WORD_FORM;
    }
}

/* How many words from the place on are the mark, which is normalised; 0: they are not. A mark that
 * is not ASCII is found within a word too, since Chinese is written together. */
static size_t mark_words(const struct names_split *split, size_t place, const char *mark)
{
    size_t count = 0;

    if ((unsigned char)mark[0] >= 0x80) {
        return strstr(split->words[place].text, mark) != NULL ? 1 : 0;
    }
    while (*mark != '\0') {
        size_t length = strcspn(mark, "-");
        const char *word = place + count < split->count ? split->words[place + count].text : "";

        if (strncmp(word, mark, length) != 0 || word[length] != '\0') {
            return 0;
        }
        count++;
        mark += length + (mark[length] == '-' ? 1 : 0);
    }
    return count;
}

/* "1g.5gb", "3g.20gb+me": a slice of a card as MIG names it. */
static bool is_mig_profile(const char *word)
{
    size_t slices = strspn(word, "0123456789");

    if (slices == 0 || strncmp(word + slices, "g.", 2) != 0) {
        return false;
    }
    size_t size = strspn(word + slices + 2, "0123456789");

    return size > 0 && strncmp(word + slices + 2 + size, "gb", 2) == 0;
}

static void find_marks(const struct catalogue *catalogue, struct names_split *split,
                       struct names_told *told)
{
    for (size_t i = 0; i < split->count; i++) {
        for (size_t m = 0; m < catalogue->name_mark_count; m++) {
            const struct alias *mark = catalogue->name_marks[m];
            size_t count = text_is(mark->key, "mig") && is_mig_profile(split->words[i].text)
                               ? 1
                               : mark_words(split, i, mark->key);

            for (size_t k = 0; k < count; k++) {
                split->words[i + k].kind = NAMES_WORD_MARK;
            }
            told->mark = count > 0 && told->mark == NULL ? mark : told->mark;
        }
    }
}

void names_told_read(const struct catalogue *catalogue, struct names_split *split,
                     struct names_told *told)
{
    *told = (struct names_told){.memory_gib = (double)NAN};
    for (size_t i = 0; i < split->count; i++) {
        read_word(&split->words[i], told);
    }
    find_marks(catalogue, split, told);
}

void names_told_read_text(const struct catalogue *catalogue, const char *text,
                          struct names_told *told)
{
    struct names_split split = {.count = 0};
    char key[NAMES_KEY_BYTES];

    if (text != NULL && names_normalise(text, strlen(text), key, sizeof key) > 0) {
        names_split(key, &split);
    }
    names_told_read(catalogue, &split, told);
}

static bool is_near(double printed_gib, double known_gib, const struct range *range)
{
    return printed_gib >= range->least * known_gib && printed_gib <= range->most * known_gib;
}

bool names_told_is_memory(const struct gpu *gpu, double memory_gib, enum names_nearness nearness)
{
    const struct range *range = &NEAR[nearness];

    return is_near(memory_gib, gpu->memory_gib, range) ||
           is_near(memory_gib, gpu->memory_per_process_gib, range) ||
           is_near(memory_gib, gpu->memory_usable_gib, range);
}

static bool fits_form(const struct names_told *told, const struct gpu *gpu)
{
    if ((told->is_pcie && !text_is(gpu->form_factor, "pcie")) ||
        (told->is_sxm && !text_is(gpu->form_factor, "sxm")) ||
        (told->is_oam && !text_is(gpu->form_factor, "oam"))) {
        return false;
    }
    if (told->sxm_generation != 0 && told->sxm_generation != sxm_generation_of(gpu)) {
        return false;
    }
    return (!told->is_nvl || strstr(gpu->id, "-nvl-") != NULL) &&
           (!told->has_nvlink || gpu->nvlink_gb_s > 0);
}

static bool fits_line(const char *line, const struct gpu *gpu)
{
    if (strcmp(line, "tesla") == 0) {
        return text_is(gpu->vendor, "nvidia") && text_is(gpu->segment, "datacenter");
    }
    return strstr(gpu->id, line) != NULL;
}

bool names_told_fits(const struct names_told *told, unsigned kinds, const struct gpu *gpu)
{
    if ((kinds & NAMES_WORD_SIZE) != 0 && !isnan(told->memory_gib) &&
        !names_told_is_memory(gpu, told->memory_gib, NAMES_SIZE_IN_NAME)) {
        return false;
    }
    if ((kinds & NAMES_WORD_VENDOR) != 0 && told->vendor != NULL &&
        !text_is(gpu->vendor, told->vendor)) {
        return false;
    }
    if ((kinds & NAMES_WORD_MEMORY) != 0 && told->memory_type != NULL &&
        (gpu->memory_type == NULL || strcasecmp(gpu->memory_type, told->memory_type) != 0)) {
        return false;
    }
    if ((kinds & NAMES_WORD_LINE) != 0 && told->line != NULL && !fits_line(told->line, gpu)) {
        return false;
    }
    return (kinds & NAMES_WORD_FORM) == 0 || fits_form(told, gpu);
}
