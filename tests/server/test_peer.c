/* Addresses, networks, and what proxies say. */
#include "../../server/peer.h"

#include "../tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>

static struct peer_address address_of(const char *text)
{
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    struct peer_address address;

    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
        peer_of_socket((const struct sockaddr *)&ipv4, &address);
    } else {
        (void)inet_pton(AF_INET6, text, &ipv6.sin6_addr);
        peer_of_socket((const struct sockaddr *)&ipv6, &address);
    }
    return address;
}

static void test_networks(void)
{
    static const char NINE[] = "1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,1.1.1.5,1.1.1.6,1.1.1.7,1.1.1.8,"
                               "1.1.1.9";
    static const char *const GOOD[] = {"10.0.0.1",
                                       "10.0.0.0/8",
                                       "::1",
                                       "[::1]",
                                       "2001:db8::/32",
                                       "0.0.0.0/0",
                                       "10.0.0.1,::1,192.168.0.0/16"};
    static const char *const BAD[] = {
        "",          "10.0.0",    "10.0.0.1/33", "::1/129",   "10.0.0.1/", "10.0.0.1/-1",
        "localhost", "10.0.0.1,", "10.0.0.1/8x", ",10.0.0.1", "10.0.0.1 ", "/8",
        NINE};
    static const struct {
        const char *networks, *address;
        bool is_in;
    } PLACES[] = {
        {"10.0.0.0/8", "10.255.1.2", true},      {"10.0.0.0/8", "11.0.0.1", false},
        {"10.1.2.3", "10.1.2.3", true},          {"10.1.2.3", "10.1.2.4", false},
        {"192.168.4.0/22", "192.168.7.1", true}, {"192.168.4.0/22", "192.168.8.1", false},
        {"0.0.0.0/0", "8.8.8.8", true},          {"0.0.0.0/0", "2001:db8::1", false},
        {"2001:db8::/33", "2001:db8::1", true},  {"2001:db8::/33", "2001:db8:8000::1", false},
        {"::1,10.0.0.0/8", "10.0.0.9", true},    {"10.0.0.0/8", "::ffff:10.2.3.4", true}};
    struct peer_networks networks;

    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        tap_ok(peer_networks_parse(GOOD[i], &networks), "%s is a list of networks", GOOD[i]);
    }
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        tap_ok(!peer_networks_parse(BAD[i], &networks), "\"%s\" is none", BAD[i]);
    }
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        struct peer_address address = address_of(PLACES[i].address);

        tap_ok(peer_networks_parse(PLACES[i].networks, &networks) &&
                   peer_is_in(&networks, &address) == PLACES[i].is_in,
               "%s is %sin %s", PLACES[i].address, PLACES[i].is_in ? "" : "not ",
               PLACES[i].networks);
    }
}

static void test_addresses(void)
{
    static const char *const LOOPBACK[] = {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"};
    static const char *const OTHERS[] = {"128.0.0.1", "10.0.0.1", "::2", "::", "::ffff:1.2.3.4"};
    char text[PEER_TEXT_BYTES];

    for (size_t i = 0; i < sizeof LOOPBACK / sizeof LOOPBACK[0]; i++) {
        struct peer_address address = address_of(LOOPBACK[i]);

        tap_ok(peer_is_loopback(&address), "%s is this host", LOOPBACK[i]);
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        struct peer_address address = address_of(OTHERS[i]);

        tap_ok(!peer_is_loopback(&address), "%s is another", OTHERS[i]);
    }
    struct peer_address address = address_of("::ffff:1.2.3.4");

    peer_format(&address, text);
    tap_text(text, "1.2.3.4", "IPv4 in IPv6 is written as IPv4");
    address = address_of("2001:db8::7");
    peer_format(&address, text);
    tap_text(text, "2001:db8::7", "IPv6 as IPv6");
}

static const struct {
    const char *name, *trusted, *from;
    struct peer_headers headers;
    const char *asker;
    bool is_private;
} JUDGED[] = {
    {"this host", NULL, "127.0.0.1", {NULL, NULL, NULL}, "127.0.0.1", true},
    {"another host", NULL, "10.0.0.9", {NULL, NULL, NULL}, "10.0.0.9", false},
    {"another host that claims TLS",
     NULL,
     "10.0.0.9",
     {"127.0.0.1", "https", NULL},
     "10.0.0.9",
     false},
    {"a proxy on this host that nobody declared",
     NULL,
     "127.0.0.1",
     {"10.0.0.9", "https", NULL},
     "127.0.0.1",
     false},
    {"the same with Forwarded", NULL, "::1", {NULL, NULL, "proto=https"}, "::1", false},
    {"a trusted proxy with TLS",
     "10.0.0.1",
     "10.0.0.1",
     {"192.0.2.7", "https", NULL},
     "192.0.2.7",
     true},
    {"a trusted proxy without",
     "10.0.0.1",
     "10.0.0.1",
     {"192.0.2.7", "http", NULL},
     "192.0.2.7",
     false},
    {"a trusted proxy that does not say",
     "127.0.0.1",
     "127.0.0.1",
     {NULL, NULL, NULL},
     "127.0.0.1",
     false},
    {"another than the trusted proxy",
     "10.0.0.1",
     "10.0.0.2",
     {"192.0.2.7", "https", NULL},
     "10.0.0.2",
     false},
    {"a forged first hop",
     "10.0.0.1",
     "10.0.0.1",
     {"127.0.0.1, 192.0.2.7", "https", NULL},
     "192.0.2.7",
     true},
    {"two trusted hops",
     "10.0.0.0/8",
     "10.0.0.1",
     {"192.0.2.7,10.0.0.2", "https", NULL},
     "192.0.2.7",
     true},
    {"rubbish behind a trusted hop",
     "10.0.0.0/8",
     "10.0.0.1",
     {"192.0.2.7, x, 10.0.0.2", "https", NULL},
     "10.0.0.2",
     true},
    {"trusted hops alone",
     "10.0.0.0/8",
     "10.0.0.1",
     {"10.0.0.3,\t10.0.0.2", "https", NULL},
     "10.0.0.3",
     true},
    {"an empty list", "10.0.0.1", "10.0.0.1", {"", "https", NULL}, "10.0.0.1", true},
    {"https among others",
     "10.0.0.1",
     "10.0.0.1",
     {"192.0.2.7", "http, https", NULL},
     "192.0.2.7",
     false},
    {"IPv6 in brackets",
     "10.0.0.1",
     "10.0.0.1",
     {"[2001:db8::7]", "HTTPS", NULL},
     "2001:db8::7",
     true},
};

static void test_judge(void)
{
    for (size_t i = 0; i < sizeof JUDGED / sizeof JUDGED[0]; i++) {
        struct peer_networks trusted = {.count = 0};
        struct peer_address from = address_of(JUDGED[i].from);
        char text[PEER_TEXT_BYTES];
        bool is_read =
            JUDGED[i].trusted == NULL || peer_networks_parse(JUDGED[i].trusted, &trusted);
        struct peer peer = peer_judge(&trusted, &from, &JUDGED[i].headers);

        peer_format(&peer.address, text);
        tap_ok(is_read && strcmp(text, JUDGED[i].asker) == 0 &&
                   peer.is_private == JUDGED[i].is_private,
               "%s: %s, %s", JUDGED[i].name, JUDGED[i].asker,
               JUDGED[i].is_private ? "private" : "readable on the way");
    }
}

int main(void)
{
    test_networks();
    test_addresses();
    test_judge();
    return tap_done();
}
