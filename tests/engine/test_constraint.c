/* constraint.c: each reason to reject a card, alone, at its edge, and with the words of
 * notes_rejection.c. Cards are shipped ones with a fact changed where a test needs it. */
#include "constraint_fixture.h"

static void test_who_and_what(const struct catalogue *shipped)
{
    struct trial trial;

    start(&trial, shipped, TASK_LEARN);
    expect(&trial, "nvidia-geforce-rtx-3090", 0, NULL, "nothing speaks against an RTX 3090");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.vendor = "amd";
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_VENDOR_EXCLUDED),
           "It is made by NVIDIA; you asked for AMD.", "another vendor");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.segment = "workstation";
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_SEGMENT_EXCLUDED),
           "Its segment is consumer; you asked for workstation.", "another segment");

    start(&trial, shipped, TASK_LEARN);
    expect(&trial, "nvidia-a100-sxm4-80gb", bit(MESSAGE_FORM_FACTOR),
           "It is SXM hardware and needs a server built for it; no desktop takes it.",
           "a module in a desktop");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.chassis = CHASSIS_SERVER;
    expect(&trial, "nvidia-a100-sxm4-80gb", 0, NULL, "a module in a server");

    start(&trial, shipped, TASK_LEARN);
    expect(&trial, "nvidia-tesla-p40", bit(MESSAGE_FORM_FACTOR),
           "It has no fan and needs the airflow of a server.", "a passive card in a desktop");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_slots = 2;
    fixture_row(trial.catalogue, "nvidia-geforce-rtx-3090")->slots = 3;
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_FORM_FACTOR),
           "It takes 3 slots; you have 2.", "too many slots");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_slots = 8;
    fixture_row(trial.catalogue, "nvidia-geforce-rtx-3090")->slots = (double)NAN;
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_FORM_FACTOR),
           "How many slots it takes is not known; you have 8.", "unknown slots satisfy nothing");
}

static void test_software(const struct catalogue *shipped)
{
    struct trial trial;

    /* support.csv: RDNA 2 under pytorch is unofficial on Linux and none on Windows */
    start(&trial, shipped, TASK_LEARN);
    trial.ask.os = OS_WINDOWS;
    expect(&trial, "amd-radeon-rx-6800", bit(MESSAGE_OS_UNSUPPORTED),
           "PyTorch does not run on it under Windows, only under Linux.", "not on this system");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.chassis = CHASSIS_SERVER;
    expect(&trial, "nvidia-tesla-k80", bit(MESSAGE_SUPPORT_DROPPED),
           "CUDA ends at 11.8 and PyTorch at 2.6. Nothing newer runs on it.",
           "a K80 is left behind, whatever its price");

    start(&trial, shipped, TASK_LEARN);
    for (size_t i = 0; i < trial.catalogue->support_count; i++) {
        struct support *row = &trial.catalogue->support[i];

        if (text_is(row->scope, "RDNA 2") && text_is(row->framework, "pytorch")) {
            row->status = "none";
        }
    }
    expect(&trial, "amd-radeon-rx-6800", bit(MESSAGE_FRAMEWORK_UNSUPPORTED),
           "PyTorch does not run on it.", "on no system at all");

    start(&trial, shipped, TASK_LEARN);
    for (size_t i = 0; i < trial.catalogue->support_count; i++) {
        struct support *row = &trial.catalogue->support[i];

        if (text_is(row->scope, "Ampere") && text_is(row->framework, "pytorch")) {
            row->scope = "nobody";
        }
    }
    try_card(&trial, "nvidia-geforce-rtx-3090");
    (void)tap_ok(trial.found.rejections == 0, "support that is not known keeps the card in");
    (void)tap_near(trial.found.score_parts.life, 0.5, 0, "at half the life factor");
    stop(&trial);

    start(&trial, shipped, TASK_LEARN);
    trial.ask.needs[FEATURE_MIG] = true;
    trial.ask.needs[FEATURE_FP8] = true;
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_FEATURE_MISSING),
           "It lacks what you need: fp8, mig.", "features it lacks are all named");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.needs[FEATURE_NVLINK] = true;
    expect(&trial, "nvidia-geforce-rtx-3090", 0, NULL, "a 3090 has NVLink");
}

static void test_memory(const struct catalogue *shipped)
{
    struct trial trial;

    /* the floor of training is 12 GiB as sold: a 12 GB card has it, with 11.6 usable */
    start(&trial, shipped, TASK_TRAIN);
    expect(&trial, "nvidia-geforce-rtx-3060-12gb", 0, NULL, "a floor is compared as sold");

    start(&trial, shipped, TASK_TRAIN);
    fixture_row(trial.catalogue, "nvidia-geforce-rtx-3060-12gb")->memory_per_process_gib = 11.5;
    expect(&trial, "nvidia-geforce-rtx-3060-12gb", bit(MESSAGE_MEMORY_TOO_SMALL),
           "12 GiB are needed on each card; it offers 11.5 GiB.", "less than the floor");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.min_memory_gib = 24;
    expect(&trial, "nvidia-geforce-rtx-3090", 0, NULL, "24 asked of a 24 GB card");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.min_memory_gib = 25;
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_MEMORY_TOO_SMALL),
           "25 GiB are needed on each card; it offers 24 GiB.", "25 asked of a 24 GB card");
}

/* A computed need of n GiB fits from n / 0.92 usable on, tightly from n on. */
static void test_tight(const struct catalogue *shipped)
{
    static const struct {
        double usable_per_needed;
        bool fits, is_tight;
        const char *name;
    } EDGES[] = {
        {1 / 0.9199, true, false, "just under 0.92 of the usable memory: fits"},
        {1 / 0.9201, true, true, "just over 0.92: tight"},
        {1.0001, true, true, "nearly all of it: tight"},
        {0.9999, false, false, "more than there is: out"},
    };

    for (size_t i = 0; i < sizeof EDGES / sizeof EDGES[0]; i++) {
        struct trial trial;
        struct memory_need need;
        struct error err;

        start(&trial, shipped, TASK_QLORA);
        trial.ask.model = fixture_model(shipped, "qwen2.5-7b");
        if (!ask_complete(shipped, &trial.ask, &err)) {
            test_bail_out("no ask", err.text);
        }
        memory_estimate(shipped, &trial.ask, STRATEGY_SINGLE, 1, &need);
        fixture_row(trial.catalogue, "nvidia-geforce-rtx-3090")->memory_usable_gib =
            need.per_gpu_gib * EDGES[i].usable_per_needed;
        try_card(&trial, "nvidia-geforce-rtx-3090");
        (void)tap_ok((trial.found.rejections == 0) == EDGES[i].fits &&
                         trial.found.is_tight == EDGES[i].is_tight,
                     "%s", EDGES[i].name);
        stop(&trial);
    }
}

static void test_power(const struct catalogue *shipped)
{
    struct trial trial;

    /* 1.2 x 350 W + 200 W = 620 W */
    start(&trial, shipped, TASK_LEARN);
    trial.ask.psu_watts = 620;
    expect(&trial, "nvidia-geforce-rtx-3090", 0, NULL, "620 W are enough for 350 W");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.psu_watts = 619;
    expect(&trial, "nvidia-geforce-rtx-3090", bit(MESSAGE_PSU_TOO_SMALL),
           "The power supply must give 620 W; yours gives 619 W.", "619 W are not");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.psu_watts = 5000;
    fixture_row(trial.catalogue, "nvidia-geforce-rtx-3090")->tdp_watts = (double)NAN;
    try_card(&trial, "nvidia-geforce-rtx-3090");
    (void)tap_ok((trial.found.rejections & bit(MESSAGE_PSU_TOO_SMALL)) != 0,
                 "an unknown draw satisfies no supply");
    stop(&trial);
}

/* One price row for one condition of the RTX 3090, of yesterday. */
static void set_price(struct catalogue *copy, const char *condition, int64_t amount_units)
{
    size_t kept = 0;

    for (size_t i = 0; i < copy->price_count; i++) {
        if (strcmp(copy->prices[i].gpu_slug, REFERENCE_ID) != 0) {
            copy->prices[kept++] = copy->prices[i];
        }
    }
    copy->price_count = kept;
    if (condition != NULL) {
        copy->prices[copy->price_count++] =
            (struct price){.gpu_slug = REFERENCE_ID,
                           .condition = condition,
                           .currency = "USD",
                           .amount_micros = usd(amount_units),
                           .market = "us",
                           .observed_on = {.text = "2026-11-29", .day = TEST_DAY - 1},
                           .source = "a shop"};
    }
}

static void test_money(const struct catalogue *shipped)
{
    struct trial trial;

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1000);
    trial.ask.budget_micros = usd(1000);
    expect(&trial, REFERENCE_ID, 0, NULL, "a budget may be spent to the cent");

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1000);
    trial.ask.budget_micros = usd(1000) - 1;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_OVER_BUDGET),
           "It takes 1,000 USD; your budget is 1,000 USD.", "a millionth over the budget");

    /* 1000 x 1.13 + 500 = 1630 */
    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1000);
    trial.ask.vat_share = 0.13;
    trial.ask.host_price_micros = usd(500);
    trial.ask.budget_micros = usd(1629);
    expect(&trial, REFERENCE_ID, bit(MESSAGE_OVER_BUDGET),
           "It takes 1,630 USD; your budget is 1,629 USD.", "tax and host are in the budget");

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1000);
    trial.ask.condition = ASKED_NEW;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_CONDITION_EXCLUDED),
           "No price is known in the condition you asked for.", "used only, new asked");

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, NULL, 0);
    expect(&trial, REFERENCE_ID, bit(MESSAGE_NO_PRICE), "No price is known.", "no price at all");
}

static void test_tier(const struct catalogue *shipped)
{
    struct trial trial;

    /* tiers.csv: mid is above 400 up to and including 1000 USD */
    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1000);
    trial.ask.tier = "mid";
    expect(&trial, REFERENCE_ID, 0, NULL, "the upper end of a tier is in it");

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1001);
    trial.ask.tier = "mid";
    expect(&trial, REFERENCE_ID, bit(MESSAGE_OUTSIDE_TIER),
           "At 1,001 USD it lies outside the price tier you asked for.", "beyond the tier");

    start(&trial, shipped, TASK_LEARN);
    set_price(trial.catalogue, "used", 1001);
    trial.ask.tier = "mid";
    trial.ask.budget_micros = usd(1);
    trial.own = REFERENCE_ID;
    try_card(&trial, REFERENCE_ID);
    (void)tap_ok(trial.found.rejections == 0 && trial.found.is_owned,
                 "the own card is outside budget and tier");
    stop(&trial);
}

static void test_speed(const struct catalogue *shipped)
{
    struct trial trial;
    double low = 0;

    start(&trial, shipped, TASK_LEARN);
    fixture_row(trial.catalogue, "nvidia-geforce-rtx-3060-12gb")->memory_bandwidth_gb_s =
        (double)NAN;
    expect(&trial, "nvidia-geforce-rtx-3060-12gb", bit(MESSAGE_SPEED_UNKNOWN),
           "A figure its speed or cost depends on is not known.", "unknown bandwidth");

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.model = fixture_model(shipped, "llama-3.1-8b");
    try_card(&trial, REFERENCE_ID);
    low = constraint_tokens_per_s_low(&trial.found.speed);
    (void)tap_ok(low > 0 && low < trial.found.speed.tokens_per_s_per_user,
                 "the low end for each user is below the value");
    stop(&trial);

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.model = fixture_model(shipped, "llama-3.1-8b");
    trial.ask.min_tokens_per_s = low * 0.999;
    expect(&trial, REFERENCE_ID, 0, NULL, "as fast as asked at its low end");

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.model = fixture_model(shipped, "llama-3.1-8b");
    trial.ask.min_tokens_per_s = low * 1.001;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_TOO_SLOW), NULL, "a thousandth too slow");
}

/* All reasons are kept: K80 in a desktop, of another vendor, over budget. */
static void test_all_reasons(const struct catalogue *shipped)
{
    struct trial trial;

    start(&trial, shipped, TASK_TRAIN);
    trial.ask.vendor = "amd";
    trial.ask.psu_watts = 400;
    trial.ask.budget_micros = usd(1);
    trial.ask.needs[FEATURE_BF16] = true;
    expect(&trial, "nvidia-tesla-k80",
           bit(MESSAGE_VENDOR_EXCLUDED) | bit(MESSAGE_FORM_FACTOR) | bit(MESSAGE_SUPPORT_DROPPED) |
               bit(MESSAGE_FEATURE_MISSING) | bit(MESSAGE_PSU_TOO_SMALL) | bit(MESSAGE_OVER_BUDGET),
           "It is made by NVIDIA; you asked for AMD.", "every reason is kept");
}

/* Strategies of several cards: a copy on each where it is roomy, else shared out. */
static void test_strategies(const struct catalogue *shipped)
{
    struct trial trial;
    struct option option = {.count = 2};

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_gpus = 2;
    try_card(&trial, REFERENCE_ID);
    option.gpu = fixture_gpu(trial.catalogue, REFERENCE_ID);
    (void)constraint_of_set(&trial.question, &option);
    (void)tap_ok(option.strategy == STRATEGY_DDP, "what fits one card is copied to each");
    stop(&trial);

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.max_gpus = 2;
    trial.ask.model = fixture_model(shipped, "llama-3.1-70b");
    try_card(&trial, REFERENCE_ID);
    option.gpu = fixture_gpu(trial.catalogue, REFERENCE_ID);
    (void)tap_ok(constraint_of_set(&trial.question, &option) == 0 && option.strategy == STRATEGY_PP,
                 "llama.cpp gives out the layers of what does not fit one card");
    stop(&trial);

    start(&trial, shipped, TASK_FINETUNE);
    trial.ask.max_gpus = 2;
    trial.ask.model = fixture_model(shipped, "llama-3.1-8b");
    try_card(&trial, REFERENCE_ID);
    option.gpu = fixture_gpu(trial.catalogue, REFERENCE_ID);
    (void)constraint_of_set(&trial.question, &option);
    (void)tap_ok(option.strategy == STRATEGY_FSDP, "training of it is sharded");
    stop(&trial);

    /* 64 heads in 16 bit: 8 cards divide them, 7 do not; llama.cpp gives out layers. */
    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.max_gpus = 8;
    trial.ask.model = fixture_model(shipped, "llama-3.1-70b");
    trial.ask.quant = catalogue_find_quant(shipped, "fp16");
    try_card(&trial, REFERENCE_ID);
    (void)tap_ok(trial.question.shares_strategies[8] == STRATEGY_TP &&
                     trial.question.shares_strategies[4] == STRATEGY_TP &&
                     trial.question.shares_strategies[7] == STRATEGY_PP &&
                     trial.question.shares_strategies[3] == STRATEGY_PP,
                 "tensors are split where the cards divide the heads, else layers go in stages");
    stop(&trial);

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.max_gpus = 8;
    trial.ask.model = fixture_model(shipped, "llama-3.1-70b");
    try_card(&trial, REFERENCE_ID);
    (void)tap_ok(trial.question.shares_strategies[3] == STRATEGY_PP, "llama.cpp takes any number");
    stop(&trial);

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_gpus = 8;
    trial.ask.strategy = STRATEGY_SINGLE;
    try_card(&trial, REFERENCE_ID);
    (void)tap_ok(trial.question.cards_max == 1, "strategy=single means one card");
    stop(&trial);
}

int main(void)
{
    struct catalogue *shipped = test_catalogue();

    test_who_and_what(shipped);
    test_software(shipped);
    test_memory(shipped);
    test_tight(shipped);
    test_power(shipped);
    test_money(shipped);
    test_tier(shipped);
    test_speed(shipped);
    test_all_reasons(shipped);
    test_strategies(shipped);
    catalogue_unref(shipped);
    return tap_done();
}
