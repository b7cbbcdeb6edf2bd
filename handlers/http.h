/* A request and a response as plain values: all that handlers know of HTTP. */
#ifndef GPUWISE_HTTP_H
#define GPUWISE_HTTP_H

#include "limits.h"

#include <stdbool.h>
#include <stddef.h>

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_DELETE, HTTP_OPTIONS, HTTP_OTHER };

/* What the server found out about the right to a route that needs a token. */
enum http_admission {
    HTTP_NOT_ADMITTED, /* no token was sent, or the route needs none */
    HTTP_ADMITTED,
    HTTP_BAD_TOKEN,   /* unknown, revoked or not in the form of one */
    HTTP_READABLE,    /* others could read the token on its way: it was not looked at */
    HTTP_TOO_OFTEN,   /* by this address; the token was not looked at */
    HTTP_OVERLOADED,  /* too many writes wait */
    HTTP_UNCHECKABLE, /* the tokens cannot be read */
    HTTP_NO_DATABASE, /* nor anything else of the database, which cannot be written to either */
    HTTP_ADMISSION_COUNT
};

/* Lent by the server until the response is built. Absent headers are NULL. */
struct http_request {
    enum http_method method;
    const char *path; /* raw, from the leading '/', up to '?' (exclusive) */
    size_t path_bytes;
    const char *query; /* raw, behind '?'; NULL: none */
    size_t query_bytes;
    /* A header given several times is one list, joined by ", " (RFC 9110 section 5.3). */
    const char *accept, *accept_language, *origin, *content_type;
    const char *body; /* NULL where the route takes a file (app_gate) */
    size_t body_bytes;
    const char *content_encoding;
    const char *wanted_method, *wanted_headers; /* Access-Control-Request-Method and -Headers */
    const char *authorization;                  /* the header */
    enum http_admission admission;
    unsigned retry_after_s;     /* HTTP_TOO_OFTEN: when it would go on */
    const char *who, *token_id; /* HTTP_ADMITTED: the token's holder and public part */
};

struct command;

/* Where a body's bytes live, so that the server releases them rightly. */
enum http_body_place {
    HTTP_BODY_STATIC,   /* in the program: never released */
    HTTP_BODY_SNAPSHOT, /* in the view's snapshot: hold a reference until the last byte is sent */
    HTTP_BODY_ARENA     /* in the request's arena: copied before the arena is reset */
};

struct http_header {
    const char *name, *value; /* value lives as the body, or is static */
};

struct http_response {
    int status;
    const char *body; /* also for HEAD; the server leaves it out */
    size_t body_bytes;
    enum http_body_place place;
    struct http_header
        headers[LIMIT_RESPONSE_HEADERS]; /* all but Content-Length, Date, Connection */
    size_t header_count;
    bool is_cacheable;    /* a function of the snapshot, day, target, Accept, Accept-Language and
                             app_allows_origin() alone */
    bool is_compressible; /* worth a content coding; the server then adds Content-Encoding and
                             marks the ETag, Vary is said already */
    bool is_immutable;    /* clients keep it for ever: the best compression pays */
    size_t route;         /* number of the route that answered, for the server to count; 0: none */
    const struct command *command; /* not NULL: nothing else is set; run it, then app_finish() */
};

/* Appends; asserts that there is room: the number of headers is ours. */
void http_response_add_header(struct http_response *response, const char *name, const char *value);

#endif
