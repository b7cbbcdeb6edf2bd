/* Readers and writers of the question's composite parameters. One request, one thread. */
#include "ask_custom.h"

#include "engine/machine.h"
#include "engine/model_names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUANT_BYTES = 32, NEAR_MODELS = 6 };
enum { PLUG_TEXT_BYTES = 128 }; /* every plug once, with a count of as many digits as a query */

static const double SIZE_PARAMS_MIN = 1e6;  /* below a million parameters no card is needed */
static const double SIZE_PARAMS_MAX = 1e14; /* far above anything published */

/* "7b", "1.5B", "500m" as a number of parameters; NAN: no size. */
static double size_of(const char *text, size_t length)
{
    double number = (double)NAN;

    if (length < 2) {
        return (double)NAN;
    }
    int unit = tolower((unsigned char)text[length - 1]);

    if ((unit != 'b' && unit != 'm') || !params_in_number(text, length - 1, &number)) {
        return (double)NAN;
    }
    return number * (unit == 'b' ? 1e9 : 1e6);
}

static void complain_model(struct exchange *exchange, const struct query_parameter *given)
{
    const struct model *near[NEAR_MODELS];
    size_t count =
        model_names_near(exchange->catalogue, given->value, given->value_length, near, NEAR_MODELS);
    const char *list = "";

    for (size_t i = 0; i < count && list != NULL; i++) {
        list = arena_format(exchange->arena, "%s%s%s", list, i == 0 ? "" : ", ", near[i]->id);
    }
    exchange->complaints.is_out_of_memory |= list == NULL;
    complaints_add(&exchange->complaints, "model", 5,
                   count == 0 || list == NULL ? SAY(TEXT_MUST_BE_MODEL)
                                              : SAY(TEXT_MUST_BE_MODEL_NEAR, list));
}

void ask_custom_read_model(struct exchange *exchange, const struct query_parameter *given,
                           void *ask)
{
    struct ask *question = ask;
    const struct model *model =
        model_names_find(exchange->catalogue, given->value, given->value_length);
    double params = size_of(given->value, given->value_length);

    if (exchange->posted != NULL) {
        complaints_add(&exchange->complaints, "model", 5, SAY(TEXT_MODEL_IN_BODY));
        return;
    }
    if (model == NULL && isfinite(params)) {
        if (params < SIZE_PARAMS_MIN || params > SIZE_PARAMS_MAX) {
            complaints_add(&exchange->complaints, "model", 5, SAY(TEXT_MODEL_SIZE_RANGE));
            return;
        }
        model = ask_model_of_size(exchange->catalogue, params);
        question->model_params = params;
    }
    if (model == NULL) {
        complain_model(exchange, given);
        return;
    }
    question->model = model;
    const char *format = model_names_quant(given->value, given->value_length);

    if (format != NULL && query_find(&exchange->query, "quant") == NULL) {
        question->quant = catalogue_find_quant(exchange->catalogue, format);
    }
}

void ask_custom_read_quant(struct exchange *exchange, const struct query_parameter *given,
                           void *ask)
{
    const struct catalogue *catalogue = exchange->catalogue;
    struct ask *question = ask;
    char key[QUANT_BYTES];

    for (size_t i = 0; i <= given->value_length && given->value_length < sizeof key; i++) {
        key[i] = (char)tolower((unsigned char)given->value[i]);
    }
    question->quant =
        given->value_length < sizeof key ? catalogue_find_quant(catalogue, key) : NULL;
    if (question->quant != NULL) {
        return;
    }
    const char **names =
        arena_alloc_array(exchange->arena, catalogue->quant_count + 1, sizeof *names);

    if (names == NULL) {
        exchange->complaints.is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < catalogue->quant_count; i++) {
        names[i] = catalogue->quants[i].name;
    }
    params_in_complain_choice(exchange, "quant", names, catalogue->quant_count,
                              TEXT_MUST_BE_ONE_OF);
}

void ask_custom_read_ecosystem(struct exchange *exchange, const struct query_parameter *given,
                               void *ask)
{
    struct ask *question = ask;

    if (strcmp(given->value, "ignore") == 0) {
        question->ignores_ecosystem = true;
    } else {
        complaints_add(&exchange->complaints, "ecosystem", 9, SAY(TEXT_MUST_BE_IGNORE));
    }
}

void ask_custom_read_features(struct exchange *exchange, const struct query_parameter *given,
                              bool needs[FEATURE_COUNT])
{
    const char *rest = given->value;
    const char *piece = NULL;
    size_t length = 0;

    while (params_in_next_piece(&rest, &piece, &length)) {
        int feature = 0;

        while (feature < FEATURE_COUNT && (strlen(FEATURE_NAMES[feature]) != length ||
                                           memcmp(FEATURE_NAMES[feature], piece, length) != 0)) {
            feature++;
        }
        if (feature == FEATURE_COUNT) {
            params_in_complain_choice(exchange, given->name, FEATURE_NAMES, FEATURE_COUNT,
                                      TEXT_MUST_BE_ONE_OF);
            return;
        }
        needs[feature] = true;
    }
}

void ask_custom_read_needs(struct exchange *exchange, const struct query_parameter *given,
                           void *ask)
{
    struct ask *question = ask;

    ask_custom_read_features(exchange, given, question->needs);
}

void ask_custom_read_plugs(struct exchange *exchange, const struct query_parameter *given,
                           void *ask)
{
    struct ask *question = ask;

    question->plugs_is_given = machine_read_plugs(given->value, question->plugs);
    if (!question->plugs_is_given) {
        complaints_add(&exchange->complaints, "power_plugs", 11, SAY(TEXT_MUST_BE_PLUGS));
    }
}

void ask_custom_read_region(struct exchange *exchange, const struct query_parameter *given,
                            void *ask)
{
    struct ask *question = ask;
    char region[3] = "";

    for (size_t i = 0; i < given->value_length && i < 2; i++) {
        region[i] = (char)tolower((unsigned char)given->value[i]);
    }
    if (given->value_length != 2 || region[0] < 'a' || region[0] > 'z' || region[1] < 'a' ||
        region[1] > 'z') {
        complaints_add(&exchange->complaints, "region", 6, SAY(TEXT_MUST_BE_COUNTRY));
        return;
    }
    question->region = arena_copy_text(exchange->arena, region, 2);
    exchange->complaints.is_out_of_memory |= question->region == NULL;
}

/* False when the rest of the list is not worth reading: it has not the form, or is too long. */
static bool read_quote(struct exchange *exchange, const char *piece, size_t length, struct ask *ask)
{
    const char *colon = memchr(piece, ':', length);
    size_t name_bytes = colon == NULL ? 0 : (size_t)(colon - piece);
    int64_t amount_micros = 0;

    if (name_bytes == 0 || !money_parse(colon + 1, length - name_bytes - 1, &amount_micros) ||
        amount_micros == 0) {
        complaints_add(&exchange->complaints, "prices", 6, SAY(TEXT_MUST_BE_QUOTES));
        return false;
    }
    const struct gpu *gpu = params_in_card(exchange, "prices", piece, name_bytes);

    if (gpu == NULL) {
        return true;
    }
    for (size_t i = 0; i < ask->quote_count; i++) {
        if (ask->quotes[i].gpu == gpu) {
            complaints_add(&exchange->complaints, "prices", 6, SAY(TEXT_CARD_TWICE, gpu->id));
            return true;
        }
    }
    if (ask->quote_count == ASK_MAX_QUOTES) {
        params_in_complain_count(exchange, "prices", TEXT_CARDS_MOST, ASK_MAX_QUOTES);
        return false;
    }
    ask->quotes[ask->quote_count++] = (struct quote){gpu, amount_micros};
    return true;
}

void ask_custom_read_prices(struct exchange *exchange, const struct query_parameter *given,
                            void *ask)
{
    const char *rest = given->value;
    const char *piece = NULL;
    size_t length = 0;

    bool is_well_formed = true;

    while (is_well_formed && params_in_next_piece(&rest, &piece, &length)) {
        is_well_formed = read_quote(exchange, piece, length, ask);
    }
}

void ask_custom_write_model(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_text(out, question->model == NULL ? NULL : question->model->id);
}

void ask_custom_write_quant(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_text(out, question->quant == NULL ? NULL : question->quant->name);
}

void ask_custom_write_ecosystem(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_text(out, question->ignores_ecosystem ? "ignore" : NULL);
}

void ask_custom_write_needs(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_open_array(out);
    for (int i = 0; i < FEATURE_COUNT; i++) {
        if (question->needs[i]) {
            json_out_text(out, FEATURE_NAMES[i]);
        }
    }
    json_out_close_array(out);
}

void ask_custom_write_plugs(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;
    char text[PLUG_TEXT_BYTES] = "none";
    size_t length = 0;

    if (!question->plugs_is_given) {
        json_out_null(out);
        return;
    }
    for (enum plug plug = PLUG_6_PIN; plug < PLUG_COUNT; plug++) {
        if (question->plugs[plug] > 0) {
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%s%.0fx%s",
                                 length == 0 ? "" : ",", question->plugs[plug], PLUG_NAMES[plug]);
        }
    }
    json_out_text(out, text);
}

void ask_custom_write_region(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_text(out, question->region);
}

void ask_custom_write_prices(struct json_out *out, const void *ask)
{
    const struct ask *question = ask;

    json_out_open_array(out);
    for (size_t i = 0; i < question->quote_count; i++) {
        json_out_open_object(out);
        json_out_text_at(out, "gpu", question->quotes[i].gpu->id);
        json_out_money_at(out, "amount", question->quotes[i].amount_micros);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}
