/* recommend.c on the shipped facts: the results DESIGN.md section 3.6 tells, what is listed, why
 * and why not, and what cards alone are warned of. */
#include "recommend.h"

#include "notes.h"

#include "recommend_fixture.h"

/* Whether one of the first picks is one of the cards named ('|' between). */
static bool is_among(const struct recommendation *answer, size_t first, const char *ids)
{
    for (size_t i = 0; i < first && i < answer->pick_count; i++) {
        const char *found = strstr(ids, answer->picks[i].gpu->id);
        size_t length = strlen(answer->picks[i].gpu->id);

        while (found != NULL && found[length] != '|' && found[length] != '\0') {
            found = strstr(found + 1, answer->picks[i].gpu->id);
        }
        if (found != NULL) {
            return true;
        }
    }
    return false;
}

/* DESIGN.md: "Tried on the shipped facts it gives ..." */
static void test_tried_results(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_LEARN, 400);

    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(is_among(&answer, 1,
                          "nvidia-geforce-rtx-3080-10gb|nvidia-geforce-rtx-2080-ti|"
                          "nvidia-geforce-rtx-3060-12gb") &&
                     answer.picks[0].price.condition == CONDITION_USED,
                 "learn at 400 USD: a used RTX 3080 10GB, 2080 Ti or 3060 12GB");

    ask = fixture_ask(TASK_TRAIN, 1000);
    ask.min_memory_gib = 14;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(is_among(&answer, 1,
                          "nvidia-geforce-rtx-3090-ti|nvidia-geforce-rtx-5070-ti|"
                          "nvidia-geforce-rtx-4080"),
                 "14 GiB training at 1000 USD: a 3090 Ti, 5070 Ti or 4080");

    ask = fixture_ask(TASK_TRAIN, 6000);
    ask.min_memory_gib = 14;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(is_among(&answer, 1, "nvidia-geforce-rtx-5090"),
                 "14 GiB training at 6000 USD: a 5090");

    ask = fixture_ask(TASK_INFERENCE, 1500);
    ask.min_memory_gib = 22;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(is_among(&answer, 1, "nvidia-geforce-rtx-3090-ti|nvidia-geforce-rtx-3090"),
                 "22 GiB inference within 1500 USD: a 3090 Ti or 3090");
}

/* Nothing asked: learning on one card; picks of every tier, beyond the limit where need be. */
static void test_nothing_asked(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_LEARN, 0);
    bool has_tier[4] = {false};
    bool are_in_order = true;
    size_t labels = 0;
    size_t beyond = 0;

    ask.limit = 3;
    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        for (size_t t = 0; t < 4; t++) {
            static const char *const TIERS[] = {"low", "mid", "high", "unlimited"};

            has_tier[t] |= pick->tier != NULL && strcmp(pick->tier->id, TIERS[t]) == 0;
        }
        for (size_t l = 0; l < LABEL_COUNT; l++) {
            labels += pick->labels[l] ? 1 : 0;
        }
        are_in_order &= i == 0 ? pick->rank == 1 : pick->rank > answer.picks[i - 1].rank;
        are_in_order &= i >= 3 || pick->rank == i + 1;
        beyond += pick->rank > 3 ? 1 : 0;
        are_in_order &= pick->count == 1 && pick->strategy == STRATEGY_SINGLE;
    }
    (void)tap_ok(has_tier[0] && has_tier[1] && has_tier[2] && has_tier[3],
                 "with nothing asked there is a pick of every tier");
    (void)tap_ok(labels == LABEL_COUNT, "every label is given once");
    (void)tap_ok(are_in_order && beyond > 0 && answer.pick_count == 3 + beyond,
                 "three picks, then the labelled ones and the best of tiers with their true rank");
    (void)tap_ok(answer.fitting_count + answer.rejected_total == catalogue->gpu_count,
                 "every card is a pick or rejected");
    (void)tap_ok(answer.need.is_floor, "the need of learning is a floor");
    (void)tap_ok(
        has_code(answer.picks[0].reasons, answer.picks[0].reason_count, MESSAGE_BEST_SCORE),
        "the first pick says it is the best of those that fit");
}

static void test_rejections(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation near_misses;
    struct recommendation all;
    struct recommendation none;
    struct ask ask = fixture_ask(TASK_TRAIN, 1000);
    size_t counts[MESSAGE_REJECTION_COUNT] = {0};
    bool is_nearest_first = true;

    fixture_recommend(catalogue, &ask, arena, &near_misses);
    ask.explain = EXPLAIN_ALL;
    fixture_recommend(catalogue, &ask, arena, &all);
    ask.explain = EXPLAIN_NONE;
    fixture_recommend(catalogue, &ask, arena, &none);
    (void)tap_ok(none.rejection_count == 0 && near_misses.rejection_count == 10 &&
                     all.rejection_count == all.rejected_total && all.rejected_total > 10,
                 "no, ten or all rejected cards are listed as asked");
    for (size_t i = 0; i < all.rejection_count; i++) {
        const struct rejection *now = &all.rejections[i];
        const struct rejection *before = i == 0 ? now : &all.rejections[i - 1];

        for (size_t k = 0; k < now->reason_count; k++) {
            counts[now->reasons[k].code]++;
        }
        is_nearest_first &= now->reason_count > before->reason_count ||
                            (now->reason_count == before->reason_count &&
                             (now->speed < before->speed ||
                              (now->speed <= before->speed && now->gpu >= before->gpu)));
        is_nearest_first &= now->reason_count > 0;
    }
    (void)tap_ok(is_nearest_first, "nearest first: fewest reasons, then speed, then id");
    (void)tap_ok(memcmp(counts, all.rejected_counts, sizeof counts) == 0 &&
                     memcmp(counts, none.rejected_counts, sizeof counts) == 0,
                 "the counts are those of the reasons, listed or not");
}

static void test_nothing_fits(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_LEARN, 60);

    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(answer.pick_count == 0 && answer.fitting_count == 0,
                 "60 USD buy no card of 8 GiB that has a future");
    (void)tap_ok(answer.cloud_count > 0 && answer.advice_count > 0,
                 "then the cloud and advice are filled");
    (void)tap_ok(!answer.rent_or_buy.is_known &&
                     message_text(&answer.rent_or_buy.note, LANGUAGE_EN, arena) != NULL,
                 "renting or buying says there is no pick");
}

static const struct pick *pick_of(const struct recommendation *answer, const char *id)
{
    for (size_t i = 0; i < answer->pick_count; i++) {
        if (strcmp(answer->picks[i].gpu->id, id) == 0) {
            return &answer->picks[i];
        }
    }
    return NULL;
}

static bool warns(const struct pick *pick, enum message_code code)
{
    return pick != NULL && has_code(pick->warnings, pick->warning_count, code);
}

/* A 70B model of 40 GiB on up to four cards. */
static void test_several_cards(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_INFERENCE, 0);
    bool are_several = true;

    ask.model = fixture_model(catalogue, "llama-3.1-70b");
    ask.quant = catalogue_find_quant(catalogue, "q4_k_m");
    ask.context = 2048;
    ask.max_gpus = 4;
    ask.segment = "consumer";
    ask.vendor = "nvidia";
    ask.limit = 100;
    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        are_several &=
            pick->count >= 2 && pick->strategy == STRATEGY_PP && /* llama.cpp gives out layers */
            pick->price_total_micros == (int64_t)pick->count * pick->price.amount_micros &&
            warns(pick, MESSAGE_NO_NVLINK) == !pick->link.is_nvlink &&
            !warns(pick, MESSAGE_NOT_SHARED_MEMORY);
    }
    (void)tap_ok(are_several && answer.pick_count > 5,
                 "70B on consumer cards takes several, with the link named");
    (void)tap_ok(warns(pick_of(&answer, "nvidia-geforce-rtx-4090"), MESSAGE_NO_NVLINK),
                 "an RTX 4090 has no NVLink");

    ask = fixture_ask(TASK_LEARN, 0);
    ask.max_gpus = 2;
    ask.limit = 100;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(answer.picks[0].count == 2 && answer.picks[0].strategy == STRATEGY_DDP &&
                     warns(&answer.picks[0], MESSAGE_NOT_SHARED_MEMORY),
                 "copies on two cards share no memory");
}

static void test_warnings(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_TRAIN, 0);
    bool all_have_gaps = true;
    bool are_in_order = true;
    const struct pick *pick = NULL;

    ask.domain = DOMAIN_VISION;
    ask.domain_is_given = true;
    ask.vendor = "intel";
    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        all_have_gaps &= warns(&answer.picks[i], MESSAGE_ECOSYSTEM_GAPS);
    }
    (void)tap_ok(all_have_gaps && answer.pick_count > 0, "every Intel pick has ecosystem gaps");

    ask = fixture_ask(TASK_LEARN, 0);
    ask.limit = 100;
    ask.psu_watts = 650;
    ask.region = "cn";
    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        for (size_t k = 1; k < answer.picks[i].warning_count; k++) {
            enum message_code code = answer.picks[i].warnings[k].code;
            enum message_code before = answer.picks[i].warnings[k - 1].code;

            are_in_order &= before < code || before == MESSAGE_PRICE_STALE;
        }
    }
    (void)tap_ok(are_in_order, "warnings go by importance");
    pick = pick_of(&answer, "nvidia-geforce-gtx-1080-ti");
    (void)tap_ok(warns(pick, MESSAGE_SUPPORT_ENDING) && warns(pick, MESSAGE_SUPPORT_DROPPED) &&
                     warns(pick, MESSAGE_FP16_SLOW) && warns(pick, MESSAGE_NO_TENSOR_CORES) &&
                     warns(pick, MESSAGE_NO_BF16) && warns(pick, MESSAGE_USED_RISK),
                 "a GTX 1080 Ti: support ending, slow FP16, no tensor cores, no BF16, used");
    (void)tap_near(pick->score_parts.life, 0.5, 0, "and half the life factor");
    /* 1.2 x 350 W + 200 W = 620 W, above 0.9 x 650 W = 585 W */
    (void)tap_ok(warns(pick_of(&answer, REFERENCE_ID), MESSAGE_PSU_TIGHT),
                 "an RTX 3090 nearly uses up a 650 W supply");
    ask.psu_watts = (double)NAN;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_ok(warns(pick_of(&answer, "nvidia-geforce-rtx-4090"), MESSAGE_EXPORT_CONTROLLED),
                 "in China an RTX 4090 is export controlled");
}

/* RTX 4090 D and 5090 D have a list price in mainland China alone. */
static void test_regions(const struct catalogue *catalogue, struct arena *arena)
{
    struct recommendation answer;
    struct ask ask = fixture_ask(TASK_TRAIN, 6000);
    bool has_controlled = false;
    bool is_free_first = true;

    ask.min_memory_gib = 14;
    fixture_recommend(catalogue, &ask, arena, &answer);
    (void)tap_text(answer.picks[0].gpu->id, "nvidia-geforce-rtx-5090",
                   "14 GiB of training at 6000 USD: a card one can buy there");
    (void)tap_near(answer.need.per_gpu_gib, 14, 0, "the memory asked for is the need");

    ask = fixture_ask(TASK_TRAIN, 60000);
    ask.currency = CURRENCY_CNY;
    ask.region = "cn";
    ask.limit = 100;
    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        const char *controlled = answer.picks[i].gpu->export_controlled_cn;
        bool is_free = text_is(controlled, "no");

        is_free_first &= !(is_free && has_controlled);
        has_controlled |= !is_free;
    }
    (void)tap_ok(has_controlled && is_free_first,
                 "in China, cards known to be free of export control come first");
    (void)tap_ok(pick_of(&answer, "nvidia-geforce-rtx-4090-d") == NULL,
                 "and an RTX 4090 D, off sale since 2024 and seen nowhere since, has no price");
}

static bool card_warns(const struct catalogue *catalogue, const char *id, struct arena *arena,
                       enum message_code code)
{
    struct note warnings[RECOMMEND_MAX_NOTES];
    size_t count = notes_of_card(fixture_gpu(catalogue, id), arena, warnings);

    return has_code(warnings, count, code);
}

static void test_cards_alone(const struct catalogue *catalogue, struct arena *arena)
{
    static const struct {
        const char *id;
        enum message_code code;
        bool wanted;
    } CASES[] = {
        {"nvidia-tesla-k80", MESSAGE_SUPPORT_DROPPED, true},
        {"nvidia-tesla-k80", MESSAGE_SPLIT_MEMORY, true},
        {"nvidia-tesla-k80", MESSAGE_PASSIVE_COOLING, true},
        {"nvidia-tesla-k80", MESSAGE_EPS_POWER, true},
        {"nvidia-tesla-v100-pcie-16gb", MESSAGE_SUPPORT_ENDING, true},
        {"nvidia-tesla-v100-pcie-16gb", MESSAGE_NO_TENSOR_CORES, false},
        {"nvidia-t600", MESSAGE_NO_TENSOR_CORES, true},
        {"amd-radeon-rx-7900-xtx", MESSAGE_ECOSYSTEM_GAPS, true},
        {"amd-radeon-rx-7900-xtx", MESSAGE_ROCM_LINUX_ONLY, false},
        {"amd-instinct-mi210", MESSAGE_ROCM_LINUX_ONLY, true},
        {"nvidia-geforce-rtx-3090", MESSAGE_SUPPORT_DROPPED, false},
        {"nvidia-geforce-rtx-3090", MESSAGE_NO_BF16, false},
        {"nvidia-geforce-rtx-2080-ti", MESSAGE_NO_BF16, true},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        (void)tap_ok(card_warns(catalogue, CASES[i].id, arena, CASES[i].code) == CASES[i].wanted,
                     "%s: %s%s", CASES[i].id, CASES[i].wanted ? "" : "no ",
                     message_code_name(CASES[i].code));
    }
}

/* With an arena too small for the answer the error is an ordinary one and the answer is untouched.
 */
static void test_out_of_memory(const struct catalogue *catalogue)
{
    struct ask ask = fixture_ask(TASK_LEARN, 0);
    struct recommendation answer = {.pick_count = 4711};
    struct error err = {.code = ERROR_NONE};
    size_t failures = 0;
    bool is_untouched = true;

    if (!ask_complete(catalogue, &ask, &err)) {
        test_bail_out("no ask", err.text);
    }
    for (size_t bytes = 1024; bytes < 1024 * 1024; bytes += 4096) {
        struct arena arena;

        arena_init(&arena, bytes);
        if (!recommend(catalogue, &ask, TEST_DAY, &arena, &answer, &err)) {
            failures++;
            is_untouched &= answer.pick_count == 4711 && err.code == ERROR_OUT_OF_MEMORY;
        } else {
            answer.pick_count = 4711;
        }
        arena_fini(&arena);
    }
    (void)tap_ok(failures > 10 && is_untouched, "an exhausted arena is an ordinary error");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct arena arena;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    test_tried_results(catalogue, &arena);
    test_nothing_asked(catalogue, &arena);
    test_rejections(catalogue, &arena);
    test_nothing_fits(catalogue, &arena);
    test_several_cards(catalogue, &arena);
    test_warnings(catalogue, &arena);
    test_regions(catalogue, &arena);
    test_cards_alone(catalogue, &arena);
    test_out_of_memory(catalogue);
    arena_fini(&arena);
    catalogue_unref(catalogue);
    return tap_done();
}
