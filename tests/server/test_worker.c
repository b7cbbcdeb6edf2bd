/* A worker over real sockets with a small application behind it: libmicrohttpd's pitfalls
 * (PERFORMANCE.md section 4 and 8), bodies, the cache, the life of snapshots, slow clients and the
 * end. */
#include "../../server/worker.h"

#include "../../server/log.h"
#include "../tap.h"
#include "app_double.h"
#include "socket_client.h"

#include <errno.h>
#include <time.h>

enum { MANY = 128, PIPELINED = 20, ROUNDS = 5 };

struct rig {
    struct listen_address address;
    int listen_fd;
    struct log_sink sink;
    FILE *log; /* what the worker wrote */
    struct worker *worker;
    atomic_int ended;
};

static void on_end(void *data)
{
    struct rig *rig = data;

    (void)atomic_fetch_add(&rig->ended, 1);
}

static void rig_start(struct rig *rig, unsigned timeout_s)
{
    struct error err = {0};
    struct worker_settings settings = {.bridge = {.worker = 7,
                                                  .connections_max = 1000,
                                                  .idle_timeout_s = timeout_s,
                                                  .request_timeout_s = timeout_s,
                                                  .access_log = true},
                                       .stop_timeout_s = 2,
                                       .sink = &rig->sink,
                                       .on_end = on_end,
                                       .data = rig};

    memset(rig, 0, sizeof *rig);
    rig->log = tmpfile();
    if (rig->log == NULL || !listen_parse("127.0.0.1:0", &rig->address) ||
        !listen_open(&rig->address, &rig->listen_fd, 1, &err) ||
        !log_sink_init(&rig->sink, fileno(rig->log), &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    settings.bridge.listen_fd = rig->listen_fd;
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
    log_sink_fini(&rig->sink);
    (void)fclose(rig->log);
    (void)close(rig->listen_fd);
}

static void nap_ms(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* One more request on a connection; true: answered so. */
static bool get_is(int fd, const char *path, int status, const char *body)
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

static void test_keep_alive(struct rig *rig)
{
    int fd = socket_connect(&rig->address);
    bool all = true;

    for (int i = 0; i < ROUNDS; i++) {
        all = get_is(fd, "/a?b=c", 200, "0 /a b=c - 0 --") && all;
    }
    tap_ok(all, "%d requests one after the other on one connection", ROUNDS);
    (void)close(fd);
}

static void test_pipelined(struct rig *rig)
{
    int fd = socket_connect(&rig->address);
    char requests[PIPELINED * 64] = "", wanted[64];
    int good = 0;

    for (int i = 0; i < PIPELINED; i++) {
        size_t used = strlen(requests);

        (void)snprintf(requests + used, sizeof requests - used,
                       "GET /p%d HTTP/1.1\r\nHost: h\r\n\r\n", i);
    }
    socket_send_text(fd, requests);
    for (int i = 0; i < PIPELINED; i++) {
        struct socket_answer answer;

        socket_read(fd, false, &answer);
        (void)snprintf(wanted, sizeof wanted, "0 /p%d  - 0 --", i);
        good += answer.body != NULL && strcmp(answer.body, wanted) == 0 ? 1 : 0;
        socket_answer_fini(&answer);
    }
    tap_ok(good == PIPELINED, "%d of %d pipelined requests answered in order", good, PIPELINED);
    (void)close(fd);
}

/* 128 is the size of the library's event array, at which its own loops stall (PERFORMANCE.md 4.1).
 */
static void test_lockstep(struct rig *rig)
{
    int fds[MANY], good = 0;

    for (int i = 0; i < MANY; i++) {
        fds[i] = socket_connect(&rig->address);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++) {
            socket_send_text(fds[i], "GET /snapshot HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        for (int i = 0; i < MANY; i++) {
            struct socket_answer answer;

            socket_read(fds[i], false, &answer);
            good += answer.status == 200 ? 1 : 0;
            socket_answer_fini(&answer);
        }
    }
    tap_ok(good == MANY * ROUNDS, "%d connections in lockstep: %d of %d answered", MANY, good,
           MANY * ROUNDS);
    for (int i = 0; i < MANY; i++) {
        (void)close(fds[i]);
    }
}

static void test_head(struct rig *rig)
{
    struct socket_answer answer;
    const char *request = "HEAD /snapshot HTTP/1.1\r\nHost: h\r\n\r\n"
                          "GET /snapshot HTTP/1.1\r\nHost: h\r\n\r\n";
    int fd = socket_connect(&rig->address);

    socket_send_text(fd, request);
    socket_read(fd, true, &answer);
    tap_ok(answer.status == 200 && socket_header_is(&answer, "Content-Length", "5"),
           "HEAD has the length of the body");
    socket_answer_fini(&answer);
    socket_read(fd, false, &answer);
    tap_ok(answer.status == 200, "and no body: the next answer follows at once");
    socket_answer_fini(&answer);
    (void)close(fd);
}

/* A body of count bytes 'a', the last one 'z', with its head in front; chunked or not. */
static char *make_post(size_t count, bool is_chunked, size_t *length)
{
    size_t room = count + 1024, used;
    char *text = malloc(room);

    if (text == NULL) {
        abort();
    }
    used = (size_t)snprintf(text, room, "POST /echo HTTP/1.1\r\nHost: h\r\n");
    used += (size_t)snprintf(text + used, room - used,
                             is_chunked ? "Transfer-Encoding: chunked\r\n\r\n%zx\r\n"
                                        : "Content-Length: %zu\r\n\r\n",
                             count);
    memset(text + used, 'a', count);
    used += count;
    text[used - 1] = 'z';
    used += is_chunked ? (size_t)snprintf(text + used, room - used, "\r\n0\r\n\r\n") : 0;
    *length = used;
    return text;
}

static void test_bodies(struct rig *rig)
{
    static const struct {
        const char *name;
        size_t count;
        bool is_chunked;
        int status;
        const char *body;
    } CASES[] = {
        {"1 MiB, the most", 1048576, false, 200, "2 /echo  - 1048576 az"},
        {"1 MiB chunked", 1048576, true, 200, "2 /echo  - 1048576 az"},
        {"3 bytes", 3, false, 200, "2 /echo  - 3 az"},
        {"1 MiB and a byte", 1048577, false, 413, NULL},
        {"1 MiB and a byte, chunked", 1048577, true, 413, NULL},
        {"10 MB", 10000000, false, 413, NULL},
        {"10 MB chunked", 10000000, true, 413, NULL},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct socket_answer answer;
        size_t length;
        char *post = make_post(CASES[i].count, CASES[i].is_chunked, &length);

        socket_ask(&rig->address, post, length, &answer);
        tap_ok(answer.status == CASES[i].status, "body of %s: %d", CASES[i].name, answer.status);
        if (CASES[i].body != NULL) {
            tap_text(answer.body, CASES[i].body, "and it arrived whole");
        }
        socket_answer_fini(&answer);
        free(post);
    }
}

static void test_early_413(struct rig *rig)
{
    static const char *const HEADS[] = {
        "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
        "1048577\r\n\r\n"};

    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++) {
        struct socket_answer answer;

        socket_ask(&rig->address, HEADS[i], strlen(HEADS[i]), &answer);
        tap_ok(answer.status == 413, "refused before the body is sent");
        socket_answer_fini(&answer);
    }
}

struct refusal {
    const char *name, *text;
    size_t length; /* 0: of the text */
    int status;
    bool is_of_library; /* its own short reply, or closed without one */
};

#define HOST "Host: h\r\n"

static const struct refusal REFUSALS[] = {
    {"two Hosts", "GET / HTTP/1.1\r\n" HOST "Host: i\r\n\r\n", 0, 400, false},
    {"two equal Hosts", "GET / HTTP/1.1\r\n" HOST HOST "\r\n", 0, 400, false},
    {"a Host with a slash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 0, 400, false},
    {"no Host", "GET / HTTP/1.1\r\n\r\n", 0, 400, true},
    {"differing Content-Lengths",
     "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 0, 400, false},
    {"equal Content-Lengths",
     "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 0, 400, false},
    {"a signed Content-Length", "POST / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\na", 0, 400,
     true},
    {"Content-Length and Transfer-Encoding",
     "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     0, 400, true},
    {"Transfer-Encoding gzip", "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n", 0, 501,
     true},
    {"two Transfer-Encodings",
     "POST / HTTP/1.1\r\n" HOST
     "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     0, 400, false},
    {"a blank in a header name", "GET / HTTP/1.1\r\n" HOST "X Y: 1\r\n\r\n", 0, 400, true},
    {"a bracket in a header name", "GET / HTTP/1.1\r\n" HOST "X(Y: 1\r\n\r\n", 0, 400, false},
    {"a control character in a value", "GET / HTTP/1.1\r\n" HOST "X: a\001b\r\n\r\n", 0, 400,
     false},
    {"DEL in a value", "GET / HTTP/1.1\r\n" HOST "X: a\177b\r\n\r\n", 0, 400, false},
    {"an unknown method", "BREW / HTTP/1.1\r\n" HOST "\r\n", 0, 501, false},
    {"a method in lower case", "get / HTTP/1.1\r\n" HOST "\r\n", 0, 501, false},
    {"a control character in the target", "GET /a\001 HTTP/1.1\r\n" HOST "\r\n", 0, 400, false},
    {"DEL in the target", "GET /a\177 HTTP/1.1\r\n" HOST "\r\n", 0, 400, false},
    {"a fragment", "GET /a#b HTTP/1.1\r\n" HOST "\r\n", 0, 400, false},
    {"a target without a slash", "GET a HTTP/1.1\r\n" HOST "\r\n", 0, 400, false},
    {"NUL in the target", "GET /a\0b HTTP/1.1\r\n" HOST "\r\n",
     sizeof "GET /a\0b HTTP/1.1\r\n" HOST "\r\n" - 1, 400, true},
    {"NUL in the query", "GET /a?b=\0c HTTP/1.1\r\n" HOST "\r\n",
     sizeof "GET /a?b=\0c HTTP/1.1\r\n" HOST "\r\n" - 1, 400, true},
    {"a blank in the target", "GET /a b HTTP/1.1\r\n" HOST "\r\n", 0, 0, true},
    {"no version", "GET /\r\n\r\n", 0, 0, true},
    {"rubbish", "\026\003\001\002\r\n\r\n", 0, 0, true},
};

static void test_refusals(struct rig *rig)
{
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++) {
        const struct refusal *refusal = &REFUSALS[i];
        size_t length = refusal->length > 0 ? refusal->length : strlen(refusal->text);
        int calls = atomic_load(&double_calls);
        struct socket_answer answer;
        int fd = socket_connect(&rig->address);

        socket_send(fd, refusal->text, length);
        socket_read(fd, false, &answer);
        /* the library's own refusals differ between versions: any 4xx or 5xx, or closing, will do
         */
        bool is_refused = answer.status == refusal->status ||
                          (refusal->is_of_library && (answer.status == 0 || answer.status >= 400));
        bool is_problem = refusal->is_of_library ||
                          (socket_header_is(&answer, "Content-Type", "application/problem+json") &&
                           socket_header_is(&answer, "Connection", "close"));

        tap_ok(is_refused && is_problem && atomic_load(&double_calls) == calls, "%s: %d",
               refusal->name, answer.status);
        if (!refusal->is_of_library) {
            tap_ok(socket_is_closed(fd), "and the connection is closed");
        }
        socket_answer_fini(&answer);
        (void)close(fd);
    }
}

/* "GET /t?a=1&a=1..." with count parameters; the last value is padded so that the target has length
 * bytes. */
static void ask_target(struct rig *rig, size_t count, size_t length, struct socket_answer *answer)
{
    char *request = calloc(1, length + count * 4 + 128);

    if (request == NULL) {
        abort();
    }
    char *out = stpcpy(request, "GET /t?a=1");

    for (size_t i = 1; i < count; i++) {
        out = stpcpy(out, "&a=1");
    }
    while ((size_t)(out - request) < strlen("GET ") + length) {
        *out++ = '1';
    }
    size_t used = (size_t)(stpcpy(out, " HTTP/1.1\r\n" HOST "\r\n") - request);

    socket_ask(&rig->address, request, used, answer);
    free(request);
}

static void test_targets(struct rig *rig)
{
    static const struct {
        size_t count, length;
        int status;
    } CASES[] = {{80, 0, 200},  {80, 4096, 200}, {81, 0, 414},   {200, 0, 414},
                 {400, 0, 414}, {900, 0, 414},   {1, 4096, 200}, {1, 4097, 414}};
    struct socket_answer answer;

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ask_target(rig, CASES[i].count, CASES[i].length, &answer);
        tap_ok(answer.status == CASES[i].status, "%zu parameters, %zu bytes at least: %d",
               CASES[i].count, CASES[i].length, answer.status);
        socket_answer_fini(&answer);
    }
    ask_target(rig, 1, 100000, &answer);
    tap_ok(answer.status == 0 || answer.status == 414, "100,000 bytes of target: %d",
           answer.status);
    socket_answer_fini(&answer);
}

static void test_request_parts(struct rig *rig)
{
    static const struct {
        const char *request, *body;
    } CASES[] = {
        {"GET /a%20b%00?c=%20&d=+ HTTP/1.1\r\n" HOST "Accept: text/x\r\n\r\n",
         "0 /a%20b%00 c=%20&d=+ text/x 0 --"},
        {"GET http://h/abs?x HTTP/1.1\r\n" HOST "\r\n", "0 /abs x - 0 --"},
        {"GET http://h HTTP/1.1\r\n" HOST "\r\n", "0 /  - 0 --"},
        {"GET /? HTTP/1.0\r\n\r\n", "0 /  - 0 --"},
        {"OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "4 *  - 0 --"},
        {"DELETE /x HTTP/1.1\r\n" HOST "\r\n", "3 /x  - 0 --"},
        {"PUT /x?a?b HTTP/1.1\r\n" HOST "\r\n", "5 /x a?b - 0 --"},
        {"GET /two HTTP/1.1\r\n" HOST "Accept: a/b\r\nAccept: c/d\r\n\r\n", "0 /two  a/b 0 --"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct socket_answer answer;

        socket_ask(&rig->address, CASES[i].request, strlen(CASES[i].request), &answer);
        tap_text(answer.body, CASES[i].body, "the application sees the raw parts");
        socket_answer_fini(&answer);
    }
}

/* The application's calls for one request. */
static int calls_of(struct rig *rig, const char *request)
{
    int before = atomic_load(&double_calls);
    struct socket_answer answer;

    socket_ask(&rig->address, request, strlen(request), &answer);
    bool is_good = answer.status == 200;

    socket_answer_fini(&answer);
    return is_good ? atomic_load(&double_calls) - before : -1;
}

static void test_cache(struct rig *rig)
{
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "\r\n") == 1, "first time: asked");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "\r\n") == 0, "again: from the cache");
    tap_ok(calls_of(rig, "HEAD /kept?q=1 HTTP/1.1\r\n" HOST "\r\n") == 0, "HEAD too");
    tap_ok(calls_of(rig, "GET /kept?q=2 HTTP/1.1\r\n" HOST "\r\n") == 1, "another query: asked");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "Accept: a/b\r\n\r\n") == 1,
           "another Accept: asked");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "Accept-Language: zh\r\n\r\n") == 1,
           "another language: asked");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "If-None-Match: \"x\"\r\n\r\n") == 1,
           "If-None-Match: asked");
    tap_ok(calls_of(rig, "GET /free HTTP/1.1\r\n" HOST "\r\n") == 1, "not cacheable: asked");
    tap_ok(calls_of(rig, "GET /free HTTP/1.1\r\n" HOST "\r\n") == 1, "and asked again");
}

/* A body of the old snapshot half sent while a new one is published. */
static void test_snapshot_life(struct rig *rig)
{
    int slow = socket_connect(&rig->address), fd = socket_connect(&rig->address);
    struct socket_answer answer;
    size_t firsts = 0;

    socket_send_text(slow, "GET /large HTTP/1.1\r\n" HOST "\r\n");
    tap_ok(get_is(fd, "/snapshot", 200, "first"), "the first snapshot is served");
    tap_ok(get_is(fd, "/kept?q=1", 200, "0 /kept q=1 - 0 --"), "and something is cached");
    worker_publish(rig->worker, double_snapshot("unread"));
    worker_publish(rig->worker, double_snapshot("second"));
    nap_ms(200);
    tap_ok(get_is(fd, "/snapshot", 200, "second"), "then the newest one, not its cached answer");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "\r\n") == 1, "the cache was emptied");
    tap_ok(atomic_load(&double_live_snapshots) == 2, "the old one lives while it is being sent");
    socket_read(slow, false, &answer);
    for (size_t i = 0; i < answer.body_bytes; i++) {
        firsts += answer.body[i] == 'f' ? 1 : 0;
    }
    tap_ok(answer.status == 200 && firsts == DOUBLE_LARGE_BYTES,
           "which is the old one to the last byte");
    socket_answer_fini(&answer);
    nap_ms(200);
    tap_ok(atomic_load(&double_live_snapshots) == 1, "then it is gone");
    (void)close(slow);
    (void)close(fd);
}

/* Reads the log back: every line ts, level, event and pairs; counts lines that are not of level
 * info. */
static void test_log(struct rig *rig)
{
    char line[4096];
    size_t lines = 0, bad = 0, alarming = 0;

    nap_ms(300); /* lines are written together, after a moment */
    rewind(rig->log);
    while (fgets(line, sizeof line, rig->log) != NULL) {
        lines++;
        bad += strncmp(line, "ts=20", 5) == 0 && strstr(line, "Z level=") != NULL &&
                       (strstr(line, " event=request method=") != NULL ||
                        strstr(line, " event=library worker=7 message=") != NULL) &&
                       strstr(line, " worker=7") != NULL && line[strlen(line) - 1] == '\n'
                   ? 0
                   : 1;
        if (strstr(line, " level=info ") == NULL) {
            alarming++;
            printf("# %s", line);
        }
    }
    tap_ok(lines > (size_t)MANY * ROUNDS, "a line for each request (%zu)", lines);
    tap_ok(bad == 0, "all of the promised form (%zu are not)", bad);
    tap_ok(alarming == 0, "none of them a warning (%zu are)", alarming);
    (void)fseek(rig->log, 0, SEEK_END);
}

/* Seconds until the connection is closed while a byte is sent every 200 ms; -1: longer than 8. */
static double seconds_of_dripping(const struct listen_address *address, const char *start)
{
    int fd = socket_connect(address);
    struct timespec begin, now;
    char byte;
    double seconds = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    socket_send_text(fd, start);
    while (seconds < 8) {
        nap_ms(200);
        socket_send_text(fd, "a");
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        seconds = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9;
        ssize_t got = recv(fd, &byte, 1, MSG_DONTWAIT);

        if (got == 0 || (got < 0 && errno != EAGAIN)) {
            (void)close(fd);
            return seconds;
        }
    }
    (void)close(fd);
    return -1;
}

static void test_slow_clients(void)
{
    struct rig rig;

    rig_start(&rig, 1); /* idle and request time-out of a second */
    int idle = socket_connect(&rig.address), used = socket_connect(&rig.address);

    tap_ok(get_is(used, "/a", 200, "0 /a  - 0 --"), "a connection that will be idle");
    tap_ok(socket_is_closed(idle) && socket_is_closed(used), "idle connections are closed");
    double head = seconds_of_dripping(&rig.address, "GET / HTTP/1.1\r\nHost: h\r\nX: ");
    double body = seconds_of_dripping(&rig.address,
                                      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
    double line = seconds_of_dripping(&rig.address, "GET /");

    tap_ok(head > 0.9 && head < 3.5, "a header a byte at a time is ended (%.1f s)", head);
    tap_ok(body > 0.9 && body < 3.5, "a body a byte at a time is ended (%.1f s)", body);
    tap_ok(line > 0.9 && line < 4.5, "a request line a byte at a time is ended (%.1f s)", line);
    int fd = socket_connect(&rig.address);

    tap_ok(get_is(fd, "/a", 200, "0 /a  - 0 --"), "others are served");
    (void)close(fd);
    (void)close(idle);
    (void)close(used);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    rig_end(&rig);
}

static void test_drain(struct rig *rig)
{
    int fds[MANY], half = socket_connect(&rig->address), silent = socket_connect(&rig->address);
    struct socket_answer answer;
    int closed = 0;

    for (int i = 0; i < MANY; i++) {
        fds[i] = socket_connect(&rig->address);
        (void)get_is(fds[i], "/readyz", 200, "ready");
    }
    socket_send_text(half, "GET /readyz HTTP/1.1\r\nHost: h\r\n");
    socket_send_text(silent, "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab");
    nap_ms(200);
    worker_stop(rig->worker, WORKER_DRAIN);
    for (int i = 0; i < MANY; i++) {
        closed += socket_is_closed(fds[i]) ? 1 : 0;
        (void)close(fds[i]);
    }
    tap_ok(closed == MANY, "%d of %d idle connections closed", closed, MANY);
    tap_ok(atomic_load(&rig->ended) == 0, "what is half sent is waited for");
    socket_send_text(half, "\r\n");
    socket_read(half, false, &answer);
    tap_ok(answer.status == 503 && socket_header_is(&answer, "Connection", "close"),
           "/readyz says 503 while stopping: %d", answer.status);
    socket_answer_fini(&answer);
    tap_ok(socket_is_closed(silent), "what never comes is not waited for longer than the time-out");
    (void)close(half);
    (void)close(silent);
    rig_end(rig);
    tap_ok(atomic_load(&rig->ended) == 1 && atomic_load(&double_live_snapshots) == 0,
           "ended once, with every snapshot released");
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, 20);
    test_keep_alive(&rig);
    test_pipelined(&rig);
    test_lockstep(&rig);
    test_head(&rig);
    test_bodies(&rig);
    test_early_413(&rig);
    test_refusals(&rig);
    test_targets(&rig);
    test_request_parts(&rig);
    test_cache(&rig);
    test_snapshot_life(&rig);
    test_log(&rig);
    test_drain(&rig);
    test_slow_clients();
    return tap_done();
}
