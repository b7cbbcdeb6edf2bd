/* Counting what /metrics tells.
 *
 * Each worker has counters of its own and is the only one to write them, so a count costs a plain
 * load and store: no lock, no bus. Whoever gathers reads all of them, by atomic loads; what it sees
 * of one worker may be a request further than what it saw of another. */
#ifndef GPUWISE_SERVER_METRICS_H
#define GPUWISE_SERVER_METRICS_H

#include "../handlers/engine/error.h"
#include "../handlers/metrics.h"

struct metrics;

/* For so many workers. NULL: out of memory. */
struct metrics *metrics_new(unsigned worker_count) MUST_CHECK;
void metrics_free(struct metrics *metrics); /* NULL is accepted; nobody may count any more */

/* Those of one worker, whose thread alone may raise them; lent. */
struct metrics_counters *metrics_of_worker(struct metrics *metrics, unsigned worker);

/* Those of the publisher, the same. */
struct metrics_publisher *metrics_of_publisher(struct metrics *metrics);

/* Raises a counter of the calling thread's own, or sets it. */
void metrics_add(uint64_t *counter, uint64_t count);
void metrics_set(uint64_t *value, uint64_t now);

/* One request that is over. status 0: it ended before an answer. */
void metrics_count_request(struct metrics_counters *counters, size_t route, enum http_method method,
                           unsigned status, uint64_t body_bytes, uint64_t duration_us);

/* A refusal of the transport, by the status that it answers. */
void metrics_count_refusal(struct metrics_counters *counters, unsigned status);

/* An admin request, by the status that it is answered; 0: it ended before. */
void metrics_count_admin(struct metrics_counters *counters, unsigned status);

/* Sums up the workers' counters and asks the system about the process. Any thread. */
void metrics_gather(const struct metrics *metrics, struct metrics_values *values);

#endif
