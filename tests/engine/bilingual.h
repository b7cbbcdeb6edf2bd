/* What a sentence and its Chinese counterpart must hold, for test_text.c and test_message.c. */
#ifndef GPUWISE_TESTS_BILINGUAL_H
#define GPUWISE_TESTS_BILINGUAL_H

#include "text.h"

#include <string.h>

/* Which of {0} to {count-1} a sentence names, as bits; every other brace is a fault, told by bit 7.
 */
static unsigned placeholders(const char *sentence, size_t count)
{
    unsigned found = 0;

    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at == '}') {
            found |= 1u << 7;
        }
        if (*at == '{') {
            bool is_good = at[1] >= '0' && (size_t)(at[1] - '0') < count && at[2] == '}';

            found |= is_good ? 1u << (at[1] - '0') : 1u << 7;
            at += is_good ? 2 : 0;
        }
    }
    return found;
}

/* A Chinese character proper: three bytes E4..E9 (U+4000 to U+9FFF); full-width punctuation is EF,
 * E3. */
static bool is_han(const char *at)
{
    unsigned char byte = (unsigned char)at[0];

    return byte >= 0xE4 && byte <= 0xE9;
}

static bool holds_han(const char *text)
{
    while (*text != '\0' && !is_han(text)) {
        text++;
    }
    return *text != '\0';
}

static bool is_plain(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

/* A blank stands between Chinese and Latin letters, digits and arguments, and none elsewhere beside
 * full-width punctuation. */
static bool is_spaced(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        bool is_wide_mark = (unsigned char)at[0] == 0xEF || (unsigned char)at[0] == 0xE3;

        if ((is_plain(*at) || *at == '}') && is_han(at + 1)) {
            return false;
        }
        if (is_han(at) && (is_plain(at[3]) || at[3] == '{')) {
            return false;
        }
        if ((is_wide_mark && at[3] == ' ') ||
            (at[0] == ' ' && ((unsigned char)at[1] == 0xEF || (unsigned char)at[1] == 0xE3))) {
            return false;
        }
    }
    return true;
}

/* Half-width marks stand inside names and values only, as in 8-pin,16-pin: not beside Chinese, a
 * blank or the end. */
static bool has_wide_marks(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        bool is_mark = strchr(",;:!?\"'()", *at) != NULL;
        unsigned char before = at == text ? ' ' : (unsigned char)at[-1];
        unsigned char after = at[1] == '\0' ? ' ' : (unsigned char)at[1];

        if (is_mark && (before >= 0x80 || after >= 0x80 || before == ' ' || after == ' ')) {
            return false;
        }
    }
    return true;
}

/* Names, units and words of parameters that Chinese engineers write as they are. */
static bool is_term(const char *word, size_t length)
{
    static const char TERMS[] =
        " "
        "GPU CPU CUDA ROCm PyTorch TensorFlow JAX XLA Linux BF16 FP16 FP32 FP8 GiB GGUF "
        "NVLink PCIe PCIE KV MLA MLP JSON UTF API CSV ECC INT8 HTML HTTP id bit TPU NPU "
        "FlashAttention errors curl config json name value candidates models ignore none "
        "application gpus card amount rtx pin EPS cn us strategy single pp task lora "
        "qlora framework llama cpp nf4 int8 bf16 fp16 fp32 fp8 num_attention_heads "
        "num_hidden_layers hidden_size checkpoint_hours prices prefer speed vat_percent head_dim "
        "TLS ISO review rejected NUL Content Length Transfer Encoding Accept Host chunked gzip "
        "identity MiB YYYY MM DD USD observations csv SkyPilot accelerators vms provider "
        "observed_on ";

    for (const char *at = TERMS; *at != '\0'; at += strcspn(at + 1, " ") + 1) {
        if (strncmp(at + 1, word, length) == 0 && at[1 + length] == ' ') {
            return true;
        }
    }
    return false;
}

/* The first word of Latin letters that is no term; NULL: there is none. Sizes such as 7b and plugs
 * such as 2x8 begin with a digit and are no words. */
static const char *foreign_word(const char *text)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;

        while (is_plain(at[length]) || at[length] == '_') {
            length++;
        }
        bool is_word = length > 0 && !(*at >= '0' && *at <= '9');

        if (is_word && !is_term(at, length)) {
            return at;
        }
        at += length > 0 ? length : 1;
    }
    return NULL;
}

#endif
