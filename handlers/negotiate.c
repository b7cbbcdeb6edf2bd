/* Reads Accept and Accept-Language. Malformed elements are skipped: a preference is no order. Pure.
 */
#include "negotiate.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

struct element { /* one element of a list: "text/html;level=1;q=0.5" */
    const char *name;
    size_t length;
    int quality; /* thousandths */
};

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

/* Takes the next element off the list; false at its end. */
static bool next_element(const char **rest, struct element *element)
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

/* How exactly the range names the type: 3 type/subtype, 2 type/ *, 1 * / *, 0 not at all. */
static int precision_of(const struct element *element, const char *type, const char *subtype)
{
    const char *slash = memchr(element->name, '/', element->length);

    if (slash == NULL) {
        return 0;
    }
    size_t type_bytes = (size_t)(slash - element->name);
    const char *sub = slash + 1;
    size_t sub_bytes = element->length - type_bytes - 1;
    bool any_sub = sub_bytes == 1 && sub[0] == '*';

    if (any_sub && type_bytes == 1 && element->name[0] == '*') {
        return 1;
    }
    if (type_bytes != strlen(type) || strncasecmp(element->name, type, type_bytes) != 0) {
        return 0;
    }
    if (any_sub) {
        return 2;
    }
    return sub_bytes == strlen(subtype) && strncasecmp(sub, subtype, sub_bytes) == 0 ? 3 : 0;
}

bool negotiate_accepts(const char *accept, const char *type, const char *subtype)
{
    const char *rest = accept == NULL ? "" : accept;
    struct element element;
    int best_precision = 0;
    int quality = 0;
    bool is_empty = true;

    while (next_element(&rest, &element)) {
        int precision = precision_of(&element, type, subtype);

        is_empty = false;
        if (precision > best_precision) { /* the most exact range decides */
            best_precision = precision;
            quality = element.quality;
        }
    }
    return is_empty || quality > 0;
}

enum language negotiate_language(const char *accept_language)
{
    const char *rest = accept_language == NULL ? "" : accept_language;
    struct element element;
    enum language best = LANGUAGE_EN;
    int best_quality = 0;

    while (next_element(&rest, &element)) {
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            bool is_named = element.length >= 2 &&
                            strncasecmp(element.name, LANGUAGE_NAMES[language], 2) == 0 &&
                            (element.length == 2 || element.name[2] == '-');

            if (is_named && element.quality > best_quality) {
                best_quality = element.quality;
                best = (enum language)language;
            }
        }
    }
    return best;
}
