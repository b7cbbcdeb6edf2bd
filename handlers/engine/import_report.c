/* The words and lists of an import's report. No state. */
#include "import_report.h"

#include <string.h>

const char *const IMPORT_FINDING_NAMES[IMPORT_FINDING_COUNT] = {
    [IMPORT_MALFORMED] = "malformed", [IMPORT_NEGATIVE] = "negative",
    [IMPORT_FUTURE] = "future-date",  [IMPORT_KEY_TAKEN] = "key-taken",
    [IMPORT_OUTLIER] = "outlier",     [IMPORT_UNKNOWN_NAME] = "unknown-name",
};

const char *const IMPORT_OUTCOME_NAMES[] = {
    [IMPORT_ADDED] = "added",
    [IMPORT_UNCHANGED] = "unchanged",
    [IMPORT_REFUSED] = "refused",
};

bool import_finding_rejects(enum import_finding finding)
{
    return finding != IMPORT_OUTLIER && finding != IMPORT_UNKNOWN_NAME;
}

/* The beginning of the text, whole UTF-8 characters, on one line. */
static void copy_cut(char *out, size_t room, const char *text)
{
    size_t length = strlen(text);

    if (length >= room) {
        length = room - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    for (size_t i = 0; i < length; i++) {
        out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
    }
    out[length] = '\0';
}

void import_notes_add(struct import_notes *notes, enum import_finding finding, size_t line,
                      const char *column, const char *value, const struct wording *reason)
{
    notes->rows += notes->total == 0 || line != notes->last_line ? 1 : 0;
    notes->last_line = line;
    notes->total++;
    if (notes->count == IMPORT_NOTES_MAX) {
        return;
    }
    struct import_note *note = &notes->notes[notes->count++];
    char words[IMPORT_REASON_BYTES];

    note->finding = finding;
    note->line = line;
    copy_cut(note->column, sizeof note->column, column == NULL ? "" : column);
    copy_cut(note->value, sizeof note->value, value == NULL ? "" : value);
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        text_print(reason, (enum language)language, words, sizeof words);
        copy_cut(note->reasons[language], sizeof note->reasons[language], words);
    }
}
