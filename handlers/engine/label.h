/* Which pick is the best value, the fastest, the cheapest and the largest of those that fit. */
#ifndef GPUWISE_ENGINE_LABEL_H
#define GPUWISE_ENGINE_LABEL_H

#include "rank.h"
#include "recommend.h"

/* Sets the option that bears each label; NULL: nothing fits. Fresh prices before very old ones and
 * roomy memory before tight count before the label's own measure; what is equal goes by rank. The
 * asker's own card bears a label only where it would be bought too. */
void label_choose(const struct question *question, const struct ranking *ranking,
                  const struct option *labelled[LABEL_COUNT]);

/* The option that draws the least power at the board; NULL: none known. */
const struct option *label_lowest_power(const struct ranking *ranking);

/* True for the best pick of each price tier. */
bool label_is_best_of_tier(const struct question *question, const struct ranking *ranking,
                           size_t place);

/* The tier of an option by its planning price; NULL: none. */
const struct tier *label_tier(const struct question *question, const struct option *option);

#endif
