/* Answers of one worker: made from its snapshot, kept ready, given to libmicrohttpd.
 */
#ifndef GPUWISE_MHD_REPLY_H
#define GPUWISE_MHD_REPLY_H

#include "../handlers/app.h"
#include "../handlers/engine/arena.h"
#include "gzip.h"

struct MHD_Connection; /* of libmicrohttpd */
struct client;
struct metrics;
struct metrics_counters;
struct response_cache;
struct wording;

/* What answers are made from. */
struct mhd_reply {
    const char *cors_origin;       /* NULL: none; lent */
    struct app_snapshot *snapshot; /* NULL until given */
    struct response_cache *cache;  /* of struct kept_answer */
    struct arena arena;            /* of the request being answered */
    struct gzip *gzip;
    char gzip_mark[GZIP_MARK_BYTES];   /* what its tags end in */
    const struct metrics *metrics;     /* of all workers, for /metrics; lent */
    struct metrics_counters *counters; /* of this worker; lent */
    bool is_draining;                  /* answers close their connections, /readyz says 503 */
};

/* False: out of memory; mhd_reply_fini() is still to be called. */
bool mhd_reply_init(struct mhd_reply *reply, const char *cors_origin, struct metrics *metrics,
                    unsigned worker) MUST_CHECK;
void mhd_reply_fini(struct mhd_reply *reply); /* zeroed is accepted */

/* Takes over a reference; requests from now on are answered from it. */
void mhd_reply_give_snapshot(struct mhd_reply *reply, struct app_snapshot *snapshot);

/* Queues a problem document of the transport's own, which then closes the connection. False: the
 * connection must end. */
bool mhd_reply_refuse(struct MHD_Connection *handle, struct client *client, int status,
                      const struct wording *fault) MUST_CHECK;

/* The same for a body that was thrown away, as body_status says. */
bool mhd_reply_refuse_body(struct MHD_Connection *handle, struct client *client) MUST_CHECK;

/* What the application sees of the worker, now. */
struct app_view mhd_reply_view(const struct mhd_reply *reply);

/* Sends a response that nobody else gets, as it is. False: the connection must end. */
bool mhd_reply_send(struct mhd_reply *reply, struct MHD_Connection *handle, struct client *client,
                    const struct http_response *response) MUST_CHECK;

/* Answers the whole request: from the cache or the application. False: the connection must end. */
bool mhd_reply_request(struct mhd_reply *reply, struct MHD_Connection *handle,
                       struct client *client) MUST_CHECK;

#endif
