/* Finds the name in pasted lines and in instance types that spell it. No state. */
#include "names_paste.h"

#include <string.h>
#include <strings.h>

static const char DIGITS[] = "0123456789";

/* Classes of devices as lspci prints them, normalised; a number in brackets may follow. */
static const char *const CLASSES[] = {"-vga-compatible-controller", "-3d-controller",
                                      "-display-controller", "-processing-accelerators"};
static const char *const MAKERS[] = {"nvidia-corporation-", "intel-corporation-",
                                     "advanced-micro-devices,-inc.-[amd/ati]-"};

/* Moves what stands at start to the front of the buffer that holds it. */
static void keep_from(char key[NAMES_KEY_BYTES], const char *start)
{
    memmove(key, start, strlen(start) + 1);
}

static void cut_at(char *key, const char *text)
{
    char *place = strstr(key, text);

    if (place != NULL) {
        *place = '\0';
    }
}

/* "[10de:2204]" behind the name, with lspci -nn. */
static void cut_numbers(char *key)
{
    static const char HEXADECIMAL[] = "0123456789abcdef";
    char *place = strrchr(key, '[');

    if (place != NULL && place > key && place[-1] == '-' && strspn(place + 1, HEXADECIMAL) == 4 &&
        place[5] == ':' && strspn(place + 6, HEXADECIMAL) == 4 && strcmp(place + 10, "]") == 0) {
        place[-1] = '\0';
    }
}

static bool unwrap_lspci(char key[NAMES_KEY_BYTES])
{
    for (size_t i = 0; i < sizeof CLASSES / sizeof CLASSES[0]; i++) {
        char *class = strstr(key, CLASSES[i]);

        if (class == NULL) {
            continue;
        }
        char *name = strstr(class, ":-");

        if (name == NULL) {
            return false;
        }
        keep_from(key, name + 2);
        cut_at(key, "-(rev-");
        cut_at(key, "-(prog-if-");
        cut_numbers(key);
        return true;
    }
    return false;
}

static void unwrap_nvidia_smi(char key[NAMES_KEY_BYTES])
{
    size_t digits = strncmp(key, "gpu-", 4) == 0 ? strspn(key + 4, DIGITS) : 0;

    if (digits > 0 && strncmp(key + 4 + digits, ":-", 2) == 0) {
        keep_from(key, key + 4 + digits + 2);
        cut_at(key, "-(uuid:");
    }
}

void names_paste_unwrap(char key[NAMES_KEY_BYTES])
{
    if (!unwrap_lspci(key)) {
        unwrap_nvidia_smi(key);
    }
    for (size_t i = 0; i < sizeof MAKERS / sizeof MAKERS[0]; i++) {
        if (strncmp(key, MAKERS[i], strlen(MAKERS[i])) == 0) {
            keep_from(key, key + strlen(MAKERS[i]));
        }
    }
}

/* Whether a chip of the catalogue stands at the start of length bytes, perhaps with letters behind
 * it (GA102GL) or another name of it (AD103M / GN21-X11). "Navi 31" has a blank there. */
static bool is_chip(const struct catalogue *catalogue, const char *key, size_t length)
{
    char chip[NAMES_KEY_BYTES];

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        const char *known = catalogue->gpus[i].chip;
        size_t known_length = known == NULL ? 0 : strlen(known);

        if (known_length == 0 || known_length > length) {
            continue;
        }
        memcpy(chip, key, known_length);
        chip[known_length] = '\0';
        for (size_t k = 0; k < known_length; k++) {
            chip[k] = chip[k] == '-' && known[k] == ' ' ? ' ' : chip[k];
        }
        if (strcasecmp(chip, known) == 0 && strspn(key + known_length, DIGITS) == 0) {
            return true;
        }
    }
    return false;
}

bool names_paste_in_brackets(const struct catalogue *catalogue, const char *key,
                             char out[NAMES_KEY_BYTES])
{
    const char *open = strstr(key, "-[");
    size_t length = strlen(key);

    if (open == NULL || key[length - 1] != ']' || !is_chip(catalogue, key, (size_t)(open - key))) {
        return false;
    }
    size_t inner = length - 1 - (size_t)(open + 2 - key);

    memcpy(out, open + 2, inner);
    out[inner] = '\0';
    for (char *place = strchr(out, '/'); place != NULL; place = strchr(place, '/')) {
        *place = '-'; /* "RTX 3070 Mobile / Max-Q" */
    }
    return inner > 0;
}

bool names_paste_of_instance(const char *key, char out[NAMES_KEY_BYTES])
{
    size_t count = strspn(key, DIGITS);
    size_t length = strlen(key);

    if (count == 0 || strncmp(key + count, "x-", 2) != 0) {
        return false;
    }
    for (int part = 0; part < 2; part++) { /* processors and memory of the host */
        size_t end = length;

        while (end > 0 && strchr(DIGITS, key[end - 1]) != NULL) {
            end--;
        }
        if (end == length || end == 0 || key[end - 1] != '-') {
            return false;
        }
        length = end - 1;
    }
    if (length <= count + 2) {
        return false;
    }
    memcpy(out, key + count + 2, length - count - 2);
    out[length - count - 2] = '\0';
    return true;
}
