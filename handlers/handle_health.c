/* Liveness and readiness, for containers and load balancers. They need no catalogue. */
#include "handle.h"

#include "cache_rules.h"
#include "problem.h"

static void reply_probe(struct exchange *exchange, const char *body, size_t body_bytes)
{
    *exchange->response = (struct http_response){
        .status = 200, .body = body, .body_bytes = body_bytes, .place = HTTP_BODY_STATIC};
    cache_rules_probe(exchange);
}

void handle_healthz(struct exchange *exchange)
{
    static const char BODY[] = "{\"status\":\"alive\"}";

    reply_probe(exchange, BODY, sizeof BODY - 1);
}

void handle_readyz(struct exchange *exchange)
{
    static const char BODY[] = "{\"status\":\"ready\"}";

    if (exchange->view->is_ready) {
        reply_probe(exchange, BODY, sizeof BODY - 1);
    } else {
        problem_reply(exchange, PROBLEM_NOT_READY, SAY(TEXT_TRY_LATER));
    }
}
