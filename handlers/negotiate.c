/* Reads Accept and Accept-Language. Malformed elements are skipped: a preference is no order. Pure.
 */
#include "negotiate.h"

#include "header_list.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

const char *const MEDIA_NAMES[MEDIA_COUNT] = {"json", "html", "text", "csv"};
const char *const MEDIA_TYPES[MEDIA_COUNT] = {"application/json", "text/html", "text/plain",
                                              "text/csv"};
const char *const MEDIA_CONTENT_TYPES[MEDIA_COUNT] = {
    "application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8",
    "text/csv; charset=utf-8; header=present"};

enum { EXACT = 3, ANY_SUBTYPE = 2, ANY_TYPE = 1, OTHER_TYPE = 0 }; /* how a range names a type */

/* How exactly the range names the type. */
static int precision_of(const struct header_element *element, const char *type)
{
    const char *slash = memchr(element->name, '/', element->length);
    size_t type_bytes = strlen(type);
    size_t main_bytes = strcspn(type, "/");

    if (slash == NULL) {
        return OTHER_TYPE;
    }
    if (element->length == 3 && memcmp(element->name, "*/*", 3) == 0) {
        return ANY_TYPE;
    }
    if ((size_t)(slash - element->name) != main_bytes ||
        strncasecmp(element->name, type, main_bytes) != 0) {
        return OTHER_TYPE;
    }
    if (element->length == main_bytes + 2 && slash[1] == '*') {
        return ANY_SUBTYPE;
    }
    return element->length == type_bytes && strncasecmp(element->name, type, type_bytes) == 0
               ? EXACT
               : OTHER_TYPE;
}

/* What Accept says of one type: the q of the most exact range, and how exact that was. */
static int quality_of(const char *accept, const char *type, int *precision)
{
    const char *rest = accept;
    struct header_element element;
    int quality = 0;

    *precision = OTHER_TYPE;
    while (header_list_next(&rest, &element)) {
        int found = precision_of(&element, type);

        if (found > *precision) {
            *precision = found;
            quality = element.quality;
        }
    }
    return quality;
}

/* Place among what is liked equally; who asks for any text is at a terminal: browsers name HTML. */
static int place_of(enum media media, int precision)
{
    return precision == ANY_SUBTYPE && media == MEDIA_TEXT ? -1 : (int)media;
}

static bool is_empty(const char *accept)
{
    return accept == NULL || accept[strspn(accept, " \t,")] == '\0';
}

bool negotiate_accepts(const char *accept, const char *type)
{
    int precision = OTHER_TYPE;

    return is_empty(accept) || quality_of(accept, type, &precision) > 0;
}

bool negotiate_media(const char *accept, size_t count, enum media *media)
{
    int best_quality = 0;
    int best_precision = OTHER_TYPE;
    int best_place = 0;

    if (is_empty(accept)) {
        *media = MEDIA_JSON;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        int precision = OTHER_TYPE;
        int quality = quality_of(accept, MEDIA_TYPES[i], &precision);
        int place = place_of((enum media)i, precision);
        bool is_better = quality != best_quality       ? quality > best_quality
                         : precision != best_precision ? precision > best_precision
                                                       : place < best_place;

        if (quality > 0 && is_better) {
            best_quality = quality;
            best_precision = precision;
            best_place = place;
            *media = (enum media)i;
        }
    }
    return best_quality > 0;
}

const char *negotiate_list(size_t count, struct arena *arena)
{
    const char *list = MEDIA_TYPES[0];

    assert(count <= MEDIA_COUNT);
    for (size_t i = 1; i < count && list != NULL; i++) {
        list = arena_format(arena, "%s, %s", list, MEDIA_TYPES[i]);
    }
    return list;
}

enum language negotiate_language(const char *accept_language)
{
    const char *rest = accept_language == NULL ? "" : accept_language;
    struct header_element element;
    enum language best = LANGUAGE_EN;
    int best_quality = 0;

    while (header_list_next(&rest, &element)) {
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
