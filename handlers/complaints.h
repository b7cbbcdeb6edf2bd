/* What is wrong with the parameters of a request: collected, so that one answer names all of it. */
#ifndef GPUWISE_COMPLAINTS_H
#define GPUWISE_COMPLAINTS_H

#include "engine/money.h"
#include "engine/names.h"
#include "engine/text.h"
#include "limits.h"

struct complaint {
    const char *parameter;  /* as the asker wrote it */
    struct wording wording; /* what is wrong and what is allowed */
};

struct complaints {
    struct arena *arena;
    struct complaint items[LIMIT_PROBLEM_ERRORS];
    size_t count;
    bool is_incomplete; /* more were found than are listed */
    bool is_out_of_memory;
    bool has_cards;
    struct names_result cards; /* of the first card name that was ambiguous or unknown */
};

void complaints_init(struct complaints *complaints, struct arena *arena);

/* Adds one; name and wording are copied, to be said when the language is known. Beyond
 * LIMIT_PROBLEM_ERRORS it is only noted. */
void complaints_add(struct complaints *complaints, const char *parameter, size_t parameter_length,
                    const struct wording *wording);

/* Adds an error of the engine, under its parameter when it names one. Returns the parameter as
 * copied; NULL: it was not added. */
const char *complaints_add_error(struct complaints *complaints, const struct error *err);

#endif
