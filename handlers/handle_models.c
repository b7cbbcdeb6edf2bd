/* GET /models and /models/{id}: what people want to run or train. One request, one thread. */
#include "handle.h"

#include "engine/model_names.h"
#include "list.h"
#include "problem.h"
#include "reply.h"
#include "search.h"
#include "snapshot.h"

#include <math.h>
#include <stddef.h>

enum { SUGGESTIONS = 5 };

struct models_ask {
    const char *q, *kind;
    struct list_ask list;
};

static const struct param MODELS_PARAMS[] = {
    {.name = "q", .kind = PARAM_WORD, .offset = offsetof(struct models_ask, q)},
    {.name = "kind",
     .kind = PARAM_FACT,
     .table = "models",
     .column = "kind",
     .offset = offsetof(struct models_ask, kind)},
    LIST_PARAMS(offsetof(struct models_ask, list)),
};

static const char *const SORT_KEYS[] = {"id",           "name",          "kind",
                                        "params_total", "params_active", "context"};
enum { SORT_COUNT = sizeof SORT_KEYS / sizeof SORT_KEYS[0] };

static const struct list_table MODELS_TABLE = {
    MODELS_PARAMS, sizeof MODELS_PARAMS / sizeof MODELS_PARAMS[0], SORT_KEYS, SORT_COUNT};

static void set_sort_value(struct list_item *item, const struct model *model, size_t key)
{
    const char *const texts[SORT_COUNT] = {model->id, model->name, model->kind};
    const double numbers[SORT_COUNT] = {(double)NAN,         (double)NAN,          (double)NAN,
                                        model->params_total, model->params_active, model->context};

    item->key.ids[0] = model->id;
    item->key.number = key < SORT_COUNT ? numbers[key] : (double)NAN;
    item->key.text = key < SORT_COUNT ? texts[key] : NULL;
}

static void write_model(struct exchange *exchange, struct json_out *out, const void *row)
{
    const struct model *model = row;
    size_t index = (size_t)(model - exchange->catalogue->models);
    const struct fragment *fragment = &exchange->view->snapshot->rows.models[index];

    json_out_raw(out, fragment->bytes, fragment->length);
}

void handle_models(struct exchange *exchange)
{
    const struct catalogue *catalogue = exchange->catalogue;
    struct models_ask asked = {.list = {.limit = LIMIT_LIST_DEFAULT}};
    struct list_item *items = NULL;
    size_t count = 0;

    if (!list_read(exchange, &MODELS_TABLE, &asked, &asked.list)) {
        return;
    }
    items = arena_alloc_array(exchange->arena, catalogue->model_count, sizeof *items);
    if (items == NULL) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];

        if ((asked.kind == NULL || text_is(model->kind, asked.kind)) &&
            (asked.q == NULL || search_text_holds(model->id, asked.q) ||
             search_text_holds(model->name, asked.q) ||
             search_text_holds(model->family, asked.q))) {
            items[count].row = model;
            set_sort_value(&items[count++], model, asked.list.key);
        }
    }
    list_sort(items, count, asked.list.is_falling);
    list_reply(exchange, items, count, &asked.list, write_model);
}

static void reply_unknown(struct exchange *exchange)
{
    const struct model *near[SUGGESTIONS];
    const char *ids[SUGGESTIONS];
    const char *names[SUGGESTIONS];
    size_t count = model_names_near(exchange->catalogue, exchange->argument,
                                    exchange->argument_length, near, SUGGESTIONS);

    for (size_t i = 0; i < count; i++) {
        ids[i] = near[i]->id;
        names[i] = near[i]->name;
    }
    problem_reply_unknown(exchange, SAY(TEXT_NO_MODEL), ids, names, count);
}

void handle_model(struct exchange *exchange)
{
    struct json_out out;

    if (!params_in_read(exchange, NULL, 0)) {
        return;
    }
    const struct model *model =
        model_names_find(exchange->catalogue, exchange->argument, exchange->argument_length);

    if (model == NULL) {
        reply_unknown(exchange);
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    write_model(exchange, &out, model);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
