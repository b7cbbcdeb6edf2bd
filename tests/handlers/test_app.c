/* Thousands of requests put together by a fixed sequence of numbers from good and bad pieces:
 * whatever comes, the answer is whole, its status one of the closed list, and asking again gives
 * the same bytes. */
#include "handlers_fixture.h"

#include "../../handlers/ask_in.h"
#include "../../handlers/router.h"

enum { REQUESTS = 3000, TARGET_BYTES = 1500 };

static uint64_t state = 20261130; /* the seed; the sequence is the same on every machine */

static unsigned draw(unsigned below)
{
    state ^= state << 13; /* xorshift64, Marsaglia 2003 */
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

static const char *const VALUES[] = {"1",
                                     "8",
                                     "1000",
                                     "0",
                                     "-5",
                                     "1e3",
                                     "1,000",
                                     "NaN",
                                     "99999999999",
                                     "1.5",
                                     "",
                                     "yes",
                                     "no",
                                     "a100",
                                     "rtx-3090",
                                     "nvidia-geforce-rtx-4090",
                                     "7b",
                                     "70b",
                                     "llama-3.1-8b",
                                     "gpt2",
                                     "bf16",
                                     "q4_k_m",
                                     "inference",
                                     "train",
                                     "USD",
                                     "CNY",
                                     "used",
                                     "any",
                                     "%",
                                     "%00",
                                     "%ff",
                                     "%EF%BC%91",
                                     "bf16,nvlink",
                                     "rtx-3090:650",
                                     "rtx-3090:650,x:1",
                                     "all",
                                     "zh",
                                     "json",
                                     "csv",
                                     "text",
                                     "html",
                                     "nvidia",
                                     "id",
                                     "-price",
                                     "%22%5C",
                                     "llm",
                                     "vision",
                                     "tp"};
enum { VALUE_COUNT = sizeof VALUES / sizeof VALUES[0] };
static const char *const NAMES[] = {"lang",     "format",  "sort", "cursor",   "q",
                                    "gpu",      "gpus",    "kind", "provider", "max_price",
                                    "supports", "unknown", "",     "%41",      "x%"};
enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0] };

/* A value that the parameter may well accept, so that many requests get past the reader. */
static const char *fitting_value(const struct param *param)
{
    if (param->kind == PARAM_CHOICE && draw(4) > 0) {
        return param->choices[draw((unsigned)param->choice_count)];
    }
    return VALUES[draw(VALUE_COUNT)];
}

static void make_target(char target[TARGET_BYTES])
{
    const struct route *route = &ROUTES[draw((unsigned)ROUTE_COUNT)];
    unsigned parameters = draw(6);
    int length = snprintf(target, TARGET_BYTES, "%s%s", route->path,
                          route->has_argument ? VALUES[draw(VALUE_COUNT)] : "");

    for (unsigned i = 0; i < parameters; i++) {
        const struct param *param = &ASK_PARAMS[draw((unsigned)ASK_PARAM_COUNT)];
        bool is_listed = draw(4) > 0;

        length += snprintf(target + length, (size_t)(TARGET_BYTES - length), "%c%s=%s",
                           i == 0 ? '?' : '&', is_listed ? param->name : NAMES[draw(NAME_COUNT)],
                           is_listed ? fitting_value(param) : VALUES[draw(VALUE_COUNT)]);
    }
}

static bool is_expected(int status)
{
    static const int STATUSES[] = {200, 204, 300, 400, 401, 404, 405, 406, 415};

    for (size_t i = 0; i < sizeof STATUSES / sizeof STATUSES[0]; i++) {
        if (STATUSES[i] == status) {
            return true;
        }
    }
    return false;
}

/* An answer that is no JSON: it ends as such a document ends. */
static bool ends_as(const char *ending)
{
    size_t length = strlen(ending);

    return test_response.body_bytes > length &&
           memcmp(test_response.body + test_response.body_bytes - length, ending, length) == 0;
}

static bool is_whole(int status, const char *target)
{
    const char *type = test_header("Content-Type");

    if (status == 204) {
        return test_response.body_bytes == 0;
    }
    if (type == NULL || strstr(type, "json") == NULL) {
        return type != NULL && (strncmp(type, "text/html", 9) == 0     ? ends_as("</html>\n")
                                : strncmp(type, "text/plain", 10) == 0 ? ends_as("\n")
                                : strncmp(type, "text/csv", 8) == 0
                                    ? status == 200 && ends_as("\r\n")
                                    : status == 200 && strncmp(target, "/static/", 8) == 0);
    }

    if (status == 200) {
        return test_body != NULL;
    }
    return test_body != NULL && test_number("status") == (double)status &&
           test_text("title") != NULL;
}

static void test_random_requests(void)
{
    static const enum http_method METHODS[] = {HTTP_GET,  HTTP_GET,     HTTP_GET,  HTTP_GET,
                                               HTTP_HEAD, HTTP_OPTIONS, HTTP_POST, HTTP_OTHER};
    static const char *const ACCEPTS[] = {
        NULL,       "*/*",        "application/json",          "text/html", "text/html,*/*;q=0.8",
        "text/csv", "text/plain", "image/png, text/csv;q=0.0", "q=,;/"};
    size_t counts[600] = {0};
    size_t bad = 0;

    for (int i = 0; i < REQUESTS; i++) {
        char target[TARGET_BYTES];
        const struct http_request request = {.method = METHODS[draw(8)],
                                             .accept = ACCEPTS[draw(2) == 0 ? draw(9) : 0],
                                             .accept_language = draw(3) == 0 ? "zh" : NULL};

        make_target(target);
        int status = test_send(target, request);

        counts[status > 0 && status < 600 ? status : 599]++;
        if (!is_expected(status) || !is_whole(status, target)) {
            printf("# %d %s\n", status, target);
            bad++;
        }
    }
    tap_ok(bad == 0, "%d requests: every answer whole and of the closed list", REQUESTS);
    tap_ok(counts[200] > 200 && counts[400] > 200 && counts[404] > 20 && counts[405] > 200 &&
               counts[406] > 20,
           "and of every sort: 200 %zu, 400 %zu, 404 %zu, 405 %zu, 406 %zu", counts[200],
           counts[400], counts[404], counts[405], counts[406]);
}

/* Every byte a client can put into a target. */
static void test_raw_bytes(void)
{
    bool all_whole = true;

    for (int byte = 0; byte < 256; byte++) {
        char path[] = "/gpus/rtx?3090";
        struct http_request request = {
            .method = HTTP_GET, .path = path, .path_bytes = 14, .query = path, .query_bytes = 14};

        path[9] = (char)byte;
        arena_reset(&test_arena);
        json_decref(test_body);
        test_response = app_handle(&test_view, &request, &test_arena);
        record_reply(request.method, path, &test_response);
        test_body = json_loadb(test_response.body, test_response.body_bytes, 0, NULL);
        all_whole = all_whole && test_body != NULL && test_response.status >= 400;
    }
    tap_ok(all_whole, "256 bytes in path and query");
}

int main(void)
{
    test_open();
    test_random_requests();
    test_raw_bytes();
    return test_close();
}
