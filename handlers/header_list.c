/* Takes header lists apart. Malformed weights count as 1: a preference is no order. Pure. */
#include "header_list.h"

#include <string.h>

/* Thousandths of a qvalue such as 1, 0.8 or 0.125; 1000 when it cannot be read. */
static int read_quality(const char *text, size_t length)
{
    if (length == 0 || (text[0] != '0' && text[0] != '1')) {
        return 1000;
    }
    int quality = (text[0] - '0') * 1000;
    int weight = 100;

    for (size_t i = 2; i < length && text[1] == '.' && weight > 0; i++) {
        if (text[i] < '0' || text[i] > '9') {
            break;
        }
        quality += (text[i] - '0') * weight;
        weight /= 10;
    }
    return quality > 1000 ? 1000 : quality;
}

/* The q of the parameters behind the first ';'. */
static int find_quality(const char *text, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++) {
        bool starts = text[i] == ';' || text[i] == ' ' || text[i] == '\t';

        if (starts && (text[i + 1] == 'q' || text[i + 1] == 'Q') && text[i + 2] == '=') {
            return read_quality(text + i + 3, length - i - 3);
        }
    }
    return 1000;
}

bool header_list_next(const char **rest, struct header_element *element)
{
    const char *start = *rest + strspn(*rest, " \t,");

    if (*start == '\0') {
        return false;
    }
    size_t length = strcspn(start, ",");

    *rest = start + length;
    element->name = start;
    element->length = 0;
    while (element->length < length && strchr("; \t", start[element->length]) == NULL) {
        element->length++;
    }
    element->quality = find_quality(start + element->length, length - element->length);
    return true;
}
