/* What is remembered of connections: bodies and their bounds, and who is too slow. */
#include "../../server/client.h"

#include "../tap.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 * 1024 };

static char piece[PIECE_BYTES];

static struct client *begin(struct clients *clients, int fd, uint64_t now_ms)
{
    struct client *client = client_new(clients, fd, now_ms);

    if (client == NULL || !client_begin(client, "/a?b", now_ms * 1000)) {
        abort();
    }
    return client;
}

/* Adds count pieces; false: the connection must end. */
static bool add(struct client *client, size_t count)
{
    bool goes_on = true;

    for (size_t i = 0; i < count && goes_on; i++) {
        goes_on = client_add_body(client, piece, sizeof piece);
    }
    return goes_on;
}

static void test_bodies(void)
{
    struct clients clients = {0};
    struct client *client = begin(&clients, -1, 0);

    tap_ok(add(client, 16) && client->body_status == 0 && client->body_bytes == LIMIT_BODY_BYTES,
           "1 MiB is kept");
    tap_ok(client_add_body(client, piece, 1) && client->body_status == 413 &&
               client->body == NULL && clients.body_bytes == 0,
           "a byte more: thrown away");
    tap_ok(add(client, 239) && client->body == NULL, "up to 16 MiB are read");
    tap_ok(!add(client, 1), "and no more");
    client_end_request(client, 1);
    tap_ok(client_begin(client, "/b", 2000) && add(client, 1) && client->body_status == 0 &&
               client->body_bytes == PIECE_BYTES,
           "the next request begins anew");
    client_complete_request(client);
    tap_ok(client->request.body == client->body && client->request.path_bytes == 2 &&
               client->request.query == NULL,
           "a complete request");
    client_free(client);
    tap_ok(clients.body_bytes == 0 && clients.count == 0 && clients.first == NULL,
           "nothing is left");
}

/* 64 MiB of all bodies: the 65th of 1 MiB is one too many. */
/* A body that is a file goes into its descriptor, and takes its time. */
static void test_files(void)
{
    struct clients clients = {0};
    int pair[2];
    char path[] = "/tmp/gpuwise-client-XXXXXX";
    int fd = mkstemp(path);

    if (fd < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        abort();
    }
    struct client *client = begin(&clients, pair[0], 1000);

    client->state = CLIENT_ARRIVING;
    client->file_fd = fd;
    tap_ok(add(client, 40) && client->body_status == 0 && clients.body_bytes == 0,
           "more than a body may have, and none of it in memory");
    client_complete_request(client);
    tap_ok(client->request.body == NULL && client->request.body_bytes == 40 * PIECE_BYTES &&
               lseek(fd, 0, SEEK_END) == 40 * PIECE_BYTES,
           "the request knows how long it is");
    /* 2.5 MiB at 64 KiB a second: 40 s more than the 5 that any request has */
    clients_end_slow(&clients, 1000 + 44999, 5000);
    tap_ok(!client->is_ended, "its sender has the time that so many bytes take");
    client->state = CLIENT_SUSPENDED;
    clients_end_slow(&clients, 1000 + 1000000, 5000);
    tap_ok(!client->is_ended, "who is suspended waits for us");
    client->state = CLIENT_ARRIVING;
    clients_end_slow(&clients, 1000 + 45001, 5000);
    tap_ok(client->is_ended, "and no more");
    client->file_bytes = LIMIT_IMPORT_BYTES - 1;
    tap_ok(client_add_body(client, piece, 2) && client->body_status == 413,
           "a file over its limit is refused");
    client_free(client);
    (void)close(pair[0]);
    (void)close(pair[1]);
    (void)close(fd);
    (void)unlink(path);

    client = begin(&clients, -1, 0);
    client->discards_body = true;
    tap_ok(add(client, 64) && client->body == NULL && client->drained_bytes == 64 * PIECE_BYTES &&
               client->body_status == 0,
           "the body of who is refused is thrown away");
    client_free(client);
}

static void test_all_bodies(void)
{
    enum { HELD = LIMIT_BODIES_BYTES / LIMIT_BODY_BYTES };
    struct clients clients = {0};
    struct client *held[HELD];
    bool all_kept = true;

    for (int i = 0; i < HELD; i++) {
        held[i] = begin(&clients, -1, 0);
        all_kept = add(held[i], 16) && held[i]->body_status == 0 && all_kept;
    }
    struct client *more = begin(&clients, -1, 0);

    tap_ok(all_kept && add(more, 1) && more->body_status == 503,
           "64 MiB of bodies are held, no more");
    client_end_request(held[0], 1);
    client_end_request(more, 1);
    tap_ok(client_begin(more, "/", 2000) && add(more, 1) && more->body_status == 0,
           "until one has been answered");
    for (int i = 0; i < HELD; i++) {
        client_free(held[i]);
    }
    client_free(more);
    tap_ok(clients.body_bytes == 0 && clients.count == 0, "nothing is left");
}

/* 256 MiB of all answers. */
static void test_all_answers(void)
{
    struct clients clients = {0};
    struct client *one = begin(&clients, -1, 0), *other = begin(&clients, -1, 0);

    tap_ok(client_hold_answer(one, LIMIT_ANSWERS_BYTES - 10) && client_hold_answer(other, 10),
           "256 MiB of answers are held");
    tap_ok(!client_hold_answer(other, 1), "no more");
    client_end_request(one, 1);
    tap_ok(client_hold_answer(other, 1) && clients.held_bytes == 11, "until one has been sent");
    client_free(other);
    tap_ok(clients.held_bytes == 0, "a client that leaves holds nothing");
    client_free(one);
}

static bool is_open(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_DONTWAIT) < 0; /* nothing there, but no end either */
}

/* Whether the other end has been told to send no more. */
static bool can_send(int fd)
{
    return send(fd, "a", 1, MSG_NOSIGNAL) == 1;
}

/* One that waits, one whose target is read, one that arrives, one that reads 4096 bytes. */
static void test_slow(void)
{
    struct clients clients = {0};
    int pairs[4][2];
    struct client *all[4];

    for (int i = 0; i < 4; i++) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]) != 0) {
            abort();
        }
        all[i] = client_new(&clients, pairs[i][0], 1000);
        if (all[i] == NULL || (i > 0 && !client_begin(all[i], "/", 1000000))) {
            abort();
        }
    }
    all[2]->state = CLIENT_ARRIVING;
    client_answer(all[3], 200, LIMIT_READER_BYTES_PER_S, 2000);
    clients_end_slow(&clients, 6000, 5000);
    tap_ok(is_open(pairs[0][1]) && is_open(pairs[1][1]) && is_open(pairs[2][1]),
           "5 of 5 s: in time");
    clients_end_slow(&clients, 6001, 5000);
    tap_ok(!is_open(pairs[1][1]) && !is_open(pairs[2][1]), "arriving for too long: ended");
    clients_end_slow(&clients, 8000, 5000);
    tap_ok(is_open(pairs[3][1]), "an answer has a second more for each 4096 bytes");
    clients_end_slow(&clients, 8001, 5000);
    tap_ok(!is_open(pairs[3][1]), "read for too long: ended");
    tap_ok(is_open(pairs[0][1]), "waiting has its own limit");
    clients_end_waiting(&clients, 10000, 9000);
    tap_ok(can_send(pairs[0][1]), "9 of 9 s: in time");
    clients_end_waiting(&clients, 10001, 9000);
    tap_ok(is_open(pairs[0][1]) && !can_send(pairs[0][1]),
           "waiting for too long: nothing more is read, what was asked is still answered");
    for (int i = 0; i < 4; i++) {
        client_free(all[i]);
        (void)close(pairs[i][0]);
        (void)close(pairs[i][1]);
    }
    tap_ok(clients.count == 0 && clients.first == NULL, "removed in any order");
}

/* Two connected sockets of loopback. */
static void connect_tcp(int pair[2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_bytes = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM, 0);

    pair[1] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listening, 1) != 0 ||
        getsockname(listening, (struct sockaddr *)&address, &address_bytes) != 0 ||
        connect(pair[1], (struct sockaddr *)&address, sizeof address) != 0) {
        abort();
    }
    pair[0] = accept(listening, NULL, NULL);
    (void)close(listening);
}

static uint64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Lets the kernel's clock, which ticks in milliseconds, tell what comes from what came. */
static void wait_ticks(void)
{
    const struct timespec pause = {.tv_nsec = 60000000};

    (void)nanosleep(&pause, NULL);
}

/* A new connection, and one that was answered: silent, then with the first bytes of a line. */
static void test_half_lines(void)
{
    for (int has_asked = 0; has_asked < 2; has_asked++) {
        struct clients clients = {0};
        int pair[2];
        char byte;

        connect_tcp(pair);
        struct client *client = client_new(&clients, pair[0], now_ms());

        if (client == NULL) {
            abort();
        }
        if (has_asked == 1) {
            (void)send(pair[1], "a", 1, MSG_NOSIGNAL);
            wait_ticks();
            (void)recv(pair[0], &byte, 1, 0);
            if (!client_begin(client, "/", now_ms() * 1000)) {
                abort();
            }
            client_end_request(client, now_ms());
        }
        wait_ticks();
        uint64_t start_ms = now_ms();

        clients_end_half_lines(&clients, start_ms, 0);
        wait_ticks();
        clients_end_half_lines(&clients, now_ms(), 0);
        tap_ok(is_open(pair[1]), "a silent connection is left alone%s",
               has_asked == 1 ? " after an answer" : "");
        (void)send(pair[1], "G", 1, MSG_NOSIGNAL);
        wait_ticks();
        start_ms = now_ms();
        clients_end_half_lines(&clients, start_ms, 5000);
        clients_end_half_lines(&clients, start_ms + 5000, 5000);
        tap_ok(is_open(pair[1]), "5 of 5 s of a request line: in time");
        clients_end_half_lines(&clients, start_ms + 5001, 5000);
        tap_ok(!is_open(pair[1]), "longer: ended");
        client_free(client);
        (void)close(pair[0]);
        (void)close(pair[1]);
    }
}

static void test_headers(void)
{
    struct clients clients = {0};
    struct client *client = begin(&clients, -1, 0);

    client_add_header(client, "ACCEPT", 6, "a/b", 3);
    client_add_header(client, "accept", 6, "c/d", 3);
    client_add_header(client, "Expect", 6, "100-Continue", 12);
    client_add_header(client, "Host", 4, "h", 1);
    client_add_header(client, "Accept", 6, "e/f;q=0.1", 9);
    client_add_header(client, "Accept-Encoding", 15, "br", 2);
    client_add_header(client, "Accept-Encoding", 15, "gzip", 4);
    tap_text(client->request.accept, "a/b, c/d, e/f;q=0.1", "a repeated header is one list");
    tap_text(client->accept_encoding, "br, gzip", "each its own");
    tap_ok(client->request.accept_language == NULL && client->if_none_match == NULL,
           "and nothing else");
    tap_ok(client->expects_continue && client->checks.host_count == 1,
           "and what the transport reads");
    client_end_request(client, 1);
    tap_ok(client_begin(client, "/b", 2000) && client->request.accept == NULL &&
               client->accept_encoding == NULL,
           "forgotten with the request");
    client_add_header(client, "Accept", 6, "g/h", 3);
    tap_text(client->request.accept, "g/h", "the next one begins anew");
    tap_ok(client->checks.status == 0, "all of it is allowed");
    client_add_header(client, "Content-Type", 12, "a/b", 3);
    client_add_header(client, "content-type", 12, "a/b", 3);
    tap_ok(client->checks.status == 400, "two Content-Types are refused");
    client_free(client);
}

/* What a client calls its method is written into the log as it is kept here. */
static void test_method_names(void)
{
    static const char *const NAMES[][2] = {
        {"GET", "GET"},
        {"M-SEARCH", "M-SEARCH"},
        {"get", "get"},
        {"G\x1bT", "G?T"},
        {"\x01", "?"},
        {"\"A", "?A"},
        {"A=B", "A?B"},
        {"G\xe9T", "G?T"},
        {"A\\nB", "A?nB"},
        {"A\x7f", "A?"},
        {"", ""},
        {"ABCDEFGHIJKLMNOPQ", "ABCDEFGHIJKLMNO"},
        {"BASELINE-CONTROL", "BASELINE-CONTRO"},
    };
    struct clients clients = {0};
    struct client *client = begin(&clients, -1, 0);

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        client_name_method(client, NAMES[i][0]);
        tap_text(client->method, NAMES[i][1], "a method's name is a plain word");
    }
    client_free(client);
}

int main(void)
{
    test_bodies();
    test_method_names();
    test_files();
    test_all_bodies();
    test_all_answers();
    test_slow();
    test_half_lines();
    test_headers();
    client_free(NULL);
    return tap_done();
}
