/* Puts the answer together: the ranking, what is listed of it, why and why not, what would change
 * it, and the cloud beside it. Each of these is worked out elsewhere (rank.c, label.c, notes.c,
 * advice.c, cloud.c). Pure; one thread at a time. */
#include "recommend.h"

#include "advice.h"
#include "cloud.h"
#include "label.h"
#include "notes.h"
#include "rank.h"

#include <math.h>

/* What the list of picks is made from. */
struct selection {
    const struct question *question;
    const struct ranking *ranking;
    const struct option *labelled[LABEL_COUNT];
    const struct option *lowest_power;
    bool is_own_enough;
};

/* The first picks up to the limit; beyond it those with a label and, where neither money nor tier
 * is limited, the best of each tier. */
static bool is_listed(const struct selection *selection, size_t place)
{
    const struct ask *ask = selection->question->ask;
    const struct option *option = selection->ranking->fitting[place];

    if (place < ask->limit) {
        return true;
    }
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        if (selection->labelled[label] == option) {
            return true;
        }
    }
    return ask->budget_micros == MONEY_UNKNOWN && ask->tier == NULL &&
           label_is_best_of_tier(selection->question, selection->ranking, place);
}

static void fill_pick(const struct selection *selection, size_t place, struct pick *pick)
{
    const struct question *question = selection->question;
    const struct option *option = selection->ranking->fitting[place];
    const struct ask *ask = question->ask;

    *pick = (struct pick){
        .rank = place + 1,
        .gpu = option->gpu,
        .count = option->count,
        .strategy = option->strategy,
        .tier = label_tier(question, option),
        .is_pareto = rank_is_pareto(selection->ranking, option),
        .price = *option->price,
        .price_total_micros = money_times(option->price->amount_micros, (double)option->count),
        .holds_up_to_micros = rank_holds_up_to_micros(question, selection->ranking, place),
        .needed_gib = option->needed_gib,
        .available_gib = option->available_gib,
        .is_tight = option->is_tight,
        .is_owned = option->is_owned,
        .speed = option->speed,
        .job_hours = option->job_hours,
        .job_hours_low = speed_job_hours(ask, &option->speed, option->speed.high),
        .job_hours_high = speed_job_hours(ask, &option->speed, option->speed.low),
        .cost = option->cost,
        .score = option->score,
        .score_parts = option->score_parts,
    };
    cost_tell_resale(question->catalogue, option->gpu, option->count, option->price, question->day,
                     &pick->cost);
    speed_link(question->catalogue, option->gpu, option->count, &pick->link);
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        pick->labels[label] = selection->labelled[label] == option;
    }
}

static bool list_picks(const struct selection *selection, struct arena *arena,
                       struct recommendation *recommendation, struct error *err)
{
    const struct ranking *ranking = selection->ranking;
    size_t listed = 0;

    recommendation->fitting_count = ranking->fitting_count;
    for (size_t place = 0; place < ranking->fitting_count; place++) {
        listed += is_listed(selection, place) ? 1 : 0;
    }
    recommendation->picks = arena_alloc_array(arena, listed, sizeof *recommendation->picks);
    if (recommendation->picks == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu picks", listed);
    }
    for (size_t place = 0; place < ranking->fitting_count; place++) {
        const struct option *option = ranking->fitting[place];
        struct pick *pick = &recommendation->picks[recommendation->pick_count];
        struct notes_standing standing = {
            .fitting_count = ranking->fitting_count,
            .has_lowest_power = option == selection->lowest_power,
            .is_own_enough =
                selection->is_own_enough && option->gpu == selection->question->ask->own,
        };

        if (!is_listed(selection, place)) {
            continue;
        }
        fill_pick(selection, place, pick);
        if (!notes_of_warnings(selection->question, pick, arena, err) ||
            !notes_of_reasons(selection->question, pick, &standing, arena, err)) {
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

    if (!cloud_choose(question, arena, recommendation->cloud, &recommendation->cloud_count, err) ||
        !cloud_rent_or_buy(question->catalogue, question->ask, first, question->day, arena,
                           &recommendation->rent_or_buy, err)) {
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
    struct selection selection = {.question = &question, .ranking = &ranking};

    if (!question_init(&question, catalogue, ask, day, arena, err) ||
        !rank_all(&question, arena, &ranking, err)) {
        return false;
    }
    made.need = need_of(&question, &ranking);
    label_choose(&question, &ranking, selection.labelled);
    selection.lowest_power = label_lowest_power(&ranking);
    selection.is_own_enough = advice_own_is_enough(&question, &ranking);
    if (!list_picks(&selection, arena, &made, err) ||
        !list_rejections(&question, &ranking, arena, &made, err) ||
        !add_cloud(&question, arena, &made, err) ||
        !advice_find(&question, &ranking, &made, arena, err)) {
        return false;
    }
    *recommendation = made;
    return true;
}

size_t recommend_card_warnings(const struct catalogue *catalogue, const struct gpu *gpu,
                               struct arena *arena, struct note warnings[RECOMMEND_MAX_NOTES])
{
    (void)
        catalogue; /* the card holds all that is looked at; the parameter is part of the contract */
    return notes_of_card(gpu, arena, warnings);
}
