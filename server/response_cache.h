/* A worker's ready answers, bounded in bytes; oldest out first. Does not know what an answer is. */
#ifndef GPUWISE_RESPONSE_CACHE_H
#define GPUWISE_RESPONSE_CACHE_H

#include "../handlers/engine/error.h"

#include <stddef.h>
#include <stdint.h>

/* What an answer depends on besides the scope; NULL headers are absent. */
struct response_cache_key {
    const char *target; /* raw, path and query */
    size_t target_bytes;
    const char *accept, *accept_language;
    unsigned variant; /* whatever else tells answers apart */
};

struct response_cache;

/* Calls release(answer) once for each answer that leaves; NULL: out of memory. */
struct response_cache *response_cache_new(size_t bytes_max,
                                          void (*release)(void *answer)) MUST_CHECK;
void response_cache_free(struct response_cache *cache); /* NULL is accepted */

/* Answers hold for one snapshot and one day; the cache is emptied when either is another than
 * before. Only the address of the snapshot counts, so the caller must hold a reference. */
void response_cache_enter(struct response_cache *cache, const void *snapshot, int32_t day);

/* NULL: none kept. The answer is lent until the next call that may release it. */
void *response_cache_find(struct response_cache *cache, const struct response_cache_key *key);

/* Takes the answer over when it returns true; false: it does not fit, or there is no memory. The
 * key must not be in the cache. cost_bytes: what the answer itself takes. */
bool response_cache_give(struct response_cache *cache, const struct response_cache_key *key,
                         void *answer, size_t cost_bytes);

/* Answers kept now. */
size_t response_cache_count(const struct response_cache *cache);

#endif
