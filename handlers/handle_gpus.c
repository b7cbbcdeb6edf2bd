/* GET /gpus: the cards, filtered and sorted. An unknown fact never satisfies a filter. One request,
 * one thread. */
#include "handle.h"

#include "ask_custom.h"
#include "card_out.h"
#include "engine/names.h"
#include "engine/notes.h"
#include "engine/support.h"
#include "list.h"
#include "problem.h"
#include "search.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct gpus_ask {
    const char *vendor, *segment, *architecture, *q;
    double min_memory_gib;
    int64_t max_price_micros;
    enum currency currency;
    enum asked_condition condition;
    bool supports[FEATURE_COUNT];
    struct list_ask list;
};

struct listed { /* one card with its price of today */
    const struct gpu *gpu;
    struct plan_price price;
    bool has_price;
    enum currency currency;
};

static void read_supports(struct exchange *exchange, const struct query_parameter *given,
                          void *target)
{
    struct gpus_ask *asked = target;

    ask_custom_read_features(exchange, given, asked->supports);
}

#define AT(field) .offset = offsetof(struct gpus_ask, field)
static const struct param GPUS_PARAMS[] = {
    {.name = "vendor", .kind = PARAM_FACT, .table = "gpus", .column = "vendor", AT(vendor)},
    {.name = "segment", .kind = PARAM_FACT, .table = "gpus", .column = "segment", AT(segment)},
    {.name = "architecture",
     .kind = PARAM_FACT,
     .table = "gpus",
     .column = "architecture",
     AT(architecture)},
    {.name = "q", .kind = PARAM_WORD, AT(q)},
    {.name = "min_memory_gib",
     .kind = PARAM_NUMBER,
     .minimum = 0,
     .maximum = 1e5,
     .example = "16",
     AT(min_memory_gib)},
    {.name = "max_price",
     .kind = PARAM_MONEY,
     .minimum = 1,
     .maximum = 1e8,
     .example = "1500.50",
     AT(max_price_micros)},
    {.name = "currency",
     .kind = PARAM_CHOICE,
     .choices = CURRENCY_NAMES,
     .choice_count = CURRENCY_COUNT,
     AT(currency)},
    {.name = "condition",
     .kind = PARAM_CHOICE,
     .choices = ASKED_CONDITION_NAMES,
     .choice_count = ASKED_CONDITION_COUNT,
     AT(condition)},
    {.name = "supports", .kind = PARAM_CUSTOM, .read = read_supports},
    LIST_PARAMS(offsetof(struct gpus_ask, list)),
};

static const char *const SORT_KEYS[] = {"id",           "name",
                                        "release_date", "price",
                                        "memory_gib",   "memory_bandwidth_gb_s",
                                        "fp32_tflops",  "tensor_fp16_tflops",
                                        "tdp_watts",    "nvlink_gb_s"};
enum { SORT_COUNT = sizeof SORT_KEYS / sizeof SORT_KEYS[0] };

static const struct list_table GPUS_TABLE = {
    GPUS_PARAMS, sizeof GPUS_PARAMS / sizeof GPUS_PARAMS[0], SORT_KEYS, SORT_COUNT};

static void set_sort_value(struct list_item *item, const struct listed *listed, size_t key)
{
    const struct gpu *gpu = listed->gpu;
    const char *const texts[SORT_COUNT] = {gpu->id, gpu->name, gpu->release_date.text};
    const double numbers[SORT_COUNT] = {
        (double)NAN,
        (double)NAN,
        (double)NAN,
        listed->has_price ? money_to_units(listed->price.planning_micros) : (double)NAN,
        gpu->memory_gib,
        gpu->memory_bandwidth_gb_s,
        gpu->fp32_tflops,
        gpu->tensor_fp16_tflops,
        gpu->tdp_watts,
        gpu->nvlink_gb_s};

    item->key.ids[0] = gpu->id;
    item->key.number = key < SORT_COUNT ? numbers[key] : (double)NAN;
    item->key.text = key < SORT_COUNT ? texts[key] : NULL;
}

static bool is_meant(const struct gpu *gpu, const struct names_result *meant)
{
    for (size_t i = 0; i < meant->count; i++) {
        if (meant->outcome <= NAMES_AMBIGUOUS && meant->gpus[i] == gpu) {
            return true;
        }
    }
    return false;
}

/* The word stands in the id, the name or another name of the card, or means it. */
static bool is_named(const struct catalogue *catalogue, const struct gpu *gpu, const char *word,
                     const struct names_result *meant)
{
    if (is_meant(gpu, meant)) {
        return true;
    }
    if (search_text_holds(gpu->id, word) || search_text_holds(gpu->name, word)) {
        return true;
    }
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu == gpu && strstr(catalogue->aliases[i].key, word) != NULL) {
            return true;
        }
    }
    return false;
}

static bool passes(const struct catalogue *catalogue, const struct gpus_ask *asked,
                   const struct names_result *meant, const struct listed *listed)
{
    const struct gpu *gpu = listed->gpu;

    if ((asked->vendor != NULL && !text_is(gpu->vendor, asked->vendor)) ||
        (asked->segment != NULL && !text_is(gpu->segment, asked->segment)) ||
        (asked->architecture != NULL && !text_is(gpu->architecture, asked->architecture)) ||
        (!isnan(asked->min_memory_gib) && !(gpu->memory_gib >= asked->min_memory_gib)) ||
        (asked->condition != ASKED_ANY && !listed->has_price)) {
        return false;
    }
    if (asked->max_price_micros != MONEY_UNKNOWN &&
        (!listed->has_price || listed->price.planning_micros > asked->max_price_micros)) {
        return false;
    }
    for (int feature = 0; feature < FEATURE_COUNT; feature++) {
        if (asked->supports[feature] &&
            !support_has_feature(gpu, (enum feature)feature, OS_LINUX)) {
            return false;
        }
    }
    return asked->q == NULL || is_named(catalogue, gpu, asked->q, meant);
}

static void write_listed(struct exchange *exchange, struct json_out *out, const void *row)
{
    const struct listed *listed = row;
    struct note warnings[RECOMMEND_MAX_NOTES];
    size_t count = notes_of_card(listed->gpu, exchange->arena, warnings);

    card_out_facts(exchange, out, listed->gpu);
    card_out_price_at(out, "price", listed->has_price ? &listed->price : NULL, listed->currency);
    card_out_notes(exchange, out, "warnings", warnings, count);
}

/* Prices every card and keeps those that pass; false: the response is a problem. */
static bool collect(struct exchange *exchange, const struct gpus_ask *asked,
                    struct list_item **items, size_t *count)
{
    const struct catalogue *catalogue = exchange->catalogue;
    struct listed *rows = arena_alloc_array(exchange->arena, catalogue->gpu_count, sizeof *rows);
    struct ask ask;
    struct price_book book;
    struct names_result meant = {.count = 0};

    *items = arena_alloc_array(exchange->arena, catalogue->gpu_count, sizeof **items);
    if (rows == NULL || *items == NULL) {
        problem_reply_out_of_memory(exchange);
        return false;
    }
    if (!card_out_open_prices(exchange, asked->currency, asked->condition, &ask, &book)) {
        return false;
    }
    if (asked->q != NULL) {
        names_resolve(catalogue, asked->q, strlen(asked->q), NULL, &meant);
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        rows[i].gpu = &catalogue->gpus[i];
        rows[i].currency = asked->currency;
        rows[i].has_price = card_out_best_price(&book, &ask, rows[i].gpu, &rows[i].price);
        if (passes(catalogue, asked, &meant, &rows[i])) {
            (*items)[*count].row = &rows[i];
            set_sort_value(&(*items)[*count], &rows[i], asked->list.key);
            if (asked->list.key == SORT_COUNT && is_meant(rows[i].gpu, &meant)) {
                (*items)[*count].key.number = 0; /* before those that only hold the word */
            }
            (*count)++;
        }
    }
    return true;
}

void handle_gpus(struct exchange *exchange)
{
    struct gpus_ask asked = {.min_memory_gib = (double)NAN,
                             .max_price_micros = MONEY_UNKNOWN,
                             .currency = CURRENCY_USD,
                             .condition = ASKED_ANY,
                             .list = {.limit = LIMIT_LIST_DEFAULT}};
    struct list_item *items = NULL;
    size_t count = 0;

    if (list_read(exchange, &GPUS_TABLE, &asked, &asked.list) &&
        collect(exchange, &asked, &items, &count)) {
        list_sort(items, count, asked.list.is_falling);
        list_reply(exchange, items, count, &asked.list, write_listed);
    }
}
