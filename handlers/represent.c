/* Reads the JSON document back with Jansson and hands it to the writer of the media type. Off the
 * hot path: what asks for JSON never comes here. One request, one thread. */
#include "represent.h"

#include "report_csv.h"
#include "report_html.h"
#include "report_pages.h"
#include "report_text.h"
#include "snapshot.h"

#include <assert.h>
#include <string.h>

static const char *request_path(struct exchange *exchange)
{
    return arena_copy_text(exchange->arena, exchange->request->path, exchange->request->path_bytes);
}

/* This answer with one parameter changed. */
static void link_to(struct exchange *exchange, struct report *report, const char *text,
                    const char *parameter, const char *value, const char *type,
                    const char *relation)
{
    const char *path = request_path(exchange);
    const char *target =
        path == NULL ? NULL
                     : query_target(&exchange->query, path, parameter, value, exchange->arena);

    report_add_link(report, report_word(report, text), target, type, relation);
}

/* The next page, the other forms and the other language. What was posted has no address. */
static void add_links(struct exchange *exchange, struct report *report, const json_t *root)
{
    const char *next = report_value_text(root, "page.next");
    enum language other = exchange->language == LANGUAGE_EN ? LANGUAGE_ZH : LANGUAGE_EN;

    if (exchange->request->method == HTTP_POST) {
        return;
    }
    if (*next != '\0') {
        link_to(exchange, report, "next_page", "cursor", next, NULL, "next");
    }
    link_to(exchange, report, "as_json", "format", MEDIA_NAMES[MEDIA_JSON], MEDIA_TYPES[MEDIA_JSON],
            "alternate");
    link_to(exchange, report, "as_csv", "format", MEDIA_NAMES[MEDIA_CSV], MEDIA_TYPES[MEDIA_CSV],
            "alternate");
    link_to(exchange, report, "as_text", "format", MEDIA_NAMES[MEDIA_TEXT], MEDIA_TYPES[MEDIA_TEXT],
            "alternate");
    link_to(exchange, report, "other_language", "lang", LANGUAGE_NAMES[other], NULL, "alternate");
}

/* Out of a problem: the page, the question as it was asked, the other language. */
static void add_ways_out(struct exchange *exchange, struct report *report)
{
    const char *path = exchange->path == NULL ? NULL : request_path(exchange);
    const char *target =
        path == NULL ? NULL : query_target(&exchange->query, path, "", NULL, exchange->arena);
    enum language other = exchange->language == LANGUAGE_EN ? LANGUAGE_ZH : LANGUAGE_EN;

    report_add_link(report, report_word(report, "the_page"), "/", NULL, "index");
    if (exchange->request->method == HTTP_POST || target == NULL) {
        return;
    }
    report_add_link(report, target, target, NULL, "self");
    link_to(exchange, report, "other_language", "lang", LANGUAGE_NAMES[other], NULL, "alternate");
}

/* The language goes on to other answers where it was asked for in the address. */
static void open_report(struct exchange *exchange, struct report *report)
{
    report_init(report, exchange->arena, exchange->language);
    if (query_find(&exchange->query, "lang") != NULL) {
        report->link_suffix = exchange->language == LANGUAGE_ZH ? "?lang=zh" : "?lang=en";
    }
}

static void write_report(struct exchange *exchange, const struct report *report,
                         struct text_out *out)
{
    const struct app_snapshot *snapshot = exchange->view->snapshot;

    if (exchange->media == MEDIA_TEXT) {
        report_text_write(out, report);
    } else if (snapshot == NULL) {
        report_html_write(out, report, NULL);
    } else {
        const char *assets = arena_format(exchange->arena, "/static/%s/", snapshot->assets.hash);

        out->has_failed |= assets == NULL;
        report_html_write(out, report, assets);
    }
    out->has_failed |= report->has_failed;
}

bool represent_answer(struct exchange *exchange, const struct json_out *json, struct text_out *out)
{
    const struct report_page *page = report_page_find(exchange->path);
    json_t *root = json_loadb(json->text.bytes, json->text.length, 0, NULL);
    struct report report;
    const struct teller teller = {&report, root, exchange->path};

    assert(page != NULL); /* else it was not negotiated */
    text_out_init(out, exchange->arena);
    if (root == NULL || (page->prepare != NULL && !page->prepare(root))) {
        json_decref(root);
        return false;
    }
    if (exchange->media == MEDIA_CSV) {
        report_csv_write(out, page->csv, root);
    } else {
        open_report(exchange, &report);
        page->tell(&teller);
        add_links(exchange, &report, root);
        write_report(exchange, &report, out);
    }
    json_decref(root);
    return !out->has_failed;
}

bool represent_problem(struct exchange *exchange, const struct json_out *json, struct text_out *out)
{
    json_t *root = json_loadb(json->text.bytes, json->text.length, 0, NULL);
    struct report report;
    const struct teller teller = {&report, root, exchange->path == NULL ? "" : exchange->path};

    text_out_init(out, exchange->arena);
    if (root == NULL) {
        return false;
    }
    open_report(exchange, &report);
    report_tell_problem(&teller);
    add_ways_out(exchange, &report);
    write_report(exchange, &report, out);
    json_decref(root);
    return !out->has_failed;
}
