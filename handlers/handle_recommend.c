/* GET /recommend: ranked picks for a workload and constraints. It asks the engine and writes what
 * the engine says. One request, one thread. */
#include "handle.h"

#include "ask_out.h"
#include "pick_out.h"
#include "problem.h"
#include "reply.h"

void handle_recommend(struct exchange *exchange)
{
    struct ask ask;
    struct recommendation recommendation;
    struct error err = {0};
    struct json_out out;

    if (!ask_in_read(exchange, ASK_RECOMMEND, NULL, &ask, NULL)) {
        return;
    }
    if (!recommend(exchange->catalogue, &ask, exchange->view->day, exchange->arena, &recommendation,
                   &err)) {
        problem_reply_error(exchange, &err);
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    card_out_catalogue(exchange, &out);
    ask_out_write(exchange, &out, ASK_RECOMMEND, NULL, &ask);
    json_out_open_object_at(&out, "need");
    json_out_estimate_at(&out, "memory_gib", recommendation.need.per_gpu_gib);
    card_out_memory(&out, &recommendation.need);
    json_out_close_object(&out);
    json_out_count_at(&out, "fitting", recommendation.fitting_count);
    json_out_count_at(&out, "rejected_total", recommendation.rejected_total);
    pick_out_picks(exchange, &out, "picks", &ask, recommendation.picks, recommendation.pick_count);
    pick_out_rejected(exchange, &out, &recommendation);
    pick_out_alternatives(exchange, &out, &ask, &recommendation);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
