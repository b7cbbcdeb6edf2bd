/* What goes over the wire, with a small application behind it: bodies, what libmicrohttpd lets
 * through and HTTP forbids (PERFORMANCE.md section 8), the raw parts of a request, and the cache.
 */
#include "worker_rig.h"

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

/* Heads of every length up to well over the library's pool: none is closed without an answer, but
 * for some cookies, which the library copies before anybody is asked. */
static void test_long_heads(struct rig *rig)
{
    static const char *const PARTS[] = {
        "GET /t?a=", "GET /t HTTP/1.1\r\n" HOST "X: ", "GET /t HTTP/1.1\r\n" HOST "Cookie: a="};
    static const char *const ENDS[] = {" HTTP/1.1\r\n" HOST "\r\n", "\r\n\r\n", "\r\n\r\n"};
    static const int REFUSED[] = {414, 431, 431};
    static char text[16384];

    for (size_t part = 0; part < 3; part++) {
        int answered = 0, refused = 0, other = 0;

        for (size_t length = 3900; length < 8500; length += 23) {
            struct socket_answer answer;
            char *out = stpcpy(text, PARTS[part]);

            memset(out, 'a', length);
            (void)stpcpy(out + length, ENDS[part]);
            socket_ask(&rig->address, text, strlen(text), &answer);
            answered += answer.status == 200 && refused == 0 ? 1 : 0;
            refused += answer.status == REFUSED[part] ? 1 : 0;
            other += answer.status != 200 && answer.status != REFUSED[part] ? 1 : 0;
            socket_answer_fini(&answer);
        }
        tap_ok(answered + refused + other == 200 && other <= (part == 2 ? 15 : 0) &&
                   (part == 2 || answered > 5),
               "\"%.12s\": %d answered, %d refused, %d otherwise", PARTS[part], answered, refused,
               other);
    }
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
        {"GET /two HTTP/1.1\r\n" HOST "Accept: a/b\r\nAccept: c/d\r\n\r\n",
         "0 /two  a/b, c/d 0 --"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct socket_answer answer;

        socket_ask(&rig->address, CASES[i].request, strlen(CASES[i].request), &answer);
        tap_text(answer.body, CASES[i].body, "the application sees the raw parts");
        socket_answer_fini(&answer);
    }
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
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "If-None-Match: \"x\"\r\n\r\n") == 0,
           "another tag: from the cache");
    tap_ok(calls_of(rig, "GET /free HTTP/1.1\r\n" HOST "\r\n") == 1, "not cacheable: asked");
    tap_ok(calls_of(rig, "GET /free HTTP/1.1\r\n" HOST "\r\n") == 1, "and asked again");
}

/* The status of one request, whose application must be called so often; -1: it was not. */
static int status_after(struct rig *rig, const char *request, int calls)
{
    int before = atomic_load(&double_calls);
    struct socket_answer answer;
    int fd = socket_connect(&rig->address);

    socket_send_text(fd, request);
    socket_read(fd, strstr(request, "If-None-Match") != NULL, &answer);
    int status = answer.status;

    if (status == 304) { /* no body: the next answer follows at once */
        status = get_is(fd, "/free", 200, "0 /free  - 0 --") ? status : -1;
        before++;
    }
    socket_answer_fini(&answer);
    (void)close(fd);
    return atomic_load(&double_calls) - before == calls ? status : -1;
}

static void test_cache_unchanged(struct rig *rig)
{
#define ASK "GET /kept?q=9 HTTP/1.1\r\n" HOST
    tap_ok(status_after(rig, ASK "If-None-Match: \"tag\"\r\n\r\n", 1) == 304, "unknown: asked");
    tap_ok(status_after(rig, ASK "If-None-Match: \"old\"\r\n\r\n", 0) == 200,
           "changed: from the answer that was kept then");
    tap_ok(status_after(rig, ASK "If-None-Match: \"tag\"\r\n\r\n", 0) == 304,
           "unchanged: the same");
    tap_ok(status_after(rig, ASK "If-None-Match: W/\"tag\"\r\n\r\n", 0) == 304, "a weak tag too");
    tap_ok(status_after(rig, ASK "If-None-Match: \"a\", \"tag\"\r\n\r\n", 0) == 304,
           "a list of tags");
    tap_ok(status_after(rig, ASK "\r\n", 0) == 200, "without a tag: the whole answer");
#undef ASK
}

static void test_cache_day(struct rig *rig)
{
    static const char REQUEST[] = "GET /kept?q=day HTTP/1.1\r\n" HOST "\r\n";

    tap_ok(calls_of(rig, REQUEST) == 1 && calls_of(rig, REQUEST) == 0, "kept today");
    (void)atomic_fetch_add(&rig_day, 1);
    tap_ok(calls_of(rig, REQUEST) == 1 && calls_of(rig, REQUEST) == 0, "asked again tomorrow");
}

/* Far more different targets than are kept: 100 connections, 200 pipelined each. */
static void test_cache_flood(struct rig *rig)
{
    int good = 0;

    for (int i = 0; i < 100; i++) {
        char requests[200 * 64];
        size_t used = 0;
        int fd = socket_connect(&rig->address);

        for (int k = 0; k < 200; k++) {
            used += (size_t)snprintf(requests + used, sizeof requests - used,
                                     "GET /kept?n=%d HTTP/1.1\r\n" HOST "\r\n", i * 200 + k);
        }
        socket_send(fd, requests, used);
        for (int k = 0; k < 200; k++) {
            struct socket_answer answer;
            char wanted[64];

            (void)snprintf(wanted, sizeof wanted, "0 /kept n=%d - 0 --", i * 200 + k);
            socket_read(fd, false, &answer);
            good += answer.body != NULL && strcmp(answer.body, wanted) == 0 ? 1 : 0;
            socket_answer_fini(&answer);
        }
        (void)close(fd);
    }
    tap_ok(good == 20000, "%d of 20000 different targets are answered, each with its own", good);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, 20, RIG_CONNECTIONS);
    test_head(&rig);
    test_bodies(&rig);
    test_early_413(&rig);
    test_refusals(&rig);
    test_targets(&rig);
    test_long_heads(&rig);
    test_request_parts(&rig);
    test_cache(&rig);
    test_cache_unchanged(&rig);
    test_cache_day(&rig);
    test_cache_flood(&rig);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    rig_end(&rig);
    return tap_done();
}
