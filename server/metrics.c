/* Counters of the workers and of the publisher, and their sum. */
#include "metrics.h"

#include "process_status.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE_BYTES = 64 };

/* Rounded up, so that no two workers write into one cache line. */
struct worker_cell {
    _Alignas(CACHE_LINE_BYTES) struct metrics_counters counters;
};

struct metrics {
    struct metrics_publisher publisher;
    double start_time_s;
    unsigned worker_count;
    struct worker_cell *workers;
};

_Static_assert(sizeof(struct metrics_counters) % sizeof(uint64_t) == 0 &&
                   sizeof(struct metrics_publisher) % sizeof(uint64_t) == 0,
               "they are summed as numbers");

struct metrics *metrics_new(unsigned worker_count)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);

    if (metrics == NULL) {
        return NULL;
    }
    size_t size_bytes = worker_count * sizeof *metrics->workers;

    metrics->workers = aligned_alloc(CACHE_LINE_BYTES, size_bytes);
    if (metrics->workers == NULL) {
        free(metrics);
        return NULL;
    }
    memset(metrics->workers, 0, size_bytes);
    metrics->worker_count = worker_count;
    metrics->start_time_s = process_status_now_s();
    return metrics;
}

void metrics_free(struct metrics *metrics)
{
    if (metrics != NULL) {
        free(metrics->workers);
        free(metrics);
    }
}

struct metrics_counters *metrics_of_worker(struct metrics *metrics, unsigned worker)
{
    return &metrics->workers[worker].counters;
}

struct metrics_publisher *metrics_of_publisher(struct metrics *metrics)
{
    return &metrics->publisher;
}

void metrics_add(uint64_t *counter, uint64_t count)
{
    /* one writer: no need of an atomic addition */
    __atomic_store_n(counter, *counter + count, __ATOMIC_RELAXED);
}

void metrics_set(uint64_t *value, uint64_t now)
{
    __atomic_store_n(value, now, __ATOMIC_RELAXED);
}

void metrics_count_request(struct metrics_counters *counters, size_t route, enum http_method method,
                           unsigned status, uint64_t body_bytes, uint64_t duration_us)
{
    struct metrics_route *cell = &counters->routes[route < METRICS_ROUTES_MAX ? route : 0];
    unsigned status_class = status / 100 < METRICS_STATUSES ? status / 100 : 0;
    size_t bucket = 0;

    while (bucket < METRICS_BUCKETS - 1 && duration_us > METRICS_BUCKET_US[bucket]) {
        bucket++;
    }
    metrics_add(&cell->requests[method][status_class], 1);
    metrics_add(&cell->buckets[bucket], 1);
    metrics_add(&cell->duration_us, duration_us);
    metrics_add(&cell->body_bytes, body_bytes);
}

void metrics_count_refusal(struct metrics_counters *counters, unsigned status)
{
    enum metrics_refusal reason = status == 414   ? METRICS_TARGET_TOO_LONG
                                  : status == 431 ? METRICS_HEADERS_TOO_LARGE
                                  : status == 406 ? METRICS_NOT_ACCEPTABLE
                                  : status == 413 ? METRICS_BODY_TOO_LARGE
                                  : status == 501 ? METRICS_NOT_SUPPORTED
                                  : status == 503 ? METRICS_OVERLOADED
                                                  : METRICS_MALFORMED;

    metrics_add(&counters->refused[reason], 1);
}

void metrics_count_admin(struct metrics_counters *counters, unsigned status)
{
    enum metrics_admin outcome = status == 401                  ? METRICS_ADMIN_UNKNOWN_TOKEN
                                 : status == 403                ? METRICS_ADMIN_PLAIN_HTTP
                                 : status == 429                ? METRICS_ADMIN_LIMITED
                                 : status == 0 || status >= 500 ? METRICS_ADMIN_FAILED
                                 : status >= 400                ? METRICS_ADMIN_REJECTED
                                                                : METRICS_ADMIN_DONE;

    metrics_add(&counters->admin[outcome], 1);
}

/* Adds numbers that another thread may be writing. */
static void sum(void *into, const void *from, size_t size_bytes)
{
    uint64_t *sums = into;
    const uint64_t *numbers = from;

    for (size_t i = 0; i < size_bytes / sizeof *sums; i++) {
        sums[i] += __atomic_load_n(&numbers[i], __ATOMIC_RELAXED);
    }
}

void metrics_gather(const struct metrics *metrics, struct metrics_values *values)
{
    memset(values, 0, sizeof *values);
    for (unsigned i = 0; i < metrics->worker_count; i++) {
        sum(&values->counters, &metrics->workers[i].counters, sizeof values->counters);
    }
    sum(&values->publisher, &metrics->publisher, sizeof values->publisher);
    values->worker_count = metrics->worker_count;
    values->version = VERSION_TEXT;
    values->commit = VERSION_COMMIT;
    process_status_read(&values->process);
    values->process.start_time_s = metrics->start_time_s;
}
