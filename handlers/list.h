/* Lists: order, pages, and the envelope {data:[...], page:{limit,next}, total} with its Link
 * header. */
#ifndef GPUWISE_LIST_H
#define GPUWISE_LIST_H

#include "json_out.h"
#include "params_in.h"

struct list_item {
    const void *row;
    const char *id;   /* breaks ties; then the place in the list as given */
    double number;    /* the value sorted by; NAN: unknown, or text is sorted by */
    const char *text; /* the same as text; NULL: unknown, or a number is sorted by */
    size_t place;     /* set by list_sort */
};

/* What every list is asked; the last member of its own struct of parameters. */
struct list_ask {
    const char *sort; /* a key, or '-' and a key for falling order; NULL: as the endpoint likes */
    size_t limit, cursor;
    size_t key; /* place of sort among the keys, their count without it; set by list_read */
    bool is_falling;
};

/* What a list can be asked. */
struct list_table {
    const struct param *params;
    size_t param_count;
    const char *const *sort_keys;
    size_t sort_key_count;
};

/* Rows of a table of parameters for a struct that has a struct list_ask at the offset. */
#define LIST_PARAMS(at)                                                                            \
    {.name = "sort", .kind = PARAM_TEXT, .offset = (at) + offsetof(struct list_ask, sort)},        \
        {.name = "limit",                                                                          \
         .kind = PARAM_COUNT,                                                                      \
         .minimum = 1,                                                                             \
         .maximum = LIMIT_LIST_MAX,                                                                \
         .example = "50",                                                                          \
         .offset = (at) + offsetof(struct list_ask, limit)},                                       \
    {                                                                                              \
        .name = "cursor", .kind = PARAM_COUNT, .minimum = 0, .maximum = 1e7,                       \
        .example = "the value of page.next", .offset = (at) + offsetof(struct list_ask, cursor)    \
    }

/* Reads the parameters of a list into target, of which list is a member, and checks its sort key.
 * False: the response is a problem. */
bool list_read(struct exchange *exchange, const struct list_table *table, void *target,
               struct list_ask *list) MUST_CHECK;

/* Sorts in place: unknown last in both directions, equal ones by id and place. */
void list_sort(struct list_item *items, size_t count, bool is_falling);

/* The page: writes the envelope, each row by write, and replies. */
void list_reply(struct exchange *exchange, const struct list_item *items, size_t count,
                const struct list_ask *list,
                void (*write)(struct exchange *exchange, struct json_out *out, const void *row));

#endif
