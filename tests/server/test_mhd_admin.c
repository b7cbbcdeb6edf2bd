/* Requests with a token over real sockets: what is refused before a token is looked at, suspended
 * connections and how they end. The test itself is the publisher: it takes the jobs and says when
 * they are done. */
#include "worker_rig.h"

#include "../../server/rate_limit.h"
#include "../../server/write_job.h"
#include "../../server/write_queue.h"

#include <poll.h>
#include <semaphore.h>

#define TOKEN "gpuwise_0123456789ab_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"
#define BEARER "Authorization: Bearer " TOKEN "\r\n"
#define GET_ADMIN "GET /admin HTTP/1.1\r\n" HOST BEARER "\r\n"

enum { LOG_TEXT_BYTES = 64 * 1024 };

static sem_t jobs_waiting;

static void wake(void *data)
{
    (void)data;
    (void)sem_post(&jobs_waiting);
}

/* The next job; NULL: none came in ten seconds. */
static struct write_job *next_job(void)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    return sem_timedwait(&jobs_waiting, &until) == 0 ? write_queue_take(rig_admin.writes) : NULL;
}

/* Does the next job: a token is good when it is TOKEN, a command says what the text says. */
static bool do_job(bool is_check, const char *text)
{
    struct write_job *job = next_job();

    if (job == NULL || job->is_check != is_check) {
        printf("# %s\n", job == NULL ? "no job came" : "a job of the other kind came");
        return false;
    }
    if (is_check) {
        job->check =
            strcmp(job->token.id, "0123456789ab") == 0 ? WRITE_CHECK_GOOD : WRITE_CHECK_BAD;
        (void)snprintf(job->who, sizeof job->who, "lab");
    } else {
        (void)snprintf(job->outcome.error.text, sizeof job->outcome.error.text, "%s", text);
    }
    job->done(job);
    return true;
}

/* What the worker has logged; it has ended. */
static void read_log(struct rig *rig, char text[LOG_TEXT_BYTES])
{
    ssize_t count = pread(fileno(rig->log), text, LOG_TEXT_BYTES - 1, 0);

    text[count < 0 ? 0 : count] = '\0';
}

static bool is_quiet(int fd)
{
    struct pollfd watched = {.fd = fd, .events = POLLIN};

    return poll(&watched, 1, 50) == 0;
}

static bool answer_is(int fd, int status, const char *body)
{
    struct socket_answer answer;

    socket_read(fd, false, &answer);
    bool is_good = answer.status == status &&
                   (body == NULL || (answer.body != NULL && strcmp(answer.body, body) == 0));

    if (!is_good) {
        printf("# %d %s\n", answer.status, answer.body == NULL ? "-" : answer.body);
    }
    socket_answer_fini(&answer);
    return is_good;
}

static void test_way(struct rig *rig)
{
    int fd = socket_connect(&rig->address);

    socket_send_text(fd, GET_ADMIN);
    tap_ok(is_quiet(fd) && do_job(true, NULL) && is_quiet(fd) && do_job(false, "written") &&
               answer_is(fd, 201, "written 0 first"),
           "a token is looked at, a command run, then comes the answer");
    socket_send_text(fd, "GET /x HTTP/1.1\r\n" HOST "\r\n");
    tap_ok(answer_is(fd, 200, "0 /x  - 0 --"), "the connection goes on");
    socket_send_text(fd, GET_ADMIN GET_ADMIN);
    tap_ok(do_job(true, NULL) && do_job(false, "one") && answer_is(fd, 201, "one 0 first") &&
               do_job(true, NULL) && do_job(false, "two") && answer_is(fd, 201, "two 0 first"),
           "pipelined requests come one after the other");
    (void)close(fd);
}

/* The snapshot published before the job was done is that of the answer. */
static void test_own_write(struct rig *rig)
{
    int fd = socket_connect(&rig->address), other = socket_connect(&rig->address);
    struct write_job *job = NULL;

    socket_send_text(fd, GET_ADMIN);
    bool is_good = do_job(true, NULL);

    job = next_job();
    worker_publish(rig->worker, double_snapshot("second"));
    if (job != NULL) {
        job->done(job);
    }
    tap_ok(is_good && job != NULL && answer_is(fd, 201, " 0 second"),
           "the answer comes from what was published before it");
    tap_ok(get_is(other, "/snapshot", 200, "second"), "and so do those that follow");
    (void)close(fd);
    (void)close(other);
}

static void test_file(struct rig *rig)
{
    enum { BYTES = 3 * 1024 * 1024 };
    char head[512];
    char *body = malloc(BYTES);
    int fd = socket_connect(&rig->address);

    if (body == NULL) {
        abort();
    }
    memset(body, 'a', BYTES);
    (void)snprintf(head, sizeof head,
                   "POST /admin HTTP/1.1\r\n" HOST BEARER
                   "Content-Length: %d\r\nExpect: 100-continue\r\n\r\n",
                   BYTES);
    socket_send_text(fd, head);
    tap_ok(is_quiet(fd), "who waits to be told waits until the token was looked at");
    bool is_good = do_job(true, NULL) && answer_is(fd, 100, NULL);

    socket_send(fd, body, BYTES);
    struct write_job *job = next_job();
    char last = '\0';

    is_good = is_good && job != NULL && job->command.fd >= 0 &&
              lseek(job->command.fd, 0, SEEK_CUR) == 0 && job->command.size_bytes == BYTES &&
              pread(job->command.fd, &last, 1, BYTES - 1) == 1 && last == 'a';
    if (job != NULL) {
        job->done(job);
    }
    tap_ok(is_good && answer_is(fd, 201, " 3145728 first"),
           "a file of 3 MiB comes through a file without a name");
    free(body);
    (void)close(fd);
}

static void test_refused(struct rig *rig)
{
    static const struct {
        const char *name, *headers;
        int status;
    } CASES[] = {
        {"no token", "", 401},
        {"another scheme", "Authorization: Basic bGFiOmxhYg==\r\n", 401},
        {"no token of ours", "Authorization: Bearer x\r\n", 401},
        {"two of them", BEARER BEARER, 400},
        {"a proxy that nobody declared", BEARER "X-Forwarded-For: 192.0.2.7\r\n", 403},
        {"the same by its other header", BEARER "X-Forwarded-Proto: https\r\n", 403},
        {"the same by the standard one", BEARER "Forwarded: proto=https\r\n", 403},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char request[1024];
        int fd = socket_connect(&rig->address);

        (void)snprintf(request, sizeof request,
                       "POST /admin HTTP/1.1\r\n" HOST "%sContent-Length: 5\r\n\r\nhello",
                       CASES[i].headers);
        socket_send_text(fd, request);
        tap_ok(answer_is(fd, CASES[i].status, NULL) && write_queue_take(rig_admin.writes) == NULL,
               "%s: %d, and nobody looked at a token", CASES[i].name, CASES[i].status);
        (void)close(fd);
    }
    char request[1024];
    int fd = socket_connect(&rig->address);

    (void)snprintf(request, sizeof request,
                   "POST /admin HTTP/1.1\r\n" HOST
                   "Content-Length: 99999\r\nExpect: 100-continue\r\n\r\n");
    socket_send_text(fd, request);
    tap_ok(answer_is(fd, 401, NULL), "who waits to be told gets the answer instead");
    (void)close(fd);
    fd = socket_connect(&rig->address);
    socket_send_text(fd,
                     "POST /admin HTTP/1.1\r\n" HOST BEARER "Content-Length: 268435457\r\n\r\n");
    tap_ok(answer_is(fd, 413, NULL), "a file over 256 MiB is refused unread");
    (void)close(fd);
}

static void test_bad_token(struct rig *rig)
{
    int fd = socket_connect(&rig->address);

    socket_send_text(fd,
                     "POST /admin HTTP/1.1\r\n" HOST "Authorization: Bearer gpuwise_ffffffffffff_"
                     "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE\r\n"
                     "Content-Length: 5\r\n\r\nhello");
    tap_ok(do_job(true, NULL) && answer_is(fd, 401, NULL), "a token that is not known: 401");
    (void)close(fd);
}

static void test_leaves(struct rig *rig)
{
    int fd = socket_connect(&rig->address);

    socket_send_text(fd, GET_ADMIN);
    bool is_good = do_job(true, NULL);
    struct write_job *job = next_job();

    (void)close(fd);
    if (job != NULL) {
        job->done(job);
    }
    fd = socket_connect(&rig->address);
    tap_ok(is_good && job != NULL && get_is(fd, "/x", 200, "0 /x  - 0 --"),
           "a client that leaves while it is suspended harms nobody");
    (void)close(fd);
}

static void test_crowd(struct rig *rig)
{
    enum { MANY = LIMIT_WRITES_WAITING + 8 };
    int fds[MANY], turned_away = 0, done = 0;

    for (int i = 0; i < MANY; i++) {
        fds[i] = socket_connect(&rig->address);
        socket_send_text(fds[i], GET_ADMIN);
    }
    for (int i = 0; i < MANY; i++) { /* those without a place are answered at once */
        struct pollfd watched = {.fd = fds[i], .events = POLLIN};

        if (poll(&watched, 1, i == 0 ? 1000 : 20) == 1) {
            turned_away += answer_is(fds[i], 503, NULL) ? 1 : 0;
            (void)close(fds[i]);
            fds[i] = -1;
        }
    }
    tap_ok(turned_away == 8, "%d wait, %d are told to come again", LIMIT_WRITES_WAITING,
           turned_away);
    for (int i = 0; i < 2 * LIMIT_WRITES_WAITING; i++) {
        struct write_job *job = next_job();

        if (job != NULL) {
            job->check = WRITE_CHECK_GOOD;
            job->done(job);
        }
    }
    for (int i = 0; i < MANY; i++) {
        if (fds[i] >= 0) {
            done += answer_is(fds[i], 201, " 0 first") ? 1 : 0;
            (void)close(fds[i]);
        }
    }
    tap_ok(done == LIMIT_WRITES_WAITING, "and %d are answered", done);
}

/* Told to stop while a connection is suspended: it is answered before the worker ends. */
static void test_drain(void)
{
    struct rig rig;

    rig_start(&rig, 5, RIG_CONNECTIONS);
    int fd = socket_connect(&rig.address);

    socket_send_text(fd, GET_ADMIN);
    bool is_good = do_job(true, NULL);
    struct write_job *job = next_job();

    worker_stop(rig.worker, WORKER_DRAIN);
    (void)is_quiet(fd);
    is_good = is_good && job != NULL && atomic_load(&rig.ended) == 0;
    if (job != NULL) {
        job->done(job);
    }
    tap_ok(is_good && answer_is(fd, 201, " 0 first"),
           "told to stop, a suspended request is answered");
    rig_end(&rig);
    tap_ok(atomic_load(&rig.ended) == 1, "and the worker ends");
    (void)close(fd);
}

/* The same, but the job takes longer than the worker may wait: it comes back to nobody. */
static void test_stop(void)
{
    char text[LOG_TEXT_BYTES];
    struct rig rig;

    rig_start(&rig, 5, RIG_CONNECTIONS);
    int fd = socket_connect(&rig.address), other = socket_connect(&rig.address);

    socket_send_text(fd, GET_ADMIN);
    bool is_good = do_job(true, NULL);
    struct write_job *job = next_job();

    socket_send_text(other, GET_ADMIN);
    struct write_job *check = next_job();

    worker_stop(rig.worker, WORKER_DRAIN);
    worker_stop(rig.worker, WORKER_STOP_NOW);
    tap_ok(is_good && job != NULL && check != NULL && answer_is(fd, 0, NULL) &&
               answer_is(other, 0, NULL),
           "told to stop at once, suspended connections end without an answer");
    if (job != NULL && check != NULL) {
        job->done(job);
        check->done(check);
    }
    worker_join(rig.worker);
    rig.worker = NULL;
    read_log(&rig, text);
    rig_end(&rig);
    tap_ok(atomic_load(&rig.ended) == 1, "and their jobs are released");
    tap_ok(strstr(text, "event=admin outcome=unanswered status=0 who=lab from=127.0.0.1 method=GET"
                        " path=\"/admin\" worker=7\n") != NULL,
           "the log says whose command was under way");
    (void)close(fd);
    (void)close(other);
}

static void test_log(struct rig *rig)
{
    char text[LOG_TEXT_BYTES];

    read_log(rig, text);
    tap_ok(strstr(text, "event=admin outcome=done status=201 who=lab "
                        "from=127.0.0.1 method=GET path=\"/admin\"") != NULL,
           "the log says who did what from where");
    tap_ok(strstr(text, "outcome=plain-http status=403 who=- ") != NULL &&
               strstr(text, "outcome=bad-token status=401 who=- ") != NULL,
           "and what was refused");
    tap_ok(strstr(text, "AbCdEfGhIj") == NULL && strstr(text, "hello") == NULL,
           "but no token and no body");
}

int main(void)
{
    struct error err = {0};
    struct rig rig;

    atomic_store(&rig_day, 20000);
    rig_admin.spool_folder = "/tmp";
    rig_admin.writes = write_queue_new(&err);
    rig_admin.limit = rate_limit_new(&err);
    if (rig_admin.writes == NULL || rig_admin.limit == NULL || sem_init(&jobs_waiting, 0, 0) != 0) {
        printf("Bail out! %s\n", err.text);
        return 1;
    }
    write_queue_open(rig_admin.writes, wake, NULL);
    rig_start(&rig, 5, RIG_CONNECTIONS);
    test_way(&rig);
    test_file(&rig);
    test_refused(&rig);
    test_bad_token(&rig);
    test_leaves(&rig);
    test_crowd(&rig);
    test_own_write(&rig);
    worker_stop(rig.worker, WORKER_DRAIN);
    worker_join(rig.worker);
    rig.worker = NULL;
    test_log(&rig);
    rig_end(&rig);
    test_drain();
    test_stop();
    write_queue_close(rig_admin.writes);
    write_queue_free(rig_admin.writes);
    rate_limit_free(rig_admin.limit);
    tap_ok(atomic_load(&double_live_snapshots) == 0, "no snapshot is left");
    return tap_done();
}
