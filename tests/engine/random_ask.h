/* Questions drawn at random, whatever can be asked together. */
#ifndef GPUWISE_TESTS_RANDOM_ASK_H
#define GPUWISE_TESTS_RANDOM_ASK_H

#include "dice.h"
#include "recommend_fixture.h"

__attribute__((unused)) static const struct gpu *pick_card(const struct catalogue *catalogue,
                                                           struct dice *dice)
{
    return &catalogue->gpus[throw_dice(dice, catalogue->gpu_count)];
}

__attribute__((unused)) static void draw_work(const struct catalogue *catalogue, struct dice *dice,
                                              struct ask *ask)
{
    double unknown = (double)NAN;

    ask->task = (enum task)throw_dice(dice, TASK_COUNT);
    if (throw_dice(dice, 3) == 0) {
        ask->model = &catalogue->models[throw_dice(dice, catalogue->model_count)];
    } else {
        ask->domain = (enum domain)throw_dice(dice, DOMAIN_COUNT);
        ask->domain_is_given = true;
    }
    ask->batch = PICK(dice, unknown, unknown, 1, 8);
    ask->users = PICK(dice, unknown, unknown, 1, 16);
    ask->max_gpus = PICK(dice, unknown, 1, 2, 3, 8);
    ask->min_memory_gib = PICK(dice, unknown, unknown, 10, 24, 80);
    ask->min_tokens_per_s = PICK(dice, unknown, unknown, unknown, unknown, 20);
    ask->hours = PICK(dice, unknown, 100);
    ask->strategy = throw_dice(dice, 2) == 0 ? STRATEGY_UNASKED
                                             : (enum strategy)throw_dice(dice, STRATEGY_COUNT);
}

__attribute__((unused)) static void draw_money(const struct catalogue *catalogue, struct dice *dice,
                                               struct ask *ask)
{
    static const char *const TIERS[] = {"low", "mid", "high", "unlimited"};
    double unknown = (double)NAN;

    ask->currency = (enum currency)throw_dice(dice, CURRENCY_COUNT);
    ask->budget_micros = throw_dice(dice, 4) == 0
                             ? MONEY_UNKNOWN
                             : usd((int64_t)PICK(dice, 50, 300, 777, 2000, 9999, 60000));
    ask->tier = throw_dice(dice, 6) == 0 ? TIERS[throw_dice(dice, 4)] : NULL;
    ask->condition = (enum asked_condition)throw_dice(dice, ASKED_CONDITION_COUNT);
    ask->prefer = (enum prefer)throw_dice(dice, PREFER_COUNT);
    ask->months = PICK(dice, unknown, 1, 7, 24, 60);
    ask->hours_per_month = PICK(dice, unknown, 0, 33.3, 700);
    ask->vat_share = PICK(dice, unknown, 0.13, 0.197);
    ask->host_price_micros = throw_dice(dice, 3) == 0 ? usd(600) : MONEY_UNKNOWN;
    ask->host_watts = PICK(dice, unknown, 123.4);
    ask->power_limit_watts = PICK(dice, unknown, unknown, 150, 333.3);
    ask->checkpoint_hours = PICK(dice, unknown, 0.01, 1.5, 1000);
    ask->own = throw_dice(dice, 4) == 0 ? pick_card(catalogue, dice) : NULL;
    for (size_t i = throw_dice(dice, 3); i > 0; i--) {
        ask->quotes[ask->quote_count++] =
            (struct quote){pick_card(catalogue, dice), usd((int64_t)PICK(dice, 99, 450, 3000))};
    }
}

__attribute__((unused)) static void draw_machine(struct dice *dice, struct ask *ask)
{
    static const char *const VENDORS[] = {"nvidia", "amd", "intel"};
    static const char *const SEGMENTS[] = {"consumer", "workstation", "datacenter"};
    double unknown = (double)NAN;

    ask->vendor = throw_dice(dice, 4) == 0 ? VENDORS[throw_dice(dice, 3)] : NULL;
    ask->segment = throw_dice(dice, 4) == 0 ? SEGMENTS[throw_dice(dice, 3)] : NULL;
    ask->os = (enum os)throw_dice(dice, OS_COUNT);
    ask->framework_is_given = throw_dice(dice, 3) == 0;
    ask->framework = ask->framework_is_given
                         ? (enum framework)throw_dice(dice, FRAMEWORK_ASKABLE_COUNT)
                         : FRAMEWORK_PYTORCH;
    ask->needs[throw_dice(dice, FEATURE_COUNT)] = throw_dice(dice, 3) == 0;
    ask->chassis = (enum chassis)throw_dice(dice, CHASSIS_COUNT + 1);
    ask->psu_watts = PICK(dice, unknown, unknown, 500, 850, 1600);
    ask->max_slots = PICK(dice, unknown, unknown, 2, 4);
    ask->max_length_mm = PICK(dice, unknown, unknown, 250, 300);
    ask->pcie_gen = PICK(dice, unknown, unknown, 3, 4);
    ask->pcie_lanes = PICK(dice, unknown, unknown, 4, 8);
    ask->plugs_is_given = throw_dice(dice, 4) == 0;
    ask->plugs[PLUG_8_PIN] = 2;
    ask->region = throw_dice(dice, 3) == 0 ? "cn" : NULL;
    ask->ignores_ecosystem = throw_dice(dice, 4) == 0;
}

/* False: what was drawn cannot be asked together. */
__attribute__((unused)) static bool draw_ask(const struct catalogue *catalogue, struct dice *dice,
                                             struct ask *ask)
{
    struct error err;

    ask_init(ask);
    draw_work(catalogue, dice, ask);
    draw_money(catalogue, dice, ask);
    if (throw_dice(dice, 2) == 0) { /* every other question says nothing of the machine */
        draw_machine(dice, ask);
    }
    ask->limit = 100;
    return ask_complete(catalogue, ask, &err);
}

#endif
