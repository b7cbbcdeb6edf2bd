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
    IMPORT_REASON_BYTES = 240,
    IMPORT_NAME_BYTES = 96,
    IMPORT_SUGGESTIONS_MAX = 8,
    IMPORT_PROVIDERS_MAX = 16 /* named; further ones are counted */
};

enum import_outcome {
    IMPORT_ADDED,     /* rows are in the database, under import_id */
    IMPORT_UNCHANGED, /* everything was there already or is held back; nothing was recorded */
    IMPORT_REFUSED    /* a row was rejected, so nothing was added: all or nothing */
};

/* Why a row is told of. The first group rejects the file, the second is for review. */
enum import_finding {
    IMPORT_MALFORMED,        /* a value that its column does not allow, or too few or many fields */
    IMPORT_NEGATIVE,         /* an amount below zero */
    IMPORT_FUTURE,           /* seen on a day that has not come */
    IMPORT_KEY_TAKEN,        /* the table has another row of that key */
    IMPORT_OUTLIER,          /* far off what is usual: held back unless accepted */
    IMPORT_UNKNOWN_NAME,     /* names no one card: kept under the name given, never advises */
    IMPORT_NO_RATE,          /* of a currency without an exchange rate: kept, never advises */
    IMPORT_UNKNOWN_PROVIDER, /* no offer so far is of this provider: added all the same */
    IMPORT_FINDING_COUNT
};

extern const char *const IMPORT_FINDING_NAMES[IMPORT_FINDING_COUNT]; /* as "unknown-name" */

/* Where the day of the rows comes from. */
enum import_day_from {
    IMPORT_DAY_ROWS,    /* they say it themselves, or the table has none */
    IMPORT_DAY_REQUEST, /* whoever imports said it */
    IMPORT_DAY_NAME,    /* the file's name */
    IMPORT_DAY_FILE,    /* the day it was last changed */
    IMPORT_DAY_IMPORT   /* the standing import of the same bytes */
};

extern const char *const IMPORT_DAY_FROM_NAMES[]; /* "rows", "request", "name", "file", "import" */

struct import_suggestion {
    char id[IMPORT_NAME_BYTES], name[IMPORT_NAME_BYTES];
};

struct import_note {
    enum import_finding finding;
    size_t line;                    /* of the file, from 1; 0: the file as a whole */
    char column[IMPORT_WORD_BYTES]; /* of the file, as named there; "": the row as a whole */
    char value[IMPORT_WORD_BYTES];  /* as given, cut */
    char reasons[LANGUAGE_COUNT][IMPORT_REASON_BYTES]; /* in words behind the value */
    struct import_suggestion
        suggestions[IMPORT_SUGGESTIONS_MAX]; /* what may be meant, nearest first */
    size_t suggestion_count;
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
    int64_t import_id;               /* 0: nothing was recorded */
    char format[IMPORT_WORD_BYTES];  /* as "skypilot"; "": none was recognised */
    char table[IMPORT_WORD_BYTES];   /* that it fills */
    size_t rows;                     /* of the file, without its header */
    size_t accepted;                 /* new rows; where refused: those nothing was wrong with */
    size_t not_advising;             /* of these: kept, but of no known card or without a rate */
    size_t merged;                   /* repeat or complete another row of the file */
    size_t known;                    /* are in the database already */
    size_t skipped;                  /* tell nothing we keep: no accelerator, or no price */
    size_t held;                     /* outliers, not added */
    char seen_on[IMPORT_WORD_BYTES]; /* the day of all rows; "": each says its own */
    enum import_day_from day_from;
    char providers[IMPORT_PROVIDERS_MAX][IMPORT_WORD_BYTES]; /* of the rows */
    size_t provider_count;                                   /* of all of them */
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

/* The outcome in one word, as "added" or, of a dry run, "would-add"; "kept" where rows were added
 * and none of them advises. */
const char *import_report_outcome(const struct import_report *report);

/* Adds a note and lends it, NULL where there is no room; value may be NULL, and control characters
 * become blanks. */
struct import_note *import_notes_add(struct import_notes *notes, enum import_finding finding,
                                     size_t line, const char *column, const char *value,
                                     const struct wording *reason);

/* Adds what may be meant, as far as there is room; note may be NULL. */
void import_note_suggest(struct import_note *note, const char *id, const char *name);

/* Adds a provider to those of the rows; the caller adds each once. */
void import_report_add_provider(struct import_report *report, const char *provider);

/* What becomes of the row of a note: "rejected", "held", "kept" (it advises nothing) or "added". */
const char *import_note_effect(const struct import_report *report, const struct import_note *note);

/* Whether a finding of that kind rejects the file. */
bool import_finding_rejects(enum import_finding finding);

#endif
