/* Addresses and the headers that proxies add. No state, any thread. */
#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { ALL_BITS = 128, IPV4_BITS = 32, IPV4_BYTES_AT = 12 };

static const unsigned char IPV4_PREFIX[IPV4_BYTES_AT] = {[10] = 0xff, [11] = 0xff};

bool peer_is_ipv4(const struct peer_address *address)
{
    return memcmp(address->bytes, IPV4_PREFIX, sizeof IPV4_PREFIX) == 0;
}

/* An address alone, with IPv6 in brackets or not. */
static bool read_address(const char *text, size_t length, struct peer_address *address)
{
    char copy[PEER_TEXT_BYTES];
    struct peer_address read = {0};

    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    }
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    memcpy(read.bytes, IPV4_PREFIX, sizeof IPV4_PREFIX);
    if (inet_pton(AF_INET, copy, read.bytes + IPV4_BYTES_AT) != 1 &&
        inet_pton(AF_INET6, copy, read.bytes) != 1) {
        return false;
    }
    *address = read;
    return true;
}

/* ADDRESS or ADDRESS/BITS. */
static bool read_network(const char *text, size_t length, struct peer_network *network)
{
    const char *slash = memchr(text, '/', length);
    size_t address_bytes = slash == NULL ? length : (size_t)(slash - text);
    struct peer_network read = {.bits = ALL_BITS};

    if (!read_address(text, address_bytes, &read.address)) {
        return false;
    }
    if (slash != NULL) {
        unsigned most = peer_is_ipv4(&read.address) ? IPV4_BITS : ALL_BITS;
        size_t digits = length - address_bytes - 1;
        unsigned bits = 0;

        if (digits == 0 || digits > 3 || strspn(slash + 1, "0123456789") < digits) {
            return false;
        }
        for (size_t i = 1; i <= digits; i++) {
            bits = bits * 10 + (unsigned)(slash[i] - '0');
        }
        if (bits > most) {
            return false;
        }
        read.bits = bits + ALL_BITS - most;
    }
    *network = read;
    return true;
}

bool peer_networks_parse(const char *text, struct peer_networks *networks)
{
    struct peer_networks read = {.count = 0};

    for (const char *rest = text;;) {
        size_t length = strcspn(rest, ",");

        if (read.count == PEER_NETWORKS_MAX ||
            !read_network(rest, length, &read.items[read.count])) {
            return false;
        }
        read.count++;
        if (rest[length] == '\0') {
            break;
        }
        rest += length + 1;
    }
    *networks = read;
    return true;
}

void peer_of_socket(const struct sockaddr *from, struct peer_address *address)
{
    *address = (struct peer_address){{0}};
    if (from != NULL && from->sa_family == AF_INET) {
        struct sockaddr_in ipv4;

        memcpy(&ipv4, from, sizeof ipv4);
        memcpy(address->bytes, IPV4_PREFIX, sizeof IPV4_PREFIX);
        memcpy(address->bytes + IPV4_BYTES_AT, &ipv4.sin_addr, sizeof ipv4.sin_addr);
    } else if (from != NULL && from->sa_family == AF_INET6) {
        struct sockaddr_in6 ipv6;

        memcpy(&ipv6, from, sizeof ipv6);
        memcpy(address->bytes, &ipv6.sin6_addr, sizeof address->bytes);
    }
}

bool peer_is_loopback(const struct peer_address *address)
{
    return peer_is_ipv4(address)
               ? address->bytes[IPV4_BYTES_AT] == 127
               : memcmp(address->bytes, &in6addr_loopback, sizeof address->bytes) == 0;
}

static bool is_in(const struct peer_network *network, const struct peer_address *address)
{
    size_t whole = network->bits / 8;
    unsigned rest = network->bits % 8;
    unsigned char mask = (unsigned char)(0xff00U >> rest);

    return memcmp(network->address.bytes, address->bytes, whole) == 0 &&
           (rest == 0 || ((network->address.bytes[whole] ^ address->bytes[whole]) & mask) == 0);
}

bool peer_is_in(const struct peer_networks *networks, const struct peer_address *address)
{
    for (size_t i = 0; i < networks->count; i++) {
        if (is_in(&networks->items[i], address)) {
            return true;
        }
    }
    return false;
}

void peer_format(const struct peer_address *address, char text[PEER_TEXT_BYTES])
{
    if (peer_is_ipv4(address)) {
        (void)inet_ntop(AF_INET, address->bytes + IPV4_BYTES_AT, text, PEER_TEXT_BYTES);
    } else {
        (void)inet_ntop(AF_INET6, address->bytes, text, PEER_TEXT_BYTES);
    }
}

/* The last item of a list joined by commas, without blanks around; *length shrinks to what is left
 * before it. */
static const char *take_last(const char *list, size_t *length, size_t *item_bytes)
{
    const char *comma = memrchr(list, ',', *length);
    const char *item = comma == NULL ? list : comma + 1;
    size_t count = *length - (size_t)(item - list);

    *length = comma == NULL ? 0 : (size_t)(comma - list);
    for (; count > 0 && (*item == ' ' || *item == '\t'); count--) {
        item++;
    }
    while (count > 0 && (item[count - 1] == ' ' || item[count - 1] == '\t')) {
        count--;
    }
    *item_bytes = count;
    return item;
}

/* The rightmost address that is no trusted proxy; the leftmost when all are; what was found before
 * something that is no address. */
static struct peer_address asker_of(const struct peer_networks *trusted,
                                    const struct peer_address *from, const char *forwarded_for)
{
    struct peer_address asker = *from;
    size_t left = forwarded_for == NULL ? 0 : strlen(forwarded_for);

    while (left > 0 && peer_is_in(trusted, &asker)) {
        size_t item_bytes = 0;
        const char *item = take_last(forwarded_for, &left, &item_bytes);

        if (!read_address(item, item_bytes, &asker)) {
            break;
        }
    }
    return asker;
}

struct peer peer_judge(const struct peer_networks *trusted, const struct peer_address *from,
                       const struct peer_headers *headers)
{
    struct peer peer = {.address = *from};

    if (peer_is_in(trusted, from)) {
        peer.address = asker_of(trusted, from, headers->forwarded_for);
        peer.is_private =
            headers->forwarded_proto != NULL && strcasecmp(headers->forwarded_proto, "https") == 0;
    } else {
        peer.is_private = peer_is_loopback(from) && headers->forwarded_for == NULL &&
                          headers->forwarded_proto == NULL && headers->forwarded == NULL;
    }
    return peer;
}
