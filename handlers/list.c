/* What all lists have in common. It knows no resource. One request, one thread. */
#include "list.h"

#include "engine/hash.h"
#include "problem.h"
#include "reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of the list asked: of the path and all that chooses and orders its rows, in any order.
 * How many, in which language and form is not asked. */
static uint32_t list_number(const struct exchange *exchange)
{
    static const char *const OTHERS[] = {"cursor", "limit", "lang", "format"};
    uint64_t sum = hash_text(HASH_SEED, exchange->path);

    for (size_t i = 0; i < exchange->query.count; i++) {
        const struct query_parameter *item = &exchange->query.items[i];
        size_t other = 0;

        while (other < sizeof OTHERS / sizeof OTHERS[0] && strcmp(item->name, OTHERS[other]) != 0) {
            other++;
        }
        if (other == sizeof OTHERS / sizeof OTHERS[0]) {
            sum += hash_text(hash_text(HASH_SEED, item->name), item->value);
        }
    }
    return (uint32_t)(sum ^ sum >> 32);
}

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
    if (list->cursor != NULL &&
        !cursor_read(list->cursor, strlen(list->cursor), list_number(exchange), exchange->arena,
                     &list->after)) {
        complaints_add(&exchange->complaints, "cursor", 6, SAY(TEXT_MUST_BE_CURSOR));
    }
    return params_in_accept(exchange);
}

/* Texts as far as a cursor holds them. */
static int compare_texts(const char *a, const char *b, size_t bytes_max)
{
    return strncmp(a == NULL ? "" : a, b == NULL ? "" : b, bytes_max);
}

/* Rising; both unknown or equal: 0. *is_decided tells that the order holds in both directions. */
static int compare_values(const struct cursor *a, const struct cursor *b, bool *is_decided)
{
    bool a_is_known = a->text != NULL || !isnan(a->number);
    bool b_is_known = b->text != NULL || !isnan(b->number);

    *is_decided = !a_is_known || !b_is_known;
    if (*is_decided) {
        return a_is_known == b_is_known ? 0 : a_is_known ? -1 : 1;
    }
    if (a->text != NULL && b->text != NULL) {
        return compare_texts(a->text, b->text, CURSOR_TEXT_BYTES);
    }
    return a->number < b->number ? -1 : a->number > b->number ? 1 : 0;
}

/* In the order of the list; 0: the same keys. */
static int compare_keys(const struct cursor *a, const struct cursor *b, bool is_falling)
{
    bool is_decided = false;
    int order = compare_values(a, b, &is_decided);

    if (order != 0) {
        return is_falling && !is_decided ? -order : order;
    }
    for (size_t i = 0; i < CURSOR_IDS && order == 0; i++) {
        order = compare_texts(a->ids[i], b->ids[i], CURSOR_ID_BYTES);
    }
    return order != 0 ? order : a->serial < b->serial ? -1 : a->serial > b->serial ? 1 : 0;
}

static int compare(const struct list_item *a, const struct list_item *b, bool is_falling)
{
    int order = compare_keys(&a->key, &b->key, is_falling);

    return order != 0 ? order : a->place < b->place ? -1 : a->place > b->place ? 1 : 0;
}

static int compare_rising(const void *a, const void *b)
{
    return compare(a, b, false);
}

static int compare_falling(const void *a, const void *b)
{
    return compare(a, b, true);
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

/* The first row of the page. */
static size_t find_first(const struct list_item *items, size_t count, const struct list_ask *list)
{
    size_t first = 0;
    size_t passed = 0;

    if (list->cursor == NULL) {
        return 0;
    }
    while (first < count && compare_keys(&items[first].key, &list->after, list->is_falling) < 0) {
        first++;
    }
    while (first < count && passed < list->after.passed &&
           compare_keys(&items[first].key, &list->after, list->is_falling) == 0) {
        first++;
        passed++;
    }
    return first;
}

/* The cursor of the page that begins at next, which is not 0. */
static const char *write_cursor(struct exchange *exchange, const struct list_item *items,
                                size_t next)
{
    struct cursor last = items[next - 1].key;

    last.passed = 1;
    while (last.passed < next &&
           compare_keys(&items[next - 1 - last.passed].key, &last, false) == 0) {
        last.passed++;
    }
    return cursor_write(&last, list_number(exchange), exchange->arena);
}

/* Adds Link (RFC 8288): the next page, and on all others than the first that. False: out of memory.
 */
static bool add_links(struct exchange *exchange, const char *next, bool is_first)
{
    const struct query *query = &exchange->query;
    struct arena *arena = exchange->arena;
    const char *target =
        next == NULL ? "" : query_target(query, exchange->path, "cursor", next, arena);
    const char *first = is_first ? "" : query_target(query, exchange->path, "cursor", NULL, arena);

    if (target == NULL || first == NULL) {
        return false;
    }
    const char *link =
        arena_format(arena, "%s%s%s%s%s%s%s", next == NULL ? "" : "<", target,
                     next == NULL ? "" : ">; rel=\"next\"", next == NULL || is_first ? "" : ", ",
                     is_first ? "" : "<", first, is_first ? "" : ">; rel=\"first\"");

    if (link != NULL && *link != '\0' && strlen(link) <= LIMIT_LINK_BYTES) {
        http_response_add_header(exchange->response, "Link", link);
    }
    return link != NULL;
}

void list_reply(struct exchange *exchange, const struct list_item *items, size_t count,
                const struct list_ask *list,
                void (*write)(struct exchange *exchange, struct json_out *out, const void *row))
{
    size_t first = find_first(items, count, list);
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
        next = write_cursor(exchange, items, end);
        out.text.has_failed |= next == NULL;
    }
    json_out_open_object_at(&out, "page");
    json_out_count_at(&out, "limit", list->limit);
    json_out_text_at(&out, "next", next);
    json_out_close_object(&out);
    json_out_count_at(&out, "total", count);
    json_out_close_object(&out);
    reply_json(exchange, &out);
    if (exchange->response->status == 200 && !add_links(exchange, next, list->cursor == NULL)) {
        problem_reply_out_of_memory(exchange);
    }
}
