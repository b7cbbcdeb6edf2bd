/* A request's way: headers (may this connection carry a token? not too often? is there one?), the
 * token checked by the publisher while the connection is suspended, the body, app_handle(), its
 * command run by the publisher while the connection is suspended again, app_finish(). What is
 * refused is refused before anything expensive: the body is then thrown away as it comes, or, where
 * the client waits to be told or it is long, not read at all. */
#include "mhd_admin.h"

#include "client.h"
#include "clock.h"
#include "log.h"
#include "metrics.h"
#include "rate_limit.h"
#include "write_job.h"
#include "write_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const ADMISSION_NAMES[HTTP_ADMISSION_COUNT] = {
    [HTTP_NOT_ADMITTED] = "no-token", [HTTP_ADMITTED] = "invalid",
    [HTTP_BAD_TOKEN] = "bad-token",   [HTTP_READABLE] = "plain-http",
    [HTTP_TOO_OFTEN] = "too-often",   [HTTP_OVERLOADED] = "overloaded",
    [HTTP_UNCHECKABLE] = "failed",    [HTTP_NO_DATABASE] = "failed"};

static const char *const STATUS_NAMES[] = {
    [COMMAND_DONE] = "done",           [COMMAND_REFUSED] = "refused",
    [COMMAND_UNREADABLE] = "refused",  [COMMAND_NO_TOKEN] = "bad-token",
    [COMMAND_NOT_FOUND] = "not-found", [COMMAND_CONFLICT] = "conflict",
    [COMMAND_FAILED] = "failed"};

/* One line for each attempt: who, from where, what, and what became of it (status 0: it ended
 * before an answer). Never the token. */
static void log_attempt(const struct mhd_admin *admin, const struct client *client,
                        const char *outcome, int status)
{
    const struct http_request *request = &client->request;
    const struct command_outcome *done =
        client->job == NULL || client->job->is_away ? NULL : &client->job->outcome;
    char from[PEER_TEXT_BYTES], quoted[LOG_QUOTED_BYTES], import[64] = "";

    metrics_count_admin(admin->reply->counters, (unsigned)status);
    peer_format(&client->peer.address, from);
    if (done != NULL && done->report != NULL) {
        (void)snprintf(import, sizeof import, " import=%lld rows=%zu",
                       (long long)done->report->import_id, done->report->accepted);
    } else if (done != NULL && done->status == COMMAND_DONE && done->removed > 0) {
        (void)snprintf(import, sizeof import, " rows_removed=%zu", done->removed);
    }
    log_event(admin->log, LOG_INFO, "admin",
              "outcome=%s status=%d who=%s from=%s method=%s path=%s%s worker=%u", outcome, status,
              request->who == NULL ? "-" : request->who, from, client->method,
              log_quote(client->parts.path, client->parts.path_bytes, quoted), import,
              admin->worker);
}

static bool send_response(struct mhd_admin *admin, struct MHD_Connection *handle,
                          struct client *client, const struct http_response *response,
                          const char *outcome)
{
    log_attempt(admin, client, outcome, response->status);
    return mhd_reply_send(admin->reply, handle, client, response);
}

/* A file without a name, in a folder; -1: errno says why. Not every file system makes one at once.
 */
static int open_nameless(const char *folder)
{
    static const char NAME[] = "/.gpuwise-import-XXXXXX";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) {
        return fd;
    }
    size_t room = strlen(folder) + sizeof NAME;
    char *path = malloc(room);

    if (path != NULL) {
        (void)snprintf(path, room, "%s%s", folder, NAME);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) {
            (void)unlink(path); /* just made; at worst an empty name stays */
        }
    }
    free(path);
    return fd;
}

static void receive_file(struct mhd_admin *admin, struct client *client)
{
    struct http_request *request = &client->request;

    if (admin->file_count == LIMIT_IMPORT_BODIES) {
        request->admission = HTTP_OVERLOADED;
        return;
    }
    int fd = open_nameless(admin->settings.spool_folder);

    if (fd < 0) {
        char quoted[LOG_QUOTED_BYTES];
        const char *why = strerror(errno);

        log_event(admin->log, LOG_ERROR, "spool-failed", "reason=%s",
                  log_quote(why, strlen(why), quoted));
        request->admission = HTTP_UNCHECKABLE;
        return;
    }
    admin->file_count++;
    client->job->fd = fd;
    client->file_fd = fd;
}

/* Gives a job to the publisher and waits for it; false: too many wait. */
static bool suspend(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client)
{
    struct write_job *job = client->job;

    job->is_away = true;
    job->given_us = clock_now_us();
    job->client = client;
    job->done = admin->settings.on_job_done;
    job->data = admin->settings.data;
    if (admin->settings.writes == NULL || !write_queue_give(admin->settings.writes, job)) {
        job->is_away = false;
        return false;
    }
    client->state = CLIENT_SUSPENDED;
    client->suspended = handle;
    MHD_suspend_connection(handle); /* resumed on this thread: it cannot come too early */
    return true;
}

/* Not admitted. The body is thrown away as it comes, so that the client reads the answer; where it
 * waits to be told or the body is long, the answer comes first and the connection ends. */
static bool refuse(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client)
{
    const struct http_checks *checks = &client->checks;
    bool has_body = checks->body_bytes > 0 || checks->coding_count > 0;

    client->state = CLIENT_ARRIVING;
    client->discards_body = true;
    if ((client->expects_continue && has_body) || checks->body_bytes > LIMIT_DRAINED_BODY_BYTES) {
        return mhd_admin_request(admin, handle, client);
    }
    return true;
}

/* What can be found out without the publisher; HTTP_ADMITTED: there is a token to look at. */
static enum http_admission examine(struct mhd_admin *admin, struct client *client,
                                   struct token *token)
{
    const struct mhd_admin_settings *settings = &admin->settings;
    struct http_request *request = &client->request;
    uint64_t now_ms = clock_now_us() / 1000;
    const char *text = NULL;
    size_t length = 0;

    if (settings->writes == NULL) {
        return HTTP_OVERLOADED;
    }
    if (!client->peer.is_private && !settings->is_plain_allowed) {
        return HTTP_READABLE;
    }
    request->retry_after_s = rate_limit_attempt(settings->limit, &client->peer.address, now_ms);
    if (request->retry_after_s > 0) {
        return HTTP_TOO_OFTEN;
    }
    if (!app_bearer_token(request, &text, &length)) {
        return HTTP_NOT_ADMITTED;
    }
    if (!token_read(text, length, token)) {
        rate_limit_fail(settings->limit, &client->peer.address, now_ms);
        return HTTP_BAD_TOKEN;
    }
    return HTTP_ADMITTED;
}

bool mhd_admin_begin(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client)
{
    static const struct peer_networks NONE = {.count = 0};
    const struct peer_networks *trusted = admin->settings.trusted_proxies;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct http_request *request = &client->request;
    struct peer_address from;
    struct token token = {.id = ""};

    peer_of_socket(info == NULL ? NULL : info->client_addr, &from);
    client->peer = peer_judge(trusted == NULL ? &NONE : trusted, &from, &client->proxied);
    request->admission = examine(admin, client, &token);
    if (request->admission != HTTP_ADMITTED) {
        return refuse(admin, handle, client);
    }
    request->admission = HTTP_OVERLOADED; /* until the publisher has said otherwise */
    client->job = write_job_new();
    if (client->job != NULL) {
        client->job->token = token;
        client->job->is_check = true;
    }
    explicit_bzero(&token, sizeof token);
    return (client->job != NULL && suspend(admin, handle, client)) || refuse(admin, handle, client);
}

/* The token was looked at. */
static bool admit(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client)
{
    struct http_request *request = &client->request;
    struct write_job *job = client->job;

    switch (job->check) {
    case WRITE_CHECK_GOOD:
        request->admission = HTTP_ADMITTED;
        request->who = job->who;
        request->token_id = job->token.id;
        if (client->takes_file) {
            receive_file(admin, client);
        }
        break;
    case WRITE_CHECK_BAD:
        request->admission = HTTP_BAD_TOKEN;
        rate_limit_fail(admin->settings.limit, &client->peer.address, clock_now_us() / 1000);
        break;
    case WRITE_CHECK_FAILED:
        request->admission =
            job->outcome.error.code == ERROR_BAD_DATABASE ? HTTP_NO_DATABASE : HTTP_UNCHECKABLE;
        break;
    }
    if (request->admission != HTTP_ADMITTED) {
        return refuse(admin, handle, client);
    }
    client->state = CLIENT_ARRIVING;
    client->since_ms = clock_now_us() / 1000;
    return true;
}

bool mhd_admin_resume(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client)
{
    struct write_job *job = client->job;

    if (job->is_away) {
        return false; /* resumed only to be ended */
    }
    if (job->is_check) {
        return admit(admin, handle, client);
    }
    const struct app_view view = mhd_reply_view(admin->reply);
    struct http_response response =
        app_finish(&view, &client->request, &job->command, &job->outcome, &job->arena);

    return send_response(admin, handle, client, &response, STATUS_NAMES[job->outcome.status]);
}

/* Gives the command of a response to the publisher. */
static bool run(struct mhd_admin *admin, struct MHD_Connection *handle, struct client *client,
                const struct command *command)
{
    struct write_job *job = client->job;

    job->is_check = false;
    job->command = *command;
    job->command.fd = job->fd;
    if (job->fd >= 0 && lseek(job->fd, 0, SEEK_SET) != 0) {
        return false; /* a regular file: cannot fail */
    }
    return suspend(admin, handle, client);
}

bool mhd_admin_request(struct mhd_admin *admin, struct MHD_Connection *handle,
                       struct client *client)
{
    const struct app_view view = mhd_reply_view(admin->reply);
    struct http_request *request = &client->request;
    bool is_admitted = request->admission == HTTP_ADMITTED;
    struct arena *arena = is_admitted ? &client->job->arena : &admin->reply->arena;

    if (client->body_status != 0 && !client->discards_body) {
        log_attempt(admin, client, client->body_status == 413 ? "too-large" : "overloaded",
                    client->body_status);
        return mhd_reply_refuse_body(handle, client);
    }
    client_complete_request(client);
    struct http_response response = app_handle(&view, request, arena);

    if (response.command != NULL) {
        if (run(admin, handle, client, response.command)) {
            return true;
        }
        request->admission = HTTP_OVERLOADED;
        response = app_handle(&view, request, arena);
    }
    bool result =
        send_response(admin, handle, client, &response, ADMISSION_NAMES[request->admission]);

    arena_reset(arena); /* what is sent was copied */
    return result;
}

void mhd_admin_finish(struct write_job *job)
{
    struct client *client = job->client;

    job->is_away = false;
    if (client == NULL) {
        write_job_free(job);
        return;
    }
    MHD_resume_connection(client->suspended);
    client->suspended = NULL;
}

void mhd_admin_end(struct mhd_admin *admin, struct client *client)
{
    struct write_job *job = client->job;

    if (job == NULL) {
        return;
    }
    if (client->state == CLIENT_SUSPENDED && !job->is_check) { /* it may be done all the same */
        log_attempt(admin, client, "unanswered", 0);
    }
    admin->file_count -= client->file_fd >= 0 ? 1 : 0;
    client->file_fd = -1;
    client->job = NULL;
    if (job->is_away) {
        job->client = NULL; /* freed when it comes back */
    } else {
        write_job_free(job);
    }
}
