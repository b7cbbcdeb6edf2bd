/* Problem documents: statuses, members, and the one that needs no memory. */
#include "handlers_fixture.h"

#include "../../handlers/problem.h"

static void test_statuses(void)
{
    tap_ok(problem_status(problem_of_error(ERROR_BAD_PARAMETER)) == 400, "bad parameter: 400");
    tap_ok(problem_status(problem_of_error(ERROR_TOO_LARGE)) == 413, "too large: 413");
    tap_ok(problem_status(problem_of_error(ERROR_OUT_OF_MEMORY)) == 503, "out of memory: 503");
    tap_ok(problem_status(problem_of_error(ERROR_SYSTEM)) == 500, "system: 500");
    for (int kind = 0; kind < PROBLEM_KIND_COUNT; kind++) {
        int status = problem_status((enum problem_kind)kind);

        tap_ok(status == 300 || (status >= 400 && status < 600), "kind %d has a status: %d", kind,
               status);
    }
}

static void test_engine_error(void)
{
    struct http_request request = {.method = HTTP_GET};
    struct http_response response = {0};
    struct exchange exchange = {
        .view = &test_view, .request = &request, .arena = &test_arena, .response = &response};
    struct error err = {0};

    complaints_init(&exchange.complaints, &test_arena);
    (void)error_refuse(&err, "optimizer", SAY(TEXT_OPTIMIZER_INFERENCE));
    problem_reply_error(&exchange, &err);
    json_decref(test_body);
    test_body = json_loadb(response.body, response.body_bytes, 0, NULL);
    tap_ok(response.status == 400, "an engine's complaint is 400");
    tap_text(test_text("errors.0.parameter"), "optimizer", "names the parameter");
    tap_text(test_text("errors.0.detail"), "inference has none", "and what is wrong");
}

/* The smaller the arena, the earlier each request runs out of memory; it must always say so. */
static void test_out_of_memory(void)
{
    static const char *const TARGETS[] = {"/recommend?budget=1000&explain=all",
                                          "/gpus?limit=500",
                                          "/tiers",
                                          "/cloud?limit=500",
                                          "/models?limit=500",
                                          "/gpus/rtx-3090",
                                          "/estimate?model=7b",
                                          "/gpus/a100",
                                          "/recommend?x=1&y=%"};
    bool all_answer = true;
    int refused = 0;

    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        for (size_t room = 0; room < 600000; room = room < 4000 ? room + 331 : room * 5 / 3) {
            arena_fini(&test_arena);
            arena_init(&test_arena, room);
            int status = test_get(TARGETS[i]);
            bool is_refusal = status == 503 || status == 413;

            refused += is_refusal ? 1 : 0;
            all_answer = all_answer && test_body != NULL &&
                         (is_refusal || status == 200 || status == 300 || status == 400);
        }
    }
    arena_fini(&test_arena);
    arena_init(&test_arena, LIMIT_REQUEST_ARENA_BYTES);
    tap_ok(all_answer && refused > 50, "every answer is whole, %d say that memory ran out",
           refused);
}

int main(void)
{
    test_statuses();
    test_open();
    test_engine_error();
    test_out_of_memory();
    return test_close();
}
