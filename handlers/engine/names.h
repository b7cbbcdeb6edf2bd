/* From what people and price lists write to a card of the catalogue: never a guess.
 *
 * A name is looked up whole (an id wins over an alias of aliases.csv), then with its letters only,
 * so that "3060ti", "RTX-3060 Ti" and full-width digits are alike. What is still not known is read
 * word by word (names_split.h); the rules are these, and there are no others:
 *
 * - A pasted line of lspci or `nvidia-smi -L` is its name: the chip of the catalogue and what
 *   stands in the brackets behind it, without slot, class, maker and revision.
 * - The maker (NVIDIA, AMD, Intel, also in Chinese) may be left out or added, and must be that of
 *   the card. So may the line (GeForce, Radeon, Quadro, Tesla, Instinct), which must be in the id
 *   of the card (Tesla: any data-center card of NVIDIA), and neutral words (GPU, graphics card,
 *   VRAM, LHR, Founders Edition, ...).
 * - A size ("80G", "80 GB", "24g显存", ", 80" at the end) must be the memory of the card: sold, of
 *   one process, or usable, within 2 %.
 * - PCIe, SXM, SXM4, HGX, DGX, NVL and OAM must be the form of the card, SXM with the number of its
 *   generation; NVLink says only that the card has it. HBM2e and the like must be its memory.
 * - A word of kind `mark` ("laptop", "Max-Q", "mod", "MIG", ...) beside a known name makes it a
 *   product without a card here, unless that very name is known.
 * - One word too many, and the name is unknown.
 *
 * What is given beside a name (names_hints) decides between the cards the name may mean, and may
 * contradict a single one; it never adds one. */
#ifndef GPUWISE_ENGINE_NAMES_H
#define GPUWISE_ENGINE_NAMES_H

#include "catalogue.h"

enum { NAMES_MAX_FOUND = 12 }; /* candidates or suggestions listed */

enum names_outcome {
    NAMES_FOUND,     /* exactly one card: gpus[0] */
    NAMES_AMBIGUOUS, /* several: gpus[0..count) are the candidates, by id; of names_resolve() also a
                        single one, where the name means a product without a card here too and no
                        memory tells them apart ("GTX 1060", sold with 3 GB as well) */
    NAMES_NO_CARD,   /* a known name without a card here; note says why */
    NAMES_TPU,       /* of names_resolve() only: a TPU, which is no card */
    NAMES_UNKNOWN
};

struct names_result {
    enum names_outcome outcome;
    /* Where it is neither found nor ambiguous: of names_find_gpu() the nearest cards, of
     * names_resolve() the card that the hints contradict, else none. */
    const struct gpu *gpus[NAMES_MAX_FOUND];
    size_t count;
    const char *note;
    const struct tpu *tpu; /* a row of its generation: take tpu_slug, the prices are of a region */
    double tpu_chips;      /* NAN: the name does not say */
    double instance_gpus;  /* GPUs of the instance type that the hints, else the text, name, perhaps
                              a fraction; NAN: not known */
};

/* What a source says beside the name. Texts end with NUL, NULL: unknown; numbers NAN: unknown.
 * Texts that mean nothing here are passed over. */
struct names_hints {
    double memory_gib;       /* of one GPU, as printed: GB and GiB, sold and usable are accepted */
    double memory_total_gib; /* of gpu_count GPUs; used where memory_gib is unknown */
    double gpu_count;
    const char *instance_type; /* Azure size, AWS, GCP, OCI or Lambda type, or a Vast one
                                  ("4x-RTX_4060_Ti-32-65536"), whose name replaces the text */
    const char *interconnect;  /* form or link in words: "SXM", "PCIe", "HGX", "NVLink", ... */
    const char *vendor;        /* "NVIDIA", "amd", ... */
    const char *provider;      /* of the cloud; one of the aliases of kind provider rents only the
                                  forms that stand there ("GCP V100" is SXM2) */
};

/* Hints that say nothing. */
struct names_hints names_no_hints(void);

/* Writes the comparable form of a name: lower case, full-width forms made ASCII, every run of
 * blanks, hyphens and underscores one hyphen, none at the ends. Returns its length; 0 when it does
 * not fit into room bytes with a NUL, is empty, or holds a NUL. */
size_t names_normalise(const char *text, size_t length, char *out, size_t room);

/* What a name of a price list means; hints may be NULL. A few microseconds: the catalogue holds a
 * sorted index (names_index.h), so a reader of a million rows needs no more than a cache of the
 * distinct (name, hints).
 *
 * In this order: an instance type that the aliases know decides between the cards of the name, and
 * makes it ambiguous where it means none of them (with an empty text it stands alone); a provider
 * decides where the aliases say which cards it rents; memory, where the name has no size, between
 * those it is within 0.92 to 1.07 of (sold, of one process, or usable), if any; then form and link,
 * then those that stand in an instance type that the aliases do not know.
 * A single card stands unless memory is beyond 0.8 to 1.1 of it: 48 GB under "RTX 4090" is another
 * product, so that is unknown. A memory of 0 says nothing. */
void names_resolve(const struct catalogue *catalogue, const char *text, size_t length,
                   const struct names_hints *hints, struct names_result *result);

/* The same of a name alone, as a person asks: a single candidate is found, a TPU is a known name
 * without a card, and what is not found comes with the nearest cards as suggestions. */
void names_find_gpu(const struct catalogue *catalogue, const char *text, size_t length,
                    struct names_result *result);

/* Edit distance (insert, delete, replace), at most limit + 1; for the nearest known word.
 * A word of 256 bytes or more is that far from any. */
size_t names_distance(const char *a, const char *b, size_t limit);

#endif
