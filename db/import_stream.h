/* The bytes of an imported file: a descriptor read in pieces, or memory, seen alike. One thread. */
#ifndef GPUWISE_DB_IMPORT_STREAM_H
#define GPUWISE_DB_IMPORT_STREAM_H

#include "csv.h"
#include "import.h"

struct import_stream {
    const struct import_source *source;
    const struct import_options *options;
    const char *name;      /* for errors */
    unsigned char *window; /* of a descriptor: [0, used) was read */
    size_t room, used;
    bool is_at_end;                   /* nothing more to read */
    uint64_t read_bytes, total_bytes; /* total 0: not known */
};

/* In place; source and options are lent. Reads the beginning. ERROR_BAD_FILE for what can be seen
 * from there not to be text in UTF-8, ERROR_SYSTEM for what cannot be read. */
bool import_stream_init(struct import_stream *stream, const struct import_source *source,
                        const struct import_options *options, struct error *err) MUST_CHECK;

/* Accepts a zeroed stream. */
void import_stream_fini(struct import_stream *stream);

/* Whether the first byte that is no blank is that one. */
bool import_stream_begins_with(const struct import_stream *stream, char byte);

/* A reader of its records; csv_fini() it before the stream. */
bool import_stream_csv(struct import_stream *stream, struct csv_reader *reader,
                       struct error *err) MUST_CHECK;

/* Everything at once, lent until fini; ERROR_TOO_LARGE beyond the maximum. */
bool import_stream_all(struct import_stream *stream, size_t maximum_bytes, const char **text,
                       size_t *size_bytes, struct error *err) MUST_CHECK;

/* Asks options->go_on; false with ERROR_SYSTEM where it says no. */
bool import_stream_go_on(const struct import_stream *stream, struct error *err) MUST_CHECK;

#endif
