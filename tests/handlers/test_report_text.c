/* What a terminal gets: no line over 100 columns, columns that stand below each other in Chinese
 * too, and no byte that a catalogue could command it with. */
#include "hostile_fixture.h"

#include "../../handlers/report_text.h"
#include "../../handlers/text_width.h"

enum { LINE_BYTES = 2048 };

static int get_text(const char *target)
{
    return test_send(target, (struct http_request){.method = HTTP_GET, .accept = "text/plain"});
}

/* The next line of the last body; false at its end. */
static bool next_line(size_t *at, char line[LINE_BYTES])
{
    size_t length = 0;

    if (*at >= test_response.body_bytes) {
        return false;
    }
    while (*at < test_response.body_bytes && test_response.body[*at] != '\n') {
        if (length < LINE_BYTES - 1) {
            line[length++] = test_response.body[*at];
        }
        (*at)++;
    }
    (*at)++;
    line[length] = '\0';
    return true;
}

static void fits(const char *target)
{
    char line[LINE_BYTES];
    size_t at = 0;
    size_t widest = 0;
    bool ends_well = true;
    int status = get_text(target);

    while (next_line(&at, line)) {
        bool is_link = strstr(line, ": /") != NULL; /* an address is never broken */
        size_t columns = is_link ? 0 : text_width(line);

        widest = columns > widest ? columns : widest;
        ends_well = ends_well && (*line == '\0' || line[strlen(line) - 1] != ' ');
    }
    tap_ok(status == 200 && widest > 40 && widest <= REPORT_TEXT_COLUMNS,
           "%s is at most %zu columns wide", target, widest);
    tap_ok(ends_well, "and no line ends in blanks");
}

static void test_widths(void)
{
    fits("/recommend?budget=1000");
    fits("/recommend?budget=1000&lang=zh");
    fits("/recommend?budget=7000&currency=CNY&region=cn&lang=zh");
    fits("/recommend?task=inference&model=llama-3.1-70b&max_gpus=8&limit=50&explain=all");
    fits("/recommend?task=train&model=gpt2&train_tokens=1000000000");
    fits("/recommend?task=train&model=llama-3.1-405b&budget=100");
    fits("/deal?gpu=rtx-3090&price=700");
    fits("/deal?gpu=k80&price=50&lang=zh");
    fits("/tiers");
    fits("/tiers?lang=zh");
    fits("/gpus?limit=500");
    fits("/gpus?limit=500&lang=zh");
    fits("/gpus/rtx-3090");
    fits("/gpus/mi300x?lang=zh");
    fits("/models?limit=500");
    fits("/models/llama-3.1-8b?lang=zh");
    fits("/cloud?limit=500");
    fits("/cloud?limit=500&kind=notebook&lang=zh");
    fits("/estimate?model=7b");
    fits("/compare?gpus=rtx-3090,rtx-4090,a100-sxm-80gb,mi210");
}

static bool body_holds(const char *text)
{
    return memmem(test_response.body, test_response.body_bytes, text, strlen(text)) != NULL;
}

/* The sentence at the top says what the JSON answer says. */
static void test_first_sentence(void)
{
    char card[128];
    char price[64];

    (void)test_get("/recommend?budget=1000");
    (void)snprintf(card, sizeof card, "%s", test_text("picks.0.gpu.name"));
    (void)snprintf(price, sizeof price, "about %.0f USD.", test_number("picks.0.price.total"));
    double break_even = test_number("rent_or_buy.owning");

    (void)get_text("/recommend?budget=1000");
    char line[LINE_BYTES];
    size_t at = 0;

    (void)next_line(&at, line); /* title, rule, blank */
    tap_text(line, "Which card to buy", "the title");
    (void)next_line(&at, line);
    (void)next_line(&at, line);
    (void)next_line(&at, line);
    tap_ok(strncmp(line, "Buy a used ", 11) == 0 && strstr(line, card) != NULL &&
               strstr(line, price) != NULL,
           "the pick with its price in one sentence: %s", line);
    tap_ok(break_even > 0 && body_holds("Asked: budget=1000\n") && body_holds("Newest price: 20"),
           "what was asked, and how old the prices are");
    (void)get_text("/recommend?task=inference&model=llama-3.1-70b&max_gpus=4&budget=8000");
    tap_ok(body_holds("\nBuy 2 used ") && body_holds(" in all. ") && body_holds(" GiB each, "),
           "several cards are counted");
    (void)get_text("/recommend?task=train&model=llama-3.1-405b&budget=100");
    tap_ok(body_holds("Nothing fits this question.") && !body_holds("Picks\n"),
           "no pick is said so");
}

/* The head of a column and its cells end at the same column of the terminal. */
static void test_alignment(void)
{
    char line[LINE_BYTES];
    size_t at = 0;
    size_t head_end = 0;
    size_t rows = 0;
    bool is_aligned = true;

    (void)get_text("/cloud?provider=AWS&limit=60&lang=zh");
    while (next_line(&at, line)) {
        char *head = strstr(line, "每小时，"); /* set to the right, as its numbers are */
        char *day = strstr(line, " 20");       /* when it was seen: the last column */

        if (head != NULL && head_end == 0) {
            char *seen = strstr(line, "价格日期");

            is_aligned = seen != NULL;
            if (seen != NULL) {
                *seen = '\0';
                head_end = text_width(line);
            }
        } else if (day != NULL && head_end > 0) {
            day[1] = '\0';
            is_aligned = is_aligned && text_width(line) == head_end;
            rows++;
        }
    }
    tap_ok(is_aligned && rows >= 20, "%zu rows below a Chinese head", rows);
}

/* What an offer warns of is said below the table: once, with the accelerators it is about. */
static void test_offer_warnings(void)
{
    static const char XLA_EN[] = "It runs JAX, TensorFlow and PyTorch/XLA, no CUDA code.";
    static const char XLA_ZH[] = "只能跑 JAX、TensorFlow 和 PyTorch/XLA，不能跑 CUDA 代码。";

    (void)get_text("/cloud?kind=tpu");
    const char *at = memmem(test_response.body, test_response.body_bytes, XLA_EN, strlen(XLA_EN));

    tap_ok(at != NULL && at[strlen(XLA_EN)] == '\n' && body_holds("\nBefore you rent\n"),
           "what holds for every TPU names none");
    tap_ok(at != NULL &&
               memmem(at + 1, (size_t)(test_response.body + test_response.body_bytes - at) - 1,
                      XLA_EN, strlen(XLA_EN)) == NULL,
           "and is said once");
    (void)get_text("/cloud?kind=notebook&limit=100&lang=zh");
    tap_ok(body_holds(XLA_ZH) && body_holds("（TPU v5e-1、TPU v6e-1、") && body_holds("租用前注意"),
           "among other notebooks those of TPUs are named, in Chinese");
    (void)get_text("/cloud?provider=AWS");
    tap_ok(test_response.status == 200 && !body_holds("Before you rent"),
           "nothing to say is no list");
}

static bool is_tame(void)
{
    for (size_t i = 0; i < test_response.body_bytes; i++) {
        unsigned char byte = (unsigned char)test_response.body[i];

        if ((byte < 0x20 && byte != '\n') || byte == 0x7F) {
            return false;
        }
    }
    return !body_holds("\xC2\x9B") && !body_holds("\xE2\x80\xAE");
}

static void test_hostile_names(void)
{
    const struct catalogue *catalogue = app_snapshot_catalogue(test_view.snapshot);
    char target[128];

    (void)get_text("/gpus?limit=500");
    tap_ok(test_response.status == 200 && is_tame(), "no control character reaches the terminal");
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        char line[LINE_BYTES];
        size_t at = 0;

        (void)snprintf(target, sizeof target, "/gpus/%s", catalogue->gpus[i].id);
        (void)get_text(target);
        bool has_title = next_line(&at, line) && next_line(&at, line);

        tap_ok(test_response.status == 200 && is_tame() && has_title &&
                   strspn(line, "=") == strlen(line),
               "a name of %zu bytes is one line of title", strlen(HOSTILE_NAMES[i]));
    }
    (void)get_text("/gpus/%1B%5B2J");
    tap_ok(test_response.status == 400 && is_tame(), "nor in a problem");
}

int main(void)
{
    test_open();
    test_widths();
    test_first_sentence();
    test_alignment();
    test_offer_warnings();
    struct app_snapshot *plain = (struct app_snapshot *)(uintptr_t)test_view.snapshot;

    arena_fini(&test_arena);
    hostile_open();
    app_snapshot_unref(plain);
    test_hostile_names();
    return test_close();
}
