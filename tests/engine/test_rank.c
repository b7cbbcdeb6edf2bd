/* rank.c, score.c and label.c: the score by hand, the order, what a price may rise to and who
 * dominates whom. The whole search is judged by test_oracle.c. */
#include "rank.h"

#include "label.h"

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

int main(void)
{
    struct catalogue *shipped = test_catalogue();

    test_score(&shipped->parameters);
    test_order();
    test_holds_all(shipped);
    test_paretos(shipped);
    test_labels(shipped);
    catalogue_unref(shipped);
    return tap_done();
}
