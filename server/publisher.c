/* Looks twice a second whether the database changed, by anyone, and then loads and publishes it.
 * What cannot be loaded is said once, and the last good snapshot stays. Its own thread. */
#include "publisher.h"

#include "../db/catalogue_load.h"
#include "../db/import_counts.h"
#include "log.h"
#include "metrics.h"
#include "process_status.h"
#include "worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { LOOK_MS = 500 }; /* with the load itself (about 20 ms) far below the promised two seconds */

struct publisher {
    struct database *database;
    struct worker *const *workers;
    size_t worker_count;
    struct metrics_publisher *counters;
    struct log log;
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t stop;
    uv_timer_t timer;
    bool needs_load;      /* it changed, and has not been loaded since */
    struct error trouble; /* the last one said; ERROR_NONE: all is well */
};

bool publisher_load(struct database *database, struct app_snapshot **snapshot, struct error *err)
{
    struct catalogue *catalogue = NULL;

    if (!catalogue_load(database, &catalogue, err)) {
        return false;
    }
    struct app_snapshot *made = app_snapshot_new(catalogue, err);

    if (made == NULL) {
        return false;
    }
    *snapshot = made;
    return true;
}

/* Says a trouble unless it is the one said last. */
static void complain(struct publisher *publisher, const struct error *trouble)
{
    char quoted[LOG_QUOTED_BYTES];

    metrics_add(&publisher->counters->reload_failures, 1);
    if (publisher->trouble.code != trouble->code ||
        strcmp(publisher->trouble.text, trouble->text) != 0) {
        publisher->trouble = *trouble;
        log_event(&publisher->log, LOG_ERROR, "reload-failed", "reason=%s",
                  log_quote(trouble->text, strlen(trouble->text), quoted));
    }
}

/* What /metrics tells of the load that was just done. */
static void count_load(struct publisher *publisher)
{
    struct import_count imports[METRICS_TABLES_MAX] = {0};
    struct metrics_publisher *counters = publisher->counters;
    struct error err = {0};

    metrics_set(&counters->loaded_at_s, (uint64_t)process_status_now_s());
    if (!import_counts_read(publisher->database, imports, METRICS_TABLES_MAX, &err)) {
        complain(publisher, &err); /* the numbers stay those of the last load */
        return;
    }
    for (size_t i = 0; i < METRICS_TABLES_MAX; i++) {
        metrics_set(&counters->imports[i].standing, imports[i].standing);
        metrics_set(&counters->imports[i].undone, imports[i].undone);
        metrics_set(&counters->imports[i].rows_added, imports[i].rows_added);
    }
}

static void publish(struct publisher *publisher, struct app_snapshot *snapshot, uint64_t start_ns)
{
    for (size_t i = 0; i < publisher->worker_count; i++) {
        worker_publish(publisher->workers[i], app_snapshot_ref(snapshot));
    }
    log_event(&publisher->log, LOG_INFO, "published", "revision=%s ms=%llu",
              app_snapshot_catalogue(snapshot)->revision,
              (unsigned long long)((uv_hrtime() - start_ns) / 1000000));
    app_snapshot_unref(snapshot);
}

static void on_timer(uv_timer_t *timer)
{
    struct publisher *publisher = timer->data;
    struct app_snapshot *snapshot = NULL;
    struct error trouble = {0};
    bool has_changed = false;
    uint64_t start_ns = uv_hrtime();

    log_flush(&publisher->log); /* what was not taken when it was said */
    if (!database_changed(publisher->database, &has_changed, &trouble)) {
        complain(publisher, &trouble);
        return;
    }
    if (has_changed && database_was_overwritten(publisher->database)) {
        log_event(&publisher->log, LOG_WARNING, "reopened", "reason=%s",
                  "\"the database file was written to without a commit; replace it by rename\"");
    }
    publisher->needs_load = publisher->needs_load || has_changed;
    if (publisher->needs_load && !publisher_load(publisher->database, &snapshot, &trouble)) {
        complain(publisher, &trouble);
        return;
    }
    publisher->needs_load = false;
    if (publisher->trouble.code != ERROR_NONE) {
        publisher->trouble.code = ERROR_NONE;
        log_event(&publisher->log, LOG_INFO, "reload-mended", "%s", "");
    }
    if (snapshot != NULL) {
        metrics_add(&publisher->counters->reloads, 1);
        count_load(publisher);
        publish(publisher, snapshot, start_ns);
    }
}

static void on_stop(uv_async_t *stop)
{
    struct publisher *publisher = stop->data;

    uv_close((uv_handle_t *)&publisher->timer, NULL);
    uv_close((uv_handle_t *)&publisher->stop, NULL);
}

static void thread_main(void *data)
{
    struct publisher *publisher = data;

    (void)uv_run(&publisher->loop, UV_RUN_DEFAULT); /* until both handles are closed */
    log_finish(&publisher->log);
}

struct publisher *publisher_start(struct database *database, struct worker *const *workers,
                                  size_t worker_count, struct log_sink *sink,
                                  struct metrics_publisher *counters, struct error *err)
{
    struct publisher *publisher = calloc(1, sizeof *publisher);

    if (publisher == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    publisher->database = database;
    publisher->workers = workers;
    publisher->worker_count = worker_count;
    publisher->counters = counters;
    log_init(&publisher->log, sink);
    count_load(publisher);
    int fault = uv_loop_init(&publisher->loop);

    if (fault != 0) {
        goto free_publisher;
    }
    fault = uv_async_init(&publisher->loop, &publisher->stop, on_stop);
    if (fault != 0) {
        goto close_loop;
    }
    (void)uv_timer_init(&publisher->loop, &publisher->timer); /* never fails */
    publisher->stop.data = publisher;
    publisher->timer.data = publisher;
    (void)uv_timer_start(&publisher->timer, on_timer, LOOK_MS, LOOK_MS); /* cannot fail */
    fault = uv_thread_create(&publisher->thread, thread_main, publisher);
    if (fault != 0) {
        goto close_handles;
    }
    return publisher;

close_handles:
    on_stop(&publisher->stop);
    (void)uv_run(&publisher->loop, UV_RUN_DEFAULT); /* lets them close */
close_loop:
    (void)uv_loop_close(&publisher->loop); /* no handles left: cannot fail */
free_publisher:
    free(publisher);
    (void)error_set(err, ERROR_SYSTEM, "cannot start the publisher: %s", uv_strerror(fault));
    return NULL;
}

void publisher_stop(struct publisher *publisher)
{
    if (publisher == NULL) {
        return;
    }
    (void)uv_async_send(&publisher->stop);    /* never fails */
    (void)uv_thread_join(&publisher->thread); /* a thread of ours, joined once: cannot fail */
    int fault = uv_loop_close(&publisher->loop);

    assert(fault == 0); /* both handles were closed */
    free(publisher);
}
