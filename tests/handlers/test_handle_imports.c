/* /imports: requests to commands, outcomes to responses. */
#include "admin_fixture.h"

#include <stdlib.h>

static const struct command *command(void)
{
    static const struct command NONE = {.limit = 0};

    return test_response.command == NULL ? &NONE : test_response.command;
}

static bool is_text(const char *found, const char *wanted)
{
    return wanted == NULL ? found == NULL : found != NULL && strcmp(found, wanted) == 0;
}

static void test_file(void)
{
    int status = admin_send(HTTP_POST,
                            "/imports?file=aws.csv&provider=AWS&observed_on=2026-11-29&"
                            "source=here&dry_run=yes&accept_review=yes",
                            "text/csv; charset=utf-8", "a,b\n");

    tap_ok(status == 0 && command()->kind == COMMAND_IMPORT && command()->bytes == NULL &&
               is_text(command()->file_name, "aws.csv") && is_text(command()->provider, "AWS") &&
               is_text(command()->observed_on, "2026-11-29") &&
               is_text(command()->source, "here") && command()->is_dry_run &&
               command()->accepts_review && is_text(command()->who, "lab"),
           "a file with all parameters becomes a command");
    status = admin_send(HTTP_POST, "/imports", "application/octet-stream", "x");
    tap_ok(status == 0 && command()->file_name == NULL && command()->provider == NULL &&
               command()->observed_on == NULL && command()->source == NULL &&
               !command()->is_dry_run && !command()->accepts_review,
           "without any as well");
    tap_ok(admin_send(HTTP_POST, "/imports", "application/json", "[]") == 0, "JSON is a file too");
    tap_ok(admin_send(HTTP_POST, "/imports", "text/html", "x") == 415, "HTML is none: 415");
    tap_ok(admin_send(HTTP_POST, "/imports", NULL, "x") == 415, "nor what has no type: 415");
    tap_ok(admin_send(HTTP_POST, "/imports?observed_on=2026-12-01&dry_run=maybe&fil=x", "text/csv",
                      NULL) == 400 &&
               *test_detail("observed_on") != '\0' && *test_detail("dry_run") != '\0' &&
               *test_detail("fil") != '\0' && *test_detail("body") != '\0',
           "everything that is wrong is named at once");
}

static void test_log(void)
{
    tap_ok(admin_send(HTTP_GET, "/imports?limit=2&cursor=9", NULL, NULL) == 0 &&
               command()->kind == COMMAND_LIST && command()->limit == 2 && command()->before == 9 &&
               command()->import_id == 0,
           "a page of the log");
    tap_ok(admin_send(HTTP_GET, "/imports", NULL, NULL) == 0 &&
               command()->limit == LIMIT_LIST_DEFAULT && command()->before == 0,
           "the first one");
    tap_ok(admin_send(HTTP_GET, "/imports?limit=501", NULL, NULL) == 400, "at most 500: 400");
    tap_ok(admin_send(HTTP_GET, "/imports?cursor=0", NULL, NULL) == 400, "no cursor: 400");
    tap_ok(admin_send(HTTP_GET, "/imports/7", NULL, NULL) == 0 && command()->kind == COMMAND_LIST &&
               command()->import_id == 7,
           "one of them");
    tap_ok(admin_send(HTTP_DELETE, "/imports/7", NULL, NULL) == 0 &&
               command()->kind == COMMAND_UNDO && command()->import_id == 7,
           "undoing one");
    static const char *const NONE[] = {"/imports/0",  "/imports/07",
                                       "/imports/x",  "/imports/7x",
                                       "/imports/-7", "/imports/9999999999999999999"};

    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        tap_ok(admin_send(HTTP_DELETE, NONE[i], NULL, NULL) == 404 && test_response.command == NULL,
               "%s: 404", NONE[i]);
    }
    tap_ok(admin_send(HTTP_DELETE, "/imports/7?force=1", NULL, NULL) == 400, "no parameter: 400");
    tap_ok(admin_send(HTTP_DELETE, "/imports", NULL, NULL) == 405 &&
               is_text(test_header("Allow"), "GET, HEAD, POST, OPTIONS"),
           "all at once: 405");
    tap_ok(admin_send(HTTP_GET, "/prices", NULL, NULL) == 405 &&
               is_text(test_header("Allow"), "POST, OPTIONS"),
           "GET /prices: 405");
}

static void test_page(void)
{
    struct import_entry entries[2] = {{.id = 9,
                                       .at = "2026-11-30T12:00:00Z",
                                       .who = "lab",
                                       .table = "gpu_prices",
                                       .rows_added = 3,
                                       .rows_known = 1,
                                       .undone_at = "2026-11-30T13:00:00Z"},
                                      {.id = 8,
                                       .at = "2026-11-30T11:00:00Z",
                                       .who = "root",
                                       .table = "cloud_offers",
                                       .file = "vms.csv",
                                       .rows_added = 5}};
    struct command_outcome outcome = {
        .entries = entries, .entry_count = 2, .total = 9, .has_more = true};

    (void)admin_send(HTTP_GET, "/imports?limit=2&lang=en", NULL, NULL);
    tap_ok(admin_finish("/imports?limit=2&lang=en", &outcome) == 200 && test_number("total") == 9 &&
               test_number("page.limit") == 2,
           "a page with its total");
    tap_text(test_text("page.next"), "8", "names the next by the last id");
    tap_text(test_header("Link"), "</imports?limit=2&lang=en&cursor=8>; rel=\"next\"",
             "also in Link");
    tap_text(test_header("Cache-Control"), "no-store", "nobody keeps it");
    tap_ok(test_number("data.0.id") == 9 && json_is_null(test_at("data.0.file")) &&
               test_number("data.1.rows_added") == 5 && json_is_null(test_at("data.1.undone_at")),
           "its rows are the entries");
    outcome.has_more = false;
    (void)admin_send(HTTP_GET, "/imports", NULL, NULL);
    tap_ok(admin_finish("/imports", &outcome) == 200 && json_is_null(test_at("page.next")) &&
               test_header("Link") == NULL,
           "the last page has no next");

    outcome.entry_count = 1;
    outcome.removed = 3;
    (void)admin_send(HTTP_DELETE, "/imports/9", NULL, NULL);
    tap_ok(admin_finish("/imports/9", &outcome) == 200 && test_number("rows_removed") == 3 &&
               test_number("id") == 9 && test_text("undone_at") != NULL,
           "undone: 200 with what was undone");
    (void)admin_send(HTTP_GET, "/imports/9", NULL, NULL);
    tap_ok(admin_finish("/imports/9", &outcome) == 200 && test_at("rows_removed") == NULL,
           "and looked at");
    outcome.status = COMMAND_NOT_FOUND;
    (void)admin_send(HTTP_DELETE, "/imports/77", NULL, NULL);
    tap_ok(admin_finish("/imports/77", &outcome) == 404, "none of that id: 404");
    outcome.status = COMMAND_CONFLICT;
    (void)snprintf(outcome.error.text, sizeof outcome.error.text, "import 9: was undone already");
    (void)admin_send(HTTP_DELETE, "/imports/9", NULL, NULL);
    tap_ok(admin_finish("/imports/9", &outcome) == 409 &&
               is_text(test_text("detail"), "import 9: was undone already"),
           "undone before: 409");
}

static void test_report(void)
{
    struct import_report *report = calloc(1, sizeof *report);
    struct command_outcome outcome = {.report = report};

    if (report == NULL) {
        test_bail_out("no", "memory");
    }
    *report = (struct import_report){.outcome = IMPORT_ADDED,
                                     .import_id = 4,
                                     .rows = 10,
                                     .accepted = 7,
                                     .merged = 1,
                                     .known = 1,
                                     .skipped = 1,
                                     .format = "skypilot",
                                     .table = "cloud_offers"};
    (void)admin_send(HTTP_POST, "/imports", "text/csv", "x");
    tap_ok(admin_finish("/imports", &outcome) == 201 &&
               is_text(test_header("Location"), "/imports/4") &&
               is_text(test_text("format"), "skypilot") && test_number("skipped") == 1,
           "a file that was imported: 201 with the report");
    report->is_dry_run = true;
    report->import_id = 0;
    tap_ok(admin_send(HTTP_POST, "/imports?dry_run=yes", "text/csv", "x") == 0 &&
               admin_finish("/imports?dry_run=yes", &outcome) == 200 &&
               json_is_true(test_at("dry_run")) && is_text(test_text("outcome"), "would-add"),
           "a dry run: 200 with what would become of it");
    report->outcome = IMPORT_REFUSED;
    import_notes_add(&report->rejected, IMPORT_FUTURE, 3, "date", "2027-01-01",
                     SAY(TEXT_VALUE_FUTURE));
    import_notes_add(&report->rejected, IMPORT_MALFORMED, 0, NULL, NULL,
                     SAY(TEXT_IMPORT_KEY_KNOWN));
    outcome.status = COMMAND_REFUSED;
    (void)admin_send(HTTP_POST, "/imports", "text/csv", "x");
    tap_ok(admin_finish("/imports", &outcome) == 422 && test_number("rejected.0.line") == 3 &&
               is_text(test_text("rejected.0.column"), "date") &&
               is_text(test_text("rejected.0.code"), "future-date") &&
               json_is_null(test_at("rejected.1.line")) && test_number("rejected_total") == 2 &&
               is_text(test_header("Content-Type"), "application/problem+json"),
           "a refused one: 422 with line, column and reason");
    (void)admin_send(HTTP_POST, "/imports?lang=zh", "text/csv", "x");
    tap_ok(admin_finish("/imports?lang=zh", &outcome) == 422 &&
               is_text(test_text("rejected.0.code"), "future-date") &&
               is_text(test_text("rejected.0.detail"), "还没到这一天") &&
               is_text(test_text("rejected.1.detail"), "数据库里已有同一个键的另一行"),
           "... in Chinese, too");
    outcome.status = COMMAND_UNREADABLE;
    (void)snprintf(outcome.error.text, sizeof outcome.error.text, "no format known");
    (void)admin_send(HTTP_POST, "/imports", "text/csv", "x");
    tap_ok(admin_finish("/imports", &outcome) == 422 &&
               is_text(test_text("detail"), "no format known"),
           "one of no known format: 422 that says so");
    (void)error_say(&outcome.error, ERROR_BAD_FILE, SAY(TEXT_CSV_OPEN_QUOTE, "a.csv", "4", "7"));
    (void)admin_send(HTTP_POST, "/imports?lang=zh", "text/csv", "x");
    tap_ok(admin_finish("/imports?lang=zh", &outcome) == 422 &&
               is_text(test_text("detail"), "a.csv 第 4 行第 7 列：引号没有闭合"),
           "... in Chinese, too");
    free(report);
}

int main(void)
{
    test_open();
    test_file();
    test_log();
    test_page();
    test_report();
    return test_close();
}
