/* Turns ranked options into picks. Which of them are listed is decided by the caller (recommend.c,
 * deal.c). Pure; any thread. */
#include "pick.h"

#include "label.h"
#include "notes.h"

void pick_maker_init(struct pick_maker *maker, const struct question *question,
                     const struct ranking *ranking)
{
    *maker = (struct pick_maker){.question = question, .ranking = ranking};
    label_choose(question, ranking, maker->labelled);
    maker->lowest_power = label_lowest_power(ranking);
    advice_judge_own(question, &maker->own);
}

static void fill_figures(const struct pick_maker *maker, size_t place, struct pick *pick)
{
    const struct question *question = maker->question;
    const struct option *option = maker->ranking->fitting[place];
    const struct ask *ask = question->ask;

    *pick = (struct pick){
        .rank = place + 1,
        .gpu = option->gpu,
        .count = option->count,
        .strategy = option->strategy,
        .tier = label_tier(question, option),
        .is_pareto = rank_is_pareto(maker->ranking, option),
        .price = *option->price,
        .price_total_micros = money_times(option->price->amount_micros, (double)option->count),
        .holds_up_to_micros = rank_holds_up_to_micros(question, maker->ranking, place),
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
    cost_tell_work(&option->speed, &pick->cost);
    speed_link(question->catalogue, question->ask, option->gpu, option->count, &pick->link);
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        pick->labels[label] = maker->labelled[label] == option;
    }
}

bool pick_make(const struct pick_maker *maker, size_t place, struct arena *arena, struct pick *pick,
               struct error *err)
{
    const struct option *option = maker->ranking->fitting[place];
    struct notes_standing standing = {
        .fitting_count = maker->ranking->fitting_count,
        .has_lowest_power = option == maker->lowest_power,
        .is_own_enough = maker->own.is_enough && option->gpu == maker->question->ask->own,
    };

    fill_figures(maker, place, pick);
    return notes_of_warnings(maker->question, pick, arena, err) &&
           notes_of_reasons(maker->question, pick, &standing, arena, err);
}
