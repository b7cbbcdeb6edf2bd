/* The cache without HTTP: what is found, what leaves when, and that everything leaves once. */
#include "../../server/response_cache.h"

#include "../tap.h"

#include <stdlib.h>

enum { ANSWERS = 2000 };

static int released[ANSWERS]; /* how often each answer left */

static void release(void *answer)
{
    (*(int *)answer)++;
}

static struct response_cache_key key_of(const char *target, const char *accept,
                                        const char *language)
{
    return (struct response_cache_key){target, strlen(target), accept, language, 0};
}

static void test_keys(void)
{
    static const struct response_cache_key KEYS[] = {{"/a", 2, NULL, NULL, 0},
                                                     {"/a?b", 4, NULL, NULL, 0},
                                                     {"/a", 2, "x", NULL, 0},
                                                     {"/a", 2, NULL, "x", 0},
                                                     {"/a", 2, "x", "x", 0},
                                                     {"/ax", 3, NULL, NULL, 0},
                                                     {"/12345678", 9, NULL, NULL, 0},
                                                     {"/12345679", 9, NULL, NULL, 0},
                                                     {"/1234567890123456", 17, "a", "b", 0},
                                                     {"/a", 2, NULL, NULL, 1},
                                                     {"/a", 2, "x", "x", 2}};
    struct response_cache *cache = response_cache_new(100000, release);
    size_t count = sizeof KEYS / sizeof KEYS[0], found = 0;

    if (cache == NULL) {
        abort();
    }
    response_cache_enter(cache, cache, 1);
    for (size_t i = 0; i < count; i++) {
        found += response_cache_find(cache, &KEYS[i]) != NULL ? 1 : 0;
        (void)response_cache_give(cache, &KEYS[i], &released[i], 100);
    }
    tap_ok(found == 0, "keys that differ in one part are different");
    for (size_t i = 0; i < count; i++) {
        found += response_cache_find(cache, &KEYS[i]) == &released[i] ? 1 : 0;
    }
    tap_ok(found == count, "each finds its own answer");
    struct response_cache_key empty = key_of("/a", "", "");

    tap_ok(response_cache_find(cache, &empty) == &released[0], "an empty header is an absent one");
    response_cache_enter(cache, cache, 1);
    tap_ok(response_cache_count(cache) == count, "same snapshot and day: kept");
    response_cache_enter(cache, cache, 2);
    tap_ok(response_cache_count(cache) == 0 && released[0] == 1, "another day: emptied");
    (void)response_cache_give(cache, &KEYS[0], &released[0], 100);
    response_cache_enter(cache, NULL, 2);
    tap_ok(response_cache_count(cache) == 0 && released[0] == 2, "another snapshot: emptied");
    response_cache_free(cache);
    memset(released, 0, sizeof released);
}

/* 2,000 answers of over 1,000 bytes through 100,000 bytes. */
static void test_bound(void)
{
    struct response_cache *cache = response_cache_new(100000, release);
    size_t most = 0, once = 0;
    char target[32];
    struct response_cache_key key;

    if (cache == NULL) {
        abort();
    }
    for (int i = 0; i < ANSWERS; i++) {
        (void)snprintf(target, sizeof target, "/t?n=%d", i);
        key = key_of(target, NULL, NULL);
        (void)response_cache_give(cache, &key, &released[i], 1000);
        most = response_cache_count(cache) > most ? response_cache_count(cache) : most;
    }
    tap_ok(most > 80 && most <= 100, "at most 100 of 1,000 bytes at a time: %zu", most);
    tap_ok(response_cache_find(cache, &key) == &released[ANSWERS - 1], "the newest is there");
    key = key_of("/t?n=0", NULL, NULL);
    tap_ok(response_cache_find(cache, &key) == NULL && released[0] == 1, "the oldest has left");
    tap_ok(!response_cache_give(cache, &key, &released[0], 100001) && released[0] == 1,
           "what is larger than the cache is not taken over");
    tap_ok(response_cache_count(cache) == most, "and drives nothing out");
    response_cache_free(cache);
    for (int i = 0; i < ANSWERS; i++) {
        once += released[i] == 1 ? 1 : 0;
    }
    tap_ok(once == ANSWERS, "every answer was released exactly once");
}

int main(void)
{
    test_keys();
    test_bound();
    response_cache_free(NULL);
    return tap_done();
}
