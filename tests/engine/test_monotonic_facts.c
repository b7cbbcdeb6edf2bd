/* Which way the ranking must move when the facts about one card change: a lower price never costs
 * it score or rank, an older one never raises them, a faster card never ranks below its slower
 * twin. */
#include "trial.h"

/* The ask about the cards of another catalogue. */
static struct ask ask_about(const struct catalogue *catalogue, const struct ask *ask)
{
    struct ask other = *ask;

    other.own = ask->own == NULL ? NULL : fixture_gpu(catalogue, ask->own->id);
    for (size_t i = 0; i < ask->quote_count; i++) {
        other.quotes[i].gpu = fixture_gpu(catalogue, ask->quotes[i].gpu->id);
    }
    return other;
}

static int64_t planning_micros(const struct option *option)
{
    return option->price == NULL ? MONEY_UNKNOWN : option->price->planning_micros;
}

/* Whether a card that was before `from` in one answer is behind it in the other. Cards whose own
 * price is another now do not count: one price also moves the street index, and with it others. */
static bool was_overtaken(const struct trial *before, const struct trial *after, const char *id)
{
    const struct option *was = option_of(before, fixture_gpu(before->catalogue, id));
    const struct option *is = option_of(after, fixture_gpu(after->catalogue, id));

    for (size_t i = 0; i < before->ranking.fitting_count; i++) {
        const struct option *other = before->ranking.fitting[i];
        const struct option *now = option_of(after, fixture_gpu(after->catalogue, other->gpu->id));

        if (other != was && is_pick(now) && planning_micros(other) == planning_micros(now) &&
            rank_is_before(was, other) && rank_is_before(now, is)) {
            printf("# %s overtook %s\n", other->gpu->id, id);
            return true;
        }
    }
    return false;
}

/* The card got cheaper or younger in price: it is a pick if it was, scores no less, and nobody
 * overtakes it. */
static bool gains(const struct trial *before, const struct trial *after, const char *id)
{
    const struct option *was = option_of(before, fixture_gpu(before->catalogue, id));
    const struct option *is = option_of(after, fixture_gpu(after->catalogue, id));

    if (!is_pick(was)) {
        return true;
    }
    if (!is_pick(is) || !is_not_behind(is, was)) {
        printf("# %s scored %.9g, then %.9g\n", id, was->score, is->score);
        return false;
    }
    return !was_overtaken(before, after, id);
}

/* The card quoted at a price and at four fifths of it. */
static bool a_lower_quote_costs_no_rank(const struct trial *trial)
{
    const struct gpu *gpu = draw_card(trial);
    struct ask dear = *trial->ask;
    struct ask cheap;

    dear.quotes[0] = (struct quote){gpu, usd((int64_t)PICK(trial->dice, 90, 400, 1000, 4000))};
    dear.quote_count = 1;
    dear.tier = NULL; /* cheaper may be below the band */
    cheap = dear;
    cheap.quotes[0].amount_micros = cheap.quotes[0].amount_micros / 5 * 4;
    struct trial before = ask_again(trial, trial->catalogue, &dear);
    struct trial after = ask_again(trial, trial->catalogue, &cheap);

    return gains(&before, &after, gpu->id);
}

/* All prices of one condition of one card are seen at nine tenths. */
static bool a_lower_price_costs_no_rank(const struct trial *trial)
{
    const struct gpu *gpu = draw_card(trial);
    struct catalogue *copy = fixture_copy(trial->catalogue, 1);
    const char *condition = PICK_TEXT(trial->dice, "new", "used");
    struct ask cheap;
    struct ask dear = *trial->ask;

    for (size_t i = 0; i < copy->price_count; i++) {
        struct price *price = &copy->prices[i];

        if (text_is(price->gpu_slug, gpu->id) && text_is(price->condition, condition)) {
            price->amount_micros = price->amount_micros / 10 * 9;
        }
    }
    fixture_build(copy);
    dear.tier = NULL;
    cheap = ask_about(copy, &dear);
    struct trial before = ask_again(trial, trial->catalogue, &dear);
    struct trial after = ask_again(trial, copy, &cheap);
    bool is_good = gains(&before, &after, gpu->id);

    catalogue_unref(copy);
    return is_good;
}

static void speed_up(struct gpu *gpu, double rates, double bandwidth)
{
    double *const scaled[] = {
        &gpu->boost_clock_mhz,    &gpu->fp64_tflops,        &gpu->fp32_tflops,
        &gpu->fp16_tflops,        &gpu->tensor_tf32_tflops, &gpu->tensor_fp16_tflops,
        &gpu->tensor_bf16_tflops, &gpu->tensor_fp8_tflops,  &gpu->tensor_fp16_acc16_tflops,
        &gpu->tensor_int8_tops,   &gpu->tensor_fp4_tflops,
    };

    for (size_t i = 0; i < sizeof scaled / sizeof scaled[0]; i++) {
        *scaled[i] *= rates;
    }
    gpu->memory_bandwidth_gb_s *= bandwidth;
}

/* A twin of the card, whose id comes first, with faster arithmetic, faster memory or both, at the
 * same price. */
static bool a_faster_twin_is_not_behind(const struct trial *trial)
{
    const struct gpu *gpu = draw_card(trial);
    struct catalogue *copy = fixture_copy(trial->catalogue, 1);
    double factor = PICK(trial->dice, 1.03, 1.5, 4);
    struct gpu *twin = &copy->gpus[copy->gpu_count++];
    struct ask ask = *trial->ask;

    *twin = *gpu;
    twin->id = "a-twin";
    switch (throw_dice(trial->dice, 3)) {
    case 0:
        speed_up(twin, factor, 1);
        break;
    case 1:
        speed_up(twin, 1, factor);
        break;
    default:
        speed_up(twin, factor, factor);
        break;
    }
    copy->alias_count = 0;
    fixture_build(copy);
    twin = fixture_row(copy, "a-twin");
    memcpy(twin->support, gpu->support, sizeof twin->support); /* also what is said of the card */
    ask.own = NULL;
    ask.quotes[0] = (struct quote){twin, usd(500)};
    ask.quotes[1] = (struct quote){fixture_gpu(copy, gpu->id), usd(500)};
    ask.quote_count = 2;
    struct trial after = ask_again(trial, copy, &ask);
    const struct option *slow = option_of(&after, ask.quotes[1].gpu);
    const struct option *fast = option_of(&after, twin);
    /* where the link between cards decides alone, the twins differ in the last bits */
    bool ties = rank_class(fast) == rank_class(slow) && fast->score >= slow->score * (1 - 1e-9);
    bool is_good = !is_pick(slow) || (is_pick(fast) && (ties || rank_is_before(fast, slow)));

    if (!is_good) {
        printf("# %s x %zu scores %.9g, its faster twin x %zu %.9g; %s %s\n", gpu->id, slow->count,
               slow->score, fast->count, fast->score, TASK_NAMES[ask.task],
               ask.model == NULL ? DOMAIN_NAMES[ask.domain] : ask.model->id);
    }
    catalogue_unref(copy);
    return is_good;
}

/* The same cards in a catalogue where all prices of one were seen earlier. What is not seen yet
 * stays where it is; no tier, as the planning price may grow into one. */
static bool older_prices_win_no_rank(const struct trial *trial)
{
    const struct gpu *gpu = draw_card(trial);
    struct catalogue *copy = fixture_copy(trial->catalogue, 1);
    int32_t days = (int32_t)PICK(trial->dice, 30, 100, 200, 400, 1200);
    struct ask fresh = *trial->ask;
    struct ask aged;

    for (size_t i = 0; i < copy->price_count; i++) {
        struct price *price = &copy->prices[i];

        if (text_is(price->gpu_slug, gpu->id) && price->observed_on.day <= TEST_DAY) {
            price->observed_on.day -= days;
        }
    }
    fixture_build(copy);
    fresh.tier = NULL;
    aged = ask_about(copy, &fresh);
    struct trial before = ask_again(trial, trial->catalogue, &fresh);
    struct trial after = ask_again(trial, copy, &aged);
    bool is_good = gains(&after, &before, gpu->id);

    catalogue_unref(copy);
    return is_good;
}

static const struct property PROPERTIES[] = {
    {"a lower quote never costs a card score or rank", a_lower_quote_costs_no_rank},
    {"a lower price in the catalogue never costs a card score or rank",
     a_lower_price_costs_no_rank},
    {"a faster card at the same price never ranks below its slower twin",
     a_faster_twin_is_not_behind},
    {"older prices never raise the score or rank of a card", older_prices_win_no_rank},
};

int main(void)
{
    try_properties(PROPERTIES, sizeof PROPERTIES / sizeof PROPERTIES[0]);
    return tap_done();
}
