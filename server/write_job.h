/* One piece of work for the thread that has the database: a token to check, then a command to run.
 * A job belongs to the worker that made it; between write_queue_give() and done() it is the
 * publisher's, and nobody else touches it. */
#ifndef GPUWISE_WRITE_JOB_H
#define GPUWISE_WRITE_JOB_H

#include "../db/tokens.h"
#include "../handlers/engine/arena.h"
#include "../handlers/engine/command.h"
#include "token.h"

enum write_check { WRITE_CHECK_GOOD, WRITE_CHECK_BAD, WRITE_CHECK_FAILED };

struct client;

struct write_job {
    struct write_job *next; /* in the queue, or among those that are done */
    bool is_check;          /* of the token; else the command is to be run */
    struct command command;
    struct command_outcome outcome;
    struct arena arena; /* of the request: its command, outcome and response */
    /* the token: looked at, then wiped */
    struct token token;
    enum write_check check;
    char who[TOKENS_NAME_BYTES]; /* WRITE_CHECK_GOOD */
    /* the worker's */
    struct client *client;               /* NULL: its connection has ended meanwhile */
    bool is_away;                        /* given, and not yet done */
    uint64_t given_us;                   /* when, by clock_now_us() */
    int fd;                              /* of the file received; -1: none */
    void (*done)(struct write_job *job); /* called on the publisher's thread */
    void *data;                          /* for done */
};

/* NULL: out of memory. */
struct write_job *write_job_new(void) MUST_CHECK;

/* With its file, outcome and memory. NULL is accepted. */
void write_job_free(struct write_job *job);

/* The outcome of a job that nobody ran: it failed, and nothing was written. */
void write_job_fail(struct write_job *job, const struct error *err);

#endif
