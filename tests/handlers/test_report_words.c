/* Every text of laid-out answers exists once, in both languages, with the same arguments; no code
 * or key that an answer shows is left in English in Chinese. */
#include "handlers_fixture.h"

#include "../../handlers/report_words.h"

static unsigned arguments_of(const char *text)
{
    unsigned found = 0;

    for (; *text != '\0'; text++) {
        if (text[0] == '{') {
            found |= 1U << (unsigned)(text[1] - '0');
        }
    }
    return found;
}

static void test_table(void)
{
    size_t repeated = 0;
    size_t incomplete = 0;

    for (size_t i = 0; i < REPORT_WORD_COUNT; i++) {
        const struct report_word_row *row = &REPORT_WORDS[i];

        for (size_t j = 0; j < i; j++) {
            repeated += strcmp(row->id, REPORT_WORDS[j].id) == 0 ? 1 : 0;
        }
        if (row->texts[LANGUAGE_EN] == NULL || row->texts[LANGUAGE_ZH] == NULL ||
            arguments_of(row->texts[LANGUAGE_EN]) != arguments_of(row->texts[LANGUAGE_ZH])) {
            printf("# %s\n", row->id);
            incomplete++;
        }
    }
    tap_ok(repeated == 0, "no id twice");
    tap_ok(incomplete == 0, "%zu texts in both languages with the same arguments",
           REPORT_WORD_COUNT);
    tap_text(report_words_find("price", LANGUAGE_ZH), "价格", "a word");
    tap_text(report_words_find("no such word", LANGUAGE_ZH), "no such word", "or the id itself");
}

/* A key of JSON or an id of ours looks like one: small letters joined by '_' or '-'. */
static bool looks_like_an_id(const char *text, size_t length)
{
    bool has_joint = false;

    for (size_t i = 0; i < length; i++) {
        bool is_joint = text[i] == '_';

        has_joint |= is_joint;
        if (!is_joint && !(text[i] >= 'a' && text[i] <= 'z') &&
            !(text[i] >= '0' && text[i] <= '9')) {
            return false;
        }
    }
    return has_joint;
}

/* Elements that begin so and hold nothing but a key that nobody translated. */
static size_t count_bare(const char *element)
{
    size_t found = 0;
    const char *at = test_response.body;
    const char *end = at + test_response.body_bytes;

    while ((at = memmem(at, (size_t)(end - at), element, strlen(element))) != NULL) {
        const char *text = (const char *)memchr(at, '>', (size_t)(end - at)) + 1;
        size_t length = strcspn(text, "<");

        if (looks_like_an_id(text, length)) {
            printf("# %.*s\n", (int)length, text);
            found++;
        }
        at = text;
    }
    return found;
}

static size_t count_bare_heads(const char *target)
{
    (void)test_send(
        target,
        (struct http_request){.method = HTTP_GET, .accept = "text/html", .accept_language = "zh"});
    return count_bare("<th scope=") + count_bare("<h2>") + count_bare("<h1>") + count_bare("<p>");
}

static void test_heads(void)
{
    static const char *const TARGETS[] = {"/recommend?budget=1000",
                                          "/deal?gpu=rtx-3090&price=700",
                                          "/compare?gpus=rtx-3090,k80",
                                          "/estimate?model=7b&gpu=rtx-3090",
                                          "/gpus",
                                          "/gpus/rtx-3090",
                                          "/models",
                                          "/models/deepseek-v3",
                                          "/tiers",
                                          "/cloud"};

    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        size_t bare = count_bare_heads(TARGETS[i]);

        tap_ok(test_response.status == 200 && bare == 0, "%s has no bare key for a head",
               TARGETS[i]);
    }
}

/* Ranks that share a warning are a list as Chinese writes it. */
static void test_lists(void)
{
    static const char BEFORE[] = "（第 ";
    size_t lists = 0;
    size_t commas = 0;

    (void)test_send("/recommend?budget=800&format=text",
                    (struct http_request){.method = HTTP_GET, .accept_language = "zh"});
    const char *at = test_response.body;
    const char *end = at + test_response.body_bytes;

    while ((at = memmem(at, (size_t)(end - at), BEFORE, sizeof BEFORE - 1)) != NULL) {
        const char *ranks = at + sizeof BEFORE - 1;
        size_t length =
            (size_t)((const char *)memmem(ranks, (size_t)(end - ranks), "）", 3) - ranks);

        lists += memmem(ranks, length, "、", 3) != NULL ? 1 : 0;
        commas += memchr(ranks, ',', length) != NULL ? 1 : 0;
        at = ranks;
    }
    tap_ok(lists > 0 && commas == 0, "%zu lists of ranks, %zu with a half-width comma", lists,
           commas);
}

int main(void)
{
    test_open();
    test_table();
    test_heads();
    test_lists();
    return test_close();
}
