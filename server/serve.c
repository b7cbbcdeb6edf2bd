/* Starts and stops the parts in order. The main thread: it only waits for signals while others
 * serve.
 *
 * Order: address claimed, database looked at, database locked, opened, catalogue, snapshot,
 * sockets, workers, publisher. What fails before the workers has touched nothing but the database
 * it was told to create. */
#include "serve.h"

#include "../db/database.h"
#include "cores.h"
#include "lock.h"
#include "log.h"
#include "metrics.h"
#include "publisher.h"
#include "rate_limit.h"
#include "worker.h"
#include "write_queue.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

/* Standard streams, database files, loops and a margin. */
enum { OTHER_DESCRIPTORS = 64, DESCRIPTORS_OF_WORKER = 8 };

struct server {
    struct config config;
    struct log_sink sink;
    struct log log;
    struct lock lock;
    struct database *database;
    struct app_snapshot *snapshot; /* until the workers have it */
    unsigned worker_count;         /* wanted */
    unsigned connections_max;      /* of one worker */
    unsigned started_count;        /* running */
    atomic_uint ended_count;       /* raised by each worker at its end */
    int *sockets;
    struct worker **workers;
    struct publisher *publisher;
    struct metrics *metrics;
    struct write_queue *writes;
    struct rate_limit *limit;
    char *folder; /* of the database, where files are received */
    uv_loop_t loop;
    uv_signal_t terminate, interrupt;
    uv_async_t worker_ended;
    bool is_stopping;
};

/* Connections that a worker may hold: as set, or fewer when descriptors are short. */
static unsigned connections_of_worker(const struct server *server)
{
    struct rlimit limit = {0};
    unsigned long wanted = (unsigned long)server->config.connections;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); /* without it there are only fewer connections */
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    unsigned long others = OTHER_DESCRIPTORS + DESCRIPTORS_OF_WORKER * server->worker_count;
    unsigned long left = limit.rlim_cur > others ? limit.rlim_cur - others : 0;
    unsigned long most = left / server->worker_count > 0 ? left / server->worker_count : 1;

    return (unsigned)(wanted < most ? wanted : most);
}

/* On a worker's thread. */
static void on_worker_end(void *data)
{
    struct server *server = data;

    (void)atomic_fetch_add(&server->ended_count, 1);
    (void)uv_async_send(&server->worker_ended); /* never fails */
}

static bool start_workers(struct server *server, struct error *err)
{
    struct worker_settings settings = {
        .bridge = {.connections_max = server->connections_max,
                   .idle_timeout_s = (unsigned)server->config.idle_timeout_s,
                   .request_timeout_s = (unsigned)server->config.request_timeout_s,
                   .access_log = server->config.access_log,
                   .cors_origin = server->config.cors_origin,
                   .metrics = server->metrics,
                   .admin = {.writes = server->writes,
                             .limit = server->limit,
                             .trusted_proxies = &server->config.trusted_proxies,
                             .is_plain_allowed = server->config.admin_plain,
                             .spool_folder = server->folder}},
        .stop_timeout_s = (unsigned)server->config.stop_timeout_s,
        .sink = &server->sink,
        .on_end = on_worker_end,
        .data = server};

    for (unsigned i = 0; i < server->worker_count; i++) {
        settings.bridge.worker = i;
        settings.bridge.listen_fd = server->sockets[i];
        server->workers[i] = worker_start(&settings, app_snapshot_ref(server->snapshot), err);
        if (server->workers[i] == NULL) {
            return false;
        }
        server->started_count++;
    }
    server->publisher =
        publisher_start(server->database, server->workers, server->worker_count, server->writes,
                        &server->sink, metrics_of_publisher(server->metrics), err);
    return server->publisher != NULL;
}

static void stop_workers(struct server *server, enum worker_stop stop)
{
    for (unsigned i = 0; i < server->started_count; i++) {
        worker_stop(server->workers[i], stop);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct server *server = handle->data;

    log_event(&server->log, LOG_INFO, server->is_stopping ? "stopping-now" : "stopping",
              "signal=%s", number == SIGTERM ? "SIGTERM" : "SIGINT");
    stop_workers(server, server->is_stopping ? WORKER_STOP_NOW : WORKER_DRAIN);
    server->is_stopping = true;
}

static void on_worker_ended(uv_async_t *handle)
{
    struct server *server = handle->data;

    if (atomic_load(&server->ended_count) == server->worker_count) {
        uv_close((uv_handle_t *)&server->terminate, NULL);
        uv_close((uv_handle_t *)&server->interrupt, NULL);
        uv_close((uv_handle_t *)&server->worker_ended, NULL);
    }
}

/* The main loop with its three handles. */
static bool open_loop(struct server *server, struct error *err)
{
    int fault = uv_loop_init(&server->loop);

    if (fault == 0) {
        fault = uv_async_init(&server->loop, &server->worker_ended, on_worker_ended);
    }
    if (fault != 0) {
        return error_set(err, ERROR_SYSTEM, "cannot make a loop: %s", uv_strerror(fault));
    }
    (void)uv_signal_init(&server->loop, &server->terminate); /* fails only with the loop */
    (void)uv_signal_init(&server->loop, &server->interrupt);
    server->worker_ended.data = server;
    server->terminate.data = server;
    server->interrupt.data = server;
    return true;
}

static void announce(struct server *server)
{
    char address[LISTEN_TEXT_BYTES];

    listen_format(&server->config.listen, address);
    (void)printf("listening on http://%s\n", address);
    (void)fflush(stdout); /* who does not read it finds it in the log */
    log_event(&server->log, LOG_INFO, "listening",
              "address=%s workers=%u connections=%u revision=%s libmicrohttpd=%s libuv=%s", address,
              server->worker_count, server->connections_max,
              app_snapshot_catalogue(server->snapshot)->revision, mhd_bridge_library_version(),
              uv_version_string());
}

/* Signals go to the main thread alone: threads inherit the mask they are made under. */
static void mask_signals(int how)
{
    sigset_t signals;

    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)pthread_sigmask(how, &signals, NULL); /* valid arguments: cannot fail */
}

static bool run(struct server *server, struct error *err)
{
    if (!open_loop(server, err)) {
        return false;
    }
    bool is_running = start_workers(server, err);

    if (is_running) {
        announce(server);
        app_snapshot_unref(server->snapshot);
        server->snapshot = NULL;
        (void)uv_signal_start(&server->terminate, on_signal, SIGTERM); /* valid: cannot fail */
        (void)uv_signal_start(&server->interrupt, on_signal, SIGINT);
        mask_signals(SIG_UNBLOCK);
    } else {
        server->worker_count = server->started_count; /* wait for these only */
        stop_workers(server, WORKER_STOP_NOW);
        on_worker_ended(&server->worker_ended);
    }
    (void)uv_run(&server->loop, UV_RUN_DEFAULT); /* until all workers have ended */
    mask_signals(SIG_BLOCK);                     /* nobody handles them any more */
    publisher_stop(server->publisher);
    for (unsigned i = 0; i < server->started_count; i++) {
        worker_join(server->workers[i]);
    }
    int fault = uv_loop_close(&server->loop);

    assert(fault == 0); /* the three handles were closed */
    return is_running;
}

/* What those who write need. */
static bool open_admin(struct server *server, struct error *err)
{
    server->folder = database_folder(server->database);
    if (server->folder == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
    }
    server->writes = write_queue_new(err);
    server->limit = server->writes == NULL ? NULL : rate_limit_new(err);
    return server->limit != NULL;
}

static void close_admin(struct server *server)
{
    write_queue_free(server->writes);
    rate_limit_free(server->limit);
    free(server->folder);
}

/* Sockets and room for the workers, then run. */
static bool open_and_run(struct server *server, struct error *err)
{
    long wanted = server->config.workers;
    bool has_run = false;

    server->worker_count = wanted > 0 ? (unsigned)wanted : cores_usable();
    server->connections_max = connections_of_worker(server);
    server->sockets = calloc(server->worker_count, sizeof *server->sockets);
    server->workers = calloc(server->worker_count, sizeof *server->workers);
    server->metrics = metrics_new(server->worker_count);
    unsigned opened_count = server->worker_count;

    if (server->sockets == NULL || server->workers == NULL || server->metrics == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
        goto free_arrays;
    }
    if (!listen_open(&server->config.listen, server->sockets, opened_count, err)) {
        goto free_arrays;
    }
    has_run = run(server, err);
    while (opened_count > 0) {
        (void)close(server->sockets[--opened_count]);
    }

free_arrays:
    metrics_free(server->metrics);
    free(server->workers);
    free(server->sockets);
    return has_run;
}

/* With the address claimed. */
static bool lock_and_run(struct server *server, struct error *err)
{
    bool has_run = false;

    /* the lock is a file beside the database: none is made beside a stranger's */
    if (!database_inspect(server->config.db_path, err) ||
        !lock_take(server->config.db_path, &server->lock, err)) {
        return false;
    }
    if (database_open(server->config.db_path, &server->database, err) &&
        publisher_load(server->database, &server->snapshot, err)) {
        database_keep_note(server->database, server->lock.fd);
        if (database_set_log_aside(server->database)) {
            log_event(
                &server->log, LOG_WARNING, "log-set-aside", "reason=%s",
                "\"a crash left the log of another database here; its name ends in -wal.old now\"");
        }
        has_run = open_admin(server, err) && open_and_run(server, err);
        close_admin(server);
    }
    app_snapshot_unref(server->snapshot);
    database_close(server->database);
    lock_release(&server->lock);
    return has_run;
}

bool serve(const struct config *config, struct error *err)
{
    struct server server = {.config = *config, .lock = {.fd = -1}};
    int claim = -1;
    bool has_run = false;

    mask_signals(SIG_BLOCK);        /* who stops it while it starts finds it stopped in order */
    (void)signal(SIGPIPE, SIG_IGN); /* a client that left is an error of its write only */
    if (!listen_claim(&config->listen, &claim, err)) {
        return false;
    }
    if (log_sink_init(&server.sink, STDERR_FILENO, (enum log_format)config->log_format, err)) {
        log_init(&server.log, &server.sink);
        mhd_bridge_log_panic(&server.log);
        has_run = lock_and_run(&server, err);
        if (has_run) {
            log_event(&server.log, LOG_INFO, "stopped", "%s", "");
        }
        log_finish(&server.log);
        log_sink_fini(&server.sink);
    }
    if (claim >= 0) {
        (void)close(claim); /* the address is free for the next one */
    }
    return has_run;
}
