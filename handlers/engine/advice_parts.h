/* Between the files advice*.c: what is collected while the question is asked again. */
#ifndef GPUWISE_ENGINE_ADVICE_PARTS_H
#define GPUWISE_ENGINE_ADVICE_PARTS_H

#include "advice.h"
#include "phrase.h"

/* A gain from here on is worth saying (DESIGN.md section 3.9). */
#define ADVICE_LEAST_GAIN 0.10

struct adviser {
    const struct question *question;
    const struct option *first; /* the first pick now; NULL: nothing fits */
    struct advice *advice;
    size_t count;
    struct arena *arena;
    bool is_out_of_memory;
};

/* For the one note of an advice. */
static inline struct phrase_book advice_book(struct adviser *adviser, struct note *note)
{
    return (struct phrase_book){adviser->arena, note, 0, 1, false};
}

/* Renting, where it costs less than owning or nothing can be bought. */
void advice_instead_rent(struct adviser *adviser, const struct recommendation *recommendation,
                         const struct advice_own *own);

/* Keeping the card of own=. */
void advice_instead_keep(struct adviser *adviser, const struct advice_own *own);

#endif
