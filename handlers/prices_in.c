/* From JSON to lines of gpu_prices.csv. What values are allowed is said once, by the columns of
 * engine/facts.h; what only the database knows (known before, far off) is the importer's. One
 * request, one thread. */
#include "prices_in.h"

#include "engine/character.h"
#include "engine/day.h"
#include "engine/facts.h"
#include "params_in.h"
#include "report_csv.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEMBER_BYTES_MAX = 36, AMOUNT_BYTES = 40, NEAR_DISTANCE = 3, LIST_BYTES = 128 };

/* A member of an observation and the column it fills. */
struct member {
    const char *name, *column;
    bool is_required;
};

static const struct member MEMBERS[] = {
    {"gpu", "gpu_slug", true},      {"condition", "condition", true},
    {"currency", "currency", true}, {"amount", "amount", true},
    {"market", "market", false},    {"observed_on", "observed_on", false},
    {"source", "source", false},    {"note", "note", false},
};
static const char EXAMPLE[] =
    "{\"gpu\":\"rtx-3090\",\"condition\":\"used\",\"currency\":\"USD\",\"amount\":690}";
static const char EXAMPLE_DAY[] = "2026-11-30";
enum { MEMBER_COUNT = sizeof MEMBERS / sizeof MEMBERS[0] };

/* One observation being read. */
struct reading {
    struct exchange *exchange;
    struct text_out *file;
    size_t index; /* of the array */
    bool is_single;
    unsigned markets; /* assumed so far, 1 << enum currency */
};

/* Names of members are anybody's: cut between characters. */
static const char *path_of(const struct reading *reading, const char *member,
                           char path[PRICES_IN_PATH_BYTES])
{
    int length = (int)strnlen(member, MEMBER_BYTES_MAX + 1);

    if (length > MEMBER_BYTES_MAX) {
        length = MEMBER_BYTES_MAX;
        while (length > 0 && ((unsigned char)member[length] & 0xC0U) == 0x80U) {
            length--;
        }
    }
    if (reading->is_single) {
        (void)snprintf(path, PRICES_IN_PATH_BYTES, "%.*s", length, member);
    } else {
        (void)snprintf(path, PRICES_IN_PATH_BYTES, "[%zu]%s%.*s", reading->index,
                       length == 0 ? "" : ".", length, member);
    }
    return path;
}

static void complain(const struct reading *reading, const char *member,
                     const struct wording *wording)
{
    char path[PRICES_IN_PATH_BYTES];

    (void)path_of(reading, member, path);
    complaints_add(&reading->exchange->complaints, path, strlen(path), wording);
}

static void list_members(bool are_required, char list[LIST_BYTES])
{
    size_t used = 0;

    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (MEMBERS[i].is_required || !are_required) { /* all of them take 71 bytes */
            used += (size_t)snprintf(list + used, LIST_BYTES - used, "%s%s", used == 0 ? "" : ", ",
                                     MEMBERS[i].name);
        }
    }
}

/* Each member must be known; of unknown ones the nearest is told. */
static void check_names(const struct reading *reading, json_t *object)
{
    char known[LIST_BYTES];
    const char *name = NULL;
    json_t *value = NULL;

    list_members(false, known);
    json_object_foreach(object, name, value)
    {
        const char *nearest = NULL;
        size_t distance_min = NEAR_DISTANCE + 1;

        for (size_t i = 0; i < MEMBER_COUNT; i++) {
            size_t distance = names_distance(name, MEMBERS[i].name, NEAR_DISTANCE);

            if (distance < distance_min) {
                distance_min = distance;
                nearest = MEMBERS[i].name;
            }
        }
        if (distance_min > 0) {
            complain(reading, name,
                     nearest == NULL ? SAY(TEXT_PRICE_MEMBER, known)
                                     : SAY(TEXT_PRICE_MEMBER_NEAR, nearest));
        }
    }
}

static void complain_choice(const struct reading *reading, const struct member *member,
                            const char *choices)
{
    char list[LIST_BYTES];
    size_t used = 0;

    for (const char *c = choices; *c != '\0' && used + 3 < sizeof list; c++) {
        list[used++] = *c == '|' ? ',' : *c;
        if (*c == '|') {
            list[used++] = ' ';
        }
    }
    list[used] = '\0';
    complain(reading, member->name, SAY(TEXT_MUST_BE_ONE_OF, list));
}

/* Text that a line of the file can hold. */
static bool is_plain(const char *text, size_t length)
{
    return length > 0 && length <= LIMIT_PRICE_TEXT_BYTES && character_is_plain(text, length, "");
}

/* A card goes by its id, so that an alias that changes its meaning later changes no price; several
 * cards are a fault, and an unknown name is kept as it is, for review. */
static void put_card(const struct reading *reading, const char *name, size_t length)
{
    struct names_result found = {0};

    names_find_gpu(reading->exchange->catalogue, name, length, &found);
    if (found.outcome == NAMES_AMBIGUOUS) {
        char path[PRICES_IN_PATH_BYTES];

        (void)params_in_card(reading->exchange, path_of(reading, "gpu", path), name, length);
    }
    report_csv_quoted(reading->file, found.outcome == NAMES_FOUND ? found.gpus[0]->id : name);
}

static void put_day(const struct reading *reading, const char *text, size_t length)
{
    int32_t day = DAY_UNKNOWN;

    if (!day_parse(text, length, &day)) {
        complain(reading, "observed_on", SAY(TEXT_PRICE_DAY, EXAMPLE_DAY));
    } else if (day > reading->exchange->view->day) {
        complain(reading, "observed_on", SAY(TEXT_PRICE_FUTURE));
    }
    text_out_bytes(reading->file, text, length);
}

static void put_text(const struct reading *reading, const struct member *member,
                     const struct fact_column *column, json_t *value)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);

    if (text == NULL || !is_plain(text, length)) {
        char most[AMOUNT_BYTES];

        (void)snprintf(most, sizeof most, "%d", LIMIT_PRICE_TEXT_BYTES);
        complain(reading, member->name, SAY(TEXT_PRICE_TEXT, most));
    } else if (column->choices != NULL && !fact_choice_has(column->choices, text, length)) {
        complain_choice(reading, member, column->choices);
    } else if (column->type == FACT_DATE) {
        put_day(reading, text, length);
    } else if (strcmp(member->name, "gpu") == 0) {
        put_card(reading, text, length);
    } else if (strcmp(member->name, "currency") == 0 &&
               (length != 3 || strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3)) {
        complain(reading, member->name, SAY(TEXT_PRICE_CURRENCY, "USD"));
    } else {
        report_csv_quoted(reading->file, text);
    }
}

static void put_amount(const struct reading *reading, const struct fact_column *column,
                       json_t *value)
{
    double amount = json_is_number(value) ? json_number_value(value) : (double)NAN;
    char text[AMOUNT_BYTES];

    if (!(amount >= column->minimum && amount <= column->maximum)) {
        char low[AMOUNT_BYTES], high[AMOUNT_BYTES];

        (void)snprintf(low, sizeof low, "%g", column->minimum);
        (void)snprintf(high, sizeof high, "%.0f", column->maximum);
        complain(reading, column->name, SAY(TEXT_MUST_BE_NUMBER, low, high, "699.99"));
        return;
    }
    (void)snprintf(text, sizeof text, "%.6f", amount);
    text_out_text(reading->file, text);
}

/* The market of the currency (DESIGN.md section 3.4), without which a price would count for no one
 * where others are known; other currencies have none of their own. */
static void put_market(struct reading *reading, const char *code)
{
    for (enum currency currency = 0; currency < CURRENCY_COUNT; currency++) {
        if (text_is(code, CURRENCY_NAMES[currency])) {
            text_out_text(reading->file, CURRENCY_MARKETS[currency]);
            reading->markets |= 1U << currency;
        }
    }
}

/* What stands for a member that is not given. */
static void put_default(struct reading *reading, const struct member *member, json_t *object)
{
    char today[DAY_TEXT_BYTES];

    if (member->is_required) {
        complain(reading, member->name, SAY(TEXT_PRICE_MISSING));
    } else if (strcmp(member->name, "observed_on") == 0) {
        day_format(reading->exchange->view->day, today);
        text_out_text(reading->file, today);
    } else if (strcmp(member->name, "market") == 0) {
        put_market(reading, json_string_value(json_object_get(object, "currency")));
    } else if (strcmp(member->name, "source") == 0) {
        const char *source = arena_format(reading->exchange->arena, "entered by %s",
                                          reading->exchange->request->who);

        reading->file->has_failed |= source == NULL;
        report_csv_quoted(reading->file, source == NULL ? "" : source);
    }
}

static void read_price(struct reading *reading, json_t *object)
{
    if (!json_is_object(object)) {
        char required[LIST_BYTES];

        list_members(true, required);
        complain(reading, "", SAY(TEXT_PRICE_NO_OBJECT, required));
        return;
    }
    const struct fact_table *table = fact_table_find("gpu_prices");

    assert(table != NULL); /* one of ours */
    check_names(reading, object);
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        size_t place = fact_column_find(table, MEMBERS[i].column, strlen(MEMBERS[i].column));
        json_t *value = json_object_get(object, MEMBERS[i].name);

        text_out_text(reading->file, i == 0 ? "" : ",");
        if (value == NULL || json_is_null(value)) {
            put_default(reading, &MEMBERS[i], object);
        } else if (table->columns[place].type == FACT_MONEY) {
            put_amount(reading, &table->columns[place], value);
        } else {
            put_text(reading, &MEMBERS[i], &table->columns[place], value);
        }
    }
    text_out_text(reading->file, "\n");
}

static void put_header(struct text_out *file)
{
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        text_out_text(file, i == 0 ? "" : ",");
        text_out_text(file, MEMBERS[i].column);
    }
    text_out_text(file, "\n");
}

static unsigned read_prices(struct exchange *exchange, json_t *root, struct text_out *file)
{
    struct reading reading = {exchange, file, 0, !json_is_array(root), 0};

    put_header(file);
    if (json_is_object(root)) {
        read_price(&reading, root);
    } else if (json_array_size(root) == 0) {
        complaints_add(&exchange->complaints, "body", 4, SAY(TEXT_PRICES_NO_LIST, EXAMPLE));
    }
    for (; reading.index < json_array_size(root) && !exchange->complaints.is_incomplete;
         reading.index++) {
        read_price(&reading, json_array_get(root, reading.index));
    }
    return reading.markets;
}

static void complain_no_json(struct exchange *exchange, const json_error_t *fault)
{
    char line[AMOUNT_BYTES], column[AMOUNT_BYTES];

    (void)snprintf(line, sizeof line, "%d", fault->line);
    (void)snprintf(column, sizeof column, "%d", fault->column);
    complaints_add(&exchange->complaints, "body", 4,
                   SAY(TEXT_BODY_NO_JSON, fault->text, line, column));
}

const char *prices_in_read(struct exchange *exchange, size_t *bytes, unsigned *markets)
{
    const struct http_request *request = exchange->request;
    struct complaints *complaints = &exchange->complaints;
    struct text_out file;
    json_error_t fault;
    json_t *root = request->body_bytes == 0 ? NULL
                                            : json_loadb(request->body, request->body_bytes,
                                                         JSON_REJECT_DUPLICATES, &fault);

    text_out_init(&file, exchange->arena);
    if (request->body_bytes == 0) {
        complaints_add(complaints, "body", 4, SAY(TEXT_PRICES_EMPTY));
    } else if (root == NULL) {
        complain_no_json(exchange, &fault);
    } else {
        *markets = read_prices(exchange, root, &file);
    }
    *bytes = file.length;
    json_decref(root);
    complaints->is_out_of_memory |= file.has_failed;
    return complaints->count == 0 && !complaints->is_out_of_memory ? file.bytes : NULL;
}

void prices_in_path(size_t line, const char *column, bool is_single,
                    char path[PRICES_IN_PATH_BYTES])
{
    const struct reading reading = {.index = line < 2 ? 0 : line - 2, .is_single = is_single};
    const char *name = column;

    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (strcmp(MEMBERS[i].column, column) == 0) {
            name = MEMBERS[i].name;
        }
    }
    (void)path_of(&reading, name, path);
}
