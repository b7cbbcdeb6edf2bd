/* The words and lists of an import's report. No state. */
#include "import_report.h"

#include <string.h>

const char *const IMPORT_FINDING_NAMES[IMPORT_FINDING_COUNT] = {
    [IMPORT_MALFORMED] = "malformed",      [IMPORT_NEGATIVE] = "negative",
    [IMPORT_FUTURE] = "future-date",       [IMPORT_KEY_TAKEN] = "key-taken",
    [IMPORT_OUTLIER] = "outlier",          [IMPORT_UNKNOWN_NAME] = "unknown-name",
    [IMPORT_NO_RATE] = "no-exchange-rate", [IMPORT_UNKNOWN_PROVIDER] = "unknown-provider",
};

const char *const IMPORT_DAY_FROM_NAMES[] = {
    [IMPORT_DAY_ROWS] = "rows", [IMPORT_DAY_REQUEST] = "request", [IMPORT_DAY_NAME] = "name",
    [IMPORT_DAY_FILE] = "file", [IMPORT_DAY_IMPORT] = "import",
};

const char *import_report_outcome(const struct import_report *report)
{
    bool is_dry = report->is_dry_run;

    if (report->outcome == IMPORT_REFUSED) {
        return is_dry ? "would-refuse" : "refused";
    }
    if (report->outcome == IMPORT_UNCHANGED) {
        return is_dry ? "would-change-nothing" : "unchanged";
    }
    if (report->not_advising == report->accepted) {
        return is_dry ? "would-keep" : "kept";
    }
    return is_dry ? "would-add" : "added";
}

bool import_finding_rejects(enum import_finding finding)
{
    return finding < IMPORT_OUTLIER;
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

struct import_note *import_notes_add(struct import_notes *notes, enum import_finding finding,
                                     size_t line, const char *column, const char *value,
                                     const struct wording *reason)
{
    notes->rows += notes->total == 0 || line != notes->last_line ? 1 : 0;
    notes->last_line = line;
    notes->total++;
    if (notes->count == IMPORT_NOTES_MAX) {
        return NULL;
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
    note->suggestion_count = 0;
    return note;
}

void import_note_suggest(struct import_note *note, const char *id, const char *name)
{
    if (note == NULL || note->suggestion_count == IMPORT_SUGGESTIONS_MAX) {
        return;
    }
    struct import_suggestion *suggestion = &note->suggestions[note->suggestion_count++];

    copy_cut(suggestion->id, sizeof suggestion->id, id);
    copy_cut(suggestion->name, sizeof suggestion->name, name);
}

void import_report_add_provider(struct import_report *report, const char *provider)
{
    if (report->provider_count < IMPORT_PROVIDERS_MAX) {
        copy_cut(report->providers[report->provider_count], IMPORT_WORD_BYTES, provider);
    }
    report->provider_count++;
}

const char *import_note_effect(const struct import_report *report, const struct import_note *note)
{
    if (import_finding_rejects(note->finding)) {
        return "rejected";
    }
    if (note->finding == IMPORT_OUTLIER) {
        return report->held > 0 ? "held" : "added"; /* of a file all are, or none */
    }
    return note->finding == IMPORT_UNKNOWN_PROVIDER ? "added" : "kept";
}
