/* Who is at the other end: the socket's peer, or whom a trusted proxy names. Pure; any thread. */
#ifndef GPUWISE_PEER_H
#define GPUWISE_PEER_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

enum { PEER_TEXT_BYTES = 46, PEER_NETWORKS_MAX = 8 };

struct peer_address {
    unsigned char bytes[16]; /* IPv6; IPv4 as ::ffff:a.b.c.d */
};

struct peer_network {
    struct peer_address address;
    unsigned bits; /* of the 128 that must be equal */
};

struct peer_networks {
    struct peer_network items[PEER_NETWORKS_MAX];
    size_t count;
};

/* What a request says of its way here. NULL: the header is absent; several are joined by commas. */
struct peer_headers {
    const char *forwarded_for, *forwarded_proto, *forwarded;
};

struct peer {
    struct peer_address address; /* of the asker, for the log and the rate limit */
    bool is_private;             /* nobody on the way reads along: loopback, or TLS to the proxy */
};

/* "10.0.0.1,192.168.0.0/16,::1"; false: not allowed, *networks stays. */
bool peer_networks_parse(const char *text, struct peer_networks *networks);

/* Any other family counts as the address ::. */
void peer_of_socket(const struct sockaddr *from, struct peer_address *address);

bool peer_is_loopback(const struct peer_address *address);
bool peer_is_ipv4(const struct peer_address *address);
bool peer_is_in(const struct peer_networks *networks, const struct peer_address *address);

/* As people write it: 192.0.2.1, 2001:db8::1. */
void peer_format(const struct peer_address *address, char text[PEER_TEXT_BYTES]);

/* Judges a request. From a trusted proxy: X-Forwarded-For names the asker, read from the right as
 * far as the proxies in it are trusted, and only X-Forwarded-Proto: https makes it private. From
 * anywhere else: what the headers claim counts for nothing but this, that loopback with such a
 * header is a proxy nobody declared, and not private. */
struct peer peer_judge(const struct peer_networks *trusted, const struct peer_address *from,
                       const struct peer_headers *headers);

#endif
