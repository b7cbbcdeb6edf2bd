/* POST /prices: observations of prices, one or a list of them. One request, one thread. */
#include "handle.h"

#include "admission.h"
#include "body_type.h"
#include "import_out.h"
#include "params_in.h"
#include "prices_in.h"
#include "problem.h"

#include <stddef.h>

struct prices_ask {
    int dry_run, accept_review; /* places in PARAMS_IN_YES_NO */
};

static const struct param PARAMS[] = {
    {.name = "dry_run",
     .kind = PARAM_CHOICE,
     .choices = PARAMS_IN_YES_NO,
     .choice_count = 2,
     .offset = offsetof(struct prices_ask, dry_run)},
    {.name = "accept_review",
     .kind = PARAM_CHOICE,
     .choices = PARAMS_IN_YES_NO,
     .choice_count = 2,
     .offset = offsetof(struct prices_ask, accept_review)},
};

void handle_prices(struct exchange *exchange)
{
    const struct http_request *request = exchange->request;
    struct prices_ask asked = {0};
    const struct param_group group = {PARAMS, sizeof PARAMS / sizeof PARAMS[0], 0, &asked};
    struct command *command = admission_command(exchange, COMMAND_PRICES);
    size_t bytes = 0;

    if (command == NULL) {
        return;
    }
    if (!body_type_is(request->content_type, "application/json")) {
        problem_reply_media_type(exchange, SAY(TEXT_PRICES_MEDIA_TYPE), "application/json");
        return;
    }
    params_in_collect(exchange, &group, 1);
    unsigned markets = 0;
    const char *file = prices_in_read(exchange, &bytes, &markets);

    if (!params_in_accept(exchange)) {
        return;
    }
    command->bytes = file;
    command->size_bytes = bytes;
    command->is_dry_run = asked.dry_run == 1;
    command->accepts_review = asked.accept_review == 1;
    command->markets_assumed = markets;
    exchange->response->command = command;
}

/* Whether the body was one price, not a list: paths are told without a place then. */
static bool is_single(const struct http_request *request)
{
    size_t at = 0;

    while (at < request->body_bytes && request->body[at] != '[' && request->body[at] != '{') {
        at++;
    }
    return at < request->body_bytes && request->body[at] == '{';
}

void handle_prices_finish(struct exchange *exchange, const struct command *command,
                          const struct command_outcome *outcome)
{
    struct import_out told = {outcome->report,
                              is_single(exchange->request) ? IMPORT_OUT_PRICE : IMPORT_OUT_PRICES,
                              exchange->language, command->markets_assumed};

    if (!import_out_is_done(exchange, outcome)) {
        return;
    }
    if (outcome->status == COMMAND_REFUSED) {
        bool is_held = outcome->report->rejected.total == 0 && !command->accepts_review;

        problem_reply_with(exchange, PROBLEM_REFUSED,
                           is_held ? SAY(TEXT_PRICES_HELD, "accept_review=yes")
                                   : SAY(TEXT_PRICES_REJECTED),
                           import_out_report, &told);
        return;
    }
    import_out_added(exchange, &told);
}
