/* Asks the ranking again with one parameter changed and keeps the changes whose gain is real:
 * something fits where nothing did, or the first pick is a tenth faster or cheaper. Does not advise
 * on the answers it gets. Pure; one thread at a time. */
#include "advice_parts.h"

#include "money.h"

#include <assert.h>
#include <math.h>

/* Contexts are not advised below this: hardly any document or dialogue fits. */
#define LEAST_TOKENS 2048.0

/* Above this many bits a weight is not yet "4-bit"; the 4-bit formats of quants have up to 4.9. */
#define FOUR_BIT_MOST_BITS 5.0

/* What to send, and the main value of it as it is said. */
struct change {
    enum message_code code;
    struct advice_change changes[ADVICE_MAX_CHANGES];
    size_t count;
    const char *spoken;
    bool has_two_cards; /* beside what the code says */
};

static struct change change_of(enum message_code code, const char *parameter, const char *value,
                               const char *spoken)
{
    return (struct change){
        .code = code, .changes = {{parameter, value}}, .count = 1, .spoken = spoken};
}

/* Speed then over speed now. Where both count the same thing, in that; else against the reference
 * card. */
static double speed_ratio(const struct speed *then, const struct speed *now)
{
    if (then->unit == now->unit && now->unit != SPEED_RELATIVE) {
        return then->low / now->low;
    }
    return then->relative_low / now->relative_low;
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
    struct phrase_book book = advice_book(adviser, &advice->note);
    const char *name = set_name(&book, then);
    const char *size = NULL;

    advice->change_count = change->count;
    for (size_t i = 0; i < change->count; i++) {
        advice->changes[i] = change->changes[i];
    }
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
    const char *const arguments[NOTE_MAX_ARGUMENTS] = {name, size, change->spoken, NULL};

    phrase_add_all(&book, change->code, variant, arguments);
    adviser->is_out_of_memory |=
        book.is_out_of_memory || advice->gain_text == NULL || (!isnan(gain) && size == NULL);
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

    if (change->changes[0].value == NULL || change->spoken == NULL) {
        adviser->is_out_of_memory = true;
        return;
    }
    question_vary(&question, adviser->question, changed);
    if (!rank_first(&question, &then)) {
        return;
    }
    if (now == NULL) {
        add(adviser, change, &then, change->has_two_cards ? VARIANT_FITS_TWO : VARIANT_FITS,
            (double)NAN);
        return;
    }
    speed = speed_ratio(&then.speed, &now->speed) - 1;
    cost = 1 - then.cost.total_usd / now->cost.total_usd;
    if (speed >= ADVICE_LEAST_GAIN) {
        add(adviser, change, &then, VARIANT_FASTER, speed);
    } else if (cost >= ADVICE_LEAST_GAIN && speed > -ADVICE_LEAST_GAIN) {
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
    if (!rank_cheapest(&question, &cheapest)) {
        return MONEY_UNKNOWN;
    }
    /* to the micro-unit, as the budget is compared; the cost of the card is told to the cent */
    int64_t purchase_micros =
        constraint_purchase_micros(&ask, cheapest.count, cheapest.price->planning_micros);

    return (purchase_micros + unit - 1) / unit * unit;
}

static void consider_budget(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    struct note unused;
    struct phrase_book book = advice_book(adviser, &unused);
    char text[MONEY_TEXT_BYTES];
    struct change change;

    ask.budget_micros = larger_budget(adviser);
    if (ask.budget_micros <= 0 ||
        ask.budget_micros > (int64_t)ASK_MAX_AMOUNT * MONEY_MICROS_PER_UNIT) {
        return; /* nothing to try, or more than any budget */
    }
    money_format(ask.budget_micros, text);
    change = change_of(MESSAGE_MORE_BUDGET, "budget", arena_format(adviser->arena, "%s", text),
                       phrase_money(&book, ask.budget_micros, ask.currency));
    adviser->is_out_of_memory |= book.is_out_of_memory;
    consider(adviser, &ask, &change);
}

static void consider_used(struct adviser *adviser)
{
    struct change change =
        change_of(MESSAGE_ALLOW_USED, "condition", ASKED_CONDITION_NAMES[ASKED_ANY], "");
    struct ask ask = *adviser->question->ask;

    if (ask.condition == ASKED_NEW) {
        ask.condition = ASKED_ANY;
        consider(adviser, &ask, &change);
    }
}

/* Changes the ask to 4-bit weights: inference to a format the framework reads, tuning to an adapter
 * on them, pictures to what diffusers loads. False: it has them, or nothing of the kind. */
static bool quantize(const struct catalogue *catalogue, struct ask *ask, struct change *change)
{
    bool is_diffusion = ask->model != NULL && text_is(ask->model->kind, "diffusion");
    bool is_gguf =
        !is_diffusion && (!ask->framework_is_given || ask->framework == FRAMEWORK_LLAMA_CPP);
    enum task task = ask->task;
    const char *format = NULL;

    if (ask->model == NULL || (!ask_is_language(ask) && !is_diffusion) || ask->quant == NULL ||
        ask->quant->bits_per_weight <= FOUR_BIT_MOST_BITS) {
        return false;
    }
    if (is_diffusion) {
        format = task == TASK_INFERENCE ? catalogue->parameters.default_quant_qlora : NULL;
    } else if (task == TASK_INFERENCE) {
        format = is_gguf ? catalogue->parameters.default_quant_inference : "awq";
        ask->framework = is_gguf ? FRAMEWORK_LLAMA_CPP : ask->framework;
        ask->runtime = is_gguf ? RUNTIME_LLAMA_CPP : ask->runtime;
    } else if (task == TASK_LORA || task == TASK_FINETUNE || task == TASK_QLORA) {
        format = catalogue->parameters.default_quant_qlora;
        ask->task = TASK_QLORA;
    }
    ask->quant = format == NULL ? NULL : catalogue_find_quant(catalogue, format);
    *change = change_of(MESSAGE_QUANTIZE, "quant", format, format);
    if (task != ask->task) { /* a format that was asked for would stay: both change */
        change->changes[1] = change->changes[0];
        change->changes[0] = (struct advice_change){"task", TASK_NAMES[ask->task]};
        change->count = 2;
    }
    return ask->quant != NULL;
}

static void consider_quantize(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    struct change change;

    if (quantize(adviser->question->catalogue, &ask, &change)) {
        consider(adviser, &ask, &change);
    }
}

static void consider_checkpointing(struct adviser *adviser)
{
    struct change change = change_of(MESSAGE_CHECKPOINT, "checkpointing", "yes", "");
    struct ask ask = *adviser->question->ask;

    if (ask_is_training(&ask) && ask.model != NULL && ask.checkpointing == ANSWER_NO) {
        ask.checkpointing = ANSWER_YES;
        consider(adviser, &ask, &change);
    }
}

/* Half the length. */
static void consider_shorter(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    bool is_training = ask_is_training(&ask);
    double *tokens = is_training ? &ask.seq_len : &ask.context;
    struct note unused;
    struct phrase_book book = advice_book(adviser, &unused);
    struct change change;

    if (ask.model == NULL || !ask_is_language(&ask) || !(floor(*tokens / 2) >= LEAST_TOKENS)) {
        return;
    }
    *tokens = floor(*tokens / 2);
    change = change_of(MESSAGE_SHORTER_CONTEXT, is_training ? "seq_len" : "context",
                       arena_format(adviser->arena, "%.0f", *tokens),
                       phrase_number(&book, *tokens, 0, ""));
    adviser->is_out_of_memory |= book.is_out_of_memory;
    consider(adviser, &ask, &change);
}

/* More speed from two cards is worth telling only within a budget, as without one it is had simply
 * by paying twice, and not to who is learning (ARTICLES.md A16: trying things out needs little). */
static bool may_take_two_cards(const struct adviser *adviser)
{
    const struct ask *ask = adviser->question->ask;
    bool is_one_enough =
        adviser->first != NULL && (ask->task == TASK_LEARN || ask->budget_micros == MONEY_UNKNOWN);

    return ask->max_gpus < 2 && ask->strategy != STRATEGY_SINGLE && !is_one_enough;
}

static void consider_two_cards(struct adviser *adviser)
{
    struct change change = change_of(MESSAGE_TWO_CARDS, "max_gpus", "2", "");
    struct ask ask = *adviser->question->ask;

    if (may_take_two_cards(adviser)) {
        ask.max_gpus = 2;
        consider(adviser, &ask, &change);
    }
}

/* Where nothing fits and neither 4-bit weights nor a second card is enough: both. */
static void consider_both(struct adviser *adviser)
{
    struct ask ask = *adviser->question->ask;
    struct change change;

    for (size_t i = 0; i < adviser->count; i++) {
        enum message_code code = adviser->advice[i].note.code;

        if (code == MESSAGE_QUANTIZE || code == MESSAGE_TWO_CARDS) {
            return;
        }
    }
    if (adviser->first == NULL && may_take_two_cards(adviser) &&
        quantize(adviser->question->catalogue, &ask, &change)) {
        ask.max_gpus = 2;
        change.changes[change.count++] = (struct advice_change){"max_gpus", "2"};
        change.has_two_cards = true;
        consider(adviser, &ask, &change);
    }
}

bool advice_find(const struct question *question, const struct ranking *ranking,
                 const struct advice_own *own, struct recommendation *recommendation,
                 struct arena *arena, struct error *err)
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
    consider_both(&adviser);
    advice_instead_rent(&adviser, recommendation, own);
    advice_instead_keep(&adviser, own);
    assert(adviser.count <= RECOMMEND_MAX_ADVICE);
    recommendation->advice_count = adviser.count;
    return !adviser.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the advice");
}
