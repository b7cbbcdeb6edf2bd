/* What several picks say is said once, with the ranks it is about. */
#include "../../handlers/report_pages.h"

#include "../../handlers/engine/text.h"
#include "../tap.h"

static struct arena arena;
static struct report report;

/* Tells the warnings of rows such as [{"rank":1,"warnings":[{"text":"a"}]}]. */
static void tell(const char *rows_text, enum language language)
{
    json_t *rows = json_loads(rows_text, 0, NULL);
    const struct teller teller = {&report, rows, "/recommend"};

    arena_reset(&arena);
    report_init(&report, &arena, language);
    report_tell_said(&teller, "before", rows, "warnings");
    json_decref(rows); /* texts are borrowed: those compared below are copies with their ranks */
}

static const char *item(size_t i)
{
    return report.first != NULL && i < report.first->row_count ? report.first->cells[i].text : NULL;
}

#define ROW(rank, notes) "{\"rank\":" #rank ",\"warnings\":[" notes "]}"
#define NOTE(text) "{\"code\":\"x\",\"text\":\"" text "\"}"

/* The place of a paragraph among those of a whole answer; -1: it is not there. */
static int place_of(const char *root_text, const char *paragraph)
{
    json_t *root = json_loads(root_text, 0, NULL);
    const struct teller teller = {&report, root, "/recommend"};
    int place = 0, found = -1, times = 0;

    arena_reset(&arena);
    report_init(&report, &arena, LANGUAGE_EN);
    report_tell_recommend(&teller);
    for (const struct report_block *block = report.first; block != NULL; block = block->next) {
        if (block->kind == REPORT_PARAGRAPH && block->row_count > 0 &&
            strcmp(block->cells[0].text, paragraph) == 0) {
            found = place;
            times++;
        }
        place++;
    }
    json_decref(root);
    return times == 1 ? found : -1;
}

#define ANSWER(verdict)                                                                            \
    "{\"picks\":[{\"rank\":1,\"gpu\":{\"name\":\"G\"},\"reasons\":[{\"code\":\"x\",\"text\":"      \
    "\"why\"}]}],"                                                                                 \
    "\"rent_or_buy\":{\"verdict\":\"" verdict "\",\"text\":\"Compared.\"}}"

/* Who is told to buy must not find at the foot of the page that renting costs less. */
static void test_renting_first(void)
{
    tap_ok(place_of(ANSWER("rent"), "Compared.") == 1 && place_of(ANSWER("rent"), "why") == 2,
           "renting is cheaper: said directly behind the headline, once");
    tap_ok(place_of(ANSWER("buy"), "why") == 1 && place_of(ANSWER("buy"), "Compared.") > 1,
           "buying is: with what can be rented");
}

int main(void)
{
    arena_init(&arena, 1024 * 1024);
    tell("[" ROW(1, NOTE("a")) "," ROW(2, NOTE("a") "," NOTE("b")) "," ROW(3, NOTE("a")) "," ROW(
             4, NOTE("b")) "," ROW(5, NOTE("a")) "," ROW(6, NOTE("a")) "," ROW(42, NOTE("a")) "]",
         LANGUAGE_EN);
    tap_text(item(0), "a (no. 1-3, 5, 6, 42)", "three in a row are a range, two are not");
    tap_text(item(1), "b (no. 2, 4)", "what stands apart stays apart");
    tap_ok(item(2) == NULL, "each text once");
    tell("[" ROW(7, NOTE("a")) "," ROW(8, NOTE("a")) "," ROW(9, NOTE("a")) "," ROW(
             10, NOTE("a")) "," ROW(12, "") "]",
         LANGUAGE_ZH);
    tap_text(item(0), "a（第 7-10 名）", "in Chinese");
    tell("[" ROW(1, "") "," ROW(2, "") "]", LANGUAGE_EN);
    tap_ok(report.first == NULL && !report.has_failed, "nothing to say is no list");
    test_renting_first();
    arena_fini(&arena);
    return tap_done();
}
