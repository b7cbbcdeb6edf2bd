/* Values of foreign files, one at a time. No state. */
#include "import_rules.h"

#include "../handlers/engine/day.h"
#include "import_formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_BYTES_MAX = 40 };

static const double MIB_PER_GIB = 1024;

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

double import_rule_number(const struct import_text *text)
{
    char number[NUMBER_BYTES_MAX + 1] = "";
    size_t start = 0;
    char *end = NULL;

    while (start < text->length && is_blank(text->text[start])) {
        start++;
    }
    size_t length = strspn(text->text + start, "0123456789.eE+-");

    if (length == 0 || length > NUMBER_BYTES_MAX) {
        return (double)NAN;
    }
    memcpy(number, text->text + start, length);
    double value = strtod(number, &end); /* the program stays in the C locale */
    const char *unit = text->text + start + length + strspn(text->text + start + length, " \t");

    if (*end != '\0' || !isfinite(value) ||
        (unit[0] != '\0' && strcasecmp(unit, "gb") != 0 && strcasecmp(unit, "gib") != 0)) {
        return (double)NAN;
    }
    return value;
}

bool import_rule_is_range(const struct import_text *text)
{
    size_t first = strspn(text->text, "0123456789");
    size_t second = text->text[first] == '-' ? strspn(text->text + first + 1, "0123456789") : 0;

    return first > 0 && second > 0 && first + 1 + second == text->length;
}

double import_rule_info_gib(const struct import_text *text, double count)
{
    static const char KEY[] = "sizeinmib";
    char digits[NUMBER_BYTES_MAX + 1] = "";

    for (size_t i = 0; i + sizeof KEY < text->length; i++) {
        if ((text->text[i] != 'S' && text->text[i] != 's') || /* spares most calls */
            strncasecmp(text->text + i, KEY, sizeof KEY - 1) != 0) {
            continue;
        }
        const char *number = text->text + i + sizeof KEY - 1;

        number += strspn(number, "'\": ");
        size_t length = strspn(number, "0123456789.");

        if (length == 0 || length > NUMBER_BYTES_MAX) {
            return (double)NAN;
        }
        memcpy(digits, number, length);
        double size = strtod(digits, NULL);

        if (size <= 0) {
            return (double)NAN;
        }
        /* no card on sale has less than 1 GiB: such a figure is in GB already */
        return size < MIB_PER_GIB ? size : round(size / count / MIB_PER_GIB);
    }
    return (double)NAN;
}

double import_rule_bracket_gb(const struct import_text *text)
{
    const char *open = strrchr(text->text, '(');
    char inside[NUMBER_BYTES_MAX + 1] = "";

    if (open == NULL) {
        return (double)NAN;
    }
    size_t length = strcspn(open + 1, ")");

    if (open[1 + length] != ')' || length > NUMBER_BYTES_MAX) {
        return (double)NAN;
    }
    memcpy(inside, open + 1, length);
    return import_rule_number(&(struct import_text){.text = inside, .length = length});
}

struct import_text import_rule_day(const struct import_text *text)
{
    struct import_text day = *text;

    if (text->length > 10 && (text->text[10] == 'T' || text->text[10] == ' ')) {
        day.length = 10;
    }
    return day;
}

struct import_text import_rule_trim(const struct import_text *text)
{
    struct import_text trimmed = *text;

    while (trimmed.length > 0 && (is_blank(trimmed.text[0]) || trimmed.text[0] == ',')) {
        trimmed.text++;
        trimmed.length--;
    }
    while (trimmed.length > 0 && (is_blank(trimmed.text[trimmed.length - 1]) ||
                                  trimmed.text[trimmed.length - 1] == ',')) {
        trimmed.length--;
    }
    return trimmed;
}

bool import_rule_is_word(const struct import_text *text, const char *words)
{
    while (words != NULL) {
        size_t length = strcspn(words, "|");

        if (length == text->length && strncasecmp(words, text->text, length) == 0) {
            return true;
        }
        words = words[length] == '|' ? words + length + 1 : NULL;
    }
    return false;
}

bool import_rule_date_in_name(const char *name, char date[11])
{
    const char *base = strrchr(name, '/');
    int32_t day = DAY_UNKNOWN;

    base = base == NULL ? name : base + 1;
    for (; strlen(base) >= 10; base++) {
        if (day_parse(base, 10, &day) && strspn(base + 10, "0123456789") == 0) {
            memcpy(date, base, 10);
            date[10] = '\0';
            return true;
        }
    }
    return false;
}

const char *import_rule_provider_in_name(const char *name)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char *place = strrchr(name, '/');

    while (place != NULL && place > name &&
           place[-1] != '/') { /* the folder it lies in counts too */
        place--;
    }
    place = place == NULL ? name : place;
    while (*place != '\0') {
        size_t length = strspn(place, LETTERS);
        bool is_whole =
            (place == name || place[-1] == '/') &&
            strchr("/.", place[length]) != NULL; /* of two letters only the whole name:
                                                    "do/vms.csv", not "what-to-do.csv" */
        const char *provider = length > 2 || is_whole ? import_provider_find(place, length) : NULL;

        if (provider != NULL) {
            return provider;
        }
        place += length + (place[length] == '\0' ? 0 : 1);
    }
    return NULL;
}
