/* A strict reader of CSV as RFC 4180 describes it, over bytes in memory, all of them or a window
 * that moves over a stream.
 *
 * Lines end with LF or CRLF, the last one may end with the file. A field with a comma, a quote or a
 * line break stands in double quotes, a quote inside is doubled, nothing may stand around the
 * quotes. Bytes must be UTF-8 without control characters (tab and, in quotes, line breaks are
 * allowed) and invisible ones (engine/character.h); one byte order mark at the start is skipped,
 * because spreadsheets write it. Blanks belong to their field. */
#ifndef GPUWISE_DB_CSV_H
#define GPUWISE_DB_CSV_H

#include "../handlers/engine/error.h"

#include <stddef.h>

enum {
    CSV_FIELDS_MAX = 192,             /* the widest table of ours, picks as CSV, has 130 columns */
    CSV_FIELD_BYTES_MAX = 4096,       /* the longest shipped field is under 500 bytes */
    CSV_RECORD_BYTES_MAX = 64 * 1024, /* all fields of a record together */
    /* a record in the file at most, or its fault: every byte a doubled quote, and what parts fields
     */
    CSV_RAW_RECORD_BYTES_MAX = 2 * CSV_RECORD_BYTES_MAX + 4 * CSV_FIELDS_MAX
};

struct csv_field {
    const char *text; /* unquoted, NUL behind it; valid until the next record */
    size_t length;
    size_t line; /* where the field begins, counted from 1 */
};

struct csv_reader {
    const char *name; /* of the file, for errors */
    const unsigned char *bytes;
    size_t size_bytes;
    /* Called before a record while fewer than CSV_RAW_RECORD_BYTES_MAX are unread: gets more by
     * changing bytes, size_bytes and place; fewer after it are the end. NULL: these bytes are all.
     */
    bool (*fill)(struct csv_reader *reader, void *context, struct error *err);
    void *context;
    size_t place; /* next byte to read */
    size_t line;  /* of that byte */
    char *record; /* the fields' texts; one allocation of CSV_RECORD_BYTES_MAX */
    size_t record_bytes;
    struct csv_field fields[CSV_FIELDS_MAX];
    size_t field_count;
};

/* In place; name and bytes are lent until csv_fini. Fails only without memory. */
bool csv_init(struct csv_reader *reader, const char *name, const void *bytes, size_t size_bytes,
              struct error *err) MUST_CHECK;

/* Reads the next record into reader->fields; *found is false at the end of the file. Fails with
 * ERROR_BAD_FILE and "NAME line N, column N: reason", columns counted from 1. */
bool csv_next(struct csv_reader *reader, bool *found, struct error *err) MUST_CHECK;

/* Whether the bytes are UTF-8 without invisible characters and, but for tabs and line breaks,
 * controls. */
bool csv_is_text(const char *bytes, size_t length);

/* Accepts a zeroed reader. */
void csv_fini(struct csv_reader *reader);

#endif
