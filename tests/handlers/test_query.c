/* Reading the raw query: what is refused, what is decoded, what the next page's address looks like.
 */
#include "../../handlers/query.h"

#include "../tap.h"

#include <string.h>

static struct arena arena;
static struct query query;
static struct complaints complaints;

static void read_bytes(const char *text, size_t length)
{
    struct http_request request = {.query = text, .query_bytes = length};

    arena_reset(&arena);
    complaints_init(&complaints, &arena);
    query_read(&request, &query, &complaints);
}

static void read_text(const char *text)
{
    read_bytes(text, strlen(text));
}

static void refuses(const char *text, const char *parameter, const char *detail)
{
    read_text(text);
    tap_ok(complaints.count == 1 && strcmp(complaints.items[0].parameter, parameter) == 0 &&
               strstr(text_say(&complaints.items[0].wording, LANGUAGE_EN, &arena), detail) != NULL,
           "%s: %s %s", text, parameter, detail);
}

static void test_decoding(void)
{
    read_text("a=1&b=x+y%2Bz&c=%E6%98%BE%E5%8D%A1&d=");
    tap_ok(complaints.count == 0 && query.count == 4, "four parameters");
    tap_text(query_find(&query, "b")->value, "x y+z", "'+' is a blank, %%2B a plus");
    tap_text(query_find(&query, "c")->value, "显卡", "UTF-8");
    tap_ok(query_find(&query, "d")->value_length == 0, "an empty value is left to the reader");
    tap_ok(query_find(&query, "e") == NULL, "what is not given is NULL");
    read_bytes("", 0);
    tap_ok(complaints.count == 0 && query.count == 0, "an empty query");
    read_bytes(NULL, 0);
    tap_ok(complaints.count == 0 && query.count == 0, "no query");
}

static void test_refusals(void)
{
    refuses("a=%", "a", "hexadecimal");
    refuses("a=%4", "a", "hexadecimal");
    refuses("a=%zz", "a", "hexadecimal");
    refuses("a=%00", "a", "control character");
    refuses("a=1%0d%0aX:2", "a", "control character");
    refuses("a=%7f", "a", "control character");
    refuses("a=%C2%85", "a", "control character");
    refuses("a=%ff", "a", "UTF-8");
    refuses("%a=1", "%a", "the name has a '%'");
    refuses("a%01=1", "a%01", "the name holds a control character");
    refuses("a%ff=1", "a%ff", "the name is not valid UTF-8");
    refuses("%E2%80%8B=1", "%E2%80%8B", "the name holds an invisible character");
    refuses("a=%C0%AF", "a", "UTF-8");       /* overlong '/' */
    refuses("a=%ED%A0%80", "a", "UTF-8");    /* a surrogate */
    refuses("a=%F4%90%80%80", "a", "UTF-8"); /* above 10FFFF */
    refuses("a=%E6%98", "a", "UTF-8");
    refuses("a=%E2%80%8Brtx", "a", "invisible");  /* a blank of no width */
    refuses("a=%EF%BB%BFrtx", "a", "invisible");  /* a byte order mark */
    refuses("a=%E2%80%AE4090", "a", "invisible"); /* written from right to left */
    refuses("a=%E2%80%A8", "a", "invisible");     /* a line separator */
    refuses("a", "a", "no value");
    refuses("=1", "", "without a name");
    refuses("a=1&", "", "without a name");
    refuses("a=1&a=2", "a", "more than once");
    refuses("%00=1", "%00", "control character");
    read_bytes("a=\0", 3);
    tap_ok(complaints.count == 1, "a raw NUL byte");
    read_text("a=%&b=%ff&c=1&c=2&=");
    tap_ok(complaints.count == 4 && query.count == 1, "all faults at once");
}

static void test_limits(void)
{
    char text[8192];
    size_t length = 0;

    for (int i = 0; i < LIMIT_PARAMETERS + 3; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "p%d=1&", i);
    }
    read_bytes(text, length - 1);
    tap_ok(query.count == LIMIT_PARAMETERS && complaints.count == 3, "too many parameters");
    memcpy(text, "a=", 2);
    memset(text + 2, '1', LIMIT_PARAMETER_VALUE_BYTES + 1);
    read_bytes(text, LIMIT_PARAMETER_VALUE_BYTES + 2);
    tap_ok(complaints.count == 0, "the longest value");
    read_bytes(text, LIMIT_PARAMETER_VALUE_BYTES + 3);
    tap_ok(complaints.count == 1, "one byte longer");
    memset(text, '&', 4000);
    read_bytes(text, 4000);
    tap_ok(complaints.count == LIMIT_PROBLEM_ERRORS && complaints.is_incomplete,
           "four thousand faults are cut");
}

static void test_removal(void)
{
    read_text("a=1&b=2&c=3");
    tap_ok(query_remove(&query, "b") && query.count == 2 && query_find(&query, "b") == NULL,
           "one is taken out");
    tap_text(query_find(&query, "c")->value, "3", "the others stay");
    tap_ok(!query_remove(&query, "b"), "only once");
    tap_ok(query_remove(&query, "c") && query_remove(&query, "a") && query.count == 0, "all");
}

static void test_next_target(void)
{
    read_text("q=a%20b&cursor=3&limit=5&x=%26");
    tap_text(query_target(&query, "/gpus", "cursor", "8", &arena),
             "/gpus?q=a%20b&limit=5&x=%26&cursor=8", "the next page keeps the other parameters");
    read_text("");
    tap_text(query_target(&query, "/gpus", "cursor", "50", &arena), "/gpus?cursor=50",
             "no parameters");
    tap_text(query_target(&query, "/gpus", "cursor", NULL, &arena), "/gpus", "nor a cursor");
    read_text("cursor=3&limit=5&cursor=4");
    tap_text(query_target(&query, "/gpus", "cursor", NULL, &arena), "/gpus?limit=5",
             "the first page");
}

int main(void)
{
    arena_init(&arena, 1024 * 1024);
    test_decoding();
    test_refusals();
    test_limits();
    test_removal();
    test_next_target();
    arena_fini(&arena);
    return tap_done();
}
