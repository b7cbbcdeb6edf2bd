/* From a request to its response: route, method, negotiation, then the route's handler. No state;
 * called by every worker at once with its own arena. */
#include "app.h"

#include "admission.h"
#include "cache_rules.h"
#include "negotiate.h"
#include "params_in.h"
#include "problem.h"
#include "report_pages.h"
#include "router.h"
#include "snapshot.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

enum language app_language(const struct http_request *request)
{
    static const char NAME[] = "lang=";
    const char *rest = request->query;
    size_t left = rest == NULL ? 0 : request->query_bytes;

    while (left > 0) {
        const char *end = memchr(rest, '&', left);
        size_t length = end == NULL ? left : (size_t)(end - rest);

        for (int i = 0; i < LANGUAGE_COUNT; i++) {
            size_t name_bytes = strlen(LANGUAGE_NAMES[i]);

            if (length == sizeof NAME - 1 + name_bytes &&
                memcmp(rest, NAME, sizeof NAME - 1) == 0 &&
                memcmp(rest + sizeof NAME - 1, LANGUAGE_NAMES[i], name_bytes) == 0) {
                return (enum language)i;
            }
        }
        left -= end == NULL ? left : length + 1;
        rest += end == NULL ? 0 : length + 1;
    }
    return negotiate_language(request->accept_language);
}

/* format wins over Accept; a bad format is a complaint of params_in.c later. False: the route has
 * no such representation; the problem that says so is JSON. */
static bool choose_media(struct exchange *exchange)
{
    const struct query_parameter *format = query_find(&exchange->query, "format");

    for (size_t i = 0; format != NULL && i < MEDIA_COUNT; i++) {
        if (strcmp(format->value, MEDIA_NAMES[i]) == 0) {
            exchange->media = i < exchange->media_count ? (enum media)i : MEDIA_JSON;
            return i < exchange->media_count;
        }
    }
    return negotiate_media(exchange->request->accept, exchange->media_count, &exchange->media);
}

/* Language and representation, also of a problem. A form of a browser sends every field: an empty
 * one says nothing. False: the route cannot answer as asked. */
static bool negotiate(struct exchange *exchange, const struct route *route)
{
    exchange->media_count =
        route != NULL && route->is_api && report_page_find(route->path) == NULL ? 1 : MEDIA_COUNT;
    bool is_possible = choose_media(exchange);

    if (exchange->media == MEDIA_HTML) {
        query_drop_empty(&exchange->query);
    }
    exchange->language = choose_language(exchange);
    return is_possible;
}

/* The name in the path behind so many bytes; what is wrong with it is told beside what is wrong
 * with the query. False: the response is a problem. */
static bool read_argument(struct exchange *exchange, size_t prefix_bytes)
{
    const struct http_request *request = exchange->request;
    enum text why = TEXT_COUNT;

    if (!query_decode(exchange->arena, request->path + prefix_bytes,
                      request->path_bytes - prefix_bytes, false, &exchange->argument,
                      &exchange->argument_length, &why)) {
        if (why == TEXT_COUNT) {
            exchange->complaints.is_out_of_memory = true;
        } else {
            complaints_add(&exchange->complaints, "id", 2, SAY(why));
        }
    } else if (exchange->argument_length > LIMIT_PARAMETER_VALUE_BYTES) {
        params_in_complain_count(exchange, "id", TEXT_PATH_NAME_BYTES, LIMIT_PARAMETER_VALUE_BYTES);
    } else {
        return true;
    }
    problem_reply_complaints(exchange);
    return false;
}

static void reply_not_acceptable(struct exchange *exchange)
{
    const char *list = negotiate_list(exchange->media_count, exchange->arena);

    if (list == NULL) {
        problem_reply_out_of_memory(exchange);
    } else {
        problem_reply(exchange, PROBLEM_NOT_ACCEPTABLE, SAY(TEXT_SERVED_TYPES, list));
    }
}

/* What API routes need before their handler runs; false: the response is a problem. */
static bool prepare_api(struct exchange *exchange, const struct route *route, bool is_acceptable)
{
    if (exchange->view->snapshot == NULL) {
        problem_reply(exchange, PROBLEM_NOT_READY, SAY(TEXT_NO_CATALOGUE));
        return false;
    }
    exchange->catalogue = app_snapshot_catalogue(exchange->view->snapshot);
    if (!is_acceptable) {
        reply_not_acceptable(exchange);
        return false;
    }
    return !route->has_argument || read_argument(exchange, route->path_bytes);
}

static void reply_too_long(struct exchange *exchange)
{
    char most[16];

    (void)snprintf(most, sizeof most, "%d", LIMIT_TARGET_BYTES);
    problem_reply(exchange, PROBLEM_TARGET_TOO_LONG, SAY(TEXT_TARGET_BYTES, most));
}

static void reply_no_route(struct exchange *exchange)
{
    const char *list = router_list(exchange->arena);

    if (list == NULL) {
        problem_reply_out_of_memory(exchange);
    } else {
        problem_reply(exchange, PROBLEM_NOT_FOUND, SAY(TEXT_KNOWN_PATHS, list));
    }
}

static void reply_options(struct exchange *exchange, const char *allowed_methods)
{
    exchange->allowed_methods = allowed_methods;
    *exchange->response =
        (struct http_response){.status = 204, .body = "", .place = HTTP_BODY_STATIC};
    cache_rules_options(exchange);
}

/* A body in a coding is not decoded here; false: the response is a problem that says so. */
static bool check_body_coding(struct exchange *exchange)
{
    const char *coding = exchange->request->content_encoding;

    if (coding == NULL || *coding == '\0' || strcasecmp(coding, "identity") == 0) {
        return true;
    }
    const char *shown = query_printable(exchange->arena, coding, strlen(coding));

    problem_reply(exchange, PROBLEM_BODY_CODING, SAY(TEXT_BODY_CODING, shown));
    if (exchange->response->status == problem_status(PROBLEM_BODY_CODING)) {
        http_response_add_header(exchange->response, "Accept-Encoding", "identity");
    }
    return false;
}

/* The handler of a method; NULL: none. */
static void (*handler_of(const struct route *route, enum http_method method))(struct exchange *)
{
    switch (method) {
    case HTTP_GET:
    case HTTP_HEAD:
        return route->handle;
    case HTTP_POST:
        return route->handle_post;
    case HTTP_DELETE:
        return route->admin == NULL ? NULL : route->admin->handle_delete;
    case HTTP_OPTIONS:
    case HTTP_OTHER:
        break;
    }
    return NULL;
}

static void answer(struct exchange *exchange, const struct route *route, bool is_acceptable)
{
    void (*handle)(struct exchange *) = handler_of(route, exchange->request->method);

    exchange->path = route->path;
    exchange->allowed_methods = route->allowed_methods;
    if (exchange->request->method == HTTP_OPTIONS) {
        reply_options(exchange, route->allowed_methods);
        return;
    }
    if (handle == NULL) {
        problem_reply(exchange, PROBLEM_METHOD, SAY(TEXT_ALLOWED_METHODS, route->allowed_methods));
        return;
    }
    if (route->admin != NULL && !admission_check(exchange)) {
        return;
    }
    if (exchange->request->method == HTTP_POST && !check_body_coding(exchange)) {
        return;
    }
    if (!route->is_api || prepare_api(exchange, route, is_acceptable)) {
        handle(exchange);
    }
}

bool app_allows_origin(const struct app_view *view, const char *origin)
{
    return view->cors_origin != NULL && origin != NULL && strcmp(view->cors_origin, origin) == 0;
}

struct http_response app_handle(const struct app_view *view, const struct http_request *request,
                                struct arena *arena)
{
    struct http_response response = {0};
    struct exchange exchange = {.view = view,
                                .request = request,
                                .arena = arena,
                                .language = app_language(request), /* as far as is known yet */
                                .response = &response};
    const struct route *route = router_find(request->path, request->path_bytes);
    bool is_acceptable = false;

    complaints_init(&exchange.complaints, arena);
    if (request->path_bytes + request->query_bytes > LIMIT_TARGET_BYTES) {
        reply_too_long(&exchange);
        return response;
    }
    query_read(request, &exchange.query, &exchange.complaints);
    is_acceptable = negotiate(&exchange, route);
    if (request->method == HTTP_OPTIONS && request->path_bytes == 1 &&
        request->path[0] == '*') { /* the server as a whole (RFC 9110 section 9.3.7) */
        reply_options(&exchange, ROUTER_ALL_METHODS);
    } else if (route == NULL) {
        reply_no_route(&exchange);
    } else {
        answer(&exchange, route, is_acceptable);
    }
    response.route = route == NULL ? 0 : (size_t)(route - ROUTES) + 1;
    return response;
}

bool app_wants_metrics(const struct http_request *request)
{
    static const char PATH[] = "/metrics";

    return request->path_bytes == sizeof PATH - 1 &&
           memcmp(request->path, PATH, sizeof PATH - 1) == 0;
}

const char *app_route_name(size_t route)
{
    return route > 0 && route <= ROUTE_COUNT ? ROUTES[route - 1].name : "none";
}

const char *app_library_version(void)
{
    return jansson_version_str();
}

const char *app_library_built(void)
{
    return JANSSON_VERSION;
}

struct app_gate app_gate(const struct http_request *request)
{
    const struct route *route = router_find(request->path, request->path_bytes);
    struct app_gate gate = {0};

    if (route != NULL && route->admin != NULL && handler_of(route, request->method) != NULL) {
        gate.needs_token = true;
        gate.takes_file = route->admin->takes_file && request->method == HTTP_POST;
    }
    return gate;
}

struct http_response app_finish(const struct app_view *view, const struct http_request *request,
                                const struct command *command,
                                const struct command_outcome *outcome, struct arena *arena)
{
    struct http_response response = {0};
    struct exchange exchange = {
        .view = view, .request = request, .arena = arena, .response = &response};
    const struct route *route = router_find(request->path, request->path_bytes);

    assert(route != NULL && route->admin != NULL); /* it gave the command */
    exchange.path = route->path;
    exchange.allowed_methods = route->allowed_methods;
    exchange.catalogue = app_snapshot_catalogue(view->snapshot);
    complaints_init(&exchange.complaints, arena);
    query_read(request, &exchange.query, &exchange.complaints); /* without fault, or no command */
    (void)negotiate(&exchange, route); /* possible, or there was no command */
    route->admin->finish(&exchange, command, outcome);
    response.route = (size_t)(route - ROUTES) + 1;
    return response;
}
