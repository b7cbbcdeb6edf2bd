/* Reads every table of facts into a catalogue, in one read transaction. */
#ifndef GPUWISE_CATALOGUE_LOAD_H
#define GPUWISE_CATALOGUE_LOAD_H

#include "../handlers/engine/catalogue.h"
#include "database.h"

/* A new, built catalogue with one reference for the caller. */
bool catalogue_load(struct database *database, struct catalogue **catalogue,
                    struct error *err) MUST_CHECK;

/* The same without the rows of prices, offers and plans, for those who look up names and rates. */
bool catalogue_load_names(struct database *database, struct catalogue **catalogue,
                          struct error *err) MUST_CHECK;
/* The same through a connection of db/, inside the read transaction that the caller has begun. */
bool catalogue_load_from(struct sqlite3 *connection, struct catalogue **catalogue,
                         struct error *err) MUST_CHECK;

#endif
