/* Makes libmicrohttpd's responses, keeps ready ones, queues them. Knows no daemon. The worker's
 * thread. */
#include "mhd_reply.h"

#include "client.h"
#include "clock.h"
#include "http_checks.h"
#include "response_cache.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_OVERHEAD_BYTES = 1024 };

static const char TOO_MANY_ANSWERS[] = "too many answers are being sent";

/* A complete answer of status 200 that any number of connections share. */
struct kept_answer {
    struct MHD_Response *response;
    size_t body_bytes;
    size_t held_bytes; /* of memory that goes with the response */
};

static void release_answer(void *data)
{
    struct kept_answer *answer = data;

    MHD_destroy_response(answer->response); /* ours; connections hold their own references */
    free(answer);
}

static void release_snapshot(void *data)
{
    app_snapshot_unref(data);
}

/* A body in the form the library wants. Its type is not const, but it only reads. */
static struct MHD_Response *make_response(const struct http_response *response,
                                          struct app_snapshot *snapshot)
{
    void *body = (void *)(uintptr_t)response->body;
    struct MHD_Response *made = NULL;

    if (response->body_bytes == 0 || response->place == HTTP_BODY_STATIC) {
        made = MHD_create_response_from_buffer(response->body_bytes, body, MHD_RESPMEM_PERSISTENT);
    } else if (response->place == HTTP_BODY_ARENA) {
        made = MHD_create_response_from_buffer(response->body_bytes, body, MHD_RESPMEM_MUST_COPY);
    } else {
        made = MHD_create_response_from_buffer_with_free_callback_cls(response->body_bytes, body,
                                                                      release_snapshot, snapshot);
        if (made != NULL) {
            (void)app_snapshot_ref(snapshot); /* until the last byte is sent */
        }
    }
    for (size_t i = 0; made != NULL && i < response->header_count; i++) {
        if (MHD_add_response_header(made, response->headers[i].name, response->headers[i].value) !=
            MHD_YES) {
            MHD_destroy_response(made);
            made = NULL;
        }
    }
    return made;
}

static bool queue(struct MHD_Connection *handle, struct client *client, unsigned status,
                  struct MHD_Response *response, uint64_t body_bytes)
{
    bool has_body = client->request.method != HTTP_HEAD && status != MHD_HTTP_NOT_MODIFIED;

    client_answer(client, status, has_body ? body_bytes : 0, clock_now_us() / 1000);
    return MHD_queue_response(handle, status, response) == MHD_YES;
}

/* A problem document of the transport's own, which then closes the connection. */
bool mhd_reply_refuse(struct MHD_Connection *handle, struct client *client, int status,
                      const char *fault)
{
    char body[HTTP_CHECKS_PROBLEM_BYTES];
    struct http_response response = {.status = status,
                                     .body = body,
                                     .body_bytes = http_checks_problem(status, fault, body),
                                     .place = HTTP_BODY_ARENA,
                                     .headers = {{"Content-Type", "application/problem+json"},
                                                 {"Cache-Control", "no-store"},
                                                 {"X-Content-Type-Options", "nosniff"},
                                                 {"Connection", "close"}},
                                     .header_count = 4};
    struct MHD_Response *made = make_response(&response, NULL);

    if (made == NULL) {
        return false;
    }
    bool result = queue(handle, client, (unsigned)status, made, response.body_bytes);

    MHD_destroy_response(made); /* the connection holds its own reference */
    return result;
}

/* Keeps a fresh answer for the next one who asks the same. */
static void keep(struct mhd_reply *reply, const struct response_cache_key *key,
                 const struct kept_answer *fresh)
{
    struct kept_answer *answer = malloc(sizeof *answer);

    if (answer != NULL) {
        *answer = *fresh;
        if (response_cache_give(reply->cache, key, answer,
                                fresh->body_bytes + ANSWER_OVERHEAD_BYTES)) {
            return;
        }
        free(answer);
    }
    MHD_destroy_response(fresh->response); /* the connection holds its own reference */
}

/* Asks the application and sends what it says. */
static bool answer_fresh(struct mhd_reply *reply, struct MHD_Connection *handle,
                         struct client *client, int32_t day, const struct response_cache_key *key)
{
    const struct app_view view = {.snapshot = reply->snapshot,
                                  .day = day,
                                  .is_ready = !reply->is_draining,
                                  .cors_origin = reply->cors_origin};
    struct http_response response = app_handle(&view, &client->request, &reply->arena);
    struct kept_answer fresh = {NULL, response.body_bytes,
                                response.place == HTTP_BODY_ARENA ? response.body_bytes : 0};
    bool result = false;

    if (!client_hold_answer(client, fresh.held_bytes)) {
        result = mhd_reply_refuse(handle, client, 503, TOO_MANY_ANSWERS);
        goto reset_arena;
    }
    fresh.response = make_response(&response, reply->snapshot);
    if (fresh.response == NULL) {
        goto reset_arena;
    }
    if (!reply->is_draining ||
        MHD_add_response_header(fresh.response, "Connection", "close") == MHD_YES) {
        result =
            queue(handle, client, (unsigned)response.status, fresh.response, response.body_bytes);
    }
    if (key != NULL && result && response.is_cacheable && response.status == 200 &&
        response.body_bytes <= LIMIT_CACHED_BODY_BYTES) {
        keep(reply, key, &fresh);
    } else {
        MHD_destroy_response(fresh.response); /* the connection holds its own reference */
    }

reset_arena:
    arena_reset(&reply->arena);
    return result;
}

/* Whether the client has just this answer: the one tag that browsers send. Lists the app reads. */
static bool has_answer(const char *if_none_match, const struct kept_answer *kept)
{
    const char *etag = MHD_get_response_header(kept->response, "ETag");

    if (strncmp(if_none_match, "W/", 2) == 0) { /* as a proxy that compresses marks it */
        if_none_match += 2;
    }
    return etag != NULL && strcmp(if_none_match, etag) == 0;
}

/* The last call: the whole request is here. */
bool mhd_reply_request(struct mhd_reply *reply, struct MHD_Connection *handle,
                       struct client *client)
{
    struct http_request *request = &client->request;
    const struct response_cache_key key = {client->target, client->target_bytes, request->accept,
                                           request->accept_language};
    bool is_plain = (request->method == HTTP_GET || request->method == HTTP_HEAD) &&
                    client->body_bytes == 0 && !reply->is_draining;
    struct kept_answer *kept = NULL;
    int32_t day = clock_today();

    if (client->body_status != 0) {
        return mhd_reply_refuse(handle, client, client->body_status,
                                client->body_status == 413 ? "the body is longer than 1 MiB"
                                                           : "too many bodies are being received");
    }
    if (is_plain) {
        response_cache_enter(reply->cache, reply->snapshot, day);
        kept = response_cache_find(reply->cache, &key);
    }
    bool is_known =
        kept != NULL && request->if_none_match != NULL && has_answer(request->if_none_match, kept);

    if (kept != NULL && (is_known || request->if_none_match == NULL)) {
        return client_hold_answer(client, kept->held_bytes)
                   ? queue(handle, client, is_known ? 304 : 200, kept->response, kept->body_bytes)
                   : mhd_reply_refuse(handle, client, 503, TOO_MANY_ANSWERS);
    }
    client_complete_request(client);
    return answer_fresh(reply, handle, client, day, is_plain && kept == NULL ? &key : NULL);
}

bool mhd_reply_init(struct mhd_reply *reply, const char *cors_origin)
{
    *reply = (struct mhd_reply){.cors_origin = cors_origin};
    arena_init(&reply->arena, LIMIT_REQUEST_ARENA_BYTES);
    reply->cache = response_cache_new(LIMIT_RESPONSE_CACHE_BYTES, release_answer);
    return reply->cache != NULL;
}

void mhd_reply_fini(struct mhd_reply *reply)
{
    response_cache_free(reply->cache);
    app_snapshot_unref(reply->snapshot);
    arena_fini(&reply->arena);
}

void mhd_reply_give_snapshot(struct mhd_reply *reply, struct app_snapshot *snapshot)
{
    /* while both addresses are taken */
    response_cache_enter(reply->cache, snapshot, clock_today());
    app_snapshot_unref(reply->snapshot);
    reply->snapshot = snapshot;
}
