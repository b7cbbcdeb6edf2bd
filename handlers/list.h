/* Lists: order, pages, and the envelope {data:[...], page:{limit,next}, total} with its Link
 * header. A page begins behind the last row of the one before, wherever that would stand now: rows
 * that stay are neither repeated nor left out while others come and go. */
#ifndef GPUWISE_LIST_H
#define GPUWISE_LIST_H

#include "cursor.h"
#include "json_out.h"
#include "params_in.h"

struct list_item {
    const void *row;
    struct cursor key; /* what it is sorted by; passed is not used */
    size_t place;      /* breaks the last ties; set by list_sort */
};

/* What every list is asked; the last member of its own struct of parameters. */
struct list_ask {
    const char *sort;   /* a key, or '-' and a key for falling order; NULL: as the endpoint likes */
    const char *cursor; /* page.next of the page before; NULL: the first page */
    size_t limit;
    struct cursor after; /* cursor as read; set by list_read */
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
        .name = "cursor", .kind = PARAM_TEXT, .offset = (at) + offsetof(struct list_ask, cursor)   \
    }

/* Reads the parameters of a list into target, of which list is a member, and checks its sort key
 * and cursor. False: the response is a problem. */
bool list_read(struct exchange *exchange, const struct list_table *table, void *target,
               struct list_ask *list) MUST_CHECK;

/* Sorts in place: unknown last in both directions, equal ones by ids, serial and place. */
void list_sort(struct list_item *items, size_t count, bool is_falling);

/* The page of a sorted list: writes the envelope, each row by write, and replies. */
void list_reply(struct exchange *exchange, const struct list_item *items, size_t count,
                const struct list_ask *list,
                void (*write)(struct exchange *exchange, struct json_out *out, const void *row));

#endif
