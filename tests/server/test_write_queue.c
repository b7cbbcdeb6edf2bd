/* Jobs in order, the bound, and closing, with givers on several threads. */
#include "../../server/write_queue.h"

#include "../../handlers/limits.h"
#include "../../server/write_job.h"
#include "../tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { GIVERS = 4, JOBS_EACH = 500 };

static void count_wake(void *data)
{
    (void)atomic_fetch_add((atomic_int *)data, 1);
}

static void test_bound(struct write_queue *queue)
{
    struct write_job jobs[LIMIT_WRITES_WAITING + 1] = {0};
    atomic_int wakes = 0;
    int given = 0;
    bool is_in_order = true;

    tap_ok(!write_queue_give(queue, &jobs[0]), "closed it takes nothing");
    write_queue_open(queue, count_wake, &wakes);
    while (given <= LIMIT_WRITES_WAITING && write_queue_give(queue, &jobs[given])) {
        given++;
    }
    tap_ok(given == LIMIT_WRITES_WAITING && atomic_load(&wakes) == given,
           "%d jobs are taken in, each with a wake, and no more", given);
    for (int i = 0; i < given; i++) {
        is_in_order = is_in_order && write_queue_take(queue) == &jobs[i];
    }
    tap_ok(is_in_order && write_queue_take(queue) == NULL, "they come out in order");
    tap_ok(write_queue_give(queue, &jobs[0]) && write_queue_take(queue) == &jobs[0],
           "then there is room again");
    write_queue_close(queue);
    tap_ok(!write_queue_give(queue, &jobs[0]), "closed again it takes nothing");
}

static void *give_many(void *data)
{
    struct write_queue *queue = data;

    for (int i = 0; i < JOBS_EACH; i++) {
        struct write_job *job = write_job_new();

        while (job != NULL && !write_queue_give(queue, job)) {
        }
    }
    return NULL;
}

static void test_threads(struct write_queue *queue)
{
    pthread_t threads[GIVERS];
    atomic_int wakes = 0;
    int taken = 0;

    write_queue_open(queue, count_wake, &wakes);
    for (int i = 0; i < GIVERS; i++) {
        if (pthread_create(&threads[i], NULL, give_many, queue) != 0) {
            abort();
        }
    }
    while (taken < GIVERS * JOBS_EACH) {
        struct write_job *job = write_queue_take(queue);

        taken += job == NULL ? 0 : 1;
        write_job_free(job);
    }
    for (int i = 0; i < GIVERS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    write_queue_close(queue);
    tap_ok(write_queue_take(queue) == NULL && atomic_load(&wakes) == taken,
           "%d jobs of %d threads come through", taken, GIVERS);
}

int main(void)
{
    struct error err = {0};
    struct write_queue *queue = write_queue_new(&err);

    if (queue == NULL) {
        printf("Bail out! %s\n", err.text);
        return 1;
    }
    test_bound(queue);
    test_threads(queue);
    write_queue_free(queue);
    return tap_done();
}
