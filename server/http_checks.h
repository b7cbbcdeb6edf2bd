/* What libmicrohttpd lets through and HTTP forbids: checked before a request is believed. */
#ifndef GPUWISE_HTTP_CHECKS_H
#define GPUWISE_HTTP_CHECKS_H

#include "../handlers/engine/text.h"
#include "../handlers/http.h"

#include <stdint.h>

enum { HTTP_CHECKS_PROBLEM_BYTES = 640 };

/* Filled header by header; the first fault stays. */
struct http_checks {
    unsigned host_count, length_count, coding_count;
    size_t head_bytes;    /* what target and header lines take of the library's pool */
    uint64_t body_bytes;  /* of Content-Length; 0 without one */
    int status;           /* 0: nothing wrong yet; else 400, 413, 414, 431, 501 or 503 */
    struct wording fault; /* what is wrong; its arguments are static */
};

struct http_target {
    const char *path, *query; /* query NULL: none */
    size_t path_bytes, query_bytes;
};

/* Keeps what is wrong unless something was before. The fault's arguments are static. */
void http_checks_refuse(struct http_checks *checks, int status, const struct wording *fault);

/* Starts with the method; GET to OTHER for a method known to HTTP, status 501 otherwise. */
enum http_method http_checks_method(struct http_checks *checks, const char *method);

/* The target as sent. Other characters that no URI holds, as '"' or raw UTF-8, are taken as if they
 * were encoded: people type them. Refuses blanks, control characters, a fragment, more than
 * LIMIT_TARGET_BYTES or LIMIT_PARAMETERS; takes scheme and host off an absolute one. The parts
 * point into target. */
void http_checks_target(struct http_checks *checks, const char *target, size_t length,
                        struct http_target *parts);

/* Whether a header's name is the one wanted (lower case or not). */
bool http_checks_name_is(const char *name, size_t length, const char *wanted);

/* One header line. */
void http_checks_header(struct http_checks *checks, const char *name, size_t name_bytes,
                        const char *value, size_t value_bytes);

/* What only all lines together show. is_http_1_1: else it is 1.0. */
void http_checks_finish(struct http_checks *checks, bool is_http_1_1);

/* Faults of bodies: LIMIT_BODY_BYTES, LIMIT_IMPORT_BYTES. */
#define HTTP_CHECKS_BODY_TOO_LONG SAY(TEXT_BODY_MIB, "1")
#define HTTP_CHECKS_FILE_TOO_LONG SAY(TEXT_FILE_MIB, "256")
_Static_assert(LIMIT_BODY_BYTES == 1024 * 1024 && LIMIT_IMPORT_BYTES == 256 * 1024 * 1024,
               "the limits are as written");

/* Whether the body announced is worth reading; expects_continue: the client waits to be told;
 * takes_file: it may be as long as a file. */
void http_checks_length(struct http_checks *checks, bool expects_continue, bool takes_file);

/* Writes the problem document (RFC 9457) of a refusal (400, 406, 413, 414, 431, 501 or 503);
 * returns its length. The fault holds nothing that JSON would escape. */
size_t http_checks_problem(int status, const struct wording *fault, enum language language,
                           char out[HTTP_CHECKS_PROBLEM_BYTES]);

#endif
