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

/* The bodies that are written out say what the table says. */
static void test_out_of_memory_bodies(void)
{
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        struct http_request request = {.method = HTTP_GET};
        struct exchange exchange = {.view = &test_view,
                                    .request = &request,
                                    .arena = &test_arena,
                                    .language = (enum language)language,
                                    .response = &test_response};

        test_response = (struct http_response){0};
        problem_reply_out_of_memory(&exchange);
        json_decref(test_body);
        test_body = json_loadb(test_response.body, test_response.body_bytes, 0, NULL);
        tap_text(test_text("title"), text_plain(TEXT_PROBLEM_OUT_OF_MEMORY, exchange.language),
                 "the title of the table");
        tap_text(test_text("detail"), text_plain(TEXT_TRY_LATER_OR_LESS, exchange.language),
                 "its detail");
        tap_text(test_header("Content-Language"), LANGUAGE_NAMES[language], "which is told");
    }
}

struct case_of_kind {
    const char *target;
    struct http_request request;
    int status;
    const char *type, *title, *detail; /* in Chinese */
};

/* Every kind that a request can bring about, in Chinese; in English another text under the same
 * type. */
static const struct case_of_kind KINDS[] = {
    {"/gpus/a100",
     {.method = HTTP_GET},
     300,
     "ambiguous-name",
     "这个名称对应多款卡",
     "a100 对应多款卡，从 candidates 里选一款，用它的 id 再查"},
    {"/recommend?budget=abc",
     {.method = HTTP_GET},
     400,
     "bad-parameter",
     "参数有误",
     "budget：要填 1 到 100000000 之间的金额，只用数字和小数点，例如 1500.50"},
    {"/recommend?budget=abc&foo=1",
     {.method = HTTP_GET},
     400,
     "bad-parameter",
     "参数有误",
     "参数有 2 处错误，列在 errors 里"},
    {"/gpus/rtx-9999",
     {.method = HTTP_GET},
     404,
     "not-found",
     "找不到你要的内容",
     "没有叫 rtx-9999 的卡"},
    {"/models/nothing",
     {.method = HTTP_GET},
     404,
     "not-found",
     "找不到你要的内容",
     "没有 id 是这个的模型，/models 列出了全部模型"},
    {"/gpus",
     {.method = HTTP_OTHER},
     405,
     "method-not-allowed",
     "这里不能用这个请求方法",
     "可用的方法：GET、HEAD、OPTIONS"},
    {"/gpus",
     {.method = HTTP_GET, .accept = "image/png"},
     406,
     "not-acceptable",
     "没有你能接受的媒体类型",
     "只能以 application/json、text/html、text/plain、text/csv 回答"},
    {"/estimate",
     {.method = HTTP_POST, .content_type = "text/plain", .body = "x", .body_bytes = 1},
     415,
     "unsupported-media-type",
     "请求体的媒体类型不对",
     "请求体应当是模型的 config.json，类型为 application/json，可以用 curl --json @config.json "
     "发送"},
};

static void test_kinds(void)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        struct http_request request = KINDS[i].request;
        char type[80];
        char english[200];

        (void)snprintf(type, sizeof type, "urn:gpuwise:problem:%s", KINDS[i].type);
        request.accept_language = "en";
        tap_ok(test_send(KINDS[i].target, request) == KINDS[i].status, "%s: %d", KINDS[i].target,
               KINDS[i].status);
        tap_text(test_text("type"), type, "its type");
        tap_text(test_header("Content-Language"), "en", "in English");
        (void)snprintf(english, sizeof english, "%s", test_text("detail"));
        request.accept_language = "fr, zh-CN;q=0.9, en;q=0.8";
        tap_ok(test_send(KINDS[i].target, request) == KINDS[i].status, "the same status");
        tap_text(test_text("type"), type, "the same type");
        tap_text(test_header("Content-Language"), "zh", "in Chinese");
        tap_text(test_text("title"), KINDS[i].title, "its title");
        tap_text(test_text("detail"), KINDS[i].detail, "its detail");
        tap_ok(strcmp(english, KINDS[i].detail) != 0, "which is not the English one: %s", english);
    }
}

/* lang is read first, also where the fault is found before it, and where there is no route. */
static void test_choice_of_language(void)
{
    static const struct {
        const char *target, *accepted, *language;
    } ROWS[] = {
        {"/recommend?%ff=1&a=%&lang=zh", NULL, "zh"},
        {"/recommend?budget=x&lang=en", "zh", "en"},
        {"/recommend?budget=x&lang=fr", "zh", "zh"},
        {"/recommend?budget=x&lang=fr", NULL, "en"},
        {"/recommend?budget=x&lang=%7Ah", NULL, "zh"},
        {"/nowhere?lang=zh", NULL, "zh"},
        {"/nowhere", "zh", "zh"},
        {"/assets/none?lang=zh", NULL, "zh"},
        {"/gpus/%ff?lang=zh", NULL, "zh"},
        {"/gpus/a100?lang=zh", "en", "zh"},
    };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        int status = test_send(ROWS[i].target, (struct http_request){
                                                   .method = HTTP_GET,
                                                   .accept_language = ROWS[i].accepted,
                                               });
        const char *detail = test_text("detail");
        bool is_chinese = detail != NULL && strpbrk(detail, "\xE4\xE5\xE6\xE7\xE8\xE9") != NULL;

        tap_ok(status >= 300, "%s is a problem", ROWS[i].target);
        tap_text(test_header("Content-Language"), ROWS[i].language, "in its language");
        tap_ok(is_chinese == (strcmp(ROWS[i].language, "zh") == 0), "as it says: %s", detail);
    }
}

/* What the engine refuses, and what is wrong with a body, in Chinese. */
static void test_refusals(void)
{
    static const struct {
        const char *target, *parameter, *detail;
    } ROWS[] = {
        {"/recommend?task=train&quant=q4_k_m&lang=zh", "quant",
         "q4_k_m 是 GGUF 格式，只能用于推理"},
        {"/recommend?task=inference&optimizer=adamw&lang=zh", "optimizer", "推理不用优化器"},
        {"/recommend?model=gpt2&context=4096&lang=zh", "context", "gpt2 最多 1024 词元"},
        {"/recommend?max_gpu=2&lang=zh", "max_gpu", "不是 /recommend 的参数，最接近的是 max_gpus"},
        {"/gpus/rtx-3090?curency=USD&lang=zh", "curency",
         "不是 /gpus/{id} 的参数，最接近的是 currency"},
        {"/compare?gpus=rtx-3090&lang=zh", "gpus",
         "要填 2 到 8 款卡，用半角逗号隔开，例如 rtx-3090,rtx-4090"},
        {"/deal?gpu=rtx-3090&lang=zh", "price", "没有填，要填一块卡的报价，例如 650"},
        {"/gpus?sort=size&lang=zh", "sort", "只能是其中之一："},
    };
    static const char BODY[] = "{\"hidden_size\": 4096,}";

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        tap_ok(test_get(ROWS[i].target) == 400, "%s: 400", ROWS[i].target);
        const char *detail = test_detail(ROWS[i].parameter);

        tap_ok(strncmp(detail, ROWS[i].detail, strlen(ROWS[i].detail)) == 0, "%s: %s",
               ROWS[i].parameter, detail);
    }
    tap_ok(test_send("/estimate?lang=zh", (struct http_request){.method = HTTP_POST,
                                                                .content_type = "application/json",
                                                                .body = BODY,
                                                                .body_bytes = sizeof BODY - 1}) ==
               400,
           "a body that is no JSON");
    const char *detail = test_text("errors.0.detail");

    tap_ok(detail != NULL && strncmp(detail, "不是 JSON：", strlen("不是 JSON：")) == 0, "%s",
           detail);
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
    test_out_of_memory_bodies();
    test_kinds();
    test_choice_of_language();
    test_refusals();
    test_out_of_memory();
    return test_close();
}
