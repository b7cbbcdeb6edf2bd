/* What /metrics tells, as plain values. The server counts and gathers them; handle_metrics.c writes
 * them. */
#ifndef GPUWISE_METRICS_H
#define GPUWISE_METRICS_H

#include "http.h"

#include <stdint.h>

enum {
    METRICS_ROUTES_MAX = 40, /* the router has fewer; 0 is no route at all */
    METRICS_BUCKETS = 14,    /* of METRICS_BUCKET_US, and the last beyond them */
    METRICS_TABLES_MAX = 32, /* tables of facts */
    METRICS_METHODS = HTTP_OTHER + 1,
    METRICS_STATUSES = 6 /* 0: ended before an answer; then 1xx to 5xx */
};

/* Upper bounds of the buckets of a request's duration, in microseconds, rising; all but the last,
 * which has none. */
extern const uint64_t METRICS_BUCKET_US[METRICS_BUCKETS - 1];

/* Why the transport refused or ended a request before the application saw it. */
enum metrics_refusal {
    METRICS_MALFORMED,       /* what HTTP forbids */
    METRICS_TARGET_TOO_LONG, /* the request line */
    METRICS_HEADERS_TOO_LARGE,
    METRICS_BODY_TOO_LARGE,
    METRICS_NOT_ACCEPTABLE, /* no content coding is */
    METRICS_NOT_SUPPORTED,  /* a method or coding of HTTP that nobody here knows */
    METRICS_OVERLOADED,     /* bodies or answers have no room */
    METRICS_TOO_SLOW,       /* arrived or was read too slowly */
    METRICS_LIBRARY,        /* libmicrohttpd's own reply */
    METRICS_REFUSAL_COUNT
};

/* How an attempt at an admin request ended. */
enum metrics_admin {
    METRICS_ADMIN_DONE,
    METRICS_ADMIN_UNKNOWN_TOKEN, /* none, or one that is not valid */
    METRICS_ADMIN_LIMITED,       /* too many attempts */
    METRICS_ADMIN_PLAIN_HTTP,    /* not over TLS */
    METRICS_ADMIN_REJECTED,      /* its contents */
    METRICS_ADMIN_FAILED,        /* the server, or the connection ended before the answer */
    METRICS_ADMIN_COUNT
};

struct metrics_route {
    uint64_t requests[METRICS_METHODS][METRICS_STATUSES];
    uint64_t buckets[METRICS_BUCKETS]; /* each of its own, not cumulative */
    uint64_t duration_us, body_bytes;
};

/* What workers count. Only ever rises; nothing but uint64_t, so that sums are made field by field.
 */
struct metrics_counters {
    struct metrics_route routes[METRICS_ROUTES_MAX];
    uint64_t connections_opened, connections_closed, requests_begun, requests_ended;
    uint64_t cache_hits, cache_misses; /* of answers that can be kept */
    uint64_t refused[METRICS_REFUSAL_COUNT];
    uint64_t admin[METRICS_ADMIN_COUNT];
};

/* What the publisher counts, or saw at the last load. The same rule. */
struct metrics_publisher {
    uint64_t reloads, reload_failures; /* since the start; the first load is none */
    uint64_t loaded_at_s;              /* of the snapshot being served, in Unix time */
    struct {
        uint64_t standing, undone, rows_added; /* imports, and rows of those that stand */
    } imports[METRICS_TABLES_MAX];             /* in the order of FACT_TABLES */
};

/* Of the process; negative: the system does not tell. */
struct metrics_process {
    double start_time_s; /* Unix time */
    double cpu_s, resident_bytes, virtual_bytes, open_fds, max_fds;
};

struct metrics_values {
    struct metrics_counters counters; /* of all workers together */
    struct metrics_publisher publisher;
    struct metrics_process process;
    unsigned worker_count;
    const char *version, *commit; /* of the program; commit "": not known */
};

#endif
