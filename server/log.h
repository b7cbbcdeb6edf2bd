/* The program's log: one line per event on standard error, as logfmt or as JSON with the same keys.
 * Never a body, never a secret. The events are listed in README.md.
 *
 * Each thread has a struct log of its own; all share one sink, so that lines never mix. Events are
 * written at once, request lines are kept until log_flush(), so that a request costs no system
 * call. Nobody waits for who reads the log: while that one has stalled, lines are kept as long as
 * there is room, then counted, and the count is said (event=log-lost) when it reads again. */
#ifndef GPUWISE_LOG_H
#define GPUWISE_LOG_H

#include "../handlers/engine/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_BUFFER_BYTES = 32 * 1024, LOG_SECOND_BYTES = 24, LOG_QUOTED_BYTES = 1024 };

enum log_level { LOG_INFO, LOG_WARNING, LOG_ERROR };
enum log_format { LOG_LOGFMT, LOG_JSON };

struct log_sink {
    int fd;
    enum log_format format;
    uint32_t run;          /* differs from one start of the program to the next; of request ids */
    bool may_stall;        /* no file: a pipe or terminal whose reader may not read */
    pthread_mutex_t mutex; /* held around one write */
};

struct log {
    struct log_sink *sink;
    int64_t second;                     /* second_text is for this one */
    char second_text[LOG_SECOND_BYTES]; /* 2026-11-30T17:37:08 */
    uint64_t lost_lines;                /* that found no room since the last that did */
    size_t used;
    char buffer[LOG_BUFFER_BYTES]; /* whole lines not yet written */
};

/* What a request line says. Texts are lent for the call. */
struct log_request {
    uint64_t number;    /* of the worker's requests since the start; with worker it makes the id */
    const char *method; /* as sent; a word of letters */
    const char *route;  /* its template: a path of the router, or "none" */
    const char *path;   /* raw, without the query */
    size_t path_bytes;
    unsigned status;     /* 0: the connection ended before an answer */
    uint64_t body_bytes; /* of the answer's body */
    uint64_t microseconds;
    unsigned worker;
    const char *end; /* why it ended early; NULL: answered in full */
};

bool log_sink_init(struct log_sink *sink, int fd, enum log_format format,
                   struct error *err) MUST_CHECK;
void log_sink_fini(struct log_sink *sink);

void log_init(struct log *log, struct log_sink *sink);

/* One line, written at once (what is buffered goes before it). The format makes the pairs after
 * ts, level and event: "key=value key=value"; quote free text with log_quote(). */
void log_event(struct log *log, enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Appends a request line to the buffer; writes only when it is full. */
void log_request(struct log *log, const struct log_request *request);

/* Writes what is buffered, as far as it is taken at once. */
void log_flush(struct log *log);

/* The last flush of a thread: waits a moment for a slow reader. */
void log_finish(struct log *log);

/* Writes text as a quoted logfmt value: quotes and backslashes escaped, every byte outside
 * printable ASCII as \xNN, cut to fit with "..."; returns out. */
const char *log_quote(const char *text, size_t length, char out[LOG_QUOTED_BYTES]);

#endif
