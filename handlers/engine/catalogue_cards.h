/* The cards that rows of prices, offers and plans are about; a part of catalogue_build.c. */
#ifndef GPUWISE_ENGINE_CATALOGUE_CARDS_H
#define GPUWISE_ENGINE_CATALOGUE_CARDS_H

#include "catalogue.h"

/* Sets the card of each row: of the id it gives, else the one that the name means beyond doubt
 * (names.h), so that an alias added later makes rows kept under that name advise. What is unknown
 * or open stays NULL and is listed by review.h. Names must be indexed. */
void catalogue_find_cards(struct catalogue *catalogue);

#endif
