/* Cursors as base64url (RFC 4648 section 5) of fields with a mark behind each. Pure. */
#include "cursor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Version of the fields: a cursor of another one is refused, not misread. A mark is no character of
 * a name. */
enum { VERSION = '1', MARK = '\x1F', FIELDS = 5 + CURSOR_IDS, NUMBERS_BYTES = 128 };

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static const char *encode(const char *bytes, size_t count, struct arena *arena)
{
    char *text = arena_alloc(arena, count / 3 * 4 + 5);
    size_t used = 0;

    for (size_t i = 0; text != NULL && i < count; i += 3) {
        uint32_t three = 0;

        for (size_t k = 0; k < 3; k++) {
            three = three << 8 | (i + k < count ? (unsigned char)bytes[i + k] : 0);
        }
        for (size_t k = 0; k < 4 && i + k <= count; k++) { /* n bytes take n + 1 digits */
            text[used++] = DIGITS[three >> (18 - 6 * k) & 63U];
        }
    }
    return text;
}

/* -1: none. */
static int digit_value(char digit)
{
    for (int i = 0; i < 64; i++) {
        if (DIGITS[i] == digit) {
            return i;
        }
    }
    return -1;
}

/* Only what encode() writes: no padding, no stray bits. */
static char *decode(const char *text, size_t text_bytes, size_t *count, struct arena *arena)
{
    char *bytes = text_bytes % 4 == 1 ? NULL : arena_alloc(arena, text_bytes / 4 * 3 + 4);

    *count = 0;
    for (size_t i = 0; bytes != NULL && i < text_bytes; i += 4) {
        uint32_t three = 0;
        size_t whole = 0; /* bytes that have all their digits */

        for (size_t k = 0; k < 4; k++) {
            int value = i + k < text_bytes ? digit_value(text[i + k]) : 0;

            if (value < 0) {
                return NULL;
            }
            three = three << 6 | (uint32_t)value;
        }
        while (whole < 3 && i + whole + 1 < text_bytes) {
            bytes[(*count)++] = (char)(three >> (16 - 8 * whole) & 255U);
            whole++;
        }
        if ((three << (8 * whole) & 0xFFFFFFU) != 0) {
            return NULL;
        }
    }
    return bytes;
}

/* At most so many bytes of a text, and the mark. */
static size_t append(char *out, const char *text, size_t bytes_max)
{
    size_t length = text == NULL ? 0 : strnlen(text, bytes_max);

    if (length > 0) {
        memcpy(out, text, length);
    }
    out[length] = MARK;
    return length + 1;
}

const char *cursor_write(const struct cursor *cursor, uint32_t list, struct arena *arena)
{
    char fields[NUMBERS_BYTES + CURSOR_TEXT_BYTES + CURSOR_IDS * (CURSOR_ID_BYTES + 1)];
    uint64_t bits = 0;
    char kind = cursor->text != NULL ? 't' : isnan(cursor->number) ? 'u' : 'n';

    if (kind == 'n') {
        memcpy(&bits, &cursor->number, sizeof bits);
    }
    int length =
        snprintf(fields, NUMBERS_BYTES, "%c%08" PRIx32 "%c%c%016" PRIx64 "%c%zu%c", VERSION, list,
                 MARK, kind, kind == 'n' ? bits : 0, MARK, cursor->passed, MARK);
    size_t used = (size_t)length;

    used += (size_t)snprintf(fields + used, NUMBERS_BYTES - used, "%" PRIx64 "%c", cursor->serial,
                             MARK);
    used += append(fields + used, cursor->text, CURSOR_TEXT_BYTES);
    for (size_t i = 0; i < CURSOR_IDS; i++) {
        used += append(fields + used, cursor->ids[i], CURSOR_ID_BYTES);
    }
    return encode(fields, used, arena);
}

/* Splits at the marks, each becomes a NUL; false: another count. */
static bool split(char *bytes, size_t count, const char *fields[FIELDS])
{
    size_t found = 0;
    size_t start = 0;

    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\0' || (bytes[i] == MARK && found == FIELDS)) {
            return false;
        }
        if (bytes[i] == MARK) {
            bytes[i] = '\0';
            fields[found++] = bytes + start;
            start = i + 1;
        }
    }
    return found == FIELDS && start == count;
}

/* The digits of a base up to the end; false: none, others, or more than fit. */
static bool read_number(const char *text, unsigned base, uint64_t *number)
{
    static const char HEX[] = "0123456789abcdef";

    *number = 0;
    if (*text == '\0' || strlen(text) > 16) {
        return false;
    }
    for (; *text != '\0'; text++) {
        const char *digit = memchr(HEX, *text, base);

        if (digit == NULL) {
            return false;
        }
        *number = *number * base + (uint64_t)(digit - HEX);
    }
    return true;
}

bool cursor_read(const char *text, size_t text_bytes, uint32_t list, struct arena *arena,
                 struct cursor *cursor)
{
    const char *fields[FIELDS];
    struct cursor read = {.number = (double)NAN};
    size_t count = 0;
    uint64_t of_list = 0, bits = 0, passed = 0;
    char *bytes = decode(text, text_bytes, &count, arena);

    if (bytes == NULL || !split(bytes, count, fields) || fields[0][0] != VERSION ||
        !read_number(fields[0] + 1, 16, &of_list) || of_list != list ||
        !read_number(fields[1] + (fields[1][0] == '\0' ? 0 : 1), 16, &bits) ||
        !read_number(fields[2], 10, &passed) || !read_number(fields[3], 16, &read.serial)) {
        return false;
    }
    switch (fields[1][0]) {
    case 't':
        read.text = fields[4];
        break;
    case 'n':
        memcpy(&read.number, &bits, sizeof bits);
        break;
    case 'u':
        break;
    default:
        return false;
    }
    for (size_t i = 0; i < CURSOR_IDS; i++) {
        read.ids[i] = fields[5 + i];
    }
    read.passed = (size_t)passed;
    *cursor = read;
    return true;
}
