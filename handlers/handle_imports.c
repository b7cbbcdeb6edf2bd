/* /imports: files imported, the log of imports, and undoing one. One request, one thread. */
#include "handle.h"

#include "admission.h"
#include "body_type.h"
#include "engine/day.h"
#include "import_out.h"
#include "params_in.h"
#include "problem.h"

#include <stddef.h>
#include <string.h>

static const char EXAMPLE_DAY[] = "2026-11-30";
static const char FILE_TYPES[] = "text/csv, application/json, application/octet-stream";
static const char FILE_SENDER[] = "curl -H 'Content-Type: text/csv' --data-binary @FILE";

enum { ID_DIGITS_MAX = 18 }; /* fit into an int64_t */

struct file_ask {
    const char *file, *provider, *observed_on, *source;
    int dry_run, accept_review; /* places in PARAMS_IN_YES_NO */
};

struct log_ask {
    size_t limit;
    double cursor;
};

#define AT(field) .offset = offsetof(struct file_ask, field)
#define ANSWER .kind = PARAM_CHOICE, .choices = PARAMS_IN_YES_NO, .choice_count = 2
static const struct param FILE_PARAMS[] = {
    {.name = "file", .kind = PARAM_TEXT, AT(file)},
    {.name = "provider", .kind = PARAM_TEXT, AT(provider)},
    {.name = "observed_on", .kind = PARAM_TEXT, AT(observed_on)},
    {.name = "source", .kind = PARAM_TEXT, AT(source)},
    {.name = "dry_run", ANSWER, AT(dry_run)},
    {.name = "accept_review", ANSWER, AT(accept_review)},
};
#undef AT
#undef ANSWER

static const struct param LOG_PARAMS[] = {
    {.name = "limit",
     .kind = PARAM_COUNT,
     .minimum = 1,
     .maximum = LIMIT_LIST_MAX,
     .example = "50",
     .offset = offsetof(struct log_ask, limit)},
    {.name = "cursor",
     .kind = PARAM_WHOLE,
     .minimum = 1,
     .maximum = 9007199254740992.0, /* 2^53 */
     .example = "the value of page.next",
     .offset = offsetof(struct log_ask, cursor)},
};

_Static_assert((int)COMMAND_ENTRIES_MAX == (int)LIMIT_LIST_MAX, "a page fits");

static bool is_file_type(const char *content_type)
{
    static const char *const TYPES[] = {"text/csv", "application/json", "application/octet-stream"};

    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (body_type_is(content_type, TYPES[i])) {
            return true;
        }
    }
    return false;
}

static void check_file(struct exchange *exchange, const struct file_ask *asked)
{
    struct complaints *complaints = &exchange->complaints;
    int32_t day = DAY_UNKNOWN;

    if (asked->observed_on != NULL &&
        (!day_parse(asked->observed_on, strlen(asked->observed_on), &day) ||
         day > exchange->view->day)) {
        complaints_add(complaints, "observed_on", strlen("observed_on"),
                       SAY(TEXT_PAST_DAY, EXAMPLE_DAY));
    }
    if (exchange->request->body_bytes == 0) {
        complaints_add(complaints, "body", strlen("body"), SAY(TEXT_FILE_EMPTY));
    }
}

void handle_imports_posted(struct exchange *exchange)
{
    struct file_ask asked = {0};
    const struct param_group group = {FILE_PARAMS, sizeof FILE_PARAMS / sizeof FILE_PARAMS[0], 0,
                                      &asked};
    struct command *command = admission_command(exchange, COMMAND_IMPORT);

    if (command == NULL) {
        return;
    }
    if (!is_file_type(exchange->request->content_type)) {
        problem_reply_media_type(exchange, SAY(TEXT_FILE_MEDIA_TYPE, FILE_TYPES, FILE_SENDER),
                                 FILE_TYPES);
        return;
    }
    params_in_collect(exchange, &group, 1);
    check_file(exchange, &asked);
    if (!params_in_accept(exchange)) {
        return;
    }
    command->file_name = asked.file;
    command->provider = asked.provider;
    command->observed_on = asked.observed_on;
    command->source = asked.source;
    command->is_dry_run = asked.dry_run == 1;
    command->accepts_review = asked.accept_review == 1;
    exchange->response->command = command;
}

void handle_imports(struct exchange *exchange)
{
    struct log_ask asked = {.limit = LIMIT_LIST_DEFAULT};
    const struct param_group group = {LOG_PARAMS, sizeof LOG_PARAMS / sizeof LOG_PARAMS[0], 0,
                                      &asked};
    struct command *command = admission_command(exchange, COMMAND_LIST);

    if (command != NULL && params_in_read(exchange, &group, 1)) {
        command->before = (int64_t)asked.cursor;
        command->limit = asked.limit;
        exchange->response->command = command;
    }
}

/* The import that the path names; 0: none can have that id. */
static int64_t id_of(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    int64_t id = 0;

    if (digits == 0 || digits > ID_DIGITS_MAX || text[digits] != '\0' || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < digits; i++) {
        id = id * 10 + (text[i] - '0');
    }
    return id;
}

static void ask_of_one(struct exchange *exchange, enum command_kind kind)
{
    struct command *command = admission_command(exchange, kind);
    int64_t id = id_of(exchange->argument);

    if (command == NULL || !params_in_read(exchange, NULL, 0)) {
        return;
    }
    if (id == 0) {
        problem_reply(exchange, PROBLEM_NOT_FOUND,
                      SAY(TEXT_IMPORT_NUMBER, "/imports/7", "GET /imports"));
        return;
    }
    command->import_id = id;
    command->limit = 1;
    exchange->response->command = command;
}

void handle_import(struct exchange *exchange)
{
    ask_of_one(exchange, COMMAND_LIST);
}

void handle_import_deleted(struct exchange *exchange)
{
    ask_of_one(exchange, COMMAND_UNDO);
}

/* Adds Link: <next page>; rel="next". */
static void add_link(struct exchange *exchange, const char *cursor)
{
    const char *target =
        query_target(&exchange->query, exchange->path, "cursor", cursor, exchange->arena);
    const char *value =
        target == NULL ? NULL : arena_format(exchange->arena, "<%s>; rel=\"next\"", target);

    if (value == NULL) {
        problem_reply_out_of_memory(exchange);
    } else if (exchange->response->status == 200) {
        http_response_add_header(exchange->response, "Link", value);
    }
}

static void reply_page(struct exchange *exchange, const struct command *command,
                       const struct command_outcome *outcome)
{
    const char *next = NULL;
    struct json_out out;

    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    json_out_open_array_at(&out, "data");
    for (size_t i = 0; i < outcome->entry_count; i++) {
        json_out_open_object(&out);
        import_out_entry(&out, &outcome->entries[i]);
        json_out_close_object(&out);
    }
    json_out_close_array(&out);
    if (outcome->has_more && outcome->entry_count > 0) {
        next = arena_format(exchange->arena, "%lld",
                            (long long)outcome->entries[outcome->entry_count - 1].id);
        out.text.has_failed |= next == NULL;
    }
    json_out_open_object_at(&out, "page");
    json_out_count_at(&out, "limit", command->limit);
    json_out_text_at(&out, "next", next);
    json_out_close_object(&out);
    json_out_count_at(&out, "total", outcome->total);
    json_out_close_object(&out);
    import_out_reply(exchange, &out, 200);
    if (next != NULL) {
        add_link(exchange, next);
    }
}

static void reply_one(struct exchange *exchange, const struct command *command,
                      const struct command_outcome *outcome)
{
    struct json_out out;

    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    import_out_entry(&out, &outcome->entries[0]);
    if (command->kind == COMMAND_UNDO) {
        const char *note = text_say(SAY(TEXT_IMPORT_UNDONE), exchange->language, exchange->arena);

        json_out_count_at(&out, "rows_removed", outcome->removed);
        json_out_text_at(&out, "note", note);
        out.text.has_failed |= note == NULL;
    }
    json_out_close_object(&out);
    import_out_reply(exchange, &out, 200);
}

void handle_imports_finish(struct exchange *exchange, const struct command *command,
                           const struct command_outcome *outcome)
{
    const struct import_out told = {outcome->report, IMPORT_OUT_LINES, exchange->language, 0};

    if (!import_out_is_done(exchange, outcome)) {
        return;
    }
    if (outcome->status == COMMAND_REFUSED) {
        problem_reply_with(exchange, PROBLEM_REFUSED, SAY(TEXT_FILE_REJECTED), import_out_report,
                           &told);
    } else if (command->kind == COMMAND_IMPORT) {
        import_out_added(exchange, &told);
    } else if (command->import_id != 0) {
        reply_one(exchange, command, outcome);
    } else {
        reply_page(exchange, command, outcome);
    }
}
