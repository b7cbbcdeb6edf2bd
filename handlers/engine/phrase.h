/* Numbers, money and names as ready text for the arguments of notes, the same in every language. */
#ifndef GPUWISE_ENGINE_PHRASE_H
#define GPUWISE_ENGINE_PHRASE_H

#include "catalogue.h"
#include "message.h"

/* Collects notes of one pick; when the arena is exhausted it goes on with empty texts and
 * remembers. */
struct phrase_book {
    struct arena *arena;
    struct note *notes;
    size_t count, maximum;
    bool is_out_of_memory;
};

/* Adds a note; one more than the maximum is a fault of ours. Arguments not used are NULL. */
void phrase_add(struct phrase_book *book, enum message_code code, enum message_variant variant,
                const char *first, const char *second);
void phrase_add_all(struct phrase_book *book, enum message_code code, enum message_variant variant,
                    const char *const arguments[NOTE_MAX_ARGUMENTS]);

/* "1,234.50 USD". */
const char *phrase_money(struct phrase_book *book, int64_t micros, enum currency currency);

/* "13.7 GiB", "24 GiB". */
const char *phrase_gib(struct phrase_book *book, double gib);

/* A number with at most `decimals` decimals, none of them a trailing zero, grouped by thousands,
 * and a unit behind a blank; unit "" for none. */
const char *phrase_number(struct phrase_book *book, double value, int decimals, const char *unit);

/* "SXM" of sxm, "US" of us; at most 31 letters of it. */
const char *phrase_upper(struct phrase_book *book, const char *text);

/* The names as their makers write them. */
const char *phrase_framework(enum framework framework);
const char *phrase_os(enum os os);
const char *phrase_vendor(const char *vendor);

#endif
