/* What is wrong with the parameters of a request: collected, so that one answer names all of it. */
#ifndef GPUWISE_COMPLAINTS_H
#define GPUWISE_COMPLAINTS_H

#include "engine/money.h"
#include "engine/names.h"
#include "limits.h"

struct complaint {
    const char *parameter; /* as the asker wrote it */
    const char *detail;    /* what is wrong and what is allowed */
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

/* Adds one; the parameter's name is copied. Beyond LIMIT_PROBLEM_ERRORS it is only noted. */
void complaints_add(struct complaints *complaints, const char *parameter, size_t parameter_length,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds an engine's complaint "parameter: what is wrong". Returns the parameter as copied; NULL: it
 * was not added. */
const char *complaints_add_error(struct complaints *complaints, const struct error *err);

#endif
