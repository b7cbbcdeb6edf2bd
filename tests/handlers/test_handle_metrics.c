/* handle_metrics.c: values put in come out under their names, in the text format; nothing is cached
 * and nothing is made up. What Prometheus reads of a running server: tests/api/test_metrics.mjs. */
#include "../../handlers/metrics.h"

#include "../../handlers/metrics_out.h"
#include "../../handlers/router.h"
#include "handlers_fixture.h"

static struct metrics_values values;

/* A whole line of the body. */
static bool has(const char *line)
{
    char wanted[256];
    int length = snprintf(wanted, sizeof wanted, "\n%s\n", line);
    bool is_there =
        memmem(test_response.body, test_response.body_bytes, wanted, (size_t)length) != NULL;

    if (!is_there) {
        printf("# no line %s\n", line);
    }
    return is_there;
}

static const char *header(const char *name)
{
    for (size_t i = 0; i < test_response.header_count; i++) {
        if (strcmp(test_response.headers[i].name, name) == 0) {
            return test_response.headers[i].value;
        }
    }
    return NULL;
}

static void test_values(size_t gpus)
{
    struct metrics_route *route = &values.counters.routes[gpus];

    route->requests[HTTP_GET][2] = 7;
    route->requests[HTTP_OTHER][0] = 1;
    route->buckets[0] = 3;
    route->buckets[4] = 4;
    route->buckets[METRICS_BUCKETS - 1] = 1;
    route->duration_us = 3500000;
    route->body_bytes = 18446744073709551615ULL;
    values.counters.refused[METRICS_TOO_SLOW] = 2;
    values.counters.admin[METRICS_ADMIN_LIMITED] = 9;
    values.counters.connections_opened = 12;
    values.counters.connections_closed = 13; /* read a moment later */
    values.publisher.imports[0].standing = 1;
    values.publisher.imports[0].undone = 2;
    values.publisher.imports[0].rows_added = 30;
    values.process = (struct metrics_process){.start_time_s = 1796082341.5, .max_fds = -1};
    values.version = "1.2";
    values.commit = "a\"b\\c\nd";
    test_view.metrics = &values;
    tap_ok(test_get("/metrics") == 200, "answered");
    tap_ok(has("gpuwise_http_requests_total{route=\"/gpus\",method=\"GET\",status=\"2xx\"} 7") &&
               has("gpuwise_http_requests_total{route=\"/gpus\",method=\"other\",status=\"none\"} "
                   "1"),
           "requests by route, method and class of status");
    tap_ok(has("gpuwise_http_request_duration_seconds_bucket{route=\"/gpus\",le=\"5e-05\"} 3") &&
               has("gpuwise_http_request_duration_seconds_bucket{route=\"/gpus\",le=\"0.0005\"} "
                   "3") &&
               has("gpuwise_http_request_duration_seconds_bucket{route=\"/gpus\",le=\"0.001\"} "
                   "7") &&
               has("gpuwise_http_request_duration_seconds_bucket{route=\"/gpus\",le=\"+Inf\"} 8") &&
               has("gpuwise_http_request_duration_seconds_count{route=\"/gpus\"} 8") &&
               has("gpuwise_http_request_duration_seconds_sum{route=\"/gpus\"} 3.5"),
           "buckets are cumulative, the last is the count");
    tap_ok(has("gpuwise_http_response_body_bytes_total{route=\"/gpus\"} 18446744073709551615"),
           "a count keeps all its digits");
    tap_ok(has("gpuwise_http_refused_total{reason=\"too-slow\"} 2") &&
               has("gpuwise_admin_attempts_total{outcome=\"limited\"} 9"),
           "refusals and admin attempts");
    tap_ok(has("gpuwise_http_connections 0"), "a difference never falls below nothing");
    tap_ok(has("gpuwise_imports{table=\"architectures\",state=\"standing\"} 1") &&
               has("gpuwise_imports{table=\"architectures\",state=\"undone\"} 2") &&
               has("gpuwise_import_rows{table=\"architectures\"} 30"),
           "imports by table");
    tap_ok(has("process_start_time_seconds 1796082341.5") &&
               memmem(test_response.body, test_response.body_bytes, "max_fds", 7) == NULL,
           "what the system does not tell is left out");
    tap_ok(has("gpuwise_build_info{version=\"1.2\",commit=\"a\\\"b\\\\c\\nd\"} 1"),
           "labels are escaped");
}

static void test_catalogue_values(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    char line[128];

    (void)snprintf(line, sizeof line, "gpuwise_catalogue_info{revision=\"%s\"} 1",
                   catalogue->revision);
    tap_ok(has(line), "the revision");
    (void)snprintf(line, sizeof line, "gpuwise_catalogue_rows{table=\"gpu_prices\"} %zu",
                   catalogue->price_count);
    tap_ok(has(line), "rows by table");
    tap_ok(has("gpuwise_price_age_seconds{condition=\"new\"} 4665600") && /* 54 days */
               has("gpuwise_exchange_rate_age_seconds 0"),
           "ages on the day of the view");
    test_view.day++;
    tap_ok(test_get("/metrics") == 200 &&
               has("gpuwise_price_age_seconds{condition=\"new\"} 4752000") &&
               has("gpuwise_exchange_rate_age_seconds 86400"),
           "a day later they are a day older");
    test_view.day--;
}

static void test_headers(void)
{
    tap_ok(test_get("/metrics") == 200 && !test_response.is_cacheable && header("ETag") == NULL,
           "neither kept nor tagged");
    tap_text(header("Cache-Control"), "no-store", "not to be stored");
    tap_text(header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8", "the media type");
    test_view.metrics = NULL;
    tap_ok(test_get("/metrics") == 503 || test_response.status == 500,
           "without counts a problem, not an empty page (%d)", test_response.status);
    const struct app_snapshot *snapshot = test_view.snapshot;

    test_view.metrics = &values;
    test_view.snapshot = NULL;
    tap_ok(test_get("/metrics") == 200 && has("gpuwise_workers 0"),
           "without a catalogue the rest is told");
    test_view.snapshot = snapshot;
    tap_ok(test_send("/metrics", (struct http_request){.method = HTTP_POST}) == 405, "read only");
}

static void test_wanted(void)
{
    static const char *const OTHERS[] = {"/metric", "/metrics/", "/gpus", "/healthz"};
    struct http_request request = {.path = "/metrics", .path_bytes = 8};

    tap_ok(app_wants_metrics(&request), "/metrics wants the counts");
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        request.path = OTHERS[i];
        request.path_bytes = strlen(OTHERS[i]);
        tap_ok(!app_wants_metrics(&request), "%s does not", OTHERS[i]);
    }
}

/* The number that a response carries names its route. */
static void test_routes(size_t *gpus)
{
    (void)test_get("/gpus");
    *gpus = test_response.route;
    tap_text(app_route_name(test_response.route), "/gpus", "the route of an answer");
    (void)test_get("/gpus/nvidia-geforce-rtx-3090");
    tap_text(app_route_name(test_response.route), "/gpus/{id}",
             "the template, not the name asked for");
    (void)test_get("/gpus?nonsense=1");
    tap_ok(test_response.status == 400 && test_response.route == *gpus, "a problem has one too");
    (void)test_get("/nowhere");
    tap_text(app_route_name(test_response.route), "none", "no route");
    tap_text(app_route_name(ROUTE_COUNT + 1), "none", "beyond the last");
}

static void test_growth(void)
{
    struct metrics_out out;
    struct arena arena;
    char value[3000];

    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    arena_init(&arena, 1024 * 1024);
    metrics_out_init(&out, &arena);
    metrics_out_family(&out, "name", METRICS_GAUGE, "Help.");
    for (int i = 0; i < 20; i++) {
        metrics_out_sample(&out, "");
        metrics_out_label(&out, "label", value);
        metrics_out_count(&out, 1);
    }
    tap_ok(!out.text.has_failed &&
               out.text.length == strlen("# HELP name Help.\n# TYPE name gauge\n") +
                                      20 * (strlen("name{label=\"\"} 1\n") + 2999),
           "the buffer grows");
    for (int i = 0; i < 2000; i++) {
        metrics_out_sample(&out, "");
        metrics_out_label(&out, "label", value);
        metrics_out_count(&out, 1);
    }
    tap_ok(out.text.has_failed, "until memory is out");
    arena_fini(&arena);
}

int main(void)
{
    size_t gpus = 0;

    test_open();
    test_routes(&gpus);
    test_values(gpus);
    test_catalogue_values();
    test_headers();
    test_wanted();
    test_growth();
    return test_close();
}
