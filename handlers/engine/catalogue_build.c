/* Turns loaded rows into a catalogue: sorts them, so that their order on the way in changes
 * nothing, checks what the advisor cannot do without, then hands over to catalogue_link.c. Runs
 * once, on the thread that loads, before anybody else sees the catalogue. */
#include "catalogue.h"

#include "catalogue_cards.h"
#include "catalogue_link.h"
#include "catalogue_rows.h"
#include "facts_tables.h"
#include "model_names.h"
#include "money.h"
#include "names.h"
#include "names_index.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIAS_KEY_BYTES = 256 }; /* the longest shipped name has under 80 bytes */

static int compare_prices(const struct price *a, const struct price *b)
{
    if (a->gpu != b->gpu) {
        if (a->gpu == NULL || b->gpu == NULL) {
            return a->gpu == NULL ? 1 : -1; /* unknown cards last */
        }
        return a->gpu < b->gpu ? -1 : 1; /* one array: sorted by id */
    }
    if (a->condition_code != b->condition_code) {
        return a->condition_code < b->condition_code ? -1 : 1;
    }
    int order = -catalogue_compare_dates(&a->observed_on, &b->observed_on); /* newest first */

    if (order == 0) {
        order = (a->amount_micros > b->amount_micros) - (a->amount_micros < b->amount_micros);
    }
    return order != 0 ? order : catalogue_compare_texts(a->source, b->source);
}

static int compare_aliases(const struct alias *a, const struct alias *b)
{
    int order = strcmp(a->key, b->key);

    return order != 0 ? order : catalogue_compare_texts(a->gpu_id, b->gpu_id);
}

static size_t currency_place(const char *currency)
{
    size_t place = 0;

    while (place < CURRENCY_COUNT && !text_is(currency, CURRENCY_NAMES[place])) {
        place++;
    }
    return place;
}

static int compare_tiers(const struct tier *a, const struct tier *b)
{
    size_t place_a = currency_place(a->currency);
    size_t place_b = currency_place(b->currency);

    if (place_a != place_b) {
        return place_a < place_b ? -1 : 1;
    }
    return (a->min_micros > b->min_micros) - (a->min_micros < b->min_micros);
}

/* The order a table is read in; rows that are equal in it follow by all their columns. */
static int compare_in_table(const void *a, const void *b, void *context)
{
    const struct fact_table *table = context;
    int order = 0;

    if (table == &FACTS_GPU_PRICES) {
        order = compare_prices(a, b);
    } else if (table == &FACTS_ALIASES) {
        order = compare_aliases(a, b);
    } else if (table == &FACTS_TIERS) {
        order = compare_tiers(a, b);
    } else if (table == &FACTS_CLOUD_OFFERS) {
        order = catalogue_compare_offers(a, b);
    }
    return order != 0 ? order : catalogue_compare_rows(table, a, b);
}

static void sort_table(struct catalogue *catalogue, const struct fact_table *table)
{
    size_t count = catalogue_row_count(catalogue, table);
    union {
        const struct fact_table *table;
        void *context;
    } lent = {.table = table}; /* qsort_r takes no const; the order only reads it */

    if (count > 1) {
        qsort_r(catalogue_rows(catalogue, table), count, table->row_bytes, compare_in_table,
                lent.context);
    }
}

static bool make_alias_keys(struct catalogue *catalogue, struct error *err)
{
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        struct alias *alias = &catalogue->aliases[i];
        char key[ALIAS_KEY_BYTES];
        size_t length = names_normalise(alias->alias, strlen(alias->alias), key, sizeof key);

        if (length == 0) {
            return error_set(err, ERROR_BAD_DATABASE, "aliases: not usable as a name: %.80s",
                             alias->alias);
        }
        alias->key = arena_copy_text(&catalogue->memory, key, length);
        if (alias->key == NULL) {
            return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names of cards");
        }
        alias->gpu = catalogue_find_gpu(catalogue, alias->gpu_id);
    }
    return true;
}

/* Into the catalogue's memory, for comparing; NULL: out of memory or no name. */
static const char *copy_model_key(struct catalogue *catalogue, const char *name)
{
    char key[ALIAS_KEY_BYTES];
    size_t length = model_names_key(name, strlen(name), key, sizeof key);

    return length == 0 ? NULL : arena_copy_text(&catalogue->memory, key, length);
}

static bool make_model_keys(struct catalogue *catalogue, struct error *err)
{
    bool is_good = true;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        struct model *model = &catalogue->models[i];

        model->id_key = copy_model_key(catalogue, model->id);
        model->name_key = copy_model_key(catalogue, model->name);
        is_good = is_good && model->id_key != NULL && model->name_key != NULL;
    }
    for (size_t i = 0; i < catalogue->model_alias_count; i++) {
        struct model_alias *alias = &catalogue->model_aliases[i];

        alias->key = copy_model_key(catalogue, alias->alias);
        alias->model = catalogue_find_model(catalogue, alias->model_id);
        is_good = is_good && alias->key != NULL;
    }
    return is_good || error_set(err, ERROR_BAD_DATABASE,
                                "models: an id, name or alias is not usable as a name");
}

static bool code_prices(struct catalogue *catalogue, struct error *err)
{
    for (size_t i = 0; i < catalogue->price_count; i++) {
        struct price *price = &catalogue->prices[i];
        enum condition code = CONDITION_NEW;

        while (code < CONDITION_COUNT && !text_is(price->condition, CONDITION_NAMES[code])) {
            code++;
        }
        if (code == CONDITION_COUNT) {
            return error_set(err, ERROR_BAD_DATABASE, "gpu_prices: condition of a price of %s: %s",
                             price->gpu_slug, price->condition == NULL ? "none" : price->condition);
        }
        price->condition_code = code;
    }
    return true;
}

/* Every currency must have the four bands, each beginning where the one below ends. */
static bool check_tiers(const struct catalogue *catalogue, struct error *err)
{
    static const char *const BANDS[] = {"low", "mid", "high", "unlimited"};
    enum { BAND_COUNT = sizeof BANDS / sizeof BANDS[0] };

    for (size_t i = 0; i < (size_t)CURRENCY_COUNT * BAND_COUNT; i++) {
        const char *currency = CURRENCY_NAMES[i / BAND_COUNT];
        const char *band = BANDS[i % BAND_COUNT];
        const struct tier *tier = i < catalogue->tier_count ? &catalogue->tiers[i] : NULL;
        int64_t start_micros = i % BAND_COUNT == 0 ? 0 : catalogue->tiers[i - 1].max_micros;

        if (tier == NULL || !text_is(tier->currency, currency) || !text_is(tier->id, band)) {
            return error_set(err, ERROR_BAD_DATABASE, "tiers: %s %s is missing", currency, band);
        }
        if (tier->min_micros != start_micros) {
            return error_set(err, ERROR_BAD_DATABASE,
                             "tiers: %s %s does not begin where the band below ends", currency,
                             band);
        }
        if ((i % BAND_COUNT == BAND_COUNT - 1) != (tier->max_micros == MONEY_UNKNOWN)) {
            return error_set(err, ERROR_BAD_DATABASE, "tiers: only unlimited has no end, not %s %s",
                             currency, band);
        }
    }
    return true;
}

bool catalogue_build(struct catalogue *catalogue, struct error *err)
{
    assert(catalogue->revision[0] == '\0'); /* built once */
    /* Cards and their names first: prices and offers are sorted by the cards they mean. */
    sort_table(catalogue, &FACTS_GPUS);
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        catalogue->gpus[i].index = i;
    }
    if (!code_prices(catalogue, err) || !make_alias_keys(catalogue, err)) {
        return false;
    }
    sort_table(catalogue, &FACTS_ALIASES);
    if (!names_index_build(catalogue, err)) {
        return false;
    }
    catalogue_find_cards(catalogue);
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        if (FACT_TABLES[i] != &FACTS_GPUS && FACT_TABLES[i] != &FACTS_ALIASES) {
            sort_table(catalogue, FACT_TABLES[i]);
        }
    }
    if (!check_tiers(catalogue, err) || !make_model_keys(catalogue, err) ||
        !parameters_read(catalogue->parameter_rows, catalogue->parameter_count,
                         &catalogue->parameters, err) ||
        !calibration_read(catalogue->calibration_rows, catalogue->calibration_count,
                          &catalogue->calibration, err) ||
        !catalogue_link(catalogue, err)) {
        return false;
    }
    catalogue_hash(catalogue, catalogue->revision);
    return true;
}
