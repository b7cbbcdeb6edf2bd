/* Token buckets kept as the time at which they are full again: one number each, no clock of its
 * own. Any thread. */
#include "rate_limit.h"

#include "../handlers/limits.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A script that posts price by price is not slowed down at 10 a second; who guesses has one guess
 * in 6 seconds, and a person who mistypes has ten at once. */
enum { ATTEMPT_MS = 100, ATTEMPTS_AT_ONCE = 300, FAILURE_MS = 6000, FAILURES_AT_ONCE = 10 };

struct entry {
    struct peer_address address;
    uint64_t attempts_full_ms, failures_full_ms; /* when the bucket is full again; past: is full */
};

struct rate_limit {
    pthread_mutex_t mutex;
    size_t count;
    struct entry entries[LIMIT_RATE_ADDRESSES];
};

struct rate_limit *rate_limit_new(struct error *err)
{
    struct rate_limit *limit = calloc(1, sizeof *limit);

    if (limit == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    int fault = pthread_mutex_init(&limit->mutex, NULL);

    if (fault != 0) {
        free(limit);
        (void)error_set(err, ERROR_SYSTEM, "cannot make a mutex: %s", strerror(fault));
        return NULL;
    }
    return limit;
}

void rate_limit_free(struct rate_limit *limit)
{
    if (limit != NULL) {
        (void)pthread_mutex_destroy(&limit->mutex); /* fails only when held, and nobody is left */
        free(limit);
    }
}

static uint64_t full_ms(const struct entry *entry)
{
    return entry->attempts_full_ms > entry->failures_full_ms ? entry->attempts_full_ms
                                                             : entry->failures_full_ms;
}

static struct peer_address key_of(const struct peer_address *address)
{
    struct peer_address key = *address;

    if (!peer_is_ipv4(address)) {
        memset(key.bytes + 8, 0, 8);
    }
    return key;
}

/* The address's entry. A new one takes the place of the one that has least to remember. */
static struct entry *find(struct rate_limit *limit, const struct peer_address *address)
{
    struct peer_address key = key_of(address);
    struct entry *least = &limit->entries[0];

    for (size_t i = 0; i < limit->count; i++) {
        struct entry *entry = &limit->entries[i];

        if (memcmp(&entry->address, &key, sizeof key) == 0) {
            return entry;
        }
        if (full_ms(entry) < full_ms(least)) {
            least = entry;
        }
    }
    if (limit->count < LIMIT_RATE_ADDRESSES) {
        least = &limit->entries[limit->count++];
    }
    *least = (struct entry){.address = key};
    return least;
}

/* Milliseconds until a bucket that holds at_once has room for one more; 0: now. */
static uint64_t wait_ms(uint64_t bucket_full_ms, uint64_t now_ms, uint64_t each_ms,
                        uint64_t at_once)
{
    uint64_t until_ms = bucket_full_ms > now_ms ? bucket_full_ms - now_ms : 0;
    uint64_t allowed_ms = (at_once - 1) * each_ms;

    return until_ms > allowed_ms ? until_ms - allowed_ms : 0;
}

static void take(uint64_t *bucket_full_ms, uint64_t now_ms, uint64_t each_ms)
{
    *bucket_full_ms = (*bucket_full_ms > now_ms ? *bucket_full_ms : now_ms) + each_ms;
}

unsigned rate_limit_attempt(struct rate_limit *limit, const struct peer_address *address,
                            uint64_t now_ms)
{
    (void)pthread_mutex_lock(&limit->mutex); /* a plain mutex: cannot fail */
    struct entry *entry = find(limit, address);
    uint64_t failures_ms = wait_ms(entry->failures_full_ms, now_ms, FAILURE_MS, FAILURES_AT_ONCE);
    uint64_t attempts_ms = wait_ms(entry->attempts_full_ms, now_ms, ATTEMPT_MS, ATTEMPTS_AT_ONCE);
    uint64_t longer_ms = failures_ms > attempts_ms ? failures_ms : attempts_ms;

    if (longer_ms == 0) {
        take(&entry->attempts_full_ms, now_ms, ATTEMPT_MS);
    }
    (void)pthread_mutex_unlock(&limit->mutex);
    return (unsigned)((longer_ms + 999) / 1000);
}

void rate_limit_fail(struct rate_limit *limit, const struct peer_address *address, uint64_t now_ms)
{
    (void)pthread_mutex_lock(&limit->mutex); /* a plain mutex: cannot fail */
    take(&find(limit, address)->failures_full_ms, now_ms, FAILURE_MS);
    (void)pthread_mutex_unlock(&limit->mutex);
}
