/* What a name resolves to, as one text that a table can hold: an id, ids joined by | where several
 * are meant, "-" for a known name without a card, "tpu", its id and its chips (0: not said), "?"
 * for an unknown name. */
#ifndef GPUWISE_TESTS_NAMES_FIXTURE_H
#define GPUWISE_TESTS_NAMES_FIXTURE_H

#include "names.h"
#include "tests/catalogue_fixture.h"
#include "tests/tap.h"

#include <math.h>

enum { MEANING_BYTES = 1024 };

__attribute__((unused)) static void write_result(const struct names_result *result,
                                                 char out[MEANING_BYTES])
{
    size_t used = 0;

    if (result->outcome == NAMES_TPU) {
        (void)snprintf(out, MEANING_BYTES, "tpu %s %g", result->tpu->tpu_slug,
                       known_or(result->tpu_chips, 0));
        return;
    }
    (void)snprintf(out, MEANING_BYTES, "%s", result->outcome == NAMES_NO_CARD ? "-" : "?");
    for (size_t i = 0; i < result->count && result->outcome <= NAMES_AMBIGUOUS; i++) {
        used += (size_t)snprintf(out + used, MEANING_BYTES - used, "%s%s", i == 0 ? "" : "|",
                                 result->gpus[i]->id);
    }
}

/* hints may be NULL. */
__attribute__((unused)) static void write_meaning(const struct catalogue *catalogue,
                                                  const char *text, const struct names_hints *hints,
                                                  char out[MEANING_BYTES])
{
    struct names_result result;

    names_resolve(catalogue, text, strlen(text), hints, &result);
    write_result(&result, out);
}

#endif
