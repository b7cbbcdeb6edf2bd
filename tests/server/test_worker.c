/* A worker over real sockets with a small application behind it: libmicrohttpd's pitfalls
 * (PERFORMANCE.md section 4), the life of snapshots, the log, slow and many clients, and the end.
 */
#include "worker_rig.h"

#include <errno.h>

enum { MANY = 128, PIPELINED = 20, ROUNDS = 5 };

static void nap_ms(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void test_keep_alive(struct rig *rig)
{
    int fd = socket_connect(&rig->address);
    bool all = true;

    for (int i = 0; i < ROUNDS; i++) {
        all = get_is(fd, "/a?b=c", 200, "0 /a b=c - 0 --") && all;
    }
    tap_ok(all, "%d requests one after the other on one connection", ROUNDS);
    (void)close(fd);
}

static void test_pipelined(struct rig *rig)
{
    int fd = socket_connect(&rig->address);
    char requests[PIPELINED * 64] = "", wanted[64];
    int good = 0;

    for (int i = 0; i < PIPELINED; i++) {
        size_t used = strlen(requests);

        (void)snprintf(requests + used, sizeof requests - used,
                       "GET /p%d HTTP/1.1\r\nHost: h\r\n\r\n", i);
    }
    socket_send_text(fd, requests);
    for (int i = 0; i < PIPELINED; i++) {
        struct socket_answer answer;

        socket_read(fd, false, &answer);
        (void)snprintf(wanted, sizeof wanted, "0 /p%d  - 0 --", i);
        good += answer.body != NULL && strcmp(answer.body, wanted) == 0 ? 1 : 0;
        socket_answer_fini(&answer);
    }
    tap_ok(good == PIPELINED, "%d of %d pipelined requests answered in order", good, PIPELINED);
    (void)close(fd);
}

/* 128 is the size of the library's event array, at which its own loops stall (PERFORMANCE.md 4.1).
 */
static void test_lockstep(struct rig *rig)
{
    int fds[MANY], good = 0;

    for (int i = 0; i < MANY; i++) {
        fds[i] = socket_connect(&rig->address);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++) {
            socket_send_text(fds[i], "GET /snapshot HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        for (int i = 0; i < MANY; i++) {
            struct socket_answer answer;

            socket_read(fds[i], false, &answer);
            good += answer.status == 200 ? 1 : 0;
            socket_answer_fini(&answer);
        }
    }
    tap_ok(good == MANY * ROUNDS, "%d connections in lockstep: %d of %d answered", MANY, good,
           MANY * ROUNDS);
    for (int i = 0; i < MANY; i++) {
        (void)close(fds[i]);
    }
}

/* A body of the old snapshot half sent while a new one is published. */
static void test_snapshot_life(struct rig *rig)
{
    int slow = socket_connect(&rig->address), fd = socket_connect(&rig->address);
    struct socket_answer answer;
    size_t firsts = 0;

    socket_send_text(slow, "GET /large HTTP/1.1\r\n" HOST "\r\n");
    tap_ok(get_is(fd, "/snapshot", 200, "first"), "the first snapshot is served");
    tap_ok(get_is(fd, "/kept?q=1", 200, "0 /kept q=1 - 0 --"), "and something is cached");
    worker_publish(rig->worker, double_snapshot("unread"));
    worker_publish(rig->worker, double_snapshot("second"));
    nap_ms(200);
    tap_ok(get_is(fd, "/snapshot", 200, "second"), "then the newest one, not its cached answer");
    tap_ok(calls_of(rig, "GET /kept?q=1 HTTP/1.1\r\n" HOST "\r\n") == 1, "the cache was emptied");
    tap_ok(atomic_load(&double_live_snapshots) == 2, "the old one lives while it is being sent");
    socket_read(slow, false, &answer);
    for (size_t i = 0; i < answer.body_bytes; i++) {
        firsts += answer.body[i] == 'f' ? 1 : 0;
    }
    tap_ok(answer.status == 200 && firsts == DOUBLE_LARGE_BYTES,
           "which is the old one to the last byte");
    socket_answer_fini(&answer);
    nap_ms(200);
    tap_ok(atomic_load(&double_live_snapshots) == 1, "then it is gone");
    (void)close(slow);
    (void)close(fd);
}

/* 60 snapshots come and go while requests are under way. */
static void test_many_snapshots(struct rig *rig)
{
    enum { SNAPSHOTS = 60 };
    int fd = socket_connect(&rig->address);
    int good = 0, most = 0;

    for (int i = 0; i < SNAPSHOTS; i++) {
        socket_send_text(fd, "GET /snapshot HTTP/1.1\r\n" HOST "\r\n");
        worker_publish(rig->worker, double_snapshot("many"));
        struct socket_answer answer;

        socket_read(fd, false, &answer);
        good += answer.status == 200 ? 1 : 0;
        socket_answer_fini(&answer);
        int living = atomic_load(&double_live_snapshots);

        most = living > most ? living : most;
    }
    tap_ok(good == SNAPSHOTS, "%d of %d requests answered between them", good, (int)SNAPSHOTS);
    tap_ok(most <= 3, "at most %d live: one served, one letterbox, one being sent", most);
    nap_ms(200);
    tap_ok(atomic_load(&double_live_snapshots) == 1, "at the end one");
    (void)close(fd);
}

/* Reads the log back: every line ts, level, event and pairs; counts lines that are not of level
 * info. */
static void test_log(struct rig *rig)
{
    char line[4096];
    size_t lines = 0, bad = 0, alarming = 0;

    nap_ms(300); /* lines are written together, after a moment */
    rewind(rig->log);
    while (fgets(line, sizeof line, rig->log) != NULL) {
        lines++;
        bad += strncmp(line, "ts=20", 5) == 0 && strstr(line, "Z level=") != NULL &&
                       (strstr(line, " event=request id=") != NULL ||
                        strstr(line, " event=library worker=7 message=") != NULL) &&
                       strstr(line, " worker=7") != NULL && line[strlen(line) - 1] == '\n'
                   ? 0
                   : 1;
        if (strstr(line, " level=info ") == NULL) {
            alarming++;
            printf("# %s", line);
        }
    }
    tap_ok(lines > (size_t)MANY * ROUNDS, "a line for each request (%zu)", lines);
    tap_ok(bad == 0, "all of the promised form (%zu are not)", bad);
    tap_ok(alarming == 0, "none of them a warning (%zu are)", alarming);
    (void)fseek(rig->log, 0, SEEK_END);
}

/* Seconds until the connection is closed while a byte is sent every 200 ms; -1: longer than 8. */
static double seconds_of_dripping(const struct listen_address *address, const char *start)
{
    int fd = socket_connect(address);
    struct timespec begin, now;
    char byte;
    double seconds = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    socket_send_text(fd, start);
    while (seconds < 8) {
        nap_ms(200);
        socket_send_text(fd, "a");
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        seconds = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9;
        ssize_t got = recv(fd, &byte, 1, MSG_DONTWAIT);

        if (got == 0 || (got < 0 && errno != EAGAIN)) {
            (void)close(fd);
            return seconds;
        }
    }
    (void)close(fd);
    return -1;
}

static void test_slow_clients(void)
{
    struct rig rig;

    rig_start(&rig, 1, RIG_CONNECTIONS); /* idle and request time-out of a second */
    int idle = socket_connect(&rig.address), used = socket_connect(&rig.address);

    tap_ok(get_is(used, "/a", 200, "0 /a  - 0 --"), "a connection that will be idle");
    tap_ok(socket_is_closed(idle) && socket_is_closed(used), "idle connections are closed");
    double head = seconds_of_dripping(&rig.address, "GET / HTTP/1.1\r\nHost: h\r\nX: ");
    double body = seconds_of_dripping(&rig.address,
                                      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
    double line = seconds_of_dripping(&rig.address, "GET /");

    tap_ok(head > 0.9 && head < 3.5, "a header a byte at a time is ended (%.1f s)", head);
    tap_ok(body > 0.9 && body < 3.5, "a body a byte at a time is ended (%.1f s)", body);
    tap_ok(line > 0.9 && line < 4.5, "a request line a byte at a time is ended (%.1f s)", line);
    int fd = socket_connect(&rig.address), unread = socket_connect(&rig.address);

    tap_ok(get_is(fd, "/a", 200, "0 /a  - 0 --"), "others are served");
    socket_send_text(unread, "GET /large HTTP/1.1\r\n" HOST "\r\n");
    nap_ms(200);
    worker_publish(rig.worker, double_snapshot("second"));
    nap_ms(200);
    bool is_held = atomic_load(&double_live_snapshots) == 2;

    nap_ms(4000);
    tap_ok(is_held && atomic_load(&double_live_snapshots) == 1,
           "who never reads does not keep a snapshot for ever");
    (void)close(unread);
    (void)close(fd);
    (void)close(idle);
    (void)close(used);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    rig_end(&rig);
}

/* More connections than there is room for, all idle, with an idle time-out of 20 seconds. */
static void test_crowd(void)
{
    enum { ROOM = 20, COMING = 45 };
    struct rig rig;
    int fds[COMING], closed = 0;

    rig_start(&rig, 20, ROOM);
    for (int i = 0; i < COMING; i++) {
        fds[i] = socket_connect(&rig.address);
    }
    int fd = socket_connect(&rig.address);

    tap_ok(get_is(fd, "/a", 200, "0 /a  - 0 --"), "idle ones make room, oldest first");
    for (int i = 0; i < COMING; i++) {
        char byte;

        closed += recv(fds[i], &byte, 1, MSG_DONTWAIT) == 0 ? 1 : 0;
        (void)close(fds[i]);
    }
    tap_ok(closed > COMING - ROOM, "%d of %d were ended for it", closed, (int)COMING);
    (void)close(fd);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    rig_end(&rig);
}

static void test_drain(struct rig *rig)
{
    int reading = socket_connect(&rig->address), late = -1;
    int fds[MANY], half = socket_connect(&rig->address), silent = socket_connect(&rig->address);
    struct socket_answer answer;
    int closed = 0;

    for (int i = 0; i < MANY; i++) {
        fds[i] = socket_connect(&rig->address);
        (void)get_is(fds[i], "/readyz", 200, "ready");
    }
    socket_send_text(half, "GET /readyz HTTP/1.1\r\nHost: h\r\n");
    socket_send_text(reading, "GET /large HTTP/1.1\r\n" HOST "\r\n");
    socket_send_text(silent, "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab");
    nap_ms(200);
    worker_stop(rig->worker, WORKER_DRAIN);
    for (int i = 0; i < MANY; i++) {
        closed += socket_is_closed(fds[i]) ? 1 : 0;
        (void)close(fds[i]);
    }
    tap_ok(closed == MANY, "%d of %d idle connections closed", closed, MANY);
    tap_ok(atomic_load(&rig->ended) == 0, "what is half sent is waited for");
    late = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    tap_ok(connect(late, (const struct sockaddr *)&rig->address.storage,
                   rig->address.storage_bytes) != 0 &&
               errno == ECONNREFUSED,
           "who comes now is refused at once");
    (void)close(late);
    socket_read(reading, false, &answer);
    tap_ok(answer.status == 200 && answer.body_bytes == DOUBLE_LARGE_BYTES,
           "what is half answered is answered in full");
    socket_answer_fini(&answer);
    tap_ok(socket_is_closed(reading) && atomic_load(&rig->ended) == 0,
           "and its connection closed at once, not with the last one");
    (void)close(reading);
    socket_send_text(half, "\r\n");
    socket_read(half, false, &answer);
    tap_ok(answer.status == 503 && socket_header_is(&answer, "Connection", "close"),
           "/readyz says 503 while stopping: %d", answer.status);
    socket_answer_fini(&answer);
    tap_ok(socket_is_closed(silent), "what never comes is not waited for longer than the time-out");
    (void)close(half);
    (void)close(silent);
    rig_end(rig);
    tap_ok(atomic_load(&rig->ended) == 1 && atomic_load(&double_live_snapshots) == 0,
           "ended once, with every snapshot released");
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, 20, RIG_CONNECTIONS);
    test_keep_alive(&rig);
    test_pipelined(&rig);
    test_lockstep(&rig);
    test_snapshot_life(&rig);
    test_many_snapshots(&rig);
    test_log(&rig);
    test_drain(&rig);
    test_slow_clients();
    test_crowd();
    return tap_done();
}
