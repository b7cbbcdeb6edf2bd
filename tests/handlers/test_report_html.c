/* HTML answers: balanced markup, every text escaped for its place, tables that say what they are.
 */
#include "hostile_fixture.h"

#include "../../handlers/engine/text.h"
#include "../../handlers/report_html.h"

enum { DEPTH_MAX = 32, NAME_BYTES = 16 };

static int get_html(const char *target)
{
    return test_send(target, (struct http_request){.method = HTTP_GET, .accept = "text/html"});
}

static bool body_holds(const char *text)
{
    return memmem(test_response.body, test_response.body_bytes, text, strlen(text)) != NULL;
}

static size_t count_of(const char *text)
{
    size_t count = 0;
    const char *at = test_response.body;
    const char *end = at + test_response.body_bytes;

    while ((at = memmem(at, (size_t)(end - at), text, strlen(text))) != NULL) {
        count++;
        at += strlen(text);
    }
    return count;
}

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 || strcmp(name, "img") == 0 ||
           strcmp(name, "!DOCTYPE") == 0;
}

static bool is_known(const char *name)
{
    static const char *const KNOWN[] = {
        "!DOCTYPE", "html",  "head",    "meta", "title", "link",  "body", "header", "main",
        "h1",       "h2",    "p",       "ul",   "li",    "a",     "nav",  "footer", "section",
        "div",      "table", "caption", "img",  "thead", "tbody", "tr",   "th",     "td"};

    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        if (strcmp(KNOWN[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Every tag is one of ours and closed in order; no '<' stands but as a tag. */
static bool is_balanced(void)
{
    char open[DEPTH_MAX][NAME_BYTES];
    size_t depth = 0;
    const char *at = test_response.body;
    const char *end = at + test_response.body_bytes;

    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        bool is_end = at[1] == '/';
        const char *start = at + (is_end ? 2 : 1);
        const char *close = memchr(at, '>', (size_t)(end - at));
        size_t length = strcspn(start, " >\n");
        char name[NAME_BYTES] = "";

        if (close == NULL || length >= NAME_BYTES) {
            return false;
        }
        memcpy(name, start, length);
        if (!is_known(name) || (is_end && (depth == 0 || strcmp(open[depth - 1], name) != 0)) ||
            (!is_end && !is_void(name) && depth == DEPTH_MAX)) {
            printf("# <%s%s at depth %zu\n", is_end ? "/" : "", name, depth);
            return false;
        }
        if (is_end) {
            depth--;
        } else if (!is_void(name)) {
            memcpy(open[depth++], name, NAME_BYTES);
        }
        at = close + 1;
    }
    return depth == 0;
}

static void test_markup(void)
{
    static const char *const TARGETS[] = {
        "/recommend?budget=1000",
        "/recommend?task=inference&model=llama-3.1-70b&max_gpus=4&lang=zh",
        "/recommend?task=train&model=llama-3.1-405b&budget=100",
        "/deal?gpu=rtx-3090&price=700",
        "/compare?gpus=rtx-3090,k80",
        "/estimate?model=7b",
        "/gpus",
        "/gpus/rtx-3090?lang=zh",
        "/models",
        "/models/gpt2",
        "/tiers",
        "/cloud?kind=tpu",
        "/nowhere?x=%3Cscript%3E",
        "/gpus/%3Cb%3E",
        "/gpus?limit=0&%3Ci%3E=1"};

    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        (void)get_html(TARGETS[i]);
        tap_ok(is_balanced() && count_of("<h1>") == 1 && count_of("<title>") == 1 &&
                   count_of("<table") == count_of("<caption") && count_of("<script") == 0,
               "%s is whole", TARGETS[i]);
    }
    (void)get_html("/recommend?budget=1000");
    tap_ok(count_of("<th scope=\"col\"") > 10 && count_of(" scope=\"row\"") > 10,
           "heads of columns and rows are marked");
    tap_ok(body_holds("<a href=\"/gpus/nvidia-geforce-rtx-3090\">RTX 3090</a>"),
           "a card leads to its page");
    tap_ok(body_holds("<link rel=\"alternate\" href=\"/recommend?budget=1000&amp;format=csv\" "
                      "type=\"text/csv\">"),
           "the other forms are linked");
    tap_text(test_header("Content-Security-Policy"),
             "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors 'none'",
             "nothing but our style and mark is loaded");
}

static void test_hostile_names(void)
{
    (void)get_html("/gpus?limit=500");
    tap_ok(is_balanced() && count_of("<script") == 0, "names are no markup");
    tap_ok(body_holds("&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;'\"</a>"),
           "but shown as they are");
    tap_ok(body_holds("it's 5 &lt; 6 &gt; 4"), "also the harmless ones");
    tap_ok(!body_holds("\x1B") && !body_holds("\x07"), "controls are gone");
    (void)get_html("/compare?gpus=nvidia-geforce-rtx-3090,nvidia-geforce-rtx-4090");
    tap_ok(is_balanced(), "a comparison stands");
}

/* Headings over nothing: a card without a price, a table whose columns are all unknown. */
static void test_nothing_to_say(void)
{
    struct text_out out;
    struct report report;

    arena_reset(&test_arena);
    text_out_init(&out, &test_arena);
    report_init(&report, &test_arena, LANGUAGE_EN);
    struct report_block *block = report_add(&report, REPORT_TABLE, "Unknown", 3, 2);

    report_drop_empty_columns(block);
    report_html_write(&out, &report, NULL);
    test_response = (struct http_response){.body = out.bytes, .body_bytes = out.length};
    tap_ok(!out.has_failed && is_balanced() && !body_holds("Unknown"),
           "a table without any cell is not there");
    (void)get_html("/gpus/nvidia-b100-192gb");
    tap_ok(test_response.status == 200 && is_balanced() && !body_holds("<tbody>\n</tbody>"),
           "a card without a price has no empty table");
}

/* A quotation mark in an attribute, which no name of ours reaches today but a head can. */
static void test_attributes(void)
{
    struct text_out out;
    struct report report;

    arena_reset(&test_arena);
    text_out_init(&out, &test_arena);
    report_init(&report, &test_arena, LANGUAGE_EN);
    report.title = "a <b> & \"c\"";
    struct report_block *block = report_add(&report, REPORT_TABLE, "\"><i>", 1, 1);

    block->heads[0].text = "\" onclick=\"x";
    block->cells[0] = (struct report_cell){"cell", "/x?\"><script>"};
    report_add_link(&report, "link", "/y?a=1&b=\"", "text/csv", "alternate");
    report_html_write(&out, &report, NULL);
    test_response = (struct http_response){.body = out.bytes, .body_bytes = out.length};
    tap_ok(!out.has_failed && !report.has_failed && is_balanced(),
           "attributes stay in their quotes");
    tap_ok(body_holds("data-head=\"&quot; onclick=&quot;x\"") &&
               body_holds("href=\"/x?&quot;&gt;&lt;script&gt;\"") &&
               body_holds("aria-label=\"&quot;&gt;&lt;i&gt;\"") &&
               body_holds("href=\"/y?a=1&amp;b=&quot;\""),
           "as entities");
    tap_ok(body_holds("<title>a &lt;b&gt; &amp; \"c\" - gpuwise</title>"), "and text as text");
}

int main(void)
{
    test_open();
    test_markup();
    struct app_snapshot *plain = (struct app_snapshot *)(uintptr_t)test_view.snapshot;

    arena_fini(&test_arena);
    hostile_open();
    app_snapshot_unref(plain);
    test_hostile_names();
    test_attributes();
    test_nothing_to_say();
    return test_close();
}
