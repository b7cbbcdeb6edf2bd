/* notes_machine.c: what is said of supply, room, slots and boards, at the edge of each, and what is
 * said of FlashAttention and FP8 beside it. Figures are those of gpus.csv. */
#include "notes.h"

#include "recommend_fixture.h"

static const char TI_16GB[] = "nvidia-geforce-rtx-4060-ti-16gb"; /* 8 lanes of PCIe 4.0 */

/* A question with every card listed, whatever it costs. */
static struct ask open_ask(enum task task)
{
    struct ask ask = fixture_ask(task, 0);

    ask.limit = 500;
    return ask;
}

/* The English sentence of a warning of a pick; NULL: the pick has no such warning. */
static const char *warning(const struct catalogue *catalogue, struct ask ask, const char *id,
                           size_t count, enum message_code code, struct arena *arena)
{
    struct recommendation answer;

    fixture_recommend(catalogue, &ask, arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        if (strcmp(pick->gpu->id, id) != 0) {
            continue;
        }
        if (pick->count != count) {
            test_bail_out("another number of cards", id);
        }
        for (size_t k = 0; k < pick->warning_count; k++) {
            if (pick->warnings[k].code == code) {
                return message_text(&pick->warnings[k], LANGUAGE_EN, arena);
            }
        }
        return NULL;
    }
    test_bail_out("no such pick", id);
}

/* The same of a card alone, as /gpus/{id} tells of it. */
static const char *card_warning(const struct catalogue *catalogue, const char *id,
                                enum message_code code, struct arena *arena)
{
    struct note warnings[RECOMMEND_MAX_NOTES];
    size_t count = notes_of_card(fixture_gpu(catalogue, id), arena, warnings);

    for (size_t i = 0; i < count; i++) {
        if (warnings[i].code == code) {
            return message_text(&warnings[i], LANGUAGE_EN, arena);
        }
    }
    return NULL;
}

static void says(const char *found, const char *wanted, const char *name)
{
    if (found == NULL || wanted == NULL) {
        (void)tap_ok(found == wanted, "%s (%s)", name, found == NULL ? "nothing" : found);
    } else {
        (void)tap_text(found, wanted, name);
    }
}

/* An RTX 3090: 1.2 x 350 + 200 = 620 W, the vendor advises 750; an RTX 5090: 1.2 x 575 + 200 = 890.
 */
static void test_supply(const struct catalogue *catalogue, struct arena *arena)
{
    static const struct {
        double psu_watts;
        const char *card, *tight, *large, *name;
    } ROWS[] = {
        {650, "nvidia-geforce-rtx-3090",
         "The computer needs 620 W of your 650 W supply. Little is left.", NULL,
         "620 of 650 W is more than 0.9 of it"},
        {700, "nvidia-geforce-rtx-3090",
         "The vendor advises a power supply of 750 W; yours gives 700 W. A good one will do.", NULL,
         "620 of 700 W is less than the vendor advises"},
        {750, "nvidia-geforce-rtx-3090", NULL, NULL, "750 W are fine"},
        {(double)NAN, "nvidia-geforce-rtx-3090", NULL, NULL, "620 W is nothing to speak of"},
        {(double)NAN, "nvidia-geforce-rtx-5090", NULL,
         "The power supply must give 890 W. Check yours.", "890 W is"},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct ask ask = open_ask(TASK_TRAIN);

        ask.psu_watts = ROWS[i].psu_watts;
        says(warning(catalogue, ask, ROWS[i].card, 1, MESSAGE_PSU_TIGHT, arena), ROWS[i].tight,
             ROWS[i].name);
        says(warning(catalogue, ask, ROWS[i].card, 1, MESSAGE_PSU_LARGE, arena), ROWS[i].large,
             ROWS[i].name);
    }
}

/* An RTX 3090 is 313 mm long and takes three slots. */
static void test_room(const struct catalogue *catalogue, struct arena *arena)
{
    static const char LONG[] =
        "The reference board is 313 mm long and other makes are often longer. Measure the case.";
    struct ask ask = open_ask(TASK_TRAIN);

    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_LONG_BOARD, arena), LONG,
         "a long card is told where no room is given");
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_MANY_SLOTS, arena),
         "It takes 3 slots in all. Check the board and the case.", "and so are three slots");
    ask.max_slots = 3;
    ask.max_length_mm = 347; /* 313 / 347 = 0.902 */
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_LONG_BOARD, arena), LONG,
         "a board of another make may not fit where the reference board nearly fills the room");
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_MANY_SLOTS, arena), NULL,
         "slots asked for are a condition, not a warning");
    ask.max_length_mm = 348; /* 0.899 */
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_LONG_BOARD, arena), NULL,
         "with room to spare nothing is said");
    ask = open_ask(TASK_TRAIN);
    ask.chassis = CHASSIS_SERVER;
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_LONG_BOARD, arena), NULL,
         "nor of a server");
    says(warning(catalogue, ask, "nvidia-a100-sxm4-80gb", 1, MESSAGE_NEEDS_BASEBOARD, arena),
         "It is a module for a server board with 4 or 8 places. The server costs extra.",
         "a module needs its board");
    says(card_warning(catalogue, "nvidia-gb10-dgx-spark-128gb", MESSAGE_NEEDS_BASEBOARD, arena),
         "It is sold as part of a whole machine, not as a card.", "a superchip is a machine");
}

static void test_lanes(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = open_ask(TASK_TRAIN);

    says(warning(catalogue, ask, TI_16GB, 1, MESSAGE_PCIE_LANES, arena), NULL,
         "one card that holds its work: lanes hardly matter");
    ask.pcie_gen = 3;
    says(warning(catalogue, ask, TI_16GB, 1, MESSAGE_PCIE_LANES, arena),
         "It has only 8 PCIe lanes, and your slots are generation 3. Loading takes longer.",
         "but in an old board");
    ask = open_ask(TASK_INFERENCE);
    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.quant = catalogue_find_quant(catalogue, "fp16");
    ask.context = 8192;
    ask.max_gpus = 2;
    says(warning(catalogue, ask, TI_16GB, 2, MESSAGE_PCIE_LANES, arena),
         "It has only 8 PCIe lanes. Data to other cards and to main memory moves slower.",
         "and where two of them talk");
}

static void test_modes(const struct catalogue *catalogue, struct arena *arena)
{
    struct ask ask = open_ask(TASK_INFERENCE);

    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.quant = catalogue_find_quant(catalogue, "fp8");
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_NO_FP8, arena),
         "It has no FP8 arithmetic. FP8 weights save memory, but prompts are processed no faster.",
         "Ampere has no FP8");
    says(warning(catalogue, ask, "nvidia-geforce-rtx-4090", 1, MESSAGE_NO_FP8, arena), NULL,
         "Ada has");
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_NO_FLASH_ATTENTION_2, arena), NULL,
         "FlashAttention 2 runs on Ampere");
    ask.os = OS_WINDOWS;
    says(warning(catalogue, ask, REFERENCE_ID, 1, MESSAGE_NO_FLASH_ATTENTION_2, arena),
         "FlashAttention 2 runs on it only unofficially under Windows. Expect to build it "
         "yourself.",
         "under Windows only unofficially");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct arena arena;

    arena_init(&arena, FIXTURE_ARENA_BYTES);
    test_supply(catalogue, &arena);
    test_room(catalogue, &arena);
    test_lanes(catalogue, &arena);
    test_modes(catalogue, &arena);
    arena_fini(&arena);
    catalogue_unref(catalogue);
    return tap_done();
}
