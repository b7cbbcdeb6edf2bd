/* The list of the tables of facts, and finding one by name. No state. */
#include "facts.h"

#include "facts_tables.h"

#include <string.h>

const struct fact_table *const FACT_TABLES[] = {
    &FACTS_ARCHITECTURES, &FACTS_GPUS,           &FACTS_SUPPORT,      &FACTS_ALIASES,
    &FACTS_SPEED_TRAITS,  &FACTS_TIERS,          &FACTS_LINKS,        &FACTS_PARAMETERS,
    &FACTS_CALIBRATION,   &FACTS_QUANTS,         &FACTS_MODELS,       &FACTS_MODEL_ALIASES,
    &FACTS_NETWORKS,      &FACTS_TPUS,           &FACTS_CLOUD_OFFERS, &FACTS_NOTEBOOK_PLANS,
    &FACTS_GPU_PRICES,    &FACTS_FX_ASSUMPTIONS, &FACTS_DEPRECIATION,
};
const size_t FACT_TABLE_COUNT = sizeof FACT_TABLES / sizeof FACT_TABLES[0];

const struct fact_table *fact_table_find(const char *name)
{
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        if (strcmp(FACT_TABLES[i]->name, name) == 0) {
            return FACT_TABLES[i];
        }
    }
    return NULL;
}

size_t fact_column_find(const struct fact_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *column = table->columns[i].name;

        if (strlen(column) == length && memcmp(column, name, length) == 0) {
            return i;
        }
    }
    return table->column_count;
}

bool fact_choice_has(const char *choices, const char *text, size_t length)
{
    for (const char *word = choices; word != NULL;) {
        size_t word_length = strcspn(word, "|");

        if (word_length == length && memcmp(word, text, length) == 0) {
            return true;
        }
        word = word[word_length] == '|' ? word + word_length + 1 : NULL;
    }
    return false;
}
