/* The daemon's life and its calls: reads requests into plain data and refuses what HTTP forbids;
 * mhd_reply.c answers. Only server/mhd_*.c know libmicrohttpd. The worker runs it, on its thread.
 *
 * A request's calls: on_target (request line), on_request (first call: headers), on_request (pieces
 * of the body), on_request (last call: answer), on_completed (last byte sent). An answer in the
 * first call closes the connection, so only refusals are given there (PERFORMANCE.md 4.2). */
#include "mhd_bridge.h"

#include "client.h"
#include "clock.h"
#include "log.h"
#include "metrics.h"
#include "mhd_reply.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* Runs: while the library has more to do, then others get their turn (PERFORMANCE.md 4.3). */
enum { RUNS_IN_A_ROW = 8, CROWDED_WAIT_MS = 2000 };

/* With a longer head of a request the library's pool has no room even for a refusal. */
enum { POOL_HEAD_BYTES_MAX = LIMIT_CONNECTION_POOL_BYTES - 1024 };

struct mhd_bridge {
    struct mhd_bridge_settings settings;
    struct MHD_Daemon *daemon;
    struct mhd_reply reply;
    struct mhd_admin admin;
    struct clients clients;
    bool has_complained; /* the library, since the last sweep */
};

/* Refuses past the library, which would close without an answer. What it still does fails on the
 * closed stream. */
static void refuse_at_once(struct client *client, uint64_t now_us)
{
    char body[HTTP_CHECKS_PROBLEM_BYTES], text[HTTP_CHECKS_PROBLEM_BYTES + 512], date[64];
    unsigned status = (unsigned)client->checks.status;
    enum language language = client_language(client);
    size_t body_bytes =
        http_checks_problem(client->checks.status, &client->checks.fault, language, body);
    time_t now = time(NULL);
    struct tm utc;

    (void)gmtime_r(&now, &utc);
    (void)strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %u %s\r\nDate: %s\r\nConnection: close\r\n"
                          "Content-Type: application/problem+json\r\nContent-Language: %s\r\n"
                          "Cache-Control: no-store\r\n"
                          "X-Content-Type-Options: nosniff\r\nContent-Length: %zu\r\n\r\n%.*s",
                          status, MHD_get_reason_phrase_for(status), date, LANGUAGE_NAMES[language],
                          body_bytes, (int)body_bytes, body);

    /* fails when the other side has gone, or reads nothing: then the answer is lost */
    (void)send(client->fd, text, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(client->fd, SHUT_WR);
    client->is_refused = true;
    client_answer(client, status, body_bytes, now_us / 1000);
}

/* The raw target, before the library decodes it in place. What this returns becomes *con_cls. */
static void *on_target(void *data, const char *target, struct MHD_Connection *handle)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct client *client = info == NULL ? NULL : info->socket_context;
    struct mhd_bridge *bridge = data;
    const char *raw = target == NULL ? "" : target;
    /* The query is ours alone. Cut off below, the library does not split it: 0.9.75 never answers
     * when its pool cannot hold the pieces (about 120 arguments), and nobody else reads them. */
    char *query = strchr(raw, '?');

    if (client == NULL || !client_begin(client, raw, clock_now_us())) {
        return NULL; /* out of memory: on_request ends the connection */
    }
    metrics_add(&bridge->reply.counters->requests_begun, 1);
    client->number = bridge->reply.counters->requests_begun;
    if (strlen(raw) > POOL_HEAD_BYTES_MAX) {
        refuse_at_once(client, client->started_us);
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
static enum MHD_Result check_request(struct mhd_bridge *bridge, struct MHD_Connection *handle,
                                     struct client *client, const char *url, const char *method,
                                     const char *version)
{
    struct http_checks *checks = &client->checks;
    uintptr_t gap = (uintptr_t)version - (uintptr_t)url;

    client_name_method(client, method);
    client->request.method = http_checks_method(checks, method);
    (void)MHD_get_connection_values_n(handle, MHD_HEADER_KIND, on_header, client);
    http_checks_finish(checks, strcmp(version, "HTTP/1.1") == 0);
    /* 0.9.75 leaves the version behind the target in one buffer: a longer gap holds a NUL byte, and
     * one beyond any pool is of a library that refuses NUL itself. */
    if (gap < LIMIT_CONNECTION_POOL_BYTES && gap > client->target_bytes + 1) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_TARGET_NUL));
    }
    client_complete_request(client); /* what is known of it */
    const struct app_gate gate = app_gate(&client->request);

    client->is_admin = gate.needs_token;
    client->takes_file = gate.takes_file;
    http_checks_length(checks, client->expects_continue, gate.takes_file);
    if (checks->head_bytes > POOL_HEAD_BYTES_MAX) {
        refuse_at_once(client, clock_now_us());
        return MHD_NO;
    }
    if (checks->status != 0) {
        return mhd_reply_refuse(handle, client, checks->status, &checks->fault) ? MHD_YES : MHD_NO;
    }
    client->state = CLIENT_ARRIVING;
    return !gate.needs_token || mhd_admin_begin(&bridge->admin, handle, client) ? MHD_YES : MHD_NO;
}

/* A call that may answer: from the newest snapshot. */
static void renew_snapshot(struct mhd_bridge *bridge)
{
    struct app_snapshot *newest = bridge->settings.take_snapshot == NULL
                                      ? NULL
                                      : bridge->settings.take_snapshot(bridge->settings.data);

    if (newest != NULL) {
        mhd_reply_give_snapshot(&bridge->reply, newest);
    }
}

static enum MHD_Result on_request(void *data, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *upload_data,
                                  size_t *upload_bytes, void **request_data)
{
    struct mhd_bridge *bridge = data;
    struct client *client = *request_data;

    if (client == NULL) {
        return MHD_NO; /* out of memory when it began */
    }
    if (client->state == CLIENT_ANSWERED) {
        return MHD_NO; /* past the library */
    }
    if (client->state == CLIENT_TARGET) {
        return check_request(bridge, handle, client, url, method, version);
    }
    if (client->state == CLIENT_SUSPENDED) {
        renew_snapshot(bridge);
        return mhd_admin_resume(&bridge->admin, handle, client) ? MHD_YES : MHD_NO;
    }
    if (*upload_bytes > 0) {
        size_t count = *upload_bytes;

        *upload_bytes = 0;
        return client_add_body(client, upload_data, count) ? MHD_YES : MHD_NO;
    }
    renew_snapshot(bridge);
    bool is_good = client->is_admin ? mhd_admin_request(&bridge->admin, handle, client)
                                    : mhd_reply_request(&bridge->reply, handle, client);

    return is_good ? MHD_YES : MHD_NO;
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

static void count_request(struct mhd_bridge *bridge, const struct client *client, uint64_t now_us)
{
    struct metrics_counters *counters = bridge->reply.counters;

    if (client->is_refused) {
        metrics_count_refusal(counters, client->status);
    } else if (client->is_ended && client->status == 0) {
        metrics_add(&counters->refused[METRICS_TOO_SLOW], 1);
    }
    metrics_count_request(counters, client->route, client->request.method, client->status,
                          client->answer_bytes, now_us - client->started_us);
    metrics_add(&counters->requests_ended, 1);
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
        if (client->status != 0) {
            metrics_add(&bridge->reply.counters->refused[METRICS_LIBRARY], 1);
        }
    }
    count_request(bridge, client, now);
    if (bridge->settings.access_log) {
        client_log(client, bridge->settings.log, bridge->settings.worker, now, end_name(code));
    }
    mhd_admin_end(&bridge->admin, client);
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
        metrics_add(&bridge->reply.counters->connections_opened, 1);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*socket_data != NULL) {
            mhd_admin_end(&bridge->admin, *socket_data);
        }
        client_free(*socket_data);
        *socket_data = NULL;
        metrics_add(&bridge->reply.counters->connections_closed, 1);
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
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request,
        bridge, MHD_OPTION_EXTERNAL_LOGGER, on_complaint, bridge, MHD_OPTION_LISTEN_SOCKET,
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
    if (!mhd_reply_init(&bridge->reply, settings->cors_origin, settings->metrics,
                        settings->worker)) {
        goto no_memory;
    }
    bridge->daemon = start_daemon(bridge);
    if (bridge->daemon == NULL) {
        (void)error_set(err, ERROR_SYSTEM, "libmicrohttpd %s cannot start a worker",
                        MHD_get_version());
        goto free_bridge;
    }
    bridge->admin = (struct mhd_admin){.settings = settings->admin,
                                       .reply = &bridge->reply,
                                       .log = settings->log,
                                       .worker = settings->worker};
    mhd_reply_give_snapshot(&bridge->reply, snapshot);
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
        for (struct client *it = bridge->clients.first; it != NULL; it = it->next) {
            if (it->suspended != NULL) { /* the library panics at those left */
                MHD_resume_connection(it->suspended);
                it->suspended = NULL;
            }
        }
        (void)MHD_quiesce_daemon(bridge->daemon); /* leaves the socket to its owner */
        MHD_stop_daemon(bridge->daemon);
    }
    mhd_reply_fini(&bridge->reply);
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
    mhd_reply_give_snapshot(&bridge->reply, snapshot);
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
    clients_end_half_lines(&bridge->clients, now_ms, arriving_ms);
    /* Who sends nothing is ended by the library's idle timeout, so who has waited for longer than
     * that sends a byte now and then. With no place left, the idle make room. */
    clients_end_waiting(&bridge->clients, now_ms,
                        is_crowded && idle_ms > CROWDED_WAIT_MS ? CROWDED_WAIT_MS
                                                                : idle_ms + arriving_ms);
}

void mhd_bridge_drain(struct mhd_bridge *bridge)
{
    if (!bridge->reply.is_draining) {
        bridge->reply.is_draining = true;
        (void)MHD_quiesce_daemon(bridge->daemon);
        /* otherwise the kernel went on completing connections that nobody takes */
        (void)shutdown(bridge->settings.listen_fd, SHUT_RDWR); /* listening: cannot fail */
    }
    clients_end_waiting(&bridge->clients, clock_now_us() / 1000, 0);
}

void mhd_bridge_finish_job(struct mhd_bridge *bridge, struct write_job *job)
{
    (void)bridge; /* the job knows its connection */
    mhd_admin_finish(job);
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
