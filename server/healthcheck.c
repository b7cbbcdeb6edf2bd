/* One request over a plain socket, for container health checks. Main thread. */
#include "healthcheck.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMEOUT_S = 3, STATUS_LINE_BYTES = 64 };

/* Reads until a line is whole or there is no more; the line without its end. */
static void read_status_line(int fd, char line[STATUS_LINE_BYTES])
{
    size_t used = 0;

    while (used < STATUS_LINE_BYTES - 1 && memchr(line, '\n', used) == NULL) {
        ssize_t got = recv(fd, line + used, STATUS_LINE_BYTES - 1 - used, 0);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        used += (size_t)got;
    }
    line[used] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
}

bool healthcheck(const struct listen_address *address, struct error *err)
{
    struct listen_address target = *address;
    const struct timeval timeout = {.tv_sec = TIMEOUT_S};
    char host[LISTEN_TEXT_BYTES], request[LISTEN_TEXT_BYTES + 64], line[STATUS_LINE_BYTES] = "";

    if (listen_port(address) == 0) {
        return error_set(err, ERROR_BAD_SETTING,
                         "--listen: a health check needs the port, 0 names none");
    }
    listen_make_connectable(&target);
    listen_format(&target, host);
    int fd = socket(target.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        return error_set(err, ERROR_SYSTEM, "cannot make a socket: %s", strerror(errno));
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout,
                     sizeof timeout); /* valid: cannot fail */
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    int length = snprintf(request, sizeof request,
                          "GET /readyz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host);

    if (connect(fd, (const struct sockaddr *)&target.storage, target.storage_bytes) != 0 ||
        send(fd, request, (size_t)length, MSG_NOSIGNAL) != length) {
        (void)error_set(err, ERROR_ADDRESS, "cannot reach %s: %s", host, strerror(errno));
        (void)close(fd);
        return false;
    }
    read_status_line(fd, line);
    (void)close(fd);
    if (strncmp(line, "HTTP/1.1 200", strlen("HTTP/1.1 200")) != 0) {
        return error_set(err, ERROR_ADDRESS, "%s is not ready: %s", host,
                         line[0] == '\0' ? "no answer" : line);
    }
    return true;
}
