/* The thread that owns the database after start-up and hands new snapshots to the workers. */
#ifndef GPUWISE_PUBLISHER_H
#define GPUWISE_PUBLISHER_H

#include "../db/database.h"

#include <stddef.h>

struct app_snapshot;
struct log_sink;
struct metrics_publisher;
struct publisher;
struct worker;
struct write_queue;

/* Starts the thread and opens the queue, whose jobs it does. Until publisher_stop() database and
 * counters are its own, and the workers must run; done() of a job is called on its thread. What the
 * database holds has just been loaded.
 * NULL: *err says why. */
struct publisher *publisher_start(struct database *database, struct worker *const *workers,
                                  size_t worker_count, struct write_queue *writes,
                                  struct log_sink *sink, struct metrics_publisher *counters,
                                  struct error *err) MUST_CHECK;

/* Ends the thread, also from within an import, which then writes nothing; jobs that wait are done
 * as failed. The database is the caller's again. NULL is accepted. */
void publisher_stop(struct publisher *publisher);

/* A snapshot of what the database holds; the caller gets a reference. */
bool publisher_load(struct database *database, struct app_snapshot **snapshot,
                    struct error *err) MUST_CHECK;

#endif
