/* Looking for rows of the catalogue by what people type. Cards by name are engine/names.h. */
#ifndef GPUWISE_SEARCH_H
#define GPUWISE_SEARCH_H

#include "engine/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/* True when the word, which is in the form of names_normalise(), stands somewhere in the text.
 * NULL holds nothing. */
bool search_text_holds(const char *text, const char *word);

/* The model whose id or name this is, whatever its case, blanks and hyphens; NULL: none. */
const struct model *search_find_model(const struct catalogue *catalogue, const char *text,
                                      size_t length);

/* The models nearest to a text that is none: those that hold it, then those a few typing errors
 * away, of equal ones the first in the catalogue. Returns how many of most were found. */
size_t search_near_models(const struct catalogue *catalogue, const char *text, size_t length,
                          const struct model **models, size_t most);

#endif
