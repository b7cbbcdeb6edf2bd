/* What all lists have in common. It knows no resource. One request, one thread. */
#include "list.h"

#include "problem.h"
#include "reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool list_read(struct exchange *exchange, const struct list_table *table, void *target,
               struct list_ask *list)
{
    const struct param_group group = {table->params, table->param_count, 0, target};

    params_in_collect(exchange, &group, 1);
    list->is_falling = list->sort != NULL && list->sort[0] == '-';
    list->key = table->sort_key_count;
    if (list->sort != NULL) {
        const char *wanted = list->sort + (list->is_falling ? 1 : 0);

        for (size_t i = 0; i < table->sort_key_count; i++) {
            if (strcmp(table->sort_keys[i], wanted) == 0) {
                list->key = i;
            }
        }
        if (list->key == table->sort_key_count) {
            params_in_complain_choice(exchange, "sort", table->sort_keys, table->sort_key_count,
                                      TEXT_MUST_BE_SORT_KEY);
        }
    }
    return params_in_accept(exchange);
}

static int compare_places(const struct list_item *a, const struct list_item *b)
{
    int order = strcmp(a->id, b->id);

    if (order != 0) {
        return order;
    }
    return a->place < b->place ? -1 : a->place > b->place ? 1 : 0;
}

/* Rising; both unknown or equal: 0. *is_decided tells that the order holds in both directions. */
static int compare_values(const struct list_item *a, const struct list_item *b, bool *is_decided)
{
    bool a_is_known = a->text != NULL || !isnan(a->number);
    bool b_is_known = b->text != NULL || !isnan(b->number);

    *is_decided = !a_is_known || !b_is_known;
    if (*is_decided) {
        return a_is_known == b_is_known ? 0 : a_is_known ? -1 : 1;
    }
    if (a->text != NULL && b->text != NULL) {
        return strcmp(a->text, b->text);
    }
    return a->number < b->number ? -1 : a->number > b->number ? 1 : 0;
}

static int compare_rising(const void *a, const void *b)
{
    bool is_decided = false;
    int order = compare_values(a, b, &is_decided);

    return order != 0 ? order : compare_places(a, b);
}

static int compare_falling(const void *a, const void *b)
{
    bool is_decided = false;
    int order = compare_values(a, b, &is_decided);

    if (order != 0) {
        return is_decided ? order : -order;
    }
    return compare_places(a, b);
}

void list_sort(struct list_item *items, size_t count, bool is_falling)
{
    for (size_t i = 0; i < count; i++) {
        items[i].place = i;
    }
    if (count > 1) {
        qsort(items, count, sizeof *items, is_falling ? compare_falling : compare_rising);
    }
}

/* Adds Link: <next page>; rel="next". */
static bool add_link(struct exchange *exchange, const char *cursor)
{
    const char *target =
        query_next_target(&exchange->query, exchange->path, cursor, exchange->arena);
    const char *value =
        target == NULL ? NULL : arena_format(exchange->arena, "<%s>; rel=\"next\"", target);

    if (value != NULL) {
        http_response_add_header(exchange->response, "Link", value);
    }
    return value != NULL;
}

void list_reply(struct exchange *exchange, const struct list_item *items, size_t count,
                const struct list_ask *list,
                void (*write)(struct exchange *exchange, struct json_out *out, const void *row))
{
    size_t first = list->cursor < count ? list->cursor : count;
    size_t end = list->limit < count - first ? first + list->limit : count;
    const char *next = NULL;
    struct json_out out;

    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    json_out_open_array_at(&out, "data");
    for (size_t i = first; i < end; i++) {
        json_out_open_object(&out);
        write(exchange, &out, items[i].row);
        json_out_close_object(&out);
    }
    json_out_close_array(&out);
    if (end < count) {
        next = arena_format(exchange->arena, "%zu", end);
        out.has_failed |= next == NULL;
    }
    json_out_open_object_at(&out, "page");
    json_out_count_at(&out, "limit", list->limit);
    json_out_text_at(&out, "next", next);
    json_out_close_object(&out);
    json_out_count_at(&out, "total", count);
    json_out_close_object(&out);
    reply_json(exchange, &out);
    if (next != NULL && exchange->response->status == 200 && !add_link(exchange, next)) {
        problem_reply_out_of_memory(exchange);
    }
}
