/* What the words of a name say about the card, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_TOLD_H
#define GPUWISE_ENGINE_NAMES_TOLD_H

#include "catalogue.h"
#include "names_split.h"

struct names_told {
    double memory_gib;       /* NAN: no size */
    bool is_contradictory;   /* two sizes, makers or the like */
    const char *vendor;      /* as in gpus; NULL: none */
    const char *line;        /* "geforce"; NULL: none */
    const char *memory_type; /* "hbm2e"; NULL: none */
    bool is_pcie, is_sxm, is_oam, is_nvl, has_nvlink;
    int sxm_generation;       /* 0: not said */
    const struct alias *mark; /* NULL: none */
};

/* Gives each word of split its kind and reads what they say. */
void names_told_read(const struct catalogue *catalogue, struct names_split *split,
                     struct names_told *told);

/* Reads words that stand beside a name, such as an interconnect. */
void names_told_read_text(const struct catalogue *catalogue, const char *text,
                          struct names_told *told);

/* Whether the card is as told by the words of these kinds. */
bool names_told_fits(const struct names_told *told, unsigned kinds, const struct gpu *gpu);

/* How near a printed memory must be to that of the card. */
enum names_nearness {
    NAMES_SIZE_IN_NAME, /* rounded at most: people name a size they mean */
    NAMES_SIZE_PRINTED, /* GB for GiB, or as a driver reports it */
    NAMES_SIZE_DOUBTFUL /* with room for slips of a source */
};

/* Whether a memory is that of the card: sold, what one process sees, or usable. */
bool names_told_is_memory(const struct gpu *gpu, double memory_gib, enum names_nearness nearness);

#endif
