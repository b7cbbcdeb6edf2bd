/* server/metrics.c: what is counted where, and that sums of running workers only rise. */
#include "../../server/metrics.h"

#include "../tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void test_buckets(void)
{
    struct metrics *metrics = metrics_new(1);
    struct metrics_values *values = calloc(1, sizeof *values);
    struct metrics_counters *counters = metrics_of_worker(metrics, 0);

    for (size_t i = 0; i < METRICS_BUCKETS - 1; i++) {
        metrics_count_request(counters, 1, HTTP_GET, 200, 10, METRICS_BUCKET_US[i]);
        metrics_count_request(counters, 1, HTTP_GET, 404, 10, METRICS_BUCKET_US[i] + 1);
    }
    metrics_gather(metrics, values);
    const struct metrics_route *route = &values->counters.routes[1];
    uint64_t count = 0, wrong = 0;

    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        uint64_t wanted = i == 0 || i == METRICS_BUCKETS - 1 ? 1 : 2;

        wrong += route->buckets[i] != wanted ? 1 : 0;
        count += route->buckets[i];
    }
    tap_ok(wrong == 0 && count == 2 * (METRICS_BUCKETS - 1),
           "a duration equal to a bound is within it, one more is beyond");
    tap_ok(route->requests[HTTP_GET][2] == METRICS_BUCKETS - 1 &&
               route->requests[HTTP_GET][4] == METRICS_BUCKETS - 1 &&
               route->body_bytes == 20 * (METRICS_BUCKETS - 1),
           "by class of status, with their bytes");
    metrics_count_request(counters, METRICS_ROUTES_MAX + 5, HTTP_POST, 999, 0, 0);
    metrics_count_request(counters, 0, HTTP_POST, 0, 0, 0);
    metrics_gather(metrics, values);
    tap_ok(values->counters.routes[0].requests[HTTP_POST][0] == 2,
           "what is nowhere is counted as none");
    metrics_free(metrics);
    free(values);
}

static void test_refusals(void)
{
    static const struct {
        unsigned status;
        enum metrics_refusal reason;
    } CASES[] = {{400, METRICS_MALFORMED},      {414, METRICS_TARGET_TOO_LONG},
                 {413, METRICS_BODY_TOO_LARGE}, {501, METRICS_NOT_SUPPORTED},
                 {503, METRICS_OVERLOADED},     {431, METRICS_HEADERS_TOO_LARGE},
                 {406, METRICS_NOT_ACCEPTABLE}, {417, METRICS_MALFORMED}};
    struct metrics *metrics = metrics_new(2);
    struct metrics_values *values = calloc(1, sizeof *values);

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        metrics_gather(metrics, values);
        uint64_t before = values->counters.refused[CASES[i].reason];

        metrics_count_refusal(metrics_of_worker(metrics, (unsigned)i % 2), CASES[i].status);
        metrics_gather(metrics, values);
        tap_ok(values->counters.refused[CASES[i].reason] == before + 1, "a refusal with %u",
               CASES[i].status);
    }
    metrics_free(metrics);
    free(values);
}

static void test_admin(void)
{
    static const struct {
        unsigned status;
        enum metrics_admin outcome;
    } CASES[] = {{200, METRICS_ADMIN_DONE},       {201, METRICS_ADMIN_DONE},
                 {204, METRICS_ADMIN_DONE},       {401, METRICS_ADMIN_UNKNOWN_TOKEN},
                 {403, METRICS_ADMIN_PLAIN_HTTP}, {429, METRICS_ADMIN_LIMITED},
                 {400, METRICS_ADMIN_REJECTED},   {404, METRICS_ADMIN_REJECTED},
                 {413, METRICS_ADMIN_REJECTED},   {500, METRICS_ADMIN_FAILED},
                 {503, METRICS_ADMIN_FAILED},     {0, METRICS_ADMIN_FAILED}};
    struct metrics *metrics = metrics_new(1);
    struct metrics_values *values = calloc(1, sizeof *values);

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        metrics_gather(metrics, values);
        uint64_t before = values->counters.admin[CASES[i].outcome];

        metrics_count_admin(metrics_of_worker(metrics, 0), CASES[i].status);
        metrics_gather(metrics, values);
        tap_ok(values->counters.admin[CASES[i].outcome] == before + 1,
               "an admin request answered %u", CASES[i].status);
    }
    metrics_free(metrics);
    free(values);
}

static void test_process(void)
{
    struct metrics *metrics = metrics_new(3);
    struct metrics_values *values = calloc(1, sizeof *values);

    metrics_set(&metrics_of_publisher(metrics)->loaded_at_s, 1234);
    metrics_gather(metrics, values);
    tap_ok(values->worker_count == 3 && values->publisher.loaded_at_s == 1234 &&
               values->version[0] != '\0' && values->commit != NULL,
           "workers, publisher, version");
    tap_ok(values->process.start_time_s > 1.7e9 && values->process.cpu_s > 0 &&
               values->process.resident_bytes > 100000 &&
               values->process.virtual_bytes >= values->process.resident_bytes &&
               values->process.open_fds >= 3 && values->process.max_fds >= 3,
           "the process: %g s, %g bytes, %g descriptors", values->process.cpu_s,
           values->process.resident_bytes, values->process.open_fds);
    FILE *file = fopen("/dev/null", "r");
    double before = values->process.open_fds;

    metrics_gather(metrics, values);
    tap_ok(file != NULL && values->process.open_fds > before - 0.5 + 1,
           "one more descriptor is one more");
    (void)fclose(file);
    metrics_free(metrics);
    free(values);
}

enum { THREADS = 4, REQUESTS = 20000 };

struct counter {
    struct metrics_counters *counters;
    atomic_int *ended;
};

static void *count(void *data)
{
    struct counter *counter = data;

    for (int i = 0; i < REQUESTS; i++) {
        metrics_count_request(counter->counters, 1 + (size_t)i % 3, HTTP_GET, 200, 100,
                              (uint64_t)i);
    }
    (void)atomic_fetch_add(counter->ended, 1);
    return NULL;
}

static uint64_t total(const struct metrics_values *values)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < METRICS_ROUTES_MAX; i++) {
        for (size_t k = 0; k < METRICS_BUCKETS; k++) {
            sum += values->counters.routes[i].buckets[k];
        }
    }
    return sum;
}

/* Gathers while four threads count. */
static void test_threads(void)
{
    struct metrics *metrics = metrics_new(THREADS);
    struct metrics_values *values = calloc(1, sizeof *values);
    struct counter counters[THREADS];
    pthread_t threads[THREADS];
    atomic_int ended = 0;
    uint64_t last = 0;
    size_t falls = 0;

    for (unsigned i = 0; i < THREADS; i++) {
        counters[i] = (struct counter){metrics_of_worker(metrics, i), &ended};
        if (pthread_create(&threads[i], NULL, count, &counters[i]) != 0) {
            printf("Bail out! no thread\n");
            exit(1);
        }
    }
    while (atomic_load(&ended) < THREADS) {
        metrics_gather(metrics, values);
        falls += total(values) < last ? 1 : 0;
        last = total(values);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    metrics_gather(metrics, values);
    tap_ok(falls == 0, "sums never fall while workers count");
    tap_ok(total(values) == (uint64_t)THREADS * REQUESTS &&
               values->counters.routes[1].body_bytes + values->counters.routes[2].body_bytes +
                       values->counters.routes[3].body_bytes ==
                   (uint64_t)THREADS * REQUESTS * 100,
           "and miss none in the end");
    metrics_free(metrics);
    free(values);
}

int main(void)
{
    test_buckets();
    test_refusals();
    test_admin();
    test_process();
    test_threads();
    metrics_free(NULL);
    return tap_done();
}
