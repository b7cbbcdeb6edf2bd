/* Files that an operator brings: read, checked, added in one transaction, undone again.
 *
 * One reader for every format of import_formats.h, told apart by their header. A file is imported
 * whole or not at all. The same content again adds nothing. One thread per database at a time;
 * readers of the same file are never kept waiting (write-ahead log). */
#ifndef GPUWISE_DB_IMPORT_H
#define GPUWISE_DB_IMPORT_H

#include "../handlers/engine/error.h"
#include "../handlers/engine/import_report.h"
#include "database.h"

struct catalogue;
struct import_format;

/* What is read: a descriptor (any kind that can be read once from start to end), or bytes. Lent. */
struct import_source {
    int fd;            /* -1: bytes */
    const void *bytes; /* where fd is -1 */
    size_t size_bytes;
    const char *file_name; /* for the report, the log and where the format has no provider; or NULL
                            */
};

struct import_options {
    bool is_dry_run;         /* nothing is written */
    bool accepts_review;     /* outliers are added too */
    const char *provider;    /* NULL: as in the file, else by its name */
    const char *observed_on; /* of formats without a date; NULL: as in the file's name, else by its
                                change, else ERROR_BAD_PARAMETER */
    bool is_dated_by_change; /* the day a file was last changed is that of rows without one */
    const char *source;      /* NULL: as in the file, else the name of the format */
    const char *who;         /* for the log; must not be NULL */
    const struct catalogue
        *catalogue; /* to look up names and rates in, lent; NULL: the database's */
    int32_t today;  /* what was seen later is refused */
    /* Called now and then with what was read and its total (0: not known); false ends the import
     * with ERROR_SYSTEM and nothing written. NULL: nobody looks. */
    bool (*go_on)(void *context, uint64_t bytes_read, uint64_t bytes_total);
    void *context;
};

/* Reads the file and tells in *report what became of it. False only where that could not be found
 * out (no format of ours, not readable, the database said no): then nothing was written. A refused
 * file is a good answer: report->outcome. */
bool import_run(struct database *database, const struct import_source *source,
                const struct import_options *options, struct import_report *report,
                struct error *err) MUST_CHECK;

/* The same with other formats than ours. */
bool import_run_with(struct database *database, const struct import_format *const *formats,
                     size_t format_count, const struct import_source *source,
                     const struct import_options *options, struct import_report *report,
                     struct error *err) MUST_CHECK;

/* Removes the rows of an import; its record stays, with the time. *removed: how many. Fails with
 * ERROR_BAD_PARAMETER: no such import, undone already, or rows of others refer to its rows. */
bool import_undo(struct database *database, int64_t import_id, size_t *removed,
                 struct error *err) MUST_CHECK;

/* The newest imports below `before` (0: from the newest on) into entries[0..room), newest first;
 * *count: how many. */
bool import_list(struct database *database, int64_t before, struct import_entry *entries,
                 size_t room, size_t *count, struct error *err) MUST_CHECK;

#endif
