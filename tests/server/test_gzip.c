/* What is compressed comes back whole, by zlib's own reader, and twice the same. */
#include "../../server/gzip.h"

#include "../../handlers/engine/arena.h"
#include "../tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

enum { ROOM_BYTES = 64 * 1024 * 1024, LARGE_BYTES = 2 * 1024 * 1024 };

static bool comes_back(const char *packed, size_t packed_bytes, const char *bytes, size_t count)
{
    char *out = malloc(count + 1);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed,
                       .avail_in = (uInt)packed_bytes,
                       .next_out = (Bytef *)out,
                       .avail_out = (uInt)count + 1};

    if (out == NULL || inflateInit2(&stream, 15 + 16) != Z_OK) { /* 16: gzip alone is taken */
        abort();
    }
    bool is_same = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == count &&
                   stream.avail_in == 0 && memcmp(out, bytes, count) == 0;

    (void)inflateEnd(&stream);
    free(out);
    return is_same;
}

int main(void)
{
    static const size_t COUNTS[] = {0, 1, 1000, 50000, LARGE_BYTES};
    struct gzip *gzip = gzip_new();
    struct arena arena, small;
    char *bytes = malloc(LARGE_BYTES);
    char mark[GZIP_MARK_BYTES];
    uint32_t state = 1;

    if (gzip == NULL || bytes == NULL) {
        abort();
    }
    arena_init(&arena, ROOM_BYTES);
    for (size_t i = 0; i < LARGE_BYTES; i++) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = "0123456789,:\"{}[]abcdefghijklmno"[state >> 27];
    }
    for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++) {
        const char *first = NULL, *second = NULL;
        size_t first_bytes = 0, second_bytes = 0;
        bool is_made =
            gzip_pack(gzip, GZIP_QUICK, &arena, bytes, COUNTS[i], &first, &first_bytes) &&
            gzip_pack(gzip, GZIP_QUICK, &arena, bytes, COUNTS[i], &second, &second_bytes);

        tap_ok(is_made && comes_back(first, first_bytes, bytes, COUNTS[i]),
               "%zu bytes come back from %zu", COUNTS[i], first_bytes);
        tap_ok(is_made && first_bytes == second_bytes && memcmp(first, second, first_bytes) == 0,
               "and are the same when compressed again");
    }
    const char *packed = NULL, *best = NULL;
    size_t packed_bytes = 0, best_bytes = 0;

    bool is_less = gzip_pack(gzip, GZIP_BEST, &arena, bytes, 50000, &best, &best_bytes) &&
                   gzip_pack(gzip, GZIP_QUICK, &arena, bytes, 50000, &packed, &packed_bytes) &&
                   comes_back(best, best_bytes, bytes, 50000) && best_bytes < packed_bytes;

    tap_ok(is_less, "with the best effort fewer bytes, and they come back: %zu, not %zu",
           best_bytes, packed_bytes);
    packed = NULL;
    arena_init(&small, 1024);
    tap_ok(!gzip_pack(gzip, GZIP_QUICK, &small, bytes, 50000, &packed, &packed_bytes) &&
               packed == NULL,
           "without memory it says so");
    tap_ok(gzip_pack(gzip, GZIP_QUICK, &arena, bytes, 50000, &packed, &packed_bytes) &&
               comes_back(packed, packed_bytes, bytes, 50000),
           "and works again");
    gzip_mark(mark);
    tap_ok(strlen(mark) == 10 && strspn(mark, "-z0123456789abcdef") == 10, "its mark: %s", mark);
    arena_fini(&small);
    arena_fini(&arena);
    gzip_free(gzip);
    gzip_free(NULL);
    free(bytes);
    return tap_done();
}
