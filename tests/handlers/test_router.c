/* Routes, methods and what is refused before any handler runs. */
#include "handlers_fixture.h"

#include "../../handlers/header_list.h"
#include "../../handlers/router.h"

static void test_routes(void)
{
    tap_ok(router_find("/", 1) == &ROUTES[0], "/");
    tap_ok(router_find("/gpus", 5) != NULL && !router_find("/gpus", 5)->has_argument,
           "/gpus is the list");
    tap_ok(router_find("/gpus/x", 7) != NULL && router_find("/gpus/x", 7)->has_argument,
           "/gpus/x is one");
    tap_ok(router_find("/gpus/", 6) == NULL, "no card without a name");
    tap_ok(router_find("/gpusx", 6) == NULL && router_find("/GPUS", 5) == NULL, "names are exact");
    tap_ok(router_find("", 0) == NULL && router_find("//", 2) == NULL, "no path is no route");
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        tap_ok(ROUTES[i].path[0] == '/' &&
                   (ROUTES[i].handle != NULL || ROUTES[i].handle_post != NULL),
               "%s has a handler", ROUTES[i].path);
    }
}

static void test_methods(void)
{
    static const enum http_method REFUSED[] = {HTTP_POST, HTTP_DELETE, HTTP_OTHER};

    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        tap_ok(test_send("/recommend", (struct http_request){.method = REFUSED[i]}) == 405,
               "405 for method %zu", i);
        tap_text(test_header("Allow"), "GET, HEAD, OPTIONS", "Allow names what is");
    }
    test_send("*", (struct http_request){.method = HTTP_OPTIONS});
    tap_ok(test_response.status == 204 && test_response.body_bytes == 0, "OPTIONS * is 204");
    tap_text(test_header("Allow"), ROUTER_ALL_METHODS, "with all methods");
    tap_ok(test_get("*") == 404, "and * is nothing else");
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        const char *rest = ROUTES[i].allowed_methods;
        struct header_element element;
        bool are_known = true;

        while (header_list_next(&rest, &element)) {
            const char *method =
                arena_format(&test_arena, "%.*s", (int)element.length, element.name);

            are_known = are_known && strstr(ROUTER_ALL_METHODS, method) != NULL;
        }
        test_send(ROUTES[i].path, (struct http_request){.method = HTTP_OPTIONS});
        tap_ok(are_known && (ROUTES[i].has_argument ||
                             strcmp(test_header("Allow"), ROUTES[i].allowed_methods) == 0),
               "those of %s: %s", ROUTES[i].path, ROUTES[i].allowed_methods);
    }
    test_get("/models/llama-2-7b");
    size_t length = test_response.body_bytes;

    tap_ok(test_send("/models/llama-2-7b", (struct http_request){.method = HTTP_HEAD}) == 200 &&
               test_response.body_bytes == length,
           "HEAD is answered as GET; the server leaves the body out");
    tap_ok(test_get("/nothing") == 404, "404 for an unknown path");
    tap_text(test_text("type"), "urn:gpuwise:problem:not-found", "as a problem");
}

static void test_negotiation(void)
{
    tap_ok(test_send("/gpus", (struct http_request){.method = HTTP_GET, .accept = "image/png"}) ==
               406,
           "406 when no form of the answer is accepted");
    tap_text(test_text("available.0"), "application/json", "with the list of what there is");
    tap_ok(test_send("/healthz",
                     (struct http_request){.method = HTTP_GET, .accept = "image/png"}) == 200,
           "a probe is not negotiated");
    tap_ok(test_get("/gpus/%zz") == 400, "a bad percent encoding in the path");
    tap_ok(test_get("/gpus/a%00b") == 400, "a NUL in the path");
    tap_ok(test_get("/nothing") == 404 && strstr(test_text("detail"), "/gpus/{id}") != NULL &&
               strstr(test_text("detail"), "/static/") == NULL,
           "404 names the paths that there are");
    char target[LIMIT_TARGET_BYTES + 2];

    memset(target, 'a', sizeof target);
    target[0] = '/';
    target[LIMIT_TARGET_BYTES + 1] = '\0';
    tap_ok(test_get(target) == 414, "one byte over the limit");
    target[LIMIT_TARGET_BYTES] = '\0';
    tap_ok(test_get(target) == 404, "at the limit");
}

/* Bodies in a coding are told so, before anything reads them. */
static void test_body_codings(void)
{
    struct http_request request = {.method = HTTP_POST,
                                   .content_type = "application/json",
                                   .content_encoding = "gzip",
                                   .body = "{}",
                                   .body_bytes = 2};

    tap_ok(test_send("/estimate", request) == 415, "415 for a compressed body");
    tap_text(test_text("type"), "urn:gpuwise:problem:unsupported-content-coding", "by its name");
    tap_text(test_header("Accept-Encoding"), "identity", "with what is taken");
    tap_ok(strstr(test_text("detail"), "gzip") != NULL, "naming it: %s", test_text("detail"));
    request.content_encoding = "\xFF\"gz";
    tap_ok(test_send("/estimate", request) == 415 && strstr(test_text("detail"), "?\"gz") != NULL,
           "also one that is no text");
    request.content_encoding = "identity, deflate";
    tap_ok(test_send("/estimate", request) == 415, "also in a list");
    request.content_encoding = "Identity";
    tap_ok(test_send("/estimate", request) == 400 && test_header("Accept-Encoding") == NULL,
           "identity is no coding: the body is read");
    request.content_encoding = NULL;
    request.content_type = "text/csv";
    tap_ok(test_send("/estimate", request) == 415 && test_header("Accept-Encoding") == NULL,
           "another media type is 415 without it");
    tap_text(test_header("Accept"), "application/json", "and with what is taken");
    request.content_encoding = "gzip";
    tap_ok(test_send("/recommend", request) == 405, "where nothing is taken: 405");
}

static void test_readiness(void)
{
    struct app_view view = test_view;

    tap_ok(test_get("/readyz") == 200 && test_get("/healthz") == 200, "ready and alive");
    test_view.is_ready = false;
    tap_ok(test_get("/readyz") == 503 && test_header("Retry-After") != NULL, "503 when not ready");
    tap_ok(test_get("/healthz") == 200, "still alive");
    tap_ok(test_get("/tiers") == 200, "and requests are answered to the end");
    test_view.snapshot = NULL;
    tap_ok(test_get("/recommend") == 503 && test_get("/") == 503 && test_get("/static/x") == 404,
           "without a catalogue nothing crashes");
    test_view = view;
}

int main(void)
{
    test_routes();
    test_open();
    test_methods();
    test_negotiation();
    test_body_codings();
    test_readiness();
    return test_close();
}
