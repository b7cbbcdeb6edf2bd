/* Addresses and listening sockets. Accepts nothing itself: the workers do. Main thread. */
#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* PERFORMANCE.md 4.8: a burst of 2,000 connections needs more than the default. */
enum { BACKLOG = 4096, HOST_BYTES = 64, PORT_DIGITS_MAX = 5 };

static bool parse_port(const char *text, uint16_t *port)
{
    unsigned value = 0;
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > PORT_DIGITS_MAX || text[digits] != '\0') {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}

/* Views of the storage as what it is; copied, because the types must not alias. */
static struct sockaddr_in as_ipv4(const struct listen_address *address)
{
    struct sockaddr_in ipv4;

    memcpy(&ipv4, &address->storage, sizeof ipv4);
    return ipv4;
}

static struct sockaddr_in6 as_ipv6(const struct listen_address *address)
{
    struct sockaddr_in6 ipv6;

    memcpy(&ipv6, &address->storage, sizeof ipv6);
    return ipv6;
}

static void store(struct listen_address *address, const void *value, socklen_t value_bytes)
{
    memset(address, 0, sizeof *address);
    memcpy(&address->storage, value, value_bytes);
    address->storage_bytes = value_bytes;
}

bool listen_parse(const char *text, struct listen_address *address)
{
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    const char *colon = strrchr(text, ':');
    char host[HOST_BYTES];
    uint16_t port;

    if (colon == NULL || (size_t)(colon - text) >= sizeof host || !parse_port(colon + 1, &port)) {
        return false;
    }
    size_t length = (size_t)(colon - text);

    memcpy(host, text, length);
    host[length] = '\0';
    ipv4.sin_port = htons(port);
    ipv6.sin6_port = htons(port);
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &ipv4.sin_addr) ==
        1) {
        store(address, &ipv4, sizeof ipv4);
        return true;
    }
    if (length < 2 || host[0] != '[' || host[length - 1] != ']') {
        return false;
    }
    host[length - 1] = '\0';
    if (inet_pton(AF_INET6, host + 1, &ipv6.sin6_addr) != 1) {
        return false;
    }
    store(address, &ipv6, sizeof ipv6);
    return true;
}

uint16_t listen_port(const struct listen_address *address)
{
    return ntohs(address->storage.ss_family == AF_INET6 ? as_ipv6(address).sin6_port
                                                        : as_ipv4(address).sin_port);
}

void listen_format(const struct listen_address *address, char text[LISTEN_TEXT_BYTES])
{
    struct sockaddr_in ipv4 = as_ipv4(address);
    struct sockaddr_in6 ipv6 = as_ipv6(address);
    bool is_ipv6 = address->storage.ss_family == AF_INET6;
    const void *number = is_ipv6 ? (const void *)&ipv6.sin6_addr : (const void *)&ipv4.sin_addr;
    char host[INET6_ADDRSTRLEN] = "";

    (void)inet_ntop(address->storage.ss_family, number, host, sizeof host); /* the room suffices */
    (void)snprintf(text, LISTEN_TEXT_BYTES, is_ipv6 ? "[%s]:%u" : "%s:%u", host,
                   (unsigned)listen_port(address));
}

void listen_make_connectable(struct listen_address *address)
{
    struct sockaddr_in ipv4 = as_ipv4(address);
    struct sockaddr_in6 ipv6 = as_ipv6(address);

    if (address->storage.ss_family == AF_INET && ipv4.sin_addr.s_addr == htonl(INADDR_ANY)) {
        ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        store(address, &ipv4, sizeof ipv4);
    } else if (address->storage.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&ipv6.sin6_addr)) {
        ipv6.sin6_addr = in6addr_loopback;
        store(address, &ipv6, sizeof ipv6);
    }
}

static bool address_error(const struct listen_address *address, int fault, struct error *err)
{
    char text[LISTEN_TEXT_BYTES];

    listen_format(address, text);
    return error_set(err, ERROR_ADDRESS, "cannot listen on %s: %s", text,
                     fault == EADDRINUSE ? "address already in use" : strerror(fault));
}

/* A bound socket; -1: errno says why. */
static int bind_socket(const struct listen_address *address, bool is_shared)
{
    const int yes = 1;
    int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        return -1;
    }
    /* SO_REUSEADDR: connections of a server just stopped (TIME_WAIT) are no obstacle; a listener
     * is. */
    bool is_bound =
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        (!is_shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) == 0) &&
        (address->storage.ss_family != AF_INET6 ||
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0) &&
        bind(fd, (const struct sockaddr *)&address->storage, address->storage_bytes) == 0;

    if (!is_bound) {
        int fault = errno;

        (void)close(fd);
        errno = fault;
        return -1;
    }
    return fd;
}

/* Whether nobody else listens on it, which a socket that shares its port could not tell. */
static bool probe(const struct listen_address *address, struct error *err)
{
    if (listen_port(address) == 0) {
        return true; /* the kernel will choose one */
    }
    int fd = bind_socket(address, false);

    if (fd < 0) {
        return address_error(address, errno, err);
    }
    (void)close(fd); /* it only had to be possible */
    return true;
}

/* Between the probe and the listening, the database is loaded: two servers started together would
 * both find the address free. So each takes a name that the kernel gives to one process only, as
 * long as that lives, in the same network namespace as the port. */
static bool take_name(const struct listen_address *address, int *claim)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char text[LISTEN_TEXT_BYTES];
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *claim = fd;
    if (fd < 0) {
        return true; /* no such sockets here: the probe must do */
    }
    listen_format(address, text);
    /* the first byte stays NUL: no file */
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "gpuwise %s", text);
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);

    if (bind(fd, (const struct sockaddr *)&name, bytes) == 0 || errno != EADDRINUSE) {
        return true;
    }
    (void)close(fd);
    return false;
}

bool listen_claim(const struct listen_address *address, int *claim, struct error *err)
{
    int taken = -1;

    if (listen_port(address) != 0 && !take_name(address, &taken)) {
        return address_error(address, EADDRINUSE, err);
    }
    if (!probe(address, err)) {
        if (taken >= 0) {
            (void)close(taken);
        }
        return false;
    }
    *claim = taken;
    return true;
}

bool listen_open(struct listen_address *address, int *sockets, unsigned count, struct error *err)
{
    unsigned opened = 0;

    if (!probe(address, err)) {
        return false;
    }
    for (; opened < count; opened++) {
        int fd = bind_socket(address, true);

        if (fd < 0 || listen(fd, BACKLOG) != 0) {
            int fault = errno;

            if (fd >= 0) {
                (void)close(fd);
            }
            (void)address_error(address, fault, err);
            goto close_opened;
        }
        sockets[opened] = fd;
        if (opened == 0) { /* port 0: the others join the one found */
            address->storage_bytes = sizeof address->storage;
            (void)getsockname(fd, (struct sockaddr *)&address->storage, &address->storage_bytes);
        }
    }
    return true;

close_opened:
    while (opened > 0) {
        (void)close(sockets[--opened]);
    }
    return false;
}
