/* Asks questions drawn at random from a fixed seed, each of them again with one thing changed, and
 * counts the answers that moved the wrong way: on the shipped facts and on catalogues that nobody
 * made. */
#ifndef GPUWISE_TESTS_TRIAL_H
#define GPUWISE_TESTS_TRIAL_H

#include "random_ask.h"
#include "random_catalogue.h"

enum { SHIPPED_QUESTIONS = 60, RANDOM_CATALOGUES = 150, QUESTIONS_EACH = 4 };

/* A question with its answer, against which another is held. */
struct trial {
    const struct catalogue *catalogue;
    const struct ask *ask;
    struct dice *dice;
    struct arena *arena;
    struct question question;
    struct ranking ranking;
};

/* What is answered lives in the arena. */
__attribute__((unused)) static struct trial trial_of(const struct catalogue *catalogue,
                                                     const struct ask *ask, struct dice *dice,
                                                     struct arena *arena)
{
    struct trial trial = {.catalogue = catalogue, .ask = ask, .dice = dice, .arena = arena};
    struct error err;

    if (!question_init(&trial.question, catalogue, ask, TEST_DAY, arena, &err) ||
        !rank_all(&trial.question, arena, &trial.ranking, &err)) {
        test_bail_out("no ranking", err.text);
    }
    return trial;
}

/* The same with another ask or catalogue. */
__attribute__((unused)) static struct trial
ask_again(const struct trial *trial, const struct catalogue *catalogue, const struct ask *ask)
{
    return trial_of(catalogue, ask, trial->dice, trial->arena);
}

__attribute__((unused)) static const struct option *option_of(const struct trial *trial,
                                                              const struct gpu *gpu)
{
    return &trial->ranking.options[gpu->index];
}

__attribute__((unused)) static bool is_pick(const struct option *option)
{
    return option->rejections == 0;
}

/* In the order of picks, whatever the id. */
__attribute__((unused)) static bool is_not_behind(const struct option *a, const struct option *b)
{
    return rank_class(a) != rank_class(b) ? rank_class(a) < rank_class(b) : a->score >= b->score;
}

/* A pick drawn at random, or any card where nothing fits. */
__attribute__((unused)) static const struct gpu *draw_card(const struct trial *trial)
{
    if (trial->ranking.fitting_count > 0) {
        return trial->ranking.fitting[throw_dice(trial->dice, trial->ranking.fitting_count)]->gpu;
    }
    return pick_card(trial->catalogue, trial->dice);
}

struct property {
    const char *name;
    bool (*holds)(const struct trial *trial);
};
enum { PROPERTIES_MAX = 16 };

/* False: what was drawn cannot be asked together. */
__attribute__((unused)) static bool try_question(const struct catalogue *catalogue,
                                                 struct dice *dice,
                                                 const struct property *properties, size_t count,
                                                 size_t broken[PROPERTIES_MAX])
{
    struct arena arena;
    struct ask ask;

    if (!draw_ask(catalogue, dice, &ask)) {
        return false;
    }
    arena_init(&arena, FIXTURE_ARENA_BYTES);
    struct trial trial = trial_of(catalogue, &ask, dice, &arena);

    for (size_t p = 0; p < count; p++) {
        broken[p] += !properties[p].holds(&trial);
    }
    arena_fini(&arena);
    return true;
}

__attribute__((unused)) static void tell(const char *where, size_t asked, size_t least,
                                         const struct property *properties, size_t count,
                                         const size_t broken[PROPERTIES_MAX])
{
    (void)tap_ok(asked >= least, "%s: %zu questions", where, asked);
    for (size_t p = 0; p < count; p++) {
        (void)tap_ok(broken[p] == 0, "%s: %s", where, properties[p].name);
    }
}

__attribute__((unused)) static void try_properties(const struct property *properties, size_t count)
{
    struct catalogue *shipped = test_catalogue();
    struct dice dice = {.state = 20261130};
    size_t broken_shipped[PROPERTIES_MAX] = {0};
    size_t broken_random[PROPERTIES_MAX] = {0};
    size_t asked = 0;

    for (size_t i = 0; i < SHIPPED_QUESTIONS; i++) {
        asked += try_question(shipped, &dice, properties, count, broken_shipped);
    }
    tell("shipped facts", asked, SHIPPED_QUESTIONS / 2, properties, count, broken_shipped);
    asked = 0;
    for (size_t i = 0; i < RANDOM_CATALOGUES; i++) {
        struct catalogue *catalogue = random_catalogue(shipped, &dice);

        for (size_t q = 0; q < QUESTIONS_EACH; q++) {
            asked += try_question(catalogue, &dice, properties, count, broken_random);
        }
        catalogue_unref(catalogue);
    }
    tell("random catalogues", asked, (size_t)RANDOM_CATALOGUES * QUESTIONS_EACH / 2, properties,
         count, broken_random);
    catalogue_unref(shipped);
}

#endif
