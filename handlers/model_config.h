/* A model that the catalogue does not hold, described by the config.json of its Hugging Face
 * repository. */
#ifndef GPUWISE_MODEL_CONFIG_H
#define GPUWISE_MODEL_CONFIG_H

#include "exchange.h"

struct model_config {
    struct model model;     /* id "posted"; texts live in the arena of the exchange */
    const char *quant_name; /* of its quantization_config, as quants.csv calls it; NULL: none */
};

/* Reads the body of the request. A value that is missing or cannot be becomes a complaint that
 * names it as the file does ("num_hidden_layers"); the parameters are counted from the shape where
 * the file does not tell them (num_parameters). The model is of use only without complaints. */
void model_config_read(struct exchange *exchange, struct model_config *config);

#endif
