/* Jobs on their way from the workers to the publisher: first come, first served, at most
 * LIMIT_WRITES_WAITING. Any thread; a mutex is held for a few instructions. */
#ifndef GPUWISE_WRITE_QUEUE_H
#define GPUWISE_WRITE_QUEUE_H

#include "../handlers/engine/error.h"

struct write_job;
struct write_queue;

/* Closed. */
struct write_queue *write_queue_new(struct error *err) MUST_CHECK;

/* Empty by then. NULL is accepted. */
void write_queue_free(struct write_queue *queue);

/* From now on jobs are taken; wake is called, on the giver's thread, when there is one. */
void write_queue_open(struct write_queue *queue, void (*wake)(void *data), void *data);

/* No more jobs are taken in, and wake is not called again. */
void write_queue_close(struct write_queue *queue);

/* Hands over a job; its done() is called later. False: too many wait or it is closed; the job stays
 * the caller's. */
bool write_queue_give(struct write_queue *queue, struct write_job *job) MUST_CHECK;

/* The next job, which is then the caller's; NULL: none. */
struct write_job *write_queue_take(struct write_queue *queue);

#endif
