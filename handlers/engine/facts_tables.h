/* The tables of facts one by one, as facts.c lists them; everybody else uses facts.h. */
#ifndef GPUWISE_ENGINE_FACTS_TABLES_H
#define GPUWISE_ENGINE_FACTS_TABLES_H

#include "facts.h"

/* facts_cards.c */
extern const struct fact_table FACTS_ARCHITECTURES, FACTS_GPUS, FACTS_SUPPORT, FACTS_ALIASES;
extern const struct fact_table FACTS_SPEED_TRAITS;
/* facts_work.c */
extern const struct fact_table FACTS_LINKS, FACTS_PARAMETERS, FACTS_CALIBRATION, FACTS_QUANTS;
extern const struct fact_table FACTS_MODELS, FACTS_MODEL_ALIASES, FACTS_NETWORKS;
/* facts_money.c */
extern const struct fact_table FACTS_TIERS, FACTS_TPUS, FACTS_CLOUD_OFFERS, FACTS_NOTEBOOK_PLANS;
extern const struct fact_table FACTS_GPU_PRICES, FACTS_FX_ASSUMPTIONS, FACTS_DEPRECIATION;

#endif
