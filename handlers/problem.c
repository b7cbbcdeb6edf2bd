/* Writes problem documents in the language of the exchange; the page shows errors[].detail beside
 * the field. What scripts look at is the type, the same in every language. One request, one
 * thread. */
#include "problem.h"

#include "cache_rules.h"
#include "json_out.h"
#include "represent.h"

#include <stdio.h>
#include <string.h>

enum { COUNT_BYTES = 24 }; /* of a size_t in decimal */

struct problem_row {
    int status;
    const char *code; /* last part of type */
    enum text title;
};

static const struct problem_row PROBLEMS[PROBLEM_KIND_COUNT] = {
    [PROBLEM_AMBIGUOUS_NAME] = {300, "ambiguous-name", TEXT_PROBLEM_AMBIGUOUS_NAME},
    [PROBLEM_BAD_PARAMETER] = {400, "bad-parameter", TEXT_PROBLEM_BAD_PARAMETER},
    [PROBLEM_NO_TOKEN] = {401, "token-missing", TEXT_PROBLEM_NO_TOKEN},
    [PROBLEM_BAD_TOKEN] = {401, "token-invalid", TEXT_PROBLEM_BAD_TOKEN},
    [PROBLEM_READABLE] = {403, "plain-http", TEXT_PROBLEM_READABLE},
    [PROBLEM_NOT_FOUND] = {404, "not-found", TEXT_PROBLEM_NOT_FOUND},
    [PROBLEM_METHOD] = {405, "method-not-allowed", TEXT_PROBLEM_METHOD},
    [PROBLEM_NOT_ACCEPTABLE] = {406, "not-acceptable", TEXT_PROBLEM_NOT_ACCEPTABLE},
    [PROBLEM_TARGET_TOO_LONG] = {414, "target-too-long", TEXT_PROBLEM_TARGET_TOO_LONG},
    [PROBLEM_TOO_LARGE] = {413, "too-large", TEXT_PROBLEM_TOO_LARGE},
    [PROBLEM_MEDIA_TYPE] = {415, "unsupported-media-type", TEXT_PROBLEM_MEDIA_TYPE},
    [PROBLEM_BODY_CODING] = {415, "unsupported-content-coding", TEXT_PROBLEM_BODY_CODING},
    [PROBLEM_CONFLICT] = {409, "conflict", TEXT_PROBLEM_CONFLICT},
    [PROBLEM_REFUSED] = {422, "refused", TEXT_PROBLEM_REFUSED},
    [PROBLEM_TOO_OFTEN] = {429, "too-often", TEXT_PROBLEM_TOO_OFTEN},
    [PROBLEM_INTERNAL] = {500, "internal", TEXT_PROBLEM_INTERNAL},
    [PROBLEM_OUT_OF_MEMORY] = {503, "out-of-memory", TEXT_PROBLEM_OUT_OF_MEMORY},
    [PROBLEM_NOT_READY] = {503, "not-ready", TEXT_PROBLEM_NOT_READY},
    [PROBLEM_OVERLOADED] = {503, "overloaded", TEXT_PROBLEM_OVERLOADED},
    [PROBLEM_NOT_WRITTEN] = {503, "not-written", TEXT_PROBLEM_NOT_WRITTEN},
};

/* Whole, because there is no memory to write them with; a test holds them equal to the table. */
static const char *const OUT_OF_MEMORY_BODIES[LANGUAGE_COUNT] = {
    [LANGUAGE_EN] =
        "{\"type\":\"urn:gpuwise:problem:out-of-memory\",\"title\":\"The service is "
        "out of memory\",\"status\":503,\"detail\":\"try again later or ask for less\"}",
    [LANGUAGE_ZH] = "{\"type\":\"urn:gpuwise:problem:out-of-memory\",\"title\":\"服务内存不足\","
                    "\"status\":503,\"detail\":\"稍后再试，或者少要一些\"}",
};

int problem_status(enum problem_kind kind)
{
    return PROBLEMS[kind].status;
}

enum problem_kind problem_of_error(enum error_code code)
{
    switch (code) {
    case ERROR_OUT_OF_MEMORY:
        return PROBLEM_OUT_OF_MEMORY;
    case ERROR_TOO_LARGE:
        return PROBLEM_TOO_LARGE;
    case ERROR_BAD_PARAMETER:
    case ERROR_BAD_FILE:
        return PROBLEM_BAD_PARAMETER;
    case ERROR_NONE:
    case ERROR_BAD_DATABASE:
    case ERROR_BAD_SETTING:
    case ERROR_ADDRESS:
    case ERROR_SYSTEM:
        break;
    }
    return PROBLEM_INTERNAL;
}

void problem_reply_out_of_memory(struct exchange *exchange)
{
    struct http_response *response = exchange->response;

    exchange->media = MEDIA_JSON; /* another one would take memory */
    *response = (struct http_response){
        .status = PROBLEMS[PROBLEM_OUT_OF_MEMORY].status,
        .body = OUT_OF_MEMORY_BODIES[exchange->language],
        .body_bytes = strlen(OUT_OF_MEMORY_BODIES[exchange->language]),
        .place = HTTP_BODY_STATIC,
    };
    cache_rules_problem(exchange);
}

static void write_wording_at(const struct exchange *exchange, struct json_out *out, const char *key,
                             const struct wording *wording)
{
    const char *text = text_say(wording, exchange->language, exchange->arena);

    out->text.has_failed |= text == NULL;
    json_out_text_at(out, key, text);
}

/* Opens the document with the members every problem has. */
static void open_problem(struct exchange *exchange, struct json_out *out, enum problem_kind kind,
                         const struct wording *detail)
{
    const struct problem_row *row = &PROBLEMS[kind];
    const char *type = arena_format(exchange->arena, "urn:gpuwise:problem:%s", row->code);

    json_out_init(out, exchange->arena);
    out->text.has_failed |= type == NULL;
    json_out_open_object(out);
    json_out_text_at(out, "type", type);
    json_out_text_at(out, "title", text_plain(row->title, exchange->language));
    json_out_count_at(out, "status", (size_t)row->status);
    write_wording_at(exchange, out, "detail", detail);
}

static void close_problem(struct exchange *exchange, struct json_out *out, enum problem_kind kind)
{
    struct text_out other = {0};

    json_out_close_object(out);
    other = out->text;
    if (out->text.has_failed || ((exchange->media == MEDIA_HTML || exchange->media == MEDIA_TEXT) &&
                                 !represent_problem(exchange, out, &other))) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){
        .status = PROBLEMS[kind].status,
        .body = other.bytes,
        .body_bytes = other.length,
        .place = HTTP_BODY_ARENA,
    };
    cache_rules_problem(exchange);
}

static void write_cards(struct json_out *out, const char *key, const struct names_result *found)
{
    json_out_open_array_at(out, key);
    for (size_t i = 0; i < found->count; i++) {
        json_out_open_object(out);
        json_out_text_at(out, "id", found->gpus[i]->id);
        json_out_text_at(out, "name", found->gpus[i]->name);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}

static void write_found(struct json_out *out, const struct names_result *found)
{
    write_cards(out, found->outcome == NAMES_AMBIGUOUS ? "candidates" : "suggestions", found);
    if (found->note != NULL) {
        json_out_text_at(out, "note", found->note);
    }
}

void problem_reply(struct exchange *exchange, enum problem_kind kind, const struct wording *detail)
{
    struct json_out out;

    open_problem(exchange, &out, kind, detail);
    if (kind == PROBLEM_NOT_ACCEPTABLE) {
        json_out_open_array_at(&out, "available");
        for (size_t i = 0; i < exchange->media_count; i++) {
            json_out_text(&out, MEDIA_TYPES[i]);
        }
        json_out_close_array(&out);
    }
    close_problem(exchange, &out, kind);
}

void problem_reply_media_type(struct exchange *exchange, const struct wording *detail,
                              const char *types)
{
    problem_reply(exchange, PROBLEM_MEDIA_TYPE, detail);
    if (exchange->response->status == PROBLEMS[PROBLEM_MEDIA_TYPE].status) { /* enough memory */
        http_response_add_header(exchange->response, "Accept", types);
    }
}

void problem_reply_with(struct exchange *exchange, enum problem_kind kind,
                        const struct wording *detail,
                        void (*write)(struct json_out *out, const void *data), const void *data)
{
    struct json_out out;

    open_problem(exchange, &out, kind, detail);
    write(&out, data);
    close_problem(exchange, &out, kind);
}

/* The one complaint, or how many there are. */
static void open_complaints(struct exchange *exchange, struct json_out *out)
{
    const struct complaints *complaints = &exchange->complaints;
    const struct complaint *first = &complaints->items[0];
    char count[COUNT_BYTES];

    if (complaints->count > 1) {
        (void)snprintf(count, sizeof count, "%zu", complaints->count);
        open_problem(exchange, out, PROBLEM_BAD_PARAMETER,
                     complaints->is_incomplete ? SAY(TEXT_MANY_FAULTS_AND_MORE, count)
                                               : SAY(TEXT_MANY_FAULTS, count));
    } else if (*first->parameter == '\0') {
        open_problem(exchange, out, PROBLEM_BAD_PARAMETER, &first->wording);
    } else {
        const char *detail = text_say(&first->wording, exchange->language, exchange->arena);

        open_problem(exchange, out, PROBLEM_BAD_PARAMETER,
                     SAY(TEXT_ONE_FAULT, first->parameter, detail == NULL ? "" : detail));
        out->text.has_failed |= detail == NULL;
    }
}

void problem_reply_complaints(struct exchange *exchange)
{
    const struct complaints *complaints = &exchange->complaints;
    struct json_out out;

    if (complaints->is_out_of_memory) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    open_complaints(exchange, &out);
    json_out_open_array_at(&out, "errors");
    for (size_t i = 0; i < complaints->count; i++) {
        json_out_open_object(&out);
        json_out_text_at(&out, "parameter", complaints->items[i].parameter);
        write_wording_at(exchange, &out, "detail", &complaints->items[i].wording);
        json_out_close_object(&out);
    }
    json_out_close_array(&out);
    if (complaints->has_cards) {
        write_found(&out, &complaints->cards);
    }
    close_problem(exchange, &out, PROBLEM_BAD_PARAMETER);
}

void problem_reply_unknown(struct exchange *exchange, const struct wording *detail,
                           const char *const *ids, const char *const *names, size_t count)
{
    struct json_out out;

    open_problem(exchange, &out, PROBLEM_NOT_FOUND, detail);
    json_out_open_array_at(&out, "suggestions");
    for (size_t i = 0; i < count; i++) {
        json_out_open_object(&out);
        json_out_text_at(&out, "id", ids[i]);
        json_out_text_at(&out, "name", names[i]);
        json_out_close_object(&out);
    }
    json_out_close_array(&out);
    close_problem(exchange, &out, PROBLEM_NOT_FOUND);
}

void problem_reply_name(struct exchange *exchange, const char *what,
                        const struct names_result *found)
{
    bool is_ambiguous = found->outcome == NAMES_AMBIGUOUS;
    enum problem_kind kind = is_ambiguous ? PROBLEM_AMBIGUOUS_NAME : PROBLEM_NOT_FOUND;
    struct json_out out;

    if (is_ambiguous) {
        open_problem(exchange, &out, kind, SAY(TEXT_CARD_SEVERAL, what));
    } else if (found->outcome != NAMES_NO_CARD) {
        open_problem(exchange, &out, kind, SAY(TEXT_CARD_UNKNOWN, what));
    } else if (found->note == NULL) {
        open_problem(exchange, &out, kind, SAY(TEXT_CARD_KNOWN_ONLY, what));
    } else {
        open_problem(exchange, &out, kind, SAY(TEXT_CARD_KNOWN_ONLY_NOTE, what, found->note));
    }
    write_found(&out, found);
    close_problem(exchange, &out, kind);
}

void problem_reply_error(struct exchange *exchange, const struct error *err)
{
    if (err->code == ERROR_OUT_OF_MEMORY) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    enum problem_kind kind = problem_of_error(err->code);

    if (kind == PROBLEM_BAD_PARAMETER) {
        complaints_add_error(&exchange->complaints, err);
        problem_reply_complaints(exchange);
        return;
    }
    problem_reply(exchange, kind, SAY(TEXT_SERVICE_FAULT, err->text));
}
