/* Writes logfmt lines. Does not decide what is worth a line. Any thread with its own struct log. */
#include "log.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The longest line: a quoted text of LOG_QUOTED_BYTES, a method, some numbers and the fixed text;
 * as JSON half as much again, where every byte of the text is an escape. A pipe takes or refuses
 * PIPE_BUF bytes as a whole, so several lines are written at once to it. */
enum {
    LOGFMT_BYTES_MAX = 2048,
    LINE_BYTES_MAX = 4096 - 128,
    NUMBER_DIGITS_MAX = 15, /* below 2^53, and fewer than the digits of a revision */
    HEAD_BYTES_MAX = 128,
    METHOD_BYTES_MAX = 32,
    LAST_WAIT_MS = 1000,
    LAST_TRIES = 32
};

_Static_assert(LINE_BYTES_MAX + HEAD_BYTES_MAX <= PIPE_BUF, "a line is written as a whole");

static const char *const LEVEL_NAMES[] = {"info", "warning", "error"};

bool log_sink_init(struct log_sink *sink, int fd, enum log_format format, struct error *err)
{
    int fault = pthread_mutex_init(&sink->mutex, NULL);

    if (fault != 0) {
        return error_set(err, ERROR_SYSTEM, "cannot make a mutex: %s", strerror(fault));
    }
    struct stat status;

    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    sink->run = (uint32_t)((uint64_t)now.tv_sec * 1000003 + (uint64_t)now.tv_nsec / 1000);
    sink->format = format;
    sink->fd = fd;
    sink->may_stall = fstat(fd, &status) != 0 || !S_ISREG(status.st_mode);
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
    log->lost_lines = 0;
    log->used = 0;
}

/* Bytes from done on that are written by one call: whole lines, as many as a pipe takes at once. */
static size_t piece_bytes(const struct log *log, size_t done)
{
    const char *start = log->buffer + done;
    size_t left = log->used - done;

    if (!log->sink->may_stall || left <= PIPE_BUF) {
        return left;
    }
    const char *end = memrchr(start, '\n', PIPE_BUF);

    return end == NULL ? left : (size_t)(end - start) + 1; /* no line is longer: never NULL */
}

/* Whether a piece is taken without waiting for a reader longer than so. */
static bool is_ready(const struct log_sink *sink, int wait_ms)
{
    struct pollfd watched = {.fd = sink->fd, .events = POLLOUT};

    return !sink->may_stall || poll(&watched, 1, wait_ms) != 0; /* a fault is the write's to tell */
}

void log_flush(struct log *log)
{
    size_t done = 0;

    if (log->used == 0) {
        return;
    }
    (void)pthread_mutex_lock(&log->sink->mutex); /* a plain mutex: cannot fail */
    while (done < log->used && is_ready(log->sink, 0)) {
        ssize_t written = write(log->sink->fd, log->buffer + done, piece_bytes(log, done));

        if (written < 0 && errno == EAGAIN) {
            break;
        }
        if (written < 0 && errno != EINTR) {
            done = log->used; /* nowhere to tell: the rest is lost */
        }
        done += written > 0 ? (size_t)written : 0;
    }
    (void)pthread_mutex_unlock(&log->sink->mutex);
    log->used -= done;
    memmove(log->buffer, log->buffer + done, log->used);
}

void log_finish(struct log *log)
{
    log_flush(log);
    for (int i = 0; i < LAST_TRIES && log->used > 0 && is_ready(log->sink, LAST_WAIT_MS); i++) {
        log_flush(log); /* waiting without the mutex: all threads wait at the same time */
    }
}

static size_t room_of(const struct log *log)
{
    return sizeof log->buffer - log->used;
}

static void put(struct log *log, const char *text, size_t length)
{
    size_t room = room_of(log);

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

/* A logfmt value as JSON: a whole number stays one, all else is a string. Escapes of log_quote():
 * \" and \\ are the same in both, \xNN becomes \u00NN. Returns what is behind the value. */
static const char *put_json_value(struct log *log, const char *value, const char *end)
{
    size_t digits = strspn(value, "0123456789");
    bool is_quoted = *value == '"';
    const char *at = value + (is_quoted ? 1 : 0);

    bool is_whole = digits == 1 || (digits <= NUMBER_DIGITS_MAX && *value != '0');

    if (digits > 0 && is_whole && (value + digits == end || value[digits] == ' ')) {
        put(log, value, digits);
        return value + digits;
    }
    put_text(log, "\"");
    while (at < end && *at != (is_quoted ? '"' : ' ')) {
        if (*at == '\\' && end - at >= 4 && at[1] == 'x') {
            put_text(log, "\\u00");
            put(log, at + 2, 2);
            at += 4;
        } else if (*at == '\\' && end - at >= 2 && (at[1] == '"' || at[1] == '\\')) {
            put(log, at, 2);
            at += 2;
        } else {
            if (*at != '\\') { /* of an escape that was cut */
                put(log, at, 1);
            }
            at++;
        }
    }
    put_text(log, "\"");
    return at + (is_quoted && at < end ? 1 : 0);
}

/* The line that was just put, from start on without its line feed, again as JSON. */
static void turn_into_json(struct log *log, size_t start)
{
    char line[LOGFMT_BYTES_MAX + HEAD_BYTES_MAX];
    size_t length = log->used - start;

    length = length < sizeof line - 1 ? length : sizeof line - 1;
    memcpy(line, log->buffer + start, length);
    line[length] = '\0';
    log->used = start;
    for (const char *at = line, *end = line + length; at < end; at += *at == ' ' ? 1 : 0) {
        size_t key = strcspn(at, "= ");

        put_text(log, at == line ? "{\"" : ",\"");
        put(log, at, key);
        put_text(log, "\":");
        at += key + (at[key] == '=' ? 1 : 0);
        at = put_json_value(log, at, end);
    }
    put_text(log, "}");
}

static void end_line(struct log *log, size_t start)
{
    if (log->sink->format == LOG_JSON) {
        turn_into_json(log, start);
    }
    put_text(log, "\n");
}

/* Room for a line; before it goes how many were lost for want of it. False: this one is too. */
static bool make_room(struct log *log)
{
    if (room_of(log) < LINE_BYTES_MAX + HEAD_BYTES_MAX) {
        log_flush(log);
    }
    if (room_of(log) < LINE_BYTES_MAX + HEAD_BYTES_MAX) {
        log->lost_lines++;
        return false;
    }
    if (log->lost_lines > 0) {
        size_t start = log->used;

        put_head(log, LOG_WARNING, "log-lost");
        put_number(log, " lines=", log->lost_lines);
        end_line(log, start);
        log->lost_lines = 0;
    }
    return true;
}

void log_event(struct log *log, enum log_level level, const char *event, const char *format, ...)
{
    char pairs[LOGFMT_BYTES_MAX - HEAD_BYTES_MAX];
    va_list arguments;

    if (!make_room(log)) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(pairs, sizeof pairs, format, arguments); /* cut to fit */
    va_end(arguments);
    size_t start = log->used;

    put_head(log, level, event);
    put_text(log, pairs[0] == '\0' ? "" : " ");
    put_text(log, pairs);
    end_line(log, start);
    log_flush(log);
}

/* " id=65a9c3f0-0-17": this start of the program, the worker, its request. */
static void put_id(struct log *log, const struct log_request *request)
{
    char digits[] = " id=00000000";
    uint32_t rest = log->sink->run;

    for (size_t place = sizeof digits - 2; rest > 0; rest /= 16) {
        digits[place--] = "0123456789abcdef"[rest % 16];
    }
    put_text(log, digits);
    put_number(log, "-", request->worker);
    put_number(log, "-", request->number);
}

void log_request(struct log *log, const struct log_request *request)
{
    char quoted[LOG_QUOTED_BYTES];

    if (!make_room(log)) {
        return;
    }
    size_t start = log->used;

    put_head(log, LOG_INFO, "request");
    put_id(log, request);
    put_text(log, " method=");
    put(log, request->method, strnlen(request->method, METHOD_BYTES_MAX));
    put_text(log, " route=");
    put_text(log, request->route);
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
    end_line(log, start);
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
