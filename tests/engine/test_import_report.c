/* handlers/engine/import_report.c: lists that stay bounded, texts that stay on one line. */
#include "../../handlers/engine/import_report.h"

#include "../tap.h"

#include <stdlib.h>

static void test_lists(void)
{
    struct import_notes *notes = calloc(1, sizeof *notes);

    for (size_t i = 0; notes != NULL && i < 2 * IMPORT_NOTES_MAX; i++) {
        import_notes_add(notes, IMPORT_OUTLIER, i + 1, "amount", "9", SAY(TEXT_VALUE_LARGE));
    }
    tap_ok(notes != NULL && notes->count == IMPORT_NOTES_MAX &&
               notes->total == 2 * IMPORT_NOTES_MAX &&
               notes->notes[IMPORT_NOTES_MAX - 1].line == IMPORT_NOTES_MAX,
           "the first notes are kept, all are counted");
    free(notes);
}

static void test_texts(void)
{
    struct import_notes *notes = calloc(1, sizeof *notes);
    const struct import_note *note = &notes->notes[0];

    import_notes_add(notes, IMPORT_MALFORMED, 0, NULL, NULL,
                     SAY(TEXT_SERVICE_FAULT, "two\nlines\x7f"));
    tap_ok(note->column[0] == '\0' && note->value[0] == '\0', "no column and no value are empty");
    tap_text(note->reasons[LANGUAGE_EN], "two lines ", "control characters become blanks");
    tap_text(note->reasons[LANGUAGE_ZH], "服务的说明（英文）：two lines ", "in both languages");
    note = &notes->notes[1];
    /* 46 bytes, then a character of three, which does not fit whole into 47 */
    import_notes_add(notes, IMPORT_MALFORMED, 1, "c",
                     "0123456789012345678901234567890123456789012345\xe6\x98\xbe",
                     SAY(TEXT_VALUE_LARGE));
    tap_text(note->value, "0123456789012345678901234567890123456789012345",
             "a text is cut between characters");
    free(notes);
}

static void test_words(void)
{
    size_t rejecting = 0;

    for (enum import_finding i = IMPORT_MALFORMED; i < IMPORT_FINDING_COUNT; i++) {
        tap_ok(IMPORT_FINDING_NAMES[i] != NULL, "finding %d is called %s", (int)i,
               IMPORT_FINDING_NAMES[i]);
        rejecting += import_finding_rejects(i) ? 1 : 0;
    }
    tap_ok(rejecting == 4 && !import_finding_rejects(IMPORT_OUTLIER) &&
               !import_finding_rejects(IMPORT_UNKNOWN_NAME) &&
               !import_finding_rejects(IMPORT_NO_RATE) &&
               !import_finding_rejects(IMPORT_UNKNOWN_PROVIDER),
           "all reject the file but those for review");
}

int main(void)
{
    test_lists();
    test_texts();
    test_words();
    return tap_done();
}
