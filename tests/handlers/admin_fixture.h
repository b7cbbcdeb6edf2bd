/* Requests of the holder of a token, and what becomes of their commands. */
#ifndef GPUWISE_TESTS_ADMIN_FIXTURE_H
#define GPUWISE_TESTS_ADMIN_FIXTURE_H

#include "../../handlers/engine/command.h"
#include "handlers_fixture.h"

static struct http_request admin_request; /* the last one */

/* Sends a request with the rights of "lab"; body NULL: none. Returns the status; 0: a command. */
__attribute__((unused)) static int admin_send(enum http_method method, const char *target,
                                              const char *content_type, const char *body)
{
    admin_request = (struct http_request){.method = method,
                                          .content_type = content_type,
                                          .body = body,
                                          .body_bytes = body == NULL ? 0 : strlen(body),
                                          .admission = HTTP_ADMITTED,
                                          .who = "lab",
                                          .token_id = "0123456789ab"};
    return test_send(target, admin_request);
}

__attribute__((unused)) static int admin_post(const char *target, const char *body)
{
    return admin_send(HTTP_POST, target, "application/json", body);
}

/* The response to the last command with this outcome. Returns the status. */
__attribute__((unused)) static int admin_finish(const char *target,
                                                const struct command_outcome *outcome)
{
    const struct command command = *test_response.command;
    const char *mark = strchr(target, '?');

    admin_request.path = target;
    admin_request.path_bytes = mark == NULL ? strlen(target) : (size_t)(mark - target);
    admin_request.query = mark == NULL ? NULL : mark + 1;
    admin_request.query_bytes = mark == NULL ? 0 : strlen(mark + 1);
    test_response = app_finish(&test_view, &admin_request, &command, outcome, &test_arena);
    record_reply(admin_request.method, target, &test_response);
    json_decref(test_body);
    test_body =
        json_loadb(test_response.body, test_response.body_bytes, JSON_REJECT_DUPLICATES, NULL);
    return test_response.status;
}

#endif
