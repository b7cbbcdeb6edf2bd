/* constraint.c, as far as it is about the machine: room, plugs and the screen, boards of modules,
 * and heads that are shared out. The rest is in test_constraint.c. */
#include "machine.h"

#include "constraint_fixture.h"

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
           "The reference board is 313 mm long; you have 312 mm. Other makes are often longer.",
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
    fixture_row(trial.catalogue, REFERENCE_ID)->cooling = NULL;
    expect(&trial, REFERENCE_ID, bit(MESSAGE_FORM_FACTOR), "Whether it has a fan is not known.",
           "a card of unknown cooling");

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
           "It needs the power plugs 1x8-pin; your supply has too few of them.", "6-pin for 8-pin");

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
    ask.model = NULL;
    (void)tap_ok(question_can_split_heads(&ask, 3), "no model, no heads");
}

int main(void)
{
    struct catalogue *shipped = test_catalogue();

    test_machine(shipped);
    test_plugs_asked(shipped);
    test_counts(shipped);
    test_heads(shipped);
    catalogue_unref(shipped);
    return tap_done();
}
