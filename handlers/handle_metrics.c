/* GET /metrics: what the server counted, and how the catalogue stands, for Prometheus. Never
 * cached: two answers differ although nothing was written. */
#include "handle.h"

#include "cache_rules.h"
#include "engine/facts.h"
#include "metrics.h"
#include "metrics_out.h"
#include "problem.h"
#include "router.h"
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

static const double SECONDS_PER_DAY = 86400;
static const double MICROSECONDS_PER_SECOND = 1e6;

static const char *const METHODS[METRICS_METHODS] = {
    [HTTP_GET] = "GET",       [HTTP_HEAD] = "HEAD",       [HTTP_POST] = "POST",
    [HTTP_DELETE] = "DELETE", [HTTP_OPTIONS] = "OPTIONS", [HTTP_OTHER] = "other"};
static const char *const STATUSES[METRICS_STATUSES] = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
static const char *const REFUSALS[METRICS_REFUSAL_COUNT] = {
    [METRICS_MALFORMED] = "malformed",
    [METRICS_TARGET_TOO_LONG] = "target-too-long",
    [METRICS_HEADERS_TOO_LARGE] = "headers-too-large",
    [METRICS_NOT_ACCEPTABLE] = "not-acceptable",
    [METRICS_BODY_TOO_LARGE] = "body-too-large",
    [METRICS_NOT_SUPPORTED] = "not-supported",
    [METRICS_OVERLOADED] = "overloaded",
    [METRICS_TOO_SLOW] = "too-slow",
    [METRICS_LIBRARY] = "library"};
static const char *const ADMIN_OUTCOMES[METRICS_ADMIN_COUNT] = {
    [METRICS_ADMIN_DONE] = "done",         [METRICS_ADMIN_UNKNOWN_TOKEN] = "unknown-token",
    [METRICS_ADMIN_LIMITED] = "limited",   [METRICS_ADMIN_PLAIN_HTTP] = "plain-http",
    [METRICS_ADMIN_REJECTED] = "rejected", [METRICS_ADMIN_FAILED] = "failed"};

/* The routes in order; 0 is none. */
static void label_route(struct metrics_out *out, size_t route)
{
    metrics_out_label(out, "route", app_route_name(route));
}

static void write_requests(struct metrics_out *out, const struct metrics_counters *counters)
{
    metrics_out_family(out, "gpuwise_http_requests_total", METRICS_COUNTER,
                       "Requests that are over, by route, method and class of status; none: ended"
                       " before an answer.");
    for (size_t route = 0; route <= ROUTE_COUNT; route++) {
        for (size_t i = 0; i < (size_t)METRICS_METHODS * METRICS_STATUSES; i++) {
            size_t method = i / METRICS_STATUSES, status = i % METRICS_STATUSES;
            uint64_t count = counters->routes[route].requests[method][status];

            if (count > 0) {
                metrics_out_sample(out, "");
                label_route(out, route);
                metrics_out_label(out, "method", METHODS[method]);
                metrics_out_label(out, "status", STATUSES[status]);
                metrics_out_count(out, count);
            }
        }
    }
}

static void write_durations(struct metrics_out *out, const struct metrics_counters *counters)
{
    metrics_out_family(out, "gpuwise_http_request_duration_seconds", METRICS_HISTOGRAM,
                       "From the request line to the last byte of the answer.");
    for (size_t route = 0; route <= ROUTE_COUNT; route++) {
        const struct metrics_route *cell = &counters->routes[route];
        uint64_t cumulative = 0;

        for (size_t i = 0; i < METRICS_BUCKETS; i++) {
            char bound[32] = "+Inf";

            if (i < METRICS_BUCKETS - 1) {
                (void)snprintf(bound, sizeof bound, "%g",
                               (double)METRICS_BUCKET_US[i] / MICROSECONDS_PER_SECOND);
            }
            cumulative += cell->buckets[i];
            metrics_out_sample(out, "_bucket");
            label_route(out, route);
            metrics_out_label(out, "le", bound);
            metrics_out_count(out, cumulative);
        }
        metrics_out_sample(out, "_sum");
        label_route(out, route);
        metrics_out_number(out, (double)cell->duration_us / MICROSECONDS_PER_SECOND);
        metrics_out_sample(out, "_count");
        label_route(out, route);
        metrics_out_count(out, cumulative);
    }
    metrics_out_family(out, "gpuwise_http_response_body_bytes_total", METRICS_COUNTER,
                       "Bytes of answers' bodies as given to be sent, by route.");
    for (size_t route = 0; route <= ROUTE_COUNT; route++) {
        metrics_out_sample(out, "");
        label_route(out, route);
        metrics_out_count(out, counters->routes[route].body_bytes);
    }
}

/* A family whose samples differ in one label with a fixed list of values. */
static void write_list(struct metrics_out *out, const char *name, const char *help,
                       const char *label, const char *const *values, const uint64_t *counts,
                       size_t count)
{
    metrics_out_family(out, name, METRICS_COUNTER, help);
    for (size_t i = 0; i < count; i++) {
        metrics_out_sample(out, "");
        metrics_out_label(out, label, values[i]);
        metrics_out_count(out, counts[i]);
    }
}

static uint64_t difference(uint64_t larger, uint64_t smaller)
{
    return larger > smaller ? larger - smaller : 0; /* the two are read one after the other */
}

static void write_transport(struct metrics_out *out, const struct metrics_values *values)
{
    static const char *const RESULTS[] = {"hit", "miss"};
    const struct metrics_counters *counters = &values->counters;
    const uint64_t cache[] = {counters->cache_hits, counters->cache_misses};

    metrics_out_plain_count(out, "gpuwise_http_connections_total", METRICS_COUNTER,
                            "Connections accepted.", counters->connections_opened);
    metrics_out_plain_count(out, "gpuwise_http_connections", METRICS_GAUGE, "Connections open now.",
                            difference(counters->connections_opened, counters->connections_closed));
    metrics_out_plain_count(out, "gpuwise_http_requests_in_flight", METRICS_GAUGE,
                            "Requests begun and not over, this one among them.",
                            difference(counters->requests_begun, counters->requests_ended));
    write_list(out, "gpuwise_http_refused_total",
               "Requests that were refused or ended before the application saw them.", "reason",
               REFUSALS, counters->refused, METRICS_REFUSAL_COUNT);
    write_list(out, "gpuwise_response_cache_requests_total",
               "Requests for answers that can be kept: found ready, or made.", "result", RESULTS,
               cache, 2);
    write_list(out, "gpuwise_admin_attempts_total", "Admin requests by their outcome.", "outcome",
               ADMIN_OUTCOMES, counters->admin, METRICS_ADMIN_COUNT);
    metrics_out_plain_count(out, "gpuwise_workers", METRICS_GAUGE, "Threads that serve.",
                            values->worker_count);
}

static void write_imports(struct metrics_out *out, const struct metrics_publisher *publisher)
{
    metrics_out_family(out, "gpuwise_imports", METRICS_GAUGE,
                       "Imports of operators in the database, by table of facts.");
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        const uint64_t counts[] = {publisher->imports[i].standing, publisher->imports[i].undone};

        for (size_t k = 0; k < 2 && counts[0] + counts[1] > 0; k++) {
            metrics_out_sample(out, "");
            metrics_out_label(out, "table", FACT_TABLES[i]->name);
            metrics_out_label(out, "state", k == 0 ? "standing" : "undone");
            metrics_out_count(out, counts[k]);
        }
    }
    metrics_out_family(out, "gpuwise_import_rows", METRICS_GAUGE,
                       "Rows added by the imports that stand, by table of facts.");
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        if (publisher->imports[i].standing > 0) {
            metrics_out_sample(out, "");
            metrics_out_label(out, "table", FACT_TABLES[i]->name);
            metrics_out_count(out, publisher->imports[i].rows_added);
        }
    }
}

static void write_process(struct metrics_out *out, const struct metrics_values *values)
{
    const struct metrics_process *process = &values->process;

    metrics_out_family(out, "gpuwise_build_info", METRICS_GAUGE, "The program; always 1.");
    metrics_out_sample(out, "");
    metrics_out_label(out, "version", values->version);
    metrics_out_label(out, "commit", values->commit);
    metrics_out_count(out, 1);
    metrics_out_plain_count(out, "gpuwise_catalogue_reloads_total", METRICS_COUNTER,
                            "Snapshots loaded because the database changed.",
                            values->publisher.reloads);
    metrics_out_plain_count(out, "gpuwise_catalogue_reload_failures_total", METRICS_COUNTER,
                            "Times that the database could not be looked at or loaded.",
                            values->publisher.reload_failures);
    metrics_out_plain_count(out, "gpuwise_catalogue_loaded_timestamp_seconds", METRICS_GAUGE,
                            "When the newest snapshot was loaded, in Unix time.",
                            values->publisher.loaded_at_s);
    write_imports(out, &values->publisher);
    metrics_out_plain_number(out, "process_start_time_seconds", METRICS_GAUGE,
                             "When the process started, in Unix time.", process->start_time_s);
    metrics_out_plain_number(out, "process_cpu_seconds_total", METRICS_COUNTER,
                             "CPU time of user and system.", process->cpu_s);
    metrics_out_plain_number(out, "process_resident_memory_bytes", METRICS_GAUGE,
                             "Memory that is resident.", process->resident_bytes);
    metrics_out_plain_number(out, "process_virtual_memory_bytes", METRICS_GAUGE,
                             "Memory that is mapped.", process->virtual_bytes);
    metrics_out_plain_number(out, "process_open_fds", METRICS_GAUGE, "Descriptors open.",
                             process->open_fds);
    metrics_out_plain_number(out, "process_max_fds", METRICS_GAUGE, "Most descriptors allowed.",
                             process->max_fds);
}

static double age_s(int32_t newest_day, int32_t day)
{
    return ((double)day - (double)newest_day) * SECONDS_PER_DAY;
}

/* A sample of one label, left out where no day is known. */
static void write_age(struct metrics_out *out, const char *label, const char *value,
                      int32_t newest_day, int32_t day)
{
    if (newest_day != DAY_UNKNOWN) {
        metrics_out_sample(out, "");
        metrics_out_label(out, label, value);
        metrics_out_number(out, age_s(newest_day, day));
    }
}

static void write_plain_age(struct metrics_out *out, const char *name, const char *help,
                            int32_t newest_day, int32_t day)
{
    if (newest_day != DAY_UNKNOWN) {
        metrics_out_family(out, name, METRICS_GAUGE, help);
        metrics_out_sample(out, "");
        metrics_out_number(out, age_s(newest_day, day));
    }
}

static void write_ages(struct metrics_out *out, const struct freshness *ages, int32_t day)
{
    metrics_out_family(out, "gpuwise_price_age_seconds", METRICS_GAUGE,
                       "Age of the newest price of known cards, by condition; whole UTC days.");
    for (size_t i = 0; i < CONDITION_COUNT; i++) {
        write_age(out, "condition", CONDITION_NAMES[i], ages->newest_price_day[i], day);
    }
    metrics_out_family(out, "gpuwise_market_price_age_seconds", METRICS_GAUGE,
                       "Age of the newest new or used price of known cards, by market.");
    for (size_t i = 0; i < ages->market_count; i++) {
        const char *market = ages->markets[i].market;

        write_age(out, "market", market == NULL ? "unknown" : market, ages->markets[i].newest_day,
                  day);
    }
    write_plain_age(out, "gpuwise_offer_age_seconds",
                    "Age of the newest cloud offer; whole UTC days.", ages->newest_offer_day, day);
    write_plain_age(out, "gpuwise_exchange_rate_age_seconds",
                    "Age of the newest exchange rate; whole UTC days.", ages->newest_rate_day, day);
}

static double share_of(size_t part, size_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

static void write_catalogue(struct metrics_out *out, const struct app_snapshot *snapshot,
                            int32_t day)
{
    const struct catalogue *catalogue = snapshot->catalogue;
    const struct freshness *ages = &snapshot->ages;
    const struct parameters *parameters = &catalogue->parameters;

    metrics_out_family(out, "gpuwise_catalogue_info", METRICS_GAUGE,
                       "The facts that answers are made from; always 1.");
    metrics_out_sample(out, "");
    metrics_out_label(out, "revision", catalogue->revision);
    metrics_out_count(out, 1);
    metrics_out_family(out, "gpuwise_catalogue_rows", METRICS_GAUGE, "Rows of each table.");
    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        size_t count = 0;

        memcpy(&count, (const char *)catalogue + FACT_TABLES[i]->catalogue_count, sizeof count);
        metrics_out_sample(out, "");
        metrics_out_label(out, "table", FACT_TABLES[i]->name);
        metrics_out_count(out, count);
    }
    metrics_out_plain_count(out, "gpuwise_catalogue_unknown_prices", METRICS_GAUGE,
                            "Prices under a name that is no card; they advise nobody.",
                            catalogue->unknown_price_count);
    write_ages(out, ages, day);
    metrics_out_plain_number(out, "gpuwise_stale_prices_ratio", METRICS_GAUGE,
                             "Share of newest prices (each card, new and used) that are stale.",
                             share_of(freshness_count_stale(ages->price_days, ages->price_day_count,
                                                            day, parameters->price_stale_days),
                                      ages->price_day_count));
    metrics_out_plain_number(out, "gpuwise_stale_offers_ratio", METRICS_GAUGE,
                             "Share of newest cloud offers that are stale.",
                             share_of(freshness_count_stale(ages->offer_days, ages->offer_day_count,
                                                            day, parameters->offer_stale_days),
                                      ages->offer_day_count));
}

void handle_metrics(struct exchange *exchange)
{
    const struct metrics_values *values = exchange->view->metrics;
    struct metrics_out out;

    if (values == NULL) {
        problem_reply_out_of_memory(exchange); /* the only reason not to gather them */
        return;
    }
    metrics_out_init(&out, exchange->arena);
    write_process(&out, values);
    write_requests(&out, &values->counters);
    write_durations(&out, &values->counters);
    write_transport(&out, values);
    if (exchange->view->snapshot != NULL) {
        write_catalogue(&out, exchange->view->snapshot, exchange->view->day);
    }
    if (out.text.has_failed) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){.status = 200,
                                                 .body = out.text.bytes,
                                                 .body_bytes = out.text.length,
                                                 .place = HTTP_BODY_ARENA};
    cache_rules_metrics(exchange);
}
