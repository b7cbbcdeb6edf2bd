/* A blocking HTTP client for tests: raw bytes out, one parsed answer back. */
#ifndef GPUWISE_TESTS_SOCKET_CLIENT_H
#define GPUWISE_TESTS_SOCKET_CLIENT_H

#include "../../server/listen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <unistd.h>

enum { SOCKET_TIMEOUT_S = 30 /* for machines that build beside it */, SOCKET_HEAD_BYTES = 4096 };

struct socket_answer {
    int status;                   /* 0: none came */
    char head[SOCKET_HEAD_BYTES]; /* status line and headers */
    char *body;                   /* NUL-terminated; NULL: none */
    size_t body_bytes;
};

static int socket_connect(const struct listen_address *address)
{
    const struct timeval timeout = {.tv_sec = SOCKET_TIMEOUT_S};
    int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 ||
        connect(fd, (const struct sockaddr *)&address->storage, address->storage_bytes) != 0) {
        perror("connect");
        abort();
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    return fd;
}

/* All bytes, or as many as the other side takes before it closes. */
static void socket_send(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);

        if (sent <= 0) {
            return;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
}

static void socket_send_text(int fd, const char *text)
{
    socket_send(fd, text, strlen(text));
}

/* The value of a header of the answer, up to the end of its line; NULL: not there. */
static const char *socket_header(const struct socket_answer *answer, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = strstr(answer->head, "\r\n"); line != NULL;
         line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            return line + 2 + length + 2;
        }
    }
    return NULL;
}

__attribute__((unused)) static bool socket_header_is(const struct socket_answer *answer,
                                                     const char *name, const char *wanted)
{
    const char *value = socket_header(answer, name);

    return value != NULL && strncmp(value, wanted, strlen(wanted)) == 0 &&
           value[strlen(wanted)] == '\r';
}

/* Reads one answer, byte for byte up to its end, so that a pipelined next one stays unread. */
static void socket_read(int fd, bool is_head, struct socket_answer *answer)
{
    size_t used = 0;

    *answer = (struct socket_answer){0};
    while (used < sizeof answer->head - 1 && strstr(answer->head, "\r\n\r\n") == NULL) {
        if (recv(fd, answer->head + used, 1, 0) != 1) {
            return;
        }
        answer->head[++used] = '\0';
    }
    const char *length = socket_header(answer, "Content-Length");

    answer->status = (int)strtol(answer->head + strlen("HTTP/1.1 "), NULL, 10);
    answer->body_bytes = length == NULL || is_head ? 0 : strtoul(length, NULL, 10);
    answer->body = calloc(1, answer->body_bytes + 1);
    for (size_t got = 0; answer->body != NULL && got < answer->body_bytes;) {
        ssize_t count = recv(fd, answer->body + got, answer->body_bytes - got, 0);

        if (count <= 0) {
            answer->status = 0; /* cut short */
            return;
        }
        got += (size_t)count;
    }
}

static void socket_answer_fini(struct socket_answer *answer)
{
    free(answer->body);
    answer->body = NULL;
}

/* Whether the other side has closed, or does so before the time-out. */
__attribute__((unused)) static bool socket_is_closed(int fd)
{
    char byte;

    ssize_t count = recv(fd, &byte, 1, 0);

    return count == 0 || (count < 0 && errno == ECONNRESET);
}

/* One request on a connection of its own. */
__attribute__((unused)) static void socket_ask(const struct listen_address *address,
                                               const char *bytes, size_t count,
                                               struct socket_answer *answer)
{
    int fd = socket_connect(address);

    socket_send(fd, bytes, count);
    socket_read(fd, strncmp(bytes, "HEAD ", 5) == 0, answer);
    (void)close(fd);
}

#endif
