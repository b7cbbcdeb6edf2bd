/* CSV answers read back by the reader of db/csv.c and compared with the JSON answer, value by
 * value; no text in them is a formula. */
#include "hostile_fixture.h"

#include "../../db/csv.h"
#include "../../handlers/engine/facts.h"
#include "../../handlers/report_csv.h"

#include <ctype.h>

enum { COLUMNS_MAX = CSV_FIELDS_MAX, HEAD_BYTES = 64, BODY_MAX = 4 * 1024 * 1024 };

static char body[BODY_MAX]; /* of the CSV answer: the arena serves the JSON one meanwhile */
static size_t body_bytes;
static char heads[COLUMNS_MAX][HEAD_BYTES];
static size_t head_count;

/* Asks for the target as CSV and keeps it; false: that was refused. */
static bool fetch(const char *target)
{
    int status = test_send(target, (struct http_request){.method = HTTP_GET, .accept = "text/csv"});

    if (status != 200 || test_response.body_bytes > sizeof body) {
        return false;
    }
    body_bytes = test_response.body_bytes;
    memcpy(body, test_response.body, body_bytes);
    return true;
}

static bool read_heads(struct csv_reader *reader)
{
    struct error err;
    bool is_found = false;

    if (!csv_init(reader, "answer", body, body_bytes, &err) || !csv_next(reader, &is_found, &err) ||
        !is_found) {
        return false;
    }
    head_count = reader->field_count;
    for (size_t i = 0; i < head_count; i++) {
        (void)snprintf(heads[i], HEAD_BYTES, "%s", reader->fields[i].text);
    }
    return true;
}

/* What the value must be in CSV, without the apostrophe. */
static void wanted_text(const json_t *value, char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    if (json_is_string(value)) {
        (void)snprintf(text, room, "%s", json_string_value(value));
    } else if (json_is_boolean(value)) {
        (void)snprintf(text, room, "%s", json_is_true(value) ? "true" : "false");
    }
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        const json_t *name = json_is_object(item) ? json_object_get(item, "code") : item;

        used += (size_t)(json_is_integer(name)
                             ? snprintf(text + used, room - used, "%s%lld", i == 0 ? "" : ";",
                                        (long long)json_integer_value(name))
                             : snprintf(text + used, room - used, "%s%s", i == 0 ? "" : ";",
                                        json_string_value(name)));
    }
}

static bool is_same(const json_t *value, const char *found)
{
    char text[4096];
    char *end = NULL;

    if (json_is_number(value)) {
        double number = strtod(found, &end);

        return *found != '\0' && *end == '\0' && !(number < json_number_value(value)) &&
               !(number > json_number_value(value));
    }
    wanted_text(value, text, sizeof text);
    return strcmp(found[0] == '\'' ? found + 1 : found, text) == 0;
}

/* The CSV row against the JSON row; 0: every field is the value at the path of its head. */
static size_t count_differences(const struct csv_reader *reader, json_t *row)
{
    size_t differences = 0;

    for (size_t i = 0; i < reader->field_count; i++) {
        if (!is_same(test_at_in(row, heads[i]), reader->fields[i].text)) {
            printf("# %s is %s\n", heads[i], reader->fields[i].text);
            differences++;
        }
    }
    return reader->field_count == head_count ? differences : differences + 1;
}

static bool is_head(const char *name)
{
    for (size_t i = 0; i < head_count; i++) {
        if (strcmp(heads[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word_of(const char *words, const char *word)
{
    size_t length = strlen(word);
    const char *at = words;

    while ((at = strstr(at, word)) != NULL) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
        at += length;
    }
    return false;
}

/* Values of a row that no column has; those at the paths in left_out may lack. */
static size_t count_missing(json_t *value, const char *path, const char *left_out)
{
    size_t missing = 0;
    const char *key = NULL;
    json_t *member = NULL;

    if (*path != '\0' && is_word_of(left_out, path)) {
        return 0;
    }
    if (json_is_object(value)) {
        json_object_foreach(value, key, member)
        {
            char inner[128];

            (void)snprintf(inner, sizeof inner, "%s%s%s", path, *path == '\0' ? "" : ".", key);
            missing += count_missing(member, inner, left_out); /* as deep as the document */
        }
        return missing;
    }
    if (!json_is_null(value) && !is_head(path)) {
        printf("# no column for %s\n", path);
        return 1;
    }
    return 0;
}

/* Puts the speed of each card of /estimate beside its fit, by id. */
static void join_speed(void)
{
    json_t *fits = test_at("fits");
    json_t *speeds = test_at("speed");

    for (size_t i = 0; i < json_array_size(speeds); i++) {
        json_t *speed = json_array_get(speeds, i);
        const char *id = json_string_value(test_at_in(speed, "gpu.id"));

        for (size_t j = 0; j < json_array_size(fits); j++) {
            json_t *fit = json_array_get(fits, j);

            if (strcmp(json_string_value(test_at_in(fit, "gpu.id")), id) == 0) {
                (void)json_object_set(fit, "speed", speed); /* a lack shows in the comparison */
            }
        }
        (void)json_object_del(speed, "gpu");
        (void)json_object_del(speed, "count");
    }
}

/* rows is the path of the JSON array, "" for a document that is the only row. */
static void compare(const char *target, const char *rows, const char *left_out)
{
    struct csv_reader reader = {0};
    struct error err = {0};
    size_t count = 0;
    size_t differences = 0;
    size_t missing = 0;
    bool is_found = true;
    bool is_read = fetch(target) && read_heads(&reader) && test_get(target) == 200;
    json_t *list = test_at(rows);

    join_speed();
    while (is_read && is_found) {
        is_read = csv_next(&reader, &is_found, &err);
        if (is_read && is_found) {
            json_t *row = json_is_array(list) ? json_array_get(list, count) : list;

            differences += count_differences(&reader, row);
            missing += count_missing(row, "", left_out);
            count++;
        }
    }
    tap_ok(is_read && differences == 0 && missing == 0 &&
               count == (json_is_array(list) ? json_array_size(list) : 1),
           "%s: %zu rows, %zu columns, as in JSON", target, count, head_count);
    csv_fini(&reader);
}

static void test_values(void)
{
    compare("/recommend?budget=1000", "picks", "");
    compare("/recommend?task=train&model=gpt2&train_tokens=100000000&currency=CNY&lang=zh", "picks",
            "");
    compare("/recommend?task=inference&model=llama-3.1-70b&max_gpus=4&limit=100", "picks", "");
    compare("/recommend?task=train&model=llama-3.1-405b&budget=100", "picks", "");
    compare("/gpus?limit=500", "data", "");
    compare("/gpus?limit=50&currency=EUR", "data", "");
    compare("/gpus/k80", "", "runs architecture_facts software prices sources");
    compare("/gpus/rtx-4090?currency=CNY", "", "runs architecture_facts software prices sources");
    compare("/models?limit=500", "data", "");
    compare("/models/llama-3.1-8b", "", "");
    compare("/cloud?limit=500", "data", "");
    compare("/cloud?limit=500&kind=notebook", "data", "");
    compare("/cloud?limit=500&kind=tpu", "data", "");
    compare("/estimate?model=7b", "fits", "");
    compare("/deal?gpu=rtx-3090&price=700", "",
            "catalogue query assumptions gpu offer better compared fair_price.cost "
            "fair_price.score_parts");
    compare("/deal?gpu=k80&price=50", "", "catalogue query assumptions gpu offer better compared");
}

/* The head line alone, as text. */
static void head_line(const char *target, char line[BODY_MAX / 64])
{
    size_t length = 0;

    if (fetch(target)) {
        while (length < body_bytes && body[length] != '\r' && length < BODY_MAX / 64 - 1) {
            line[length] = body[length];
            length++;
        }
    }
    line[length] = '\0';
}

static void test_columns(void)
{
    static const char *const SAME[][2] = {
        {"/recommend", "/recommend?task=train&model=gpt2&hours=10&currency=EUR&lang=zh"},
        {"/recommend", "/recommend?task=train&model=llama-3.1-405b&budget=100"},
        {"/recommend", "/tiers"},
        {"/gpus?limit=1", "/gpus?q=nothing-has-this-name"},
        {"/gpus/rtx-3090", "/gpus/mi100"},
        {"/cloud?kind=tpu", "/cloud?kind=notebook"},
        {"/deal?gpu=rtx-3090&price=700", "/deal?gpu=k80&price=50&currency=EUR"},
        {"/estimate", "/estimate?model=llama-3.1-405b&task=inference&gpu=t4"}};
    static char first[BODY_MAX / 64];
    static char second[BODY_MAX / 64];

    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        head_line(SAME[i][0], first);
        head_line(SAME[i][1], second);
        tap_ok(first[0] != '\0' && strcmp(first, second) == 0, "%s and %s have the same columns",
               SAME[i][0], SAME[i][1]);
    }
}

static void test_compare(void)
{
    struct csv_reader reader = {0};
    struct error err;
    bool is_found = true;
    size_t count = 0;
    bool is_same_everywhere = fetch("/compare?gpus=rtx-3090,k80,mi210") && read_heads(&reader) &&
                              test_get("/compare?gpus=rtx-3090,k80,mi210") == 200 &&
                              head_count == 4 + 3;
    json_t *rows = test_at("rows");

    while (is_same_everywhere && csv_next(&reader, &is_found, &err) && is_found) {
        json_t *row = json_array_get(rows, count++);

        for (size_t i = 0; i < 3; i++) {
            is_same_everywhere = is_same_everywhere &&
                                 is_same(json_array_get(json_object_get(row, "values"), i),
                                         reader.fields[4 + i].text) &&
                                 strcmp(heads[4 + i], test_text(i == 0   ? "gpus.0.id"
                                                                : i == 1 ? "gpus.1.id"
                                                                         : "gpus.2.id")) == 0;
        }
    }
    tap_ok(is_same_everywhere && count == json_array_size(rows) && count > 20,
           "/compare has a column for each card");
    csv_fini(&reader);
}

static void test_tiers(void)
{
    struct csv_reader reader = {0};
    struct error err;
    bool is_found = true;
    size_t count = 0;
    size_t wanted = 0;
    bool is_read = fetch("/tiers") && read_heads(&reader) && test_get("/tiers") == 200;

    for (size_t i = 0; i < json_array_size(test_at("tiers")); i++) {
        wanted += json_array_size(json_object_get(json_array_get(test_at("tiers"), i), "picks"));
    }
    while (is_read && csv_next(&reader, &is_found, &err) && is_found) {
        count++;
    }
    tap_ok(is_read && count == wanted && wanted > 8, "/tiers lists the %zu picks of all bands",
           wanted);
    csv_fini(&reader);
}

/* As a spreadsheet looks at a cell. */
static bool is_formula(const char *text)
{
    while (*text == ' ') {
        text++;
    }
    return strchr("=+-@\t\r\n", *text) != NULL
               ? *text != '\0'
               : strncmp(text, "\xEF\xBC\x9D", 3) == 0 || strncmp(text, "\xEF\xBC\x8B", 3) == 0 ||
                     strncmp(text, "\xEF\xBC\x8D", 3) == 0 || strncmp(text, "\xEF\xBC\xA0", 3) == 0;
}

/* Our reader refuses control characters, so the fields are checked one by one. */
static void test_fields(void)
{
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        struct text_out out;
        char plain[256];
        size_t used = 0;

        arena_reset(&test_arena);
        text_out_init(&out, &test_arena);
        report_csv_field(&out, HOSTILE_NAMES[i]);
        bool is_quoted = out.length > 0 && out.bytes[0] == '"';

        for (size_t at = is_quoted ? 1 : 0; at + (is_quoted ? 1 : 0) < out.length; at++) {
            at += is_quoted && out.bytes[at] == '"' ? 1 : 0; /* doubled */
            plain[used++] = out.bytes[at];
        }
        plain[used] = '\0';
        bool was_formula = is_formula(HOSTILE_NAMES[i]);

        tap_ok(!is_formula(plain) && (was_formula ? plain[0] == '\'' : true) &&
                   strcmp(was_formula ? plain + 1 : plain, HOSTILE_NAMES[i]) == 0 &&
                   (is_quoted || strpbrk(plain, ",\"\r\n;") == NULL),
               "a name of %zu bytes is text and comes back", strlen(HOSTILE_NAMES[i]));
    }
}

static void test_numbers(void)
{
    tap_ok(fetch("/compare?gpus=rtx-3090,k80") && strstr(body, "'-") == NULL,
           "a number has no apostrophe, whatever its sign");
    tap_ok(fetch("/estimate?model=llama-3.1-70b&gpu=rtx-3090&task=inference") && body_bytes > 0,
           "memory that lacks");
    body[body_bytes] = '\0';
    const char *row = strchr(body, '\n');

    tap_ok(row != NULL && strstr(row, ",-") != NULL && strstr(row, "'") == NULL,
           "is a negative number and stays one");
}

static void test_hostile_rows(void)
{
    size_t formulas = 0;

    tap_ok(fetch("/gpus?limit=500"), "a catalogue with hostile names is listed");
    for (size_t i = 0; i < body_bytes; i++) {
        bool is_start = i == 0 || body[i - 1] == ',' || body[i - 1] == '\n';
        const char *cell = body + i + (body[i] == '"' ? 1 : 0);

        /* no number in this list is negative; "\n=" of a name stands behind its apostrophe */
        formulas += is_start && strchr("=+@", *cell) != NULL && *cell != '\0' &&
                            (i < 2 || body[i - 2] != '\'')
                        ? 1
                        : 0;
    }
    tap_ok(formulas == 0, "and no cell of it begins like a formula (%zu do)", formulas);
}

int main(void)
{
    test_open();
    test_values();
    test_columns();
    test_compare();
    test_tiers();
    test_numbers();
    struct app_snapshot *plain = (struct app_snapshot *)(uintptr_t)test_view.snapshot;

    arena_fini(&test_arena);
    hostile_open();
    app_snapshot_unref(plain);
    test_fields();
    test_hostile_rows();
    return test_close();
}
