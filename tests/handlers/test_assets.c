/* The page and its files: addresses with a hash, references rewritten. */
#include "handlers_fixture.h"

#include "../../handlers/assets.h"

#define FILE_OF(file, text, sum)                                                                   \
    {                                                                                              \
        file, (const unsigned char *)(text), sizeof(text) - 1, sum                                 \
    }

static void test_rewriting(void)
{
    const struct embedded_file files[] = {
        FILE_OF("app.js", "import './b.js'", "0000000000000001"),
        FILE_OF("b.js", "0", "0000000000000002"),
        FILE_OF("index.html",
                "<script src=\"app.js\"></script>app.js \"xapp.js\" \"index.html\" \"b.js",
                "0000000000000003"),
    };
    struct arena arena;
    struct assets assets;
    struct error err = {0};
    char wanted[256];

    arena_init(&arena, 1024 * 1024);
    tap_ok(assets_build(files, 3, &arena, &assets, &err), "built");
    (void)snprintf(
        wanted, sizeof wanted,
        "<script src=\"/static/%s/app.js\"></script>app.js \"xapp.js\" \"index.html\" \"b.js",
        assets.hash);
    tap_ok(assets.page != NULL && assets.page->size_bytes == strlen(wanted) &&
               memcmp(assets.page->bytes, wanted, strlen(wanted)) == 0,
           "whole quoted names become addresses, nothing else");
    char first_hash[ASSETS_HASH_BYTES];
    struct embedded_file changed[] = {files[0], files[1], files[2]};

    memcpy(first_hash, assets.hash, sizeof first_hash);
    changed[1].hash = "0000000000000004";
    tap_ok(assets_build(changed, 3, &arena, &assets, &err) && strcmp(first_hash, assets.hash) != 0,
           "another content, another address");
    (void)snprintf(wanted, sizeof wanted, "%s/b.js", assets.hash);
    tap_ok(assets_find(&assets, wanted, strlen(wanted)) == &assets.items[1],
           "found by hash and name");
    tap_ok(assets_find(&assets, wanted, strlen(wanted) - 1) == NULL, "not by a part of the name");
    (void)snprintf(wanted, sizeof wanted, "%s/b.js", first_hash);
    tap_ok(assets_find(&assets, wanted, strlen(wanted)) == NULL, "not by an old hash");
    (void)snprintf(wanted, sizeof wanted, "%s/index.html", assets.hash);
    tap_ok(assets_find(&assets, wanted, strlen(wanted)) == NULL, "the page is at / only");
    tap_ok(assets_find(&assets, "", 0) == NULL, "not by nothing");
    arena_fini(&arena);
}

/* Follows every address in the page as shipped. */
static void test_shipped_page(void)
{
    char page[64 * 1024];
    size_t followed = 0;
    bool all_served = true;

    test_open();
    test_get("/");
    size_t length = test_response.body_bytes < sizeof page ? test_response.body_bytes : 0;

    memcpy(page, test_response.body, length);
    page[length] = '\0';
    for (char *at = strstr(page, "\"/static/"); at != NULL; at = strstr(at + 1, "\"/static/")) {
        char target[128];
        size_t bytes = strcspn(at + 1, "\"");

        (void)snprintf(target, sizeof target, "%.*s", (int)bytes, at + 1);
        all_served =
            all_served && test_get(target) == 200 &&
            strcmp(test_header("Cache-Control"), "public, max-age=31536000, immutable") == 0;
        followed++;
    }
    tap_ok(followed >= 2 && all_served, "%zu files of the page are served for ever", followed);
    tap_ok(strstr(page, "src=\"app.js\"") == NULL, "no bare name is left");
    test_get("/docs");
    tap_ok(memmem(test_response.body, test_response.body_bytes, "\"docs.js\"", 9) == NULL &&
               memmem(test_response.body, test_response.body_bytes, "/docs.js\"", 9) != NULL,
           "nor in the page of the API");
    tap_ok(test_get("/static/0000000000000000/app.js") == 404, "an unknown hash is 404");
}

/* The contract is the same under every name of its media type, each with a tag of its own. */
static void test_contract(void)
{
    static const char *const ACCEPTS[][2] = {
        {NULL, "application/json"},
        {"application/*", "application/json"},
        {"application/openapi+json", "application/openapi+json"},
        {"text/html, application/vnd.oai.openapi+json;q=0.5", "application/vnd.oai.openapi+json"}};
    const char *etag = NULL;
    char tags[4][CACHE_RULES_ETAG_BYTES] = {""};

    for (size_t i = 0; i < sizeof ACCEPTS / sizeof ACCEPTS[0]; i++) {
        int status = test_send("/openapi.json",
                               (struct http_request){.method = HTTP_GET, .accept = ACCEPTS[i][0]});

        etag = test_header("ETag");
        tap_ok(status == 200 && test_body != NULL && etag != NULL, "the contract");
        tap_text(test_header("Content-Type"), ACCEPTS[i][1], "as it is asked for");
        (void)snprintf(tags[i], sizeof tags[i], "%s", etag == NULL ? "" : etag);
    }
    tap_text(tags[0], tags[1], "of one media type one tag");
    tap_ok(strcmp(tags[1], tags[2]) != 0 && strcmp(tags[2], tags[3]) != 0, "of others others");
    tap_ok(test_send("/openapi.json",
                     (struct http_request){.method = HTTP_GET, .accept = "text/csv"}) == 406,
           "and no table");
}

int main(void)
{
    test_rewriting();
    test_shipped_page();
    test_contract();
    return test_close();
}
