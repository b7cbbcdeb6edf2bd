/* GET /cloud: notebooks, TPUs and rented instances in one list, the newest offers only. An unknown
 * fact never satisfies a filter. One request, one thread. */
#include "handle.h"

#include "card_out.h"
#include "cloud_rows.h"
#include "engine/money.h"
#include "list.h"
#include "problem.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { WORDS_MAX = 64 }; /* named in a complaint */

struct cloud_ask {
    enum cloud_kind kind;
    const struct gpu *gpu;
    const char *provider, *region;
    double min_memory_gib;
    int64_t max_usd_per_hour_micros;
    struct list_ask list;
};

static const char *word_at(const struct cloud_row *row, size_t offset)
{
    const char *word = NULL;

    memcpy(&word, (const char *)row + offset, sizeof word);
    return word;
}

/* The word as the rows have it at that place, whatever the case given. One that none has is a slip
 * of the pen, not a question with an empty answer: NULL and a complaint with those that there are.
 */
static const char *read_word(struct exchange *exchange, const struct query_parameter *given,
                             size_t offset)
{
    size_t count = 0;
    const struct cloud_row *rows =
        cloud_rows_collect(exchange->catalogue, exchange->view->day, exchange->arena, &count);
    const char *words[WORDS_MAX];
    size_t found = 0;

    if (rows == NULL) {
        exchange->complaints.is_out_of_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const char *word = word_at(&rows[i], offset);
        size_t known = 0;

        if (word != NULL && strcasecmp(word, given->value) == 0) {
            return word;
        }
        while (word != NULL && known < found && strcmp(words[known], word) != 0) {
            known++;
        }
        if (word != NULL && known == found && found < WORDS_MAX) {
            words[found++] = word;
        }
    }
    params_in_complain_choice(exchange, given->name, words, found, TEXT_MUST_BE_ONE_OF);
    return NULL;
}

static void read_provider(struct exchange *exchange, const struct query_parameter *given,
                          void *target)
{
    struct cloud_ask *asked = target;

    asked->provider = read_word(exchange, given, offsetof(struct cloud_row, provider));
}

static void read_region(struct exchange *exchange, const struct query_parameter *given,
                        void *target)
{
    struct cloud_ask *asked = target;

    asked->region = read_word(exchange, given, offsetof(struct cloud_row, region));
}

#define AT(field) .offset = offsetof(struct cloud_ask, field)
static const struct param CLOUD_PARAMS[] = {
    {.name = "kind",
     .kind = PARAM_CHOICE,
     .choices = CLOUD_KIND_NAMES,
     .choice_count = CLOUD_KIND_COUNT,
     AT(kind)},
    {.name = "gpu", .kind = PARAM_GPU, AT(gpu)},
    {.name = "provider", .kind = PARAM_CUSTOM, .read = read_provider},
    {.name = "region", .kind = PARAM_CUSTOM, .read = read_region},
    {.name = "min_memory_gib",
     .kind = PARAM_NUMBER,
     .minimum = 0,
     .maximum = 1e5,
     .example = "16",
     AT(min_memory_gib)},
    {.name = "max_usd_per_hour",
     .kind = PARAM_MONEY,
     .minimum = 0,
     .maximum = 1e6,
     .example = "2.50",
     AT(max_usd_per_hour_micros)},
    LIST_PARAMS(offsetof(struct cloud_ask, list)),
};

static const char *const SORT_KEYS[] = {"provider",         "instance_type", "region",
                                        "observed_on",      "usd_per_hour",  "spot_usd_per_hour",
                                        "usd_per_gpu_hour", "gpu_count",     "memory_gib"};
enum { SORT_COUNT = sizeof SORT_KEYS / sizeof SORT_KEYS[0] };

static const struct list_table CLOUD_TABLE = {
    CLOUD_PARAMS, sizeof CLOUD_PARAMS / sizeof CLOUD_PARAMS[0], SORT_KEYS, SORT_COUNT};

static void set_sort_value(struct list_item *item, const struct cloud_row *row, size_t key)
{
    const char *const texts[SORT_COUNT] = {row->provider, row->instance_type, row->region,
                                           row->observed_on.text};
    const double numbers[SORT_COUNT] = {(double)NAN,
                                        (double)NAN,
                                        (double)NAN,
                                        (double)NAN,
                                        money_to_units(row->usd_per_hour_micros),
                                        money_to_units(row->spot_usd_per_hour_micros),
                                        money_to_units(row->usd_per_gpu_hour_micros),
                                        row->gpu_count,
                                        row->memory_gib};

    item->key.ids[0] = row->provider;
    item->key.ids[1] = row->instance_type;
    item->key.ids[2] = row->region;
    item->key.ids[3] = row->accelerator;
    item->key.serial = cloud_rows_serial(row);
    item->key.number = key < SORT_COUNT ? numbers[key] : (double)NAN;
    item->key.text = key < SORT_COUNT ? texts[key] : NULL;
}

static bool is_word_of(const char *text, const char *wanted)
{
    return wanted == NULL || (text != NULL && strcasecmp(text, wanted) == 0);
}

static bool passes(const struct cloud_ask *asked, const struct cloud_row *row)
{
    bool has_kind = asked->kind == CLOUD_KIND_COUNT || asked->kind == row->kind;
    bool has_gpu = asked->gpu == NULL || asked->gpu == row->gpu;
    bool has_memory = isnan(asked->min_memory_gib) || row->memory_gib >= asked->min_memory_gib;
    bool is_affordable = asked->max_usd_per_hour_micros == MONEY_UNKNOWN ||
                         (row->usd_per_hour_micros != MONEY_UNKNOWN &&
                          row->usd_per_hour_micros <= asked->max_usd_per_hour_micros);

    return has_kind && has_gpu && has_memory && is_affordable &&
           is_word_of(row->provider, asked->provider) && is_word_of(row->region, asked->region);
}

static void write_row(struct exchange *exchange, struct json_out *out, const void *row)
{
    static const struct note XLA_ONLY = {.code = MESSAGE_XLA_ONLY};
    const struct cloud_row *offer = row;

    cloud_rows_write(out, offer);
    card_out_notes(exchange, out, "warnings", &XLA_ONLY, offer->tpu_slug == NULL ? 0 : 1);
}

void handle_cloud(struct exchange *exchange)
{
    struct cloud_ask asked = {.kind = CLOUD_KIND_COUNT,
                              .min_memory_gib = (double)NAN,
                              .max_usd_per_hour_micros = MONEY_UNKNOWN,
                              .list = {.limit = LIMIT_LIST_DEFAULT}};

    if (!list_read(exchange, &CLOUD_TABLE, &asked, &asked.list)) {
        return;
    }
    size_t row_count = 0;
    size_t count = 0;
    const struct cloud_row *rows =
        cloud_rows_collect(exchange->catalogue, exchange->view->day, exchange->arena, &row_count);
    struct list_item *items = arena_alloc_array(exchange->arena, row_count, sizeof *items);

    if (rows == NULL || items == NULL) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    for (size_t i = 0; i < row_count; i++) {
        if (passes(&asked, &rows[i])) {
            items[count].row = &rows[i];
            set_sort_value(&items[count++], &rows[i], asked.list.key);
        }
    }
    list_sort(items, count, asked.list.is_falling);
    list_reply(exchange, items, count, &asked.list, write_row);
}
