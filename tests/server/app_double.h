/* A small application in place of handlers/app.c, so that the transport is tested by itself: bodies
 * of every place, what a request looked like, and how many snapshots live. Included once per
 * program. */
#ifndef GPUWISE_TESTS_APP_DOUBLE_H
#define GPUWISE_TESTS_APP_DOUBLE_H

#include "../../handlers/app.h"
#include "../../handlers/engine/arena.h"
#include "../../handlers/engine/command.h"
#include "../../handlers/engine/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLE_LARGE_BYTES = 8 * 1024 * 1024 };

struct app_snapshot {
    atomic_int references;
    char name[16]; /* the body of /snapshot */
    char *large;   /* the body of /large: more than any socket takes at once */
};

static atomic_int double_calls;          /* of app_handle */
static atomic_int double_live_snapshots; /* not yet freed */

/* A snapshot with one reference. */
static struct app_snapshot *double_snapshot(const char *name)
{
    struct app_snapshot *snapshot = calloc(1, sizeof *snapshot);

    if (snapshot == NULL) {
        abort();
    }
    snapshot->large = malloc(DOUBLE_LARGE_BYTES);
    if (snapshot->large == NULL) {
        abort();
    }
    memset(snapshot->large, name[0], DOUBLE_LARGE_BYTES);
    atomic_init(&snapshot->references, 1);
    (void)snprintf(snapshot->name, sizeof snapshot->name, "%s", name);
    (void)atomic_fetch_add(&double_live_snapshots, 1);
    return snapshot;
}

enum language app_language(const struct http_request *request)
{
    return request->accept_language != NULL && strcmp(request->accept_language, "zh") == 0
               ? LANGUAGE_ZH
               : LANGUAGE_EN;
}

struct app_snapshot *app_snapshot_new(struct catalogue *catalogue, struct error *err)
{
    (void)catalogue;
    (void)err;
    return double_snapshot("new");
}

struct app_snapshot *app_snapshot_ref(struct app_snapshot *snapshot)
{
    (void)atomic_fetch_add(&snapshot->references, 1);
    return snapshot;
}

void app_snapshot_unref(struct app_snapshot *snapshot)
{
    if (snapshot != NULL && atomic_fetch_sub(&snapshot->references, 1) == 1) {
        free(snapshot->large);
        free(snapshot);
        (void)atomic_fetch_sub(&double_live_snapshots, 1);
    }
}

const struct catalogue *app_snapshot_catalogue(const struct app_snapshot *snapshot)
{
    static const struct catalogue NONE = {.revision = "0000000000000000"};

    (void)snapshot;
    return &NONE;
}

bool app_wants_metrics(const struct http_request *request)
{
    (void)request;
    return false;
}

const char *app_route_name(size_t route)
{
    return route == 0 ? "none" : "route";
}

static bool double_path_is(const struct http_request *request, const char *path)
{
    return request->path_bytes == strlen(path) &&
           memcmp(request->path, path, request->path_bytes) == 0;
}

/* "<method> <path> <query> <accept> <body bytes> <first and last byte of the body>" */
static char *double_describe(const struct http_request *request, struct arena *arena)
{
    size_t last = request->body_bytes > 0 ? request->body_bytes - 1 : 0;

    return arena_format(arena, "%d %.*s %.*s %s %zu %c%c", (int)request->method,
                        (int)request->path_bytes, request->path, (int)request->query_bytes,
                        request->query == NULL ? "" : request->query,
                        request->accept == NULL ? "-" : request->accept, request->body_bytes,
                        request->body == NULL ? '-' : request->body[0],
                        request->body == NULL ? '-' : request->body[last]);
}

/* count bytes: many times the same line, or none that compresses. */
static char *double_fill(struct arena *arena, size_t count, bool is_noise)
{
    char *body = arena_alloc(arena, count + 1);
    uint32_t state = 1;

    for (size_t i = 0; body != NULL && i < count; i++) {
        state = state * 1664525U + 1013904223U;
        body[i] = is_noise ? (char)(1 + (state >> 24) % 255) : "a line again\n"[i % 13];
    }
    if (body != NULL) {
        body[count] = '\0';
    }
    return body;
}

bool app_allows_origin(const struct app_view *view, const char *origin)
{
    return view->cors_origin != NULL && origin != NULL && strcmp(view->cors_origin, origin) == 0;
}

/* /admin needs a token, and POST to it takes a file. */
struct app_gate app_gate(const struct http_request *request)
{
    bool is_admin = double_path_is(request, "/admin");

    return (struct app_gate){is_admin, is_admin && request->method == HTTP_POST};
}

bool app_bearer_token(const struct http_request *request, const char **token, size_t *length)
{
    if (request->authorization == NULL || strncmp(request->authorization, "Bearer ", 7) != 0) {
        return false;
    }
    *token = request->authorization + 7;
    *length = strlen(*token);
    return true;
}

/* What the outcome's error says. */
struct http_response app_finish(const struct app_view *view, const struct http_request *request,
                                const struct command *command,
                                const struct command_outcome *outcome, struct arena *arena)
{
    struct http_response response = {.status = 201, .place = HTTP_BODY_ARENA};

    (void)request;
    response.body = arena_format(arena, "%s %lld %s", outcome->error.text,
                                 (long long)command->size_bytes, view->snapshot->name);
    response.body_bytes = strlen(response.body);
    return response;
}

/* Not admitted: 401, 403 ... as the status; admitted: a command with the body's length. */
static void double_admin(const struct http_request *request, struct arena *arena,
                         struct http_response *response)
{
    static const int STATUS[HTTP_ADMISSION_COUNT] = {401, 200, 401, 403, 429, 503, 503, 503};
    struct command *command = arena_alloc(arena, sizeof *command);

    response->status = STATUS[request->admission];
    response->body = "not admitted";
    response->place = HTTP_BODY_STATIC;
    if (request->admission == HTTP_ADMITTED && command != NULL) {
        command->size_bytes = request->body_bytes;
        response->command = command;
    }
}

struct http_response app_handle(const struct app_view *view, const struct http_request *request,
                                struct arena *arena)
{
    struct http_response response = {.status = 200, .place = HTTP_BODY_ARENA};

    (void)atomic_fetch_add(&double_calls, 1);
    if (double_path_is(request, "/readyz")) {
        response.status = view->is_ready ? 200 : 503;
        response.place = HTTP_BODY_STATIC;
        response.body = view->is_ready ? "ready" : "stopping";
    } else if (double_path_is(request, "/snapshot")) {
        response.place = HTTP_BODY_SNAPSHOT;
        response.body = view->snapshot->name;
        response.is_cacheable = true;
    } else if (double_path_is(request, "/large")) {
        response.place = HTTP_BODY_SNAPSHOT;
        response.body = view->snapshot->large;
        response.body_bytes = DOUBLE_LARGE_BYTES;
    } else if (double_path_is(request, "/text") || double_path_is(request, "/noise")) {
        /* as many bytes as the query says */
        response.body = double_fill(arena, strtoul(request->query, NULL, 10),
                                    double_path_is(request, "/noise"));
        response.is_cacheable = true;
        response.is_compressible = true;
    } else if (double_path_is(request, "/admin")) {
        double_admin(request, arena, &response);
    } else {
        response.body = double_describe(request, arena);
        response.is_cacheable = double_path_is(request, "/kept");
        response.is_compressible = true;
    }
    if (response.body_bytes == 0) {
        response.body_bytes = strlen(response.body);
    }
    response.headers[0] = (struct http_header){"Content-Type", "text/plain"};
    response.headers[1] = (struct http_header){"ETag", "\"tag\""};
    response.headers[2] =
        (struct http_header){"Vary", app_allows_origin(view, request->origin) ? "X-Allowed" : "X"};
    response.headers[3] = (struct http_header){"Content-Language", "la"};
    response.header_count = 4;
    if (double_path_is(request, "/bad")) {
        response.status = 400;
    }
    return response;
}

#endif
