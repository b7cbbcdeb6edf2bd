/* A list and a mutex. Any thread. */
#include "write_queue.h"

#include "../handlers/limits.h"
#include "write_job.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct write_queue {
    pthread_mutex_t mutex;
    struct write_job *first, *last;
    size_t count;
    void (*wake)(void *data); /* NULL: closed */
    void *data;
};

struct write_queue *write_queue_new(struct error *err)
{
    struct write_queue *queue = calloc(1, sizeof *queue);

    if (queue == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    int fault = pthread_mutex_init(&queue->mutex, NULL);

    if (fault != 0) {
        free(queue);
        (void)error_set(err, ERROR_SYSTEM, "cannot make a mutex: %s", strerror(fault));
        return NULL;
    }
    return queue;
}

void write_queue_free(struct write_queue *queue)
{
    if (queue != NULL) {
        assert(queue->count == 0);
        (void)pthread_mutex_destroy(&queue->mutex); /* fails only when held, and nobody is left */
        free(queue);
    }
}

static void set_wake(struct write_queue *queue, void (*wake)(void *data), void *data)
{
    (void)pthread_mutex_lock(&queue->mutex); /* a plain mutex: cannot fail */
    queue->wake = wake;
    queue->data = data;
    (void)pthread_mutex_unlock(&queue->mutex);
}

void write_queue_open(struct write_queue *queue, void (*wake)(void *data), void *data)
{
    set_wake(queue, wake, data);
}

void write_queue_close(struct write_queue *queue)
{
    set_wake(queue, NULL, NULL);
}

bool write_queue_give(struct write_queue *queue, struct write_job *job)
{
    (void)pthread_mutex_lock(&queue->mutex); /* a plain mutex: cannot fail */
    bool is_taken = queue->wake != NULL && queue->count < LIMIT_WRITES_WAITING;

    if (is_taken) {
        job->next = NULL;
        if (queue->last == NULL) {
            queue->first = job;
        } else {
            queue->last->next = job;
        }
        queue->last = job;
        queue->count++;
        queue->wake(queue->data); /* with the mutex: not after write_queue_close() */
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return is_taken;
}

struct write_job *write_queue_take(struct write_queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex); /* a plain mutex: cannot fail */
    struct write_job *job = queue->first;

    if (job != NULL) {
        queue->first = job->next;
        queue->last = queue->first == NULL ? NULL : queue->last;
        queue->count--;
        job->next = NULL;
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return job;
}
