/* Writes problem documents. Their language is English; what they tell is for developers and for the
 * page, which shows errors[].detail beside the field. One request, one thread. */
#include "problem.h"

#include "cache_rules.h"
#include "json_out.h"

#include <string.h>

struct problem_row {
    int status;
    const char *code; /* last part of type */
    const char *title;
};

static const struct problem_row PROBLEMS[PROBLEM_KIND_COUNT] = {
    [PROBLEM_AMBIGUOUS_NAME] = {300, "ambiguous-name", "The name means several cards"},
    [PROBLEM_BAD_PARAMETER] = {400, "bad-parameter", "A parameter cannot be used"},
    [PROBLEM_NOT_FOUND] = {404, "not-found", "There is nothing under this name"},
    [PROBLEM_METHOD] = {405, "method-not-allowed", "The method is not allowed here"},
    [PROBLEM_NOT_ACCEPTABLE] = {406, "not-acceptable",
                                "None of the accepted media types is served"},
    [PROBLEM_TARGET_TOO_LONG] = {414, "target-too-long", "The address is too long"},
    [PROBLEM_TOO_LARGE] = {413, "too-large", "The request or its answer is too large"},
    [PROBLEM_MEDIA_TYPE] = {415, "unsupported-media-type", "The body has another media type"},
    [PROBLEM_INTERNAL] = {500, "internal", "The service failed"},
    [PROBLEM_OUT_OF_MEMORY] = {503, "out-of-memory", "The service is out of memory"},
    [PROBLEM_NOT_READY] = {503, "not-ready", "The service is starting or stopping"},
};

static const char OUT_OF_MEMORY_BODY[] =
    "{\"type\":\"urn:gpuwise:problem:out-of-memory\",\"title\":\"The service is out of memory\","
    "\"status\":503,\"detail\":\"try again later or ask for less\"}";

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

    *response = (struct http_response){
        .status = PROBLEMS[PROBLEM_OUT_OF_MEMORY].status,
        .body = OUT_OF_MEMORY_BODY,
        .body_bytes = sizeof OUT_OF_MEMORY_BODY - 1,
        .place = HTTP_BODY_STATIC,
    };
    cache_rules_problem(exchange);
}

/* Opens the document with the members every problem has. */
static void open_problem(struct exchange *exchange, struct json_out *out, enum problem_kind kind,
                         const char *detail)
{
    const struct problem_row *row = &PROBLEMS[kind];
    const char *type = arena_format(exchange->arena, "urn:gpuwise:problem:%s", row->code);

    json_out_init(out, exchange->arena);
    out->has_failed |= type == NULL;
    json_out_open_object(out);
    json_out_text_at(out, "type", type);
    json_out_text_at(out, "title", row->title);
    json_out_count_at(out, "status", (size_t)row->status);
    if (detail != NULL) {
        json_out_text_at(out, "detail", detail);
    }
}

static void close_problem(struct exchange *exchange, struct json_out *out, enum problem_kind kind)
{
    json_out_close_object(out);
    if (out->has_failed) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){
        .status = PROBLEMS[kind].status,
        .body = out->bytes,
        .body_bytes = out->length,
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

void problem_reply(struct exchange *exchange, enum problem_kind kind, const char *detail)
{
    struct json_out out;

    open_problem(exchange, &out, kind, detail);
    if (kind == PROBLEM_NOT_ACCEPTABLE) {
        json_out_open_array_at(&out, "available");
        json_out_text(&out, "application/json");
        json_out_close_array(&out);
    }
    close_problem(exchange, &out, kind);
}

void problem_reply_complaints(struct exchange *exchange)
{
    const struct complaints *complaints = &exchange->complaints;
    struct json_out out;
    const char *detail =
        complaints->count == 1
            ? arena_format(exchange->arena, "%s%s%s", complaints->items[0].parameter,
                           *complaints->items[0].parameter == '\0' ? "" : ": ",
                           complaints->items[0].detail)
            : arena_format(exchange->arena, "%zu%s faults in the parameters, listed in errors",
                           complaints->count, complaints->is_incomplete ? " and more" : "");

    if (complaints->is_out_of_memory || detail == NULL) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    open_problem(exchange, &out, PROBLEM_BAD_PARAMETER, detail);
    json_out_open_array_at(&out, "errors");
    for (size_t i = 0; i < complaints->count; i++) {
        json_out_open_object(&out);
        json_out_text_at(&out, "parameter", complaints->items[i].parameter);
        json_out_text_at(&out, "detail", complaints->items[i].detail);
        json_out_close_object(&out);
    }
    json_out_close_array(&out);
    if (complaints->has_cards) {
        write_found(&out, &complaints->cards);
    }
    close_problem(exchange, &out, PROBLEM_BAD_PARAMETER);
}

void problem_reply_unknown(struct exchange *exchange, const char *detail, const char *const *ids,
                           const char *const *names, size_t count)
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
    const char *detail =
        is_ambiguous ? arena_format(exchange->arena,
                                    "%s means several cards: ask for one of candidates by id", what)
        : found->outcome == NAMES_NO_CARD
            ? arena_format(exchange->arena, "%s is known, but no card here goes by it%s%s", what,
                           found->note == NULL ? "" : ": ", found->note == NULL ? "" : found->note)
            : arena_format(exchange->arena, "no card is known as %s", what);
    struct json_out out;

    open_problem(exchange, &out, kind, detail);
    out.has_failed |= detail == NULL;
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
    const char *detail = arena_format(exchange->arena, "%s", err->text);

    problem_reply(exchange, kind, detail);
}
