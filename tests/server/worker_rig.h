/* A worker over real sockets with a small application behind it, and a clock whose day is the
 * test's. Included once per program. */
#ifndef GPUWISE_TESTS_WORKER_RIG_H
#define GPUWISE_TESTS_WORKER_RIG_H

#include "../../server/clock.h"
#include "../../server/log.h"
#include "../../server/metrics.h"
#include "../../server/worker.h"
#include "../tap.h"
#include "app_double.h"
#include "socket_client.h"

#include <time.h>

enum { RIG_CONNECTIONS = 1000 };

#define HOST "Host: h\r\n"

static atomic_int rig_day;
static struct mhd_admin_settings rig_admin; /* of the workers started from now on */

/* In place of server/clock.c, so that the day changes when the test says so. */
uint64_t clock_now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int32_t clock_today(void)
{
    return atomic_load(&rig_day);
}

struct rig {
    struct listen_address address;
    int listen_fd;
    struct log_sink sink;
    FILE *log; /* what the worker wrote */
    struct worker *worker;
    struct metrics *metrics;
    atomic_int ended;
};

static void on_end(void *data)
{
    struct rig *rig = data;

    (void)atomic_fetch_add(&rig->ended, 1);
}

static const char RIG_ORIGIN[] = "https://lab.example"; /* whose pages may use the API */

static void rig_start(struct rig *rig, unsigned timeout_s, unsigned connections_max)
{
    struct error err = {0};
    struct worker_settings settings = {.bridge = {.worker = 7,
                                                  .connections_max = connections_max,
                                                  .idle_timeout_s = timeout_s,
                                                  .request_timeout_s = timeout_s,
                                                  .access_log = true,
                                                  .cors_origin = RIG_ORIGIN,
                                                  .admin = rig_admin},
                                       .stop_timeout_s = 2,
                                       .sink = &rig->sink,
                                       .on_end = on_end,
                                       .data = rig};

    memset(rig, 0, sizeof *rig);
    rig->log = tmpfile();
    if (rig->log == NULL || !listen_parse("127.0.0.1:0", &rig->address) ||
        !listen_open(&rig->address, &rig->listen_fd, 1, &err) ||
        !log_sink_init(&rig->sink, fileno(rig->log), LOG_LOGFMT, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    settings.bridge.listen_fd = rig->listen_fd;
    rig->metrics = metrics_new(settings.bridge.worker + 1);
    if (rig->metrics == NULL) {
        printf("Bail out! out of memory\n");
        exit(1);
    }
    settings.bridge.metrics = rig->metrics;
    rig->worker = worker_start(&settings, double_snapshot("first"), &err);
    if (rig->worker == NULL) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
}

/* Joins the worker, which must have been told to stop. */
static void rig_end(struct rig *rig)
{
    worker_join(rig->worker);
    metrics_free(rig->metrics);
    log_sink_fini(&rig->sink);
    (void)fclose(rig->log);
    (void)close(rig->listen_fd);
}

/* One more request on a connection; true: answered so. */
__attribute__((unused)) static bool get_is(int fd, const char *path, int status, const char *body)
{
    struct socket_answer answer;
    char request[256];

    (void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: h\r\n\r\n", path);
    socket_send_text(fd, request);
    socket_read(fd, false, &answer);
    bool is_good = answer.status == status && answer.body != NULL && strcmp(answer.body, body) == 0;

    if (!is_good) {
        printf("# %s: %d %s\n", path, answer.status, answer.body == NULL ? "-" : answer.body);
    }
    socket_answer_fini(&answer);
    return is_good;
}

/* The application's calls for one request. */
__attribute__((unused)) static int calls_of(struct rig *rig, const char *request)
{
    int before = atomic_load(&double_calls);
    struct socket_answer answer;

    socket_ask(&rig->address, request, strlen(request), &answer);
    bool is_good = answer.status == 200;

    socket_answer_fini(&answer);
    return is_good ? atomic_load(&double_calls) - before : -1;
}

#endif
