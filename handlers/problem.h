/* Problem documents (RFC 9457): the only place that knows which HTTP status a fault means. */
#ifndef GPUWISE_PROBLEM_H
#define GPUWISE_PROBLEM_H

#include "exchange.h"

struct json_out;

enum problem_kind {
    PROBLEM_AMBIGUOUS_NAME, /* 300 */
    PROBLEM_BAD_PARAMETER,
    PROBLEM_NO_TOKEN, /* 401 */
    PROBLEM_BAD_TOKEN,
    PROBLEM_READABLE, /* 403 */
    PROBLEM_NOT_FOUND,
    PROBLEM_METHOD,
    PROBLEM_CONFLICT, /* 409 */
    PROBLEM_NOT_ACCEPTABLE,
    PROBLEM_TARGET_TOO_LONG,
    PROBLEM_TOO_LARGE,
    PROBLEM_MEDIA_TYPE,
    PROBLEM_BODY_CODING, /* of a request */
    PROBLEM_REFUSED,     /* 422 */
    PROBLEM_TOO_OFTEN,   /* 429 */
    PROBLEM_INTERNAL,
    PROBLEM_OUT_OF_MEMORY,
    PROBLEM_NOT_READY,
    PROBLEM_OVERLOADED,
    PROBLEM_NOT_WRITTEN,
    PROBLEM_KIND_COUNT
};

int problem_status(enum problem_kind kind);
enum problem_kind problem_of_error(enum error_code code);

/* Fills the response, in the language of the exchange like all that follow. */
void problem_reply(struct exchange *exchange, enum problem_kind kind, const struct wording *detail);

/* 400 with errors[] for everything in exchange->complaints. */
void problem_reply_complaints(struct exchange *exchange);

/* 404 with suggestions: their ids and names, side by side. */
void problem_reply_unknown(struct exchange *exchange, const struct wording *detail,
                           const char *const *ids, const char *const *names, size_t count);

/* 300 or 404 for a card's name in the path, with candidates or suggestions. It is shown as given.
 */
void problem_reply_name(struct exchange *exchange, const char *what,
                        const struct names_result *found);

/* With more members, which write adds. */
void problem_reply_with(struct exchange *exchange, enum problem_kind kind,
                        const struct wording *detail,
                        void (*write)(struct json_out *out, const void *data), const void *data);

/* 415, and the types that are taken (RFC 9110 section 15.5.16), which are static. */
void problem_reply_media_type(struct exchange *exchange, const struct wording *detail,
                              const char *types);

/* An error of the engine. */
void problem_reply_error(struct exchange *exchange, const struct error *err);

/* Needs no memory at all. */
void problem_reply_out_of_memory(struct exchange *exchange);

#endif
