/* What goes over the wire of one answer in its representations: codings, their tags, 304, and who
 * shares a kept one. */
#include "worker_rig.h"

#include <zlib.h>

enum { CLIENT_BYTES = 1024 };

/* Asks for the target with more header lines; the application must be called so often. */
static bool ask(struct rig *rig, const char *method, const char *target, const char *lines,
                int calls, struct socket_answer *answer)
{
    char request[CLIENT_BYTES];
    int before = atomic_load(&double_calls);
    int fd = socket_connect(&rig->address);

    (void)snprintf(request, sizeof request, "%s %s HTTP/1.1\r\n" HOST "%s\r\n", method, target,
                   lines);
    socket_send_text(fd, request);
    bool has_body = strcmp(method, "HEAD") != 0 && strstr(lines, "If-None-Match") == NULL;

    socket_read(fd, !has_body, answer);
    (void)close(fd);
    return atomic_load(&double_calls) - before == calls;
}

static bool unpacks_to(const struct socket_answer *answer, size_t count)
{
    char *out = malloc(count + 1);
    z_stream stream = {.next_in = (Bytef *)answer->body,
                       .avail_in = (uInt)answer->body_bytes,
                       .next_out = (Bytef *)out,
                       .avail_out = (uInt)count + 1};

    if (out == NULL || inflateInit2(&stream, 15 + 16) != Z_OK) {
        abort();
    }
    bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == count &&
                    stream.avail_in == 0 && memcmp(out, "a line again\na line", 19) == 0;

    (void)inflateEnd(&stream);
    free(out);
    return is_whole;
}

static void copy_header(const struct socket_answer *answer, const char *name, char value[64])
{
    const char *found = socket_header(answer, name);

    (void)snprintf(value, 64, "%.*s", found == NULL ? 0 : (int)strcspn(found, "\r\n"),
                   found == NULL ? "" : found);
}

#define GZIP "Accept-Encoding: gzip\r\n"

static void test_gzip(struct rig *rig)
{
    struct socket_answer answer = {0};
    char tag[64], length[64], head_length[64];

    tap_ok(ask(rig, "GET", "/text?9000", "", 1, &answer) && answer.body_bytes == 9000 &&
               socket_header(&answer, "Content-Encoding") == NULL &&
               socket_header_is(&answer, "ETag", "\"tag\""),
           "as it is for who does not ask for gzip");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?9000", GZIP, 1, &answer) &&
               socket_header_is(&answer, "Content-Encoding", "gzip") && unpacks_to(&answer, 9000),
           "gzip for who does");
    copy_header(&answer, "ETag", tag);
    copy_header(&answer, "Content-Length", length);
    tap_ok(strncmp(tag, "\"tag-z", 6) == 0 && strlen(tag) == 15, "with a tag of its own: %s", tag);
    tap_ok((size_t)atoi(length) == answer.body_bytes && answer.body_bytes < 500,
           "and its own length");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?9000", "Accept-Encoding: br, x-gzip;q=0.3\r\n", 0, &answer) &&
               unpacks_to(&answer, 9000),
           "another spelling of the same wish: from the cache");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?9000", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n", 0,
               &answer) &&
               unpacks_to(&answer, 9000),
           "two lines are one list");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "HEAD", "/text?9000", GZIP, 0, &answer) &&
               socket_header_is(&answer, "ETag", tag) &&
               socket_header_is(&answer, "Content-Encoding", "gzip"),
           "HEAD has the headers of GET");
    copy_header(&answer, "Content-Length", head_length);
    tap_text(head_length, length, "and the length");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?9000", "Accept-Encoding: identity\r\n", 0, &answer) &&
               answer.body_bytes == 9000,
           "identity is still there");
    socket_answer_fini(&answer);
}

static void test_what_pays(struct rig *rig)
{
    static const struct {
        const char *name, *target, *lines;
        int status, calls;
        bool is_packed;
    } CASES[] = {
        {"1023 bytes", "/text?1023", GZIP, 200, 1, false},
        {"1024 bytes", "/text?1024", GZIP, 200, 1, true},
        {"what does not shrink", "/noise?4000", GZIP, 200, 1, false},
        {"it again", "/noise?4000", GZIP, 200, 0, false},
        {"100 bytes for who takes gzip alone", "/text?100", GZIP "Accept-Encoding: *;q=0\r\n", 200,
         1, true},
        {"the same for others", "/text?100", "", 200, 1, false},
        {"a problem", "/bad?1", GZIP, 400, 1, false},
        {"neither accepted", "/text?9000", "Accept-Encoding: *;q=0\r\n", 406, 0, false},
        {"what is not kept", "/free?1", GZIP "Accept-Encoding: *;q=0\r\n", 200, 1, true},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct socket_answer answer = {0};

        tap_ok(ask(rig, "GET", CASES[i].target, CASES[i].lines, CASES[i].calls, &answer) &&
                   answer.status == CASES[i].status &&
                   socket_header_is(&answer, "Content-Encoding", "gzip") == CASES[i].is_packed &&
                   (answer.status != 200 ||
                    socket_header_is(&answer, "ETag", "\"tag\"") != CASES[i].is_packed),
               "%s: %d", CASES[i].name, answer.status);
        socket_answer_fini(&answer);
    }
}

static void test_unchanged(struct rig *rig)
{
    struct socket_answer answer = {0};
    char tag[64], lines[256];

    (void)ask(rig, "GET", "/text?5000", GZIP, 1, &answer);
    copy_header(&answer, "ETag", tag);
    size_t packed_bytes = answer.body_bytes;

    socket_answer_fini(&answer);
    (void)snprintf(lines, sizeof lines, GZIP "If-None-Match: \"a\", W/%s\r\n", tag);
    for (int i = 0; i < 2; i++) {
        tap_ok(ask(rig, i == 0 ? "GET" : "HEAD", "/text?5000", lines, 0, &answer) &&
                   answer.status == 304 && socket_header_is(&answer, "ETag", tag) &&
                   socket_header_is(&answer, "Vary", "X"),
               "304 to whom has the compressed one, with tag and Vary");
        const char *length = socket_header(&answer, "Content-Length");

        tap_ok((length == NULL || (size_t)atoi(length) == packed_bytes) &&
                   socket_header(&answer, "Content-Type") == NULL &&
                   socket_header(&answer, "Content-Encoding") == NULL &&
                   socket_header(&answer, "Content-Language") == NULL,
               "without what tells of a body, but its length at most");
        socket_answer_fini(&answer);
    }
    (void)snprintf(lines, sizeof lines, "If-None-Match: %s\r\n", tag);
    tap_ok(ask(rig, "GET", "/text?5000", lines, 1, &answer) && answer.status == 200 &&
               socket_header_is(&answer, "ETag", "\"tag\""),
           "the tag of the compressed one says nothing about the other");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?5000", GZIP "If-None-Match: \"tag\"\r\n", 0, &answer) &&
               answer.status == 200,
           "nor the other way round");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?5000", "If-None-Match: *\r\n", 0, &answer) &&
               answer.status == 304,
           "any will do");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/free?1", "If-None-Match: \"tag\"\r\n", 1, &answer) &&
               answer.status == 304,
           "an answer that is not kept has a tag too");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/bad?1", "If-None-Match: *\r\n", 1, &answer) && answer.status == 400,
           "a problem has none");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "POST", "/free?1", "Content-Length: 0\r\nIf-None-Match: \"tag\"\r\n", 1,
               &answer) &&
               answer.status == 200,
           "nor is POST answered 304");
    socket_answer_fini(&answer);
}

static void test_origins(struct rig *rig)
{
    struct socket_answer answer = {0};
    char lines[128];

    (void)snprintf(lines, sizeof lines, "Origin: %s\r\n", RIG_ORIGIN);
    tap_ok(ask(rig, "GET", "/text?10", "", 1, &answer) && socket_header_is(&answer, "Vary", "X"),
           "no origin: asked");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?10", "Origin: https://other.example\r\n", 0, &answer) &&
               socket_header_is(&answer, "Vary", "X"),
           "any other: the same answer");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?10", lines, 1, &answer) &&
               socket_header_is(&answer, "Vary", "X-Allowed"),
           "the one that is allowed: asked");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?10", lines, 0, &answer) &&
               socket_header_is(&answer, "Vary", "X-Allowed"),
           "and kept beside it");
    socket_answer_fini(&answer);
    tap_ok(ask(rig, "GET", "/text?10", "Origin: a\r\nOrigin: b\r\n", 0, &answer) &&
               answer.status == 400,
           "two origins are refused");
    socket_answer_fini(&answer);
}

/* Both representations go when the day or the snapshot does, and their memory with them. */
static void test_changes(struct rig *rig)
{
    struct socket_answer answer = {0};
    int calls = 0;

    for (int i = 0; i < 3; i++) {
        calls += ask(rig, "GET", "/text?7000", GZIP, 1, &answer) ? 1 : 0;
        socket_answer_fini(&answer);
        calls += ask(rig, "GET", "/text?7000", "If-None-Match: \"tag\"\r\n", 1, &answer) ? 1 : 0;
        socket_answer_fini(&answer);
        (void)atomic_fetch_add(&rig_day, 1);
    }
    tap_ok(calls == 6, "another day: both are made anew");
    worker_publish(rig->worker, double_snapshot("next"));
    for (int i = 0; i < 200 && atomic_load(&double_live_snapshots) > 1; i++) {
        (void)ask(rig, "GET", "/free", "", 1, &answer);
        socket_answer_fini(&answer);
    }
    tap_ok(ask(rig, "GET", "/text?7000", GZIP, 1, &answer) &&
               atomic_load(&double_live_snapshots) == 1,
           "another catalogue too, and the old one is free");
    socket_answer_fini(&answer);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, 20, RIG_CONNECTIONS);
    test_gzip(&rig);
    test_what_pays(&rig);
    test_unchanged(&rig);
    test_origins(&rig);
    test_changes(&rig);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    rig_end(&rig);
    return tap_done();
}
