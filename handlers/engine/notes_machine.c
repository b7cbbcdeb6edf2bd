/* Says what to check of the computer before a card goes into it. What was asked of it and is broken
 * is a reason to reject and said in notes_rejection.c. Pure; any thread. */
#include "notes_parts.h"

#include "machine.h"

#include <math.h>
#include <string.h>

/* What a computer that was not built for the purpose usually has; more is worth a word. A 750 W
 * supply is what most vendors advise for one large card (recommended_psu_watts of gpus.csv). */
static const double COMMON_PSU_WATTS = 750;
static const double COMMON_SLOTS = 2;
static const double COMMON_LENGTH_MM = 300;

/* Boards of other makers are up to a tenth longer than the reference board. */
static const double REFERENCE_LENGTH_SHARE = 0.9;

static const double FULL_LANES = 16;

static void warn_board(struct phrase_book *book, const struct gpu *gpu)
{
    if (machine_is_superchip(gpu)) {
        phrase_add(book, MESSAGE_NEEDS_BASEBOARD, VARIANT_SUPERCHIP, NULL, NULL);
    } else if (machine_is_module(gpu)) {
        phrase_add(book, MESSAGE_NEEDS_BASEBOARD, VARIANT_USUAL, NULL, NULL);
    }
}

static void warn_psu(struct phrase_book *book, const struct question *question,
                     const struct pick *pick)
{
    const struct catalogue *catalogue = question->catalogue;
    double asked = question->ask->psu_watts;
    double watts = machine_psu_watts(catalogue, pick->gpu, pick->count);
    double advised = machine_psu_advised_watts(catalogue, pick->gpu, pick->count);

    if (watts > catalogue->parameters.psu_tight_share * asked) {
        phrase_add(book, MESSAGE_PSU_TIGHT, VARIANT_USUAL, phrase_number(book, watts, 0, "W"),
                   phrase_number(book, asked, 0, "W"));
    } else if (advised > asked) {
        phrase_add(book, MESSAGE_PSU_TIGHT, VARIANT_ADVISED, phrase_number(book, advised, 0, "W"),
                   phrase_number(book, asked, 0, "W"));
    } else if (isnan(asked) && question->ask->chassis != CHASSIS_SERVER &&
               watts > COMMON_PSU_WATTS) {
        phrase_add(book, MESSAGE_PSU_LARGE, VARIANT_USUAL, phrase_number(book, watts, 0, "W"),
                   NULL);
    }
}

static void warn_plug(struct phrase_book *book, const struct gpu *gpu)
{
    if (gpu->power_connectors != NULL && strstr(gpu->power_connectors, "EPS") != NULL) {
        phrase_add(book, MESSAGE_EPS_POWER, VARIANT_USUAL, gpu->power_connectors, NULL);
    }
}

static void warn_room(struct phrase_book *book, const struct ask *ask, const struct pick *pick)
{
    const struct gpu *gpu = pick->gpu;
    double slots = gpu->slots * (double)pick->count;
    double length_mm =
        isnan(ask->max_length_mm) ? COMMON_LENGTH_MM : REFERENCE_LENGTH_SHARE * ask->max_length_mm;

    if (ask->chassis == CHASSIS_SERVER) {
        return;
    }
    if (isnan(ask->max_slots) && slots > COMMON_SLOTS) {
        phrase_add(book, MESSAGE_MANY_SLOTS, VARIANT_USUAL, phrase_number(book, slots, 0, ""),
                   NULL);
    }
    if (text_is(gpu->segment, "consumer") && gpu->board_length_mm >= length_mm) {
        phrase_add(book, MESSAGE_LONG_BOARD, VARIANT_USUAL,
                   phrase_number(book, gpu->board_length_mm, 0, "mm"), NULL);
    }
}

static void warn_cooling(struct phrase_book *book, const struct gpu *gpu, bool is_in_server)
{
    if (text_is(gpu->cooling, "passive")) {
        phrase_add(book, MESSAGE_PASSIVE_COOLING, VARIANT_USUAL, NULL, NULL);
    }
    if (text_is(gpu->cooling, "blower")) {
        phrase_add(book, MESSAGE_LOUD_BLOWER, VARIANT_USUAL, NULL, NULL);
    }
    if (text_is(gpu->cooling, "active") && is_in_server) {
        phrase_add(book, MESSAGE_OPEN_COOLER, VARIANT_USUAL, NULL, NULL);
    }
}

/* One card that holds its work sends little over the slot: only loading counts. */
static void warn_lanes(struct phrase_book *book, const struct ask *ask, const struct pick *pick)
{
    const struct gpu *gpu = pick->gpu;
    const char *lanes = NULL;

    if (!(gpu->pcie_lanes < FULL_LANES)) {
        return;
    }
    lanes = phrase_number(book, gpu->pcie_lanes, 0, "");
    if (pick->count > 1 && !pick->link.is_nvlink) {
        phrase_add(book, MESSAGE_PCIE_LANES, VARIANT_USUAL, lanes, NULL);
    } else if (ask->pcie_gen < gpu->pcie_gen) {
        phrase_add(book, MESSAGE_PCIE_LANES, VARIANT_OLD_SLOT, lanes,
                   phrase_number(book, ask->pcie_gen, 0, ""));
    }
}

void notes_machine_of_card(struct phrase_book *book, const struct gpu *gpu)
{
    warn_board(book, gpu);
    warn_plug(book, gpu);
    warn_cooling(book, gpu, false);
    if (gpu->pcie_lanes < FULL_LANES) {
        phrase_add(book, MESSAGE_PCIE_LANES, VARIANT_USUAL,
                   phrase_number(book, gpu->pcie_lanes, 0, ""), NULL);
    }
}

void notes_machine_of_pick(struct phrase_book *book, const struct question *question,
                           const struct pick *pick)
{
    warn_board(book, pick->gpu);
    warn_psu(book, question, pick);
    warn_plug(book, pick->gpu);
    warn_room(book, question->ask, pick);
    warn_cooling(book, pick->gpu, question->ask->chassis == CHASSIS_SERVER);
    warn_lanes(book, question->ask, pick);
}
