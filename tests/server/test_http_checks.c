/* What a request may look like, without a socket: RFC 9110 section 5.6.2 (token), 9112 sections 3.2
 * (target, Host) and 6 (length of a body). */
#include "../../server/http_checks.h"

#include "../tap.h"

#include <stdlib.h>

struct header {
    const char *name, *value;
};

struct request_case {
    const char *name;
    struct header headers[4];
    bool is_http_1_0;
    int status;
};

static const struct request_case REQUESTS[] = {
    {"one Host", {{"Host", "a.example:8080"}}, false, 0},
    {"an IPv6 Host", {{"host", "[::1]:80"}}, false, 0},
    {"an empty Host", {{"Host", ""}}, false, 0},
    {"no Host", {{"Accept", "*/*"}}, false, 400},
    {"no Host in HTTP/1.0", {{"Accept", "*/*"}}, true, 0},
    {"two Hosts", {{"Host", "a"}, {"HOST", "a"}}, false, 400},
    {"two Hosts in HTTP/1.0", {{"Host", "a"}, {"HOST", "a"}}, true, 400},
    {"a user in Host", {{"Host", "u@a"}}, false, 400},
    {"a length", {{"Host", "a"}, {"Content-Length", "0012"}}, false, 0},
    {"an empty length", {{"Host", "a"}, {"Content-Length", ""}}, false, 400},
    {"a signed length", {{"Host", "a"}, {"Content-Length", "+1"}}, false, 400},
    {"a list of lengths", {{"Host", "a"}, {"Content-Length", "1, 1"}}, false, 400},
    {"a hexadecimal length", {{"Host", "a"}, {"Content-Length", "0x1"}}, false, 400},
    {"a length beyond 64 bits",
     {{"Host", "a"}, {"Content-Length", "99999999999999999999"}},
     false,
     400},
    {"two lengths", {{"Host", "a"}, {"Content-Length", "1"}, {"content-length", "1"}}, false, 400},
    {"chunked", {{"Host", "a"}, {"Transfer-Encoding", "Chunked"}}, false, 0},
    {"chunked in HTTP/1.0", {{"Host", "a"}, {"Transfer-Encoding", "chunked"}}, true, 400},
    {"gzip, chunked", {{"Host", "a"}, {"Transfer-Encoding", "gzip, chunked"}}, false, 501},
    {"chunked twice",
     {{"Host", "a"}, {"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
     false,
     400},
    {"length and chunked",
     {{"Host", "a"}, {"Content-Length", "1"}, {"Transfer-Encoding", "chunked"}},
     false,
     400},
    {"every mark of a token", {{"Host", "a"}, {"!#$%&'*+-.^_`|~09azAZ", "x"}}, false, 0},
    {"an empty name", {{"Host", "a"}, {"", "x"}}, false, 400},
    {"a blank in a name", {{"Host", "a"}, {"X ", "x"}}, false, 400},
    {"UTF-8 in a name", {{"Host", "a"}, {"X\xC3\xA4", "x"}}, false, 400},
    {"a tab in a value", {{"Host", "a"}, {"X", "a\tb"}}, false, 0},
    {"UTF-8 in a value", {{"Host", "a"}, {"X", "\xC3\xA4"}}, false, 0},
    {"a line feed in a value", {{"Host", "a"}, {"X", "a\nb"}}, false, 400},
    {"a carriage return in a value", {{"Host", "a"}, {"X", "a\rb"}}, false, 400},
    {"DEL in a value", {{"Host", "a"}, {"X", "\177"}}, false, 400},
};

static void test_requests(void)
{
    for (size_t i = 0; i < sizeof REQUESTS / sizeof REQUESTS[0]; i++) {
        struct http_checks checks = {0};

        for (size_t j = 0; j < 4 && REQUESTS[i].headers[j].name != NULL; j++) {
            const struct header *header = &REQUESTS[i].headers[j];

            http_checks_header(&checks, header->name, strlen(header->name), header->value,
                               strlen(header->value));
        }
        http_checks_finish(&checks, !REQUESTS[i].is_http_1_0);
        tap_ok(checks.status == REQUESTS[i].status &&
                   (checks.status == 0) == (checks.fault.text == (enum text)0),
               "%s: %d", REQUESTS[i].name, checks.status);
    }
}

static void test_methods(void)
{
    static const struct {
        const char *name;
        enum http_method method;
        int status;
    } METHODS[] = {
        {"GET", HTTP_GET, 0},       {"HEAD", HTTP_HEAD, 0},       {"POST", HTTP_POST, 0},
        {"DELETE", HTTP_DELETE, 0}, {"OPTIONS", HTTP_OPTIONS, 0}, {"PUT", HTTP_OTHER, 0},
        {"PATCH", HTTP_OTHER, 0},   {"TRACE", HTTP_OTHER, 0},     {"CONNECT", HTTP_OTHER, 0},
        {"BREW", HTTP_OTHER, 501},  {"get", HTTP_OTHER, 501},     {"", HTTP_OTHER, 501},
        {"GETS", HTTP_OTHER, 501}};

    for (size_t i = 0; i < sizeof METHODS / sizeof METHODS[0]; i++) {
        struct http_checks checks = {0};
        enum http_method method = http_checks_method(&checks, METHODS[i].name);

        tap_ok(method == METHODS[i].method && checks.status == METHODS[i].status,
               "method \"%s\": %d", METHODS[i].name, checks.status);
    }
}

struct target_case {
    const char *target, *path, *query; /* query NULL: none */
    int status;
};

static const struct target_case TARGETS[] = {
    {"/", "/", NULL, 0},
    {"/a?", "/a", "", 0},
    {"/a?b=c&d", "/a", "b=c&d", 0},
    {"/a?b?c", "/a", "b?c", 0},
    {"/a&b", "/a&b", NULL, 0},
    {"*", "*", NULL, 0},
    {"http://h/a?b", "/a", "b", 0},
    {"HTTPS://h:1", "/", NULL, 0},
    {"http://h?b", "/", "b", 0},
    {"http://", "/", NULL, 0},
    {"http:/", "http:/", NULL, 400},
    {"a", "a", NULL, 400},
    {"", "", NULL, 400},
    {"?a", "", "a", 400},
    {"**", "**", NULL, 400},
    {"/a b", "/a b", NULL, 400},
    {"/a\t", "/a\t", NULL, 400},
    {"/a\177", "/a\177", NULL, 400},
    {"/a#b", "/a#b", NULL, 400},
    {"/a?b#c", "/a", "b#c", 400},
    {"/\xC3\xA4", "/\xC3\xA4", NULL, 0},
    /* no characters of a URI, but typed by hand into curl: taken as if they were encoded */
    {"/a?q=\"", "/a", "q=\"", 0},
    {"/a?q=<b>|{c}^`\\", "/a", "q=<b>|{c}^`\\", 0},
};

static void test_targets(void)
{
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        const struct target_case *it = &TARGETS[i];
        struct http_checks checks = {0};
        struct http_target parts;

        http_checks_target(&checks, it->target, strlen(it->target), &parts);
        bool same_query = it->query == NULL
                              ? parts.query == NULL
                              : parts.query != NULL && parts.query_bytes == strlen(it->query) &&
                                    memcmp(parts.query, it->query, parts.query_bytes) == 0;

        tap_ok(checks.status == it->status && parts.path_bytes == strlen(it->path) &&
                   memcmp(parts.path, it->path, parts.path_bytes) == 0 && same_query,
               "target number %zu: %d", i, checks.status);
    }
}

/* The exact ends of both limits. */
static void test_target_limits(void)
{
    char target[LIMIT_TARGET_BYTES + 2];
    struct http_target parts;

    memset(target, 'a', sizeof target);
    target[0] = '/';
    for (size_t length = LIMIT_TARGET_BYTES; length <= LIMIT_TARGET_BYTES + 1; length++) {
        struct http_checks checks = {0};

        http_checks_target(&checks, target, length, &parts);
        tap_ok(checks.status == (length > LIMIT_TARGET_BYTES ? 414 : 0), "%zu bytes: %d", length,
               checks.status);
    }
    target[1] = '?';
    for (size_t count = LIMIT_PARAMETERS; count <= LIMIT_PARAMETERS + 1; count++) {
        struct http_checks checks = {0};

        memset(target + 2, '&', count - 1);
        http_checks_target(&checks, target, 1000, &parts);
        tap_ok(checks.status == (count > LIMIT_PARAMETERS ? 414 : 0), "%zu parameters: %d", count,
               checks.status);
    }
}

/* One header line of any length, as the library keeps it; a cookie is kept twice. */
static void test_head_limit(void)
{
    static const struct {
        const char *name;
        size_t target_bytes, value_bytes;
        int status;
    } CASES[] = {
        {"X", 1, LIMIT_HEAD_BYTES - 1 - 65, 0},      {"X", 1, LIMIT_HEAD_BYTES - 65, 431},
        {"X", 1000, LIMIT_HEAD_BYTES - 1065, 0},     {"X", 1000, LIMIT_HEAD_BYTES - 1064, 431},
        {"Cookie", 1, LIMIT_HEAD_BYTES / 2 - 36, 0}, {"cookie", 1, LIMIT_HEAD_BYTES / 2 - 34, 431},
    };
    static char text[LIMIT_HEAD_BYTES];

    memset(text, 'a', sizeof text);
    text[0] = '/';
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct http_checks checks = {0};
        struct http_target parts;

        http_checks_target(&checks, text, CASES[i].target_bytes, &parts);
        http_checks_header(&checks, CASES[i].name, strlen(CASES[i].name), text,
                           CASES[i].value_bytes);
        http_checks_finish(&checks, false);
        tap_ok(checks.status == CASES[i].status, "%s of %zu bytes: %d", CASES[i].name,
               CASES[i].value_bytes, checks.status);
    }
}

int main(void)
{
    char problem[HTTP_CHECKS_PROBLEM_BYTES];

    test_requests();
    test_methods();
    test_targets();
    test_target_limits();
    test_head_limit();
    tap_ok(http_checks_problem(400, SAY(TEXT_HTTP_HEADER_TWICE, "Origin"), LANGUAGE_EN, problem) ==
               strlen(problem),
           "length of a problem");
    tap_text(problem,
             "{\"type\":\"urn:gpuwise:problem:bad-request\","
             "\"title\":\"The request is not valid HTTP\",\"status\":400,"
             "\"detail\":\"Origin is given more than once\"}\n",
             "a problem document");
    (void)http_checks_problem(406, SAY(TEXT_NO_CODING), LANGUAGE_ZH, problem);
    tap_text(problem,
             "{\"type\":\"urn:gpuwise:problem:not-acceptable\","
             "\"title\":\"没有你能接受的内容编码\",\"status\":406,"
             "\"detail\":\"Accept-Encoding 排除了 gzip 和 identity\","
             "\"available\":[\"gzip\",\"identity\"]}\n",
             "the same kind in Chinese");
    return tap_done();
}
