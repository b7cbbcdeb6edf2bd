/* advice_instead.c: the card of own= is kept exactly where a search of everything that may be
 * bought finds nothing 1.5 times as fast. (Renting is in test_advice.c, beside what it is compared
 * with.)
 */
#include "advice.h"

#include "recommend_fixture.h"

enum { TRIALS = 250 };

static const struct advice *find(const struct recommendation *answer, enum message_code code)
{
    for (size_t i = 0; i < answer->advice_count; i++) {
        if (answer->advice[i].note.code == code) {
            return &answer->advice[i];
        }
    }
    return NULL;
}

static void test_own(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 800);
    struct recommendation answer;
    const struct advice *advice = NULL;
    bool is_owned_pick = false;

    ask.own = fixture_gpu(catalogue, REFERENCE_ID);
    ask.limit = 100;
    fixture_recommend(catalogue, &ask, arena, &answer);
    advice = find(&answer, MESSAGE_KEEP_OWN);
    (void)tap_ok(advice != NULL && strcmp(advice->note.arguments[1], "800 USD") == 0,
                 "an RTX 3090 is kept: nothing under 800 USD is 1.5 times as fast");
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        is_owned_pick |= pick->gpu == ask.own && pick->is_owned &&
                         pick->cost.purchase_micros > ask.budget_micros &&
                         has_code(pick->reasons, pick->reason_count, MESSAGE_OWN_CARD_ENOUGH);
    }
    (void)tap_ok(is_owned_pick, "it competes at its used price, outside the budget");

    ask.plugs_is_given = true; /* none: little else can be bought */
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) != NULL,
                 "the computer it is in has the plugs it takes");

    ask = fixture_ask(TASK_LEARN, 800);
    ask.own = fixture_gpu(catalogue, "nvidia-geforce-rtx-5090");
    ask.hours_per_month = 5; /* hardly ever: renting what may be bought would be cheaper */
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) != NULL &&
                     strcmp(answer.rent_or_buy.verdict, "rent") == 0 &&
                     find(&answer, MESSAGE_RENT_INSTEAD) == NULL,
                 "who keeps a card is not told to rent one");

    ask = fixture_ask(TASK_TRAIN, 1500);
    ask.own = fixture_gpu(catalogue, REFERENCE_ID);
    ask.limit = 100;
    fixture_recommend(catalogue, &ask, arena, &answer);
    is_owned_pick = false;
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        is_owned_pick |= pick->gpu == ask.own && pick->is_owned &&
                         !has_code(pick->warnings, pick->warning_count, MESSAGE_USED_RISK);
    }
    (void)tap_ok(is_owned_pick, "within the budget too it is the own card, not a used one to buy");

    ask = fixture_ask(TASK_TRAIN, 800);
    ask.own = fixture_gpu(catalogue, "nvidia-geforce-rtx-4060-ti-16gb");
    ask.budget_micros = usd(330);
    ask.limit = 1;
    fixture_recommend(catalogue, &ask, arena, &answer);
    is_owned_pick = false;
    for (size_t i = 1; i < answer.pick_count; i++) {
        is_owned_pick |= answer.picks[i].is_owned && answer.picks[i].rank > 1;
    }
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) != NULL && is_owned_pick,
                 "the card that is kept is listed, whatever its rank");
}

static void test_own_not_kept(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 6000);
    struct recommendation answer;

    ask.own = fixture_gpu(catalogue, REFERENCE_ID);
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) == NULL,
                 "with 6000 USD it is not kept: an RTX 5090 is 1.5 times as fast");

    ask = fixture_ask(TASK_TRAIN, 800);
    ask.own = fixture_gpu(catalogue, "nvidia-tesla-k80");
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) == NULL,
                 "a K80 is never kept: PyTorch dropped it");

    ask = fixture_ask(TASK_TRAIN, 60);
    ask.own = fixture_gpu(catalogue, "nvidia-geforce-rtx-3080-10gb");
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(find(&answer, MESSAGE_KEEP_OWN) == NULL,
                 "a card below the floor of the work is not kept either");
}

/* xorshift64: the same questions on every run. */
static size_t throw_dice(size_t sides)
{
    static uint64_t state = 3;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % sides);
}

static struct ask draw_ask(const struct catalogue *catalogue)
{
    static const int64_t BUDGETS[] = {0, 300, 600, 900, 1500, 3000, 9000};
    static const char *const OWNED[] = {
        "nvidia-geforce-rtx-3090",     "nvidia-geforce-rtx-4090", "nvidia-geforce-rtx-3060-12gb",
        "nvidia-tesla-p100-pcie-16gb", "amd-radeon-rx-7900-xtx",  "nvidia-geforce-gtx-1080-ti",
        "nvidia-geforce-rtx-5090",     "nvidia-a100-pcie-80gb"};
    struct ask ask = fixture_ask((enum task)throw_dice(TASK_COUNT), BUDGETS[throw_dice(7)]);

    ask.own = catalogue_find_gpu(catalogue, OWNED[throw_dice(8)]);
    if (throw_dice(2) == 0) {
        ask.model = fixture_model(catalogue, throw_dice(2) == 0 ? "qwen2.5-7b" : "qwen2.5-0.5b");
    }
    ask.max_gpus = (double)(1 + throw_dice(3));
    ask.condition = (enum asked_condition)throw_dice(ASKED_CONDITION_COUNT);
    ask.vat_share = throw_dice(2) == 0 ? 0.19 : 0;
    ask.chassis = throw_dice(3) == 0 ? CHASSIS_SERVER : CHASSIS_DESKTOP;
    return ask;
}

/* The fastest low end of all sets of one card that may be bought; 0: none. */
static double fastest_of(const struct question *question, const struct gpu *gpu)
{
    const struct ask *ask = question->ask;
    double fastest = 0;

    for (size_t count = 1; count <= question->cards_max; count++) {
        for (size_t condition = CONDITION_NEW; condition <= CONDITION_USED; condition++) {
            struct option option = {.gpu = gpu, .count = count};
            const struct card_prices *prices = &question->prices[gpu->index];
            const struct plan_price *price = &prices->price[condition];
            bool is_asked = ask->condition == ASKED_ANY ||
                            (ask->condition == ASKED_NEW) == (condition == CONDITION_NEW);
            double dearer = money_to_units(price->planning_micros > price->amount_micros
                                               ? price->planning_micros
                                               : price->amount_micros);

            if (!prices->is_known[condition] || !is_asked ||
                (gpu == ask->own && count == 1 && prices->is_known[CONDITION_USED]) ||
                (ask->budget_micros != MONEY_UNKNOWN &&
                 (double)count * dearer * (1 + ask->vat_share) >
                     money_to_units(ask->budget_micros) + 1e-6) ||
                constraint_of_card(question, gpu) != 0 ||
                constraint_of_set(question, &option) != 0 || isnan(gpu->tdp_watts) ||
                constraint_of_speed(question, &option) != 0) {
                continue;
            }
            fastest = fmax(fastest, option.speed.relative_low);
        }
    }
    return fastest;
}

/* Whether the verdict is that of the search; *kept counts the cards that stay. */
static bool is_verdict_right(const struct catalogue *catalogue, struct arena *arena, size_t *kept,
                             size_t *given_up)
{
    struct ask ask = draw_ask(catalogue);
    struct question question;
    struct advice_own verdict;
    struct option own = {.gpu = ask.own, .count = 1};
    struct error err;
    double fastest = 0;
    bool does_work = false;

    if (ask.own == NULL || !ask_complete(catalogue, &ask, &err) ||
        !question_init(&question, catalogue, &ask, TEST_DAY, arena, &err)) {
        return ask.own != NULL && err.code == ERROR_BAD_PARAMETER;
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        fastest = fmax(fastest, fastest_of(&question, &catalogue->gpus[i]));
    }
    advice_judge_own(&question, &verdict);
    /* no software or features asked for but PyTorch on Linux; a computer there is holds the card */
    does_work = (constraint_of_set(&question, &own) & 1u << MESSAGE_MEMORY_TOO_SMALL) == 0 &&
                constraint_of_speed(&question, &own) == 0 &&
                (constraint_of_card(&question, ask.own) & ~(1u << MESSAGE_FORM_FACTOR)) == 0;
    *kept += verdict.is_enough;
    *given_up += does_work && !verdict.is_enough;
    return verdict.is_enough == (does_work && fastest < 1.5 * own.speed.relative_low);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    size_t wrong = 0;
    size_t kept = 0;
    size_t given_up = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct arena arena;

        arena_init(&arena, FIXTURE_ARENA_BYTES);
        if (trial == 0) {
            test_own(catalogue, &arena);
            test_own_not_kept(catalogue, &arena);
        }
        wrong += !is_verdict_right(catalogue, &arena, &kept, &given_up);
        arena_fini(&arena);
    }
    (void)tap_ok(wrong == 0, "of %d own cards the search agrees on all", TRIALS);
    (void)tap_ok(kept > TRIALS / 10 && given_up > TRIALS / 10, "%zu are kept, %zu are not", kept,
                 given_up);
    catalogue_unref(catalogue);
    return tap_done();
}
