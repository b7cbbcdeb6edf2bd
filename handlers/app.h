/* The whole application behind one function; it sees no socket, thread, file, clock or SQL.
 *
 * A request's life: mhd_bridge.c (server/) reads it, app_handle() finds the route, the route's
 * handle_<resource>.c reads its parameters (query.c, ask_in.c), asks the engine and writes the
 * answer (json_out.c) or a problem (problem.c); mhd_reply.c sends it and releases what the response
 * names. */
#ifndef GPUWISE_APP_H
#define GPUWISE_APP_H

#include "engine/catalogue.h"
#include "engine/text.h"
#include "http.h"

#include <stdint.h>

/* A catalogue with its rows already written as JSON; immutable, counted, shared by all threads. */
struct app_snapshot;
struct metrics_values;

struct command_outcome;

/* Takes over the caller's reference of the catalogue, also on failure; NULL: *err says why. */
struct app_snapshot *app_snapshot_new(struct catalogue *catalogue, struct error *err) MUST_CHECK;
struct app_snapshot *app_snapshot_ref(struct app_snapshot *snapshot);
void app_snapshot_unref(struct app_snapshot *snapshot); /* NULL is accepted */
const struct catalogue *app_snapshot_catalogue(const struct app_snapshot *snapshot);

/* What an answer depends on besides the request. Lent for the call. */
struct app_view {
    const struct app_snapshot *snapshot;
    int32_t day;                          /* UTC day of the request */
    bool is_ready;                        /* false while starting or stopping: /readyz says 503 */
    const char *cors_origin;              /* of the setting; NULL: no CORS */
    const struct metrics_values *metrics; /* only where app_wants_metrics() */
};

/* Whether pages of the request's origin may read the answer: the only way an answer depends on the
 * header Origin. False without CORS, and where it is for everybody. */
bool app_allows_origin(const struct app_view *view, const char *origin);

/* The language of an answer to a request that may not be fit to be read: of lang where the query
 * holds it, of Accept-Language otherwise. */
enum language app_language(const struct http_request *request);

/* What the server must know before it reads on. */
struct app_gate {
    bool needs_token; /* decide request.admission before anything else */
    bool takes_file;  /* the body is one of up to LIMIT_IMPORT_BYTES, to be kept out of memory */
};

/* By method and path alone. */
struct app_gate app_gate(const struct http_request *request);

/* The token of an Authorization header (RFC 6750 section 2.1). False: there is none. */
bool app_bearer_token(const struct http_request *request, const char **token,
                      size_t *length) MUST_CHECK;

/* The response to a request whose command was run. The command and the outcome are lent. */
struct http_response app_finish(const struct app_view *view, const struct http_request *request,
                                const struct command *command,
                                const struct command_outcome *outcome, struct arena *arena);

/* A complete response, or a command: a failure is a problem document. What If-None-Match and
 * Accept-Encoding ask is the server's: it answers 304, and compresses. */
struct http_response app_handle(const struct app_view *view, const struct http_request *request,
                                struct arena *arena);

/* Whether the answer tells the counts of the server, which cost time to gather. */
bool app_wants_metrics(const struct http_request *request);

/* The path of the route that http_response.route numbers, with a name in braces for what differs:
 * "/gpus/{id}"; "none" for 0. Static. */
const char *app_route_name(size_t route);

/* Versions of Jansson: of the library linked, and of its header at build time. */
const char *app_library_version(void);
const char *app_library_built(void);

#endif
