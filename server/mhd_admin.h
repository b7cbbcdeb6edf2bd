/* Requests of those who hold a token: admitted, suspended while the publisher works for them,
 * answered. One for each bridge; the worker's thread. */
#ifndef GPUWISE_MHD_ADMIN_H
#define GPUWISE_MHD_ADMIN_H

#include "mhd_reply.h"
#include "peer.h"

struct log;
struct rate_limit;
struct write_job;
struct write_queue;

/* What is lent for the bridge's life. */
struct mhd_admin_settings {
    struct write_queue *writes; /* NULL: nobody is admitted */
    struct rate_limit *limit;
    const struct peer_networks *trusted_proxies;
    bool is_plain_allowed;                      /* over plain HTTP from everywhere */
    const char *spool_folder;                   /* where files are received, without a name */
    void (*on_job_done)(struct write_job *job); /* called by the publisher, on its thread; it must
                                                   see that mhd_admin_finish() is called */
    void *data;                                 /* for on_job_done, as job->data */
};

struct mhd_admin {
    struct mhd_admin_settings settings;
    struct mhd_reply *reply;
    struct log *log;
    unsigned worker;
    size_t file_count; /* being received */
};

/* The first call of a request that needs a token, its headers checked: suspends the connection to
 * have the token looked at, or finds out that it is not worth it. False: the connection must end.
 */
bool mhd_admin_begin(struct mhd_admin *admin, struct MHD_Connection *handle,
                     struct client *client) MUST_CHECK;

/* The call after a suspension. False: the connection must end. */
bool mhd_admin_resume(struct mhd_admin *admin, struct MHD_Connection *handle,
                      struct client *client) MUST_CHECK;

/* The last call: the whole request is here; runs what it asks for. False: the connection must end.
 */
bool mhd_admin_request(struct mhd_admin *admin, struct MHD_Connection *handle,
                       struct client *client) MUST_CHECK;

/* A job that was done comes back: its connection goes on. */
void mhd_admin_finish(struct write_job *job);

/* The request of a client is over, or its connection: lets go of its job and file. */
void mhd_admin_end(struct mhd_admin *admin, struct client *client);

#endif
