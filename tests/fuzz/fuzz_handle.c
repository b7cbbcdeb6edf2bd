/* app_handle() over any request that libmicrohttpd may let through, on the shipped facts.
 *
 * An input is text: METHOD TARGET [ACCEPT [LANGUAGE]], a line break, the body. Promises: an answer
 * of the known kinds, never 500; JSON where the answer says JSON, else a whole document of its
 * kind; the same request gives the same bytes. */
#include "../../db/csv.h"
#include "../../handlers/app.h"
#include "../../handlers/engine/arena.h"
#include "../../handlers/engine/command.h"
#include "../../handlers/metrics.h"
#include "../../server/http_checks.h"
#include "../catalogue_fixture.h"
#include "../handlers/record.h"
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

static struct app_snapshot *snapshot; /* made once; immutable */

static void release_snapshot(void)
{
    app_snapshot_unref(snapshot);
}

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    struct error err;

    (void)argument_count; /* the harness has no options */
    (void)arguments;
    snapshot = app_snapshot_new(test_catalogue(), &err);
    FUZZ_REQUIRE(snapshot != NULL);
    FUZZ_REQUIRE(atexit(release_snapshot) == 0);
    return 0;
}

static bool status_is_known(int status)
{
    static const int KNOWN[] = {200, 201, 204, 300, 304, 400, 401, 403, 404,
                                405, 406, 409, 413, 414, 415, 422, 431, 503};

    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        if (status == KNOWN[i]) {
            return true;
        }
    }
    return false;
}

static bool ends_as(const struct http_response *response, const char *ending)
{
    size_t length = strlen(ending);

    return response->body_bytes >= length &&
           memcmp(response->body + response->body_bytes - length, ending, length) == 0;
}

/* Markup of ours only, one shape of CSV, no byte that commands a terminal. */
static void check_layout(const struct http_response *response, const char *type)
{
    const char *body = response->body;
    size_t length = response->body_bytes;

    if (strncmp(type, "text/html", 9) == 0) {
        FUZZ_REQUIRE(ends_as(response, "</html>\n"));
        FUZZ_REQUIRE(strstr(type, "charset=utf-8") != NULL);
    } else if (strncmp(type, "text/csv", 8) == 0) {
        FUZZ_REQUIRE(response->status == 200 && ends_as(response, "\r\n"));
        for (size_t i = 1; i < length;
             i++) { /* behind a comma in quotes stands a blank or a letter */
            FUZZ_REQUIRE(body[i - 1] != ',' || strchr("=+@", body[i]) == NULL);
        }
    } else if (strncmp(type, "text/plain", 10) == 0) {
        FUZZ_REQUIRE(ends_as(response, "\n"));
        for (size_t i = 0; i < length; i++) {
            FUZZ_REQUIRE((unsigned char)body[i] >= 0x20 || body[i] == '\n');
        }
    }
}

static void check_body(const struct http_response *response)
{
    for (size_t i = 0; i < response->header_count; i++) {
        const struct http_header *header = &response->headers[i];

        FUZZ_REQUIRE(strpbrk(header->value, "\r\n") == NULL);
        if (strcmp(header->name, "Content-Type") == 0 && strstr(header->value, "json") != NULL) {
            json_t *json =
                json_loadb(response->body, response->body_bytes, JSON_REJECT_DUPLICATES, NULL);

            FUZZ_REQUIRE(json != NULL);
            json_decref(json);
        } else if (strcmp(header->name, "Content-Type") == 0) {
            check_layout(response, header->value);
        }
    }
}

/* The file of a command is one that the strict reader takes: a line of eight fields each. */
static void check_file(const struct command *command)
{
    struct csv_reader reader = {.name = NULL};
    struct error err;
    bool found = true;

    if (command->bytes == NULL) {
        return;
    }
    FUZZ_REQUIRE(csv_init(&reader, "prices", command->bytes, command->size_bytes, &err));
    while (found) {
        FUZZ_REQUIRE(csv_next(&reader, &found, &err));
        FUZZ_REQUIRE(!found || reader.field_count == 8);
    }
    csv_fini(&reader);
}

/* A command was given: whatever became of it, the answer is whole. It is not held against the
 * contract, since most of these ends are those of other commands. */
static void finish(const struct app_view *view, const struct http_request *request,
                   const struct command *command, struct arena *arena)
{
    static const struct import_report REPORT = {.outcome = IMPORT_ADDED, .import_id = 7};
    struct import_report report = REPORT;
    struct import_entry entry = {.id = 7, .at = "2026-11-30T12:00:00Z", .who = "fuzz"};
    struct error refusal = {0};

    check_file(command);
    import_notes_add(&report.review, IMPORT_OUTLIER, 2, "amount", "1", SAY(TEXT_VALUE_LARGE));
    (void)error_refuse(&refusal, "observed_on", SAY(TEXT_VALUE_DATE)); /* it returns false */
    for (int status = COMMAND_DONE; status <= COMMAND_FAILED; status++) {
        const struct command_outcome outcome = {.status = (enum command_status)status,
                                                .error = refusal,
                                                .report = &report,
                                                .entries = &entry,
                                                .entry_count = 1,
                                                .total = 1};
        struct http_response response = app_finish(view, request, command, &outcome, arena);

        FUZZ_REQUIRE(status_is_known(response.status) && response.body_bytes > 0);
        check_body(&response);
    }
}

static void ask(const struct http_request *request, const char *target)
{
    static const struct metrics_values METRICS = {.version = "test", .commit = ""};
    const struct app_view view = {
        .snapshot = snapshot, .day = TEST_DAY, .is_ready = true, .metrics = &METRICS};
    struct arena first, second;

    arena_init(&first, LIMIT_REQUEST_ARENA_BYTES);
    arena_init(&second, LIMIT_REQUEST_ARENA_BYTES);
    struct http_response response = app_handle(&view, request, &first);
    struct http_response again = app_handle(&view, request, &second);

    if (response.command != NULL) {
        FUZZ_REQUIRE(again.command != NULL && response.status == 0);
        finish(&view, request, response.command, &first);
        goto release;
    }
    FUZZ_REQUIRE(status_is_known(response.status));
    record_reply(request->method, target, &response);
    FUZZ_REQUIRE(response.status == again.status && response.body_bytes == again.body_bytes);
    FUZZ_REQUIRE(response.body_bytes == 0 ||
                 memcmp(response.body, again.body, response.body_bytes) == 0);
    check_body(&response);
release:
    arena_fini(&first);
    arena_fini(&second);
}

/* The next word of the line, ended with NUL in place; NULL: none. */
static char *next_word(char **line)
{
    char *word = *line == NULL ? NULL : strsep(line, " ");

    return word == NULL || word[0] == '\0' ? NULL : word;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    const uint8_t *end = size_bytes == 0 ? NULL : memchr(bytes, '\n', size_bytes);
    size_t line_bytes = end == NULL ? size_bytes : (size_t)(end - bytes);
    size_t body_bytes = end == NULL ? 0 : size_bytes - line_bytes - 1;
    struct http_checks checks = {0};
    struct http_target target = {0};
    struct http_request request = {0};

    if (body_bytes > LIMIT_BODY_BYTES) {
        return 0; /* the bridge refuses it before the application */
    }
    char *line = malloc(line_bytes + 1);
    char *body = malloc(body_bytes + (body_bytes == 0 ? 1 : 0)); /* exact: reading on is seen */

    FUZZ_REQUIRE(line != NULL && body != NULL);
    memcpy(line, bytes, line_bytes);
    line[line_bytes] = '\0';
    if (body_bytes > 0) {
        memcpy(body, end + 1, body_bytes);
    }
    char *rest = line;
    const char *method = next_word(&rest);
    const char *path = next_word(&rest);

    if (method != NULL && path != NULL) {
        request.method = http_checks_method(&checks, method);
        http_checks_target(&checks, path, strlen(path), &target);
        if (checks.status == 0) {
            request.path = target.path;
            request.path_bytes = target.path_bytes;
            request.query = target.query;
            request.query_bytes = target.query_bytes;
            request.accept = next_word(&rest);
            request.accept_language = next_word(&rest);
            request.content_type = "application/json";
            request.body = body;
            request.body_bytes = body_bytes;
            request.admission = HTTP_ADMITTED; /* what comes before is tests/server's */
            request.who = "fuzz";
            request.token_id = "0123456789ab";
            ask(&request, path);
        }
    }
    free(line);
    free(body);
    return 0;
}
