/* Addresses as text, and who gets a port. */
#include "../../server/listen.h"

#include "../tap.h"

#include <unistd.h>

static void test_text(void)
{
    static const struct {
        const char *text, *again; /* NULL: refused */
    } CASES[] = {{"127.0.0.1:8080", "127.0.0.1:8080"},
                 {"[::1]:1", "[::1]:1"},
                 {"localhost:80", "127.0.0.1:80"},
                 {"0.0.0.0:0", "0.0.0.0:0"},
                 {"[::]:65535", "[::]:65535"},
                 {"127.0.0.1:65536", NULL},
                 {"127.0.0.1:", NULL},
                 {"127.0.0.1", NULL},
                 {"::1:80", NULL},
                 {"[::1]", NULL},
                 {"[127.0.0.1]:1", NULL},
                 {"[:1", NULL},
                 {":8080", NULL},
                 {"127.0.0.1:+1", NULL},
                 {"127.0.0.1: 1", NULL},
                 {"127.0.0.1:1e1", NULL},
                 {"127.0.0.1:000001", NULL},
                 {"example.org:80", NULL},
                 {"", NULL},
                 {"127.0.0.256:1", NULL}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct listen_address address;
        char text[LISTEN_TEXT_BYTES] = "";
        bool is_read = listen_parse(CASES[i].text, &address);

        if (is_read) {
            listen_format(&address, text);
        }
        tap_ok(is_read == (CASES[i].again != NULL) &&
                   (!is_read || strcmp(text, CASES[i].again) == 0),
               "\"%s\": %s", CASES[i].text, is_read ? text : "refused");
    }
}

static void test_connectable(void)
{
    static const struct {
        const char *text, *connectable;
    } CASES[] = {
        {"0.0.0.0:80", "127.0.0.1:80"}, {"[::]:80", "[::1]:80"}, {"127.0.0.2:80", "127.0.0.2:80"}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct listen_address address;
        char text[LISTEN_TEXT_BYTES] = "";

        if (listen_parse(CASES[i].text, &address)) {
            listen_make_connectable(&address);
            listen_format(&address, text);
        }
        tap_text(text, CASES[i].connectable, "where to connect to");
    }
}

static void test_sockets(void)
{
    struct listen_address any, taken;
    struct error err = {0};
    char text[LISTEN_TEXT_BYTES], wanted[LISTEN_TEXT_BYTES + 64];
    int sockets[3], more[1], claim = -1, other = -1;

    tap_ok(listen_parse("127.0.0.1:0", &any) && listen_open(&any, sockets, 3, &err),
           "three sockets on one port: %s", err.text);
    listen_format(&any, text);
    tap_ok(listen_port(&any) != 0, "which is told: %s", text);
    taken = any;
    (void)snprintf(wanted, sizeof wanted, "cannot listen on %s: address already in use", text);
    tap_ok(!listen_claim(&taken, &claim, &err) && err.code == ERROR_ADDRESS && claim == -1,
           "the port is not free");
    tap_text(err.text, wanted, "and the line says so");
    tap_ok(!listen_open(&taken, more, 1, &err), "and is not shared with another server");
    for (int i = 0; i < 3; i++) {
        (void)close(sockets[i]);
    }
    tap_ok(listen_claim(&taken, &claim, &err), "free again");
    tap_ok(!listen_claim(&taken, &other, &err) && strcmp(err.text, wanted) == 0,
           "claimed for another that only starts");
    (void)close(claim);
    tap_ok(listen_claim(&taken, &claim, &err), "until that one has ended");
    (void)close(claim);
    tap_ok(listen_parse("192.0.2.1:80", &any) && !listen_open(&any, more, 1, &err) &&
               err.code == ERROR_ADDRESS,
           "an address of another machine: %s", err.text);
}

int main(void)
{
    test_text();
    test_connectable();
    test_sockets();
    return tap_done();
}
