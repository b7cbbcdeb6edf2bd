/* Which headers an answer carries. It decides no status but 304. One request, one thread. */
#include "cache_rules.h"

#include <stdint.h>
#include <string.h>

static const char API_POLICY[] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
static const char PAGE_POLICY[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                                  "connect-src 'self'; img-src 'self' data:; "
                                  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

static const uint64_t HASH_SEED = 14695981039346656037U; /* offset and prime of FNV-1a, 64 bit */
static const uint64_t HASH_PRIME = 1099511628211U;

/* FNV-1a over words of eight bytes with the high half folded in: an answer has tens of KiB, and
 * byte by byte it would cost more than writing it. Not for hostile input: a collision hurts only
 * its author. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
    while (length >= sizeof hash) {
        uint64_t word = 0;

        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * HASH_PRIME;
        hash ^= hash >> 32;
        bytes += sizeof word;
        length -= sizeof word;
    }
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * HASH_PRIME;
    }
    hash = (hash ^ length) * HASH_PRIME;
    return hash ^ hash >> 29;
}

void cache_rules_etag(const char *body, size_t body_bytes, const char *media_type,
                      const char *language, char etag[CACHE_RULES_ETAG_BYTES])
{
    static const char HEX[] = "0123456789abcdef";
    uint64_t hash = hash_bytes(HASH_SEED, body, body_bytes);

    hash = hash_bytes(hash, media_type, strlen(media_type));
    hash = hash_bytes(hash, language, strlen(language));
    etag[0] = '"';
    for (int i = 0; i < 16; i++) {
        etag[1 + i] = HEX[hash >> (60 - 4 * i) & 15U];
    }
    etag[17] = '"';
    etag[18] = '\0';
}

bool cache_rules_matches(const char *if_none_match, const char *etag)
{
    const char *rest = if_none_match;
    size_t etag_bytes = strlen(etag);

    while (rest != NULL) {
        rest += strspn(rest, " \t,");
        if (*rest == '*') {
            return true;
        }
        if (strncmp(rest, "W/", 2) == 0) {
            rest += 2;
        }
        if (*rest != '"') {
            return false; /* the end, or no list of tags */
        }
        const char *end = strchr(rest + 1, '"');

        if (end == NULL) {
            return false;
        }
        if ((size_t)(end - rest) + 1 == etag_bytes && memcmp(rest, etag, etag_bytes) == 0) {
            return true;
        }
        rest = end + 1;
    }
    return false;
}

/* What every response has; resources other sites may read are marked so when CORS is switched on.
 */
static void add_common(struct exchange *exchange, const char *policy)
{
    struct http_response *response = exchange->response;
    const char *cors_origin = exchange->view->cors_origin;

    http_response_add_header(response, "Content-Security-Policy", policy);
    http_response_add_header(response, "X-Content-Type-Options", "nosniff");
    http_response_add_header(response, "Referrer-Policy", "no-referrer");
    http_response_add_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    http_response_add_header(response, "Cross-Origin-Resource-Policy",
                             cors_origin == NULL ? "same-origin" : "cross-origin");
    if (cors_origin != NULL) {
        http_response_add_header(response, "Access-Control-Allow-Origin", cors_origin);
        http_response_add_header(response, "Access-Control-Expose-Headers", "ETag, Link, Allow");
    }
}

void cache_rules_api(struct exchange *exchange)
{
    static const char MEDIA_TYPE[] = "application/json";
    struct http_response *response = exchange->response;
    const char *language = LANGUAGE_NAMES[exchange->language];
    char *etag = arena_alloc(exchange->arena, CACHE_RULES_ETAG_BYTES);

    http_response_add_header(response, "Content-Type", MEDIA_TYPE);
    http_response_add_header(response, "Content-Language", language);
    http_response_add_header(response, "Cache-Control", "no-cache");
    http_response_add_header(response, "Vary", "Accept, Accept-Language");
    add_common(exchange, API_POLICY);
    if (etag != NULL) {
        cache_rules_etag(response->body, response->body_bytes, MEDIA_TYPE, language, etag);
        http_response_add_header(response, "ETag", etag);
        if (cache_rules_matches(exchange->request->if_none_match, etag)) {
            response->status = 304; /* the server leaves the body out and tells its length */
        }
    }
}

void cache_rules_problem(struct exchange *exchange)
{
    struct http_response *response = exchange->response;
    bool is_private = response->status >= 500 || exchange->request->method == HTTP_POST;

    http_response_add_header(response, "Content-Type", "application/problem+json");
    http_response_add_header(response, "Content-Language", LANGUAGE_NAMES[exchange->language]);
    http_response_add_header(response, "Cache-Control", is_private ? "no-store" : "no-cache");
    http_response_add_header(response, "Vary", "Accept, Accept-Language");
    if (response->status == 405 && exchange->allowed_methods != NULL) {
        http_response_add_header(response, "Allow", exchange->allowed_methods);
    }
    if (response->status == 503) {
        http_response_add_header(response, "Retry-After", "5");
    }
    add_common(exchange, API_POLICY);
}

void cache_rules_probe(struct exchange *exchange)
{
    http_response_add_header(exchange->response, "Content-Type", "application/json");
    http_response_add_header(exchange->response, "Cache-Control", "no-store");
    add_common(exchange, API_POLICY);
}

void cache_rules_options(struct exchange *exchange)
{
    struct http_response *response = exchange->response;

    http_response_add_header(response, "Allow", exchange->allowed_methods);
    http_response_add_header(response, "Cache-Control", "no-store");
    if (exchange->view->cors_origin != NULL) {
        http_response_add_header(response, "Access-Control-Allow-Methods",
                                 exchange->allowed_methods);
        http_response_add_header(response, "Access-Control-Allow-Headers",
                                 "Accept, Accept-Language, Content-Type, If-None-Match");
        http_response_add_header(response, "Access-Control-Max-Age", "600");
    }
    add_common(exchange, API_POLICY);
}

static void add_file(struct exchange *exchange, const char *media_type, const char *etag,
                     const char *cache_control)
{
    struct http_response *response = exchange->response;

    http_response_add_header(response, "Content-Type", media_type);
    http_response_add_header(response, "Cache-Control", cache_control);
    http_response_add_header(response, "ETag", etag);
    add_common(exchange, PAGE_POLICY);
    if (cache_rules_matches(exchange->request->if_none_match, etag)) {
        response->status = 304;
    }
}

void cache_rules_page(struct exchange *exchange, const char *media_type, const char *etag)
{
    add_file(exchange, media_type, etag, "no-cache");
}

void cache_rules_asset(struct exchange *exchange, const char *media_type, const char *etag)
{
    add_file(exchange, media_type, etag, "public, max-age=31536000, immutable");
}
