/* Pages of a list while its rows come and go: those that stay are given exactly once. */
#include "../../handlers/list.h"

#include "../tap.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 120, WALKS = 300 };

struct row {
    char id[8];
    double number;
    const char *text;
    bool is_there;
    bool was_always_there;
    int given;
};

static struct row rows[ROWS];
static struct arena arena;

struct ask {
    const char *colour;
    struct list_ask list;
};

static const struct param PARAMS[] = {
    {.name = "colour", .kind = PARAM_TEXT, .offset = offsetof(struct ask, colour)},
    LIST_PARAMS(offsetof(struct ask, list))};
static const char *const SORT_KEYS[] = {"number", "text"};
static const struct list_table TABLE = {PARAMS, 4, SORT_KEYS, 2};

static unsigned draw(unsigned count)
{
    return (unsigned)rand() % count; /* srand() makes it the same every time */
}

static void write_row(struct exchange *exchange, struct json_out *out, const void *row)
{
    (void)exchange;
    json_out_count_at(out, "row", (size_t)((const struct row *)row - rows));
}

/* Rows of few values, so that there are many ties; some are unknown, some share their id. */
static void change_row(struct row *row, bool is_there)
{
    static const char *const TEXTS[] = {NULL, "a", "b", "a long text to sort by"};

    *row = (struct row){.number = draw(4) == 0 ? (double)NAN : draw(5),
                        .text = TEXTS[draw(4)],
                        .is_there = is_there,
                        .was_always_there = is_there};
    (void)snprintf(row->id, sizeof row->id, "i%u", draw(30));
}

/* Answers the query as a list of the rows that are there; the document, or NULL. */
static json_t *ask(const char *query, struct http_response *response)
{
    const struct app_view view = {.is_ready = true};
    const struct http_request request = {
        .method = HTTP_GET, .query = query, .query_bytes = strlen(query)};
    struct exchange exchange = {
        .view = &view, .request = &request, .arena = &arena, .path = "/list", .response = response};
    struct ask asked = {.list = {.limit = LIMIT_LIST_DEFAULT}};
    struct list_item items[ROWS] = {0};
    size_t count = 0;

    arena_reset(&arena);
    *response = (struct http_response){0};
    complaints_init(&exchange.complaints, &arena);
    query_read(&request, &exchange.query, &exchange.complaints);
    if (list_read(&exchange, &TABLE, &asked, &asked.list)) {
        for (size_t i = 0; i < ROWS; i++) {
            if (rows[i].is_there) {
                items[count].row = &rows[i];
                items[count].key.ids[0] = rows[i].id;
                items[count].key.serial = i;
                items[count].key.number = asked.list.key == 0 ? rows[i].number : (double)NAN;
                items[count].key.text = asked.list.key == 1 ? rows[i].text : NULL;
                count++;
            }
        }
        list_sort(items, count, asked.list.is_falling);
        list_reply(&exchange, items, count, &asked.list, write_row);
    }
    return json_loadb(response->body, response->body_bytes, 0, NULL);
}

/* Some go, some come, some of those that came change; the rest stays as it is. */
static void change_rows(void)
{
    for (int i = 0; i < 12; i++) {
        struct row *row = &rows[draw(ROWS)];
        int given = row->given;

        change_row(row, draw(2) == 0);
        row->was_always_there = false;
        row->given = given;
    }
}

/* Walks through all pages; true: every row that stayed was given once. */
static bool walk(const char *sort, bool is_changing)
{
    char cursor[LIMIT_PARAMETER_VALUE_BYTES + 1] = "";
    bool is_good = true;

    for (size_t i = 0; i < ROWS; i++) {
        change_row(&rows[i], draw(4) > 0);
    }
    for (int page = 0; page < ROWS; page++) {
        struct http_response response;
        char query[1024];

        (void)snprintf(query, sizeof query, "%slimit=%u%s%s", sort, 1 + draw(9),
                       *cursor == '\0' ? "" : "&cursor=", cursor);
        json_t *body = ask(query, &response);
        const char *next =
            json_string_value(json_object_get(json_object_get(body, "page"), "next"));
        json_t *data = json_object_get(body, "data");

        for (size_t i = 0; i < json_array_size(data); i++) {
            rows[json_integer_value(json_object_get(json_array_get(data, i), "row"))].given++;
        }
        is_good = is_good && response.status == 200;
        (void)snprintf(cursor, sizeof cursor, "%s", next == NULL ? "" : next);
        json_decref(body);
        if (*cursor == '\0') {
            break;
        }
        if (is_changing) {
            change_rows();
        }
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].was_always_there && rows[i].given != 1) {
            printf("# row %zu was given %d times\n", i, rows[i].given);
            is_good = false;
        }
    }
    return is_good && *cursor == '\0';
}

static void test_walks(void)
{
    static const char *const SORTS[] = {"", "sort=number&", "sort=-number&", "sort=text&",
                                        "sort=-text&"};

    for (size_t i = 0; i < sizeof SORTS / sizeof SORTS[0]; i++) {
        int still = 0, changing = 0;

        for (int k = 0; k < WALKS; k++) {
            still += walk(SORTS[i], false) ? 1 : 0;
            changing += walk(SORTS[i], true) ? 1 : 0;
        }
        tap_ok(still == WALKS, "\"%s\": %d of %d walks", SORTS[i], still, WALKS);
        tap_ok(changing == WALKS, "and %d while rows come and go", changing);
    }
}

/* Rows that have everything in common are still counted. */
static void test_twins(void)
{
    struct http_response response;
    char query[1024] = "limit=3";
    size_t given = 0;

    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = (struct row){.number = (double)NAN, .is_there = i < 10};
    }
    for (int page = 0; page < 5; page++) {
        json_t *body = ask(query, &response);
        const char *next =
            json_string_value(json_object_get(json_object_get(body, "page"), "next"));

        given += json_array_size(json_object_get(body, "data"));
        (void)snprintf(query, sizeof query, "limit=3&cursor=%s", next == NULL ? "" : next);
        json_decref(body);
        if (next == NULL) {
            break;
        }
    }
    tap_ok(given == 10, "%zu of 10 rows of one name", given);
}

static void test_foreign(void)
{
    struct http_response response;
    char cursor[LIMIT_PARAMETER_VALUE_BYTES + 1], query[1024];

    for (size_t i = 0; i < ROWS; i++) {
        change_row(&rows[i], true);
    }
    json_t *body = ask("colour=red&sort=-number&limit=5", &response);

    (void)snprintf(cursor, sizeof cursor, "%s",
                   json_string_value(json_object_get(json_object_get(body, "page"), "next")));
    json_decref(body);
    static const struct {
        const char *query;
        int status;
    } CASES[] = {{"sort=-number&colour=red&limit=7&cursor=%s", 200},
                 {"cursor=%s&colour=red&sort=-number", 200},
                 {"lang=zh&cursor=%s&colour=red&sort=-number", 200},
                 {"sort=number&colour=red&cursor=%s", 400},
                 {"sort=-number&colour=blue&cursor=%s", 400},
                 {"sort=-number&cursor=%s", 400},
                 {"sort=-number&colour=red&cursor=%sA", 400},
                 {"sort=-number&colour=red&cursor=5", 400}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const char *mark = strstr(CASES[i].query, "%s");

        (void)snprintf(query, sizeof query, "%.*s%s%s",
                       (int)(mark == NULL ? 0 : mark - CASES[i].query), CASES[i].query,
                       mark == NULL ? "" : cursor, mark == NULL ? CASES[i].query : mark + 2);
        body = ask(query, &response);
        json_t *error = json_array_get(json_object_get(body, "errors"), 0);
        const char *parameter = json_string_value(json_object_get(error, "parameter"));

        tap_ok(response.status == CASES[i].status &&
                   (parameter == NULL ? response.status == 200 : strcmp(parameter, "cursor") == 0),
               "%s: %d", CASES[i].query, response.status);
        json_decref(body);
    }
}

int main(void)
{
    srand(1);
    arena_init(&arena, LIMIT_REQUEST_ARENA_BYTES);
    test_walks();
    test_twins();
    test_foreign();
    arena_fini(&arena);
    return tap_done();
}
