/* machine.c: boards, plugs and power supplies, by numbers one can recompute. */
#include "machine.h"

#include "tests/tap.h"

#include <math.h>

static void test_plugs(void)
{
    static const struct {
        const char *text;
        bool is_good;
        double counts[PLUG_COUNT]; /* 6, 8, 12, 16 pins, EPS */
    } ROWS[] = {
        {"none", true, {0}},
        {"2x8-pin", true, {0, 2}},
        {"1x6-pin+1x8-pin", true, {1, 1}},
        {"1x8-pin,1x8-pin", true, {0, 2}},
        {"1x12-pin", true, {0, 0, 1}},
        {"3x8-pin,1x16-pin,2xEPS-8-pin", true, {0, 3, 0, 1, 2}},
        {"2xeps-8-pin", true, {0, 0, 0, 0, 2}},
        {"", false, {0}},
        {"8-pin", false, {0}},
        {"0x8-pin", false, {0}},
        {"2x9-pin", false, {0}},
        {"2x8-pin,", false, {0}},
        {"2x8-pin 1x6-pin", false, {0}},
        {"2X8-pin", false, {0}},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        double counts[PLUG_COUNT];
        bool is_good = machine_read_plugs(ROWS[i].text, counts);
        bool is_same = true;

        for (size_t plug = 0; plug < PLUG_COUNT; plug++) {
            is_same = is_same && counts[plug] == ROWS[i].counts[plug];
        }
        tap_ok(is_good == ROWS[i].is_good && (!is_good || is_same), "plugs \"%s\"", ROWS[i].text);
    }
}

static void test_feeding(void)
{
    static const struct {
        const char *card, *supply;
        double watts;
        size_t count;
        bool is_fed;
        const char *name;
    } ROWS[] = {
        {"none", "none", 75, 2, true, "the slot feeds what takes no plug"},
        {"1x8-pin", "1x8-pin", 170, 1, true, "plug to socket"},
        {"1x8-pin", "1x8-pin", 170, 2, false, "two cards take two"},
        {"1x6-pin+1x8-pin", "2x8-pin", 250, 1, true, "an 8-pin plug feeds a 6-pin socket"},
        {"1x6-pin+1x8-pin", "1x8-pin", 250, 1, false, "but not both at once"},
        {"1x8-pin", "2x6-pin", 170, 1, false, "6-pin plugs feed no 8-pin socket"},
        {"1x16-pin", "1x16-pin", 575, 1, true, "the new plug"},
        {"1x16-pin", "4x8-pin", 575, 1, true, "or the adapter of four: 575 / 150 = 3.8"},
        {"1x16-pin", "3x8-pin", 575, 1, false, "three are too few for 575 W"},
        {"1x16-pin", "1x16-pin,3x8-pin", 450, 2, true, "one by plug, one by adapter"},
        {"1x16-pin", "9x8-pin", (double)NAN, 1, false, "an unknown draw is fed by no adapter"},
        {"1xEPS-8-pin", "4x8-pin", 300, 1, false, "the plug of a CPU is another one"},
        {"1xEPS-8-pin", "1xEPS-8-pin", 300, 1, true, "and feeds a Tesla"},
        {"2xodd", "9x8-pin", 300, 1, false, "plugs of an unknown kind"},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct gpu gpu = {.power_connectors = ROWS[i].card, .tdp_watts = ROWS[i].watts};
        struct ask ask;

        ask_init(&ask);
        tap_ok(machine_read_plugs(ROWS[i].supply, ask.plugs), "a supply with %s", ROWS[i].supply);
        tap_ok(machine_has_plugs(&ask, &gpu, ROWS[i].count) == ROWS[i].is_fed, "%s", ROWS[i].name);
    }
}

static void test_power(void)
{
    struct catalogue catalogue = {.parameters = {.psu_factor = 1.2, .psu_base_watts = 200}};
    struct gpu gpu = {.tdp_watts = 350, .recommended_psu_watts = 750};

    tap_near(machine_psu_watts(&catalogue, &gpu, 1), 620, 0, "1.2 x 350 + 200");
    tap_near(machine_psu_watts(&catalogue, &gpu, 2), 1040, 0, "1.2 x 700 + 200");
    tap_near(machine_psu_advised_watts(&catalogue, &gpu, 1), 750, 0, "the vendor's advice");
    tap_near(machine_psu_advised_watts(&catalogue, &gpu, 2), 1170, 0, "and 1.2 x 350 for another");
    gpu.recommended_psu_watts = (double)NAN;
    tap_ok(isnan(machine_psu_advised_watts(&catalogue, &gpu, 1)), "no advice");
}

static void test_boards(void)
{
    static const struct {
        const char *form;
        unsigned counts; /* bit n: n can be had */
    } ROWS[] = {{"pcie", 0x1fe}, {"sxm", 0x112}, {"oam", 0x112}, {"superchip", 0x002}};

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct gpu gpu = {.form_factor = ROWS[i].form};
        unsigned found = 0;

        for (size_t count = 1; count <= ASK_MAX_CARDS; count++) {
            found |= machine_can_hold(&gpu, count) ? 1u << count : 0;
        }
        tap_ok(found == ROWS[i].counts, "%s: found %#x", ROWS[i].form, found);
    }
}

int main(void)
{
    test_plugs();
    test_feeding();
    test_power();
    test_boards();
    return tap_done();
}
