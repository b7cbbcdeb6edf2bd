/* The only file that knows libmicrohttpd. It reads requests into plain data, refuses what HTTP
 * forbids, asks the cache or app_handle(), and sends what they say. The worker runs it, on its
 * thread.
 *
 * A request's calls: on_target (request line), on_request (first call: headers), on_request (pieces
 * of the body), on_request (last call: answer), on_completed (last byte sent). An answer in the
 * first call closes the connection, so only refusals are given there (PERFORMANCE.md 4.2). */
#include "mhd_bridge.h"

#include "../handlers/engine/arena.h"
#include "client.h"
#include "clock.h"
#include "log.h"
#include "response_cache.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Runs: while the library has more to do, then others get their turn (PERFORMANCE.md 4.3). */
enum { RUNS_IN_A_ROW = 8, ANSWER_OVERHEAD_BYTES = 1024, CROWDED_WAIT_MS = 2000 };

static const char TOO_MANY_ANSWERS[] = "too many answers are being sent";

struct mhd_bridge {
    struct mhd_bridge_settings settings;
    struct MHD_Daemon *daemon;
    struct app_snapshot *snapshot;
    struct response_cache *cache; /* of struct kept_answer */
    struct arena arena;           /* of the request being answered */
    struct clients clients;
    bool is_draining;
    bool has_complained; /* the library, since the last sweep */
};

/* A complete answer of status 200 that any number of connections share. */
struct kept_answer {
    struct MHD_Response *response;
    size_t body_bytes;
    size_t held_bytes; /* of memory that goes with the response */
};

static void release_answer(void *data)
{
    struct kept_answer *answer = data;

    MHD_destroy_response(answer->response); /* ours; connections hold their own references */
    free(answer);
}

static void release_snapshot(void *data)
{
    app_snapshot_unref(data);
}

/* A body in the form the library wants. Its type is not const, but it only reads. */
static struct MHD_Response *make_response(const struct http_response *response,
                                          struct app_snapshot *snapshot)
{
    void *body = (void *)(uintptr_t)response->body;
    struct MHD_Response *made = NULL;

    if (response->body_bytes == 0 || response->place == HTTP_BODY_STATIC) {
        made = MHD_create_response_from_buffer(response->body_bytes, body, MHD_RESPMEM_PERSISTENT);
    } else if (response->place == HTTP_BODY_ARENA) {
        made = MHD_create_response_from_buffer(response->body_bytes, body, MHD_RESPMEM_MUST_COPY);
    } else {
        made = MHD_create_response_from_buffer_with_free_callback_cls(response->body_bytes, body,
                                                                      release_snapshot, snapshot);
        if (made != NULL) {
            (void)app_snapshot_ref(snapshot); /* until the last byte is sent */
        }
    }
    for (size_t i = 0; made != NULL && i < response->header_count; i++) {
        if (MHD_add_response_header(made, response->headers[i].name, response->headers[i].value) !=
            MHD_YES) {
            MHD_destroy_response(made);
            made = NULL;
        }
    }
    return made;
}

static enum MHD_Result queue(struct MHD_Connection *handle, struct client *client, unsigned status,
                             struct MHD_Response *response, uint64_t body_bytes)
{
    bool has_body = client->request.method != HTTP_HEAD && status != MHD_HTTP_NOT_MODIFIED;

    client_answer(client, status, has_body ? body_bytes : 0, clock_now_us() / 1000);
    return MHD_queue_response(handle, status, response);
}

/* A problem document of the transport's own, which then closes the connection. */
static enum MHD_Result refuse(struct MHD_Connection *handle, struct client *client, int status,
                              const char *fault)
{
    char body[HTTP_CHECKS_PROBLEM_BYTES];
    struct http_response response = {.status = status,
                                     .body = body,
                                     .body_bytes = http_checks_problem(status, fault, body),
                                     .place = HTTP_BODY_ARENA,
                                     .headers = {{"Content-Type", "application/problem+json"},
                                                 {"Cache-Control", "no-store"},
                                                 {"X-Content-Type-Options", "nosniff"},
                                                 {"Connection", "close"}},
                                     .header_count = 4};
    struct MHD_Response *made = make_response(&response, NULL);

    if (made == NULL) {
        return MHD_NO;
    }
    enum MHD_Result result = queue(handle, client, (unsigned)status, made, response.body_bytes);

    MHD_destroy_response(made); /* the connection holds its own reference */
    return result;
}

/* The raw target, before the library decodes it in place. What this returns becomes *con_cls. */
static void *on_target(void *data, const char *target, struct MHD_Connection *handle)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct client *client = info == NULL ? NULL : info->socket_context;

    const char *raw = target == NULL ? "" : target;
    /* The query is ours alone. Cut off below, the library does not split it: 0.9.75 never answers
     * when its pool cannot hold the pieces (about 120 arguments), and nobody else reads them. */
    char *query = strchr(raw, '?');

    (void)data; /* the connection knows its worker */
    if (client == NULL || !client_begin(client, raw, clock_now_us())) {
        return NULL; /* out of memory: on_request ends the connection */
    }
    if (query != NULL) {
        query[1] = '\0';
    }
    return client;
}

static enum MHD_Result on_header(void *data, enum MHD_ValueKind kind, const char *name,
                                 size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind; /* only headers are asked for */
    client_add_header(data, name, name_bytes, value == NULL ? "" : value, value_bytes);
    return MHD_YES;
}

/* The first call: everything that must be known before a body is read. */
static enum MHD_Result check_request(struct MHD_Connection *handle, struct client *client,
                                     const char *url, const char *method, const char *version)
{
    struct http_checks *checks = &client->checks;
    uintptr_t gap = (uintptr_t)version - (uintptr_t)url;

    client_name_method(client, method);
    client->request.method = http_checks_method(checks, method);
    (void)MHD_get_connection_values_n(handle, MHD_HEADER_KIND, on_header, client);
    http_checks_finish(checks, strcmp(version, "HTTP/1.1") == 0);
    /* 0.9.75 leaves the version behind the target in one buffer: a longer gap holds a NUL byte, and
     * one beyond any pool is of a library that refuses NUL itself. */
    if (checks->status == 0 && gap < LIMIT_CONNECTION_POOL_BYTES &&
        gap > client->target_bytes + 1) {
        checks->status = 400;
        checks->fault = "the target holds a NUL byte";
    }
    http_checks_length(checks, client->expects_continue);
    if (checks->status != 0) {
        return refuse(handle, client, checks->status, checks->fault);
    }
    client->state = CLIENT_ARRIVING;
    return MHD_YES;
}

/* Keeps a fresh answer for the next one who asks the same. */
static void keep(struct mhd_bridge *bridge, const struct response_cache_key *key,
                 const struct kept_answer *fresh)
{
    struct kept_answer *answer = malloc(sizeof *answer);

    if (answer != NULL) {
        *answer = *fresh;
        if (response_cache_give(bridge->cache, key, answer,
                                fresh->body_bytes + ANSWER_OVERHEAD_BYTES)) {
            return;
        }
        free(answer);
    }
    MHD_destroy_response(fresh->response); /* the connection holds its own reference */
}

/* Asks the application and sends what it says. */
static enum MHD_Result answer_fresh(struct mhd_bridge *bridge, struct MHD_Connection *handle,
                                    struct client *client, int32_t day,
                                    const struct response_cache_key *key)
{
    const struct app_view view = {.snapshot = bridge->snapshot,
                                  .day = day,
                                  .is_ready = !bridge->is_draining,
                                  .cors_origin = bridge->settings.cors_origin};
    struct http_response response = app_handle(&view, &client->request, &bridge->arena);
    struct kept_answer fresh = {NULL, response.body_bytes,
                                response.place == HTTP_BODY_ARENA ? response.body_bytes : 0};
    enum MHD_Result result = MHD_NO;

    if (!client_hold_answer(client, fresh.held_bytes)) {
        result = refuse(handle, client, 503, TOO_MANY_ANSWERS);
        goto reset_arena;
    }
    fresh.response = make_response(&response, bridge->snapshot);
    if (fresh.response == NULL) {
        goto reset_arena;
    }
    if (!bridge->is_draining ||
        MHD_add_response_header(fresh.response, "Connection", "close") == MHD_YES) {
        result =
            queue(handle, client, (unsigned)response.status, fresh.response, response.body_bytes);
    }
    if (key != NULL && result == MHD_YES && response.is_cacheable && response.status == 200 &&
        response.body_bytes <= LIMIT_CACHED_BODY_BYTES) {
        keep(bridge, key, &fresh);
    } else {
        MHD_destroy_response(fresh.response); /* the connection holds its own reference */
    }

reset_arena:
    arena_reset(&bridge->arena);
    return result;
}

/* Whether the client has just this answer: the one tag that browsers send. Lists the app reads. */
static bool has_answer(const char *if_none_match, const struct kept_answer *kept)
{
    const char *etag = MHD_get_response_header(kept->response, "ETag");

    if (strncmp(if_none_match, "W/", 2) == 0) { /* as a proxy that compresses marks it */
        if_none_match += 2;
    }
    return etag != NULL && strcmp(if_none_match, etag) == 0;
}

/* The last call: the whole request is here. */
static enum MHD_Result answer_request(struct mhd_bridge *bridge, struct MHD_Connection *handle,
                                      struct client *client)
{
    struct http_request *request = &client->request;
    const struct response_cache_key key = {client->target, client->target_bytes, request->accept,
                                           request->accept_language};
    bool is_plain = (request->method == HTTP_GET || request->method == HTTP_HEAD) &&
                    client->body_bytes == 0 && !bridge->is_draining;
    struct kept_answer *kept = NULL;
    int32_t day = clock_today();

    if (client->body_status != 0) {
        return refuse(handle, client, client->body_status,
                      client->body_status == 413 ? "the body is longer than 1 MiB"
                                                 : "too many bodies are being received");
    }
    if (is_plain) {
        response_cache_enter(bridge->cache, bridge->snapshot, day);
        kept = response_cache_find(bridge->cache, &key);
    }
    bool is_known =
        kept != NULL && request->if_none_match != NULL && has_answer(request->if_none_match, kept);

    if (kept != NULL && (is_known || request->if_none_match == NULL)) {
        return client_hold_answer(client, kept->held_bytes)
                   ? queue(handle, client, is_known ? 304 : 200, kept->response, kept->body_bytes)
                   : refuse(handle, client, 503, TOO_MANY_ANSWERS);
    }
    client_complete_request(client);
    return answer_fresh(bridge, handle, client, day, is_plain && kept == NULL ? &key : NULL);
}

static enum MHD_Result on_request(void *data, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *upload_data,
                                  size_t *upload_bytes, void **request_data)
{
    struct client *client = *request_data;

    if (client == NULL) {
        return MHD_NO; /* out of memory when it began */
    }
    if (client->state == CLIENT_TARGET) {
        return check_request(handle, client, url, method, version);
    }
    if (*upload_bytes > 0) {
        size_t count = *upload_bytes;

        *upload_bytes = 0;
        return client_add_body(client, upload_data, count) ? MHD_YES : MHD_NO;
    }
    return answer_request(data, handle, client);
}

/* NULL: answered in full. */
static const char *end_name(enum MHD_RequestTerminationCode code)
{
    static const char *const NAMES[] = {[MHD_REQUEST_TERMINATED_WITH_ERROR] = "error",
                                        [MHD_REQUEST_TERMINATED_TIMEOUT_REACHED] = "timeout",
                                        [MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN] = "stopped",
                                        [MHD_REQUEST_TERMINATED_READ_ERROR] = "client-left",
                                        [MHD_REQUEST_TERMINATED_CLIENT_ABORT] = "client-left"};

    return (size_t)code < sizeof NAMES / sizeof NAMES[0] ? NAMES[code] : "error";
}

static void on_completed(void *data, struct MHD_Connection *handle, void **request_data,
                         enum MHD_RequestTerminationCode code)
{
    struct mhd_bridge *bridge = data;
    struct client *client = *request_data;
    uint64_t now = clock_now_us();

    if (client == NULL || client->state == CLIENT_WAITING) {
        return;
    }
    if (client->status == 0) { /* an answer of the library's own */
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(handle, MHD_CONNECTION_INFO_HTTP_STATUS);

        client->status = info == NULL ? 0 : info->http_status;
    }
    if (bridge->settings.access_log) {
        client_log(client, bridge->settings.log, bridge->settings.worker, now, end_name(code));
    }
    client_end_request(client, now / 1000);
    *request_data = NULL;
}

static void on_connection(void *data, struct MHD_Connection *handle, void **socket_data,
                          enum MHD_ConnectionNotificationCode code)
{
    struct mhd_bridge *bridge = data;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD);

    if (code == MHD_CONNECTION_NOTIFY_STARTED && info != NULL) {
        *socket_data = client_new(&bridge->clients, info->connect_fd, clock_now_us() / 1000);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        client_free(*socket_data);
        *socket_data = NULL;
    }
}

/* One line between two sweeps, and no alarm: what the library says is mostly about clients. */
__attribute__((format(printf, 2, 0))) static void on_complaint(void *data, const char *format,
                                                               va_list arguments)
{
    struct mhd_bridge *bridge = data;
    char text[LOG_QUOTED_BYTES / 2], quoted[LOG_QUOTED_BYTES];

    if (!bridge->has_complained) {
        bridge->has_complained = true;
        (void)vsnprintf(text, sizeof text, format, arguments); /* cut to fit */
        text[strcspn(text, "\n")] = '\0';
        log_event(bridge->settings.log, LOG_INFO, "library", "worker=%u message=%s",
                  bridge->settings.worker, log_quote(text, strlen(text), quoted));
    }
}

static struct MHD_Daemon *start_daemon(struct mhd_bridge *bridge)
{
    const struct mhd_bridge_settings *settings = &bridge->settings;

    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, bridge,
        MHD_OPTION_EXTERNAL_LOGGER, on_complaint, bridge, MHD_OPTION_LISTEN_SOCKET,
        settings->listen_fd, MHD_OPTION_CONNECTION_LIMIT, settings->connections_max,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_CONNECTION_POOL_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_s, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, bridge, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
        bridge, MHD_OPTION_NOTIFY_CONNECTION, on_connection, bridge, MHD_OPTION_END);
}

struct mhd_bridge *mhd_bridge_new(const struct mhd_bridge_settings *settings,
                                  struct app_snapshot *snapshot, struct error *err)
{
    struct mhd_bridge *bridge = calloc(1, sizeof *bridge);

    if (bridge == NULL) {
        goto no_memory;
    }
    bridge->settings = *settings;
    arena_init(&bridge->arena, LIMIT_REQUEST_ARENA_BYTES);
    bridge->cache = response_cache_new(LIMIT_RESPONSE_CACHE_BYTES, release_answer);
    if (bridge->cache == NULL) {
        goto no_memory;
    }
    bridge->daemon = start_daemon(bridge);
    if (bridge->daemon == NULL) {
        (void)error_set(err, ERROR_SYSTEM, "libmicrohttpd %s cannot start a worker",
                        MHD_get_version());
        goto free_bridge;
    }
    bridge->snapshot = snapshot;
    return bridge;

no_memory:
    (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
free_bridge:
    mhd_bridge_free(bridge);
    app_snapshot_unref(snapshot);
    return NULL;
}

void mhd_bridge_free(struct mhd_bridge *bridge)
{
    if (bridge == NULL) {
        return;
    }
    if (bridge->daemon != NULL) {
        (void)MHD_quiesce_daemon(bridge->daemon); /* leaves the socket to its owner */
        MHD_stop_daemon(bridge->daemon);
    }
    response_cache_free(bridge->cache);
    app_snapshot_unref(bridge->snapshot);
    arena_fini(&bridge->arena);
    free(bridge);
}

int mhd_bridge_poll_fd(const struct mhd_bridge *bridge)
{
    return MHD_get_daemon_info(bridge->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int64_t mhd_bridge_run(struct mhd_bridge *bridge)
{
    MHD_UNSIGNED_LONG_LONG timeout_ms = 0;

    for (int runs = 0; runs < RUNS_IN_A_ROW && timeout_ms == 0; runs++) {
        (void)MHD_run(bridge->daemon); /* fails only for a daemon of another kind */
        if (MHD_get_timeout(bridge->daemon, &timeout_ms) != MHD_YES) {
            return -1;
        }
    }
    return timeout_ms > INT32_MAX ? INT32_MAX : (int64_t)timeout_ms;
}

void mhd_bridge_give_snapshot(struct mhd_bridge *bridge, struct app_snapshot *snapshot)
{
    /* while both addresses are taken */
    response_cache_enter(bridge->cache, snapshot, clock_today());
    app_snapshot_unref(bridge->snapshot);
    bridge->snapshot = snapshot;
}

void mhd_bridge_sweep(struct mhd_bridge *bridge)
{
    const struct mhd_bridge_settings *settings = &bridge->settings;
    uint64_t now_ms = clock_now_us() / 1000;
    uint64_t arriving_ms = (uint64_t)settings->request_timeout_s * 1000;
    uint64_t idle_ms = (uint64_t)settings->idle_timeout_s * 1000;
    bool is_crowded = bridge->clients.count >= settings->connections_max;

    bridge->has_complained = false;
    clients_end_slow(&bridge->clients, now_ms, arriving_ms);
    /* Who sends nothing is ended by the library's idle timeout, so who has waited for longer than
     * that is sending a request line, slowly. With no place left, the idle make room. */
    clients_end_waiting(&bridge->clients, now_ms,
                        is_crowded && idle_ms > CROWDED_WAIT_MS ? CROWDED_WAIT_MS
                                                                : idle_ms + arriving_ms);
}

void mhd_bridge_drain(struct mhd_bridge *bridge)
{
    if (!bridge->is_draining) {
        bridge->is_draining = true;
        (void)MHD_quiesce_daemon(bridge->daemon);
        /* otherwise the kernel went on completing connections that nobody takes */
        (void)shutdown(bridge->settings.listen_fd, SHUT_RDWR); /* listening: cannot fail */
    }
    clients_end_waiting(&bridge->clients, clock_now_us() / 1000, 0);
}

size_t mhd_bridge_connection_count(const struct mhd_bridge *bridge)
{
    return bridge->clients.count;
}

const char *mhd_bridge_library_version(void)
{
    return MHD_get_version();
}

static void on_panic(void *data, const char *file, unsigned line, const char *reason)
{
    char quoted[LOG_QUOTED_BYTES];
    const char *text = reason == NULL ? "" : reason;

    log_event(data, LOG_ERROR, "panic", "library=libmicrohttpd file=%s line=%u reason=%s", file,
              line, log_quote(text, strcspn(text, "\n"), quoted));
    abort();
}

void mhd_bridge_log_panic(struct log *log)
{
    MHD_set_panic_func(on_panic, log);
}
