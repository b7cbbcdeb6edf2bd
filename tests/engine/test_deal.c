/* Tests handlers/engine/deal.c. The fair price is worked out again from the parts of a score, and
 * asked of the ranking itself; six cards of the shipped facts, five of them quoted. */
#include "deal.h"

#include "tests/engine/recommend_fixture.h"

static const char CARD_ID[] = "nvidia-geforce-rtx-4080";

/* Quotes in CNY, dear enough that 6999 CNY is good by a margin. */
static const struct {
    const char *id;
    int64_t cny;
} RIVALS[] = {
    {"nvidia-geforce-rtx-3080-ti", 5200}, {"nvidia-geforce-rtx-3090", 8600},
    {"nvidia-geforce-rtx-3090-ti", 9800}, {"nvidia-geforce-rtx-5070-ti", 9200},
    {"nvidia-geforce-rtx-5080", 11800},
};
enum { RIVAL_COUNT = sizeof RIVALS / sizeof RIVALS[0] };

static struct catalogue *shipped;
static struct catalogue *six; /* the card and its rivals, nothing else */
static struct arena arena;
static struct deal deal;

/* Learning in CNY, with so many of the rivals quoted. */
static struct ask ask_quoted(const struct catalogue *catalogue, size_t quoted)
{
    struct ask ask = fixture_ask(TASK_LEARN, 0);

    ask.currency = CURRENCY_CNY;
    for (size_t i = 0; i < quoted; i++) {
        ask.quotes[ask.quote_count++] =
            (struct quote){fixture_gpu(catalogue, RIVALS[i].id), usd(RIVALS[i].cny)};
    }
    return ask;
}

/* Judges into `deal`; returns the verdict. */
static enum deal_verdict judge_on(const struct catalogue *catalogue, const struct ask *given,
                                  const char *id, int64_t price_micros, int32_t day)
{
    struct ask ask = *given;
    struct deal_offer offer = {fixture_gpu(catalogue, id), price_micros};
    struct error err;

    if (!ask_complete(catalogue, &ask, &err) ||
        !deal_judge(catalogue, &ask, &offer, day, &arena, &deal, &err)) {
        test_bail_out("no judgement", err.text);
    }
    return deal.verdict;
}

static enum deal_verdict judge(const struct ask *ask, int64_t price_micros)
{
    return judge_on(six, ask, CARD_ID, price_micros, TEST_DAY);
}

/* Score of the card in the ranking with it quoted at a price. */
static double score_at(const struct ask *given, int64_t price_micros)
{
    struct ask ask = *given;
    struct question question;
    struct ranking ranking;

    ask.quotes[ask.quote_count++] = (struct quote){fixture_gpu(six, CARD_ID), price_micros};
    fixture_rank(six, &ask, &arena, &question, &ranking);
    return ranking.fitting[fixture_rank_of(&ranking, CARD_ID) - 1]->score;
}

static void test_verdicts(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT);

    tap_ok(judge(&ask, usd(6999)) == DEAL_GOOD, "6999 CNY is good");
    int64_t fair = deal.fair_micros;

    printf("# fair price %lld cents\n", (long long)(fair / MONEY_MICROS_PER_CENT));
    tap_ok(fair > usd(6999) && fair % MONEY_MICROS_PER_CENT == 0, "a fair price in whole cents");
    tap_ok(deal.compared_count == 5 && deal.fresh_count == 5 && deal.basis == DEAL_QUOTED,
           "quoted prices are fresh");
    tap_ok(deal.matched == deal.compared[4].option, "measured by the fifth pick");
    tap_near(deal.ratio, 6999.0 / ((double)fair / 1e6), 1e-12, "ratio");
    tap_ok(judge(&ask, fair) == DEAL_GOOD && deal.fair_micros == fair, "the fair price is good");
    tap_ok(judge(&ask, fair + MONEY_MICROS_PER_CENT) == DEAL_FAIR && deal.fair_micros == fair,
           "a cent more is fair, and the fair price does not hang on the offer");
    tap_ok(judge(&ask, fair / 100 * 115) == DEAL_FAIR, "15 %% more is fair");
    tap_ok(judge(&ask, fair / 100 * 115 + MONEY_MICROS_PER_CENT) == DEAL_POOR,
           "a cent above that is poor");
    tap_ok(judge(&ask, fair / 10 * 12) == DEAL_POOR && deal.fair_micros == fair,
           "1.2 times the fair price is poor");
    tap_ok(has_code(deal.reasons, deal.reason_count, MESSAGE_DEAL_POOR), "and says so");
}

/* 100 S H L E / (C / 1000 USD)^a = score of the fifth, with C = 0.4 price + energy: 24 months of
 * 80 h leave 0.6 of the price. */
static void test_by_hand(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT);
    const struct fx_rate *rate = NULL;
    double cny_per_usd = 0;

    judge(&ask, usd(6999));
    tap_ok(catalogue_find_rate(six, "USD", "CNY", &cny_per_usd, &rate), "a rate");
    const struct score_parts *parts = &deal.at_fair.score_parts;
    double benefit = 100 * parts->speed * parts->headroom * parts->life * parts->ecosystem;
    double cost_usd = 1000 * pow(benefit / deal.matched->score, 2);
    double energy = 0.320 * 24 * 80 * six->parameters.electricity_cny_per_kwh;
    double fair = (cost_usd * cny_per_usd - energy) / (1 - 0.6);

    tap_near(money_to_units(deal.fair_micros), fair, 0.011, "fair price by hand, to the cent");

    ask.vat_share = 0.13;
    ask.host_price_micros = usd(3000);
    ask.prefer = PREFER_VALUE;
    judge(&ask, usd(6999));
    cost_usd = 1000 * pow(benefit / deal.matched->score, 1 / 0.8);
    fair = (cost_usd * cny_per_usd - energy - 3000) / (1 + 0.13 - 0.6);
    tap_near(money_to_units(deal.fair_micros), fair, 0.011,
             "with tax, the rest of the computer and prefer=value too");
}

/* What the ranking says at the fair price, and a cent above it. */
static void test_by_ranking(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT);

    for (double cards = 1; cards <= 3; cards += 2) {
        ask.max_gpus = cards;
        judge(&ask, usd(6999));
        tap_ok(score_at(&ask, deal.fair_micros) >= deal.matched->score &&
                   score_at(&ask, deal.fair_micros + MONEY_MICROS_PER_CENT) < deal.matched->score,
               "with up to %.0f cards the score passes that of the fifth at the fair price", cards);
    }
}

static void test_avoid(void)
{
    struct ask ask = fixture_ask(TASK_LEARN, 0);
    const char k80[] = "nvidia-tesla-k80";

    for (int64_t price = 1; price <= 1000000; price *= 1000) {
        tap_ok(judge_on(shipped, &ask, k80, usd(price), TEST_DAY) == DEAL_AVOID,
               "a K80 for %lld is to be avoided", (long long)price);
    }
    tap_ok(has_code(deal.reasons, deal.reason_count, MESSAGE_SUPPORT_DROPPED) &&
               deal.fair_micros == MONEY_UNKNOWN && !deal.has_pick,
           "because support was dropped, and no price is fair");
    tap_ok(deal.better_count == DEAL_MAX_BETTER && deal.better[0].rank == 1,
           "the first picks are better");
    ask.task = TASK_INFERENCE;
    ask.chassis = CHASSIS_SERVER;
    tap_ok(judge_on(shipped, &ask, k80, usd(50), TEST_DAY) == DEAL_AVOID &&
               has_code(deal.reasons, deal.reason_count, MESSAGE_SUPPORT_DROPPED),
           "also where only volunteers keep it running");
    tap_ok(judge_on(shipped, &ask, "nvidia-tesla-v100-pcie-32gb", usd(50), TEST_DAY) != DEAL_AVOID,
           "not a V100, which CUDA 13 left too, but llama.cpp supports");
    tap_ok(judge_on(shipped, &ask, k80, usd(50), TEST_DAY + 2000) == DEAL_AVOID,
           "avoid goes before unknown");
    ask = fixture_ask(TASK_LEARN, 0);
    ask.min_memory_gib = 20;
    tap_ok(judge_on(shipped, &ask, CARD_ID, usd(1), TEST_DAY) == DEAL_AVOID &&
               has_code(deal.reasons, deal.reason_count, MESSAGE_MEMORY_TOO_SMALL),
           "too little memory at any price");
    ask = fixture_ask(TASK_LEARN, 0);
    ask.needs[FEATURE_NVLINK] = true;
    tap_ok(judge_on(shipped, &ask, CARD_ID, usd(1), TEST_DAY) == DEAL_AVOID &&
               has_code(deal.reasons, deal.reason_count, MESSAGE_FEATURE_MISSING),
           "a feature it lacks");
    ask = fixture_ask(TASK_LEARN, 0);
    tap_ok(judge_on(shipped, &ask, "nvidia-a100-sxm4-40gb", usd(1), TEST_DAY) == DEAL_AVOID &&
               has_code(deal.reasons, deal.reason_count, MESSAGE_FORM_FACTOR),
           "a module for a desktop");
}

static void test_unknown(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT - 1); /* the 5080 was seen on 2026-09-30 */

    tap_ok(judge(&ask, usd(6999)) != DEAL_UNKNOWN && deal.basis == DEAL_OBSERVED,
           "a price seen lately is as good as a quoted one");
    tap_ok(judge_on(six, &ask, CARD_ID, usd(6999), TEST_DAY + 400) == DEAL_UNKNOWN &&
               deal.fresh_count == 4 && deal.basis == DEAL_STALE,
           "400 days later it is not");
    tap_ok(deal.fair_micros > 0 && !isnan(deal.ratio), "the fair price is still told");
    tap_ok(has_code(deal.reasons, deal.reason_count, MESSAGE_DEAL_UNKNOWN) &&
               has_code(deal.pick.warnings, deal.pick.warning_count, MESSAGE_PRICE_STALE),
           "and why there is no verdict");
    ask = ask_quoted(six, 0);
    tap_ok(judge_on(six, &ask, CARD_ID, usd(6999), TEST_DAY + 400) == DEAL_UNKNOWN &&
               deal.fresh_count == 0,
           "with only old prices there is none");
    ask = ask_quoted(six, RIVAL_COUNT);
    ask.prefer = PREFER_SPEED;
    tap_ok(judge(&ask, usd(6999)) == DEAL_UNKNOWN && deal.fair_micros == MONEY_UNKNOWN &&
               deal.reasons[0].variant == VARIANT_BY_SPEED,
           "without money in the score no price is fair");
    ask = ask_quoted(six, RIVAL_COUNT);
    ask.min_memory_gib = 16;
    tap_ok(judge(&ask, usd(6999)) == DEAL_UNKNOWN && deal.fair_micros == MONEY_UNKNOWN &&
               deal.matched == NULL && deal.compared_count == 4 &&
               deal.reasons[0].variant == VARIANT_FEW_PICKS,
           "four rivals are too few to compare with");
}

static void test_better(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT);

    judge(&ask, usd(100000));
    tap_ok(deal.better_count == 5 && deal.pick.rank == 6, "five are better than a dear one");
    bool is_ordered = true;

    for (size_t i = 0; i < deal.better_count; i++) {
        is_ordered = is_ordered && deal.better[i].rank == i + 1 &&
                     deal.better[i].gpu == deal.compared[i].option->gpu;
    }
    tap_ok(is_ordered, "in the order of the ranking");
    judge(&ask, usd(500));
    tap_ok(deal.better_count == 0 && deal.pick.rank == 1, "none is better than a gift");
    judge(&ask, deal.fair_micros);
    bool are_all_better = deal.better_count == 4;

    for (size_t i = 0; i < deal.better_count; i++) {
        are_all_better = are_all_better && deal.better[i].score >= deal.pick.score;
    }
    tap_ok(are_all_better && deal.pick.rank == deal.better_count + 1,
           "at the fair price four are, which score more");
}

static void test_money(void)
{
    struct ask ask = ask_quoted(six, RIVAL_COUNT);

    ask.budget_micros = usd(20000);
    ask.vat_share = 1;
    tap_ok(judge(&ask, usd(6999)) != DEAL_AVOID &&
               !has_code(deal.reasons, deal.reason_count, MESSAGE_OVER_BUDGET),
           "13998 with tax is within 20000");
    ask.max_gpus = 3;
    tap_ok(judge(&ask, usd(6999)) != DEAL_AVOID && deal.pick.count == 1 &&
               !has_code(deal.reasons, deal.reason_count, MESSAGE_OVER_BUDGET),
           "more cards would not be, so that one is judged");
    tap_ok(judge(&ask, usd(4999)) != DEAL_AVOID && deal.pick.count == 2,
           "two at 19996 with tax are within it too");
    ask.max_gpus = 1;
    tap_ok(judge(&ask, usd(10001)) != DEAL_AVOID &&
               has_code(deal.reasons, deal.reason_count, MESSAGE_OVER_BUDGET),
           "20002 is not, which is told and makes no verdict");
    ask = ask_quoted(six, RIVAL_COUNT);
    ask.hours_per_month = 744;
    ask.months = 240;
    ask.electricity_micros_per_kwh = usd(100);
    struct catalogue *hungry = fixture_copy(six, 1);

    fixture_row(hungry, CARD_ID)->tdp_watts = 3200;
    fixture_build(hungry);
    for (size_t i = 0; i < ask.quote_count; i++) {
        ask.quotes[i].gpu = fixture_gpu(hungry, ask.quotes[i].gpu->id);
    }
    tap_ok(judge_on(hungry, &ask, CARD_ID, usd(1), TEST_DAY) == DEAL_POOR &&
               deal.fair_micros == 0 && isnan(deal.ratio) &&
               deal.reasons[0].variant == VARIANT_AS_A_GIFT,
           "what costs more to run than others cost in all is no gift");
    catalogue_unref(hungry);
}

static void test_condition(void)
{
    struct ask ask = fixture_ask(TASK_LEARN, 0);

    judge_on(shipped, &ask, CARD_ID, usd(700), TEST_DAY);
    tap_ok(deal.pick.price.condition == CONDITION_USED &&
               has_code(deal.pick.warnings, deal.pick.warning_count, MESSAGE_USED_RISK),
           "a card that is only seen used is offered used");
    judge_on(shipped, &ask, "nvidia-geforce-rtx-5070-ti", usd(700), TEST_DAY);
    tap_ok(deal.pick.price.condition == CONDITION_NEW, "one that is sold new is offered new");
    ask.condition = ASKED_USED;
    judge_on(shipped, &ask, "nvidia-geforce-rtx-5070-ti", usd(700), TEST_DAY);
    bool are_used = deal.compared_count == 5;

    for (size_t i = 0; i < deal.compared_count; i++) {
        are_used = are_used && deal.compared[i].option->price->condition == CONDITION_USED;
    }
    tap_ok(deal.pick.price.condition == CONDITION_USED && are_used,
           "the condition asked for is that of the offer and of what it is compared with");
}

int main(void)
{
    const char *ids[RIVAL_COUNT + 1] = {CARD_ID};

    for (size_t i = 0; i < RIVAL_COUNT; i++) {
        ids[i + 1] = RIVALS[i].id;
    }
    shipped = test_catalogue();
    six = fixture_copy(shipped, 1);
    fixture_keep(six, ids, RIVAL_COUNT + 1);
    fixture_build(six);
    arena_init(&arena, FIXTURE_ARENA_BYTES);
    test_verdicts();
    test_by_hand();
    test_by_ranking();
    test_avoid();
    test_unknown();
    test_better();
    test_money();
    test_condition();
    arena_fini(&arena);
    catalogue_unref(six);
    catalogue_unref(shipped);
    return tap_done();
}
