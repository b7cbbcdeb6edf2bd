/* Writes the arguments of notes. Decides nothing: which note applies is notes.c's and advice.c's
 * affair. Pure; any thread. */
#include "phrase.h"

#include "money.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PHRASE_BYTES = 64, UPPER_BYTES = 32 };

void phrase_add_all(struct phrase_book *book, enum message_code code, enum message_variant variant,
                    const char *const arguments[NOTE_MAX_ARGUMENTS])
{
    struct note *note;

    assert(book->count < book->maximum);
    note = &book->notes[book->count++];
    *note = (struct note){.code = code, .variant = variant};
    for (size_t i = 0; i < NOTE_MAX_ARGUMENTS; i++) {
        note->arguments[i] = arguments[i];
    }
}

void phrase_add(struct phrase_book *book, enum message_code code, enum message_variant variant,
                const char *first, const char *second)
{
    const char *const arguments[NOTE_MAX_ARGUMENTS] = {first, second, NULL, NULL};

    phrase_add_all(book, code, variant, arguments);
}

static const char *keep(struct phrase_book *book, const char *text)
{
    const char *copy = arena_copy_text(book->arena, text, strlen(text));

    if (copy == NULL) {
        book->is_out_of_memory = true;
        return "";
    }
    return copy;
}

const char *phrase_upper(struct phrase_book *book, const char *text)
{
    char upper[UPPER_BYTES] = "";

    for (size_t i = 0; i < sizeof upper - 1 && text[i] != '\0'; i++) {
        upper[i] = (char)toupper((unsigned char)text[i]);
    }
    return keep(book, upper);
}

/* Copies a plain decimal with a comma between groups of three digits before its point. */
static const char *group(struct phrase_book *book, const char *plain, const char *unit)
{
    char text[2 * PHRASE_BYTES];
    size_t sign = plain[0] == '-' ? 1 : 0;
    size_t digits = strcspn(plain + sign, ".");
    size_t length = 0;

    assert(strlen(plain) + strlen(unit) < PHRASE_BYTES);
    for (size_t i = 0; plain[i] != '\0'; i++) {
        size_t left = sign + digits - i; /* digits of the whole part from here on */

        if (i > sign && i < sign + digits && left % 3 == 0) {
            text[length++] = ',';
        }
        text[length++] = plain[i];
    }
    text[length] = '\0';
    if (unit[0] != '\0') {
        (void)snprintf(text + length, sizeof text - length, " %s", unit); /* fits, see above */
    }
    return keep(book, text);
}

const char *phrase_money(struct phrase_book *book, int64_t micros, enum currency currency)
{
    char plain[MONEY_TEXT_BYTES];

    money_format(micros, plain);
    return group(book, plain, CURRENCY_NAMES[currency]);
}

const char *phrase_number(struct phrase_book *book, double value, int decimals, const char *unit)
{
    char plain[PHRASE_BYTES / 2];
    int length = snprintf(plain, sizeof plain, "%.*f", decimals, value);

    if (length < 0 || (size_t)length >= sizeof plain) {
        return "-"; /* no figure of a card or a price is that long */
    }
    if (decimals > 0) {
        while (plain[length - 1] == '0') {
            plain[--length] = '\0';
        }
        if (plain[length - 1] == '.') {
            plain[--length] = '\0';
        }
    }
    return group(book, plain, unit);
}

const char *phrase_gib(struct phrase_book *book, double gib)
{
    return phrase_number(book, gib, 1, "GiB");
}

const char *phrase_framework(enum framework framework)
{
    static const char *const NAMES[FRAMEWORK_COUNT] = {
        [FRAMEWORK_PYTORCH] = "PyTorch",
        [FRAMEWORK_TENSORFLOW] = "TensorFlow",
        [FRAMEWORK_JAX] = "JAX",
        [FRAMEWORK_LLAMA_CPP] = "llama.cpp",
        [FRAMEWORK_CUDA] = "CUDA",
        [FRAMEWORK_ROCM] = "ROCm",
        [FRAMEWORK_DRIVER] = "The driver",
        [FRAMEWORK_DIRECTML] = "DirectML",
        [FRAMEWORK_FLASH_ATTENTION_2] = "FlashAttention 2",
        [FRAMEWORK_FLASH_ATTENTION_3] = "FlashAttention 3",
        [FRAMEWORK_VLLM] = "vLLM",
    };

    return NAMES[framework];
}

const char *phrase_os(enum os os)
{
    static const char *const NAMES[OS_COUNT] = {"Linux", "Windows", "WSL"};

    return NAMES[os];
}

const char *phrase_vendor(const char *vendor)
{
    static const struct {
        const char *id, *name;
    } VENDORS[] = {
        {"nvidia", "NVIDIA"},       {"amd", "AMD"},
        {"intel", "Intel"},         {"huawei", "Huawei"},
        {"cambricon", "Cambricon"}, {"moorethreads", "Moore Threads"},
        {"hygon", "Hygon"},
    };

    for (size_t i = 0; i < sizeof VENDORS / sizeof VENDORS[0]; i++) {
        if (text_is(vendor, VENDORS[i].id)) {
            return VENDORS[i].name;
        }
    }
    return vendor;
}
