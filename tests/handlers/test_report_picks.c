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
    arena_fini(&arena);
    return tap_done();
}
