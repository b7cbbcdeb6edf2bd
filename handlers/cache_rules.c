/* Which headers an answer carries. It decides no status. One request, one thread. */
#include "cache_rules.h"

#include "engine/hash.h"
#include "header_list.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

static const char API_POLICY[] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
static const char PAGE_POLICY[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                                  "connect-src 'self'; img-src 'self' data:; "
                                  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
static const char REPORT_POLICY[] = "default-src 'none'; style-src 'self'; img-src 'self'; "
                                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* What an answer varies by: without Origin, and with it. */
static const char *const VARY_API[] = {"Accept, Accept-Language, Accept-Encoding",
                                       "Accept, Accept-Language, Accept-Encoding, Origin"};
static const char *const VARY_FILE[] = {"Accept-Encoding", "Accept-Encoding, Origin"};
static const char *const VARY_CONTRACT[] = {"Accept, Accept-Encoding",
                                            "Accept, Accept-Encoding, Origin"};
static const char *const VARY_PROBE[] = {NULL, "Origin"};
static const char *const VARY_OPTIONS[] = {
    NULL, "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"};

/* Request headers that pages of other origins may send, besides those that all may. */
static const char *const ALLOWED_HEADERS[] = {"accept",        "accept-language",
                                              "authorization", "content-language",
                                              "content-type",  "if-none-match"};
static const char ALLOWED_HEADERS_TEXT[] =
    "Accept, Accept-Language, Authorization, Content-Language, Content-Type, If-None-Match";

void cache_rules_etag(const char *body, size_t body_bytes, const char *media_type,
                      const char *language, char etag[CACHE_RULES_ETAG_BYTES])
{
    static const char HEX[] = "0123456789abcdef";
    uint64_t hash = hash_words(HASH_SEED, body, body_bytes);

    hash = hash_words(hash, media_type, strlen(media_type));
    hash = hash_words(hash, language, strlen(language));
    etag[0] = '"';
    for (int i = 0; i < 16; i++) {
        etag[1 + i] = HEX[hash >> (60 - 4 * i) & 15U];
    }
    etag[17] = '"';
    etag[18] = '\0';
}

static bool is_for_all(const struct app_view *view)
{
    return view->cors_origin != NULL && strcmp(view->cors_origin, "*") == 0;
}

/* What every response has. vary: one of the lists above; policy: NULL for what a browser shows in
 * no window, which then needs nothing that rules a window. Who is not of the origin that is allowed
 * is told nothing of CORS. */
static void add_common(struct exchange *exchange, const char *policy, const char *const vary[2])
{
    struct http_response *response = exchange->response;
    const struct app_view *view = exchange->view;
    const char *varies_by = vary[view->cors_origin != NULL && !is_for_all(view) ? 1 : 0];

    if (varies_by != NULL) {
        http_response_add_header(response, "Vary", varies_by);
    }
    http_response_add_header(response, "X-Content-Type-Options", "nosniff");
    if (policy != NULL) {
        http_response_add_header(response, "Content-Security-Policy", policy);
        http_response_add_header(response, "Referrer-Policy", "no-referrer");
        http_response_add_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    }
    http_response_add_header(response, "Cross-Origin-Resource-Policy",
                             is_for_all(view) ? "cross-origin" : "same-origin");
    if (is_for_all(view) || app_allows_origin(view, exchange->request->origin)) {
        http_response_add_header(response, "Access-Control-Allow-Origin", view->cors_origin);
        http_response_add_header(response, "Access-Control-Expose-Headers",
                                 "ETag, Link, Allow, Retry-After, Accept-Encoding");
    }
}

static const char *policy_of(enum media media)
{
    return media == MEDIA_HTML ? REPORT_POLICY : API_POLICY;
}

void cache_rules_api(struct exchange *exchange)
{
    const char *media_type = MEDIA_CONTENT_TYPES[exchange->media];
    struct http_response *response = exchange->response;
    const char *language = LANGUAGE_NAMES[exchange->language];
    char *etag = arena_alloc(exchange->arena, CACHE_RULES_ETAG_BYTES);

    http_response_add_header(response, "Content-Type", media_type);
    http_response_add_header(response, "Content-Language", language);
    http_response_add_header(response, "Cache-Control", "no-cache");
    add_common(exchange, policy_of(exchange->media), VARY_API);
    response->is_compressible = true;
    if (etag != NULL) {
        cache_rules_etag(response->body, response->body_bytes, media_type, language, etag);
        http_response_add_header(response, "ETag", etag);
    }
}

void cache_rules_problem(struct exchange *exchange)
{
    struct http_response *response = exchange->response;
    bool is_private = response->status >= 500 || exchange->request->method == HTTP_POST;
    bool is_for_people = exchange->media == MEDIA_HTML || exchange->media == MEDIA_TEXT;

    http_response_add_header(response, "Content-Type",
                             is_for_people ? MEDIA_CONTENT_TYPES[exchange->media]
                                           : "application/problem+json");
    http_response_add_header(response, "Content-Language", LANGUAGE_NAMES[exchange->language]);
    http_response_add_header(response, "Cache-Control", is_private ? "no-store" : "no-cache");
    if (response->status == 405 && exchange->allowed_methods != NULL) {
        http_response_add_header(response, "Allow", exchange->allowed_methods);
    }
    if (response->status == 503) {
        http_response_add_header(response, "Retry-After", "5");
    }
    add_common(exchange, policy_of(exchange->media), VARY_API);
}

void cache_rules_posted(struct exchange *exchange)
{
    struct http_response *response = exchange->response;

    http_response_add_header(response, "Content-Type", MEDIA_CONTENT_TYPES[exchange->media]);
    http_response_add_header(response, "Content-Language", LANGUAGE_NAMES[exchange->language]);
    http_response_add_header(response, "Cache-Control", "no-store");
    add_common(exchange, policy_of(exchange->media), VARY_PROBE);
}

void cache_rules_probe(struct exchange *exchange)
{
    http_response_add_header(exchange->response, "Content-Type", "application/json");
    http_response_add_header(exchange->response, "Cache-Control", "no-store");
    add_common(exchange, API_POLICY, VARY_PROBE);
}

void cache_rules_metrics(struct exchange *exchange)
{
    http_response_add_header(exchange->response, "Content-Type",
                             "text/plain; version=0.0.4; charset=utf-8");
    http_response_add_header(exchange->response, "Cache-Control", "no-store");
    add_common(exchange, API_POLICY, VARY_FILE);
    exchange->response->is_compressible = true;
}

/* Whether the list, as "GET, HEAD", names the method. */
static bool is_allowed_method(const char *list, const char *method)
{
    const char *rest = list;
    struct header_element element;

    while (header_list_next(&rest, &element)) {
        if (element.length == strlen(method) && memcmp(element.name, method, element.length) == 0) {
            return true;
        }
    }
    return false;
}

static bool are_allowed_headers(const char *list)
{
    const char *rest = list == NULL ? "" : list;
    struct header_element element;

    while (header_list_next(&rest, &element)) {
        size_t i = 0;

        while (i < sizeof ALLOWED_HEADERS / sizeof ALLOWED_HEADERS[0] &&
               (element.length != strlen(ALLOWED_HEADERS[i]) ||
                strncasecmp(element.name, ALLOWED_HEADERS[i], element.length) != 0)) {
            i++;
        }
        if (i == sizeof ALLOWED_HEADERS / sizeof ALLOWED_HEADERS[0]) {
            return false;
        }
    }
    return true;
}

void cache_rules_options(struct exchange *exchange)
{
    const struct http_request *request = exchange->request;
    struct http_response *response = exchange->response;
    const struct app_view *view = exchange->view;
    bool is_asked = request->origin != NULL && request->wanted_method != NULL &&
                    (is_for_all(view) || app_allows_origin(view, request->origin));

    http_response_add_header(response, "Allow", exchange->allowed_methods);
    http_response_add_header(response, "Cache-Control", "no-store");
    if (is_asked && is_allowed_method(exchange->allowed_methods, request->wanted_method) &&
        are_allowed_headers(request->wanted_headers)) {
        http_response_add_header(response, "Access-Control-Allow-Methods",
                                 exchange->allowed_methods);
        http_response_add_header(response, "Access-Control-Allow-Headers", ALLOWED_HEADERS_TEXT);
        http_response_add_header(response, "Access-Control-Max-Age", "600");
    }
    add_common(exchange, API_POLICY, VARY_OPTIONS);
}

void cache_rules_contract(struct exchange *exchange, const char *media_type, const char *etag)
{
    struct http_response *response = exchange->response;

    http_response_add_header(response, "Content-Type", media_type);
    http_response_add_header(response, "Cache-Control", "no-cache");
    http_response_add_header(response, "ETag", etag);
    add_common(exchange, API_POLICY, VARY_CONTRACT);
    response->is_compressible = true;
}

static void add_file(struct exchange *exchange, const char *media_type, const char *etag,
                     const char *cache_control)
{
    struct http_response *response = exchange->response;
    bool is_part =
        strncmp(media_type, "text/javascript", 15) == 0 || strncmp(media_type, "text/css", 8) == 0;

    http_response_add_header(response, "Content-Type", media_type);
    http_response_add_header(response, "Cache-Control", cache_control);
    http_response_add_header(response, "ETag", etag);
    add_common(exchange, is_part ? NULL : PAGE_POLICY, VARY_FILE);
    response->is_compressible =
        strncmp(media_type, "image/", 6) != 0 || strcmp(media_type, "image/svg+xml") == 0;
}

void cache_rules_page(struct exchange *exchange, const char *media_type, const char *etag)
{
    add_file(exchange, media_type, etag, "no-cache");
}

void cache_rules_asset(struct exchange *exchange, const char *media_type, const char *etag)
{
    add_file(exchange, media_type, etag, "public, max-age=31536000, immutable");
    exchange->response->is_immutable = true;
}
