/* Connections of one worker as plain data. Does not read or write sockets, only ends them; the
 * library notices and closes. The worker's thread. */
#include "client.h"

#include "../handlers/app.h"
#include "log.h"

#include <errno.h>
#include <linux/tcp.h> /* struct tcp_info with all its fields */
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TARGET_ROOM_MIN = 256, BODY_ROOM_MIN = 4096, TICK_MS_MAX = 20 };

struct client *client_new(struct clients *clients, int fd, uint64_t now_ms)
{
    struct client *client = calloc(1, sizeof *client);

    if (client == NULL) {
        return NULL;
    }
    client->owner = clients;
    client->fd = fd;
    client->since_ms = now_ms;
    client->next = clients->first;
    if (clients->first != NULL) {
        clients->first->previous = client;
    }
    clients->first = client;
    clients->count++;
    return client;
}

static void drop_answer(struct client *client)
{
    client->owner->held_bytes -= client->held_bytes;
    client->held_bytes = 0;
}

static void drop_body(struct client *client)
{
    client->owner->body_bytes -= client->body_room;
    free(client->body);
    client->body = NULL;
    client->body_bytes = 0;
    client->body_room = 0;
}

static void drop_joined(struct client *client)
{
    for (size_t i = 0; client->has_joined && i < CLIENT_HEADERS; i++) {
        free(client->joined[i]);
        client->joined[i] = NULL;
    }
    client->has_joined = false;
}

void client_free(struct client *client)
{
    if (client == NULL) {
        return;
    }
    drop_body(client);
    drop_answer(client);
    drop_joined(client);
    if (client->previous == NULL) {
        client->owner->first = client->next;
    } else {
        client->previous->next = client->next;
    }
    if (client->next != NULL) {
        client->next->previous = client->previous;
    }
    client->owner->count--;
    free(client->target);
    free(client);
}

void client_name_method(struct client *client, const char *method)
{
    size_t length = strnlen(method, CLIENT_METHOD_BYTES - 1);

    for (size_t i = 0; i < length; i++) {
        char byte = method[i];
        bool is_letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');

        client->method[i] = is_letter || byte == '-' ? byte : '?';
    }
    client->method[length] = '\0';
}

bool client_begin(struct client *client, const char *target, uint64_t now_us)
{
    /* one more than allowed, so that the check sees the excess */
    size_t length = strnlen(target, LIMIT_TARGET_BYTES + 1);

    if (length >= client->target_room) {
        size_t room = length < TARGET_ROOM_MIN ? TARGET_ROOM_MIN : length + 1;
        char *grown = realloc(client->target, room);

        if (grown == NULL) {
            return false;
        }
        client->target = grown;
        client->target_room = room;
    }
    memcpy(client->target, target, length);
    client->target[length] = '\0';
    client->target_bytes = length;
    client->state = CLIENT_TARGET;
    client->line_since_ms = 0;
    client->has_asked = true;
    client->started_us = now_us;
    client->since_ms = now_us / 1000;
    client->checks = (struct http_checks){0};
    client->request = (struct http_request){0};
    client->accept_encoding = NULL;
    client->if_none_match = NULL;
    client_name_method(client, "-");
    client->expects_continue = false;
    client->body_status = 0;
    client->drained_bytes = 0;
    client->is_refused = false;
    client->route = 0;
    client->status = 0;
    client->answer_bytes = 0;
    client->is_admin = false;
    client->takes_file = false;
    client->discards_body = false;
    client->file_fd = -1;
    client->file_bytes = 0;
    client->proxied = (struct peer_headers){NULL, NULL, NULL};
    http_checks_target(&client->checks, client->target, length, &client->parts);
    return true;
}

#define NAME(text) (text), sizeof(text) - 1
#define AT(field) offsetof(struct client, field)
static const struct {
    const char *name;
    size_t name_bytes, offset;
    const char *single; /* its name where it may stand once only; NULL: it is a list */
} HEADERS[CLIENT_HEADERS] = {
    {NAME("accept"), AT(request.accept), NULL},
    {NAME("accept-language"), AT(request.accept_language), NULL},
    {NAME("accept-encoding"), AT(accept_encoding), NULL},
    {NAME("if-none-match"), AT(if_none_match), NULL},
    {NAME("content-encoding"), AT(request.content_encoding), NULL},
    {NAME("access-control-request-headers"), AT(request.wanted_headers), NULL},
    {NAME("access-control-request-method"), AT(request.wanted_method),
     "Access-Control-Request-Method"},
    {NAME("origin"), AT(request.origin), "Origin"},
    {NAME("content-type"), AT(request.content_type), "Content-Type"},
    {NAME("authorization"), AT(request.authorization), "Authorization"},
    {NAME("x-forwarded-for"), AT(proxied.forwarded_for), NULL},
    {NAME("x-forwarded-proto"), AT(proxied.forwarded_proto), NULL},
    {NAME("forwarded"), AT(proxied.forwarded), NULL},
    {NAME("x-real-ip"), AT(proxied.forwarded), NULL}, /* as good a sign, and read no more than it */
    {NAME("x-forwarded-host"), AT(proxied.forwarded), NULL},
    {NAME("via"), AT(proxied.forwarded), NULL}};

/* The field's value and this one as one list (RFC 9110 section 5.3); NULL: no memory. */
static const char *join(char **joined, const char *old, const char *value)
{
    size_t old_bytes = strlen(old);
    char *grown = realloc(*joined, old_bytes + strlen(value) + 3);

    if (grown == NULL) {
        return NULL;
    }
    if (*joined == NULL) {
        (void)stpcpy(grown, old);
    }
    (void)stpcpy(stpcpy(grown + old_bytes, ", "), value);
    *joined = grown;
    return grown;
}

static void keep_header(struct client *client, size_t header, const char *value)
{
    const char **field = (const char **)(void *)((char *)client + HEADERS[header].offset);

    if (*field == NULL) {
        *field = value;
    } else if (HEADERS[header].single != NULL) {
        http_checks_refuse(&client->checks, 400,
                           SAY(TEXT_HTTP_HEADER_TWICE, HEADERS[header].single));
    } else {
        const char *both = join(&client->joined[header], *field, value);

        if (both == NULL) {
            http_checks_refuse(&client->checks, 503, SAY(TEXT_TRY_LATER));
        } else {
            *field = both;
            client->has_joined = true;
        }
    }
}

void client_add_header(struct client *client, const char *name, size_t name_bytes,
                       const char *value, size_t value_bytes)
{
    http_checks_header(&client->checks, name, name_bytes, value, value_bytes);
    for (size_t i = 0; i < CLIENT_HEADERS; i++) {
        if (name_bytes == HEADERS[i].name_bytes &&
            strncasecmp(name, HEADERS[i].name, name_bytes) == 0) {
            keep_header(client, i, value);
            return;
        }
    }
    if (http_checks_name_is(name, name_bytes, "expect") && strcasecmp(value, "100-continue") == 0) {
        client->expects_continue = true;
    }
}

/* Room for bytes more; sets body_status when there is none. */
static bool grow_body(struct client *client, size_t count)
{
    size_t needed = client->body_bytes + count;
    size_t room = client->body_room == 0 ? BODY_ROOM_MIN : client->body_room;

    if (count > LIMIT_BODY_BYTES || needed > LIMIT_BODY_BYTES) {
        client->body_status = 413;
        return false;
    }
    if (needed <= client->body_room) {
        return true;
    }
    while (room < needed) {
        room *= 2;
    }
    size_t others_bytes = client->owner->body_bytes - client->body_room;
    char *grown = others_bytes + room > LIMIT_BODIES_BYTES ? NULL : realloc(client->body, room);

    if (grown == NULL) {
        client->body_status = 503;
        return false;
    }
    client->owner->body_bytes = others_bytes + room;
    client->body = grown;
    client->body_room = room;
    return true;
}

/* Into the page cache: the loop waits for the disk only where that is behind by all of memory. */
static void write_file(struct client *client, const char *bytes, size_t count)
{
    if (count > LIMIT_IMPORT_BYTES - client->file_bytes) {
        client->body_status = 413;
    }
    while (count > 0 && client->body_status == 0) {
        ssize_t written = write(client->file_fd, bytes, count);

        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
            client->file_bytes += (uint64_t)written;
        } else if (written == 0 || errno != EINTR) {
            client->body_status = 503; /* no room */
        }
    }
}

bool client_add_body(struct client *client, const char *bytes, size_t count)
{
    if (client->file_fd >= 0 && client->body_status == 0) {
        write_file(client, bytes, count);
        return true;
    }
    if (!client->discards_body && client->file_fd < 0 && client->body_status == 0 &&
        grow_body(client, count)) {
        memcpy(client->body + client->body_bytes, bytes, count);
        client->body_bytes += count;
        return true;
    }
    client->drained_bytes += client->body_bytes + count;
    drop_body(client);
    return client->drained_bytes <= LIMIT_DRAINED_BODY_BYTES;
}

void client_complete_request(struct client *client)
{
    struct http_request *request = &client->request;

    request->path = client->parts.path;
    request->path_bytes = client->parts.path_bytes;
    request->query = client->parts.query;
    request->query_bytes = client->parts.query_bytes;
    request->body = client->body;
    request->body_bytes = client->file_fd >= 0 ? (size_t)client->file_bytes : client->body_bytes;
}

enum language client_language(struct client *client)
{
    client_complete_request(client);
    return app_language(&client->request);
}

bool client_hold_answer(struct client *client, size_t count)
{
    if (count > LIMIT_ANSWERS_BYTES - client->owner->held_bytes) {
        return false;
    }
    client->owner->held_bytes += count;
    client->held_bytes += count;
    return true;
}

void client_answer(struct client *client, unsigned status, uint64_t body_bytes, uint64_t now_ms)
{
    client->state = CLIENT_ANSWERED;
    client->since_ms = now_ms;
    client->status = status;
    client->answer_bytes = body_bytes;
}

void client_log(const struct client *client, struct log *log, unsigned worker, uint64_t now_us,
                const char *end)
{
    const struct log_request line = {.number = client->number,
                                     .method = client->method,
                                     .route = app_route_name(client->route),
                                     .path = client->parts.path,
                                     .path_bytes = client->parts.path_bytes,
                                     .status = client->status,
                                     .body_bytes = client->answer_bytes,
                                     .microseconds = now_us - client->started_us,
                                     .worker = worker,
                                     .end = client->is_ended && end != NULL ? "too-slow" : end};

    log_request(log, &line);
}

void client_end_request(struct client *client, uint64_t now_ms)
{
    drop_body(client);
    drop_answer(client);
    drop_joined(client);
    client->state = CLIENT_WAITING;
    client->since_ms = now_ms;
}

static bool is_longer(const struct client *client, uint64_t now_ms, uint64_t ms_max)
{
    return now_ms > client->since_ms && now_ms - client->since_ms > ms_max;
}

void clients_end_slow(struct clients *clients, uint64_t now_ms, uint64_t arriving_ms_max)
{
    for (struct client *it = clients->first; it != NULL; it = it->next) {
        uint64_t more_ms = it->state == CLIENT_ANSWERED
                               ? it->answer_bytes * 1000 / LIMIT_READER_BYTES_PER_S
                               : it->file_bytes * 1000 / LIMIT_IMPORT_READ_BYTES_PER_S;

        if (!it->is_ended && it->state != CLIENT_WAITING && it->state != CLIENT_SUSPENDED &&
            is_longer(it, now_ms, arriving_ms_max + more_ms)) {
            it->is_ended = true;
            (void)shutdown(it->fd, SHUT_RDWR); /* fails only when the other side was faster */
        }
    }
}

/* Whether bytes came since the client began to wait. The library, which reads them, does not tell
 * before a line is whole; the kernel does, in clock ticks of some milliseconds. */
static bool has_begun_line(const struct client *client, uint64_t now_ms)
{
    struct tcp_info info = {0};
    socklen_t info_bytes = sizeof info;

    if (getsockopt(client->fd, IPPROTO_TCP, TCP_INFO, &info, &info_bytes) != 0) {
        return false; /* not TCP, or gone */
    }
    return client->has_asked ? info.tcpi_last_data_recv + TICK_MS_MAX < now_ms - client->since_ms
                             : info.tcpi_bytes_received > 0;
}

void clients_end_half_lines(struct clients *clients, uint64_t now_ms, uint64_t arriving_ms_max)
{
    for (struct client *it = clients->first; it != NULL; it = it->next) {
        if (it->is_ended || it->state != CLIENT_WAITING) {
            continue;
        }
        if (it->line_since_ms == 0) {
            it->line_since_ms = has_begun_line(it, now_ms) ? now_ms : 0;
        } else if (now_ms - it->line_since_ms > arriving_ms_max) {
            it->is_ended = true;
            (void)shutdown(it->fd, SHUT_RDWR); /* fails only when the other side was faster */
        }
    }
}

void clients_end_waiting(struct clients *clients, uint64_t now_ms, uint64_t waiting_ms_max)
{
    for (struct client *it = clients->first; it != NULL; it = it->next) {
        if (!it->is_ended && it->state == CLIENT_WAITING && is_longer(it, now_ms, waiting_ms_max)) {
            it->is_ended = true;
            (void)shutdown(it->fd, SHUT_RD); /* fails only when the other side was faster */
        }
    }
}
