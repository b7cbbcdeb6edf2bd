/* A hash table of fingerprints, 20 bytes a slot. No state outside it. */
#include "import_seen.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

static size_t slot_of(const struct import_seen *seen, const struct import_print *print)
{
    size_t slot = (size_t)print->a & (seen->room - 1);

    while (seen->numbers[slot] != 0 &&
           (seen->prints[slot].a != print->a || seen->prints[slot].b != print->b)) {
        slot = (slot + 1) & (seen->room - 1);
    }
    return slot;
}

uint32_t import_seen_find(const struct import_seen *seen, const struct import_print *print)
{
    return seen->room == 0 ? 0 : seen->numbers[slot_of(seen, print)];
}

static bool grow(struct import_seen *seen)
{
    struct import_seen larger = {.room = seen->room == 0 ? FIRST_ROOM : seen->room * 2,
                                 .count = seen->count};

    larger.prints = calloc(larger.room, sizeof larger.prints[0]);
    larger.numbers = calloc(larger.room, sizeof larger.numbers[0]);
    if (larger.prints == NULL || larger.numbers == NULL) {
        free(larger.prints);
        free(larger.numbers);
        return false;
    }
    for (size_t i = 0; i < seen->room; i++) {
        if (seen->numbers[i] != 0) {
            size_t slot = slot_of(&larger, &seen->prints[i]);

            larger.prints[slot] = seen->prints[i];
            larger.numbers[slot] = seen->numbers[i];
        }
    }
    free(seen->prints);
    free(seen->numbers);
    seen->prints = larger.prints;
    seen->numbers = larger.numbers;
    seen->room = larger.room;
    return true;
}

bool import_seen_add(struct import_seen *seen, const struct import_print *print, uint32_t number)
{
    if (seen->count + seen->count / 2 >= seen->room && !grow(seen)) { /* two thirds full */
        return false;
    }
    size_t slot = slot_of(seen, print);

    seen->prints[slot] = *print;
    seen->numbers[slot] = number;
    seen->count++;
    return true;
}

void import_seen_fini(struct import_seen *seen)
{
    free(seen->prints);
    free(seen->numbers);
    *seen = (struct import_seen){0};
}
