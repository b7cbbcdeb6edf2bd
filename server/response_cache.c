/* A chained hash table whose entries also stand in the order of their arrival. One thread: a
 * worker's. */
#include "response_cache.h"

#include "../handlers/engine/hash.h"

#include <stdlib.h>
#include <string.h>

/* As many chains as answers of 1 KiB fit into the usual 4 MiB. */
enum { BUCKET_COUNT = 4096 };

struct entry {
    struct entry *next_in_bucket;
    struct entry *newer;
    uint64_t hash;
    void *answer;
    size_t cost_bytes; /* with the entry and its key */
    size_t key_bytes;
    unsigned variant;
    char key[]; /* the parts, a NUL behind each; the first may not hold one */
};

struct response_cache {
    void (*release)(void *answer);
    size_t bytes_max, used_bytes, count;
    const void *snapshot;
    int32_t day;
    struct entry *oldest, *newest;
    struct entry *buckets[BUCKET_COUNT];
};

struct response_cache *response_cache_new(size_t bytes_max, void (*release)(void *answer))
{
    struct response_cache *cache = calloc(1, sizeof *cache);

    if (cache != NULL) {
        cache->bytes_max = bytes_max;
        cache->release = release;
    }
    return cache;
}

static void drop_oldest(struct response_cache *cache)
{
    struct entry *entry = cache->oldest;
    struct entry **link = &cache->buckets[entry->hash % BUCKET_COUNT];

    while (*link != entry) {
        link = &(*link)->next_in_bucket;
    }
    *link = entry->next_in_bucket;
    cache->oldest = entry->newer;
    cache->newest = entry->newer == NULL ? NULL : cache->newest;
    cache->used_bytes -= entry->cost_bytes;
    cache->count--;
    cache->release(entry->answer);
    free(entry);
}

static void drop_all(struct response_cache *cache)
{
    while (cache->oldest != NULL) {
        drop_oldest(cache);
    }
}

void response_cache_free(struct response_cache *cache)
{
    if (cache != NULL) {
        drop_all(cache);
        free(cache);
    }
}

void response_cache_enter(struct response_cache *cache, const void *snapshot, int32_t day)
{
    if (cache->snapshot != snapshot || cache->day != day) {
        drop_all(cache);
        cache->snapshot = snapshot;
        cache->day = day;
    }
}

static uint64_t hash_key(const struct response_cache_key *key, const size_t lengths[2])
{
    uint64_t hash = hash_words(HASH_SEED + key->variant, key->target, key->target_bytes);

    hash = hash_words(hash, key->accept, lengths[0]);
    return hash_words(hash, key->accept_language, lengths[1]);
}

/* Lengths of the two headers, which may be absent: absent and empty mean the same. */
static void measure(const struct response_cache_key *key, size_t lengths[2])
{
    lengths[0] = key->accept == NULL ? 0 : strlen(key->accept);
    lengths[1] = key->accept_language == NULL ? 0 : strlen(key->accept_language);
}

static bool is_part(const char *kept, const char *text, size_t length)
{
    return (length == 0 || memcmp(kept, text, length) == 0) && kept[length] == '\0';
}

static bool has_key(const struct entry *entry, const struct response_cache_key *key,
                    const size_t lengths[2])
{
    const char *accept = entry->key + key->target_bytes + 1;
    const char *language = accept + lengths[0] + 1;

    return entry->variant == key->variant &&
           entry->key_bytes == key->target_bytes + lengths[0] + lengths[1] + 3 &&
           is_part(entry->key, key->target, key->target_bytes) &&
           is_part(accept, key->accept, lengths[0]) &&
           is_part(language, key->accept_language, lengths[1]);
}

void *response_cache_find(struct response_cache *cache, const struct response_cache_key *key)
{
    size_t lengths[2];

    measure(key, lengths);
    uint64_t hash = hash_key(key, lengths);

    for (struct entry *entry = cache->buckets[hash % BUCKET_COUNT]; entry != NULL;
         entry = entry->next_in_bucket) {
        if (entry->hash == hash && has_key(entry, key, lengths)) {
            return entry->answer;
        }
    }
    return NULL;
}

static char *append(char *out, const char *text, size_t length)
{
    if (length > 0) {
        memcpy(out, text, length);
    }
    out[length] = '\0';
    return out + length + 1;
}

bool response_cache_give(struct response_cache *cache, const struct response_cache_key *key,
                         void *answer, size_t cost_bytes)
{
    size_t lengths[2];

    measure(key, lengths);
    size_t key_bytes = key->target_bytes + lengths[0] + lengths[1] + 3;
    size_t entry_bytes = sizeof(struct entry) + key_bytes;

    if (cost_bytes > cache->bytes_max || entry_bytes > cache->bytes_max - cost_bytes) {
        return false;
    }
    struct entry *entry = calloc(1, entry_bytes);

    if (entry == NULL) {
        return false;
    }
    while (cache->used_bytes > cache->bytes_max - cost_bytes - entry_bytes) {
        drop_oldest(cache);
    }
    entry->hash = hash_key(key, lengths);
    entry->answer = answer;
    entry->cost_bytes = cost_bytes + entry_bytes;
    entry->key_bytes = key_bytes;
    entry->variant = key->variant;
    char *out = append(entry->key, key->target, key->target_bytes);

    out = append(out, key->accept, lengths[0]);
    (void)append(out, key->accept_language, lengths[1]);
    struct entry **bucket = &cache->buckets[entry->hash % BUCKET_COUNT];

    entry->next_in_bucket = *bucket;
    *bucket = entry;
    if (cache->newest == NULL) {
        cache->oldest = entry;
    } else {
        cache->newest->newer = entry;
    }
    cache->newest = entry;
    cache->used_bytes += entry->cost_bytes;
    cache->count++;
    return true;
}

size_t response_cache_count(const struct response_cache *cache)
{
    return cache->count;
}
