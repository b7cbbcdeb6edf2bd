/* RFC 9110 and 9112 rules that libmicrohttpd 0.9.75 and 1.0.1 do not enforce (PERFORMANCE.md
 * section 8); most keep a proxy in front and this server from reading one byte stream as different
 * requests. Pure functions; any thread. */
#include "http_checks.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Limits as they are written in faults. */
static const char TARGET_BYTES[] = "4096", PARAMETERS[] = "80", HEAD_BYTES[] = "6144";
_Static_assert(LIMIT_TARGET_BYTES == 4096 && LIMIT_PARAMETERS == 80 && LIMIT_HEAD_BYTES == 6144,
               "the limits are as written");

/* Blanks, marks and the library's own note of a header line. */
enum { HEADER_OVERHEAD_BYTES = 64 };

void http_checks_refuse(struct http_checks *checks, int status, const struct wording *fault)
{
    if (checks->status == 0) {
        checks->status = status;
        checks->fault = *fault;
    }
}

enum http_method http_checks_method(struct http_checks *checks, const char *method)
{
    static const struct {
        const char *name;
        enum http_method method;
    } KNOWN[] = {{"GET", HTTP_GET},         {"HEAD", HTTP_HEAD},   {"POST", HTTP_POST},
                 {"DELETE", HTTP_DELETE},   {"PUT", HTTP_OTHER},   {"PATCH", HTTP_OTHER},
                 {"OPTIONS", HTTP_OPTIONS}, {"TRACE", HTTP_OTHER}, {"CONNECT", HTTP_OTHER}};

    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        if (strcmp(method, KNOWN[i].name) == 0) {
            return KNOWN[i].method;
        }
    }
    http_checks_refuse(checks, 501, SAY(TEXT_HTTP_METHOD));
    return HTTP_OTHER;
}

/* RFC 9112 section 3.2.2: a server must accept the absolute form; the host is that of the Host
 * header. */
static void cut_origin(struct http_target *parts)
{
    size_t scheme = strncasecmp(parts->path, "http://", 7) == 0    ? 7
                    : strncasecmp(parts->path, "https://", 8) == 0 ? 8
                                                                   : 0;

    if (scheme == 0 || scheme > parts->path_bytes) {
        return;
    }
    const char *slash = memchr(parts->path + scheme, '/', parts->path_bytes - scheme);
    size_t cut = slash == NULL ? parts->path_bytes : (size_t)(slash - parts->path);

    parts->path = slash == NULL ? "/" : slash;
    parts->path_bytes = slash == NULL ? 1 : parts->path_bytes - cut;
}

void http_checks_target(struct http_checks *checks, const char *target, size_t length,
                        struct http_target *parts)
{
    size_t separators = 0;

    *parts = (struct http_target){.path = target, .path_bytes = length};
    checks->head_bytes = length;
    if (length > LIMIT_TARGET_BYTES) {
        http_checks_refuse(checks, 414, SAY(TEXT_TARGET_BYTES, TARGET_BYTES));
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)target[i];

        if (byte <= ' ' || byte == 127 || byte == '#') {
            http_checks_refuse(checks, 400, SAY(TEXT_HTTP_TARGET_CHARACTER));
        }
        if (byte == '?' && parts->query == NULL) {
            parts->path_bytes = i;
            parts->query = target + i + 1;
            parts->query_bytes = length - i - 1;
        }
        separators += byte == '&' && parts->query != NULL ? 1 : 0;
    }
    if (separators >= LIMIT_PARAMETERS) {
        http_checks_refuse(checks, 414, SAY(TEXT_PARAMETER_COUNT, PARAMETERS));
    }
    cut_origin(parts);
    if (parts->path_bytes == 0 || (parts->path[0] != '/' && !(length == 1 && target[0] == '*'))) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_TARGET_SLASH));
    }
}

/* Whether text is made of ASCII letters, digits and marks. */
static bool holds_only(const char *text, size_t length, const char *marks)
{
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');

        if (!is_letter && !(byte >= '0' && byte <= '9') &&
            (byte == '\0' || strchr(marks, byte) == NULL)) {
            return false;
        }
    }
    return true;
}

/* RFC 9110 section 5.6.2. */
static bool is_token(const char *text, size_t length)
{
    return length > 0 && holds_only(text, length, "!#$%&'*+-.^_`|~");
}

/* Characters of a host (RFC 3986 section 3.2.2) and its port; empty is allowed. */
static bool is_host(const char *value, size_t length)
{
    return holds_only(value, length, "-._~%!$&'()*+,;=:[]");
}

static void check_length(struct http_checks *checks, const char *value, size_t length)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9' || bytes > UINT64_MAX / 10 - 1) {
            http_checks_refuse(checks, 400, SAY(TEXT_HTTP_LENGTH));
            return;
        }
        bytes = bytes * 10 + (uint64_t)(value[i] - '0');
    }
    if (length == 0) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_LENGTH));
    }
    checks->body_bytes = bytes;
}

bool http_checks_name_is(const char *name, size_t length, const char *wanted)
{
    return length == strlen(wanted) && strncasecmp(name, wanted, length) == 0;
}

void http_checks_header(struct http_checks *checks, const char *name, size_t name_bytes,
                        const char *value, size_t value_bytes)
{
    if (!is_token(name, name_bytes)) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_HEADER_NAME));
    }
    for (size_t i = 0; i < value_bytes; i++) {
        unsigned char byte = (unsigned char)value[i];

        if ((byte < ' ' && byte != '\t') || byte == 127) {
            http_checks_refuse(checks, 400, SAY(TEXT_HTTP_HEADER_VALUE));
        }
    }
    checks->head_bytes += name_bytes + value_bytes + HEADER_OVERHEAD_BYTES;
    if (http_checks_name_is(name, name_bytes, "cookie")) {
        checks->head_bytes += value_bytes; /* the library copies and splits it */
    } else if (http_checks_name_is(name, name_bytes, "host")) {
        checks->host_count++;
        if (!is_host(value, value_bytes)) {
            http_checks_refuse(checks, 400, SAY(TEXT_HTTP_HOST));
        }
    } else if (http_checks_name_is(name, name_bytes, "content-length")) {
        checks->length_count++;
        check_length(checks, value, value_bytes);
    } else if (http_checks_name_is(name, name_bytes, "transfer-encoding")) {
        checks->coding_count++;
        if (!http_checks_name_is(value, value_bytes, "chunked")) {
            http_checks_refuse(checks, 501, SAY(TEXT_HTTP_CODING));
        }
    }
}

void http_checks_finish(struct http_checks *checks, bool is_http_1_1)
{
    if (checks->host_count > 1 || (is_http_1_1 && checks->host_count == 0)) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_HOST_COUNT));
    }
    if (checks->length_count > 1) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_HEADER_TWICE, "Content-Length"));
    }
    if (checks->coding_count > 1 || (checks->coding_count == 1 && !is_http_1_1)) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_CODING_PLACE));
    }
    if (checks->head_bytes > LIMIT_HEAD_BYTES) {
        http_checks_refuse(checks, 431, SAY(TEXT_HTTP_HEAD_BYTES, HEAD_BYTES));
    }
    if (checks->length_count > 0 && checks->coding_count > 0) {
        http_checks_refuse(checks, 400, SAY(TEXT_HTTP_LENGTH_AND_CODING));
    }
}

void http_checks_length(struct http_checks *checks, bool expects_continue, bool takes_file)
{
    if (takes_file) {
        if (checks->body_bytes > LIMIT_IMPORT_BYTES) {
            http_checks_refuse(checks, 413, HTTP_CHECKS_FILE_TOO_LONG);
        }
    } else if (checks->body_bytes > LIMIT_DRAINED_BODY_BYTES ||
               (expects_continue && checks->body_bytes > LIMIT_BODY_BYTES)) {
        http_checks_refuse(checks, 413, HTTP_CHECKS_BODY_TOO_LONG);
    }
}

size_t http_checks_problem(int status, const struct wording *fault, enum language language,
                           char out[HTTP_CHECKS_PROBLEM_BYTES])
{
    static const struct {
        int status;
        const char *code;
        enum text title;
        const char *more;
    } KINDS[] = {
        {400, "bad-request", TEXT_PROBLEM_BAD_REQUEST, ""},
        {406, "not-acceptable", TEXT_PROBLEM_CODINGS, ",\"available\":[\"gzip\",\"identity\"]"},
        {413, "too-large", TEXT_PROBLEM_TOO_LARGE, ""},
        {414, "target-too-long", TEXT_PROBLEM_TARGET_TOO_LONG, ""},
        {431, "headers-too-long", TEXT_PROBLEM_HEADERS_TOO_LONG, ""},
        {501, "not-supported", TEXT_PROBLEM_NOT_SUPPORTED, ""},
        {503, "overloaded", TEXT_PROBLEM_OVERLOADED, ""}};
    size_t kind = 0;
    char detail[256];

    while (KINDS[kind].status != status) {
        kind++;
        assert(kind < sizeof KINDS / sizeof KINDS[0]);
    }
    text_print(fault, language, detail, sizeof detail);
    int length = snprintf(out, HTTP_CHECKS_PROBLEM_BYTES,
                          "{\"type\":\"urn:gpuwise:problem:%s\",\"title\":\"%s\",\"status\":%d,"
                          "\"detail\":\"%s\"%s}\n",
                          KINDS[kind].code, text_plain(KINDS[kind].title, language), status, detail,
                          KINDS[kind].more);

    return length < 0 ? 0 : (size_t)length;
}
