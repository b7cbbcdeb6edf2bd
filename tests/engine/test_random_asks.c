/* What must hold of every answer, tried on questions drawn at random from a fixed seed, of the
 * shipped facts and of catalogues that nobody made: no pick breaks what was asked (checked here
 * from DESIGN.md section 3, not by constraint.c), costs and scores add up, every range holds its
 * value. */
#include "random_ask.h"
#include "random_catalogue.h"
#include "support.h"

enum { TRIALS = 600 };

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

/* Unknown ends hold nothing wrong. */
static bool is_ordered(double low, double value, double high)
{
    return !(low > value) && !(value > high);
}

static bool keeps_ranges(const struct catalogue *catalogue, const struct ask *ask,
                         const struct pick *pick)
{
    const struct plan_price *price = &pick->price;
    struct memory_need need;

    memory_estimate(catalogue, ask, pick->strategy, pick->count, &need);
    return is_ordered(need.low_gib, need.total_gib, need.high_gib) &&
           is_ordered(need.per_gpu_low_gib, need.per_gpu_gib, need.per_gpu_high_gib) &&
           is_ordered(pick->speed.low, pick->speed.value, pick->speed.high) &&
           is_ordered(pick->job_hours_low, pick->job_hours, pick->job_hours_high) &&
           price->low_micros <= price->amount_micros &&
           price->amount_micros <= price->planning_micros &&
           price->planning_micros <= price->high_micros;
}

static size_t count_wrong_picks(const struct catalogue *catalogue, const struct ask *ask,
                                const struct recommendation *answer)
{
    size_t wrong = 0;

    for (size_t i = 0; i < answer->pick_count; i++) {
        const struct pick *pick = &answer->picks[i];
        bool is_in_order = i == 0 || pick->rank > answer->picks[i - 1].rank;

        if (!keeps_money(catalogue, ask, pick) || !keeps_machine(ask, pick) ||
            !keeps_work(catalogue, ask, pick) || !adds_up(pick) ||
            !keeps_ranges(catalogue, ask, pick) || !is_in_order) {
            printf("# %s x %zu: money %d, machine %d, work %d, sums %d, ranges %d, order %d\n",
                   pick->gpu->id, pick->count, keeps_money(catalogue, ask, pick),
                   keeps_machine(ask, pick), keeps_work(catalogue, ask, pick), adds_up(pick),
                   keeps_ranges(catalogue, ask, pick), is_in_order);
            wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    struct catalogue *shipped = test_catalogue();
    struct dice dice = {.state = 20261130};
    size_t asked = 0;
    size_t answered = 0;
    size_t wrong_picks = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) { /* every other of a catalogue of its own */
        struct catalogue *drawn = trial % 2 == 0 ? NULL : random_catalogue(shipped, &dice);
        const struct catalogue *catalogue = drawn == NULL ? shipped : drawn;
        struct recommendation answer;
        struct arena arena;
        struct ask ask;
        struct error err;

        arena_init(&arena, FIXTURE_ARENA_BYTES);
        if (draw_ask(catalogue, &dice, &ask)) {
            if (!recommend(catalogue, &ask, TEST_DAY, &arena, &answer, &err)) {
                test_bail_out("no answer", err.text);
            }
            asked++;
            answered += answer.pick_count > 0;
            wrong_picks += count_wrong_picks(catalogue, &ask, &answer);
        }
        arena_fini(&arena);
        catalogue_unref(drawn);
    }
    (void)tap_ok(asked > TRIALS / 2 && answered > TRIALS / 8, "%zu questions, %zu with picks",
                 asked, answered);
    (void)tap_ok(wrong_picks == 0,
                 "no pick breaks what was asked, all sums are right, all ranges hold their value");
    catalogue_unref(shipped);
    return tap_done();
}
