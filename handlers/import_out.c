/* Reports and records of imports as JSON, and the problems that all commands share. One request,
 * one thread. */
#include "import_out.h"

#include "admission.h"
#include "cache_rules.h"
#include "engine/catalogue.h"
#include "prices_in.h"
#include "problem.h"

static void write_text_or_null(struct json_out *out, const char *key, const char *text)
{
    json_out_text_at(out, key, text[0] == '\0' ? NULL : text);
}

static void write_suggestions(struct json_out *out, const struct import_note *note)
{
    json_out_open_array_at(out, "suggestions");
    for (size_t i = 0; i < note->suggestion_count; i++) {
        json_out_open_object(out);
        json_out_text_at(out, "id", note->suggestions[i].id);
        json_out_text_at(out, "name", note->suggestions[i].name);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}

/* What a file leaves unsaid, and whose offers it has. */
static void write_origin(struct json_out *out, const struct import_report *report)
{
    json_out_open_object_at(out, "observed_on");
    write_text_or_null(out, "day", report->seen_on);
    json_out_text_at(out, "from", IMPORT_DAY_FROM_NAMES[report->day_from]);
    json_out_close_object(out);
    json_out_open_array_at(out, "providers");
    for (size_t i = 0; i < report->provider_count && i < IMPORT_PROVIDERS_MAX; i++) {
        json_out_text(out, report->providers[i]);
    }
    json_out_close_array(out);
    json_out_count_at(out, "providers_total", report->provider_count);
}

static void write_markets(struct json_out *out, unsigned markets)
{
    json_out_open_array_at(out, "markets_assumed");
    for (enum currency currency = 0; currency < CURRENCY_COUNT; currency++) {
        if ((markets >> currency & 1U) != 0) {
            json_out_text(out, CURRENCY_MARKETS[currency]);
        }
    }
    json_out_close_array(out);
}

static void write_note(struct json_out *out, const struct import_note *note,
                       const struct import_out *told)
{
    enum import_out_places places = told->places;
    char path[PRICES_IN_PATH_BYTES];

    json_out_open_object(out);
    json_out_text_at(out, "code", IMPORT_FINDING_NAMES[note->finding]);
    if (places == IMPORT_OUT_LINES) {
        if (note->line == 0) {
            json_out_null_at(out, "line");
        } else {
            json_out_count_at(out, "line", note->line);
        }
        write_text_or_null(out, "column", note->column);
    } else {
        prices_in_path(note->line, note->column, places == IMPORT_OUT_PRICE, path);
        json_out_text_at(out, "parameter", path);
    }
    write_text_or_null(out, "value", note->value);
    json_out_text_at(out, "detail", note->reasons[told->language]);
    json_out_text_at(out, "effect", import_note_effect(told->report, note));
    write_suggestions(out, note);
    json_out_close_object(out);
}

static void write_notes(struct json_out *out, const char *key, const char *total_key,
                        const struct import_notes *notes, const struct import_out *told)
{
    json_out_open_array_at(out, key);
    for (size_t i = 0; i < notes->count; i++) {
        write_note(out, &notes->notes[i], told);
    }
    json_out_close_array(out);
    json_out_count_at(out, total_key, notes->total);
}

void import_out_report(struct json_out *out, const void *told)
{
    const struct import_out *asked = told;
    const struct import_report *report = asked->report;

    json_out_text_at(out, "outcome", import_report_outcome(report));
    json_out_bool_at(out, "dry_run", report->is_dry_run);
    if (report->import_id == 0) {
        json_out_null_at(out, "import_id");
    } else {
        json_out_count_at(out, "import_id", (size_t)report->import_id);
    }
    if (asked->places == IMPORT_OUT_LINES) {
        write_text_or_null(out, "format", report->format);
        json_out_count_at(out, "skipped", report->skipped);
        write_origin(out, report);
    } else {
        write_markets(out, asked->markets_assumed);
    }
    write_text_or_null(out, "table", report->table);
    json_out_count_at(out, "rows", report->rows);
    json_out_count_at(out, "accepted", report->accepted);
    json_out_count_at(out, "not_advising", report->not_advising);
    json_out_count_at(out, "merged", report->merged);
    json_out_count_at(out, "known", report->known);
    json_out_count_at(out, "held", report->held);
    write_notes(out, "rejected", "rejected_total", &report->rejected, asked);
    write_notes(out, "review", "review_total", &report->review, asked);
}

void import_out_entry(struct json_out *out, const struct import_entry *entry)
{
    json_out_count_at(out, "id", (size_t)entry->id);
    json_out_text_at(out, "at", entry->at);
    json_out_text_at(out, "who", entry->who);
    json_out_text_at(out, "table", entry->table);
    write_text_or_null(out, "file", entry->file);
    json_out_count_at(out, "rows_added", (size_t)entry->rows_added);
    json_out_count_at(out, "rows_known", (size_t)entry->rows_known);
    write_text_or_null(out, "undone_at", entry->undone_at);
}

void import_out_reply(struct exchange *exchange, const struct json_out *out, int status)
{
    if (out->text.has_failed) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){.status = status,
                                                 .body = out->text.bytes,
                                                 .body_bytes = out->text.length,
                                                 .place = HTTP_BODY_ARENA};
    cache_rules_probe(exchange);
}

void import_out_added(struct exchange *exchange, const struct import_out *told)
{
    const struct import_report *report = told->report;
    bool is_created = report->outcome == IMPORT_ADDED && report->import_id != 0;
    const char *place =
        is_created ? arena_format(exchange->arena, "/imports/%lld", (long long)report->import_id)
                   : NULL;
    struct json_out out;

    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    import_out_report(&out, told);
    json_out_close_object(&out);
    out.text.has_failed |= is_created && place == NULL;
    import_out_reply(exchange, &out, is_created ? 201 : 200);
    if (exchange->response->status == 201) {
        http_response_add_header(exchange->response, "Location", place);
    }
}

bool import_out_is_done(struct exchange *exchange, const struct command_outcome *outcome)
{
    const struct wording why = error_wording(&outcome->error);

    switch (outcome->status) {
    case COMMAND_DONE:
    case COMMAND_REFUSED:
        return true;
    case COMMAND_UNREADABLE:
        problem_reply(exchange, PROBLEM_REFUSED, &why);
        break;
    case COMMAND_BAD_PARAMETER:
        problem_reply_error(exchange, &outcome->error);
        break;
    case COMMAND_NO_TOKEN:
        admission_reply_bad_token(exchange);
        break;
    case COMMAND_NOT_FOUND:
        problem_reply(exchange, PROBLEM_NOT_FOUND, SAY(TEXT_NO_IMPORT, "GET /imports"));
        break;
    case COMMAND_CONFLICT:
        problem_reply(exchange, PROBLEM_CONFLICT, &why);
        break;
    case COMMAND_FAILED:
        problem_reply(
            exchange, PROBLEM_NOT_WRITTEN,
            SAY(outcome->error.code == ERROR_BAD_DATABASE ? TEXT_DATABASE_AWAY : TEXT_NOT_WRITTEN));
        break;
    }
    return false;
}
