/* Points from one row to another; a part of catalogue_build.c. */
#ifndef GPUWISE_ENGINE_CATALOGUE_LINK_H
#define GPUWISE_ENGINE_CATALOGUE_LINK_H

#include "catalogue.h"

/* Order of offers: those that differ only in date and price stand together, newest first. */
int catalogue_compare_offers(const struct cloud_offer *a, const struct cloud_offer *b);

/* Fills every derived field but what the sorting needs (aliases, cards of rows). The rows must
 * be sorted. Fails with the name of a row that points nowhere. */
bool catalogue_link(struct catalogue *catalogue, struct error *err) MUST_CHECK;

#endif
