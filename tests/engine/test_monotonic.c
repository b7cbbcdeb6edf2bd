/* Which way the ranking must move when the question changes: more money and more cards lose no
 * pick, constraints win none, a larger job or a smaller memory fits no more, more use takes more
 * energy. */
#include "trial.h"

/* What fitted still does, none scores less. */
static bool loses_no_pick(const struct trial *before, const struct trial *after)
{
    for (size_t i = 0; i < before->ranking.fitting_count; i++) {
        const struct option *was = before->ranking.fitting[i];
        const struct option *is = option_of(after, was->gpu);

        if (!is_pick(is) || !is_not_behind(is, was)) {
            printf("# %s x %zu scored %.9g, then x %zu %.9g, rejected %#x\n", was->gpu->id,
                   was->count, was->score, is->count, is->score, is->rejections);
            return false;
        }
    }
    return true;
}

static bool wins_no_pick(const struct trial *before, const struct trial *after)
{
    for (size_t i = 0; i < after->ranking.fitting_count; i++) {
        const struct option *is = after->ranking.fitting[i];
        const struct option *was = option_of(before, is->gpu);

        if (!is_pick(was)) {
            printf("# %s x %zu is new, was x %zu rejected %#x\n", is->gpu->id, is->count,
                   was->count, was->rejections);
            return false;
        }
    }
    return true;
}

static bool more_money_loses_nothing(const struct trial *trial)
{
    struct ask richer = *trial->ask;

    if (richer.budget_micros == MONEY_UNKNOWN) {
        return true;
    }
    richer.budget_micros += richer.budget_micros / 3;
    struct trial after = ask_again(trial, trial->catalogue, &richer);

    return loses_no_pick(trial, &after);
}

static bool more_cards_lose_nothing(const struct trial *trial)
{
    struct ask ask = *trial->ask;

    if (ask.max_gpus >= ASK_MAX_CARDS) {
        return true;
    }
    ask.max_gpus += 1 + (double)throw_dice(trial->dice, ASK_MAX_CARDS - (size_t)ask.max_gpus);
    struct trial after = ask_again(trial, trial->catalogue, &ask);

    return loses_no_pick(trial, &after);
}

/* One more thing asked, or something asked more sharply. */
static void add_constraint(struct dice *dice, struct ask *ask)
{
    switch (throw_dice(dice, 14)) {
    case 0:
        ask->budget_micros =
            ask->budget_micros == MONEY_UNKNOWN ? usd(900) : ask->budget_micros / 2;
        break;
    case 1:
        ask->tier = ask->tier == NULL ? PICK_TEXT(dice, "low", "mid", "high") : ask->tier;
        break;
    case 2:
        ask->condition = ask->condition == ASKED_ANY ? (enum asked_condition)throw_dice(dice, 2)
                                                     : ask->condition;
        break;
    case 3:
        ask->vendor = ask->vendor == NULL ? "nvidia" : ask->vendor;
        break;
    case 4:
        ask->segment = ask->segment == NULL ? "consumer" : ask->segment;
        break;
    case 5:
    case 6:
        ask->needs[throw_dice(dice, FEATURE_COUNT)] = true;
        break;
    case 7:
        ask->psu_watts = isnan(ask->psu_watts) ? 750 : ask->psu_watts / 2;
        break;
    case 8:
        ask->max_slots = isnan(ask->max_slots) ? 4 : ask->max_slots / 2;
        break;
    case 9:
        ask->min_memory_gib = isnan(ask->min_memory_gib) ? 12 : 2 * ask->min_memory_gib;
        break;
    case 10:
        ask->min_tokens_per_s = ask_is_training(ask)           ? ask->min_tokens_per_s
                                : isnan(ask->min_tokens_per_s) ? 30
                                                               : 2 * ask->min_tokens_per_s;
        break;
    case 11:
        ask->chassis = CHASSIS_DESKTOP;
        break;
    case 12:
        ask->display = ANSWER_YES;
        break;
    default:
        ask->strategy = ask->strategy == STRATEGY_UNASKED ? STRATEGY_SINGLE : ask->strategy;
        break;
    }
}

static bool a_constraint_adds_no_pick(const struct trial *trial)
{
    struct ask ask = *trial->ask;

    add_constraint(trial->dice, &ask);
    struct trial after = ask_again(trial, trial->catalogue, &ask);

    return wins_no_pick(trial, &after);
}

/* More of the job at once, or a larger model of the same shape. */
static void enlarge(struct dice *dice, struct ask *ask)
{
    double *tokens = ask_is_training(ask) ? &ask->seq_len : &ask->context;
    bool has_size = ask->model != NULL && text_is(ask->model->kind, "llm");

    switch (throw_dice(dice, 4)) {
    case 0:
        ask->batch *= 2;
        break;
    case 1:
        ask->users *= 2;
        break;
    case 2:
        *tokens *= 2;
        break;
    default:
        if (has_size) {
            ask->model_params =
                1.3 * (isnan(ask->model_params) ? ask->model->params_total : ask->model_params);
        }
        break;
    }
}

/* Every card in every number, whatever else is against it. */
static bool holds(const struct question *question, const struct gpu *gpu, size_t count)
{
    struct option option = {.gpu = gpu, .count = count};
    uint32_t too_small = (uint32_t)1 << MESSAGE_MEMORY_TOO_SMALL;

    return (constraint_of_set(question, &option) & too_small) == 0;
}

static bool a_larger_job_fits_no_more(const struct trial *trial)
{
    struct ask larger = *trial->ask;
    struct question question;

    enlarge(trial->dice, &larger);
    question_vary(&question, &trial->question, &larger);
    for (size_t i = 0; i < trial->catalogue->gpu_count; i++) {
        const struct gpu *gpu = &trial->catalogue->gpus[i];

        for (size_t count = 1; count <= question.cards_max; count++) {
            if (holds(&question, gpu, count) && !holds(&trial->question, gpu, count)) {
                printf("# %zu x %s holds the larger job only: %s, task %s\n", count, gpu->id,
                       trial->ask->model == NULL ? "no model" : trial->ask->model->id,
                       TASK_NAMES[trial->ask->task]);
                return false;
            }
        }
    }
    return true;
}

static bool less_memory_fits_no_more(const struct trial *trial)
{
    struct gpu smaller = *draw_card(trial);

    smaller.memory_gib *= 0.7;
    smaller.memory_per_process_gib *= 0.7;
    smaller.memory_usable_gib *= 0.7;
    for (size_t count = 1; count <= trial->question.cards_max; count++) {
        if (holds(&trial->question, &smaller, count) &&
            !holds(&trial->question, &trial->catalogue->gpus[smaller.index], count)) {
            return false;
        }
    }
    return true;
}

/* The set of a pick, used for longer and for more hours. */
static bool more_use_takes_more_energy(const struct trial *trial)
{
    for (size_t i = 0; i < trial->ranking.fitting_count; i++) {
        const struct option *option = trial->ranking.fitting[i];
        struct ask ask = *trial->ask;
        struct cost longer;
        struct cost busier;

        ask.months *= 1.5;
        cost_estimate(trial->catalogue, &ask, option->gpu, option->count, option->price,
                      option->job_hours, &longer);
        ask.months = trial->ask->months;
        ask.hours_per_month = 1.5 * ask.hours_per_month + 1;
        cost_estimate(trial->catalogue, &ask, option->gpu, option->count, option->price,
                      option->job_hours, &busier);
        if (longer.energy_micros < option->cost.energy_micros ||
            busier.energy_micros <= option->cost.energy_micros ||
            busier.purchase_micros != option->cost.purchase_micros ||
            longer.resale_micros > option->cost.resale_micros) {
            return false;
        }
    }
    return true;
}

static const struct property PROPERTIES[] = {
    {"more money: no pick is lost, none scores less", more_money_loses_nothing},
    {"more cards allowed: no pick is lost, none scores less", more_cards_lose_nothing},
    {"one more constraint adds no pick", a_constraint_adds_no_pick},
    {"a larger job fits no set that the smaller does not", a_larger_job_fits_no_more},
    {"with less memory a card holds nothing more", less_memory_fits_no_more},
    {"longer and busier use takes no less energy", more_use_takes_more_energy},
};

int main(void)
{
    try_properties(PROPERTIES, sizeof PROPERTIES / sizeof PROPERTIES[0]);
    return tap_done();
}
