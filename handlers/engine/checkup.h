/* What is wrong or doubtful in a loaded catalogue: the part of `gpuwise check` that needs no
 * database. */
#ifndef GPUWISE_ENGINE_CHECKUP_H
#define GPUWISE_ENGINE_CHECKUP_H

#include "catalogue.h"

enum checkup_level {
    CHECKUP_FINE,    /* was looked at, nothing to say against it */
    CHECKUP_WARNING, /* answers are worse for it: old, or without a name */
    CHECKUP_FAULT,   /* must not be so */
    CHECKUP_DETAIL,  /* more about the line before */
    CHECKUP_LEVEL_COUNT
};

enum { CHECKUP_TEXT_BYTES = 1024 };

/* A report that grows line by line; `tell` gets each line, in order. */
struct checkup {
    void (*tell)(void *data, enum checkup_level level, const char *topic, const char *text);
    void *data;
    size_t count[CHECKUP_LEVEL_COUNT]; /* lines of each level */
};

void checkup_tell(struct checkup *checkup, enum checkup_level level, const char *topic,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Values outside the rules of facts.h (faults), dates to come, data that is stale on that UTC day,
 * names without a card, and cards that cannot be advised well. False: no memory. */
bool checkup_catalogue(struct checkup *checkup, const struct catalogue *catalogue, int32_t day,
                       struct error *err) MUST_CHECK;

#endif
