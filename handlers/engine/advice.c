/* Asks the ranking again with one parameter changed and keeps the changes whose gain is real:
 * something fits where nothing did, or the first pick is a tenth faster or cheaper. Does not advise
 * on the answers it gets. Pure; one thread at a time. */
#include "advice.h"

#include "money.h"
#include "phrase.h"
#include "support.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A gain from here on is worth saying (DESIGN.md section 3.9). */
#define LEAST_GAIN 0.10

/* Buying is worth it from this many times the speed of the own card on (DESIGN.md section 3.9). */
#define KEEP_RATIO 1.5

/* Contexts are not advised below this: hardly any document or dialogue fits. */
#define LEAST_TOKENS 2048.0

/* Above this many bits a weight is not yet "4-bit"; the 4-bit formats of quants have up to 4.9. */
#define FOUR_BIT_MOST_BITS 5.0

struct adviser {
    const struct question *question;
    const struct option *first; /* the first pick now; NULL: nothing fits */
    struct advice *advice;
    size_t count;
    struct arena *arena;
    bool is_out_of_memory;
};

/* One change: the parameter, what to send, and the same as it is said. */
struct change {
    enum message_code code;
    const char *parameter, *value, *spoken;
};

/* Speed then over speed now. Where both count the same thing, in that; else against the reference
 * card. */
static double speed_ratio(const struct speed *then, const struct speed *now)
{
    if (then->unit == now->unit && now->unit != SPEED_RELATIVE) {
        return then->low / now->low;
    }
    return then->relative_low / now->relative_low;
}

static struct phrase_book book_of(struct adviser *adviser, struct note *note)
{
    return (struct phrase_book){adviser->arena, note, 0, 1, false};
}

/* "2 x NVIDIA GeForce RTX 3090". */
static const char *set_name(struct phrase_book *book, const struct option *option)
{
    const char *text = option->gpu->name;

    if (option->count > 1) {
        text = arena_format(book->arena, "%zu x %s", option->count, option->gpu->name);
        if (text == NULL) {
            book->is_out_of_memory = true;
            return "";
        }
    }
    return text;
}

/* Adds the advice with its size; *then is the first pick after the change. */
static void add(struct adviser *adviser, const struct change *change, const struct option *then,
                enum message_variant variant, double gain)
{
    struct advice *advice = &adviser->advice[adviser->count++];
    struct phrase_book book = book_of(adviser, &advice->note);
    const char *name = set_name(&book, then);
    const char *size = NULL;

    advice->parameter = change->parameter;
    advice->value = change->value;
    advice->gain = gain;
    if (variant == VARIANT_FASTER) {
        size = phrase_number(&book, 1 + gain, 1, "");
        advice->gain_text = arena_format(adviser->arena, "%s x", size);
    } else if (variant == VARIANT_CHEAPER) {
        size = arena_format(adviser->arena, "%.0f %%", 100 * gain);
        advice->gain_text = arena_format(adviser->arena, "-%.0f %%", 100 * gain);
    } else {
        advice->gain_text = name;
    }
    const char *const arguments[] = {name, size, change->spoken, NULL};

    phrase_add_four(&book, change->code, variant, arguments);
    adviser->is_out_of_memory |= book.is_out_of_memory || advice->gain_text == NULL ||
                                 (variant != VARIANT_FITS && size == NULL);
}

/* Asks again and keeps the change if it gains something. */
static void consider(struct adviser *adviser, const struct ask *changed,
                     const struct change *change)
{
    const struct option *now = adviser->first;
    struct question question;
    struct option then;
    double speed = 0;
    double cost = 0;

    if (change->value == NULL || change->spoken == NULL) {
        adviser->is_out_of_memory = true;
        return;
    }
    question_vary(&question, adviser->question, changed);
    if (!rank_first(&question, &then)) {
        return;
    }
    if (now == NULL) {
        add(adviser, change, &then, VARIANT_FITS, (double)NAN);
        return;
    }
    speed = speed_ratio(&then.speed, &now->speed) - 1;
    cost = 1 - then.cost.total_usd / now->cost.total_usd;
    if (speed >= LEAST_GAIN) {
        add(adviser, change, &then, VARIANT_FASTER, speed);
    } else if (cost >= LEAST_GAIN && speed > -LEAST_GAIN) {
        add(adviser, change, &then, VARIANT_CHEAPER, cost);
    }
}

/* The budget to try: a step more; where nothing fits, what the cheapest card that would fit takes,
 * rounded up to a whole unit. MONEY_UNKNOWN: there is none to try. */
static int64_t larger_budget(const struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    double step = adviser->question->catalogue->parameters.advice_budget_step;
    const int64_t unit = MONEY_MICROS_PER_UNIT;
    struct question question;
    struct option cheapest;

    if (ask.budget_micros == MONEY_UNKNOWN) {
        return MONEY_UNKNOWN;
    }
    if (adviser->first != NULL) {
        return money_round_to_cent(money_times(ask.budget_micros, 1 + step));
    }
    ask.budget_micros = MONEY_UNKNOWN;
    question_vary(&question, adviser->question, &ask);
    return rank_cheapest(&question, &cheapest)
               ? (cheapest.cost.purchase_micros + unit - 1) / unit * unit
               : MONEY_UNKNOWN;
}

static void consider_budget(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    struct note unused;
    struct phrase_book book = book_of(adviser, &unused);
    char text[MONEY_TEXT_BYTES];
    struct change change = {.code = MESSAGE_MORE_BUDGET, .parameter = "budget"};

    ask.budget_micros = larger_budget(adviser);
    if (ask.budget_micros <= 0) {
        return; /* nothing to try, or more than any budget */
    }
    money_format(ask.budget_micros, text);
    change.value = arena_format(adviser->arena, "%s", text);
    change.spoken = phrase_money(&book, ask.budget_micros, ask.currency);
    adviser->is_out_of_memory |= book.is_out_of_memory;
    consider(adviser, &ask, &change);
}

static void consider_used(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;

    if (ask.condition == ASKED_NEW) {
        ask.condition = ASKED_ANY;
        consider(adviser, &ask,
                 &(struct change){MESSAGE_ALLOW_USED, "condition", ASKED_CONDITION_NAMES[ASKED_ANY],
                                  ""});
    }
}

/* Inference in a 4-bit format the framework reads; tuning by an adapter on 4-bit weights. */
static void consider_quantize(struct adviser *adviser)
{
    const struct catalogue *catalogue = adviser->question->catalogue;
    struct ask ask = *adviser->question->ask;
    struct change change = {.code = MESSAGE_QUANTIZE, .parameter = "quant"};
    bool is_gguf = !ask.framework_is_given || ask.framework == FRAMEWORK_LLAMA_CPP;

    if (ask.model == NULL || !ask_is_language(&ask) || ask.quant == NULL ||
        ask.quant->bits_per_weight <= FOUR_BIT_MOST_BITS) {
        return;
    }
    if (ask.task == TASK_INFERENCE) {
        change.value = is_gguf ? catalogue->parameters.default_quant_inference : "awq";
        ask.framework = is_gguf ? FRAMEWORK_LLAMA_CPP : ask.framework;
    } else if (ask.task == TASK_LORA || ask.task == TASK_FINETUNE || ask.task == TASK_QLORA) {
        change.value = catalogue->parameters.default_quant_qlora;
        ask.task = TASK_QLORA;
    } else {
        return;
    }
    ask.quant = catalogue_find_quant(catalogue, change.value);
    if (ask.quant == NULL) {
        return;
    }
    change.spoken = change.value;
    if (adviser->question->ask->task != ask.task) {
        change.parameter = "task";
        change.value = TASK_NAMES[ask.task];
    }
    consider(adviser, &ask, &change);
}

static void consider_checkpointing(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;

    if (ask_is_training(&ask) && ask.model != NULL && ask.checkpointing == ANSWER_NO) {
        ask.checkpointing = ANSWER_YES;
        consider(adviser, &ask, &(struct change){MESSAGE_CHECKPOINT, "checkpointing", "yes", ""});
    }
}

/* Half the length. */
static void consider_shorter(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    bool is_training = ask_is_training(&ask);
    double *tokens = is_training ? &ask.seq_len : &ask.context;
    struct note unused;
    struct phrase_book book = book_of(adviser, &unused);
    struct change change = {.code = MESSAGE_SHORTER_CONTEXT,
                            .parameter = is_training ? "seq_len" : "context"};

    if (ask.model == NULL || !ask_is_language(&ask) || !(floor(*tokens / 2) >= LEAST_TOKENS)) {
        return;
    }
    *tokens = floor(*tokens / 2);
    change.value = arena_format(adviser->arena, "%.0f", *tokens);
    change.spoken = phrase_number(&book, *tokens, 0, "");
    adviser->is_out_of_memory |= book.is_out_of_memory;
    consider(adviser, &ask, &change);
}

/* More speed from two cards is worth telling only within a budget, as without one it is had simply
 * by paying twice, and not to who is learning (ARTICLES.md A16: trying things out needs little). */
static void consider_two_cards(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    bool is_one_enough =
        adviser->first != NULL && (ask.task == TASK_LEARN || ask.budget_micros == MONEY_UNKNOWN);

    if (ask.max_gpus < 2 && ask.strategy != STRATEGY_SINGLE && !is_one_enough) {
        ask.max_gpus = 2;
        consider(adviser, &ask, &(struct change){MESSAGE_TWO_CARDS, "max_gpus", "2", ""});
    }
}

/* "AutoDL 1x RTX 3060"; the accelerator too where the instance does not say it. */
static const char *offer_name(struct arena *arena, const struct cloud_offer *offer)
{
    const char *instance = offer->instance_type == NULL ? "" : offer->instance_type;

    if (strstr(instance, offer->accelerator) != NULL) {
        return arena_format(arena, "%s %s", offer->provider, instance);
    }
    return arena_format(arena, "%s %s%s%s", offer->provider, instance,
                        instance[0] == '\0' ? "" : " ", offer->accelerator);
}

/* Nothing can be bought: a free plan that holds the work, else the cheapest offer that runs it. */
static void advise_first_offer(struct adviser *adviser, const struct recommendation *recommendation)
{
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = book_of(adviser, &advice->note);
    const struct cloud_offer *offer = NULL;
    const struct notebook_plan *free_plan = NULL;
    enum framework framework = adviser->question->ask->framework;

    for (size_t i = 0; i < recommendation->cloud_count; i++) {
        const struct cloud_choice *choice = &recommendation->cloud[i];

        if (choice->plan != NULL && choice->does_work &&
            choice->plan->price_usd_per_month_micros == 0) {
            free_plan = choice->plan;
        }
        if (choice->offer != NULL && offer == NULL &&
            support_of(choice->offer->gpu, framework, OS_LINUX) == SUPPORT_SUPPORTED) {
            offer = choice->offer;
        }
    }
    if (free_plan != NULL) {
        advice->gain_text =
            arena_format(adviser->arena, "%s %s", free_plan->provider, free_plan->plan);
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_FREE, advice->gain_text, NULL);
    } else if (offer != NULL) {
        advice->gain_text = offer_name(adviser->arena, offer);
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_FITS, advice->gain_text,
                   phrase_money(&book, offer->usd_per_hour_micros, CURRENCY_USD));
    } else {
        return;
    }
    advice->gain = (double)NAN;
    adviser->is_out_of_memory |= book.is_out_of_memory || advice->gain_text == NULL;
    adviser->count++;
}

/* Share of the cost of owning that renting the same hours saves. At break-even the rent without the
 * energy it saves equals what is tied up in the card; where buying never pays off, the rent is
 * below the energy. */
static double rent_gain(const struct rent_or_buy *rent, const struct cost *cost)
{
    double planned_hours = cost->months * cost->hours_per_month;
    double tied_up = money_to_units(cost->purchase_micros - cost->resale_micros);
    double energy = money_to_units(cost->energy_micros);
    double share = isnan(rent->break_even_hours) ? 0 : planned_hours / rent->break_even_hours;

    return 1 - (tied_up * share + energy) / money_to_units(cost->total_micros);
}

static void advise_renting(struct adviser *adviser, const struct recommendation *recommendation)
{
    const struct rent_or_buy *rent = &recommendation->rent_or_buy;
    const struct ask *ask = adviser->question->ask;
    double planned_hours = ask->months * ask->hours_per_month;
    double gain = 0;
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = book_of(adviser, &advice->note);

    if (adviser->first == NULL) {
        advise_first_offer(adviser, recommendation);
        return;
    }
    if (!rent->is_known || !text_is(rent->verdict, "rent")) {
        return;
    }
    gain = rent_gain(rent, &recommendation->picks[0].cost);
    if (!(gain >= LEAST_GAIN)) {
        return;
    }
    if (isnan(rent->break_even_hours)) {
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_CHEAPER, NULL, NULL);
    } else {
        phrase_add(&book, MESSAGE_RENT_INSTEAD, VARIANT_USUAL,
                   phrase_number(&book, rent->break_even_hours, 0, "h"),
                   phrase_number(&book, planned_hours, 0, "h"));
    }
    advice->gain = gain;
    advice->gain_text = arena_format(adviser->arena, "-%.0f %%", 100 * gain);
    adviser->is_out_of_memory |= book.is_out_of_memory || advice->gain_text == NULL;
    adviser->count++;
}

/* The own card does the work, whatever it is worth: software, memory and the speed asked for. */
static bool own_does_work(const struct question *question, struct option *own)
{
    uint32_t about_the_purchase =
        (uint32_t)1 << MESSAGE_VENDOR_EXCLUDED | (uint32_t)1 << MESSAGE_SEGMENT_EXCLUDED |
        (uint32_t)1 << MESSAGE_FORM_FACTOR | (uint32_t)1 << MESSAGE_PSU_TOO_SMALL;
    uint32_t rejections = 0;

    *own = (struct option){.gpu = question->ask->own, .count = 1};
    rejections = constraint_of_card(question, own->gpu) | constraint_of_set(question, own) |
                 constraint_of_speed(question, own);
    return (rejections & ~about_the_purchase) == 0;
}

/* The fastest pick that would be bought; NULL: none. */
static const struct option *fastest_to_buy(const struct ranking *ranking, const struct gpu *own)
{
    const struct option *best = NULL;

    for (size_t i = 0; i < ranking->fitting_count; i++) {
        const struct option *option = ranking->fitting[i];

        if (!(option->gpu == own && option->count == 1) &&
            (best == NULL || option->speed.relative_low > best->speed.relative_low)) {
            best = option;
        }
    }
    return best;
}

bool advice_own_is_enough(const struct question *question, const struct ranking *ranking)
{
    const struct option *fastest = NULL;
    struct option own;

    if (question->ask->own == NULL || !own_does_work(question, &own)) {
        return false;
    }
    fastest = fastest_to_buy(ranking, own.gpu);
    return fastest == NULL || fastest->speed.relative_low < KEEP_RATIO * own.speed.relative_low;
}

/* What is gained is the whole price of what would be bought instead. */
static void advise_keeping(struct adviser *adviser, const struct ranking *ranking)
{
    const struct ask *ask = adviser->question->ask;
    struct advice *advice = &adviser->advice[adviser->count];
    struct phrase_book book = book_of(adviser, &advice->note);
    const char *ratio = phrase_number(&book, KEEP_RATIO, 1, "");
    const struct option *instead = NULL;

    if (!advice_own_is_enough(adviser->question, ranking)) {
        return;
    }
    if (ask->budget_micros != MONEY_UNKNOWN) {
        const char *const arguments[] = {
            ask->own->name, phrase_money(&book, ask->budget_micros, ask->currency), ratio, NULL};

        phrase_add_four(&book, MESSAGE_KEEP_OWN, VARIANT_USUAL, arguments);
    } else {
        phrase_add(&book, MESSAGE_KEEP_OWN, VARIANT_NO_BUDGET, ask->own->name, ratio);
    }
    instead = fastest_to_buy(ranking, ask->own);
    advice->gain = instead == NULL ? (double)NAN : 1;
    advice->gain_text = instead == NULL
                            ? ask->own->name
                            : phrase_money(&book, instead->cost.purchase_micros, ask->currency);
    adviser->is_out_of_memory |= book.is_out_of_memory;
    adviser->count++;
}

bool advice_find(const struct question *question, const struct ranking *ranking,
                 struct recommendation *recommendation, struct arena *arena, struct error *err)
{
    struct adviser adviser = {
        .question = question,
        .first = ranking->fitting_count > 0 ? ranking->fitting[0] : NULL,
        .advice = recommendation->advice,
        .arena = arena,
    };

    consider_budget(&adviser);
    consider_used(&adviser);
    consider_quantize(&adviser);
    consider_checkpointing(&adviser);
    consider_shorter(&adviser);
    consider_two_cards(&adviser);
    advise_renting(&adviser, recommendation);
    advise_keeping(&adviser, ranking);
    assert(adviser.count <= RECOMMEND_MAX_ADVICE);
    recommendation->advice_count = adviser.count;
    return !adviser.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the advice");
}
