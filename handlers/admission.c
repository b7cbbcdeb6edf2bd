/* Bearer tokens as HTTP sees them (RFC 6750); whether one is good is the server's to find out. One
 * request, one thread. */
#include "admission.h"

#include "problem.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const char HEADER[] = "Authorization: Bearer", MAKER[] = "gpuwise token";
static const char PROXY_FLAG[] = "--trusted-proxy", PLAIN_FLAG[] = "--admin-plain yes";
static const char CHALLENGE[] = "Bearer realm=\"gpuwise\"";
static const char CHALLENGE_BAD[] = "Bearer realm=\"gpuwise\", error=\"invalid_token\", "
                                    "error_description=\"unknown or revoked\"";

bool app_bearer_token(const struct http_request *request, const char **token, size_t *length)
{
    static const char SCHEME[] = "Bearer";
    const char *value = request->authorization;

    if (value == NULL || strncasecmp(value, SCHEME, sizeof SCHEME - 1) != 0 ||
        value[sizeof SCHEME - 1] != ' ') {
        return false;
    }
    value += sizeof SCHEME - 1;
    value += strspn(value, " ");
    *token = value;
    *length = strlen(value);
    while (*length > 0 && (value[*length - 1] == ' ' || value[*length - 1] == '\t')) {
        --*length;
    }
    return true;
}

static void challenge(struct exchange *exchange, enum problem_kind kind,
                      const struct wording *detail, const char *header)
{
    problem_reply(exchange, kind, detail);
    if (exchange->response->status == 401) { /* not where memory ran out */
        http_response_add_header(exchange->response, "WWW-Authenticate", header);
    }
}

void admission_reply_bad_token(struct exchange *exchange)
{
    challenge(exchange, PROBLEM_BAD_TOKEN, SAY(TEXT_TOKEN_BAD, MAKER), CHALLENGE_BAD);
}

static void reply_too_often(struct exchange *exchange)
{
    const char *value = arena_format(exchange->arena, "%u", exchange->request->retry_after_s);

    if (value == NULL) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    problem_reply(exchange, PROBLEM_TOO_OFTEN, SAY(TEXT_WAIT_SECONDS, value));
    if (exchange->response->status == 429) {
        http_response_add_header(exchange->response, "Retry-After", value);
    }
}

bool admission_check(struct exchange *exchange)
{
    switch (exchange->request->admission) {
    case HTTP_ADMITTED:
        assert(exchange->request->who != NULL && exchange->request->token_id != NULL);
        return true;
    case HTTP_BAD_TOKEN:
        admission_reply_bad_token(exchange);
        return false;
    case HTTP_READABLE:
        problem_reply(exchange, PROBLEM_READABLE, SAY(TEXT_TOKEN_READABLE, PROXY_FLAG, PLAIN_FLAG));
        return false;
    case HTTP_TOO_OFTEN:
        reply_too_often(exchange);
        return false;
    case HTTP_OVERLOADED:
        problem_reply(exchange, PROBLEM_OVERLOADED, SAY(TEXT_WRITES_WAIT));
        return false;
    case HTTP_UNCHECKABLE:
        problem_reply(exchange, PROBLEM_NOT_WRITTEN, SAY(TEXT_TOKENS_UNREADABLE));
        return false;
    case HTTP_NO_DATABASE:
        problem_reply(exchange, PROBLEM_NOT_WRITTEN, SAY(TEXT_DATABASE_AWAY));
        return false;
    case HTTP_NOT_ADMITTED:
    case HTTP_ADMISSION_COUNT:
        break;
    }
    challenge(exchange, PROBLEM_NO_TOKEN, SAY(TEXT_TOKEN_MISSING, HEADER, MAKER), CHALLENGE);
    return false;
}

struct command *admission_command(struct exchange *exchange, enum command_kind kind)
{
    struct command *command = arena_alloc(exchange->arena, sizeof *command); /* zeroed */

    if (command == NULL) {
        problem_reply_out_of_memory(exchange);
        return NULL;
    }
    command->kind = kind;
    command->who = exchange->request->who;
    command->token_id = exchange->request->token_id;
    command->today = exchange->view->day;
    command->fd = -1;
    return command;
}
