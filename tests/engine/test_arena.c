/* Tests handlers/engine/arena.c. */
#include "arena.h"

#include "tests/tap.h"

#include <stdalign.h>
#include <stdint.h>

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static void test_allocation(void)
{
    struct arena arena;

    arena_init(&arena, 1024 * 1024);
    unsigned char *first = arena_alloc(&arena, 1);
    unsigned char *second = arena_alloc(&arena, 3);
    unsigned char *empty = arena_alloc(&arena, 0);

    (void)tap_ok(first != NULL && second != NULL && empty != NULL,
                 "small and empty requests are served");
    (void)tap_ok(first != second && second != empty, "each is a place of its own");
    (void)tap_ok((uintptr_t)second % alignof(max_align_t) == 0, "memory is aligned for any type");
    unsigned char *large = arena_alloc(&arena, 200 * 1024); /* larger than a block of 64 KiB */

    (void)tap_ok(large != NULL && is_zero(large, 200 * 1024),
                 "a request larger than a block is zeroed");
    if (large != NULL) {
        memset(large, 0xff, 200 * 1024);
    }
    (void)tap_ok(first != NULL && is_zero(first, 1), "writing to one leaves the others alone");
    arena_reset(&arena);
    (void)tap_ok(arena.used_bytes == 0, "nothing is used after a reset");
    unsigned char *again = arena_alloc(&arena, 64);

    (void)tap_ok(again != NULL && is_zero(again, 64), "memory used again is zeroed again");
    arena_fini(&arena);
    arena_fini(&arena);
    (void)tap_ok(arena.newest == NULL, "fini may be called twice");
}

static void test_maximum(void)
{
    struct arena arena;

    arena_init(&arena, 256);
    (void)tap_ok(arena_alloc(&arena, 257) == NULL, "more than the maximum is refused");
    (void)tap_ok(arena_alloc(&arena, 256) != NULL, "all of the maximum is served");
    (void)tap_ok(arena_alloc(&arena, 1) == NULL, "a byte beyond it is refused");
    arena_reset(&arena);
    (void)tap_ok(arena_alloc(&arena, 1) != NULL, "after a reset there is room again");
    (void)tap_ok(arena_alloc(&arena, SIZE_MAX) == NULL, "SIZE_MAX is refused, not wrapped around");
    (void)tap_ok(arena_alloc_array(&arena, SIZE_MAX / 2, 4) == NULL,
                 "an overflowing array is refused");
    (void)tap_ok(arena_copy_text(&arena, "", SIZE_MAX) == NULL, "a text of SIZE_MAX is refused");
    (void)tap_ok(arena_format(&arena, "%300d", 1) == NULL, "a formatted text beyond it is refused");
    arena_fini(&arena);
}

static void test_texts(void)
{
    struct arena arena;

    arena_init(&arena, 4096);
    (void)tap_text(arena_copy_text(&arena, "RTX 3090", 3), "RTX",
                   "a copy ends where its length says");
    (void)tap_text(arena_copy_text(&arena, "", 0), "", "an empty text is a text");
    (void)tap_text(arena_format(&arena, "%d x %s", 2, "T4"), "2 x T4", "a formatted text");
    arena_fini(&arena);
}

int main(void)
{
    test_allocation();
    test_maximum();
    test_texts();
    return tap_done();
}
