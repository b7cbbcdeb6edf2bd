/* From a request to its response: route, method, negotiation, then the route's handler. No state;
 * called by every worker at once with its own arena. */
#include "app.h"

#include "cache_rules.h"
#include "negotiate.h"
#include "problem.h"
#include "router.h"
#include "snapshot.h"

#include <string.h>

/* lang wins over Accept-Language; a bad lang is a complaint of params_in.c later. */
static enum language choose_language(const struct exchange *exchange)
{
    const struct query_parameter *lang = query_find(&exchange->query, "lang");

    for (int i = 0; lang != NULL && i < LANGUAGE_COUNT; i++) {
        if (strcmp(lang->value, LANGUAGE_NAMES[i]) == 0) {
            return (enum language)i;
        }
    }
    return negotiate_language(exchange->request->accept_language);
}

/* The name in the path behind so many bytes; what is wrong with it is told beside what is wrong
 * with the query. False: the response is a problem. */
static bool read_argument(struct exchange *exchange, size_t prefix_bytes)
{
    const struct http_request *request = exchange->request;
    const char *why = NULL;

    if (!query_decode(exchange->arena, request->path + prefix_bytes,
                      request->path_bytes - prefix_bytes, false, &exchange->argument,
                      &exchange->argument_length, &why)) {
        exchange->complaints.is_out_of_memory |= why == NULL;
        complaints_add(&exchange->complaints, "id", 2, "the name in the path %s",
                       why == NULL ? "" : why);
    } else if (exchange->argument_length > LIMIT_PARAMETER_VALUE_BYTES) {
        complaints_add(&exchange->complaints, "id", 2,
                       "the name in the path is longer than %d bytes", LIMIT_PARAMETER_VALUE_BYTES);
    } else {
        return true;
    }
    problem_reply_complaints(exchange);
    return false;
}

/* What API routes need before their handler runs; false: the response is a problem. */
static bool prepare_api(struct exchange *exchange, const struct route *route)
{
    const struct http_request *request = exchange->request;

    if (exchange->view->snapshot == NULL) {
        problem_reply(exchange, PROBLEM_NOT_READY, "no catalogue is loaded yet");
        return false;
    }
    exchange->catalogue = app_snapshot_catalogue(exchange->view->snapshot);
    if (!negotiate_accepts(request->accept, "application", "json")) {
        problem_reply(exchange, PROBLEM_NOT_ACCEPTABLE, "answers are application/json");
        return false;
    }
    query_read(request, &exchange->query, &exchange->complaints);
    exchange->language = choose_language(exchange);
    return !route->has_argument || read_argument(exchange, strlen(route->path));
}

static void reply_no_route(struct exchange *exchange)
{
    const char *list = router_list(exchange->arena);
    const char *detail = list == NULL ? NULL : arena_format(exchange->arena, "known are %s", list);

    problem_reply(exchange, PROBLEM_NOT_FOUND, detail);
}

static void answer(struct exchange *exchange, const struct route *route)
{
    void (*handle)(struct exchange *) = route->handle;

    exchange->path = route->path;
    exchange->allowed_methods = route->allowed_methods;
    switch (exchange->request->method) {
    case HTTP_GET:
    case HTTP_HEAD:
        break;
    case HTTP_OPTIONS:
        *exchange->response =
            (struct http_response){.status = 204, .body = "", .place = HTTP_BODY_STATIC};
        cache_rules_options(exchange);
        return;
    case HTTP_POST:
        handle = route->handle_post;
        break;
    case HTTP_DELETE:
    case HTTP_OTHER:
        handle = NULL;
        break;
    }
    if (handle == NULL) {
        problem_reply(exchange, PROBLEM_METHOD,
                      arena_format(exchange->arena, "allowed are %s", route->allowed_methods));
        return;
    }
    if (!route->is_api || prepare_api(exchange, route)) {
        handle(exchange);
    }
}

struct http_response app_handle(const struct app_view *view, const struct http_request *request,
                                struct arena *arena)
{
    struct http_response response = {0};
    struct exchange exchange = {
        .view = view, .request = request, .arena = arena, .response = &response};
    const struct route *route = router_find(request->path, request->path_bytes);

    complaints_init(&exchange.complaints, arena);
    if (request->path_bytes + request->query_bytes > LIMIT_TARGET_BYTES) {
        problem_reply(
            &exchange, PROBLEM_TARGET_TOO_LONG,
            arena_format(arena, "path and query take at most %d bytes", LIMIT_TARGET_BYTES));
    } else if (route == NULL) {
        reply_no_route(&exchange);
    } else {
        answer(&exchange, route);
    }
    return response;
}
