/* A worker: one thread, one libuv loop, one libmicrohttpd daemon on its own listening socket.
 *
 * This is all that threads share after start-up:
 *   - worker_shared.letterbox: the newest snapshot, put in by the publisher, taken out by the
 *     worker, each by an atomic exchange; whoever takes one out owns its reference
 *   - worker_shared.stop: set by the main thread, read by the worker
 *   - snapshots: immutable, counted (app.h)
 *   - worker_shared.done: jobs that the publisher has done for the worker, pushed by it, taken out
 *     all at once by the worker; what a job holds goes with it
 *   - the queue of jobs: a mutex (write_queue.h); the rate limit: another (rate_limit.h)
 *   - the log's sink: a mutex around each write (log.h)
 *   - counters: raised by the one thread they belong to, read by all, by atomic loads (metrics.h)
 *   - the publisher's own flag that it is to end: set by the main thread (publisher.c)
 *   - serve.c's count of workers that have ended
 * and the wake-ups of uv_async_send(). */
#ifndef GPUWISE_WORKER_H
#define GPUWISE_WORKER_H

#include "mhd_bridge.h"

#include <stdatomic.h>

struct log_sink;
struct worker;

enum worker_stop { WORKER_RUN, WORKER_DRAIN, WORKER_STOP_NOW };

struct worker_shared {
    _Atomic(struct app_snapshot *) letterbox; /* NULL: nothing new */
    _Atomic(struct write_job *) done;         /* newest first; NULL: none */
    atomic_int stop;                          /* enum worker_stop, only ever rises */
};

struct worker_settings {
    struct mhd_bridge_settings bridge; /* its log is set by the worker */
    unsigned stop_timeout_s;
    struct log_sink *sink;
    void (*on_end)(void *data); /* called on the worker's thread when it ends */
    void *data;
};

/* Starts the thread and waits until it listens. The settings are copied; a reference of the
 * snapshot is taken over, also on failure. NULL: *err says why. */
struct worker *worker_start(const struct worker_settings *settings, struct app_snapshot *snapshot,
                            struct error *err) MUST_CHECK;

/* Hands over a reference; a snapshot that the worker has not yet taken is released. Any thread. */
void worker_publish(struct worker *worker, struct app_snapshot *snapshot);

/* Asks it to end: WORKER_DRAIN answers what is in flight, at most for the stop timeout. Any thread,
 * until worker_join(). */
void worker_stop(struct worker *worker, enum worker_stop stop);

/* Waits until it has ended, and frees it. NULL is accepted. */
void worker_join(struct worker *worker);

#endif
