/* How fast a set of equal cards does the work: the calibrated roofline of ACCURACY.md section 10.
 */
#ifndef GPUWISE_ENGINE_SPEED_H
#define GPUWISE_ENGINE_SPEED_H

#include "ask.h"

enum basis { BASIS_MEASURED, BASIS_CITED, BASIS_ESTIMATED, BASIS_ASSUMED, BASIS_COUNT };
extern const char *const BASIS_NAMES[BASIS_COUNT];

enum speed_unit {
    SPEED_RELATIVE,     /* times one RTX 3090 in the same class of work */
    SPEED_TOKENS_PER_S, /* of the whole set, all users together */
    SPEED_IMAGES_PER_S,
    SPEED_UNIT_COUNT
};
extern const char
    *const SPEED_UNIT_NAMES[SPEED_UNIT_COUNT]; /* "x RTX 3090", "tokens/s", "images/s" */

struct speed {
    double value, low, high; /* of the set of cards, in unit */
    enum speed_unit unit;
    enum basis basis;
    bool is_unproven;    /* too few measurements of the architecture: low is half the value */
    double relative;     /* value over that of one reference card */
    double relative_low; /* S of the score: low end over that of one reference card */
    double prefill_tokens_per_s;  /* beside decode; NAN otherwise */
    double prefill_half_width;    /* of its range, as a share */
    double tokens_per_s_per_user; /* decode; NAN otherwise */
    double scaling;               /* share kept of count x one card: 1 for one card */
};

/* Link between the cards of a set: NVLink where the card has it for that count, else its PCIe, at
 * most of the generation and the lanes that the ask gives the slots. */
struct set_link {
    const char *name; /* id of links.csv: nvlink-..., bridge-..., pcie-4-x16; NULL: one card */
    bool is_nvlink;
    double bandwidth_per_direction_gb_s; /* usable: times the measured share; halved through the
                                            host */
};
/* Looks through links.csv for the name: for what is shown, not for every candidate. */
void speed_link(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                size_t cards, struct set_link *link);

/* False: a rate, bandwidth or power that the class needs is unknown for this card (speed-unknown).
 */
bool speed_estimate(const struct catalogue *catalogue, const struct ask *ask, const struct gpu *gpu,
                    enum strategy strategy, size_t cards, struct speed *speed);

/* Hours of the job of the ask (train_tokens, samples or hours of the reference card); NAN: no size.
 */
double speed_job_hours(const struct ask *ask, const struct speed *speed, double speed_value);

#endif
