/* A writer of Prometheus' text format (version 0.0.4): a family is opened, then come its samples.
 */
#ifndef GPUWISE_METRICS_OUT_H
#define GPUWISE_METRICS_OUT_H

#include "text_out.h"

enum metrics_type { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM };

struct metrics_out {
    struct text_out text; /* all that was written */
    const char *family;   /* the one that is open */
    bool has_labels;      /* of the sample being written */
};

void metrics_out_init(struct metrics_out *out, struct arena *arena);

/* name and help must be plain texts without line breaks; name is lent until the next family. */
void metrics_out_family(struct metrics_out *out, const char *name, enum metrics_type type,
                        const char *help);

/* A sample is begun, gets its labels, and ends with its value. suffix: "" or, of a histogram,
 * "_bucket", "_sum", "_count". Label values are escaped. */
void metrics_out_sample(struct metrics_out *out, const char *suffix);
void metrics_out_label(struct metrics_out *out, const char *name, const char *value);
void metrics_out_count(struct metrics_out *out, uint64_t value);
void metrics_out_number(struct metrics_out *out, double value);

/* Family and its only sample, without labels. */
void metrics_out_plain_count(struct metrics_out *out, const char *name, enum metrics_type type,
                             const char *help, uint64_t value);

/* The same; nothing at all when the value is negative: not known. */
void metrics_out_plain_number(struct metrics_out *out, const char *name, enum metrics_type type,
                              const char *help, double value);

#endif
