/* POST /prices: the body to a command, and its outcome to the response. */
#include "admin_fixture.h"

#include <stdlib.h>

#define HEAD "gpu_slug,condition,currency,amount,market,observed_on,source,note\n"

/* The command's file; "": no command. */
static const char *file(void)
{
    static char text[4096];
    const struct command *command = test_response.command;

    (void)snprintf(text, sizeof text, "%.*s", command == NULL ? 0 : (int)command->size_bytes,
                   command == NULL ? "" : command->bytes);
    return text;
}

static void test_command(void)
{
    int status = admin_post("/prices", "{\"gpu\":\"rtx 3090\",\"condition\":\"used\","
                                       "\"currency\":\"USD\",\"amount\":691.5,\"market\":\"us\","
                                       "\"observed_on\":\"2026-11\",\"source\":\"a \\\"shop\\\"\","
                                       "\"note\":\"1,5 years\"}");
    const struct command *command = test_response.command;

    tap_ok(status == 0 && command != NULL && command->kind == COMMAND_PRICES && command->fd == -1 &&
               command->today == TEST_DAY && !command->is_dry_run && !command->accepts_review &&
               strcmp(command->who, "lab") == 0 && strcmp(command->token_id, "0123456789ab") == 0,
           "a price becomes a command of its sender");
    tap_text(file(),
             HEAD "\"nvidia-geforce-rtx-3090\",\"used\",\"USD\",691.500000,\"us\",2026-11,"
                  "\"a \"\"shop\"\"\",\"1,5 years\"\n",
             "with a file of one line: the card by its id, texts in quotes");
    (void)admin_post("/prices?dry_run=yes&accept_review=yes",
                     "[{\"gpu\":\"no such card\",\"condition\":\"new\",\"currency\":\"CNY\","
                     "\"amount\":1},{\"gpu\":\"nvidia-geforce-rtx-4090\",\"condition\":\"msrp\","
                     "\"currency\":\"EUR\",\"amount\":1599,\"market\":null}]");
    command = test_response.command;
    tap_ok(command != NULL && command->is_dry_run && command->accepts_review,
           "a list, with parameters");
    char wanted[1024];

    (void)snprintf(wanted, sizeof wanted,
                   HEAD "\"no such card\",\"new\",\"CNY\",1.000000,cn,2026-11-30,\"entered by "
                        "lab\",\n\"nvidia-geforce-rtx-4090\",\"msrp\",\"EUR\",1599.000000,eu,"
                        "2026-11-30,\"entered by lab\",\n");
    tap_text(
        file(), wanted,
        "an unknown name as it is; the market of the currency, the day and the source of who says "
        "nothing");
}

static const struct {
    const char *body, *parameter, *detail;
} FAULTS[] = {
    {"", "body", "is empty; it must be a price or a list of prices"},
    {"[]", "body", "must be a price or a list of prices, as "},
    {"7", "body", "is no JSON: "},
    {"[7]", "[0]", "must be an object with gpu, condition, currency, amount"},
    {"{\"gpu\":1,", "body", "is no JSON: "},
    {"{\"amount\":1,\"amount\":2}", "body", "is no JSON: duplicate"},
    {"{}", "gpu", "is missing"},
    {"{}", "amount", "is missing"},
    {"[{},{\"gpu\":7}]", "[1].gpu", "must be a text of 1 to 500 bytes"},
    {"{\"gpu\":\"\"}", "gpu", "must be a text of 1 to 500 bytes"},
    {"{\"gpu\":\"a\\nb\"}", "gpu", "must be a text of 1 to 500 bytes"},
    {"{\"source\":\"a\\u202eb\"}", "source",
     "must be a text of 1 to 500 bytes without control or inv"},
    {"{\"note\":\"\\u0085\"}", "note", "must be a text of 1 to 500 bytes"},
    {"{\"gpu\":\"rtx\\u200b3090\"}", "gpu", "must be a text of 1 to 500 bytes"},
    {"{\"source\":\"a\\u2028b\"}", "source", "must be a text of 1 to 500 bytes"},
    {"{\"gpu\":\"a100\"}", "gpu", "a100 means several cards: nvidia-a100-"},
    {"{\"condition\":\"mint\"}", "condition", "must be one of new, used, msrp"},
    {"{\"currency\":\"usd\"}", "currency", "must be three capital letters"},
    {"{\"currency\":\"US$\"}", "currency", "must be three capital letters"},
    {"{\"amount\":-1}", "amount", "must be a number from 0.01 to 10000000, as 699.99"},
    {"{\"amount\":\"1\"}", "amount", "must be a number from 0.01 to 10000000, as 699.99"},
    {"{\"amount\":1e300}", "amount", "must be a number from 0.01 to 10000000, as 699.99"},
    {"{\"market\":\"mars\"}", "market", "must be one of us, eu, de, "},
    {"{\"observed_on\":\"2026-12-01\"}", "observed_on", "lies in the future"},
    {"{\"observed_on\":\"2026-02-30\"}", "observed_on", "must be a day, month or year"},
    {"[{\"prize\":1}]", "[0].prize", "is no member of a price; the nearest is price"},
    {"{\"curency\":\"USD\"}", "curency", "is no member of a price; the nearest is currency"},
    {"{\"wholly other\":1}", "wholly other", "is no member of a price; known are gpu, "},
};

static void test_faults(void)
{
    static const char PRICE[] = "\"condition\":\"used\",\"currency\":\"USD\",\"amount\":1}";
    char body[512];

    (void)snprintf(body, sizeof body, "{\"gpu\":\"rtx 3090\",%s", PRICE);
    tap_ok(admin_post("/prices", body) == 0, "what is left out of these would be a price");
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        int status = admin_post("/prices", FAULTS[i].body);
        bool is_near = strcmp(FAULTS[i].parameter, "[0].prize") == 0; /* which name is nearest */
        const char *found = test_detail(FAULTS[i].parameter);

        if (!tap_ok(status == 400 && test_response.command == NULL &&
                        strncmp(found, FAULTS[i].detail,
                                is_near ? strlen("is no member of a price")
                                        : strlen(FAULTS[i].detail)) == 0,
                    "%s: %s", FAULTS[i].body, FAULTS[i].parameter)) {
            printf("# %d %s\n", status, found);
        }
    }
    tap_ok(admin_post("/prices", "[{},{\"amount\":0},{\"gpu\":\"x\"}]") == 400 &&
               json_array_size(test_at("errors")) == 4 + 4 + 3,
           "everything that is wrong is named at once");
    tap_ok(admin_send(HTTP_POST, "/prices", "text/csv", body) == 415, "CSV: 415");
    tap_ok(admin_post("/prices?dryrun=yes", body) == 400 &&
               strstr(test_detail("dryrun"), "dry_run") != NULL,
           "an unknown parameter is named with the nearest");
    (void)admin_post("/prices",
                     "[{\"\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d"
                     "\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\\u4e2d\":1}]");
    tap_ok(test_body != NULL && test_response.status == 400,
           "a long name is cut between characters");
}

static void note(struct import_notes *notes, enum import_finding finding, size_t line,
                 const char *column, const char *value)
{
    import_notes_add(notes, finding, line, column, value, SAY(TEXT_VALUE_LARGE));
}

static void test_outcomes(void)
{
    static const char BODY[] = "[{\"gpu\":\"rtx 3090\",\"condition\":\"used\",\"currency\":\"USD\","
                               "\"amount\":1}]";
    struct import_report *report = calloc(1, sizeof *report);
    struct command_outcome outcome = {.report = report};

    if (report == NULL) {
        test_bail_out("no", "memory");
    }
    *report = (struct import_report){.outcome = IMPORT_ADDED,
                                     .import_id = 12,
                                     .rows = 2,
                                     .accepted = 1,
                                     .known = 1,
                                     .table = "gpu_prices"};
    note(&report->review, IMPORT_UNKNOWN_NAME, 3, "gpu_slug", "no such card");
    import_note_suggest(&report->review.notes[0], "nvidia-x", "X");
    (void)admin_post("/prices", BODY);
    tap_ok(admin_finish("/prices", &outcome) == 201, "added: 201");
    tap_text(test_header("Location"), "/imports/12", "with the place of the import");
    tap_ok(test_number("import_id") == 12 && test_number("accepted") == 1 &&
               test_number("known") == 1,
           "and its numbers");
    tap_text(test_text("review.0.parameter"), "[1].gpu", "a finding names its place in the body");
    tap_ok(strcmp(test_text("review.0.effect"), "kept") == 0 &&
               strcmp(test_text("review.0.suggestions.0.id"), "nvidia-x") == 0,
           "... what becomes of it, and what may be meant");
    tap_ok(strcmp(test_text("outcome"), "added") == 0 &&
               strcmp(test_text("markets_assumed.0"), "us") == 0 &&
               json_array_size(test_at("markets_assumed")) == 1,
           "the market that was filled in is told");
    report->not_advising = 1;
    (void)admin_post("/prices", BODY);
    (void)admin_finish("/prices", &outcome);
    tap_text(test_text("outcome"), "kept", "where no new row advises, they are kept");
    (void)admin_post("/prices", "  {\"gpu\":\"rtx 3090\",\"condition\":\"used\","
                                "\"currency\":\"USD\",\"amount\":1}");
    (void)admin_finish("/prices", &outcome);
    tap_text(test_text("review.0.parameter"), "gpu", "and of a single price its member");

    *report = (struct import_report){.outcome = IMPORT_UNCHANGED, .known = 2, .rows = 2};
    (void)admin_post("/prices", BODY);
    tap_ok(admin_finish("/prices", &outcome) == 200 && test_header("Location") == NULL &&
               json_is_null(test_at("import_id")),
           "known before: 200, and no import");

    *report = (struct import_report){.outcome = IMPORT_REFUSED, .held = 1, .rows = 2};
    note(&report->review, IMPORT_OUTLIER, 2, "amount", "1");
    outcome.status = COMMAND_REFUSED;
    (void)admin_post("/prices", BODY);
    tap_ok(admin_finish("/prices", &outcome) == 422 &&
               strstr(test_text("detail"), "accept_review=yes") != NULL,
           "ten times off: 422, and how to insist");
    tap_text(test_text("review.0.parameter"), "[0].amount", "naming the amount");
    tap_text(test_text("review.0.code"), "outlier", "by its code");
    free(report);
}

static void test_problems(void)
{
    static const char BODY[] = "{\"gpu\":\"rtx 3090\",\"condition\":\"used\",\"currency\":\"USD\","
                               "\"amount\":1}";
    struct command_outcome outcome = {.status = COMMAND_DONE};
    const struct {
        enum command_status status;
        int wanted;
    } OTHERS[] = {{COMMAND_UNREADABLE, 422}, {COMMAND_NO_TOKEN, 401}, {COMMAND_FAILED, 503}};

    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        outcome.status = OTHERS[i].status;
        (void)snprintf(outcome.error.text, sizeof outcome.error.text, "/srv/secret.db: busy");
        (void)admin_post("/prices", BODY);
        tap_ok(admin_finish("/prices", &outcome) == OTHERS[i].wanted && test_body != NULL,
               "status %d: %d", (int)OTHERS[i].status, OTHERS[i].wanted);
    }
    tap_ok(memmem(test_response.body, test_response.body_bytes, "/srv/", 5) == NULL &&
               test_header("Retry-After") != NULL,
           "a failure of the database tells no path of it, and when to come again");
}

int main(void)
{
    test_open();
    test_command();
    test_faults();
    test_outcomes();
    test_problems();
    return test_close();
}
