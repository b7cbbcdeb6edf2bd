/* Where the server listens: addresses as text, and listening sockets. */
#ifndef GPUWISE_LISTEN_H
#define GPUWISE_LISTEN_H

#include "../handlers/engine/error.h"

#include <stdint.h>
#include <sys/socket.h>

enum { LISTEN_TEXT_BYTES = 64 };

struct listen_address {
    struct sockaddr_storage storage; /* IPv4 or IPv6 */
    socklen_t storage_bytes;
};

/* Reads 127.0.0.1:8080, [::1]:8080 or localhost:8080 (numbers only otherwise: nothing is looked
 * up). False: not of this form. */
bool listen_parse(const char *text, struct listen_address *address);

/* Writes it in the same form. */
void listen_format(const struct listen_address *address, char text[LISTEN_TEXT_BYTES]);

/* The port, 0: any. */
uint16_t listen_port(const struct listen_address *address);

/* The same port of the loopback address where the address means every interface. */
void listen_make_connectable(struct listen_address *address);

/* Claims the address for one server, because sockets that share a port (SO_REUSEPORT) would let a
 * second one in silently: tries it with a plain socket, and keeps out others that start at the same
 * time. *claim: to be closed when the server has ended; -1: none was needed (port 0). ERROR_ADDRESS
 * says why the address cannot be had. */
bool listen_claim(const struct listen_address *address, int *claim, struct error *err) MUST_CHECK;

/* Opens count listening sockets that share the address, which nobody else may have; port 0 is
 * replaced by the one the kernel chose. On failure none is left open. */
bool listen_open(struct listen_address *address, int *sockets, unsigned count,
                 struct error *err) MUST_CHECK;

#endif
