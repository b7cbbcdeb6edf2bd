/* Looks twice a second whether the database changed, by anyone, and then loads and publishes it.
 * What cannot be loaded is said once, and the last good snapshot stays. Between looks it checks
 * tokens and runs commands for the workers, and publishes what a command changed before it says
 * that it is done. Its own thread. */
#include "publisher.h"

#include "../db/catalogue_load.h"
#include "../db/command_run.h"
#include "../db/import_counts.h"
#include "../handlers/limits.h"
#include "clock.h"
#include "log.h"
#include "metrics.h"
#include "process_status.h"
#include "worker.h"
#include "write_job.h"
#include "write_queue.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { LOOK_MS = 500 }; /* with the load itself (about 20 ms) far below the promised two seconds */

struct publisher {
    struct database *database;
    struct worker *const *workers;
    size_t worker_count;
    struct metrics_publisher *counters;
    struct write_queue *writes;
    atomic_bool is_ending; /* set by publisher_stop(): an import under way gives up */
    struct log log;
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t stop, work;
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

/* Loads and publishes the database if it has changed, or could not be loaded before. */
static void load(struct publisher *publisher, bool has_changed, uint64_t start_ns)
{
    struct app_snapshot *snapshot = NULL;
    struct error trouble = {0};

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

/* Whether the database changed; it is loaded and published then. False: no good one stands under
 * the name, and nothing may be read of it or written to it. */
static bool look(struct publisher *publisher, struct error *err)
{
    bool has_changed = false;
    uint64_t start_ns = uv_hrtime();

    if (!database_changed(publisher->database, &has_changed, err)) {
        complain(publisher, err);
        return false;
    }
    load(publisher, has_changed, start_ns);
    return true;
}

static void on_timer(uv_timer_t *timer)
{
    struct publisher *publisher = timer->data;
    struct error ignored; /* said, and tried again */

    log_flush(&publisher->log); /* what was not taken when it was said */
    (void)look(publisher, &ignored);
}

/* Costs one hash whether there is such a token or not. */
static void check_token(struct publisher *publisher, struct write_job *job)
{
    struct tokens_row row = {.id = ""};
    bool is_found = false;
    struct error err = {0};

    if (!tokens_find(publisher->database, job->token.id, &row, &is_found, &err)) {
        write_job_fail(job, &err);
        return;
    }
    bool is_match = token_matches(&job->token, is_found ? row.hash : NULL);

    job->check = is_match && row.revoked_at[0] == '\0' ? WRITE_CHECK_GOOD : WRITE_CHECK_BAD;
    (void)snprintf(job->who, sizeof job->who, "%s", row.name);
    explicit_bzero(job->token.secret, sizeof job->token.secret); /* the rest names it */
}

static bool may_go_on(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    const struct publisher *publisher = context;

    (void)bytes_read; /* nobody watches */
    (void)bytes_total;
    return !atomic_load(&publisher->is_ending);
}

/* Of the time a write may wait what is left since it was given: a crowd that waits for another
 * program is told so together. */
static unsigned wait_ms_of(const struct write_job *job)
{
    uint64_t waited_ms = (clock_now_us() - job->given_us) / 1000;

    return waited_ms < LIMIT_WRITE_WAIT_MS ? (unsigned)(LIMIT_WRITE_WAIT_MS - waited_ms) : 0;
}

/* Who asks for a write asks it of the file that has the name now: that is opened first. */
static bool open_current(struct publisher *publisher, struct error *err)
{
    if (atomic_load(&publisher->is_ending)) {
        return error_set(err, ERROR_SYSTEM, "the server is stopping");
    }
    return look(publisher, err) &&
           (!database_is_in_doubt(publisher->database) || look(publisher, err));
}

static void run_command(struct publisher *publisher, struct write_job *job)
{
    struct command_watch watch = {wait_ms_of(job), may_go_on, publisher};
    struct error ignored; /* said, and of no matter to what was written before */

    command_run(publisher->database, &job->command, &watch, &job->outcome);
    (void)look(publisher, &ignored); /* who wrote reads it */
}

static void do_job(struct publisher *publisher, struct write_job *job)
{
    char quoted[LOG_QUOTED_BYTES];
    struct error trouble = {0};

    if (!open_current(publisher, &trouble)) {
        write_job_fail(job, &trouble);
    } else if (job->is_check) {
        check_token(publisher, job);
    } else {
        run_command(publisher, job);
    }
    bool has_failed =
        job->is_check ? job->check == WRITE_CHECK_FAILED : job->outcome.status == COMMAND_FAILED;

    if (has_failed) {
        const char *why = job->outcome.error.text;

        log_event(&publisher->log, atomic_load(&publisher->is_ending) ? LOG_INFO : LOG_ERROR,
                  "write-failed", "reason=%s", log_quote(why, strlen(why), quoted));
    }
    job->done(job);
}

static void on_work(uv_async_t *work)
{
    struct publisher *publisher = work->data;
    struct write_job *job = write_queue_take(publisher->writes);

    for (; job != NULL; job = write_queue_take(publisher->writes)) {
        do_job(publisher, job);
    }
}

/* On the giver's thread. */
static void wake(void *data)
{
    struct publisher *publisher = data;

    (void)uv_async_send(&publisher->work); /* never fails */
}

static void on_stop(uv_async_t *stop)
{
    struct publisher *publisher = stop->data;

    uv_close((uv_handle_t *)&publisher->timer, NULL);
    uv_close((uv_handle_t *)&publisher->work, NULL);
    uv_close((uv_handle_t *)&publisher->stop, NULL);
}

static void thread_main(void *data)
{
    struct publisher *publisher = data;

    (void)uv_run(&publisher->loop, UV_RUN_DEFAULT); /* until all handles are closed */
    log_finish(&publisher->log);
}

struct publisher *publisher_start(struct database *database, struct worker *const *workers,
                                  size_t worker_count, struct write_queue *writes,
                                  struct log_sink *sink, struct metrics_publisher *counters,
                                  struct error *err)
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
    publisher->writes = writes;
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
    fault = uv_async_init(&publisher->loop, &publisher->work, on_work);
    if (fault != 0) {
        uv_close((uv_handle_t *)&publisher->stop, NULL);
        (void)uv_run(&publisher->loop, UV_RUN_DEFAULT); /* lets it close */
        goto close_loop;
    }
    (void)uv_timer_init(&publisher->loop, &publisher->timer); /* never fails */
    publisher->stop.data = publisher;
    publisher->work.data = publisher;
    publisher->timer.data = publisher;
    (void)uv_timer_start(&publisher->timer, on_timer, LOOK_MS, LOOK_MS); /* cannot fail */
    fault = uv_thread_create(&publisher->thread, thread_main, publisher);
    if (fault != 0) {
        goto close_handles;
    }
    write_queue_open(writes, wake, publisher);
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
    write_queue_close(publisher->writes);
    atomic_store(&publisher->is_ending, true);
    (void)uv_async_send(&publisher->stop);    /* never fails */
    (void)uv_thread_join(&publisher->thread); /* a thread of ours, joined once: cannot fail */
    on_work(&publisher->work);                /* nobody waits for what is left: it fails */
    int fault = uv_loop_close(&publisher->loop);

    assert(fault == 0); /* all handles were closed */
    free(publisher);
}
