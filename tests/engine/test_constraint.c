/* constraint.c: each reason to reject a card, alone, at its edge, and with the words of
 * notes_rejection.c. Cards are shipped ones with a fact changed where a test needs it. */
#include "constraint.h"

#include "machine.h"
#include "notes.h"

#include "recommend_fixture.h"

/* Four cards that have everything asked of them, among others. */
static const char *const CARDS[] = {"nvidia-geforce-rtx-3090", "nvidia-geforce-rtx-3060-12gb",
                                    "amd-radeon-rx-6800",      "nvidia-tesla-k80",
                                    "nvidia-a100-sxm4-80gb",   "nvidia-tesla-p40"};
enum { CARD_COUNT = sizeof CARDS / sizeof CARDS[0] };

static uint32_t bit(enum message_code code)
{
    return (uint32_t)1 << code;
}

/* The question asked of a small catalogue; *found is the best option of one card. */
struct trial {
    struct catalogue *catalogue;
    struct ask ask;
    struct arena arena;
    struct question question;
    struct option found;
    const char *own; /* id of the asker's own card; NULL: none */
};

static void start(struct trial *trial, const struct catalogue *shipped, enum task task)
{
    trial->catalogue = fixture_copy(shipped, 1);
    fixture_keep(trial->catalogue, CARDS, CARD_COUNT);
    trial->ask = fixture_ask(task, 0);
    trial->own = NULL;
    arena_init(&trial->arena, FIXTURE_ARENA_BYTES);
}

/* Asks about one card; only once a trial. */
static void try_card(struct trial *trial, const char *id)
{
    struct error err;

    fixture_build(trial->catalogue);
    if (trial->own != NULL) {
        trial->ask.own = fixture_gpu(trial->catalogue, trial->own);
    }
    if (!ask_complete(trial->catalogue, &trial->ask, &err) ||
        !question_init(&trial->question, trial->catalogue, &trial->ask, TEST_DAY, &trial->arena,
                       &err)) {
        test_bail_out("no question", err.text);
    }
    rank_card(&trial->question, fixture_gpu(trial->catalogue, id), &trial->found);
}

static void stop(struct trial *trial)
{
    arena_fini(&trial->arena);
    catalogue_unref(trial->catalogue);
}

/* Asserts the reasons of a card and the sentence of the first of them. */
static void expect(struct trial *trial, const char *id, uint32_t wanted, const char *sentence,
                   const char *name)
{
    struct rejection rejection;
    struct error err;

    try_card(trial, id);
    (void)tap_ok(trial->found.rejections == wanted, "%s", name);
    if (trial->found.rejections != wanted) {
        printf("# found %#x, wanted %#x\n", trial->found.rejections, wanted);
    }
    if (trial->found.rejections != 0 && sentence != NULL) {
        if (!notes_of_rejection(&trial->question, &trial->found, &trial->arena, &rejection, &err)) {
            test_bail_out("no reasons", err.text);
        }
        (void)tap_text(message_text(&rejection.reasons[0], LANGUAGE_EN, &trial->arena), sentence,
                       name);
    }
    stop(trial);
}

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

/* Room, plugs and the screen; an RTX 3090 is 313 mm long and takes one 12-pin plug (gpus.csv). */
static void test_machine(const struct catalogue *shipped)
{
    struct trial trial;

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_length_mm = 313;
    expect(&trial, REFERENCE_ID, 0, NULL, "as long as there is room");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_length_mm = 312;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FORM_FACTOR),
           "The reference board is 313 mm long; you have 312 mm. Other makes are longer still.",
           "a millimetre too long");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.max_length_mm = 900;
    fixture_row(trial.catalogue, REFERENCE_ID)->board_length_mm = (double)NAN;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FORM_FACTOR),
           "How long it is is not known; you have 900 mm.", "an unknown length fits nowhere");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.needs[FEATURE_DISPLAY] = true;
    fixture_row(trial.catalogue, REFERENCE_ID)->display_outputs = 0;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FEATURE_MISSING), "It lacks what you need: display.",
           "a card that must drive a screen has a socket");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.needs[FEATURE_DISPLAY] = true;
    fixture_row(trial.catalogue, REFERENCE_ID)->display_outputs = (double)NAN;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FEATURE_MISSING), "It lacks what you need: display.",
           "and is known to have one");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.display = ANSWER_YES;
    fixture_row(trial.catalogue, REFERENCE_ID)->display_outputs = 0;
    expect(&trial, REFERENCE_ID, 0, NULL, "a screen alone may hang on another card");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.needs[FEATURE_EXPORT_FREE] = true;
    fixture_row(trial.catalogue, REFERENCE_ID)->export_controlled_cn = NULL;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FEATURE_MISSING),
           "It lacks what you need: export-free.", "not known to be free of export control");
}

static void test_plugs_asked(const struct catalogue *shipped)
{
    struct trial trial;

    start(&trial, shipped, TASK_LEARN);
    trial.ask.plugs_is_given = machine_read_plugs("1x6-pin", trial.ask.plugs);
    expect(&trial, "nvidia-geforce-rtx-3060-12gb", bit(MESSAGE_POWER_PLUG_MISSING),
           "It takes 1x8-pin of power plugs; your supply lacks them.", "6-pin for 8-pin");

    start(&trial, shipped, TASK_LEARN);
    trial.ask.plugs_is_given = machine_read_plugs("9x8-pin", trial.ask.plugs);
    fixture_row(trial.catalogue, REFERENCE_ID)->power_connectors = NULL;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_POWER_PLUG_MISSING),
           "Which power plugs it takes is not known.", "unknown plugs fit no supply");
}

/* Modules come by 4 and 8 on the board of a server; 64 heads are not for 3 cards. */
static void test_counts(const struct catalogue *shipped)
{
    struct trial trial;
    struct option option = {.count = 0};
    struct rejection rejection;
    struct error err;
    uint32_t rejections[ASK_MAX_CARDS + 1];

    start(&trial, shipped, TASK_INFERENCE);
    trial.ask.max_gpus = 8;
    trial.ask.chassis = CHASSIS_SERVER;
    trial.ask.strategy = STRATEGY_TP;
    trial.ask.model = fixture_model(shipped, "llama-3.1-70b");
    trial.ask.quant = catalogue_find_quant(shipped, "fp16");
    try_card(&trial, "nvidia-a100-sxm4-80gb");
    option.gpu = fixture_gpu(trial.catalogue, "nvidia-a100-sxm4-80gb");
    for (option.count = 1; option.count <= ASK_MAX_CARDS; option.count++) {
        rejections[option.count] = constraint_of_set(&trial.question, &option);
    }
    (void)tap_ok((rejections[1] & bit(MESSAGE_MEMORY_TOO_SMALL)) != 0 &&
                     (rejections[3] & bit(MESSAGE_MEMORY_TOO_SMALL)) == 0 && rejections[4] == 0 &&
                     trial.found.rejections == 0 &&
                     (trial.found.count == 4 || trial.found.count == 8),
                 "141 GB of weights fit three A100 modules, but four or eight are sold");
    option.count = 3;
    option.rejections = constraint_of_set(&trial.question, &option);
    if (!notes_of_rejection(&trial.question, &option, &trial.arena, &rejection, &err)) {
        test_bail_out("no reasons", err.text);
    }
    (void)tap_text(message_text(&rejection.reasons[0], LANGUAGE_EN, &trial.arena),
                   "No machine is sold with 3 of this SXM hardware.", "three modules");
    (void)tap_text(message_text(&rejection.reasons[1], LANGUAGE_EN, &trial.arena),
                   "Tensor parallelism cannot share the 64 attention heads out over 3 cards.",
                   "64 heads over three");
    (void)tap_text(message_text(&rejection.reasons[1], LANGUAGE_ZH, &trial.arena),
                   "张量并行没法把 64 个注意力头平分给 3 块卡。", "in Chinese");
    for (size_t count = 2; count <= ASK_MAX_CARDS; count++) {
        bool is_board = count == 4 || count == 8;
        bool divides = 64 % count == 0;

        (void)tap_ok(((rejections[count] & bit(MESSAGE_FORM_FACTOR)) == 0) == is_board,
                     "a board of %zu modules is sold: %d", count, is_board);
        (void)tap_ok(((rejections[count] & bit(MESSAGE_HEADS_NOT_DIVISIBLE)) == 0) == divides,
                     "%zu cards share 64 heads: %d", count, divides);
    }
    stop(&trial);
}

/* The rule of tensor parallelism: Qwen2.5 7B has 28 heads and 4 of keys and values, so 2 and 4
 * cards share it, and 7 divide the heads but not the cache. */
static void test_heads(const struct catalogue *shipped)
{
    struct ask ask;

    ask_init(&ask);
    ask.model = fixture_model(shipped, "qwen2.5-7b");
    for (size_t cards = 2; cards <= ASK_MAX_CARDS; cards++) {
        (void)tap_ok(question_can_split_heads(&ask, cards) == (cards == 2 || cards == 4),
                     "28 heads over %zu cards", cards);
    }
    ask.framework = FRAMEWORK_LLAMA_CPP;
    (void)tap_ok(question_can_split_heads(&ask, 3), "llama.cpp gives out layers");
    ask.framework = FRAMEWORK_PYTORCH;
    ask.model = NULL;
    (void)tap_ok(question_can_split_heads(&ask, 3), "no model, no heads");
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
    (void)tap_ok(constraint_of_set(&trial.question, &option) == 0 && option.strategy == STRATEGY_TP,
                 "inference of what does not fit one card is split by tensors");
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
    (void)tap_ok(trial.question.shares_strategies[3] == STRATEGY_TP, "llama.cpp takes any number");
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
    test_machine(shipped);
    test_plugs_asked(shipped);
    test_counts(shipped);
    test_heads(shipped);
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
