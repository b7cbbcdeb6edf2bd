/* What became of an imported file, as plain data: db/import.c fills it, the command line and the
 * API tell it. It knows no file and no database. */
#ifndef GPUWISE_ENGINE_IMPORT_REPORT_H
#define GPUWISE_ENGINE_IMPORT_REPORT_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMPORT_NOTES_MAX = 100, /* of each list; what does not fit is counted */
    IMPORT_WORD_BYTES = 48,
    IMPORT_REASON_BYTES = 240
};

enum import_outcome {
    IMPORT_ADDED,     /* rows are in the database, under import_id */
    IMPORT_UNCHANGED, /* everything was there already or is held back; nothing was recorded */
    IMPORT_REFUSED    /* a row was rejected, so nothing was added: all or nothing */
};

/* Why a row is told of. The first group rejects the file, the second is for review. */
enum import_finding {
    IMPORT_MALFORMED,    /* a value that its column does not allow, or too few or many fields */
    IMPORT_NEGATIVE,     /* an amount below zero */
    IMPORT_FUTURE,       /* seen on a day that has not come */
    IMPORT_KEY_TAKEN,    /* the table has another row of that key */
    IMPORT_OUTLIER,      /* ten times off what is usual: held back unless accepted */
    IMPORT_UNKNOWN_NAME, /* names no one card: kept under the name given, never advises */
    IMPORT_FINDING_COUNT
};

extern const char *const IMPORT_FINDING_NAMES[IMPORT_FINDING_COUNT]; /* as "unknown-name" */
extern const char *const IMPORT_OUTCOME_NAMES[]; /* "added", "unchanged", "refused" */

struct import_note {
    enum import_finding finding;
    size_t line;                    /* of the file, from 1; 0: the file as a whole */
    char column[IMPORT_WORD_BYTES]; /* of the file, as named there; "": the row as a whole */
    char value[IMPORT_WORD_BYTES];  /* as given, cut */
    char reasons[LANGUAGE_COUNT][IMPORT_REASON_BYTES]; /* in words behind the value */
};

struct import_notes {
    struct import_note notes[IMPORT_NOTES_MAX];
    size_t count; /* of notes */
    size_t total; /* with those that did not fit */
    size_t rows;  /* that they are about: one row may have several */
    size_t last_line;
};

struct import_report {
    enum import_outcome outcome; /* in a dry run: what would become of it */
    bool is_dry_run;
    int64_t import_id;              /* 0: nothing was recorded */
    char format[IMPORT_WORD_BYTES]; /* as "skypilot"; "": none was recognised */
    char table[IMPORT_WORD_BYTES];  /* that it fills */
    size_t rows;                    /* of the file, without its header */
    size_t accepted;                /* new rows; where refused: those nothing was wrong with */
    size_t merged;                  /* repeat or complete another row of the file */
    size_t known;                   /* are in the database already */
    size_t skipped;                 /* tell nothing we keep: no accelerator, or no price */
    size_t held;                    /* outliers, not added */
    struct import_notes rejected;
    struct import_notes review; /* outliers row by row, unknown names each once */
};

/* One record of the log of imports. Texts are cut to fit. */
struct import_entry {
    int64_t id;
    char at[IMPORT_WORD_BYTES]; /* UTC, as 2026-11-30T12:00:00Z */
    char who[IMPORT_WORD_BYTES];
    char table[IMPORT_WORD_BYTES];
    char file[IMPORT_REASON_BYTES]; /* "": none */
    int64_t rows_added, rows_known;
    char undone_at[IMPORT_WORD_BYTES]; /* "": stands */
};

/* Adds a note; value may be NULL, and control characters become blanks. */
void import_notes_add(struct import_notes *notes, enum import_finding finding, size_t line,
                      const char *column, const char *value, const struct wording *reason);

/* Whether a finding of that kind rejects the file. */
bool import_finding_rejects(enum import_finding finding);

#endif
