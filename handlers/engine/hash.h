/* FNV-1a, 64 bit (http://www.isthe.com/chongo/tech/comp/fnv/). A hash goes on from another one and
 * begins with HASH_SEED. It tells apart what differs by chance; whoever wants to can find two
 * inputs of one hash. */
#ifndef GPUWISE_ENGINE_HASH_H
#define GPUWISE_ENGINE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t HASH_SEED = 14695981039346656037U;

static inline uint64_t hash_fold(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211U;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < length; i++) {
        hash = hash_fold(hash, byte[i]);
    }
    return hash;
}

/* With an end mark, so that "ab", "c" and "a", "bc" differ; NULL is another text than any. */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
    return text == NULL ? hash_fold(hash, 0xff) : hash_bytes(hash, text, strlen(text) + 1);
}

/* For what is long or hashed often: a word of eight bytes at a time, each folded into the low bits
 * that the multiplication alone would not reach; the length is hashed too. By the byte order of the
 * machine, and another number than that of hash_bytes. */
static inline uint64_t hash_words(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t word = 0;
    size_t done = 0;

    for (; length - done >= sizeof word; done += sizeof word) {
        memcpy(&word, byte + done, sizeof word);
        hash = hash_fold(hash, word);
        hash ^= hash >> 32;
    }
    word = length;
    for (; done < length; done++) {
        word = word << 8 | byte[done];
    }
    hash = hash_fold(hash, word);
    return hash ^ hash >> 32;
}

#endif
