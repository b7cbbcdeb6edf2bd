/* Who may use routes that need a token, and what the others are told. */
#include "admin_fixture.h"

static void test_gate(void)
{
    static const struct {
        enum http_method method;
        const char *path;
        bool needs_token, takes_file;
    } CASES[] = {
        {HTTP_POST, "/prices", true, false},      {HTTP_GET, "/imports", true, false},
        {HTTP_HEAD, "/imports", true, false},     {HTTP_POST, "/imports", true, true},
        {HTTP_GET, "/imports/7", true, false},    {HTTP_DELETE, "/imports/7", true, false},
        {HTTP_GET, "/prices", false, false},      {HTTP_DELETE, "/imports", false, false},
        {HTTP_OPTIONS, "/imports", false, false}, {HTTP_POST, "/imports/7", false, false},
        {HTTP_GET, "/gpus", false, false},        {HTTP_POST, "/estimate", false, false},
        {HTTP_GET, "/nothing", false, false},     {HTTP_DELETE, "/gpus/x", false, false},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct http_request request = {
            .method = CASES[i].method, .path = CASES[i].path, .path_bytes = strlen(CASES[i].path)};
        const struct app_gate gate = app_gate(&request);

        tap_ok(gate.needs_token == CASES[i].needs_token && gate.takes_file == CASES[i].takes_file,
               "method %d of %s: %s", (int)CASES[i].method, CASES[i].path,
               CASES[i].takes_file    ? "a token and a file"
               : CASES[i].needs_token ? "a token"
                                      : "open, or not there");
    }
}

static void test_bearer(void)
{
    static const struct {
        const char *header, *token; /* token NULL: none */
    } CASES[] = {{"Bearer abc", "abc"}, {"bearer abc", "abc"}, {"BEARER   abc \t", "abc"},
                 {"Bearer ", ""},       {NULL, NULL},          {"", NULL},
                 {"Bearer", NULL},      {"Bearerabc", NULL},   {"Basic YTpi", NULL},
                 {"Bearer\tabc", NULL}, {"Token abc", NULL}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct http_request request = {.authorization = CASES[i].header};
        const char *token = NULL;
        size_t length = 0;
        bool is_there = app_bearer_token(&request, &token, &length);

        tap_ok(is_there == (CASES[i].token != NULL) &&
                   (!is_there || (length == strlen(CASES[i].token) &&
                                  memcmp(token, CASES[i].token, length) == 0)),
               "\"%s\": %s", CASES[i].header == NULL ? "(absent)" : CASES[i].header,
               CASES[i].token == NULL ? "no token" : CASES[i].token);
    }
}

static void test_refusals(void)
{
    static const struct {
        enum http_admission admission;
        int status;
        const char *type;
    } CASES[] = {{HTTP_NOT_ADMITTED, 401, "urn:gpuwise:problem:token-missing"},
                 {HTTP_BAD_TOKEN, 401, "urn:gpuwise:problem:token-invalid"},
                 {HTTP_READABLE, 403, "urn:gpuwise:problem:plain-http"},
                 {HTTP_TOO_OFTEN, 429, "urn:gpuwise:problem:too-often"},
                 {HTTP_OVERLOADED, 503, "urn:gpuwise:problem:overloaded"},
                 {HTTP_UNCHECKABLE, 503, "urn:gpuwise:problem:not-written"},
                 {HTTP_NO_DATABASE, 503, "urn:gpuwise:problem:not-written"}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct http_request request = {.method = HTTP_POST,
                                             .content_type = "application/json",
                                             .body = "{}",
                                             .body_bytes = 2,
                                             .admission = CASES[i].admission,
                                             .retry_after_s = 17};
        int status = test_send("/prices?nonsense=1", request);
        const char *challenge = test_header("WWW-Authenticate");
        const char *retry = test_header("Retry-After");

        tap_ok(status == CASES[i].status && test_response.command == NULL &&
                   strcmp(test_text("type"), CASES[i].type) == 0,
               "%d %s, before anything else is looked at", CASES[i].status, CASES[i].type);
        tap_ok((challenge != NULL) == (status == 401) &&
                   (challenge == NULL || (strncmp(challenge, "Bearer realm=\"gpuwise\"", 22) == 0 &&
                                          (strstr(challenge, "error=\"invalid_token\"") != NULL) ==
                                              (CASES[i].admission == HTTP_BAD_TOKEN))),
               "with the challenge of RFC 6750 where it is 401");
        tap_ok(status != 429 || (retry != NULL && strcmp(retry, "17") == 0),
               "and the time to wait where it is 429");
    }
}

int main(void)
{
    test_open();
    test_gate();
    test_bearer();
    test_refusals();
    return test_close();
}
