/* Tags and the headers of every kind of answer. */
#include "handlers_fixture.h"

#include "../../handlers/cache_rules.h"
#include "../../handlers/snapshot.h"

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

static void test_api_headers(void)
{
    test_get("/gpus?limit=1");
    tap_text(test_header("Content-Type"), "application/json", "the media type");
    tap_text(test_header("Cache-Control"), "no-cache", "revalidated every time");
    tap_text(test_header("Vary"), "Accept, Accept-Language, Accept-Encoding", "what it varies by");
    tap_text(test_header("X-Content-Type-Options"), "nosniff", "nosniff");
    tap_text(test_header("Content-Language"), "en", "the language");
    tap_ok(test_header("Access-Control-Allow-Origin") == NULL, "no CORS unless switched on");
    tap_ok(test_response.is_cacheable && test_response.is_compressible,
           "may be kept ready, and compressed");
    tap_ok(test_send("/gpus?limit=1",
                     (struct http_request){.method = HTTP_GET, .accept_language = "zh"}) == 200 &&
               strcmp(test_header("Content-Language"), "zh") == 0,
           "the other language says so");
}

/* The tag of an answer; it lives until the next call but three. */
static const char *tag_of(const char *target)
{
    static char tags[4][32];
    static int next;
    char *tag = tags[next++ % 4];

    if (test_get(target) != 200) {
        printf("# %s: %d\n", target, test_response.status);
    }
    (void)snprintf(tag, sizeof tags[0], "%s", test_header("ETag"));
    return tag;
}

/* What an answer is a function of, each alone (DESIGN.md section 1). */
static void test_tag_inputs(void)
{
    static const char *const SAME[][2] = {
        {"/recommend?budget=1000&task=train&domain=llm",
         "/recommend?domain=llm&task=train&budget=1000"},
        {"/recommend?budget=1000", "/recommend?budget=1000.00"},
        {"/gpus?vendor=nvidia&limit=3&sort=-price", "/gpus?sort=-price&limit=3&vendor=nvidia"},
        {"/gpus/nvidia-geforce-rtx-3090", "/gpus/RTX%203090"},
        {"/compare?gpus=rtx-3090,rtx-4090&currency=EUR",
         "/compare?currency=EUR&gpus=rtx-3090,rtx-4090"}};

    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        tap_text(tag_of(SAME[i][1]), tag_of(SAME[i][0]), SAME[i][1]);
    }
    tap_ok(strcmp(tag_of("/recommend?budget=1000"), tag_of("/recommend?budget=1001")) != 0,
           "another request, another tag");
    tap_ok(strcmp(tag_of("/recommend?budget=1000"), tag_of("/recommend?budget=1000&lang=zh")) != 0,
           "another language, another tag");
}

/* UTC seconds around the midnight that ends the 180th day of an old price: what a view of those
 * seconds says of the card, and under which tag. */
static void test_stale_midnight(void)
{
    static const char TARGET[] = "/gpus/amd-radeon-rx-6600";
    int32_t day = test_view.day;
    int32_t observed = 0;

    tap_ok(test_get(TARGET) == 200, "a card with an old price");
    const char *date = test_text("price.observed_on");

    tap_ok(date != NULL && day_parse(date, strlen(date), &observed), "observed on %s",
           date == NULL ? "-" : date);
    int64_t midnight = ((int64_t)observed + 181) * 86400;

    test_view.day = (int32_t)((midnight - 1) / 86400);
    const char *before = tag_of(TARGET);

    tap_ok(json_is_false(test_at("price.stale")), "a second before midnight of day 180: fresh");
    tap_text(tag_of(TARGET), before, "the same second, the same tag");
    test_view.day = (int32_t)(midnight / 86400);
    const char *after = tag_of(TARGET);

    tap_ok(json_is_true(test_at("price.stale")), "a second later: stale");
    tap_ok(strcmp(after, before) != 0, "under another tag");
    tap_text(tag_of(TARGET), after, "which stays");
    test_view.day = day;
}

static bool is_vary(const char *wanted)
{
    const char *vary = test_header("Vary");

    return wanted == NULL ? vary == NULL : vary != NULL && strcmp(vary, wanted) == 0;
}

static bool has_cors(void)
{
    return test_header("Access-Control-Allow-Origin") != NULL ||
           test_header("Access-Control-Expose-Headers") != NULL ||
           test_header("Access-Control-Allow-Methods") != NULL;
}

static void test_cors(void)
{
    struct http_request ours = {.method = HTTP_GET, .origin = "https://lab.example"};
    struct http_request other = {.method = HTTP_GET, .origin = "https://lab.example.org"};

    test_send("/gpus?limit=1", ours);
    tap_ok(!has_cors() && is_vary("Accept, Accept-Language, Accept-Encoding"), "CORS is off");
    test_view.cors_origin = "https://lab.example";
    test_send("/gpus?limit=1", ours);
    tap_text(test_header("Access-Control-Allow-Origin"), "https://lab.example", "its own origin");
    tap_ok(is_vary("Accept, Accept-Language, Accept-Encoding, Origin") &&
               test_header("Access-Control-Allow-Credentials") == NULL,
           "varies by Origin, no credentials");
    tap_ok(strstr(test_header("Access-Control-Expose-Headers"), "ETag, Link") != NULL,
           "what its script may read");
    test_send("/gpus?limit=1", other);
    tap_ok(!has_cors() && is_vary("Accept, Accept-Language, Accept-Encoding, Origin"),
           "another origin is told nothing");
    test_get("/gpus?limit=1");
    tap_ok(!has_cors() && is_vary("Accept, Accept-Language, Accept-Encoding, Origin"), "nor none");
    test_send("/gpus?limit=0", ours);
    tap_ok(test_response.status == 400 && has_cors(), "problems are told too");
    test_send("/healthz", ours);
    tap_ok(has_cors() && is_vary("Origin"), "and probes");
    test_get("/");
    tap_ok(is_vary("Accept-Encoding, Origin"), "the page varies by it");
    test_view.cors_origin = "*";
    test_send("/gpus?limit=1", other);
    tap_text(test_header("Access-Control-Allow-Origin"), "*", "for all");
    tap_ok(is_vary("Accept, Accept-Language, Accept-Encoding"), "then it varies by none");
    test_view.cors_origin = NULL;
}

static void test_preflight(void)
{
    static const struct {
        const char *setting, *target, *origin, *method, *headers;
        bool is_allowed;
    } CASES[] = {
        {"https://a.b", "/gpus", "https://a.b", "GET", NULL, true},
        {"https://a.b", "/gpus", "https://a.b", "HEAD", "if-none-match, ACCEPT", true},
        {"https://a.b", "/estimate", "https://a.b", "POST", "content-type,authorization", true},
        {"*", "/estimate", "https://a.b", "POST", "content-type", true},
        {"https://a.b", "/gpus", "https://a.b", "POST", NULL, false},
        {"https://a.b", "/gpus", "https://a.b", "get", NULL, false},
        {"https://a.b", "/gpus", "https://a.b", "DELETE", NULL, false},
        {"https://a.b", "/gpus", "https://a.b", "GET", "accept, x-mine", false},
        {"https://a.b", "/gpus", "https://c.d", "GET", NULL, false},
        {"https://a.b", "/gpus", NULL, "GET", NULL, false},
        {"https://a.b", "/gpus", "https://a.b", NULL, NULL, false},
        {NULL, "/gpus", "https://a.b", "GET", NULL, false},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        bool is_one = CASES[i].setting != NULL && CASES[i].setting[0] != '*';

        test_view.cors_origin = CASES[i].setting;
        test_send(CASES[i].target, (struct http_request){.method = HTTP_OPTIONS,
                                                         .origin = CASES[i].origin,
                                                         .wanted_method = CASES[i].method,
                                                         .wanted_headers = CASES[i].headers});
        const char *methods = test_header("Access-Control-Allow-Methods");

        tap_ok(test_response.status == 204 && test_header("Allow") != NULL &&
                   (methods != NULL) == CASES[i].is_allowed &&
                   (methods == NULL || strcmp(methods, test_header("Allow")) == 0) &&
                   (test_header("Access-Control-Max-Age") != NULL) == CASES[i].is_allowed &&
                   is_vary(is_one ? "Origin, Access-Control-Request-Method, "
                                    "Access-Control-Request-Headers"
                                  : NULL),
               "preflight %zu: %s", i, methods == NULL ? "not allowed" : methods);
    }
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
    static const char *const FILES[] = {"app.js", "style.css", "mark.svg"};

    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char target[100];
        bool is_window = strcmp(FILES[i], "mark.svg") == 0;

        (void)snprintf(target, sizeof target, "/static/%s/%s", test_view.snapshot->assets.hash,
                       FILES[i]);
        test_get(target);
        tap_ok(test_response.status == 200 && test_response.is_immutable &&
                   strstr(test_header("Cache-Control"), "immutable") != NULL &&
                   strcmp(test_header("X-Content-Type-Options"), "nosniff") == 0 &&
                   (test_header("Content-Security-Policy") != NULL) == is_window,
               "%s is kept for ever; a policy rules what a window can show", FILES[i]);
    }
    test_get("/nothing");
    tap_text(test_header("Content-Type"), "application/problem+json", "a problem's media type");
    tap_ok(test_header("ETag") == NULL, "a problem has no tag");
}

int main(void)
{
    test_tags();
    test_open();
    test_api_headers();
    test_tag_inputs();
    test_stale_midnight();
    test_cors();
    test_preflight();
    test_other_headers();
    return test_close();
}
