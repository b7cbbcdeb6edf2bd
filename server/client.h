/* What a worker remembers of each client's connection: its socket, its times, and the request on
 * its way in.
 */
#ifndef GPUWISE_CLIENT_H
#define GPUWISE_CLIENT_H

#include "../handlers/engine/error.h"
#include "http_checks.h"
#include "peer.h"

enum { CLIENT_METHOD_BYTES = 16, CLIENT_HEADERS = 16 };

struct MHD_Connection; /* of libmicrohttpd */
struct write_job;

enum client_state {
    CLIENT_WAITING,   /* no request line yet */
    CLIENT_TARGET,    /* request line read */
    CLIENT_ARRIVING,  /* headers read and accepted */
    CLIENT_SUSPENDED, /* the publisher works for it */
    CLIENT_ANSWERED   /* the answer is on its way out */
};

struct client {
    struct client *previous, *next;
    struct clients *owner;
    int fd;
    bool is_ended; /* shut down by us */
    enum client_state state;
    uint64_t line_since_ms; /* when a request line was seen to have begun; 0: none has */
    bool has_asked;         /* at least one request came */
    uint64_t since_ms;   /* when it began to wait, its request line was read, or it was answered */
    uint64_t started_us; /* when the request line was read, for the log */
    uint64_t number;     /* of the request, among those of the worker, for the log */
    char *target;        /* raw, NUL-terminated; kept for the next request */
    size_t target_bytes, target_room;
    struct http_target parts; /* of target */
    struct http_checks checks;
    struct http_request request;      /* headers lent by the library until the request is done */
    char method[CLIENT_METHOD_BYTES]; /* for the log: "-" until the headers are read */
    char *body;                       /* NULL: none yet */
    size_t body_bytes, body_room, drained_bytes;
    int body_status; /* 0: whole so far; 413 or 503: thrown away */
    bool expects_continue;
    char *joined[CLIENT_HEADERS]; /* values of repeated headers, until the request is over */
    bool has_joined;              /* any of them */
    const char *accept_encoding, *if_none_match; /* read by the transport itself; lent as request */
    unsigned status;                             /* of the answer; 0: none yet */
    uint64_t answer_bytes;                       /* of its body */
    size_t held_bytes;                           /* of memory, until the last of them is sent */
    bool is_refused;                             /* by the transport, with the status */
    size_t route;                                /* that answered (http.h); 0: none */
    /* of a request that needs a token (mhd_admin.c) */
    bool is_admin;
    bool takes_file;             /* its body is a file, in file_fd when it is received */
    bool discards_body;          /* it is refused: read and thrown away */
    int file_fd;                 /* the job's; -1: none */
    uint64_t file_bytes;         /* received */
    struct peer_headers proxied; /* what proxies said; lent as request */
    struct peer peer;
    struct write_job *job;            /* NULL: none */
    struct MHD_Connection *suspended; /* NULL: it is not */
};

struct log;

struct clients {
    struct client *first;
    size_t count;
    size_t body_bytes; /* of all bodies held */
    size_t held_bytes; /* of all answers on their way */
};

/* A new connection in the list; NULL: out of memory. */
struct client *client_new(struct clients *clients, int fd, uint64_t now_ms) MUST_CHECK;
void client_free(struct client *client); /* NULL is accepted */

/* Copies the target of a request that begins; false: out of memory. Longer than LIMIT_TARGET_BYTES:
 * only so much is kept, and checks says 414. */
bool client_begin(struct client *client, const char *target, uint64_t now_us) MUST_CHECK;

/* Keeps the method's name for the log, cut to fit; '?' for what is no letter or '-': a name may
 * hold anything but a blank, and a line of the log must stay one of plain keys and values. */
void client_name_method(struct client *client, const char *method);

/* Checks a header line, and keeps what is read of a request. The values of a repeated header are
 * joined by ", "; of one that may stand once only (Content-Type, Origin) checks says 400. The
 * value, NUL-terminated, is lent until the request is done. */
void client_add_header(struct client *client, const char *name, size_t name_bytes,
                       const char *value, size_t value_bytes);

/* Keeps a piece of the body, in its file where it has one. What exceeds LIMIT_BODY_BYTES (of a file
 * LIMIT_IMPORT_BYTES), or LIMIT_BODIES_BYTES of all clients, is thrown away, and body_status says
 * so. False: over LIMIT_DRAINED_BODY_BYTES were thrown away, the client must end. */
bool client_add_body(struct client *client, const char *bytes, size_t count) MUST_CHECK;

/* Puts target and body into the request, which is then complete. */
void client_complete_request(struct client *client);

/* Of a refusal, by what is known of the request so far. */
enum language client_language(struct client *client);

/* An answer takes memory until it is sent. False: it would be over LIMIT_ANSWERS_BYTES of all
 * clients, and must not be given. */
bool client_hold_answer(struct client *client, size_t count) MUST_CHECK;

/* The answer is on its way out. */
void client_answer(struct client *client, unsigned status, uint64_t body_bytes, uint64_t now_ms);

/* Writes the request's line. worker: its number; end: why it ended early, NULL: it did not. */
void client_log(const struct client *client, struct log *log, unsigned worker, uint64_t now_us,
                const char *end);

/* The request is over: waits for the next one. */
void client_end_request(struct client *client, uint64_t now_ms);

/* Shuts down the sockets whose request has been arriving for longer than allowed (a file: slower
 * than LIMIT_IMPORT_READ_BYTES_PER_S after that time), or whose answer is read slower than
 * LIMIT_READER_BYTES_PER_S after that time. */
void clients_end_slow(struct clients *clients, uint64_t now_ms, uint64_t arriving_ms_max);

/* Ends those whose request line has been arriving for longer than allowed, by what their sockets
 * tell. To be called often against that time: a line counts from the first call that sees it. */
void clients_end_half_lines(struct clients *clients, uint64_t now_ms, uint64_t arriving_ms_max);

/* Ends those that have waited for longer than so: what they sent already is still answered, then
 * comes the end of the stream. */
void clients_end_waiting(struct clients *clients, uint64_t now_ms, uint64_t waiting_ms_max);

#endif
