/* phrase.c: numbers, money and names as they stand in sentences. */
#include "phrase.h"

#include "money.h"
#include "tests/tap.h"

static void test_numbers(struct phrase_book *book)
{
    static const struct {
        double value;
        int decimals;
        const char *unit, *wanted;
    } CASES[] = {
        {13.68, 1, "GiB", "13.7 GiB"}, {24, 1, "GiB", "24 GiB"},
        {4770, 0, "h", "4,770 h"},     {999, 0, "", "999"},
        {1000, 0, "", "1,000"},        {1234567.5, 1, "", "1,234,567.5"},
        {-1234, 0, "W", "-1,234 W"},   {0.176, 2, "TFLOPS", "0.18 TFLOPS"},
        {100, 2, "", "100"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        (void)tap_text(phrase_number(book, CASES[i].value, CASES[i].decimals, CASES[i].unit),
                       CASES[i].wanted, CASES[i].wanted);
    }
    (void)tap_text(phrase_number(book, 1e60, 0, ""), "-", "what is no figure of a card is a dash");
    (void)tap_text(phrase_money(book, 1234500000, CURRENCY_CNY), "1,234.50 CNY",
                   "money with cents");
    (void)tap_text(phrase_money(book, 704000000, CURRENCY_USD), "704 USD", "money without");
}

static void test_names(void)
{
    bool are_named = true;

    for (size_t framework = 0; framework < FRAMEWORK_COUNT; framework++) {
        are_named &= phrase_framework((enum framework)framework) != NULL;
    }
    (void)tap_ok(are_named, "every framework has a name");
    (void)tap_text(phrase_framework(FRAMEWORK_LLAMA_CPP), "llama.cpp", "as its makers write it");
    (void)tap_text(phrase_os(OS_WSL), "WSL", "systems");
    (void)tap_text(phrase_vendor("amd"), "AMD", "vendors");
    (void)tap_text(phrase_vendor("newcomer"), "newcomer", "an unknown vendor as it is given");
}

static void test_out_of_memory(void)
{
    struct note notes[1];
    struct arena arena;
    struct phrase_book book = {&arena, notes, 0, 1, false};

    arena_init(&arena, 1);
    (void)tap_text(phrase_number(&book, 1, 0, "a long unit of many words"), "",
                   "an exhausted arena gives an empty text");
    (void)tap_ok(book.is_out_of_memory, "and the book remembers it");
    arena_fini(&arena);
}

int main(void)
{
    struct note notes[1];
    struct arena arena;
    struct phrase_book book = {&arena, notes, 0, 1, false};

    arena_init(&arena, 64 * 1024);
    test_numbers(&book);
    test_names();
    (void)tap_text(phrase_upper(&book, "sxm"), "SXM", "an abbreviation in capitals");
    (void)tap_text(phrase_upper(&book, "abcdefghijklmnopqrstuvwxyz0123456789"),
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234", "31 letters of it");
    phrase_add(&book, MESSAGE_NO_NVLINK, VARIANT_USUAL, "PCIe", "12.6 GB/s");
    (void)tap_ok(book.count == 1 && notes[0].code == MESSAGE_NO_NVLINK &&
                     notes[0].arguments[2] == NULL,
                 "a note holds its code and arguments");
    test_out_of_memory();
    arena_fini(&arena);
    return tap_done();
}
