/* An import while it runs, shared by import.c (reading), import_origin.c (what the file does not
 * say), import_take.c (one row) and import_finish.c (all rows against the facts). One thread. */
#ifndef GPUWISE_DB_IMPORT_WORK_H
#define GPUWISE_DB_IMPORT_WORK_H

#include "../handlers/engine/day.h"
#include "import_detect.h"
#include "import_hosts.h"
#include "import_review.h"
#include "import_stream.h"
#include "import_usual.h"

enum { IMPORT_ROWS_BETWEEN_QUESTIONS = 4096 /* a few milliseconds of work */ };

struct import_work {
    struct sqlite3 *connection;
    const struct import_options *options;
    struct import_report *report;
    struct import_stream stream;
    struct import_choice choice;
    struct import_names names;
    struct import_map map;
    struct import_hosts hosts;
    struct import_stage stage;
    struct import_seen seen;  /* rows by all they say */
    struct import_seen parts; /* by what names them: the table's key, or of offers whose prices
                                 stand in several rows all but the prices */
    uint64_t part_columns;    /* these; 0: neither */
    struct import_usual usual;
    struct import_review review;
    char seen_on[DAY_TEXT_BYTES];
    char content_hash[17]; /* of a file dated by its last change; "": not needed */
    struct import_row row;
};

/* The provider and the day of the whole file, where its format needs them: as asked, else as the
 * name says, else the day it was last changed - or that of the standing import of the same bytes.
 */
bool import_work_origin(struct import_work *work, struct error *err) MUST_CHECK;

/* The columns that name a row, see parts. */
uint64_t import_work_part_columns(const struct import_choice *choice);

/* Puts work->row into the stage, unless the file has told it. */
bool import_work_take(struct import_work *work, struct error *err) MUST_CHECK;

/* Compares the stage with the facts, judges it, and writes what is new where that is wanted. */
bool import_work_finish(struct import_work *work, struct error *err) MUST_CHECK;

/* Always false. */
bool import_work_fail_memory(struct error *err);

#endif
