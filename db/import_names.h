/* Names of cards in a file, each looked up once. One thread. */
#ifndef GPUWISE_DB_IMPORT_NAMES_H
#define GPUWISE_DB_IMPORT_NAMES_H

#include "../handlers/engine/import_report.h"
#include "../handlers/engine/names.h"
#include "database.h"
#include "fact_value.h"
#include "import_seen.h"

struct import_meaning {
    const struct gpu *gpu; /* NULL: no one card */
    const struct tpu *tpu; /* NULL: no TPU */
    double tpu_chips;      /* NAN: the name does not say */
};

struct import_names {
    const struct catalogue *catalogue; /* its cards and rates count, not its prices */
    struct catalogue *loaded;          /* where it is our own; else NULL */
    struct import_seen seen;           /* numbers are places of meanings, from 1 */
    struct import_seen told;           /* unknown names and why */
    struct import_meaning *meanings;
    size_t count, room;
};

/* In place; catalogue is lent, or NULL: it is loaded from the database. */
bool import_names_init(struct import_names *names, struct database *database,
                       const struct catalogue *catalogue, struct error *err) MUST_CHECK;

/* Accepts a zeroed one. */
void import_names_fini(struct import_names *names);

/* What the name means with its hints. *is_new: it means neither card nor TPU, for a reason, told in
 * fault, that was not given for this name before. False: no memory. */
bool import_names_find(struct import_names *names, const struct import_text *text,
                       const struct names_hints *hints, struct import_meaning *meaning,
                       bool *is_new, struct fact_fault *fault) MUST_CHECK;

#endif
