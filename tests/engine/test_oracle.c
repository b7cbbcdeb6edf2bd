/* Catalogues and questions drawn at random from a fixed seed: the plain enumeration of oracle.h and
 * the engine's search give the same answer, from the first pick to the last reason. */
#include "oracle.h"
#include "random_ask.h"
#include "random_catalogue.h"

enum { CATALOGUES = 1000, QUESTIONS = 5 };

/* Shares of a score that may differ: pow() here, square roots there. */
static const double SCORE_TOLERANCE = 1e-12;

/* Where the two answers differ; each is counted once a question. */
enum difference {
    DIFFERS_IN_PICKS,
    DIFFERS_IN_REJECTIONS,
    DIFFERS_IN_PARETO,
    DIFFERS_IN_LABELS,
    DIFFERS_IN_BOUND,
    DIFFERS_WHEN_QUOTED,
    DIFFERENCE_COUNT
};
static const char *const DIFFERENCES[DIFFERENCE_COUNT] = {
    "the same picks in the same order: card, number, condition, strategy, fit, score",
    "the same cards rejected for the same reasons, nearest miss first",
    "the same members of the Pareto front",
    "the same pick for each label",
    "each rank holds up to the price told and not beyond",
    "the same when that price is quoted and the question asked again",
};

static bool is_close(double a, double b)
{
    return fabs(a - b) <= SCORE_TOLERANCE * fabs(b);
}

static bool is_same_pick(const struct pick *pick, const struct way *way)
{
    return pick->gpu == way->gpu && pick->count == way->count && pick->strategy == way->strategy &&
           pick->price.condition == way->price.condition &&
           pick->price.planning_micros == way->price.planning_micros &&
           pick->is_owned == way->is_owned && pick->is_tight == way->is_tight &&
           pick->needed_gib == way->needed_gib && pick->available_gib == way->available_gib &&
           pick->speed.low == way->speed.low && is_close(pick->score, way->score);
}

static bool has_same_picks(const struct oracle *oracle, const struct recommendation *answer)
{
    if (answer->pick_count != oracle->fitting_count ||
        answer->fitting_count != oracle->fitting_count) {
        printf("# %zu picks of %zu, wanted %zu\n", answer->pick_count, answer->fitting_count,
               oracle->fitting_count);
        return false;
    }
    for (size_t i = 0; i < answer->pick_count; i++) {
        const struct pick *pick = &answer->picks[i];
        const struct way *way = &oracle->ways[i];

        if (pick->rank != i + 1 || !is_same_pick(pick, way)) {
            printf("# rank %zu: %s x %zu %s %.15g, wanted %s x %zu %s %.15g\n", pick->rank,
                   pick->gpu->id, pick->count, STRATEGY_NAMES[pick->strategy], pick->score,
                   way->gpu->id, way->count, STRATEGY_NAMES[way->strategy], way->score);
            return false;
        }
    }
    return true;
}

static uint32_t told_reasons(const struct rejection *rejection)
{
    uint32_t reasons = 0;

    for (size_t i = 0; i < rejection->reason_count; i++) {
        reasons |= reason(true, rejection->reasons[i].code);
    }
    return reasons;
}

static bool has_same_rejections(const struct oracle *oracle, const struct recommendation *answer)
{
    size_t counts[MESSAGE_REJECTION_COUNT] = {0};

    if (answer->rejection_count != oracle->count - oracle->fitting_count) {
        return false;
    }
    for (size_t i = 0; i < answer->rejection_count; i++) {
        const struct rejection *rejection = &answer->rejections[i];
        const struct way *way = &oracle->ways[oracle->fitting_count + i];

        if (rejection->gpu != way->gpu || told_reasons(rejection) != way->reasons) {
            printf("# rejected %zu: %s %#x, wanted %s %#x\n", i, rejection->gpu->id,
                   told_reasons(rejection), way->gpu->id, way->reasons);
            return false;
        }
        for (size_t code = 0; code < MESSAGE_REJECTION_COUNT; code++) {
            counts[code] += way->reasons >> code & 1;
        }
    }
    return memcmp(counts, answer->rejected_counts, sizeof counts) == 0;
}

/* In price, low-end speed and memory. */
static bool is_beaten(const struct way *way, const struct way *by)
{
    double more[] = {(double)(way->cost.purchase_micros - by->cost.purchase_micros),
                     by->speed.relative_low - way->speed.relative_low,
                     by->pooled_gib - way->pooled_gib};
    double least = fmin(more[0], fmin(more[1], more[2]));
    double most = fmax(more[0], fmax(more[1], more[2]));

    return least >= 0 && most > 0;
}

static bool has_same_pareto(const struct oracle *oracle, const struct recommendation *answer)
{
    for (size_t i = 0; i < answer->pick_count; i++) {
        bool is_member = true;

        for (size_t k = 0; k < oracle->fitting_count; k++) {
            is_member &= !is_beaten(&oracle->ways[i], &oracle->ways[k]);
        }
        if (is_member != answer->picks[i].is_pareto) {
            return false;
        }
    }
    return true;
}

static double worth(const struct oracle *oracle, const struct way *way, enum pick_label label)
{
    const double worths[LABEL_COUNT] = {
        [LABEL_BEST_VALUE] = oracle_score(oracle, way, exponent_of(PREFER_VALUE)),
        [LABEL_FASTEST_IN_BUDGET] = way->speed.relative_low,
        [LABEL_CHEAPEST_THAT_FITS] = -(double)way->cost.purchase_micros,
        [LABEL_MOST_MEMORY] = way->pooled_gib,
    };

    return worths[label];
}

/* What is bought, of the best class there is; of equals the first. */
static size_t place_of_label(const struct oracle *oracle, enum pick_label label)
{
    size_t best = oracle->fitting_count;

    for (size_t i = 0; i < oracle->fitting_count; i++) {
        const struct way *way = &oracle->ways[i];
        const struct way *first = &oracle->ways[best];

        if (!way->is_owned && (best == oracle->fitting_count ||
                               (oracle_class(way) == oracle_class(first) &&
                                worth(oracle, way, label) > worth(oracle, first, label)))) {
            best = i;
        }
    }
    return best;
}

static bool has_same_labels(const struct oracle *oracle, const struct recommendation *answer)
{
    for (size_t label = 0; label < LABEL_COUNT; label++) {
        size_t place = place_of_label(oracle, (enum pick_label)label);

        for (size_t i = 0; i < answer->pick_count; i++) {
            if (answer->picks[i].labels[label] != (i == place)) {
                printf("# %s: %zu is wrong, wanted %zu\n", LABEL_NAMES[label], i, place);
                return false;
            }
        }
    }
    return true;
}

/* Whether the set at another price of one card is still asked for and still before the next. */
static bool keeps_rank_at(const struct oracle *oracle, size_t place, int64_t price_micros)
{
    const struct way *next = place + 1 < oracle->fitting_count ? &oracle->ways[place + 1] : NULL;
    struct way way = oracle->ways[place];

    way.price.amount_micros = price_micros;
    way.price.planning_micros = price_micros;
    cost_estimate(oracle->catalogue, oracle->ask, way.gpu, way.count, &way.price, (double)NAN,
                  &way.cost);
    way.score = oracle_score(oracle, &way, exponent_of(oracle->ask->prefer));
    return money_reasons(oracle, &way) == 0 && (next == NULL || is_better_pick(&way, next));
}

static bool has_same_bounds(const struct oracle *oracle, const struct recommendation *answer)
{
    for (size_t i = 0; i < answer->pick_count; i++) {
        int64_t bound = answer->picks[i].holds_up_to_micros;
        int64_t planning = answer->picks[i].price.planning_micros;
        bool is_wrong = bound == MONEY_UNKNOWN
                            ? !keeps_rank_at(oracle, i, 1000 * planning)
                            : keeps_rank_at(oracle, i, bound + MONEY_MICROS_PER_CENT) ||
                                  bound < planning ||
                                  (bound > planning && !keeps_rank_at(oracle, i, bound));

        if (is_wrong) {
            printf("# rank %zu of %zu: %s x %zu holds at %.4f up to %.2f\n", i + 1,
                   answer->pick_count, answer->picks[i].gpu->id, answer->picks[i].count,
                   money_to_units(planning), money_to_units(bound));
            return false;
        }
    }
    return true;
}

/* The rank of a card when its price is quoted; 0: it is no pick then. */
static size_t rank_when_quoted(const struct oracle *oracle, const struct gpu *gpu, int64_t micros,
                               struct arena *arena)
{
    struct ask ask = *oracle->ask;
    struct question question;
    struct ranking ranking;
    struct error err;

    ask.quotes[0] = (struct quote){gpu, micros}; /* the first of several counts */
    ask.quote_count = ask.quote_count == 0 ? 1 : ask.quote_count;
    if (!question_init(&question, oracle->catalogue, &ask, TEST_DAY, arena, &err) ||
        !rank_all(&question, arena, &ranking, &err)) {
        test_bail_out("no ranking", err.text);
    }
    return fixture_rank_of(&ranking, gpu->id);
}

/* The bound as a buyer would try it, by prices=: for single cards, as another number might do
 * better at another price; without other quotes, as one more would push one out; and where the age
 * of the price does not count against the card, as a quote has none. */
static bool has_same_bounds_when_quoted(const struct oracle *oracle,
                                        const struct recommendation *answer, struct arena *arena)
{
    if (oracle->ask->max_gpus > 1 || oracle->ask->quote_count > 0) {
        return true;
    }
    for (size_t i = 0; i < answer->pick_count; i++) {
        const struct pick *pick = &answer->picks[i];
        int64_t bound = pick->holds_up_to_micros;

        if (pick->gpu == oracle->ask->own || pick->price.is_very_old || bound == MONEY_UNKNOWN) {
            continue;
        }
        size_t at = rank_when_quoted(oracle, pick->gpu, bound, arena);
        size_t above = rank_when_quoted(oracle, pick->gpu, bound + MONEY_MICROS_PER_CENT, arena);

        if (at == 0 || at > pick->rank || (above != 0 && above <= pick->rank)) {
            printf("# rank %zu of %zu: %s holds up to %.2f, quoted at it it has rank %zu, above it "
                   "%zu\n",
                   pick->rank, answer->pick_count, pick->gpu->id, money_to_units(bound), at, above);
            return false;
        }
    }
    return true;
}

static void compare(const struct catalogue *catalogue, const struct ask *ask,
                    size_t differences[DIFFERENCE_COUNT], size_t *pick_count)
{
    struct oracle oracle;
    struct recommendation answer;
    struct arena arena;
    struct error err;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    oracle_ask(&oracle, catalogue, ask, &arena);
    if (!recommend(catalogue, ask, TEST_DAY, &arena, &answer, &err)) {
        test_bail_out("no answer", err.text);
    }
    *pick_count += answer.pick_count;
    if (!has_same_picks(&oracle, &answer)) {
        differences[DIFFERS_IN_PICKS]++; /* what follows goes by the places of the picks */
    } else {
        differences[DIFFERS_IN_PARETO] += !has_same_pareto(&oracle, &answer);
        differences[DIFFERS_IN_LABELS] += !has_same_labels(&oracle, &answer);
        differences[DIFFERS_IN_BOUND] += !has_same_bounds(&oracle, &answer);
        differences[DIFFERS_WHEN_QUOTED] += !has_same_bounds_when_quoted(&oracle, &answer, &arena);
    }
    differences[DIFFERS_IN_REJECTIONS] += !has_same_rejections(&oracle, &answer);
    arena_fini(&arena);
}

int main(void)
{
    struct catalogue *shipped = test_catalogue();
    struct dice dice = {.state = 42};
    size_t differences[DIFFERENCE_COUNT] = {0};
    size_t asked = 0;
    size_t picks = 0;

    for (size_t i = 0; i < CATALOGUES; i++) {
        struct catalogue *catalogue = random_catalogue(shipped, &dice);

        for (size_t q = 0; q < QUESTIONS; q++) {
            struct ask ask;

            if (draw_ask(catalogue, &dice, &ask)) {
                ask.explain = EXPLAIN_ALL;
                asked++;
                compare(catalogue, &ask, differences, &picks);
            }
        }
        catalogue_unref(catalogue);
    }
    (void)tap_ok(asked > 500 && picks > 1000, "%zu questions of %d catalogues, %zu picks", asked,
                 CATALOGUES, picks);
    for (size_t d = 0; d < DIFFERENCE_COUNT; d++) {
        (void)tap_ok(differences[d] == 0, "%s", DIFFERENCES[d]);
    }
    catalogue_unref(shipped);
    return tap_done();
}
