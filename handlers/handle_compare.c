/* GET /compare: cards side by side, in facts and for one workload. One request, one thread. */
#include "handle.h"

#include "ask_out.h"
#include "compare_out.h"
#include "problem.h"
#include "reply.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct compare_ask {
    const struct gpu *gpus[COMPARE_CARDS_MAX];
    size_t count;
};

/* Adds a card once; false when the rest of the list is not worth reading. */
static bool add_card(struct exchange *exchange, struct compare_ask *asked, const char *name,
                     size_t length)
{
    const struct gpu *gpu = length == 0 ? NULL : params_in_card(exchange, "gpus", name, length);

    if (length == 0) {
        complaints_add(&exchange->complaints, "gpus", 4, SAY(TEXT_CARDS_EMPTY_NAME));
    }
    if (gpu == NULL) {
        return true;
    }
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->gpus[i] == gpu) {
            complaints_add(&exchange->complaints, "gpus", 4, SAY(TEXT_CARD_TWICE, gpu->id));
            return true;
        }
    }
    if (asked->count == COMPARE_CARDS_MAX) {
        params_in_complain_count(exchange, "gpus", TEXT_CARDS_MOST, COMPARE_CARDS_MAX);
        return false;
    }
    asked->gpus[asked->count++] = gpu;
    return true;
}

static void read_gpus(struct exchange *exchange, const struct query_parameter *given, void *target)
{
    const char *rest = given->value;
    const char *piece = NULL;
    size_t length = 0;
    size_t before = exchange->complaints.count;
    bool is_short = true;
    struct compare_ask *asked = target;

    asked->count = 0; /* ask_in_read may read the query twice */
    while (is_short && params_in_next_piece(&rest, &piece, &length)) {
        is_short = add_card(exchange, asked, piece, length);
    }
    if (asked->count < 2 && exchange->complaints.count == before) {
        params_in_complain_count(exchange, "gpus", TEXT_CARDS_TO_COMPARE, COMPARE_CARDS_MAX);
    }
}

static void write_gpus(struct json_out *out, const void *target)
{
    const struct compare_ask *asked = target;

    json_out_open_array(out);
    for (size_t i = 0; i < asked->count; i++) {
        json_out_text(out, asked->gpus[i]->id);
    }
    json_out_close_array(out);
}

static const struct param COMPARE_PARAMS[] = {
    {.name = "gpus", .kind = PARAM_CUSTOM, .read = read_gpus, .write = write_gpus},
};

static bool write_answer(struct exchange *exchange, struct json_out *out, const struct ask *ask,
                         const struct compare_ask *asked, struct error *err)
{
    struct question question;
    struct compare_card cards[COMPARE_CARDS_MAX];

    if (!question_init(&question, exchange->catalogue, ask, exchange->view->day, exchange->arena,
                       err)) {
        return false;
    }
    for (size_t i = 0; i < asked->count; i++) {
        if (!compare_out_judge(&question, asked->gpus[i], exchange->arena, &cards[i], err)) {
            return false;
        }
    }
    compare_out_cards(exchange, out, &question, cards, asked->count);
    compare_out_rows(exchange, out, &question, cards, asked->count);
    return true;
}

void handle_compare(struct exchange *exchange)
{
    struct compare_ask asked = {.count = 0};
    const struct param_group own = {COMPARE_PARAMS,
                                    sizeof COMPARE_PARAMS / sizeof COMPARE_PARAMS[0], 0, &asked};
    struct ask ask;
    struct error err = {0};
    struct json_out out;

    if (query_find(&exchange->query, "gpus") == NULL) {
        params_in_complain_count(exchange, "gpus", TEXT_CARDS_MISSING, COMPARE_CARDS_MAX);
    }
    if (!ask_in_read(exchange, ASK_COMPARE, &own, &ask, NULL)) {
        return;
    }
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    card_out_catalogue(exchange, &out);
    ask_out_write(exchange, &out, ASK_COMPARE, &own, &ask);
    if (!write_answer(exchange, &out, &ask, &asked, &err)) {
        problem_reply_error(exchange, &err);
        return;
    }
    json_out_close_object(&out);
    reply_json(exchange, &out);
}
