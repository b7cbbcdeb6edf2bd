/* Turns a finished document into a response. One request, one thread. */
#include "reply.h"

#include "cache_rules.h"
#include "problem.h"

void reply_json(struct exchange *exchange, const struct json_out *out)
{
    if (out->has_failed) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){
        .status = 200, .body = out->bytes, .body_bytes = out->length, .place = HTTP_BODY_ARENA};
    if (exchange->request->method == HTTP_POST) { /* an answer to a body is nobody else's */
        cache_rules_probe(exchange);
        return;
    }
    cache_rules_api(exchange);
    exchange->response->is_cacheable = true;
}
