/* The computer the cards go into: room, cooling, power supply, plugs, and the boards that modules
 * sit on. Facts of gpus.csv against what was asked; an unknown fact satisfies nothing. */
#ifndef GPUWISE_ENGINE_MACHINE_H
#define GPUWISE_ENGINE_MACHINE_H

#include "ask.h"

/* Why cards do not go into the machine; the order is that in which it is told. */
enum machine_fault {
    MACHINE_FINE,
    MACHINE_MODULE,  /* no desktop takes a module */
    MACHINE_PASSIVE, /* no fan, in a desktop */
    MACHINE_COOLING_UNKNOWN,
    MACHINE_TOO_LONG,
    MACHINE_LENGTH_UNKNOWN,
    MACHINE_COUNT, /* no server board has that many places */
    MACHINE_SLOTS,
    MACHINE_SLOTS_UNKNOWN
};

/* What one card breaks of chassis and max_length_mm. board_length_mm is that of the reference
 * board. */
enum machine_fault machine_card_fault(const struct ask *ask, const struct gpu *gpu);

/* What that many cards break of max_slots, and of the boards they are sold on. */
enum machine_fault machine_set_fault(const struct ask *ask, const struct gpu *gpu, size_t count);

/* True for modules (SXM, OAM), which sit on a board of a server and in no slot. */
bool machine_is_module(const struct gpu *gpu);

/* True for cards that are sold as part of a whole machine. */
bool machine_is_superchip(const struct gpu *gpu);

/* True where that many can be had in one host. Cards go into slots, any number of them. Modules
 * come on boards full with 4 or 8 (HGX, OAM universal base board); one alone is a part for such a
 * board that the buyer has. Superchips come one to a machine. */
bool machine_can_hold(const struct gpu *gpu, size_t count);

/* Watts the power supply must give for that many cards: 1.2 x watts x count + 200 (DESIGN.md
 * section 3.2). NAN: unknown. */
double machine_psu_watts(const struct catalogue *catalogue, const struct gpu *gpu, size_t count);

/* The same by the advice of the vendor, which is for one card; each further card adds its share of
 * the formula. NAN: the vendor gives none. It rejects nothing: vendors count on weak supplies. */
double machine_psu_advised_watts(const struct catalogue *catalogue, const struct gpu *gpu,
                                 size_t count);

/* Reads plugs such as "1x6-pin+1x8-pin", "2x8-pin,1x16-pin" or "none"; false: it is none of these,
 * and counts holds nothing of use. */
bool machine_read_plugs(const char *text, double counts[PLUG_COUNT]);

/* True when the plugs of the ask feed that many cards: 8-pin plugs feed 6-pin sockets, and through
 * the adapter that comes with the card a 16-pin or 12-pin socket, one for each 150 W of the board.
 */
bool machine_has_plugs(const struct ask *ask, const struct gpu *gpu, size_t count);

#endif
