/* advice.c: each advice where it is due, with its size, and none where the gain is small. An advice
 * is checked by doing what it says: the answer must be as promised. */
#include "advice.h"

#include "cloud.h"

#include "recommend_fixture.h"

static const struct advice *find(const struct recommendation *answer, enum message_code code)
{
    for (size_t i = 0; i < answer->advice_count; i++) {
        if (answer->advice[i].note.code == code) {
            return &answer->advice[i];
        }
    }
    return NULL;
}

/* The first pick then is the one named, and its gain over the first pick now is the one told. */
static bool keeps_promise(const struct catalogue *catalogue, const struct recommendation *now,
                          const struct advice *advice, struct ask then, struct arena *arena)
{
    struct recommendation answer;
    const struct pick *first = NULL;
    double speed = 0;
    double cost = 0;

    fixture_recommend(catalogue, &then, arena, &answer);
    if (answer.pick_count == 0 ||
        strstr(advice->note.arguments[0], answer.picks[0].gpu->name) == NULL) {
        return false;
    }
    if (now->pick_count == 0) {
        return isnan(advice->gain) && advice->note.variant == VARIANT_FITS;
    }
    first = &answer.picks[0];
    speed = first->speed.unit == now->picks[0].speed.unit && first->speed.unit != SPEED_RELATIVE
                ? first->speed.low / now->picks[0].speed.low - 1
                : first->speed.relative_low / now->picks[0].speed.relative_low - 1;
    cost = 1 - first->cost.total_usd / now->picks[0].cost.total_usd;
    return advice->gain >= 0.1 &&
           fabs(advice->gain - (advice->note.variant == VARIANT_FASTER ? speed : cost)) < 1e-9;
}

/* The micro-units of a value to send. */
static int64_t money_units(const char *value)
{
    int64_t micros = MONEY_UNKNOWN;

    return money_parse(value, strlen(value), &micros) ? micros : MONEY_UNKNOWN;
}

static void test_budget(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 400);
    struct ask then = fixture_ask(TASK_TRAIN, 500);
    struct recommendation answer;
    const struct advice *advice = NULL;

    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_MORE_BUDGET);
    (void)tap_ok(advice != NULL && strcmp(advice->changes[0].parameter, "budget") == 0 &&
                     strcmp(advice->changes[0].value, "500") == 0,
                 "a quarter more than 400 USD is 500");
    (void)tap_ok(advice != NULL && keeps_promise(catalogue, &answer, advice, then, arena),
                 "more budget gives what it promises");

    ask = fixture_ask(TASK_TRAIN, 0);
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_MORE_BUDGET) == NULL, "no budget, no more of it");

    ask = fixture_ask(TASK_TRAIN, 100000);
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_MORE_BUDGET) == NULL,
                 "beyond every price a larger budget gains nothing");

    /* Nothing fits: the smallest budget that would, and a unit less would not. */
    ask = fixture_ask(TASK_TRAIN, 60);
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_MORE_BUDGET);
    then = ask;
    then.budget_micros = advice == NULL ? MONEY_UNKNOWN : money_units(advice->changes[0].value);
    (void)tap_ok(answer.pick_count == 0 && advice != NULL &&
                     keeps_promise(catalogue, &answer, advice, then, arena),
                 "nothing fits 60 USD: a budget with which something does");

    then.budget_micros -= MONEY_MICROS_PER_UNIT;
    fixture_recommend(catalogue, &then, arena, &answer);
    (void)tap_ok(answer.pick_count == 0, "one dollar less is not enough");

    /* 88.50 USD and 13 % are 100.005 USD, told as 100.00: 100 USD would not do. */
    ask.vat_share = 0.13;
    ask.quotes[ask.quote_count++] =
        (struct quote){fixture_gpu(catalogue, "nvidia-geforce-rtx-3060-12gb"), usd(177) / 2};
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_MORE_BUDGET);
    then = ask;
    then.budget_micros = usd(101);
    (void)tap_ok(advice != NULL && strcmp(advice->changes[0].value, "101") == 0 &&
                     keeps_promise(catalogue, &answer, advice, then, arena),
                 "the budget that is advised covers the cents that are rounded away");

    ask.host_price_micros = (int64_t)ASK_MAX_AMOUNT * MONEY_MICROS_PER_UNIT;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(answer.pick_count == 0 && find(&answer, MESSAGE_MORE_BUDGET) == NULL,
                 "no budget is advised that could not be asked for");
}

static void test_condition(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 1000);
    struct ask then = fixture_ask(TASK_TRAIN, 1000);
    struct recommendation answer;
    const struct advice *advice = NULL;

    ask.condition = ASKED_NEW;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_ALLOW_USED);
    (void)tap_ok(advice != NULL && keeps_promise(catalogue, &answer, advice, then, arena),
                 "used cards give what is promised");
    fixture_recommend(catalogue, &then, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_ALLOW_USED) == NULL,
                 "used cards are not advised where they are allowed");
}

/* An 8B model in 16 bit with 32k tokens does not fit a card of 500 USD. */
static void test_smaller(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_INFERENCE, 500);
    struct ask then;
    struct recommendation answer;
    const struct advice *advice = NULL;

    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.quant = catalogue_find_quant(catalogue, "fp16");
    ask.context = 32768;
    then = ask;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_QUANTIZE);
    (void)tap_ok(advice != NULL && strcmp(advice->changes[0].parameter, "quant") == 0 &&
                     strcmp(advice->changes[0].value, "q4_k_m") == 0,
                 "4-bit weights are advised where 16-bit ones do not fit");
    then.quant = catalogue_find_quant(catalogue, "q4_k_m");
    (void)tap_ok(advice != NULL && keeps_promise(catalogue, &answer, advice, then, arena),
                 "4-bit weights give what is promised");
    then.quant = ask.quant;
    then.max_gpus = 2;
    advice = find(&answer, MESSAGE_TWO_CARDS);
    (void)tap_ok(advice != NULL && strcmp(advice->changes[0].parameter, "max_gpus") == 0 &&
                     keeps_promise(catalogue, &answer, advice, then, arena),
                 "two cards hold what one does not");
    (void)tap_ok(find(&answer, MESSAGE_RENT_INSTEAD) != NULL && answer.cloud_count > 0,
                 "where nothing fits, renting is advised");
}

static void test_tuning(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_FINETUNE, 3000);
    struct ask then;
    struct recommendation answer;
    struct recommendation both;
    const struct advice *advice = NULL;

    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    then = ask;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_QUANTIZE);
    then.task = TASK_QLORA;
    (void)tap_ok(answer.pick_count == 0 && advice != NULL &&
                     strcmp(advice->changes[0].parameter, "task") == 0 &&
                     strcmp(advice->changes[0].value, "qlora") == 0 &&
                     keeps_promise(catalogue, &answer, advice, then, arena),
                 "an adapter on 4-bit weights fits where full tuning does not");

    /* 141 GB of weights for 2500 USD: in 4 bit they are 43, which two cards of 24 GB hold */
    ask = fixture_ask(TASK_INFERENCE, 2500);
    ask.model = fixture_model(catalogue, "llama-3.1-70b");
    ask.quant = catalogue_find_quant(catalogue, "fp16");
    then = ask;
    then.quant = catalogue_find_quant(catalogue, "q4_k_m");
    then.max_gpus = 2;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_QUANTIZE);
    (void)tap_ok(
        answer.pick_count == 0 && find(&answer, MESSAGE_TWO_CARDS) == NULL && advice != NULL &&
            advice->change_count == 2 && strcmp(advice->changes[0].value, "q4_k_m") == 0 &&
            strcmp(advice->changes[1].parameter, "max_gpus") == 0 &&
            strcmp(advice->changes[1].value, "2") == 0 && advice->note.variant == VARIANT_FITS_TWO,
        "4-bit weights and two cards, where neither is enough");
    fixture_recommend(catalogue, &then, arena, &both);
    (void)tap_ok(both.pick_count > 0 && advice != NULL && isnan(advice->gain) &&
                     strstr(advice->gain_text, both.picks[0].gpu->name) != NULL,
                 "and both give what is promised");

    ask = fixture_ask(TASK_LORA, 1000);
    ask.model = fixture_model(catalogue, "qwen2.5-7b");
    ask.checkpointing = ANSWER_NO;
    then = ask;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_CHECKPOINT);
    then.checkpointing = ANSWER_YES;
    (void)tap_ok(advice != NULL && keeps_promise(catalogue, &answer, advice, then, arena),
                 "checkpointing is advised and gives what is promised");
    (void)tap_ok(find(&answer, MESSAGE_SHORTER_CONTEXT) == NULL, "2048 tokens are not cut in half");

    ask = fixture_ask(TASK_INFERENCE, 400);
    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.context = 65536;
    then = ask;
    then.context = 32768;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_SHORTER_CONTEXT);
    (void)tap_ok(advice != NULL && strcmp(advice->changes[0].value, "32768") == 0 &&
                     keeps_promise(catalogue, &answer, advice, then, arena),
                 "half the context is advised and gives what is promised");
}

static bool is_advised_two(const struct catalogue *catalogue, enum task task, int64_t budget_units,
                           struct arena *arena)
{
    struct ask ask = fixture_ask(task, budget_units);
    struct recommendation answer;

    fixture_recommend(catalogue, &ask, arena, &answer);
    return find(&answer, MESSAGE_TWO_CARDS) != NULL;
}

/* Two used RTX 3080 Ti for 864 USD train faster than any one card below 1000. */
static void test_two_cards(const struct catalogue *catalogue, struct arena *arena)
{
    (void)tap_ok(is_advised_two(catalogue, TASK_TRAIN, 1000, arena),
                 "training within a budget: two cards are advised where they are faster");
    (void)tap_ok(!is_advised_two(catalogue, TASK_LEARN, 1000, arena),
                 "who is learning is not sent for a second card");
    (void)tap_ok(!is_advised_two(catalogue, TASK_TRAIN, 0, arena),
                 "without a budget, twice the speed for twice the money is no gain");
}

/* Nothing rented does it either, so none is advised. */
static void test_renting_what_works(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_INFERENCE, 1500);
    struct recommendation answer;

    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.users = 8;
    ask.min_tokens_per_s = 100000;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(answer.pick_count == 0 && find(&answer, MESSAGE_RENT_INSTEAD) == NULL,
                 "renting is not advised where no rented card is fast enough");
}

/* A few hours a month: buying never pays off. All day long: renting never does. */
static void test_renting(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_LEARN, 400);
    struct recommendation answer;
    const struct advice *advice = NULL;

    ask.hours_per_month = 4;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_RENT_INSTEAD);
    (void)tap_ok(answer.rent_or_buy.is_known && advice != NULL && advice->change_count == 0,
                 "4 hours a month are rented");
    if (advice != NULL) {
        const struct rent_or_buy *rent = &answer.rent_or_buy;

        /* 24 months x 4 h = 96 h */
        (void)tap_near(advice->gain,
                       1 - 96 * money_to_units(rent->rent_per_hour_micros) /
                               answer.picks[0].cost.total_usd,
                       1e-3, "the gain is what 96 hours of its work cost less than owning");
    }
    ask = fixture_ask(TASK_LEARN, 400);
    ask.hours_per_month = 700;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(answer.rent_or_buy.is_known && find(&answer, MESSAGE_RENT_INSTEAD) == NULL,
                 "700 hours a month are not");
}

/* 12e9 weights of FLUX in 16 bits do not fit 24 GiB, in 4 bits they do. */
static void test_pictures(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_INFERENCE, 1500);
    struct ask then;
    struct recommendation answer;
    const struct advice *advice = NULL;

    ask.model = fixture_model(catalogue, "flux.1-dev");
    then = ask;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_QUANTIZE);
    (void)tap_ok(answer.pick_count == 0 && advice != NULL &&
                     strcmp(advice->changes[0].value, "nf4") == 0,
                 "a picture model too large for 1500 USD is advised in 4 bits");
    then.quant = catalogue_find_quant(catalogue, "nf4");
    (void)tap_ok(advice != NULL && keeps_promise(catalogue, &answer, advice, then, arena),
                 "and fits then");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct arena arena;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    test_budget(catalogue, &arena);
    test_condition(catalogue, &arena);
    test_smaller(catalogue, &arena);
    test_tuning(catalogue, &arena);
    test_pictures(catalogue, &arena);
    test_two_cards(catalogue, &arena);
    test_renting_what_works(catalogue, &arena);
    test_renting(catalogue, &arena);
    arena_fini(&arena);
    catalogue_unref(catalogue);
    return tap_done();
}
