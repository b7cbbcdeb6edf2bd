/* Runs a bridge on a loop of its own: polls the daemon's epoll descriptor, re-arms a timer from its
 * timeout after every run, and takes messages of other threads. Knows nothing of HTTP. */
#include "worker.h"

#include "log.h"
#include "write_job.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

enum { SWEEP_MS = 1000, LOG_DELAY_MS = 100, DRAIN_CHECK_MS = 20 };

struct worker {
    struct worker_shared shared;
    struct worker_settings settings;
    struct app_snapshot *first_snapshot; /* until the bridge has it */
    uv_thread_t thread;
    uv_sem_t is_started; /* posted once, then error tells how it went */
    struct error error;
    uv_loop_t loop;
    uv_async_t wake;
    /* the thread's own */
    struct mhd_bridge *bridge;
    uv_poll_t poll;   /* the daemon's epoll descriptor */
    uv_timer_t again; /* the daemon's timeout */
    uv_timer_t sweep;
    uv_timer_t log_timer; /* runs while lines wait: they are written together */
    uv_timer_t drain;     /* runs while stopping */
    uint64_t drain_end_ms;
    bool is_draining;
    struct log log;
};

static void on_log_timer(uv_timer_t *timer)
{
    struct worker *worker = timer->data;

    log_flush(&worker->log);
}

static void run(struct worker *worker);

static void on_again(uv_timer_t *timer)
{
    run(timer->data);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct worker *worker = poll->data;

    (void)events; /* only readable is asked for */
    if (status < 0) {
        log_event(&worker->log, LOG_ERROR, "poll-failed", "worker=%u reason=%s",
                  worker->settings.bridge.worker, uv_err_name(status));
    }
    run(worker);
}

/* Lets the daemon work; to be called after anything was done to it. */
static void run(struct worker *worker)
{
    int64_t again_ms = mhd_bridge_run(worker->bridge);

    if (again_ms < 0) {
        (void)uv_timer_stop(&worker->again); /* never fails */
    } else {
        (void)uv_timer_start(&worker->again, on_again, (uint64_t)again_ms,
                             0); /* open: cannot fail */
    }
    if (worker->log.used > 0 && uv_is_active((uv_handle_t *)&worker->log_timer) == 0) {
        (void)uv_timer_start(&worker->log_timer, on_log_timer, LOG_DELAY_MS, 0);
    }
}

static void on_sweep(uv_timer_t *timer)
{
    struct worker *worker = timer->data;

    mhd_bridge_sweep(worker->bridge);
    run(worker);
}

/* Ends the loop: nothing may touch the daemon's descriptor after it is freed. */
static void end(struct worker *worker)
{
    (void)uv_poll_stop(&worker->poll); /* never fails */
    mhd_bridge_free(worker->bridge);
    worker->bridge = NULL;
    uv_close((uv_handle_t *)&worker->poll, NULL);
    uv_close((uv_handle_t *)&worker->again, NULL);
    uv_close((uv_handle_t *)&worker->sweep, NULL);
    uv_close((uv_handle_t *)&worker->log_timer, NULL);
    uv_close((uv_handle_t *)&worker->drain, NULL);
    uv_close((uv_handle_t *)&worker->wake, NULL);
}

static void on_drain(uv_timer_t *timer)
{
    struct worker *worker = timer->data;

    mhd_bridge_drain(worker->bridge);
    run(worker);
    if (mhd_bridge_connection_count(worker->bridge) == 0 ||
        uv_now(&worker->loop) >= worker->drain_end_ms) {
        end(worker);
    }
}

/* Takes those who have connected already, then only finishes. */
static void start_drain(struct worker *worker)
{
    size_t taken = 0;

    worker->is_draining = true;
    worker->drain_end_ms = uv_now(&worker->loop) + (uint64_t)worker->settings.stop_timeout_s * 1000;
    do {
        taken = mhd_bridge_connection_count(worker->bridge);
        run(worker);
    } while (mhd_bridge_connection_count(worker->bridge) > taken);
    (void)uv_timer_start(&worker->drain, on_drain, 0, DRAIN_CHECK_MS); /* cannot fail */
}

/* The newest snapshot, if there is one. Asked before each answer: who has read that his write is
 * done finds it done wherever he asks next. */
static struct app_snapshot *take_snapshot(void *data)
{
    struct worker *worker = data;

    return atomic_load(&worker->shared.letterbox) == NULL
               ? NULL
               : atomic_exchange(&worker->shared.letterbox, NULL);
}

/* On the publisher's thread. */
static void on_job_done(struct write_job *job)
{
    struct worker *worker = job->data;

    job->next = atomic_load(&worker->shared.done);
    while (!atomic_compare_exchange_weak(&worker->shared.done, &job->next, job)) {
    }
    (void)uv_async_send(&worker->wake); /* never fails */
}

/* Hands the jobs that are done to the bridge; without one they are of nobody. */
static void take_jobs(struct worker *worker)
{
    struct write_job *job = atomic_exchange(&worker->shared.done, NULL);

    while (job != NULL) {
        struct write_job *next = job->next;

        if (worker->bridge == NULL) {
            write_job_free(job);
        } else {
            mhd_bridge_finish_job(worker->bridge, job);
        }
        job = next;
    }
}

static void on_wake(uv_async_t *wake)
{
    struct worker *worker = wake->data;
    int stop = atomic_load(&worker->shared.stop);

    if (worker->bridge == NULL) { /* ending: worker_join empties letterbox and jobs */
        return;
    }
    struct app_snapshot *snapshot = take_snapshot(worker);

    if (snapshot != NULL) {
        mhd_bridge_give_snapshot(worker->bridge, snapshot);
    }
    take_jobs(worker);
    run(worker);
    if (stop != WORKER_RUN && !worker->is_draining) {
        start_drain(worker);
    }
    if (stop == WORKER_STOP_NOW) {
        worker->drain_end_ms = 0;
    }
}

/* The handles of an initialised loop; what libuv can refuse here is descriptors. */
static bool open_handles(struct worker *worker)
{
    uv_timer_t *const timers[] = {&worker->again, &worker->sweep, &worker->log_timer,
                                  &worker->drain};
    int fault = uv_poll_init(&worker->loop, &worker->poll, mhd_bridge_poll_fd(worker->bridge));

    if (fault != 0) {
        return error_set(&worker->error, ERROR_SYSTEM, "cannot watch the daemon: %s",
                         uv_strerror(fault));
    }
    for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++) {
        (void)uv_timer_init(&worker->loop, timers[i]); /* never fails */
        timers[i]->data = worker;
    }
    worker->poll.data = worker;
    (void)uv_poll_start(&worker->poll, UV_READABLE, on_readable); /* a valid handle: cannot fail */
    (void)uv_timer_start(&worker->sweep, on_sweep, SWEEP_MS, SWEEP_MS); /* cannot fail */
    return true;
}

static void thread_main(void *data)
{
    struct worker *worker = data;

    worker->settings.bridge.log = &worker->log;
    worker->settings.bridge.take_snapshot = take_snapshot;
    worker->settings.bridge.data = worker;
    worker->settings.bridge.admin.on_job_done = on_job_done;
    worker->settings.bridge.admin.data = worker;
    worker->bridge =
        mhd_bridge_new(&worker->settings.bridge, worker->first_snapshot, &worker->error);
    if (worker->bridge == NULL) {
        uv_close((uv_handle_t *)&worker->wake, NULL);
    } else if (!open_handles(worker)) {
        mhd_bridge_free(worker->bridge);
        worker->bridge = NULL;
        uv_close((uv_handle_t *)&worker->wake, NULL);
    } else {
        run(worker);
    }
    bool is_running = worker->bridge != NULL;

    uv_sem_post(&worker->is_started);
    (void)uv_run(&worker->loop, UV_RUN_DEFAULT); /* until all handles are closed */
    log_finish(&worker->log);
    if (is_running) {
        worker->settings.on_end(worker->settings.data);
    }
}

/* The parts libuv makes before the thread starts. */
static bool prepare(struct worker *worker, struct error *err)
{
    int fault = uv_sem_init(&worker->is_started, 0);

    if (fault != 0) {
        return error_set(err, ERROR_SYSTEM, "cannot make a semaphore: %s", uv_strerror(fault));
    }
    fault = uv_loop_init(&worker->loop);
    if (fault != 0) {
        goto destroy_semaphore;
    }
    fault = uv_async_init(&worker->loop, &worker->wake, on_wake);
    if (fault != 0) {
        goto close_loop;
    }
    worker->wake.data = worker;
    return true;

close_loop:
    (void)uv_loop_close(&worker->loop); /* no handles: cannot fail */
destroy_semaphore:
    uv_sem_destroy(&worker->is_started);
    return error_set(err, ERROR_SYSTEM, "cannot make a loop: %s", uv_strerror(fault));
}

/* What prepare() made, after the thread has ended. */
static void dismantle(struct worker *worker)
{
    int fault = uv_loop_close(&worker->loop);

    assert(fault == 0); /* every handle was closed */
    uv_sem_destroy(&worker->is_started);
    app_snapshot_unref(atomic_exchange(&worker->shared.letterbox, NULL));
    take_jobs(worker);
    free(worker);
}

struct worker *worker_start(const struct worker_settings *settings, struct app_snapshot *snapshot,
                            struct error *err)
{
    struct worker *worker = calloc(1, sizeof *worker);

    if (worker == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
        goto release_snapshot;
    }
    worker->settings = *settings;
    worker->first_snapshot = snapshot;
    log_init(&worker->log, settings->sink);
    if (!prepare(worker, err)) {
        goto free_worker;
    }
    int fault = uv_thread_create(&worker->thread, thread_main, worker);

    if (fault != 0) {
        (void)error_set(err, ERROR_SYSTEM, "cannot start a thread: %s", uv_strerror(fault));
        uv_close((uv_handle_t *)&worker->wake, NULL);
        (void)uv_run(&worker->loop, UV_RUN_DEFAULT); /* lets it close */
        dismantle(worker);
        goto release_snapshot;
    }
    uv_sem_wait(&worker->is_started);
    if (worker->error.code != ERROR_NONE) {
        *err = worker->error;
        worker_join(worker);
        return NULL;
    }
    return worker;

free_worker:
    free(worker);
release_snapshot:
    app_snapshot_unref(snapshot);
    return NULL;
}

void worker_publish(struct worker *worker, struct app_snapshot *snapshot)
{
    app_snapshot_unref(atomic_exchange(&worker->shared.letterbox, snapshot));
    (void)uv_async_send(&worker->wake); /* never fails */
}

void worker_stop(struct worker *worker, enum worker_stop stop)
{
    atomic_store(&worker->shared.stop, (int)stop);
    (void)uv_async_send(&worker->wake); /* never fails */
}

void worker_join(struct worker *worker)
{
    if (worker != NULL) {
        (void)uv_thread_join(&worker->thread); /* a thread of ours, joined once: cannot fail */
        dismantle(worker);
    }
}
