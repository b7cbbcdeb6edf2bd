/* What must hold of every answer, tried on questions drawn at random from a fixed seed: no pick
 * breaks what was asked (checked here from DESIGN.md section 3, not by constraint.c), costs and
 * scores add up, more money and more memory never hurt, a lower price never lowers a score. */
#include "recommend_fixture.h"
#include "support.h"

enum { TRIALS = 600 };

/* xorshift64* (Vigna 2016): the same numbers on every machine. */
struct dice {
    uint64_t state;
};

static size_t throw_dice(struct dice *dice, size_t sides)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return (size_t)((dice->state * 2685821657736338717U) >> 33) % sides;
}

static double pick_number(struct dice *dice, const double *numbers, size_t count)
{
    return numbers[throw_dice(dice, count)];
}

#define PICK(dice, ...)                                                                            \
    pick_number(dice, (const double[]){__VA_ARGS__},                                               \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static const struct gpu *pick_card(const struct catalogue *catalogue, struct dice *dice)
{
    return &catalogue->gpus[throw_dice(dice, catalogue->gpu_count)];
}

static void draw_work(const struct catalogue *catalogue, struct dice *dice, struct ask *ask)
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
    ask->strategy = (enum strategy)throw_dice(dice, STRATEGY_COUNT + 1);
}

static void draw_money(const struct catalogue *catalogue, struct dice *dice, struct ask *ask)
{
    static const char *const TIERS[] = {"low", "mid", "high", "unlimited"};
    double unknown = (double)NAN;

    ask->currency = (enum currency)throw_dice(dice, CURRENCY_COUNT);
    ask->budget_micros = throw_dice(dice, 4) == 0
                             ? MONEY_UNKNOWN
                             : usd((int64_t)PICK(dice, 50, 300, 777, 2000, 9999, 60000));
    ask->tier = throw_dice(dice, 4) == 0 ? TIERS[throw_dice(dice, 4)] : NULL;
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

static void draw_machine(struct dice *dice, struct ask *ask)
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
static bool draw_ask(const struct catalogue *catalogue, struct dice *dice, struct ask *ask)
{
    struct error err;

    ask_init(ask);
    draw_work(catalogue, dice, ask);
    draw_money(catalogue, dice, ask);
    draw_machine(dice, ask);
    ask->limit = 100;
    return ask_complete(catalogue, ask, &err);
}

static double purchase_units(const struct ask *ask, const struct pick *pick, int64_t price_micros)
{
    return (double)pick->count * money_to_units(price_micros) * (1 + ask->vat_share) +
           money_to_units(ask->host_price_micros);
}

/* Money, condition and tier; the asker's own card costs nothing. */
static bool keeps_money(const struct catalogue *catalogue, const struct ask *ask,
                        const struct pick *pick)
{
    double budget =
        ask->budget_micros == MONEY_UNKNOWN ? (double)INFINITY : money_to_units(ask->budget_micros);
    const int64_t prices[] = {pick->price.amount_micros, pick->price.planning_micros};

    if (pick->is_owned) {
        return pick->gpu == ask->own && pick->count == 1;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct tier *tier =
            catalogue_tier_of(catalogue, ask->currency, prices[i], pick->gpu->segment);

        if (purchase_units(ask, pick, prices[i]) > budget + 1e-6 ||
            (ask->tier != NULL && (tier == NULL || !text_is(tier->id, ask->tier)))) {
            return false;
        }
    }
    return ask->condition == ASKED_ANY ||
           (ask->condition == ASKED_NEW) == (pick->price.condition == CONDITION_NEW);
}

/* Fed by two 8-pin plugs: one large socket up to 300 W by its adapter, no EPS socket. */
static bool keeps_plugs(const struct pick *pick)
{
    const char *sockets = pick->gpu->power_connectors;
    bool is_large = text_is(sockets, "1x16-pin") || text_is(sockets, "1x12-pin");

    if (text_is(sockets, "none")) {
        return true;
    }
    if (is_large) {
        return (double)pick->count * ceil(pick->gpu->tdp_watts / 150) <= 2;
    }
    return (pick->count <= 2 && (text_is(sockets, "1x8-pin") || text_is(sockets, "1x6-pin"))) ||
           (pick->count == 1 &&
            (text_is(sockets, "2x8-pin") || text_is(sockets, "1x6-pin+1x8-pin")));
}

/* The limits of room and boards. */
static bool keeps_room(const struct ask *ask, const struct pick *pick)
{
    const struct gpu *gpu = pick->gpu;
    bool is_board = !text_is(gpu->form_factor, "pcie");

    return (is_board || isnan(ask->max_length_mm) || gpu->board_length_mm <= ask->max_length_mm) &&
           (!is_board || pick->count == 1 || pick->count == 4 || pick->count == 8) &&
           (!ask->plugs_is_given || keeps_plugs(pick));
}

static bool keeps_machine(const struct ask *ask, const struct pick *pick)
{
    const struct gpu *gpu = pick->gpu;
    double cards = (double)pick->count;
    enum support_status status = support_of(gpu, ask->framework, ask->os);
    bool is_desktop_card = text_is(gpu->form_factor, "pcie") && !text_is(gpu->cooling, "passive");

    for (size_t feature = 0; feature < FEATURE_COUNT; feature++) {
        if (ask->needs[feature] && !support_has_feature(gpu, (enum feature)feature, ask->os)) {
            return false;
        }
    }
    return keeps_room(ask, pick) && (ask->vendor == NULL || text_is(gpu->vendor, ask->vendor)) &&
           (ask->segment == NULL || text_is(gpu->segment, ask->segment)) &&
           (isnan(ask->psu_watts) || 1.2 * gpu->tdp_watts * cards + 200 <= ask->psu_watts) &&
           (isnan(ask->max_slots) || gpu->slots * cards <= ask->max_slots) &&
           (ask->chassis == CHASSIS_SERVER || is_desktop_card) && status != SUPPORT_DROPPED &&
           status != SUPPORT_NONE && cards <= ask->max_gpus &&
           !(ask->needs[FEATURE_NVLINK] && pick->count > 1 && !pick->link.is_nvlink);
}

static bool keeps_work(const struct catalogue *catalogue, const struct ask *ask,
                       const struct pick *pick)
{
    struct memory_need need;
    double available_gib = pick->gpu->memory_per_process_gib;

    memory_estimate(catalogue, ask, pick->strategy, pick->count, &need);
    if (!need.is_floor) {
        available_gib = memory_usable_gib(catalogue, ask, pick->gpu);
    }
    return need.per_gpu_gib <= available_gib && pick->needed_gib == need.per_gpu_gib &&
           pick->is_tight == (!need.is_floor && need.per_gpu_gib > 0.92 * available_gib) &&
           !(ask->min_memory_gib > pick->gpu->memory_per_process_gib) &&
           (isnan(ask->min_tokens_per_s) ||
            pick->speed.tokens_per_s_per_user * pick->speed.low / pick->speed.value >=
                ask->min_tokens_per_s) &&
           pick->speed.low > 0 && pick->speed.low <= pick->speed.value &&
           pick->speed.value <= pick->speed.high;
}

/* As told, to the cent: total = purchase - resale + energy; and 100 S H L E / cost. */
static bool adds_up(const struct pick *pick)
{
    const struct cost *cost = &pick->cost;
    const struct score_parts *parts = &pick->score_parts;
    double score =
        100 * parts->speed * parts->headroom * parts->life * parts->ecosystem / parts->cost;

    return cost->total_micros ==
               cost->purchase_micros - cost->resale_micros + cost->energy_micros &&
           cost->purchase_micros % MONEY_MICROS_PER_CENT == 0 &&
           cost->resale_micros % MONEY_MICROS_PER_CENT == 0 &&
           cost->energy_micros % MONEY_MICROS_PER_CENT == 0 &&
           fabs(score - pick->score) <= 1e-9 * score &&
           cost->resale_low_micros <= cost->resale_high_micros;
}

static size_t count_wrong_picks(const struct catalogue *catalogue, const struct ask *ask,
                                const struct recommendation *answer)
{
    size_t wrong = 0;

    for (size_t i = 0; i < answer->pick_count; i++) {
        const struct pick *pick = &answer->picks[i];
        bool is_in_order = i == 0 || pick->rank > answer->picks[i - 1].rank;

        if (!keeps_money(catalogue, ask, pick) || !keeps_machine(ask, pick) ||
            !keeps_work(catalogue, ask, pick) || !adds_up(pick) || !is_in_order) {
            printf("# %s x %zu: money %d, machine %d, work %d, sums %d, order %d\n", pick->gpu->id,
                   pick->count, keeps_money(catalogue, ask, pick), keeps_machine(ask, pick),
                   keeps_work(catalogue, ask, pick), adds_up(pick), is_in_order);
            wrong++;
        }
    }
    return wrong;
}

/* The first pick with more money: in the order of rank it does not fall. */
static bool is_no_worse_with_money(const struct catalogue *catalogue, const struct ask *ask,
                                   struct arena *arena)
{
    struct ask richer = *ask;
    struct question question;
    struct question richer_question;
    struct option first;
    struct option then;
    struct error err;

    if (ask->budget_micros == MONEY_UNKNOWN) {
        return true;
    }
    richer.budget_micros += richer.budget_micros / 3;
    if (!question_init(&question, catalogue, ask, TEST_DAY, arena, &err)) {
        test_bail_out("no question", err.text);
    }
    question_vary(&richer_question, &question, &richer);
    if (!rank_first(&question, &first)) {
        return true;
    }
    return rank_first(&richer_question, &then) &&
           (rank_class(&then) < rank_class(&first) ||
            (rank_class(&then) == rank_class(&first) && then.score >= first.score));
}

/* Cards of one kind with less memory: they hold nothing that the larger ones do not. */
static bool is_no_roomier_when_smaller(const struct catalogue *catalogue, const struct ask *ask,
                                       const struct gpu *gpu, struct arena *arena)
{
    struct question question;
    struct gpu smaller = *gpu;
    struct error err;

    smaller.memory_gib *= 0.7;
    smaller.memory_per_process_gib *= 0.7;
    smaller.memory_usable_gib *= 0.7;
    if (!question_init(&question, catalogue, ask, TEST_DAY, arena, &err)) {
        test_bail_out("no question", err.text);
    }
    for (size_t count = 1; count <= question.cards_max; count++) {
        struct option large = {.gpu = gpu, .count = count};
        struct option small = {.gpu = &smaller, .count = count};
        uint32_t too_small = (uint32_t)1 << MESSAGE_MEMORY_TOO_SMALL;
        bool holds_large = (constraint_of_set(&question, &large) & too_small) == 0;
        bool holds_small = (constraint_of_set(&question, &small) & too_small) == 0;

        if (holds_small && (!holds_large || (large.is_tight && !small.is_tight))) {
            return false;
        }
    }
    return true;
}

/* The card quoted at a price and at four fifths of it. */
static bool is_no_worse_when_cheaper(const struct catalogue *catalogue, const struct ask *ask,
                                     const struct gpu *gpu, struct arena *arena)
{
    struct option options[2];

    for (size_t i = 0; i < 2; i++) {
        struct ask quoted = *ask;
        struct question question;
        struct error err;

        quoted.quotes[0] = (struct quote){gpu, usd(i == 0 ? 1000 : 800)};
        quoted.quote_count = 1;
        quoted.tier = NULL; /* cheaper may be below the band */
        if (!question_init(&question, catalogue, &quoted, TEST_DAY, arena, &err)) {
            test_bail_out("no question", err.text);
        }
        rank_card(&question, gpu, &options[i]);
    }
    return options[0].rejections != 0 ||
           (options[1].rejections == 0 && (rank_class(&options[1]) < rank_class(&options[0]) ||
                                           options[1].score >= options[0].score));
}

/* The same card in a catalogue where all its prices were seen earlier. */
static bool is_no_better_when_older(const struct catalogue *catalogue, const struct ask *ask,
                                    const struct gpu *gpu, int32_t days, struct arena *arena)
{
    struct catalogue *copy = fixture_copy(catalogue, 1);
    struct question question;
    struct ranking ranking;
    struct error err;
    size_t now = 0;
    size_t then = 0;

    for (size_t i = 0; i < copy->price_count; i++) {
        if (strcmp(copy->prices[i].gpu_slug, gpu->id) == 0) {
            copy->prices[i].observed_on.day -= days;
        }
    }
    fixture_build(copy);
    for (size_t i = 0; i < 2; i++) {
        struct ask same = *ask;

        same.own = NULL;      /* it points into the catalogue not moved */
        same.quote_count = 0; /* and so do these */
        if (!question_init(&question, i == 0 ? catalogue : copy, &same, TEST_DAY, arena, &err) ||
            !rank_all(&question, arena, &ranking, &err)) {
            test_bail_out("no ranking", err.text);
        }
        *(i == 0 ? &now : &then) = fixture_rank_of(&ranking, gpu->id);
    }
    catalogue_unref(copy);
    return then == 0 || (now != 0 && then >= now);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct dice dice = {.state = 20261130};
    size_t asked = 0;
    size_t answered = 0;
    size_t wrong_picks = 0;
    size_t worse_with_money = 0;
    size_t roomier_when_smaller = 0;
    size_t worse_when_cheaper = 0;
    size_t better_when_older = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct recommendation answer;
        struct arena arena;
        struct ask ask;
        struct error err;
        const struct gpu *gpu = pick_card(catalogue, &dice);

        if (!draw_ask(catalogue, &dice, &ask)) {
            continue;
        }
        arena_init(&arena, FIXTURE_ARENA_BYTES);
        if (!recommend(catalogue, &ask, TEST_DAY, &arena, &answer, &err)) {
            test_bail_out("no answer", err.text);
        }
        asked++;
        answered += answer.pick_count > 0;
        gpu = answer.pick_count > 0 ? answer.picks[trial % answer.pick_count].gpu : gpu;
        wrong_picks += count_wrong_picks(catalogue, &ask, &answer);
        worse_with_money += !is_no_worse_with_money(catalogue, &ask, &arena);
        roomier_when_smaller += !is_no_roomier_when_smaller(catalogue, &ask, gpu, &arena);
        worse_when_cheaper += !is_no_worse_when_cheaper(catalogue, &ask, gpu, &arena);
        if (trial % 8 == 0) {
            int32_t days = (int32_t)PICK(&dice, 30, 100, 200, 400, 1200);

            better_when_older += !is_no_better_when_older(catalogue, &ask, gpu, days, &arena);
        }
        arena_fini(&arena);
    }
    (void)tap_ok(asked > TRIALS / 2 && answered > TRIALS / 8, "%zu questions, %zu with picks",
                 asked, answered);
    (void)tap_ok(wrong_picks == 0, "no pick breaks what was asked, and all sums are right");
    (void)tap_ok(worse_with_money == 0, "a third more money: the first pick does not fall");
    (void)tap_ok(roomier_when_smaller == 0, "with less memory a card holds nothing more");
    (void)tap_ok(worse_when_cheaper == 0, "a lower price never lowers the score of a card");
    (void)tap_ok(better_when_older == 0, "older prices never raise the rank of a card");
    catalogue_unref(catalogue);
    return tap_done();
}
