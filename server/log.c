/* Writes logfmt lines. Does not decide what is worth a line. Any thread with its own struct log. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The longest request line: quoted path, method, four numbers and the fixed text. */
enum { LINE_BYTES_MAX = 2048, METHOD_BYTES_MAX = 32 };

static const char *const LEVEL_NAMES[] = {"info", "warning", "error"};

bool log_sink_init(struct log_sink *sink, int fd, struct error *err)
{
    int fault = pthread_mutex_init(&sink->mutex, NULL);

    if (fault != 0) {
        return error_set(err, ERROR_SYSTEM, "cannot make a mutex: %s", strerror(fault));
    }
    sink->fd = fd;
    return true;
}

void log_sink_fini(struct log_sink *sink)
{
    (void)pthread_mutex_destroy(&sink->mutex); /* fails only when held, and nobody is left */
}

void log_init(struct log *log, struct log_sink *sink)
{
    log->sink = sink;
    log->second = -1;
    log->used = 0;
}

void log_flush(struct log *log)
{
    size_t done = 0;

    if (log->used == 0) {
        return;
    }
    (void)pthread_mutex_lock(&log->sink->mutex); /* a plain mutex: cannot fail */
    while (done < log->used) {
        ssize_t written = write(log->sink->fd, log->buffer + done, log->used - done);

        if (written < 0 && errno != EINTR) {
            break; /* nowhere to tell: the rest is lost */
        }
        done += written > 0 ? (size_t)written : 0;
    }
    (void)pthread_mutex_unlock(&log->sink->mutex);
    log->used = 0;
}

static void put(struct log *log, const char *text, size_t length)
{
    size_t room = sizeof log->buffer - log->used;

    length = length < room ? length : room;
    memcpy(log->buffer + log->used, text, length);
    log->used += length;
}

static void put_text(struct log *log, const char *text)
{
    put(log, text, strlen(text));
}

static void put_number(struct log *log, const char *key, uint64_t value)
{
    char digits[24];
    size_t start = sizeof digits;

    put_text(log, key);
    do {
        digits[--start] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(log, digits + start, sizeof digits - start);
}

/* "ts=2026-11-30T17:37:08.123Z level=info event=" and the event; the second is formatted once. */
static void put_head(struct log *log, enum log_level level, const char *event)
{
    struct timespec now;
    struct tm parts;
    char milliseconds[] = ".000Z level=";

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    if (now.tv_sec != log->second) {
        (void)gmtime_r(&now.tv_sec, &parts);
        (void)strftime(log->second_text, sizeof log->second_text, "%Y-%m-%dT%H:%M:%S", &parts);
        log->second = now.tv_sec;
    }
    for (long rest = now.tv_nsec / 1000000, place = 3; place >= 1; place--, rest /= 10) {
        milliseconds[place] = (char)('0' + rest % 10);
    }
    put_text(log, "ts=");
    put_text(log, log->second_text);
    put_text(log, milliseconds);
    put_text(log, LEVEL_NAMES[level]);
    put_text(log, " event=");
    put_text(log, event);
}

void log_event(struct log *log, enum log_level level, const char *event, const char *format, ...)
{
    char pairs[LINE_BYTES_MAX];
    va_list arguments;

    log_flush(log);
    va_start(arguments, format);
    (void)vsnprintf(pairs, sizeof pairs, format, arguments); /* cut to fit */
    va_end(arguments);
    put_head(log, level, event);
    put_text(log, pairs[0] == '\0' ? "" : " ");
    put_text(log, pairs);
    put_text(log, "\n");
    log_flush(log);
}

void log_request(struct log *log, const struct log_request *request)
{
    char quoted[LOG_QUOTED_BYTES];

    if (sizeof log->buffer - log->used < LINE_BYTES_MAX) {
        log_flush(log);
    }
    put_head(log, LOG_INFO, "request");
    put_text(log, " method=");
    put(log, request->method, strnlen(request->method, METHOD_BYTES_MAX));
    put_text(log, " path=");
    put_text(log, log_quote(request->path, request->path_bytes, quoted));
    put_number(log, " status=", request->status);
    put_number(log, " bytes=", request->body_bytes);
    put_number(log, " us=", request->microseconds);
    put_number(log, " worker=", request->worker);
    if (request->end != NULL) {
        put_text(log, " end=");
        put_text(log, request->end);
    }
    put_text(log, "\n");
}

const char *log_quote(const char *text, size_t length, char out[LOG_QUOTED_BYTES])
{
    static const char HEX[] = "0123456789abcdef";
    const size_t room = LOG_QUOTED_BYTES - sizeof "\\x00...\""; /* the longest piece and the end */
    size_t used = 0, read = 0;

    out[used++] = '"';
    for (; read < length && used < room; read++) {
        unsigned char byte = (unsigned char)text[read];

        if (byte == '"' || byte == '\\') {
            out[used++] = '\\';
            out[used++] = (char)byte;
        } else if (byte < ' ' || byte > '~') {
            out[used++] = '\\';
            out[used++] = 'x';
            out[used++] = HEX[byte >> 4];
            out[used++] = HEX[byte & 15];
        } else {
            out[used++] = (char)byte;
        }
    }
    for (int dots = read < length ? 3 : 0; dots > 0; dots--) {
        out[used++] = '.';
    }
    out[used++] = '"';
    out[used] = '\0';
    return out;
}
