/* Makes libmicrohttpd's responses, keeps ready ones, queues them. Knows no daemon. The worker's
 * thread. */
#include "mhd_reply.h"

#include "client.h"
#include "clock.h"
#include "http_checks.h"
#include "http_headers.h"
#include "metrics.h"
#include "response_cache.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

/* A response and its headers, with those of its 304, take about 3 KiB. Under a KiB headers and body
 * fit into one packet, compressed or not. */
enum { ANSWER_OVERHEAD_BYTES = 3072, COMPRESSED_BYTES_MIN = 1024 };

static const struct wording TOO_MANY_ANSWERS = {.text = TEXT_ANSWERS_WAIT};

/* A complete answer of status 200 that any number of connections share. */
struct kept_answer {
    struct MHD_Response *response;
    struct MHD_Response *unchanged; /* the 304 in its place; NULL: not asked for yet */
    size_t body_bytes, route;
    size_t held_bytes; /* of memory that goes with the response */
};

/* Connections hold their own references. */
static void destroy_answer(struct kept_answer *answer)
{
    MHD_destroy_response(answer->response);
    if (answer->unchanged != NULL) {
        MHD_destroy_response(answer->unchanged);
    }
}

static void release_answer(void *data)
{
    destroy_answer(data);
    free(data);
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

bool mhd_reply_refuse(struct MHD_Connection *handle, struct client *client, int status,
                      const struct wording *fault)
{
    enum language language = client_language(client);
    char body[HTTP_CHECKS_PROBLEM_BYTES];
    struct http_response response = {.status = status,
                                     .body = body,
                                     .body_bytes =
                                         http_checks_problem(status, fault, language, body),
                                     .place = HTTP_BODY_ARENA,
                                     .headers = {{"Content-Type", "application/problem+json"},
                                                 {"Content-Language", LANGUAGE_NAMES[language]},
                                                 {"Cache-Control", "no-store"},
                                                 {"X-Content-Type-Options", "nosniff"},
                                                 {"Connection", "close"}},
                                     .header_count = 5};
    struct MHD_Response *made = make_response(&response, NULL);

    client->is_refused = true;
    if (made == NULL) {
        return false;
    }
    bool result = queue(handle, client, (unsigned)status, made, response.body_bytes);

    MHD_destroy_response(made); /* the connection holds its own reference */
    return result;
}

bool mhd_reply_refuse_body(struct MHD_Connection *handle, struct client *client)
{
    return mhd_reply_refuse(handle, client, client->body_status,
                            client->body_status != 413 ? SAY(TEXT_BODY_ROOM)
                            : client->takes_file       ? HTTP_CHECKS_FILE_TOO_LONG
                                                       : HTTP_CHECKS_BODY_TOO_LONG);
}

/* A 304 has no body: nobody calls this. */
static ssize_t read_nothing(void *data, uint64_t position, char *buffer, size_t room)
{
    (void)data;
    (void)position;
    (void)buffer;
    (void)room;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* The 304 in place of an answer: what RFC 9110 section 15.4.5 wants said again, and who may read
 * it. 0.9.75 always tells a length, which has to be that of the answer (section 8.6). NULL: out of
 * memory. */
static struct MHD_Response *make_unchanged(struct MHD_Response *answer, size_t body_bytes)
{
    static const char *const NAMES[] = {"ETag",
                                        "Cache-Control",
                                        "Vary",
                                        "Cross-Origin-Resource-Policy",
                                        "Access-Control-Allow-Origin",
                                        "Access-Control-Expose-Headers",
                                        "Connection"};
    struct MHD_Response *made =
        MHD_create_response_from_callback(body_bytes, 1, read_nothing, NULL, NULL);

    for (size_t i = 0; made != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const char *value = MHD_get_response_header(answer, NAMES[i]);

        if (value != NULL && MHD_add_response_header(made, NAMES[i], value) != MHD_YES) {
            MHD_destroy_response(made);
            made = NULL;
        }
    }
    return made;
}

/* Sends the answer, or 304 to whom has it. */
static bool send_answer(struct MHD_Connection *handle, struct client *client,
                        struct kept_answer *answer)
{
    const char *tag =
        client->if_none_match == NULL ? NULL : MHD_get_response_header(answer->response, "ETag");

    if (!client_hold_answer(client, answer->held_bytes)) {
        return mhd_reply_refuse(handle, client, 503, &TOO_MANY_ANSWERS);
    }
    if (tag == NULL || !http_headers_has_tag(client->if_none_match, tag)) {
        return queue(handle, client, 200, answer->response, answer->body_bytes);
    }
    if (answer->unchanged == NULL) {
        answer->unchanged = make_unchanged(answer->response, answer->body_bytes);
    }
    return answer->unchanged != NULL && queue(handle, client, 304, answer->unchanged, 0);
}

/* Keeps a fresh answer for the next one who asks the same, or destroys it. */
static void keep(struct mhd_reply *reply, const struct response_cache_key *key,
                 struct kept_answer *fresh)
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
    destroy_answer(fresh);
}

/* Puts the compressed body and its own tag in place where the coding asks for it and it pays. No
 * memory: the answer goes out as it is, which GZIP_ONLY does not want but can be told. */
static void compress(struct mhd_reply *reply, struct http_response *response,
                     enum http_coding coding)
{
    const char *packed = NULL;
    size_t packed_bytes = 0;
    bool is_wanted = coding == HTTP_CODING_GZIP_ONLY ||
                     (coding == HTTP_CODING_GZIP && response->is_compressible &&
                      response->body_bytes >= COMPRESSED_BYTES_MIN);

    if (!is_wanted || response->header_count == LIMIT_RESPONSE_HEADERS ||
        !gzip_pack(reply->gzip, response->is_immutable ? GZIP_BEST : GZIP_QUICK, &reply->arena,
                   response->body, response->body_bytes, &packed, &packed_bytes) ||
        (coding == HTTP_CODING_GZIP && packed_bytes >= response->body_bytes)) {
        return;
    }
    for (size_t i = 0; i < response->header_count; i++) {
        struct http_header *header = &response->headers[i];

        if (strcmp(header->name, "ETag") == 0) { /* "tag" becomes "tag-mark" */
            header->value = arena_format(&reply->arena, "%.*s%s\"", (int)strlen(header->value) - 1,
                                         header->value, reply->gzip_mark);
            if (header->value == NULL) {
                *header = response->headers[--response->header_count];
            }
        }
    }
    http_response_add_header(response, "Content-Encoding", "gzip");
    response->body = packed;
    response->body_bytes = packed_bytes;
    response->place = HTTP_BODY_ARENA;
}

/* Asks the application and sends what it says. */
static bool answer_fresh(struct mhd_reply *reply, struct MHD_Connection *handle,
                         struct client *client, const struct app_view *view,
                         enum http_coding coding, const struct response_cache_key *key)
{
    struct http_response response = app_handle(view, &client->request, &reply->arena);
    bool is_read = client->request.method == HTTP_GET || client->request.method == HTTP_HEAD;
    bool result = false;

    client->route = response.route;
    if (response.status == 200) {
        compress(reply, &response, coding);
    }
    struct kept_answer fresh = {.response = make_response(&response, reply->snapshot),
                                .body_bytes = response.body_bytes,
                                .route = response.route,
                                .held_bytes =
                                    response.place == HTTP_BODY_ARENA ? response.body_bytes : 0};

    if (fresh.response == NULL) {
        goto reset_arena;
    }
    if (reply->is_draining &&
        MHD_add_response_header(fresh.response, "Connection", "close") != MHD_YES) {
        goto destroy;
    }
    if (is_read && response.status == 200) {
        result = send_answer(handle, client, &fresh);
    } else if (client_hold_answer(client, fresh.held_bytes)) {
        result =
            queue(handle, client, (unsigned)response.status, fresh.response, response.body_bytes);
    } else {
        result = mhd_reply_refuse(handle, client, 503, &TOO_MANY_ANSWERS);
    }
    if (key != NULL && response.is_cacheable) {
        metrics_add(&reply->counters->cache_misses, 1);
    }
    if (key != NULL && result && response.is_cacheable && response.status == 200 &&
        response.body_bytes <= LIMIT_CACHED_BODY_BYTES) {
        keep(reply, key, &fresh);
        goto reset_arena;
    }
destroy:
    destroy_answer(&fresh);
reset_arena:
    arena_reset(&reply->arena);
    return result;
}

/* NULL: no memory. */
static const struct metrics_values *gather(struct mhd_reply *reply)
{
    struct metrics_values *values = arena_alloc(&reply->arena, sizeof *values);

    if (values != NULL) {
        metrics_gather(reply->metrics, values);
    }
    return values;
}

struct app_view mhd_reply_view(const struct mhd_reply *reply)
{
    return (struct app_view){.snapshot = reply->snapshot,
                             .day = clock_today(),
                             .is_ready = !reply->is_draining,
                             .cors_origin = reply->cors_origin};
}

bool mhd_reply_send(struct mhd_reply *reply, struct MHD_Connection *handle, struct client *client,
                    const struct http_response *response)
{
    struct MHD_Response *made = make_response(response, reply->snapshot);
    bool result = false;

    client->route = response->route;
    if (made == NULL) {
        return false;
    }
    if (!client_hold_answer(client, response->body_bytes)) {
        result = mhd_reply_refuse(handle, client, 503, &TOO_MANY_ANSWERS);
    } else if (!reply->is_draining ||
               MHD_add_response_header(made, "Connection", "close") == MHD_YES) {
        result = queue(handle, client, (unsigned)response->status, made, response->body_bytes);
    }
    MHD_destroy_response(made); /* the connection holds its own reference */
    return result;
}

bool mhd_reply_request(struct mhd_reply *reply, struct MHD_Connection *handle,
                       struct client *client)
{
    const struct http_request *request = &client->request;
    struct app_view view = mhd_reply_view(reply);
    bool is_plain = (request->method == HTTP_GET || request->method == HTTP_HEAD) &&
                    client->body_bytes == 0 && !reply->is_draining;
    enum http_coding coding = http_headers_coding(client->accept_encoding);
    bool is_allowed = app_allows_origin(&view, request->origin);
    const struct response_cache_key key = {client->target, client->target_bytes, request->accept,
                                           request->accept_language,
                                           (unsigned)coding * 2 + (is_allowed ? 1 : 0)};

    if (client->body_status != 0) {
        return mhd_reply_refuse_body(handle, client);
    }
    if (coding == HTTP_CODING_NONE && request->method != HTTP_OPTIONS) {
        return mhd_reply_refuse(handle, client, 406, SAY(TEXT_NO_CODING));
    }
    if (is_plain) {
        response_cache_enter(reply->cache, reply->snapshot, view.day);
        struct kept_answer *kept = response_cache_find(reply->cache, &key);

        if (kept != NULL) {
            client->route = kept->route;
            metrics_add(&reply->counters->cache_hits, 1);
            return send_answer(handle, client, kept);
        }
    }
    client_complete_request(client);
    if (app_wants_metrics(request)) {
        view.metrics = gather(reply);
    }
    return answer_fresh(reply, handle, client, &view, coding, is_plain ? &key : NULL);
}

bool mhd_reply_init(struct mhd_reply *reply, const char *cors_origin, struct metrics *metrics,
                    unsigned worker)
{
    *reply = (struct mhd_reply){.cors_origin = cors_origin,
                                .metrics = metrics,
                                .counters = metrics_of_worker(metrics, worker)};
    arena_init(&reply->arena, LIMIT_REQUEST_ARENA_BYTES);
    gzip_mark(reply->gzip_mark);
    reply->gzip = gzip_new();
    reply->cache = response_cache_new(LIMIT_RESPONSE_CACHE_BYTES, release_answer);
    return reply->cache != NULL && reply->gzip != NULL;
}

void mhd_reply_fini(struct mhd_reply *reply)
{
    response_cache_free(reply->cache);
    app_snapshot_unref(reply->snapshot);
    gzip_free(reply->gzip);
    arena_fini(&reply->arena);
}

void mhd_reply_give_snapshot(struct mhd_reply *reply, struct app_snapshot *snapshot)
{
    /* while both addresses are taken */
    response_cache_enter(reply->cache, snapshot, clock_today());
    app_snapshot_unref(reply->snapshot);
    reply->snapshot = snapshot;
}
