/* Log lines as they are written. */
#include "../../server/log.h"

#include "../tap.h"

#include <regex.h>
#include <stdlib.h>
#include <unistd.h>

static struct log test_log; /* larger than a stack frame should be */

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;

    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) != 0) {
        abort();
    }
    bool is_match = regexec(&regex, text, 0, NULL, 0) == 0;

    regfree(&regex);
    if (!is_match) {
        printf("# %s", text);
    }
    return is_match;
}

/* What the pipe holds now; NUL-terminated. */
static size_t drain(int fd, char *text, size_t room)
{
    ssize_t got = read(fd, text, room - 1);
    size_t length = got > 0 ? (size_t)got : 0;

    text[length] = '\0';
    return length;
}

static void test_quote(void)
{
    char out[LOG_QUOTED_BYTES], longest[5000];

    tap_text(log_quote("/a b", 4, out), "\"/a b\"", "plain text");
    tap_text(log_quote("a\"\\\n\x7F\xC3\0z", 8, out), "\"a\\\"\\\\\\x0a\\x7f\\xc3\\x00z\"",
             "quotes, controls, other bytes and NUL");
    tap_text(log_quote("", 0, out), "\"\"", "empty");
    memset(longest, '\1', sizeof longest);
    size_t length = strlen(log_quote(longest, sizeof longest, out));

    tap_ok(length < LOG_QUOTED_BYTES && strcmp(out + length - 4, "...\"") == 0, "cut to fit");
    memset(longest, 'a', sizeof longest);
    length = strlen(log_quote(longest, sizeof longest, out));
    tap_ok(length < LOG_QUOTED_BYTES && strcmp(out + length - 4, "...\"") == 0, "cut at any byte");
}

static void test_lines(int in, struct log *log)
{
    static char text[LOG_BUFFER_BYTES * 2];
    struct log_request request = {.number = 12,
                                  .method = "GET",
                                  .route = "/gpus/{id}",
                                  .path = "/a \"b",
                                  .path_bytes = 5,
                                  .status = 200,
                                  .body_bytes = UINT64_MAX,
                                  .microseconds = 0,
                                  .worker = 3};

    log_event(log, LOG_WARNING, "thing", "count=%d", 5);
    (void)drain(in, text, sizeof text);
    tap_ok(matches(text, "^ts=20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}\\.[0-9]{3}Z level=warning "
                         "event=thing count=5$"),
           "an event is written at once");
    log_request(log, &request);
    tap_ok(log->used > 0, "a request line waits");
    request.status = 0;
    request.end = "client-left";
    log_request(log, &request);
    log_flush(log);
    (void)drain(in, text, sizeof text);
    tap_ok(matches(text, "level=info event=request id=[0-9a-f]{8}-3-12 method=GET "
                         "route=/gpus/\\{id\\} path=\"/a \\\\\"b\" status=200 "
                         "bytes=18446744073709551615 us=0 worker=3$"),
           "a request line");
    tap_ok(matches(text, "status=0 bytes=18446744073709551615 us=0 worker=3 end=client-left$"),
           "one that ended early");
    log_event(log, LOG_INFO, "bare", "%s", "");
    (void)drain(in, text, sizeof text);
    tap_ok(matches(text, "level=info event=bare$"),
           "an event without pairs has no blank at its end");
}

/* The same lines as JSON: whole numbers are numbers, all else is text, escapes are JSON's. */
static void test_json(int in, struct log *log)
{
    static char text[LOG_BUFFER_BYTES * 2];
    char quoted[LOG_QUOTED_BYTES], worst[LOG_QUOTED_BYTES];
    struct log_request request = {.number = 1,
                                  .method = "GET",
                                  .route = "none",
                                  .path = "/\"\\\n\xff",
                                  .path_bytes = 5,
                                  .status = 200,
                                  .body_bytes = UINT64_MAX,
                                  .worker = 3};

    log->sink->format = LOG_JSON;
    log_event(log, LOG_WARNING, "thing",
              "count=%d zero=0 revision=0012 text=%s empty=\"\" bare=", 5,
              log_quote("a b", 3, quoted));
    (void)drain(in, text, sizeof text);
    tap_ok(matches(text, "^\\{\"ts\":\"20[0-9T:.-]*Z\",\"level\":\"warning\",\"event\":"
                         "\"thing\",\"count\":5,\"zero\":0,\"revision\":\"0012\","
                         "\"text\":\"a b\",\"empty\":\"\",\"bare\":\"\"\\}$"),
           "an event as JSON");
    log_request(log, &request);
    log_flush(log);
    (void)drain(in, text, sizeof text);
    tap_ok(strstr(text, "\"path\":\"/\\\"\\\\\\u000a\\u00ff\",\"status\":200,"
                        "\"bytes\":\"18446744073709551615\",\"us\":0,\"worker\":3}\n") != NULL,
           "a request as JSON: %s", text);
    memset(worst, '\1', sizeof worst);
    request.path = worst;
    request.path_bytes = sizeof worst;
    log_request(log, &request);
    log_event(log, LOG_INFO, "bare", "%s", "");
    size_t length = drain(in, text, sizeof text);

    tap_ok(length > 1200 && strstr(text, "...\",\"status\"") != NULL &&
               strstr(text, "\"event\":\"bare\"}\n") == text + length - 16,
           "the longest line is whole (%zu bytes)", length);
    log->sink->format = LOG_LOGFMT;
}

/* More than the buffer holds: whole lines come out, none is lost. */
static void test_overflow(int in, struct log *log)
{
    static char text[LOG_BUFFER_BYTES * 2];
    static char path[400];
    size_t lines = 0, length = 0;

    memset(path, 'p', sizeof path);
    for (int i = 0; i < 90; i++) { /* 90 x about 500 bytes are more than 32 KiB, less than a pipe */
        log_request(log,
                    &(struct log_request){
                        .method = "HEAD", .route = "/x", .path = path, .path_bytes = sizeof path});
    }
    log_flush(log);
    for (size_t got = drain(in, text, sizeof text); got > 0;
         got = lines < 90 ? drain(in, text, sizeof text) : 0) {
        length += got;
        for (size_t i = 0; i < got; i++) {
            lines += text[i] == '\n' ? 1 : 0;
        }
    }
    tap_ok(lines == 90 && length > LOG_BUFFER_BYTES, "%zu lines of 90 in %zu bytes", lines, length);
}

/* Nobody reads: nothing waits, and how much was lost is said to the next reader. */
static void test_stalled_reader(int in, struct log *log)
{
    enum { LINES = 20000 };
    static char text[LINES * 256], path[100];
    size_t length = 0, lines = 0;

    memset(path, 'p', sizeof path);
    for (int i = 0; i < LINES; i++) {
        log_request(log,
                    &(struct log_request){
                        .method = "GET", .route = "/x", .path = path, .path_bytes = sizeof path});
    }
    tap_ok(log->lost_lines > 0, "a pipe that nobody reads stops nobody");
    uint64_t lost = log->lost_lines;

    do { /* what the pipe held, then what the buffer held */
        length += drain(in, text + length, sizeof text - length);
        log_flush(log);
    } while (log->used > 0);
    log_event(log, LOG_INFO, "again", "%s", "");
    length += drain(in, text + length, sizeof text - length);
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n' ? 1 : 0;
    }
    char wanted[64];

    (void)snprintf(wanted, sizeof wanted, "event=log-lost lines=%llu\n", (unsigned long long)lost);
    tap_ok(strstr(text, wanted) != NULL && log->lost_lines == 0, "what was lost is counted: %s",
           wanted);
    tap_ok(lines == LINES - lost + 2, "all others are whole: %zu of %d", lines, (int)LINES);
    tap_ok(matches(text + length - strlen("event=again\n"), "^event=again$"), "and it goes on");
}

static void test_finish(int in, struct log *log)
{
    char text[256];

    log_request(log, &(struct log_request){
                         .method = "GET", .route = "/x", .path = "/last", .path_bytes = 5});
    log_finish(log);
    (void)drain(in, text, sizeof text);
    tap_ok(log->used == 0 && strstr(text, "path=\"/last\"") != NULL, "the last lines are written");
}

int main(void)
{
    struct log_sink sink;
    struct error err = {0};
    int ends[2];

    if (pipe(ends) != 0 || !log_sink_init(&sink, ends[1], LOG_LOGFMT, &err)) {
        abort();
    }
    log_init(&test_log, &sink);
    test_quote();
    test_lines(ends[0], &test_log);
    test_json(ends[0], &test_log);
    test_overflow(ends[0], &test_log);
    test_stalled_reader(ends[0], &test_log);
    test_finish(ends[0], &test_log);
    log_sink_fini(&sink);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return tap_done();
}
