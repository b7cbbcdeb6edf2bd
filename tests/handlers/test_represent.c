/* Every route in every representation and both languages, chosen by format and by Accept. */
#include "handlers_fixture.h"

#include "../../handlers/negotiate.h"
#include "../../handlers/report_pages.h"
#include "../../handlers/router.h"

enum { TARGET_BYTES = 400 };

/* What makes a whole question of each path; a route that is not here fails the test. */
static const struct {
    const char *path, *rest;
} QUESTIONS[] = {
    {"/recommend", "?budget=1000"},
    {"/deal", "?gpu=rtx-3090&price=700"},
    {"/compare", "?gpus=rtx-3090,rtx-4090,mi210"},
    {"/estimate", "?model=llama-3.1-8b&task=qlora"},
    {"/gpus", "?limit=20"},
    {"/gpus/", "rtx-3090"},
    {"/models", "?limit=20"},
    {"/models/", "llama-3.1-8b"},
    {"/tiers", ""},
    {"/cloud", "?limit=20"},
};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof QUESTIONS[0] };

static const char *rest_of(const char *path)
{
    for (size_t i = 0; i < QUESTION_COUNT; i++) {
        if (strcmp(QUESTIONS[i].path, path) == 0) {
            return QUESTIONS[i].rest;
        }
    }
    return NULL;
}

/* The last body as text that the next request leaves alone. */
static char *keep_body(void)
{
    char *copy = malloc(test_response.body_bytes + 1);

    if (copy == NULL) {
        test_bail_out("no memory", "body");
    }
    memcpy(copy, test_response.body, test_response.body_bytes);
    copy[test_response.body_bytes] = '\0';
    return copy;
}

static bool body_holds(const char *text)
{
    char *body = keep_body();
    bool holds = strstr(body, text) != NULL;

    free(body);
    return holds;
}

static bool is_header(const char *name, const char *value)
{
    const char *found = test_header(name);

    return found != NULL && strcmp(found, value) == 0;
}

/* What every document of a kind has. */
static bool is_well_formed(enum media media, enum language language)
{
    switch (media) {
    case MEDIA_JSON:
        return test_body != NULL;
    case MEDIA_HTML:
        return body_holds(language == LANGUAGE_ZH ? "<html lang=\"zh-CN\">"
                                                  : "<html lang=\"en\">") &&
               body_holds("<h1>") && body_holds("<title>") && body_holds("</html>\n") &&
               !body_holds("<script") && !body_holds("style=") && !body_holds(" onc");
    case MEDIA_TEXT:
        return body_holds("\n===") && test_body == NULL;
    case MEDIA_CSV:
        return body_holds("\r\n") && test_body == NULL;
    case MEDIA_COUNT:
        break;
    }
    return false;
}

static void test_route(const struct route *route, enum media media, enum language language)
{
    const char *rest = rest_of(route->path);
    char target[TARGET_BYTES];
    char etag[32] = "";

    (void)snprintf(target, sizeof target, "%s%s%cformat=%s&lang=%s", route->path, rest,
                   strchr(rest, '?') == NULL ? '?' : '&', MEDIA_NAMES[media],
                   LANGUAGE_NAMES[language]);
    int status = test_get(target);

    tap_ok(status == 200 && is_header("Content-Type", MEDIA_CONTENT_TYPES[media]) &&
               is_header("Content-Language", LANGUAGE_NAMES[language]) &&
               is_header("Vary", "Accept, Accept-Language, Accept-Encoding") &&
               is_well_formed(media, language),
           "%s", target);
    (void)snprintf(etag, sizeof etag, "%s", test_header("ETag"));
    char *by_format = keep_body();

    (void)snprintf(target, sizeof target, "%s%s", route->path, rest);
    status = test_send(target, (struct http_request){.method = HTTP_GET,
                                                     .accept = MEDIA_TYPES[media],
                                                     .accept_language = LANGUAGE_NAMES[language]});
    char *by_accept = keep_body();

    if (media == MEDIA_JSON || media == MEDIA_CSV) { /* the others link to themselves */
        tap_ok(status == 200 && strcmp(by_format, by_accept) == 0 && is_header("ETag", etag),
               "the same by Accept: %s", MEDIA_TYPES[media]);
    } else {
        tap_ok(status == 200 && is_header("Content-Type", MEDIA_CONTENT_TYPES[media]),
               "the same type by Accept: %s", MEDIA_TYPES[media]);
    }
    free(by_format);
    free(by_accept);
}

static void test_routes(void)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        if (!ROUTES[i].is_api || report_page_find(ROUTES[i].path) == NULL) {
            continue;
        }
        tap_ok(rest_of(ROUTES[i].path) != NULL, "%s has a question here", ROUTES[i].path);
        for (int media = 0; media < MEDIA_COUNT; media++) {
            for (int language = 0; language < LANGUAGE_COUNT; language++) {
                test_route(&ROUTES[i], (enum media)media, (enum language)language);
            }
        }
    }
    for (size_t i = 0; i < REPORT_PAGE_COUNT; i++) {
        tap_ok(router_find(REPORT_PAGES[i].path, strlen(REPORT_PAGES[i].path)) != NULL ||
                   strcmp(REPORT_PAGES[i].path, "/gpus/") == 0 ||
                   strcmp(REPORT_PAGES[i].path, "/models/") == 0,
               "%s is a route", REPORT_PAGES[i].path);
    }
}

static int get_as(const char *target, const char *accept)
{
    return test_send(target, (struct http_request){.method = HTTP_GET, .accept = accept});
}

static void test_choice(void)
{
    static const char BROWSER[] =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

    tap_ok(get_as("/gpus?limit=1", BROWSER) == 200 &&
               is_header("Content-Type", MEDIA_CONTENT_TYPES[MEDIA_HTML]),
           "a browser gets HTML");
    tap_ok(get_as("/gpus?limit=1&format=csv", BROWSER) == 200 &&
               is_header("Content-Type", "text/csv; charset=utf-8; header=present"),
           "format beats Accept");
    tap_ok(get_as("/gpus?limit=1&format=json", "text/csv") == 200 && test_body != NULL,
           "format=json beats Accept: text/csv");
    tap_ok(get_as("/gpus?limit=1&format=text", "image/png") == 200,
           "format beats what would be 406");
    tap_ok(get_as("/gpus", "image/png") == 406 && json_array_size(test_at("available")) == 4 &&
               strcmp(test_text("available.3"), "text/csv") == 0,
           "406 names what is available");
    tap_ok(get_as("/gpus?format=xml", NULL) == 400 &&
               strstr(test_detail("format"), "json, html, text, csv") != NULL,
           "format=xml: 400 names what is allowed");
    tap_ok(get_as("/gpus?format=", NULL) == 400, "format= is no format");
    tap_ok(get_as("/gpus?format=CSV", NULL) == 400, "formats are written small");
    tap_ok(get_as("/gpus?format=csv&format=text", NULL) == 400, "two formats are one too many");
    tap_ok(get_as("/gpus?limit=1", "text/csv") == 200 && body_holds("\r\n"), "Accept: text/csv");
    (void)get_as("/healthz", "text/html");
    tap_ok(test_response.status == 200 && test_body != NULL, "probes stay JSON");
}

static void test_problems(void)
{
    (void)get_as("/gpus?limit=0&x=1", "text/html");
    tap_ok(test_response.status == 400 &&
               is_header("Content-Type", MEDIA_CONTENT_TYPES[MEDIA_HTML]) && body_holds("<h1>") &&
               body_holds("limit") && body_holds("no parameter of /gpus"),
           "a browser reads what is wrong");
    tap_ok(!body_holds("listed in errors") && body_holds("<a href=\"/\">To the page</a>") &&
               body_holds("<a href=\"/gpus?limit=0&amp;x=1\">") &&
               body_holds("<a href=\"/gpus?limit=0&amp;x=1&amp;lang=zh\">"),
           "and goes on: to the page, to the question, to the other language");
    (void)get_as("/gpus/a100", "text/html");
    tap_ok(test_response.status == 300 && body_holds("href=\"/gpus/nvidia-a100-pcie-40gb\""),
           "and follows a candidate");
    (void)get_as("/models/llama-3.1-9b", "text/html");
    tap_ok(test_response.status == 404 && body_holds("href=\"/models/llama-3.1-8b\""),
           "or a suggestion, of models too");
    (void)get_as("/gpus?limit=0", "text/plain");
    tap_ok(test_response.status == 400 &&
               is_header("Content-Type", MEDIA_CONTENT_TYPES[MEDIA_TEXT]) && body_holds("\n===") &&
               body_holds("limit"),
           "a terminal reads lines");
    (void)get_as("/gpus?limit=0&format=text", NULL);
    tap_ok(test_response.status == 400 &&
               is_header("Content-Type", MEDIA_CONTENT_TYPES[MEDIA_TEXT]),
           "by format too");
    (void)get_as("/nowhere?format=text", NULL);
    tap_ok(test_response.status == 404 && body_holds("/recommend"), "also where there is no route");
    (void)get_as("/gpus?limit=0", "text/csv");
    tap_ok(test_response.status == 400 && is_header("Content-Type", "application/problem+json") &&
               test_number("status") == 400,
           "a program that wants CSV gets the problem as JSON");
    (void)get_as("/gpus?limit=0&lang=zh", "text/html");
    tap_ok(body_holds("<html lang=\"zh-CN\">") && is_header("Content-Language", "zh"),
           "in the language asked");
}

/* Before the catalogue is there a browser gets a page without style. */
static void test_no_snapshot(void)
{
    const struct app_snapshot *snapshot = test_view.snapshot;

    test_view.snapshot = NULL;
    (void)get_as("/gpus", "text/html");
    tap_ok(test_response.status == 503 && body_holds("<h1>") && !body_holds("stylesheet"),
           "503 as a page");
    test_view.snapshot = snapshot;
}

/* A form of a browser sends its empty fields too. */
static void test_empty_fields(void)
{
    tap_ok(get_as("/recommend?task=learn&model=&budget=1000&condition=any", "text/html") == 200,
           "a form with an empty field is answered");
    tap_ok(get_as("/recommend?task=learn&model=&budget=1000", NULL) == 400,
           "a program is told that it sent nothing");
}

static void test_lists(void)
{
    for (int media = 0; media < MEDIA_COUNT; media++) {
        (void)get_as("/gpus?vendor=nvidia&limit=2&sort=-memory_gib", MEDIA_TYPES[media]);
        const char *link = test_header("Link");

        tap_ok(link != NULL && strstr(link, "rel=\"next\"") != NULL &&
                   strstr(link, "vendor=nvidia") != NULL,
               "%s: Link leads to the next page", MEDIA_NAMES[media]);
    }
    (void)get_as("/gpus?vendor=nvidia&limit=2", "text/html");
    tap_ok(body_holds("<link rel=\"next\" href=\"/gpus?vendor=nvidia&amp;limit=2&amp;cursor="),
           "and so does the page itself");
    tap_ok(body_holds("href=\"/gpus?vendor=nvidia&amp;limit=2&amp;format=csv\""),
           "which links to its other forms");
    (void)get_as("/gpus?vendor=nvidia&limit=2", "text/html");
    tap_ok(body_holds("href=\"/cloud\"") && !body_holds("/gpus/nvidia-b200-sxm-180gb?lang"),
           "links say no language that was not asked for");
    (void)get_as("/gpus?vendor=nvidia&limit=2&lang=zh", "text/html");
    tap_ok(body_holds("href=\"/cloud?lang=zh\"") && body_holds("?lang=zh\">"),
           "and keep the one that was");
    (void)get_as("/gpus?vendor=nvidia&limit=500", "text/csv");
    tap_ok(test_header("Link") == NULL, "the last page has none");
}

static void test_tags(void)
{
    char tags[MEDIA_COUNT * LANGUAGE_COUNT][32];
    size_t count = 0;
    bool are_different = true;

    for (int media = 0; media < MEDIA_COUNT; media++) {
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            (void)test_send("/gpus?limit=1",
                            (struct http_request){.method = HTTP_GET,
                                                  .accept = MEDIA_TYPES[media],
                                                  .accept_language = LANGUAGE_NAMES[language]});
            (void)snprintf(tags[count++], sizeof tags[0], "%s", test_header("ETag"));
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            are_different = are_different && strcmp(tags[i], tags[j]) != 0;
        }
    }
    tap_ok(are_different, "%zu representations, each with its own tag", count);
    (void)test_send("/gpus?limit=1",
                    (struct http_request){.method = HTTP_HEAD, .accept = "text/csv"});
    tap_ok(test_response.status == 200 && is_header("Content-Type", MEDIA_CONTENT_TYPES[MEDIA_CSV]),
           "HEAD as GET");
}

static void test_posted(void)
{
    static const char CONFIG[] =
        "{\"architectures\":[\"LlamaForCausalLM\"],\"model_type\":\"llama\",\"hidden_size\":4096,"
        "\"intermediate_size\":14336,\"num_attention_heads\":32,\"num_hidden_layers\":32,"
        "\"num_key_value_heads\":8,\"vocab_size\":128256,\"max_position_embeddings\":8192}";

    for (int media = 0; media < MEDIA_COUNT; media++) {
        int status = test_send("/estimate?gpu=rtx-4090&task=inference",
                               (struct http_request){.method = HTTP_POST,
                                                     .content_type = "application/json",
                                                     .accept = MEDIA_TYPES[media],
                                                     .body = CONFIG,
                                                     .body_bytes = sizeof CONFIG - 1});

        tap_ok(status == 200 && is_header("Content-Type", MEDIA_CONTENT_TYPES[media]) &&
                   is_header("Cache-Control", "no-store") &&
                   is_well_formed((enum media)media, LANGUAGE_EN),
               "POST /estimate as %s", MEDIA_NAMES[media]);
    }
}

/* Even the smallest arena is answered by a whole document. */
static void test_out_of_memory(void)
{
    static const char *const TARGETS[] = {"/recommend", "/gpus/rtx-3090", "/gpus?limit=0"};
    bool all_whole = true;
    size_t refused = 0;

    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        for (size_t limit = 1024; limit < 3 * 1024 * 1024; limit += limit / 3) {
            for (int media = 0; media < MEDIA_COUNT; media++) {
                struct arena small;

                arena_fini(&test_arena);
                arena_init(&small, limit);
                test_arena = small;
                (void)get_as(TARGETS[i], MEDIA_TYPES[media]);
                bool is_json = strstr(test_header("Content-Type"), "json") != NULL;

                refused += test_response.status == 503 ? 1 : 0;
                all_whole = all_whole && (!is_json || test_body != NULL) &&
                            (test_response.status == 503 ? is_json : true);
            }
        }
    }
    tap_ok(all_whole && refused > 20, "out of memory: a problem, never half an answer (%zu times)",
           refused);
    arena_fini(&test_arena);
    arena_init(&test_arena, LIMIT_REQUEST_ARENA_BYTES);
}

int main(void)
{
    test_open();
    test_routes();
    test_choice();
    test_problems();
    test_no_snapshot();
    test_empty_fields();
    test_lists();
    test_tags();
    test_posted();
    test_out_of_memory();
    return test_close();
}
