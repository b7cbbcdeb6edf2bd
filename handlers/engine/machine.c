/* Compares cards with the computer they go into. Rejects nothing (constraint.c) and says nothing
 * (notes_machine.c, notes_rejection.c). Pure; any thread. */
#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Watts an 8-pin plug feeds (PCI Express Card Electromechanical Specification). */
static const double PLUG_8_PIN_WATTS = 150;

bool machine_is_module(const struct gpu *gpu)
{
    return text_is(gpu->form_factor, "sxm") || text_is(gpu->form_factor, "oam");
}

bool machine_is_superchip(const struct gpu *gpu)
{
    return text_is(gpu->form_factor, "superchip");
}

bool machine_can_hold(const struct gpu *gpu, size_t count)
{
    if (machine_is_superchip(gpu)) {
        return count == 1;
    }
    return !machine_is_module(gpu) || count == 1 || count == 4 || count == 8;
}

enum machine_fault machine_card_fault(const struct ask *ask, const struct gpu *gpu)
{
    if (ask->chassis != CHASSIS_SERVER) {
        if (!text_is(gpu->form_factor, "pcie")) {
            return MACHINE_MODULE;
        }
        if (gpu->cooling == NULL) {
            return MACHINE_COOLING_UNKNOWN;
        }
        if (text_is(gpu->cooling, "passive")) {
            return MACHINE_PASSIVE;
        }
    }
    if (isnan(ask->max_length_mm) || machine_is_module(gpu) || machine_is_superchip(gpu)) {
        return MACHINE_FINE; /* what sits on a board of the server has no length in it */
    }
    if (isnan(gpu->board_length_mm)) {
        return MACHINE_LENGTH_UNKNOWN;
    }
    return gpu->board_length_mm > ask->max_length_mm ? MACHINE_TOO_LONG : MACHINE_FINE;
}

enum machine_fault machine_set_fault(const struct ask *ask, const struct gpu *gpu, size_t count)
{
    if (!machine_can_hold(gpu, count)) {
        return MACHINE_COUNT;
    }
    if (isnan(ask->max_slots)) {
        return MACHINE_FINE;
    }
    if (isnan(gpu->slots)) {
        return MACHINE_SLOTS_UNKNOWN;
    }
    return gpu->slots * (double)count > ask->max_slots ? MACHINE_SLOTS : MACHINE_FINE;
}

double machine_psu_watts(const struct catalogue *catalogue, const struct gpu *gpu, size_t count)
{
    const struct parameters *parameters = &catalogue->parameters;

    return parameters->psu_factor * gpu->tdp_watts * (double)count + parameters->psu_base_watts;
}

double machine_psu_advised_watts(const struct catalogue *catalogue, const struct gpu *gpu,
                                 size_t count)
{
    return gpu->recommended_psu_watts +
           catalogue->parameters.psu_factor * gpu->tdp_watts * (double)(count - 1);
}

/* The plug a text begins with; PLUG_COUNT: none. */
static enum plug plug_at(const char *text)
{
    enum plug plug = PLUG_6_PIN;

    while (plug < PLUG_COUNT &&
           strncasecmp(text, PLUG_NAMES[plug], strlen(PLUG_NAMES[plug])) != 0) {
        plug++;
    }
    return plug;
}

bool machine_read_plugs(const char *text, double counts[PLUG_COUNT])
{
    const char *at = text;

    for (enum plug plug = PLUG_6_PIN; plug < PLUG_COUNT; plug++) {
        counts[plug] = 0;
    }
    if (strcmp(text, "none") == 0) {
        return true;
    }
    for (;;) {
        enum plug plug;

        if (at[0] < '1' || at[0] > '9' || at[1] != 'x') {
            return false;
        }
        plug = plug_at(at + 2);
        if (plug == PLUG_COUNT) {
            return false;
        }
        counts[plug] += at[0] - '0';
        at += 2 + strlen(PLUG_NAMES[plug]);
        if (at[0] == '\0') {
            return true;
        }
        if (at[0] != '+' && at[0] != ',') {
            return false;
        }
        at++;
    }
}

bool machine_has_plugs(const struct ask *ask, const struct gpu *gpu, size_t count)
{
    double needed[PLUG_COUNT];
    double cards = (double)count;
    double spare_8_pin = 0;
    double large = 0;

    if (gpu->power_connectors == NULL || !machine_read_plugs(gpu->power_connectors, needed)) {
        return false;
    }
    spare_8_pin = ask->plugs[PLUG_8_PIN] - needed[PLUG_8_PIN] * cards;
    spare_8_pin -= fmax(0, needed[PLUG_6_PIN] * cards - ask->plugs[PLUG_6_PIN]);
    large = fmax(0, needed[PLUG_12_PIN] * cards - ask->plugs[PLUG_12_PIN]) +
            fmax(0, needed[PLUG_16_PIN] * cards - ask->plugs[PLUG_16_PIN]);
    if (large > 0) { /* an unknown draw is fed by no adapter */
        spare_8_pin -= large * ceil(gpu->tdp_watts / PLUG_8_PIN_WATTS);
    }
    return spare_8_pin >= 0 && needed[PLUG_EPS] * cards <= ask->plugs[PLUG_EPS];
}
