/* Puts the answer together: the ranking, what is listed of it, why and why not, what would change
 * it, and the cloud beside it. Each of these is worked out elsewhere (rank.c, pick.c, notes.c,
 * advice.c, cloud.c). Pure; one thread at a time. */
#include "recommend.h"

#include "advice.h"
#include "cloud.h"
#include "label.h"
#include "notes.h"
#include "pick.h"

/* The first picks up to the limit; beyond it those with a label, the own card that is kept and,
 * where neither money nor tier is limited, the best of each tier. */
static bool is_listed(const struct pick_maker *maker, size_t place)
{
    const struct ask *ask = maker->question->ask;
    const struct option *option = maker->ranking->fitting[place];

    if (place < ask->limit || (maker->own.is_enough && option->is_owned)) {
        return true;
    }
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        if (maker->labelled[label] == option) {
            return true;
        }
    }
    return ask->budget_micros == MONEY_UNKNOWN && ask->tier == NULL &&
           label_is_best_of_tier(maker->question, maker->ranking, place);
}

static bool list_picks(const struct pick_maker *maker, struct arena *arena,
                       struct recommendation *recommendation, struct error *err)
{
    const struct ranking *ranking = maker->ranking;
    size_t listed = 0;

    recommendation->fitting_count = ranking->fitting_count;
    for (size_t place = 0; place < ranking->fitting_count; place++) {
        listed += is_listed(maker, place) ? 1 : 0;
    }
    recommendation->picks = arena_alloc_array(arena, listed, sizeof *recommendation->picks);
    if (recommendation->picks == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu picks", listed);
    }
    for (size_t place = 0; place < ranking->fitting_count; place++) {
        struct pick *pick = &recommendation->picks[recommendation->pick_count];

        if (!is_listed(maker, place)) {
            continue;
        }
        if (!pick_make(maker, place, arena, pick, err)) {
            return false;
        }
        recommendation->pick_count++;
    }
    return true;
}

static size_t rejections_listed(const struct question *question, const struct ranking *ranking)
{
    double near = question->catalogue->parameters.rejected_listed_default;

    if (question->ask->explain == EXPLAIN_NONE) {
        return 0;
    }
    if (question->ask->explain == EXPLAIN_ALL || near >= (double)ranking->rejected_count) {
        return ranking->rejected_count;
    }
    return (size_t)near;
}

static bool list_rejections(const struct question *question, const struct ranking *ranking,
                            struct arena *arena, struct recommendation *recommendation,
                            struct error *err)
{
    size_t listed = rejections_listed(question, ranking);
    struct rejection *rejections = arena_alloc_array(arena, listed, sizeof *rejections);

    if (rejections == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu rejections", listed);
    }
    for (size_t i = 0; i < listed; i++) {
        if (!notes_of_rejection(question, ranking->rejected[i], arena, &rejections[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < ranking->rejected_count; i++) {
        for (size_t code = 0; code < MESSAGE_REJECTION_COUNT; code++) {
            recommendation->rejected_counts[code] += ranking->rejected[i]->rejections >> code & 1;
        }
    }
    recommendation->rejections = rejections;
    recommendation->rejection_count = listed;
    recommendation->rejected_total = ranking->rejected_count;
    return true;
}

/* The need of the first pick's set; of one card where nothing fits. */
static struct memory_need need_of(const struct question *question, const struct ranking *ranking)
{
    const struct option *first = ranking->fitting_count > 0 ? ranking->fitting[0] : NULL;

    if (first == NULL || first->count == 1) {
        return question->copies[1];
    }
    return first->strategy == question->copies_strategy ? question->copies[first->count]
                                                        : question->shares[first->count];
}

static bool add_cloud(const struct question *question, struct arena *arena,
                      struct recommendation *recommendation, struct error *err)
{
    const struct pick *first = recommendation->pick_count > 0 ? &recommendation->picks[0] : NULL;

    struct cloud_survey survey;

    if (!cloud_survey_make(&survey, question, arena, err) ||
        !cloud_choose(&survey, arena, recommendation->cloud, &recommendation->cloud_count, err) ||
        !cloud_rent_or_buy(&survey, question, first, arena, &recommendation->rent_or_buy, err)) {
        return false;
    }
    if (first == NULL) {
        recommendation->rent_or_buy.note =
            (struct note){.code = MESSAGE_RENT_NO_OFFER, .variant = VARIANT_NO_PICK};
    }
    return true;
}

bool recommend(const struct catalogue *catalogue, const struct ask *ask, int32_t day,
               struct arena *arena, struct recommendation *recommendation, struct error *err)
{
    struct question question;
    struct ranking ranking;
    struct recommendation made = {0};
    struct pick_maker maker;

    if (!question_init(&question, catalogue, ask, day, arena, err) ||
        !rank_all(&question, arena, &ranking, err)) {
        return false;
    }
    made.need = need_of(&question, &ranking);
    pick_maker_init(&maker, &question, &ranking);
    if (!list_picks(&maker, arena, &made, err) ||
        !list_rejections(&question, &ranking, arena, &made, err) ||
        !add_cloud(&question, arena, &made, err) ||
        !advice_find(&question, &ranking, &maker.own, &made, arena, err)) {
        return false;
    }
    *recommendation = made;
    return true;
}
