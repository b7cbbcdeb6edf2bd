/* From what people type to a model of the catalogue: never a guess. */
#ifndef GPUWISE_ENGINE_MODEL_NAMES_H
#define GPUWISE_ENGINE_MODEL_NAMES_H

#include "catalogue.h"

/* Writes the comparable form of a model's name: names_normalise() without the words that do not
 * change a model's shape (instruct, chat, gguf, a date of four digits, ...) and with nothing
 * between the others, so that Llama-3.1-8B-Instruct and "llama 3.1 8b" are alike. Returns its
 * length; 0 when nothing is left or it does not fit into room bytes with a NUL. */
size_t model_names_key(const char *text, size_t length, char *out, size_t room) MUST_CHECK;

/* The model of an id, a name or an alias, also behind the name of its maker
 * ("meta-llama/Llama-3.1-8B"); NULL: none. */
const struct model *model_names_find(const struct catalogue *catalogue, const char *text,
                                     size_t length);

/* The format of weights that a repository's name tells ("...-AWQ": awq), as quants.csv calls it;
 * NULL: none. */
const char *model_names_quant(const char *text, size_t length);

/* The models nearest to a text that is none: those that hold it, then those a few typing errors
 * away, of equal ones the first in the catalogue. Returns how many of most were found. */
size_t model_names_near(const struct catalogue *catalogue, const char *text, size_t length,
                        const struct model **models, size_t most);

#endif
