/* Writes HTML; every text goes through the escape of its place. One request, one thread. */
#include "report_html.h"

#include <string.h>

/* Replaces what would end or open markup; what is no character of HTML becomes a blank. */
static void escape(struct text_out *out, const char *text, const char *special)
{
    while (*text != '\0') {
        size_t length = strcspn(text, special);

        text_out_bytes(out, text, length);
        text += length;
        switch (*text) {
        case '\0':
            return;
        case '&':
            text_out_text(out, "&amp;");
            break;
        case '<':
            text_out_text(out, "&lt;");
            break;
        case '>':
            text_out_text(out, "&gt;");
            break;
        case '"':
            text_out_text(out, "&quot;");
            break;
        default:
            text_out_text(out, " ");
        }
        text++;
    }
}

#define CONTROLS                                                                                   \
    "\x01\x02\x03\x04\x05\x06\x07\x08\x0B\x0C\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19"     \
    "\x1A\x1B\x1C\x1D\x1E\x1F\x7F"

/* Text between tags. */
static void write_text(struct text_out *out, const char *text)
{
    escape(out, text, "&<>" CONTROLS);
}

/* Inside a value in double quotes: attributes, among them addresses on this server. */
static void write_attribute(struct text_out *out, const char *name, const char *value)
{
    text_out_text(out, " ");
    text_out_text(out, name);
    text_out_text(out, "=\"");
    escape(out, value, "&<>\"\t\r\n" CONTROLS);
    text_out_text(out, "\"");
}

static void write_element(struct text_out *out, const char *name, const char *text)
{
    text_out_text(out, "<");
    text_out_text(out, name);
    text_out_text(out, ">");
    write_text(out, text);
    text_out_text(out, "</");
    text_out_text(out, name);
    text_out_text(out, ">\n");
}

static void write_cell_text(struct text_out *out, const struct report_cell *cell)
{
    if (cell->href == NULL || *cell->text == '\0') {
        write_text(out, cell->text);
        return;
    }
    text_out_text(out, "<a");
    write_attribute(out, "href", cell->href);
    text_out_text(out, ">");
    write_text(out, cell->text);
    text_out_text(out, "</a>");
}

static void write_asset(struct text_out *out, const char *assets, const char *relation,
                        const char *name)
{
    text_out_text(out, "<link");
    write_attribute(out, "rel", relation);
    text_out_text(out, " href=\"");
    escape(out, assets, "&<>\"");
    text_out_text(out, name);
    text_out_text(out, "\">\n");
}

/* Where else to go. */
static void write_ways(struct text_out *out, const struct report *report)
{
    static const struct {
        const char *href, *word;
    } WAYS[] = {{"/gpus", "title_gpus"},
                {"/models", "title_models"},
                {"/tiers", "nav_tiers"},
                {"/cloud", "nav_cloud"}};

    text_out_text(out, "<nav aria-label=\"gpuwise\">");
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        text_out_text(out, "<a href=\"");
        text_out_text(out, WAYS[i].href);
        text_out_text(out, report->link_suffix);
        text_out_text(out, "\">");
        write_text(out, report_word(report, WAYS[i].word));
        text_out_text(out, "</a>");
    }
    text_out_text(out, "</nav>");
}

static void write_head(struct text_out *out, const struct report *report, const char *assets)
{
    text_out_text(out, "<!DOCTYPE html>\n<html");
    write_attribute(out, "lang", report->language == LANGUAGE_ZH ? "zh-CN" : "en");
    text_out_text(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    write_text(out, report->title);
    text_out_text(out, " - gpuwise</title>\n");
    if (assets != NULL) {
        write_asset(out, assets, "icon", "mark.svg");
        write_asset(out, assets, "stylesheet", "style.css");
    }
    for (size_t i = 0; i < report->link_count; i++) {
        const struct report_link *link = &report->links[i];

        text_out_text(out, "<link");
        write_attribute(out, "rel", link->relation);
        write_attribute(out, "href", link->href);
        if (link->type != NULL) {
            write_attribute(out, "type", link->type);
        }
        text_out_text(out, ">\n");
    }
    text_out_text(out, "</head>\n<body>\n<header class=\"top\"><a class=\"brand\" href=\"/\">");
    if (assets != NULL) {
        text_out_text(out, "<img src=\"");
        escape(out, assets, "&<>\"");
        text_out_text(out, "mark.svg\" alt=\"\" width=\"18\" height=\"18\">");
    }
    text_out_text(out, "gpuwise</a>\n");
    write_ways(out, report);
    text_out_text(out, "</header>\n<main class=\"page report\">\n");
    write_element(out, "h1", report->title);
}

/* The column that names the row: the first that is no number. */
static size_t naming_column(const struct report_block *block)
{
    size_t column = 0;

    while (column + 1 < block->column_count && block->heads[column].is_number) {
        column++;
    }
    return column;
}

/* A cell of the body; its column's head is said again where a narrow screen shows no heads. */
static void write_cell(struct text_out *out, const struct report_block *block, size_t row,
                       size_t column)
{
    static const struct report_cell NOTHING = {"-", NULL}; /* a number that is not known */
    const struct report_cell *cell = &block->cells[row * block->column_count + column];
    bool is_name = column == naming_column(block);
    const char *name = is_name ? "th" : "td";

    text_out_text(out, "<");
    text_out_text(out, name);
    if (is_name) {
        write_attribute(out, "scope", "row");
    }
    if (block->heads[column].is_number) {
        write_attribute(out, "class", "number");
    }
    if (block->kind == REPORT_TABLE) {
        write_attribute(out, "data-head", block->heads[column].text);
    }
    text_out_text(out, ">");
    write_cell_text(out, *cell->text == '\0' && block->heads[column].is_number ? &NOTHING : cell);
    text_out_text(out, "</");
    text_out_text(out, name);
    text_out_text(out, ">");
}

static void write_table(struct text_out *out, const struct report *report,
                        const struct report_block *block)
{
    const char *caption = block->heading == NULL ? report->title : block->heading;

    text_out_text(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\"");
    write_attribute(out, "aria-label", caption);
    text_out_text(out, ">\n<table>\n");
    text_out_text(out, "<caption class=\"hidden\">");
    write_text(out, caption);
    text_out_text(out, "</caption>\n");
    if (block->kind == REPORT_TABLE) {
        text_out_text(out, "<thead><tr>");
        for (size_t i = 0; i < block->column_count; i++) {
            text_out_text(out, "<th scope=\"col\"");
            if (block->heads[i].is_number) {
                write_attribute(out, "class", "number");
            }
            text_out_text(out, ">");
            write_text(out, block->heads[i].text);
            text_out_text(out, "</th>");
        }
        text_out_text(out, "</tr></thead>\n");
    }
    text_out_text(out, "<tbody>\n");
    for (size_t row = 0; row < block->row_count; row++) {
        text_out_text(out, "<tr>");
        for (size_t i = 0; i < block->column_count; i++) {
            write_cell(out, block, row, i);
        }
        text_out_text(out, "</tr>\n");
    }
    text_out_text(out, "</tbody>\n</table>\n</div>\n");
}

static void write_block(struct text_out *out, const struct report *report,
                        const struct report_block *block)
{
    text_out_text(out, "<section>\n");
    if (block->heading != NULL) {
        write_element(out, "h2", block->heading);
    }
    switch (block->kind) {
    case REPORT_PARAGRAPH:
        write_element(out, "p", block->cells[0].text);
        break;
    case REPORT_ITEMS:
        text_out_text(out, "<ul>\n");
        for (size_t row = 0; row < block->row_count; row++) {
            write_element(out, "li", block->cells[row].text);
        }
        text_out_text(out, "</ul>\n");
        break;
    case REPORT_FACTS:
    case REPORT_TABLE:
        write_table(out, report, block);
        break;
    }
    text_out_text(out, "</section>\n");
}

static void write_links(struct text_out *out, const struct report *report)
{
    text_out_text(out, "<nav");
    write_attribute(out, "aria-label", report_word(report, "other_forms"));
    text_out_text(out, ">\n<ul>\n");
    for (size_t i = 0; i < report->link_count; i++) {
        const struct report_cell cell = {report->links[i].text, report->links[i].href};

        text_out_text(out, "<li>");
        write_cell_text(out, &cell);
        text_out_text(out, "</li>\n");
    }
    text_out_text(out, "</ul>\n</nav>\n");
}

void report_html_write(struct text_out *out, const struct report *report, const char *assets)
{
    write_head(out, report, assets);
    for (const struct report_block *block = report->first; block != NULL; block = block->next) {
        if (block->row_count > 0) {
            write_block(out, report, block);
        }
    }
    text_out_text(out, "</main>\n");
    if (report->link_count > 0) {
        text_out_text(out, "<footer class=\"foot\">\n");
        write_links(out, report);
        text_out_text(out, "</footer>\n");
    }
    text_out_text(out, "</body>\n</html>\n");
}
