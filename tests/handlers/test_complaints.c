/* Collecting complaints: copies, either language, limits. */
#include "../../handlers/complaints.h"

#include "../tap.h"

static struct complaints complaints;

static const char *said(const struct complaint *complaint, enum language language)
{
    return text_say(&complaint->wording, language, complaints.arena);
}

static void test_copies(void)
{
    char name[] = "budget";
    char card[] = "a100";

    complaints_add(&complaints, name, 6, SAY(TEXT_CARD_UNKNOWN, card));
    name[0] = 'x';
    card[0] = 'x';
    tap_text(complaints.items[0].parameter, "budget", "the name is copied");
    tap_text(said(&complaints.items[0], LANGUAGE_EN), "no card is known as a100",
             "and what the wording names");
    tap_text(said(&complaints.items[0], LANGUAGE_ZH), "没有叫 a100 的卡", "for either language");
}

static void test_errors(void)
{
    struct error err = {0};
    size_t last = complaints.count;

    (void)error_refuse(&err, "quant", SAY(TEXT_QUANT_NO_LLAMA_CPP, "nf4"));
    tap_text(complaints_add_error(&complaints, &err), "quant", "an engine's complaint");
    tap_text(said(&complaints.items[last], LANGUAGE_EN), "llama.cpp does not read nf4",
             "its detail");
    tap_text(said(&complaints.items[last], LANGUAGE_ZH), "llama.cpp 不支持 nf4", "in Chinese");
    (void)error_set(&err, ERROR_BAD_FILE, "x.csv line 2: bad");
    tap_text(complaints_add_error(&complaints, &err), "", "an error of no parameter");
    tap_text(said(&complaints.items[last + 1], LANGUAGE_EN), "x.csv line 2: bad", "as it is");
    tap_text(said(&complaints.items[last + 1], LANGUAGE_ZH),
             "服务的说明（英文）：x.csv line 2: bad", "in English, which Chinese says");
}

static void test_limits(void)
{
    struct arena small;
    struct error err = {0};

    for (int i = 0; i < LIMIT_PROBLEM_ERRORS; i++) {
        complaints_add(&complaints, "b", 1, SAY(TEXT_EMPTY));
    }
    tap_ok(complaints.count == LIMIT_PROBLEM_ERRORS && complaints.is_incomplete,
           "more than the maximum is only noted");
    (void)error_refuse(&err, "quant", SAY(TEXT_QUANT_NO_LLAMA_CPP, "nf4"));
    tap_ok(complaints_add_error(&complaints, &err) == NULL, "also an engine's");
    arena_init(&small, 8);
    complaints_init(&complaints, &small);
    complaints_add(&complaints, "b", 1, SAY(TEXT_CARD_UNKNOWN, "rtx-3090-ti"));
    tap_ok(complaints.is_out_of_memory && complaints.count == 0, "running out of memory is noted");
    arena_fini(&small);
}

int main(void)
{
    struct arena arena;

    arena_init(&arena, 1024 * 1024);
    complaints_init(&complaints, &arena);
    test_copies();
    test_errors();
    test_limits();
    arena_fini(&arena);
    return tap_done();
}
