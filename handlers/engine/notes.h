/* Warnings and reasons of a pick, and the reasons of a rejection, as notes. */
#ifndef GPUWISE_ENGINE_NOTES_H
#define GPUWISE_ENGINE_NOTES_H

#include "rank.h"
#include "recommend.h"

/* Fills gpu, reasons and speed of the rejection, in the order of the codes. */
bool notes_of_rejection(const struct question *question, const struct option *option,
                        struct arena *arena, struct rejection *rejection,
                        struct error *err) MUST_CHECK;

/* Fills the warnings of a pick, most important first. The rest of the pick is filled already. */
bool notes_of_warnings(const struct question *question, struct pick *pick, struct arena *arena,
                       struct error *err) MUST_CHECK;

/* What the whole ranking says about a pick. */
struct notes_standing {
    size_t fitting_count;
    bool has_lowest_power, is_own_enough;
};

/* Fills the reasons of a pick. The rest of the pick is filled already. */
bool notes_of_reasons(const struct question *question, struct pick *pick,
                      const struct notes_standing *standing, struct arena *arena,
                      struct error *err) MUST_CHECK;

/* Fills the warnings about a card alone, under PyTorch on Linux; returns their number, 0 when the
 * arena is exhausted. */
size_t notes_of_card(const struct gpu *gpu, struct arena *arena,
                     struct note warnings[RECOMMEND_MAX_NOTES]);

#endif
