/* Finds words in names. Pure. */
#include "search.h"

#include "engine/names.h"

#include <string.h>

enum { KEY_BYTES = 256 }; /* beyond every name of the catalogue */

bool search_text_holds(const char *text, const char *word)
{
    char key[KEY_BYTES];

    return text != NULL && names_normalise(text, strlen(text), key, sizeof key) > 0 &&
           strstr(key, word) != NULL;
}
