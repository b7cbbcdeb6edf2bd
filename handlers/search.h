/* Looking for rows of the catalogue by what people type. Cards and models by name
 * are engine/names.h and engine/model_names.h. */
#ifndef GPUWISE_SEARCH_H
#define GPUWISE_SEARCH_H

#include "engine/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/* True when the word, which is in the form of names_normalise(), stands somewhere in the text.
 * NULL holds nothing. */
bool search_text_holds(const char *text, const char *word);

#endif
