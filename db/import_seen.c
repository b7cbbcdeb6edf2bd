/* A hash table of fingerprints, one line of the processor's cache a look. No state outside it. */
#include "import_seen.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

/* The slot of that fingerprint, or the free one where it belongs. */
static struct import_seen_slot *slot_of(const struct import_seen *seen, uint64_t a, uint32_t b)
{
    size_t place = (size_t)a & (seen->room - 1);

    while (seen->slots[place].number != 0 &&
           (seen->slots[place].a != a || seen->slots[place].b != b)) {
        place = (place + 1) & (seen->room - 1);
    }
    return &seen->slots[place];
}

uint32_t import_seen_find(const struct import_seen *seen, const struct import_print *print)
{
    return seen->room == 0 ? 0 : slot_of(seen, print->a, (uint32_t)print->b)->number;
}

static bool grow(struct import_seen *seen)
{
    struct import_seen larger = {.room = seen->room == 0 ? FIRST_ROOM : seen->room * 2,
                                 .count = seen->count};

    larger.slots = calloc(larger.room, sizeof larger.slots[0]);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < seen->room; i++) {
        if (seen->slots[i].number != 0) {
            *slot_of(&larger, seen->slots[i].a, seen->slots[i].b) = seen->slots[i];
        }
    }
    free(seen->slots);
    *seen = larger;
    return true;
}

bool import_seen_add(struct import_seen *seen, const struct import_print *print, uint32_t number)
{
    uint32_t b = (uint32_t)print->b;

    if (seen->count + seen->count / 2 >= seen->room && !grow(seen)) { /* two thirds full */
        return false;
    }
    *slot_of(seen, print->a, b) =
        (struct import_seen_slot){.a = print->a, .b = b, .number = number};
    seen->count++;
    return true;
}

void import_seen_fini(struct import_seen *seen)
{
    free(seen->slots);
    *seen = (struct import_seen){0};
}
