/* GET and POST /estimate: memory and speed of one workload, on one card or on all. One request, one
 * thread. */
#include "handle.h"

#include "ask_out.h"
#include "body_type.h"
#include "card_out.h"
#include "engine/question.h"
#include "model_config.h"
#include "problem.h"
#include "reply.h"
#include "rows.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 24 }; /* of a count of cards in decimal */

struct estimate_ask {
    const struct gpu *gpu; /* NULL: every card */
    double gpus;
};

static const struct param ESTIMATE_PARAMS[] = {
    {.name = "gpu", .kind = PARAM_GPU, .offset = offsetof(struct estimate_ask, gpu)},
    {.name = "gpus",
     .kind = PARAM_WHOLE,
     .minimum = 1,
     .maximum = ASK_MAX_CARDS,
     .example = "2",
     .offset = offsetof(struct estimate_ask, gpus)},
};

struct estimate { /* the question on so many cards, decided once */
    const struct exchange *exchange;
    const struct ask *ask;
    size_t cards;
    enum strategy strategy;
    struct memory_need need;
    struct speed_rater speed_rater;
};

/* Memory of the card that the need is compared with: usable, or as sold where the need is a floor.
 */
static double available_gib(const struct estimate *estimate, const struct gpu *gpu)
{
    return estimate->need.is_floor
               ? gpu->memory_per_process_gib
               : memory_usable_gib(estimate->exchange->catalogue, estimate->ask, gpu);
}

static bool does_fit(const struct estimate *estimate, const struct gpu *gpu)
{
    double share =
        estimate->need.is_floor ? 1 : estimate->exchange->catalogue->parameters.memory_tight_share;

    return estimate->need.per_gpu_gib <= share * available_gib(estimate, gpu);
}

/* As the advisor decides it (DESIGN.md section 3.10): one copy a card where it fits, else shared
 * out. */
static void choose_strategy(struct estimate *estimate, const struct gpu *gpu)
{
    const struct catalogue *catalogue = estimate->exchange->catalogue;
    const struct ask *ask = estimate->ask;

    estimate->strategy = ask->strategy;
    if (ask->strategy == STRATEGY_UNASKED) {
        estimate->strategy = estimate->cards == 1 ? STRATEGY_SINGLE : STRATEGY_DDP;
    }
    memory_estimate(catalogue, ask, estimate->strategy, estimate->cards, &estimate->need);
    if (ask->strategy == STRATEGY_UNASKED && estimate->cards > 1 &&
        (gpu == NULL || question_copies_idle(ask, estimate->cards) || !does_fit(estimate, gpu))) {
        estimate->strategy = question_shares_strategy(ask, estimate->cards);
        memory_estimate(catalogue, ask, estimate->strategy, estimate->cards, &estimate->need);
    }
}

/* A strategy is about more than one card, and single about one. */
static bool check_strategy(struct exchange *exchange, const struct ask *ask, double gpus)
{
    bool is_shared = ask->strategy != STRATEGY_UNASKED && ask->strategy != STRATEGY_SINGLE;
    char number[NUMBER_BYTES];

    if (ask->strategy == STRATEGY_SINGLE && gpus > 1) {
        complaints_add(&exchange->complaints, "gpus", 4, SAY(TEXT_GPUS_OF_SINGLE));
    } else if (is_shared && gpus < 2) {
        (void)snprintf(number, sizeof number, "%d", ASK_MAX_CARDS);
        complaints_add(&exchange->complaints, "strategy", 8,
                       SAY(TEXT_STRATEGY_OF_SEVERAL, STRATEGY_NAMES[ask->strategy], number));
    } else if (ask->strategy == STRATEGY_TP && !question_can_split_heads(ask, (size_t)gpus)) {
        (void)snprintf(number, sizeof number, "%.0f", gpus);
        complaints_add(&exchange->complaints, "gpus", 4,
                       SAY(TEXT_HEADS_UNEVEN, number, ask->model->id));
    }
    return params_in_accept(exchange);
}

static void write_fit(struct json_out *out, const struct estimate *estimate, const struct gpu *gpu)
{
    double available = available_gib(estimate, gpu);
    double comfortable = estimate->exchange->catalogue->parameters.memory_pick_share * available;
    bool is_fitting = does_fit(estimate, gpu);

    json_out_open_object(out);
    card_out_reference(out, gpu);
    json_out_count_at(out, "count", estimate->cards);
    json_out_bool_at(out, "fits", is_fitting);
    json_out_bool_at(out, "tight",
                     is_fitting && !estimate->need.is_floor &&
                         estimate->need.per_gpu_gib > comfortable);
    json_out_estimate_at(out, "needed_gib", estimate->need.per_gpu_gib);
    json_out_estimate_at(out, "available_gib", available);
    json_out_estimate_at(out, "headroom_gib", available - estimate->need.per_gpu_gib);
    json_out_close_object(out);
}

static void write_speed(struct json_out *out, const struct estimate *estimate,
                        const struct gpu *gpu)
{
    const struct ask *ask = estimate->ask;
    struct speed speed;
    bool is_known =
        speed_rate(&estimate->speed_rater, gpu, estimate->strategy, estimate->cards, &speed);

    json_out_open_object(out);
    card_out_reference(out, gpu);
    json_out_count_at(out, "count", estimate->cards);
    card_out_speed(out, is_known ? &speed : NULL);
    if (is_known) {
        json_out_estimate_at(out, "job_hours", speed_job_hours(ask, &speed, speed.value));
    } else {
        json_out_null_at(out, "job_hours");
    }
    json_out_close_object(out);
}

static void write_cards(struct json_out *out, const struct estimate *estimate,
                        const struct gpu *gpu)
{
    const struct catalogue *catalogue = estimate->exchange->catalogue;
    const struct gpu *first = gpu == NULL ? catalogue->gpus : gpu;
    size_t count = gpu == NULL ? catalogue->gpu_count : 1;

    json_out_open_array_at(out, "fits");
    for (size_t i = 0; i < count; i++) {
        write_fit(out, estimate, &first[i]);
    }
    json_out_close_array(out);
    json_out_open_array_at(out, "speed");
    for (size_t i = 0; i < count; i++) {
        if (gpu != NULL || does_fit(estimate, &first[i])) {
            write_speed(out, estimate, &first[i]);
        }
    }
    json_out_close_array(out);
}

/* The model as it was understood, so that its sender can check it. */
static void write_posted(struct exchange *exchange, struct json_out *out)
{
    struct fragment members;
    struct error err = {0};

    if (exchange->posted == NULL) {
        return;
    }
    if (!rows_model(&exchange->posted->model, exchange->arena, &members, &err)) {
        out->text.has_failed = true;
        return;
    }
    json_out_open_object_at(out, "model");
    json_out_raw(out, members.bytes, members.length);
    json_out_close_object(out);
}

void handle_estimate(struct exchange *exchange)
{
    struct estimate_ask asked = {.gpus = 1};
    const struct param_group own = {ESTIMATE_PARAMS,
                                    sizeof ESTIMATE_PARAMS / sizeof ESTIMATE_PARAMS[0], 0, &asked};
    struct ask ask;
    struct json_out out;

    if (!ask_in_read(exchange, ASK_ESTIMATE, &own, &ask, NULL) ||
        !check_strategy(exchange, &ask, asked.gpus)) {
        return;
    }
    struct estimate estimate = {.exchange = exchange, .ask = &ask, .cards = (size_t)asked.gpus};

    choose_strategy(&estimate, asked.gpu);
    speed_rater_init(&estimate.speed_rater, exchange->catalogue, &ask);
    json_out_init(&out, exchange->arena);
    json_out_open_object(&out);
    ask_out_write(exchange, &out, ASK_ESTIMATE, &own, &ask);
    write_posted(exchange, &out);
    json_out_text_at(&out, "strategy", STRATEGY_NAMES[estimate.strategy]);
    json_out_open_object_at(&out, "memory");
    card_out_memory(&out, &estimate.need);
    json_out_close_object(&out);
    write_cards(&out, &estimate, asked.gpu);
    json_out_close_object(&out);
    reply_json(exchange, &out);
}

void handle_estimate_posted(struct exchange *exchange)
{
    struct model_config config;

    if (!body_type_is(exchange->request->content_type, "application/json")) {
        problem_reply_media_type(exchange, SAY(TEXT_CONFIG_MEDIA_TYPE), "application/json");
        return;
    }
    exchange->posted = &config;
    model_config_read(exchange, &config);
    handle_estimate(exchange); /* names what is wrong with the query too */
    exchange->posted = NULL;
}
