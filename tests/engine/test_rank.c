/* rank.c, score.c and label.c: the score by hand, the order, what a price may rise to, who
 * dominates whom, and the search against one that tries everything and is written differently. */
#include "rank.h"

#include "label.h"
#include "support.h"

#include "recommend_fixture.h"

/* Shipped parameters: exponent 0.25 up to 1.25 for H; a = 0.5, 0.8 and 0; scale 100; unit 1000 USD.
 */
static void test_score(const struct parameters *parameters)
{
    struct score_parts parts = {.speed = 0.8, .headroom = 1.2, .life = 0.5, .ecosystem = 0.85};

    (void)tap_near(score_headroom(parameters, 24, 12), 1.189207115, 1e-9,
                   "H of 24 over 12: 2^0.25");
    (void)tap_near(score_headroom(parameters, 80, 12), 1.25, 0, "H ends at 1.25");
    (void)tap_near(score_headroom(parameters, 12, 12), 1, 0, "H of nothing to spare is 1");
    (void)tap_near(score_cost(parameters, score_exponent(parameters, PREFER_BALANCED), 640), 0.8,
                   1e-12, "640 USD balanced: 0.64^0.5 = 0.8");
    (void)tap_near(score_cost(parameters, score_exponent(parameters, PREFER_VALUE), 32000), 16,
                   1e-12, "32000 USD for value: 32^0.8 = 2^4");
    (void)tap_near(score_cost(parameters, score_exponent(parameters, PREFER_SPEED), 640), 1, 0,
                   "for speed money is left out");
    (void)tap_near(score_cost(parameters, 0.5, 0), sqrt(0.001), 1e-12,
                   "what costs nothing counts as 1 USD");
    parts.cost = 0.8;
    /* 100 x 0.8 x 1.2 x 0.5 x 0.85 / 0.8 = 51 */
    (void)tap_near(score_total(parameters, &parts), 51, 1e-12, "the factors multiply to 51");
}

static void test_order(void)
{
    const struct gpu cards[2] = {{.index = 0}, {.index = 1}};
    const struct plan_price fresh = {.is_very_old = false};
    const struct plan_price old = {.is_very_old = true};
    struct option a = {.gpu = &cards[0], .price = &fresh, .score = 10};
    struct option b = {.gpu = &cards[1], .price = &fresh, .score = 10};

    (void)tap_ok(rank_is_before(&a, &b) && !rank_is_before(&b, &a), "equal scores go by id");
    b.score = 11;
    (void)tap_ok(rank_is_before(&b, &a), "the higher score goes first");
    b.is_tight = true;
    (void)tap_ok(rank_is_before(&a, &b), "roomy goes before tight, whatever the score");
    a.price = &old;
    (void)tap_ok(rank_is_before(&b, &a), "fresh goes before very old, tight or not");
    b.price = &old;
    (void)tap_ok(rank_is_before(&a, &b), "among very old prices roomy goes first again");
}

/* Quotes one card at a price and gives its rank then. */
static size_t rank_at(const struct catalogue *catalogue, struct ask ask, const struct gpu *gpu,
                      int64_t price_micros)
{
    struct arena arena;
    struct question question;
    struct ranking ranking;
    size_t rank = 0;

    ask.quotes[0] = (struct quote){gpu, price_micros};
    ask.quote_count = 1;
    arena_init(&arena, FIXTURE_ARENA_BYTES);
    fixture_rank(catalogue, &ask, &arena, &question, &ranking);
    rank = fixture_rank_of(&ranking, gpu->id);
    arena_fini(&arena);
    return rank;
}

static void test_holds(const struct catalogue *catalogue, struct ask ask, const char *name)
{
    struct arena arena;
    struct question question;
    struct ranking ranking;
    size_t tried = 0;
    size_t kept = 0;
    size_t fell = 0;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    fixture_rank(catalogue, &ask, &arena, &question, &ranking);
    for (size_t place = 0; place < ranking.fitting_count && place < 12; place++) {
        const struct option *option = ranking.fitting[place];
        int64_t holds = rank_holds_up_to_micros(&question, &ranking, place);

        if (holds == MONEY_UNKNOWN || rank_class(option) != 0) {
            continue; /* a quote is fresh: it would leave a worse class */
        }
        tried++;
        kept += rank_at(catalogue, ask, option->gpu, holds) == place + 1 ? 1 : 0;
        fell += rank_at(catalogue, ask, option->gpu, holds + holds / 200) != place + 1 ? 1 : 0;
    }
    (void)tap_ok(tried > 2 && kept == tried,
                 "%s: at the price it holds up to a pick keeps its rank", name);
    (void)tap_ok(fell == tried, "%s: half a percent above it does not", name);
    arena_fini(&arena);
}

static void test_holds_all(const struct catalogue *catalogue)
{
    struct ask ask = fixture_ask(TASK_LEARN, 1000);

    test_holds(catalogue, ask, "learn, 1000 USD");
    ask = fixture_ask(TASK_TRAIN, 0);
    ask.vat_share = 0.13;
    ask.host_price_micros = usd(700);
    ask.host_watts = 120;
    ask.prefer = PREFER_VALUE;
    test_holds(catalogue, ask, "train, tax and host, for value");
    ask = fixture_ask(TASK_LEARN, 0);
    ask.tier = "mid";
    ask.currency = CURRENCY_CNY;
    test_holds(catalogue, ask, "learn, middle tier in CNY");
}

/* Memory of a set by hand: of all cards where the job is shared out, else of one. */
static double set_gib(const struct option *option)
{
    bool is_shared = option->count > 1 && option->strategy != STRATEGY_DDP;

    return option->gpu->memory_per_process_gib * (is_shared ? (double)option->count : 1);
}

/* True when the other is as good in price, speed and memory, and better in one. */
static bool dominates(const struct option *other, const struct option *mine)
{
    int better = 0;
    int worse = 0;

    better += other->cost.purchase_micros < mine->cost.purchase_micros;
    worse += other->cost.purchase_micros > mine->cost.purchase_micros;
    better += other->speed.relative_low > mine->speed.relative_low;
    worse += other->speed.relative_low < mine->speed.relative_low;
    better += set_gib(other) > set_gib(mine);
    worse += set_gib(other) < set_gib(mine);
    return better > 0 && worse == 0;
}

/* Pareto members are those that nothing dominates, and each of the others is dominated by one. */
static void test_pareto(const struct catalogue *catalogue, struct ask ask, const char *name)
{
    struct arena arena;
    struct question question;
    struct ranking ranking;
    size_t members = 0;
    size_t wrong = 0;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    fixture_rank(catalogue, &ask, &arena, &question, &ranking);
    for (size_t i = 0; i < ranking.fitting_count; i++) {
        const struct option *mine = ranking.fitting[i];
        bool is_dominated = false;
        bool is_dominated_by_member = false;

        for (size_t k = 0; k < ranking.fitting_count; k++) {
            if (dominates(ranking.fitting[k], mine)) {
                is_dominated = true;
                is_dominated_by_member |= rank_is_pareto(&ranking, ranking.fitting[k]);
            }
        }
        wrong += rank_is_pareto(&ranking, mine) == is_dominated ||
                 is_dominated != is_dominated_by_member;
        members += is_dominated ? 0 : 1;
    }
    (void)tap_ok(wrong == 0 && members > 1 && members < ranking.fitting_count,
                 "%s: Pareto members are those that nothing dominates (%zu of %zu)", name, members,
                 ranking.fitting_count);
    arena_fini(&arena);
}

static void test_paretos(const struct catalogue *catalogue)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 3000);

    test_pareto(catalogue, ask, "training for 3000 USD");
    ask.max_gpus = 4;
    ask.condition = ASKED_USED;
    test_pareto(catalogue, ask, "on up to four used cards");
    ask = fixture_ask(TASK_INFERENCE, 0);
    ask.model = fixture_model(catalogue, "llama-3.1-70b");
    ask.chassis = CHASSIS_SERVER;
    ask.max_gpus = 8;
    test_pareto(catalogue, ask, "inference of 70B on up to eight");
    ask = fixture_ask(TASK_LEARN, 2500);
    ask.currency = CURRENCY_CNY;
    ask.own = fixture_gpu(catalogue, REFERENCE_ID);
    test_pareto(catalogue, ask, "learning beside a card of one's own");
}

static void test_labels(const struct catalogue *catalogue)
{
    struct ask ask = fixture_ask(TASK_TRAIN, 3000);
    struct arena arena;
    struct question question;
    struct ranking ranking;
    const struct option *labelled[LABEL_COUNT];
    bool are_extreme = true;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    fixture_rank(catalogue, &ask, &arena, &question, &ranking);
    label_choose(&question, &ranking, labelled);
    for (size_t i = 0; i < ranking.fitting_count; i++) {
        const struct option *mine = ranking.fitting[i];

        if (rank_class(mine) == 0) {
            are_extreme &=
                mine->speed.relative_low <= labelled[LABEL_FASTEST_IN_BUDGET]->speed.relative_low &&
                mine->cost.purchase_micros >=
                    labelled[LABEL_CHEAPEST_THAT_FITS]->cost.purchase_micros &&
                mine->gpu->memory_per_process_gib <=
                    labelled[LABEL_MOST_MEMORY]->gpu->memory_per_process_gib;
        }
    }
    (void)tap_ok(are_extreme, "labelled picks are the fastest, the cheapest and the largest");

    ask.prefer = PREFER_VALUE;
    fixture_rank(catalogue, &ask, &arena, &question, &ranking);
    (void)tap_text(labelled[LABEL_BEST_VALUE]->gpu->id, ranking.fitting[0]->gpu->id,
                   "best-value is the first pick of prefer=value");
    arena_fini(&arena);
}

/* The oracle: what one way of taking a card is worth, written from DESIGN.md section 3 without
 * rank.c, score.c and constraint.c. */
struct worth {
    bool passes;
    size_t count;
    enum strategy strategy;
    int class;
    double score;
};

static bool oracle_fits(const struct catalogue *catalogue, const struct ask *ask,
                        const struct gpu *gpu, enum strategy strategy, size_t count,
                        double *headroom, bool *is_tight)
{
    struct memory_need need;
    double there = memory_usable_gib(catalogue, ask, gpu);
    double needed = 0;

    memory_estimate(catalogue, ask, strategy, count, &need);
    needed = need.per_gpu_gib;
    if (need.is_floor) {
        there = gpu->memory_per_process_gib;
        needed = isnan(ask->min_memory_gib) ? needed : fmax(needed, ask->min_memory_gib);
    }
    *is_tight = !need.is_floor && needed > 0.92 * there;
    *headroom = fmin(1.25, pow(there / needed, 0.25));
    return needed <= there;
}

static bool oracle_runs(const struct ask *ask, const struct gpu *gpu)
{
    enum support_status status = support_of(gpu, ask->framework, ask->os);

    return status != SUPPORT_DROPPED && status != SUPPORT_NONE &&
           (ask->chassis == CHASSIS_SERVER ||
            (strcmp(gpu->form_factor, "pcie") == 0 && strcmp(gpu->cooling, "passive") != 0));
}

/* Modules come by fours on the board of a server, or alone; superchips alone. */
static bool oracle_is_sold(const struct gpu *gpu, size_t count)
{
    return strcmp(gpu->form_factor, "pcie") == 0 || count == 1 ||
           (strcmp(gpu->form_factor, "superchip") != 0 && count % 4 == 0);
}

static struct worth oracle_try(const struct catalogue *catalogue, const struct ask *ask,
                               const struct price_book *book, const struct gpu *gpu, size_t count,
                               enum condition condition)
{
    static const double EXPONENTS[PREFER_COUNT] = {0.5, 0.8, 0};
    struct worth worth = {.count = count, .strategy = STRATEGY_SINGLE};
    struct plan_price price;
    struct speed speed;
    struct cost cost;
    double headroom = 0;
    bool is_tight = false;
    bool fits = oracle_fits(catalogue, ask, gpu, STRATEGY_SINGLE, 1, &headroom, &is_tight);
    double watts = 1.2 * gpu->tdp_watts * (double)count + 200;
    enum support_status status = support_of(gpu, ask->framework, ask->os);

    if (count > 1) {
        worth.strategy = STRATEGY_DDP;
        fits = oracle_fits(catalogue, ask, gpu, STRATEGY_DDP, count, &headroom, &is_tight);
        if (!fits || is_tight) {
            worth.strategy = ask->task != TASK_INFERENCE             ? STRATEGY_FSDP
                             : ask->framework == FRAMEWORK_LLAMA_CPP ? STRATEGY_PP
                                                                     : STRATEGY_TP;
            fits = oracle_fits(catalogue, ask, gpu, worth.strategy, count, &headroom, &is_tight);
        }
    }
    if (!fits || !oracle_is_sold(gpu, count) || !oracle_runs(ask, gpu) ||
        (!isnan(ask->psu_watts) && watts > ask->psu_watts) ||
        !price_plan(book, gpu, condition, &price) ||
        !speed_estimate(catalogue, ask, gpu, worth.strategy, count, &speed)) {
        return worth;
    }
    cost_estimate(catalogue, ask, gpu, count, &price, (double)NAN, &cost);
    if (isnan(cost.total_usd) || /* the power of the board is not known: no cost, no rank */
        (ask->budget_micros != MONEY_UNKNOWN && cost.purchase_micros > ask->budget_micros)) {
        return worth;
    }
    worth.passes = true;
    worth.class = (price.is_very_old ? 2 : 0) + (is_tight ? 1 : 0);
    worth.score = 100 * speed.relative_low * headroom * (status == SUPPORT_SUPPORTED ? 1 : 0.5) *
                  support_ecosystem_factor(catalogue, ask, gpu) /
                  pow(fmax(cost.total_usd, 1) / 1000, EXPONENTS[ask->prefer]);
    return worth;
}

static struct worth oracle_best(const struct catalogue *catalogue, const struct ask *ask,
                                const struct price_book *book, const struct gpu *gpu)
{
    struct worth best = {.passes = false};

    for (size_t count = 1; count <= (size_t)ask->max_gpus; count++) {
        for (size_t used = 0; used <= 1; used++) {
            struct worth worth;

            if (ask->condition == (used == 1 ? ASKED_NEW : ASKED_USED)) {
                continue;
            }
            worth = oracle_try(catalogue, ask, book, gpu, count,
                               used == 1 ? CONDITION_USED : CONDITION_NEW);
            if (worth.passes && (!best.passes || worth.class < best.class ||
                                 (worth.class == best.class && worth.score > best.score))) {
                best = worth;
            }
        }
    }
    return best;
}

/* A plain generator, so that the same cards come each time. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static struct ask random_ask(const struct catalogue *catalogue, uint32_t *state)
{
    static const char *const MODELS[] = {"llama-3.1-8b", "qwen2.5-14b", "llama-3.1-70b"};
    static const int64_t BUDGETS[] = {0, 500, 1500, 6000};
    struct ask ask = fixture_ask((enum task)draw(state, TASK_COUNT), BUDGETS[draw(state, 4)]);

    ask.max_gpus = 1 + draw(state, 4);
    ask.prefer = (enum prefer)draw(state, PREFER_COUNT);
    ask.condition = (enum asked_condition)draw(state, ASKED_CONDITION_COUNT);
    ask.min_memory_gib = draw(state, 3) == 0 ? 16 : (double)NAN;
    ask.psu_watts = draw(state, 3) == 0 ? 900 : (double)NAN;
    ask.chassis = draw(state, 2) == 0 ? CHASSIS_DESKTOP : CHASSIS_SERVER;
    if (draw(state, 2) == 0) {
        ask.model = fixture_model(catalogue, MODELS[draw(state, 3)]);
        ask.min_memory_gib = (double)NAN;
    }
    return ask;
}

enum { RANDOM_CARDS = 16 };

/* Some cards of the catalogue, with their memory and power changed a little. */
static struct catalogue *random_catalogue(const struct catalogue *shipped, uint32_t *state)
{
    const char *ids[RANDOM_CARDS] = {REFERENCE_ID};
    struct catalogue *copy = fixture_copy(shipped, 1);

    for (size_t i = 1; i < RANDOM_CARDS; i++) {
        ids[i] = shipped->gpus[draw(state, (uint32_t)shipped->gpu_count)].id;
    }
    fixture_keep(copy, ids, RANDOM_CARDS);
    for (size_t i = 0; i < copy->gpu_count; i++) {
        copy->gpus[i].memory_usable_gib *= 0.9 + 0.01 * draw(state, 20);
        copy->gpus[i].tdp_watts *= 0.9 + 0.01 * draw(state, 20);
    }
    fixture_build(copy);
    return copy;
}

/* True when ranking and oracle agree on every card and on the order. */
static bool agrees(const struct catalogue *catalogue, const struct ask *ask,
                   const struct price_book *book, const struct ranking *ranking)
{
    size_t passing = 0;
    int class = 0;
    double score = (double)INFINITY;

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        passing += oracle_best(catalogue, ask, book, &catalogue->gpus[i]).passes ? 1 : 0;
    }
    if (passing != ranking->fitting_count) {
        printf("# %zu pass, the oracle has %zu\n", ranking->fitting_count, passing);
        return false;
    }
    for (size_t place = 0; place < ranking->fitting_count; place++) {
        const struct option *option = ranking->fitting[place];
        struct worth worth = oracle_best(catalogue, ask, book, option->gpu);

        if (!worth.passes || worth.class != rank_class(option) || worth.count != option->count ||
            worth.strategy != option->strategy ||
            fabs(worth.score - option->score) > 1e-9 * worth.score) {
            printf("# %s: %zu x, %.9g; oracle %zu x, %.9g\n", option->gpu->id, option->count,
                   option->score, worth.count, worth.score);
            return false;
        }
        if (worth.class < class || (worth.class == class && worth.score > score * (1 + 1e-9))) {
            printf("# %s is out of order\n", option->gpu->id);
            return false;
        }
        class = worth.class;
        score = worth.score;
    }
    return true;
}

static void test_against_oracle(const struct catalogue *shipped)
{
    enum { TRIALS = 100 };
    uint32_t state = 20261130;
    size_t agreed = 0;
    size_t picked = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct catalogue *catalogue = random_catalogue(shipped, &state);
        struct ask ask = random_ask(catalogue, &state);
        struct arena arena;
        struct question question;
        struct ranking ranking;
        struct price_book book;
        struct error err;

        arena_init(&arena, FIXTURE_ARENA_BYTES);
        fixture_rank(catalogue, &ask, &arena, &question, &ranking);
        if (!price_book_init(&book, catalogue, &ask, TEST_DAY, &arena, &err)) {
            test_bail_out("no price book", err.text);
        }
        agreed += agrees(catalogue, &ask, &book, &ranking) ? 1 : 0;
        picked += ranking.fitting_count;
        arena_fini(&arena);
        catalogue_unref(catalogue);
    }
    (void)tap_ok(
        agreed == TRIALS && picked > 2 * TRIALS,
        "the search agrees with one that tries everything in %zu of %d catalogues, %zu picks",
        agreed, TRIALS, picked);
}

int main(void)
{
    struct catalogue *shipped = test_catalogue();

    test_score(&shipped->parameters);
    test_order();
    test_holds_all(shipped);
    test_paretos(shipped);
    test_labels(shipped);
    test_against_oracle(shipped);
    catalogue_unref(shipped);
    return tap_done();
}
