/* Tags, conditions and the headers of every kind of answer. */
#include "handlers_fixture.h"

#include "../../handlers/cache_rules.h"

static void test_tags(void)
{
    char one[CACHE_RULES_ETAG_BYTES];
    char other[CACHE_RULES_ETAG_BYTES];
    char body[64];

    memset(body, 'a', sizeof body);
    cache_rules_etag(body, sizeof body, "application/json", "en", one);
    tap_ok(strlen(one) == 18 && one[0] == '"' && one[17] == '"', "16 digits in quotation marks: %s",
           one);
    bool all_differ = true;

    for (size_t i = 0; i < sizeof body; i++) {
        body[i] = 'b';
        cache_rules_etag(body, sizeof body, "application/json", "en", other);
        all_differ = all_differ && strcmp(one, other) != 0;
        body[i] = 'a';
    }
    tap_ok(all_differ, "every byte of the body counts");
    cache_rules_etag(body, sizeof body - 1, "application/json", "en", other);
    tap_ok(strcmp(one, other) != 0, "its length counts");
    cache_rules_etag(body, sizeof body, "text/csv", "en", other);
    tap_ok(strcmp(one, other) != 0, "the media type counts");
    cache_rules_etag(body, sizeof body, "application/json", "zh", other);
    tap_ok(strcmp(one, other) != 0, "the language counts");
    cache_rules_etag(body, sizeof body, "application/json", "en", other);
    tap_text(other, one, "the same representation has the same tag");
}

static void test_matching(void)
{
    static const char TAG[] = "\"0123456789abcdef\"";

    tap_ok(!cache_rules_matches(NULL, TAG), "no header");
    tap_ok(cache_rules_matches("\"0123456789abcdef\"", TAG), "the tag");
    tap_ok(cache_rules_matches("W/\"0123456789abcdef\"", TAG), "a weak tag of a proxy");
    tap_ok(cache_rules_matches("\"x\", W/\"y,z\" ,\"0123456789abcdef\"", TAG), "in a list");
    tap_ok(cache_rules_matches("*", TAG), "any");
    tap_ok(!cache_rules_matches("\"0123456789abcdeX\"", TAG), "another");
    tap_ok(!cache_rules_matches("0123456789abcdef", TAG), "no quotation marks");
    tap_ok(!cache_rules_matches("\"0123456789abcdef", TAG), "not closed");
    tap_ok(!cache_rules_matches("", TAG), "empty");
}

static void test_api_headers(void)
{
    char etag[64];

    test_get("/gpus?limit=1");
    size_t full_bytes = test_response.body_bytes;

    tap_text(test_header("Content-Type"), "application/json", "the media type");
    tap_text(test_header("Cache-Control"), "no-cache", "revalidated every time");
    tap_text(test_header("Vary"), "Accept, Accept-Language", "what it varies by");
    tap_text(test_header("X-Content-Type-Options"), "nosniff", "nosniff");
    tap_text(test_header("Content-Language"), "en", "the language");
    tap_ok(test_header("Access-Control-Allow-Origin") == NULL, "no CORS unless switched on");
    tap_ok(test_response.is_cacheable, "may be kept ready");
    (void)snprintf(etag, sizeof etag, "%s", test_header("ETag"));
    test_send("/gpus?limit=1", (struct http_request){.method = HTTP_GET, .if_none_match = etag});
    tap_ok(test_response.status == 304 && test_response.body_bytes == full_bytes &&
               !test_response.is_cacheable,
           "304 tells the length of the body that the server leaves out");
    tap_text(test_header("ETag"), etag, "304 repeats the tag");
    test_send(
        "/gpus?limit=1",
        (struct http_request){.method = HTTP_GET, .if_none_match = etag, .accept_language = "zh"});
    tap_ok(test_response.status == 200, "the other language is another representation");
    tap_text(test_header("Content-Language"), "zh", "and says so");
    test_view.cors_origin = "https://lab.example";
    test_get("/gpus?limit=1");
    tap_text(test_header("Access-Control-Allow-Origin"), "https://lab.example",
             "CORS when switched on");
    test_send("/gpus", (struct http_request){.method = HTTP_OPTIONS});
    tap_ok(test_response.status == 204, "OPTIONS is 204");
    tap_text(test_header("Allow"), "GET, HEAD, OPTIONS", "Allow");
    tap_text(test_header("Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS", "preflight");
    test_view.cors_origin = NULL;
}

static void test_other_headers(void)
{
    test_get("/healthz");
    tap_text(test_header("Cache-Control"), "no-store", "health is never stored");
    test_get("/");
    tap_ok(test_response.status == 200 && test_response.place == HTTP_BODY_SNAPSHOT, "the page");
    tap_text(test_header("Cache-Control"), "no-cache", "the page is revalidated");
    const char *policy = test_header("Content-Security-Policy");

    tap_ok(policy != NULL &&
               strstr(policy, "default-src 'none'; script-src 'self'; style-src 'self'") ==
                   policy &&
               strstr(policy, "unsafe") == NULL,
           "its policy is strict");
    test_get("/nothing");
    tap_text(test_header("Content-Type"), "application/problem+json", "a problem's media type");
    tap_ok(test_header("ETag") == NULL, "a problem has no tag");
}

int main(void)
{
    test_tags();
    test_matching();
    test_open();
    test_api_headers();
    test_other_headers();
    return test_close();
}
