/* What the tests of constraint.c share: one question asked about one card of a small catalogue
 * whose facts may be changed first. */
#ifndef GPUWISE_TESTS_CONSTRAINT_FIXTURE_H
#define GPUWISE_TESTS_CONSTRAINT_FIXTURE_H

#include "constraint.h"
#include "notes.h"

#include "recommend_fixture.h"

/* Four cards that have everything asked of them, among others. */
static const char *const CARDS[] = {"nvidia-geforce-rtx-3090", "nvidia-geforce-rtx-3060-12gb",
                                    "amd-radeon-rx-6800",      "nvidia-tesla-k80",
                                    "nvidia-a100-sxm4-80gb",   "nvidia-tesla-p40"};
enum { CARD_COUNT = sizeof CARDS / sizeof CARDS[0] };

__attribute__((unused)) static uint32_t bit(enum message_code code)
{
    return (uint32_t)1 << code;
}

/* The question asked of a small catalogue; *found is the best option of one card. */
struct trial {
    struct catalogue *catalogue;
    struct ask ask;
    struct arena arena;
    struct question question;
    struct option found;
    const char *own; /* id of the asker's own card; NULL: none */
};

__attribute__((unused)) static void start(struct trial *trial, const struct catalogue *shipped,
                                          enum task task)
{
    trial->catalogue = fixture_copy(shipped, 1);
    fixture_keep(trial->catalogue, CARDS, CARD_COUNT);
    trial->ask = fixture_ask(task, 0);
    trial->own = NULL;
    arena_init(&trial->arena, FIXTURE_ARENA_BYTES);
}

/* Asks about one card; only once a trial. */
__attribute__((unused)) static void try_card(struct trial *trial, const char *id)
{
    struct error err;

    fixture_build(trial->catalogue);
    if (trial->own != NULL) {
        trial->ask.own = fixture_gpu(trial->catalogue, trial->own);
    }
    if (!ask_complete(trial->catalogue, &trial->ask, &err) ||
        !question_init(&trial->question, trial->catalogue, &trial->ask, TEST_DAY, &trial->arena,
                       &err)) {
        test_bail_out("no question", err.text);
    }
    rank_card(&trial->question, fixture_gpu(trial->catalogue, id), &trial->found);
}

__attribute__((unused)) static void stop(struct trial *trial)
{
    arena_fini(&trial->arena);
    catalogue_unref(trial->catalogue);
}

/* Asserts the reasons of a card and the sentence of the first of them. */
__attribute__((unused)) static void expect(struct trial *trial, const char *id, uint32_t wanted,
                                           const char *sentence, const char *name)
{
    struct rejection rejection;
    struct error err;

    try_card(trial, id);
    (void)tap_ok(trial->found.rejections == wanted, "%s", name);
    if (trial->found.rejections != wanted) {
        printf("# found %#x, wanted %#x\n", trial->found.rejections, wanted);
    }
    if (trial->found.rejections != 0 && sentence != NULL) {
        if (!notes_of_rejection(&trial->question, &trial->found, &trial->arena, &rejection, &err)) {
            test_bail_out("no reasons", err.text);
        }
        (void)tap_text(message_text(&rejection.reasons[0], LANGUAGE_EN, &trial->arena), sentence,
                       name);
    }
    stop(trial);
}

#endif
