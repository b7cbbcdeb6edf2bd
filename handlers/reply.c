/* Turns a finished document into a response. One request, one thread. */
#include "reply.h"

#include "cache_rules.h"
#include "problem.h"
#include "represent.h"

void reply_json(struct exchange *exchange, const struct json_out *out)
{
    struct text_out other = out->text;
    bool is_whole = !other.has_failed;

    if (is_whole && exchange->media != MEDIA_JSON) {
        is_whole = represent_answer(exchange, out, &other);
    }
    if (!is_whole) {
        problem_reply_out_of_memory(exchange);
        return;
    }
    *exchange->response = (struct http_response){
        .status = 200, .body = other.bytes, .body_bytes = other.length, .place = HTTP_BODY_ARENA};
    if (exchange->request->method == HTTP_POST) { /* an answer to a body is nobody else's */
        cache_rules_posted(exchange);
        return;
    }
    cache_rules_api(exchange);
    exchange->response->is_cacheable = true;
}
