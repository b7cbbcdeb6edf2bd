/* Between libmicrohttpd and the application: one daemon of one worker, driven by the worker's loop.
 */
#ifndef GPUWISE_MHD_BRIDGE_H
#define GPUWISE_MHD_BRIDGE_H

#include "../handlers/app.h"
#include "mhd_admin.h"

struct log;
struct metrics;
struct mhd_bridge;

struct mhd_bridge_settings {
    int listen_fd;   /* stays the caller's to close */
    unsigned worker; /* its number, for the log */
    unsigned connections_max;
    unsigned idle_timeout_s, request_timeout_s;
    bool access_log;
    const char *cors_origin; /* NULL: none; lent for the bridge's life */
    struct log *log;         /* the same */
    struct metrics *metrics; /* the same; counts those of `worker` */
    struct mhd_admin_settings admin;
    /* A newer snapshot than the last given, whose reference it hands over; NULL: none. Asked before
     * each answer. NULL: nobody is asked. */
    struct app_snapshot *(*take_snapshot)(void *data);
    void *data; /* for take_snapshot */
};

/* Started and listening. Must be run and freed on the thread that made it. Takes over a reference
 * of the snapshot, also on failure. NULL: *err says why. */
struct mhd_bridge *mhd_bridge_new(const struct mhd_bridge_settings *settings,
                                  struct app_snapshot *snapshot, struct error *err) MUST_CHECK;

/* Ends every connection at once. NULL is accepted. */
void mhd_bridge_free(struct mhd_bridge *bridge);

/* Readable when mhd_bridge_run() has work to do. */
int mhd_bridge_poll_fd(const struct mhd_bridge *bridge);

/* Does what there is to do. Returns after how many milliseconds it wants to run again although
 * nothing is readable; 0: at once, after others had their turn; -1: never. */
int64_t mhd_bridge_run(struct mhd_bridge *bridge);

/* Takes over a reference; requests from now on are answered from it. */
void mhd_bridge_give_snapshot(struct mhd_bridge *bridge, struct app_snapshot *snapshot);

/* To be called once a second: ends connections that are too slow, and idle ones when there is room
 * for no more. Run afterwards. */
void mhd_bridge_sweep(struct mhd_bridge *bridge);

/* Stops listening and ends idle connections; /readyz says 503; answers close. To be called again,
 * for those that have become idle, until no connection is left. Run afterwards. */
void mhd_bridge_drain(struct mhd_bridge *bridge);

/* A job that the publisher has done comes back: its connection goes on. Run afterwards. */
void mhd_bridge_finish_job(struct mhd_bridge *bridge, struct write_job *job);

size_t mhd_bridge_connection_count(const struct mhd_bridge *bridge);

/* Version of the library linked. */
const char *mhd_bridge_library_version(void);

/* What the library does when it finds itself broken: one line to the log, then abort(). The log
 * must outlive every bridge. Call once, before the first one. */
void mhd_bridge_log_panic(struct log *log);

#endif
