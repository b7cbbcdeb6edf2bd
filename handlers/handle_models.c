/* GET /models and /models/{id}: what people want to run or train. One request, one thread. */
#include "handle.h"

#include "list.h"
#include "problem.h"
#include "reply.h"
#include "snapshot.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WORD_BYTES = 128, SUGGESTIONS = 5, NEAR_DISTANCE = 3 };

struct models_ask {
    const char *q, *kind;
    struct list_ask list;
};

static const struct param MODELS_PARAMS[] = {
    {.name = "q", .kind = PARAM_TEXT, .offset = offsetof(struct models_ask, q)},
    {.name = "kind",
     .kind = PARAM_FACT,
     .table = "models",
     .column = "kind",
     .offset = offsetof(struct models_ask, kind)},
    LIST_PARAMS(struct models_ask, list),
};

static const char *const SORT_KEYS[] = {"id",           "name",          "kind",
                                        "params_total", "params_active", "context"};
enum { SORT_COUNT = sizeof SORT_KEYS / sizeof SORT_KEYS[0] };

static void set_sort_value(struct list_item *item, const struct model *model, size_t key)
{
    const char *const texts[SORT_COUNT] = {model->id, model->name, model->kind};
    const double numbers[SORT_COUNT] = {(double)NAN,         (double)NAN,          (double)NAN,
                                        model->params_total, model->params_active, model->context};

    item->id = model->id;
    item->number = key < SORT_COUNT ? numbers[key] : (double)NAN;
    item->text = key < SORT_COUNT ? texts[key] : NULL;
}

static bool holds(const char *text, const char *word)
{
    char key[WORD_BYTES * 2];

    return text != NULL && names_normalise(text, strlen(text), key, sizeof key) > 0 &&
           strstr(key, word) != NULL;
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
    char word[WORD_BYTES] = "";
    size_t count = 0;
    size_t key = 0;
    bool is_falling = false;

    if (!list_read(exchange, MODELS_PARAMS, sizeof MODELS_PARAMS / sizeof MODELS_PARAMS[0], &asked,
                   &asked.list, SORT_KEYS, SORT_COUNT, &key, &is_falling)) {
        return;
    }
    items = arena_alloc_array(exchange->arena, catalogue->model_count, sizeof *items);
    if (items == NULL) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    bool is_word =
        asked.q == NULL || names_normalise(asked.q, strlen(asked.q), word, sizeof word) > 0;

    for (size_t i = 0; is_word && i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];

        if ((asked.kind == NULL || text_is(model->kind, asked.kind)) &&
            (asked.q == NULL || holds(model->id, word) || holds(model->name, word) ||
             holds(model->family, word))) {
            items[count].row = model;
            set_sort_value(&items[count++], model, key);
        }
    }
    list_sort(items, count, is_falling);
    list_reply(exchange, items, count, &asked.list, write_model);
}

/* 404 that suggests the models whose id or name holds the word, at most SUGGESTIONS. */
static void reply_unknown(struct exchange *exchange, const char *word)
{
    const struct catalogue *catalogue = exchange->catalogue;
    const char *ids[SUGGESTIONS];
    const char *names[SUGGESTIONS];
    size_t count = 0;

    for (size_t near = 0; near <= NEAR_DISTANCE && count == 0; near++) {
        for (size_t i = 0; i < catalogue->model_count && count < SUGGESTIONS; i++) {
            const struct model *model = &catalogue->models[i];
            bool is_part =
                near == 0 && *word != '\0' && (holds(model->id, word) || holds(model->name, word));

            if (is_part || (near > 0 && names_distance(word, model->id, NEAR_DISTANCE) == near)) {
                ids[count] = model->id;
                names[count++] = model->name;
            }
        }
    }
    problem_reply_unknown(exchange, "no model has this id; /models lists them", ids, names, count);
}

void handle_model(struct exchange *exchange)
{
    const struct catalogue *catalogue = exchange->catalogue;
    char key[WORD_BYTES] = "";
    struct json_out out;

    if (!params_in_read(exchange, NULL, 0)) {
        return;
    }
    (void)names_normalise(exchange->argument, exchange->argument_length, key,
                          sizeof key); /* nothing left: an empty key, which no model has */
    const struct model *model = catalogue_find_model(catalogue, key);

    if (model == NULL) {
        reply_unknown(exchange, key);
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    write_model(exchange, &out, model);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
