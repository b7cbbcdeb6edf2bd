/* Reads parameters by their tables. It knows no endpoint. One request, one thread. */
#include "params_in.h"

#include "engine/ask.h"
#include "engine/facts.h"
#include "json_out.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const PARAMS_IN_YES_NO[2] = {"no", "yes"};

enum {
    NUMBER_BYTES_MAX = 24, /* digits and point of the largest number allowed anywhere */
    LIST_BYTES = 768,      /* of the values named in a complaint */
    NAME_BYTES = 128,
    NEAR_DISTANCE = 32, /* beyond the length of any known name: one is always nearest */
    PART_BYTES_MIN = 3, /* of a name that stands in another */
    FACT_VALUES_MAX = 64
};

static const struct param COMMON_PARAMS[] = {
    {.name = "lang",
     .kind = PARAM_CHOICE,
     .choices = LANGUAGE_NAMES,
     .choice_count = LANGUAGE_COUNT},
    {.name = "format",
     .kind = PARAM_CHOICE,
     .choices = MEDIA_NAMES,
     .choice_count = MEDIA_COUNT,
     .offset = sizeof(unsigned)},
};
enum { COMMON_COUNT = sizeof COMMON_PARAMS / sizeof COMMON_PARAMS[0] };

_Static_assert(sizeof(enum task) == sizeof(unsigned), "PARAM_CHOICE writes enums as unsigned");

bool params_in_is_used(const struct param *param, unsigned uses)
{
    return param->uses == 0 || (param->uses & uses) != 0;
}

bool params_in_number(const char *text, size_t length, double *number)
{
    static const char DIGITS[] = "0123456789";
    char copy[NUMBER_BYTES_MAX + 1];
    const char *rest = copy;

    if (length == 0 || length > NUMBER_BYTES_MAX) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    rest += strspn(rest, DIGITS);
    if (rest == copy) {
        return false;
    }
    if (*rest == '.' && strspn(rest + 1, DIGITS) > 0) {
        rest += 1 + strspn(rest + 1, DIGITS);
    }
    if ((*rest == 'e' || *rest == 'E') && strspn(rest + 1, DIGITS) > 0) {
        rest += 1 + strspn(rest + 1, DIGITS);
    }
    if (rest != copy + length) {
        return false;
    }
    *number = strtod(copy, NULL); /* the program keeps the C locale: the point is a point */
    return true;
}

bool params_in_next_piece(const char **rest, const char **piece, size_t *length)
{
    if (*rest == NULL) {
        return false;
    }
    const char *comma = strchr(*rest, ',');

    *piece = *rest;
    *length = comma == NULL ? strlen(*rest) : (size_t)(comma - *rest);
    *rest = comma == NULL ? NULL : comma + 1;
    return true;
}

/* Joins words with ", " as far as they fit. */
static void join(char list[LIST_BYTES], const char *const *words, size_t count)
{
    size_t used = 0;

    list[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]);

        if (used + length + 8 > LIST_BYTES) {
            memcpy(list + used, ", ...", 6);
            return;
        }
        if (i > 0) {
            list[used++] = ',';
            list[used++] = ' ';
        }
        memcpy(list + used, words[i], length + 1);
        used += length;
    }
}

void params_in_complain_choice(struct exchange *exchange, const char *parameter,
                               const char *const *choices, size_t count, enum text text)
{
    char list[LIST_BYTES];

    join(list, choices, count);
    complaints_add(&exchange->complaints, parameter, strlen(parameter), SAY(text, list));
}

void params_in_complain_count(struct exchange *exchange, const char *parameter, enum text text,
                              int count)
{
    char number[NUMBER_BYTES_MAX];

    (void)snprintf(number, sizeof number, "%d", count);
    complaints_add(&exchange->complaints, parameter, strlen(parameter), SAY(text, number));
}

static void complain_number(struct exchange *exchange, const struct param *param)
{
    char low[JSON_OUT_NUMBER_BYTES + 1];
    char high[JSON_OUT_NUMBER_BYTES + 1];
    bool is_whole = param->kind == PARAM_WHOLE || param->kind == PARAM_COUNT;

    low[json_out_number_text(param->minimum, low)] = '\0';
    high[json_out_number_text(param->maximum, high)] = '\0';
    complaints_add(&exchange->complaints, param->name, strlen(param->name),
                   SAY(param->kind == PARAM_MONEY ? TEXT_MUST_BE_MONEY
                       : is_whole                 ? TEXT_MUST_BE_WHOLE_NUMBER
                                                  : TEXT_MUST_BE_NUMBER,
                       low, high, param->example));
}

static void read_number(struct exchange *exchange, const struct param *param,
                        const struct query_parameter *given, char *place)
{
    double number = (double)NAN;
    bool is_whole = param->kind == PARAM_WHOLE || param->kind == PARAM_COUNT;

    if (!params_in_number(given->value, given->value_length, &number) ||
        !(number >= param->minimum && number <= param->maximum) ||
        (is_whole && floor(number) != number)) {
        complain_number(exchange, param);
        return;
    }
    if (param->kind == PARAM_COUNT) {
        size_t count = (size_t)number;

        memcpy(place, &count, sizeof count);
    } else if (param->kind == PARAM_MONEY) {
        int64_t micros = 0;

        if (money_parse(given->value, given->value_length, &micros)) {
            memcpy(place, &micros, sizeof micros);
        } else {
            complain_number(exchange, param); /* more than six decimals */
        }
    } else {
        number = param->kind == PARAM_PERCENT ? number / 100 : number;
        memcpy(place, &number, sizeof number);
    }
}

static void read_choice(struct exchange *exchange, const struct param *param,
                        const struct query_parameter *given, char *place)
{
    for (unsigned i = 0; i < param->choice_count; i++) {
        if (strcmp(given->value, param->choices[i]) == 0) {
            memcpy(place, &i, sizeof i);
            return;
        }
    }
    params_in_complain_choice(exchange, param->name, param->choices, param->choice_count,
                              param->choice_count > 1 ? TEXT_MUST_BE_ONE_OF : TEXT_MUST_BE);
}

/* The different values of a text column, in the order of the rows. */
static size_t fact_values(const struct catalogue *catalogue, const struct param *param,
                          const char *values[FACT_VALUES_MAX])
{
    const struct fact_table *table = fact_table_find(param->table);
    size_t column = fact_column_find(table, param->column, strlen(param->column));
    const char *rows = NULL;
    size_t row_count = 0;
    size_t count = 0;

    memcpy(&rows, (const char *)catalogue + table->catalogue_rows, sizeof rows);
    memcpy(&row_count, (const char *)catalogue + table->catalogue_count, sizeof row_count);
    for (size_t row = 0; row < row_count && count < FACT_VALUES_MAX; row++) {
        const char *value = NULL;
        size_t i = 0;

        memcpy(&value, rows + row * table->row_bytes + table->columns[column].offset, sizeof value);
        while (value != NULL && i < count && strcmp(values[i], value) != 0) {
            i++;
        }
        if (value != NULL && i == count) {
            values[count++] = value;
        }
    }
    return count;
}

/* The comparable form without hyphens: "RDNA3" is "RDNA 3". Returns its length. */
static size_t fact_key(const char *text, size_t length, char key[NAME_BYTES])
{
    size_t used = 0;

    length = names_normalise(text, length, key, NAME_BYTES);
    for (size_t i = 0; i < length; i++) {
        if (key[i] != '-') {
            key[used++] = key[i];
        }
    }
    key[used] = '\0';
    return used;
}

static void read_fact(struct exchange *exchange, const struct param *param,
                      const struct query_parameter *given, char *place)
{
    const char *values[FACT_VALUES_MAX] = {NULL};
    size_t count = fact_values(exchange->catalogue, param, values);
    char wanted[NAME_BYTES];
    char key[NAME_BYTES];
    size_t length = fact_key(given->value, given->value_length, wanted);

    for (size_t i = 0; i < count && length > 0; i++) {
        if (fact_key(values[i], strlen(values[i]), key) == length && strcmp(key, wanted) == 0) {
            memcpy(place, &values[i], sizeof values[i]);
            return;
        }
    }
    params_in_complain_choice(exchange, param->name, values, count, TEXT_MUST_BE_ONE_OF);
}

static void read_word(struct exchange *exchange, const struct param *param,
                      const struct query_parameter *given, char *place)
{
    char key[NAME_BYTES];
    size_t length = names_normalise(given->value, given->value_length, key, sizeof key);

    if (length == 0) {
        params_in_complain_count(exchange, param->name, TEXT_MUST_BE_WORD, NAME_BYTES);
        return;
    }
    const char *word = arena_copy_text(exchange->arena, key, length);

    exchange->complaints.is_out_of_memory |= word == NULL;
    memcpy(place, &word, sizeof word);
}

const struct gpu *params_in_card(struct exchange *exchange, const char *parameter, const char *name,
                                 size_t length)
{
    struct complaints *complaints = &exchange->complaints;
    const char *ids[NAMES_MAX_FOUND];
    struct names_result found = {0};
    char list[LIST_BYTES];
    size_t bytes = strlen(parameter);

    names_find_gpu(exchange->catalogue, name, length, &found);
    if (found.outcome == NAMES_FOUND) {
        return found.gpus[0];
    }
    const char *given = arena_copy_text(exchange->arena, name, length);

    if (given == NULL) {
        complaints->is_out_of_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < found.count; i++) {
        ids[i] = found.gpus[i]->id;
    }
    join(list, ids, found.count);
    if (found.outcome == NAMES_AMBIGUOUS) {
        complaints_add(complaints, parameter, bytes, SAY(TEXT_CARD_SEVERAL_LISTED, given, list));
    } else if (found.outcome == NAMES_NO_CARD && found.note == NULL) {
        complaints_add(complaints, parameter, bytes, SAY(TEXT_CARD_KNOWN_ONLY, given));
    } else if (found.outcome == NAMES_NO_CARD) {
        complaints_add(complaints, parameter, bytes,
                       SAY(TEXT_CARD_KNOWN_ONLY_NOTE, given, found.note));
    } else if (found.count == 0) {
        complaints_add(complaints, parameter, bytes, SAY(TEXT_CARD_UNKNOWN, given));
    } else {
        complaints_add(complaints, parameter, bytes, SAY(TEXT_CARD_UNKNOWN_NEAR, given, list));
    }
    if (!complaints->has_cards) {
        complaints->has_cards = true;
        complaints->cards = found;
    }
    return NULL;
}

static void read_one(struct exchange *exchange, const struct param *param,
                     const struct query_parameter *given, void *target)
{
    char *place = (char *)target + param->offset;

    if (given->value_length == 0) {
        complaints_add(&exchange->complaints, param->name, strlen(param->name), SAY(TEXT_EMPTY));
        return;
    }
    if (param->given_offset != 0) {
        const bool is_given = true;

        memcpy((char *)target + param->given_offset, &is_given, sizeof is_given);
    }
    switch (param->kind) {
    case PARAM_NUMBER:
    case PARAM_WHOLE:
    case PARAM_COUNT:
    case PARAM_PERCENT:
    case PARAM_MONEY:
        read_number(exchange, param, given, place);
        break;
    case PARAM_CHOICE:
        read_choice(exchange, param, given, place);
        break;
    case PARAM_FACT:
        read_fact(exchange, param, given, place);
        break;
    case PARAM_TEXT:
        memcpy(place, &given->value, sizeof given->value);
        break;
    case PARAM_WORD:
        read_word(exchange, param, given, place);
        break;
    case PARAM_GPU: {
        const struct gpu *gpu =
            params_in_card(exchange, param->name, given->value, given->value_length);

        memcpy(place, &gpu, sizeof gpu);
        break;
    }
    case PARAM_CUSTOM:
        param->read(exchange, given, target);
        break;
    }
}

/* The nearest known name of an unknown one: a name that holds it or stands in it ("gpu": max_gpus)
 * before those that are spelt alike. */
struct nearest {
    const char *wanted, *name;
    size_t distance;
};

static void consider(struct nearest *nearest, const struct param_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (params_in_is_used(&group->params[i], group->uses)) {
            const char *name = group->params[i].name;
            size_t distance = names_distance(nearest->wanted, name, NEAR_DISTANCE);

            if (strlen(nearest->wanted) >= PART_BYTES_MIN && strlen(name) >= PART_BYTES_MIN &&
                (strstr(name, nearest->wanted) != NULL || strstr(nearest->wanted, name) != NULL)) {
                distance = 1;
            }
            if (distance < nearest->distance) {
                nearest->distance = distance;
                nearest->name = name;
            }
        }
    }
}

/* Whether a name is near enough to be meant: a third of its letters may be wrong. Names of other
 * letters ("预算") are near to none. */
static bool is_near(const struct nearest *nearest)
{
    size_t length = strlen(nearest->wanted);

    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)nearest->wanted[i] >= 0x80) {
            return false;
        }
    }
    return nearest->name != NULL && nearest->distance <= (length + 2) / 3;
}

static void complain_unknown(struct exchange *exchange, const struct query_parameter *given,
                             const struct param_group *groups, size_t group_count)
{
    struct nearest nearest = {.wanted = given->name, .distance = NEAR_DISTANCE + 1};
    const char *path = arena_format(exchange->arena, "%s%s", exchange->path,
                                    exchange->argument == NULL ? "" : "{id}");

    for (size_t i = 0; i < group_count; i++) {
        consider(&nearest, &groups[i]);
    }
    if (path == NULL) {
        exchange->complaints.is_out_of_memory = true;
    } else if (!is_near(&nearest)) {
        complaints_add(&exchange->complaints, given->name, given->name_length,
                       SAY(TEXT_NO_PARAMETER, path));
    } else {
        complaints_add(&exchange->complaints, given->name, given->name_length,
                       SAY(TEXT_NO_PARAMETER_NEAR, path, nearest.name));
    }
}

/* Reads one parameter by the first group that knows it; false: none does. */
static bool read_by_groups(struct exchange *exchange, const struct query_parameter *given,
                           const struct param_group *groups, size_t group_count)
{
    for (size_t group = 0; group < group_count; group++) {
        for (size_t i = 0; i < groups[group].count; i++) {
            const struct param *param = &groups[group].params[i];

            if (params_in_is_used(param, groups[group].uses) &&
                strcmp(param->name, given->name) == 0) {
                read_one(exchange, param, given, groups[group].target);
                return true;
            }
        }
    }
    return false;
}

void params_in_collect(struct exchange *exchange, const struct param_group *groups,
                       size_t group_count)
{
    unsigned common[COMMON_COUNT] = {0};
    struct param_group all[4] = {{COMMON_PARAMS, COMMON_COUNT, 0, common}};
    size_t count = 1;

    for (size_t i = 0; i < group_count && count < sizeof all / sizeof all[0]; i++) {
        all[count++] = groups[i];
    }
    for (size_t i = 0; i < exchange->query.count; i++) {
        const struct query_parameter *given = &exchange->query.items[i];

        if (!read_by_groups(exchange, given, all, count)) {
            complain_unknown(exchange, given, all, count);
        }
    }
}

bool params_in_accept(struct exchange *exchange)
{
    if (exchange->complaints.count > 0 || exchange->complaints.is_out_of_memory) {
        problem_reply_complaints(exchange);
        return false;
    }
    return true;
}

bool params_in_read(struct exchange *exchange, const struct param_group *groups, size_t group_count)
{
    params_in_collect(exchange, groups, group_count);
    return params_in_accept(exchange);
}
