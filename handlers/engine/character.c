/* Characters one by one. Pure; any thread. */
#include "character.h"

#include <string.h>

size_t character_read(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    size_t count = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;

    if (count == 0 || first > 0xF4 || count > left) {
        return 0;
    }
    uint32_t value = count == 1 ? first : first & (0xFFU >> (count + 1));

    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0U) != 0x80U) {
            return 0;
        }
        value = value << 6 | (bytes[i] & 0x3FU);
    }
    if (value < LEAST[count] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *code = value;
    return count;
}

bool character_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool character_is_invisible(uint32_t code)
{
    return (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

bool character_is_control_but(uint32_t code, const char *allowed)
{
    return character_is_control(code) &&
           (code == 0 || code > 0x7F || strchr(allowed, (int)code) == NULL);
}

bool character_is_plain(const char *text, size_t length, const char *allowed)
{
    size_t count = 1;
    uint32_t code = 0;

    for (size_t i = 0; i < length && count > 0; i += count) {
        count = character_read(text + i, length - i, &code);
        if (character_is_control_but(code, allowed) || character_is_invisible(code)) {
            return false;
        }
    }
    return count > 0;
}
