/* RFC 4180, strictly: see csv.h. It knows no column names and no types. Any thread; no state
 * outside the reader. */
#include "csv.h"

#include "../handlers/engine/character.h"
#include "../handlers/engine/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ALLOWED_CONTROLS[] = "\t\r\n"; /* in quoted fields */

static bool fail_at(const struct csv_reader *reader, enum text fault, struct error *err)
{
    char line[24], column[24];

    (void)snprintf(line, sizeof line, "%zu", reader->line);
    (void)snprintf(column, sizeof column, "%zu", reader->field_count + 1);
    return error_say(err, ERROR_BAD_FILE,
                     &(const struct wording){fault, reader->name, line, column});
}

static bool is_at_end(const struct csv_reader *reader)
{
    return reader->place == reader->size_bytes;
}

/* Whether that byte stands next; false at the end. */
static bool is_next(const struct csv_reader *reader, char byte)
{
    return !is_at_end(reader) && reader->bytes[reader->place] == (unsigned char)byte;
}

static bool is_line_end_next(const struct csv_reader *reader)
{
    return is_next(reader, '\n') ||
           (is_next(reader, '\r') && reader->place + 1 < reader->size_bytes &&
            reader->bytes[reader->place + 1] == '\n');
}

bool csv_is_text(const char *bytes, size_t length)
{
    return character_is_plain(bytes, length, ALLOWED_CONTROLS);
}

/* Moves one character into the record. */
static bool take_character(struct csv_reader *reader, size_t field_start, struct error *err)
{
    const char *text = (const char *)reader->bytes + reader->place;
    uint32_t code = 0;
    size_t count = character_read(text, reader->size_bytes - reader->place, &code);

    if (count == 0) {
        return fail_at(reader, TEXT_CSV_UTF_8, err);
    }
    if (character_is_control_but(code, ALLOWED_CONTROLS)) {
        return fail_at(reader, TEXT_CSV_CONTROL, err);
    }
    if (character_is_invisible(code)) {
        return fail_at(reader, TEXT_CSV_INVISIBLE, err);
    }
    if (reader->record_bytes - field_start + count > CSV_FIELD_BYTES_MAX) {
        return fail_at(reader, TEXT_CSV_FIELD_BYTES, err);
    }
    if (reader->record_bytes + count >= CSV_RECORD_BYTES_MAX) { /* one byte is kept for the NUL */
        return fail_at(reader, TEXT_CSV_RECORD_BYTES, err);
    }
    memcpy(reader->record + reader->record_bytes, text, count);
    reader->record_bytes += count;
    reader->place += count;
    reader->line += text[0] == '\n' ? 1 : 0;
    return true;
}

/* Moves the letters of ASCII that stand next into the record, as far as they are in no need of a
 * second look: most of a file, and a third of the time of reading it. */
static void take_easy(struct csv_reader *reader, size_t field_start)
{
    const unsigned char *text = reader->bytes + reader->place;
    size_t left = reader->size_bytes - reader->place;
    size_t field_room = CSV_FIELD_BYTES_MAX - (reader->record_bytes - field_start);
    size_t record_room = CSV_RECORD_BYTES_MAX - 1 - reader->record_bytes;
    size_t most = field_room < record_room ? field_room : record_room;
    size_t count = 0;

    most = most < left ? most : left;
    while (count < most && text[count] >= 0x20 && text[count] < 0x7f && text[count] != ',' &&
           text[count] != '"') {
        count++;
    }
    memcpy(reader->record + reader->record_bytes, text, count);
    reader->record_bytes += count;
    reader->place += count;
}

/* The rest of a field behind its opening quote, and its closing quote. */
static bool read_quoted(struct csv_reader *reader, struct error *err)
{
    size_t start = reader->record_bytes;

    for (;;) {
        take_easy(reader, start);
        if (is_at_end(reader)) {
            return fail_at(reader, TEXT_CSV_OPEN_QUOTE, err);
        }
        if (is_next(reader, '"')) {
            reader->place++;
            if (!is_next(reader, '"')) {
                break;
            }
        }
        if (!take_character(reader, start, err)) {
            return false;
        }
    }
    if (!is_at_end(reader) && !is_next(reader, ',') && !is_line_end_next(reader)) {
        if (is_next(reader, ';') || is_next(reader, '	')) {
            return error_say(err, ERROR_BAD_FILE,
                             is_next(reader, ';') ? SAY(TEXT_FILE_SEMICOLONS, reader->name)
                                                  : SAY(TEXT_FILE_TABS, reader->name));
        }
        return fail_at(reader, TEXT_CSV_BEHIND_QUOTE, err);
    }
    return true;
}

static bool read_plain(struct csv_reader *reader, struct error *err)
{
    size_t start = reader->record_bytes;

    take_easy(reader, start);
    while (!is_at_end(reader) && !is_next(reader, ',') && !is_line_end_next(reader)) {
        if (is_next(reader, '"')) {
            return fail_at(reader, TEXT_CSV_QUOTE_INSIDE, err);
        }
        if (is_next(reader, '\r')) {
            return fail_at(reader, TEXT_CSV_RETURN, err);
        }
        if (!take_character(reader, start, err)) {
            return false;
        }
        take_easy(reader, start);
    }
    return true;
}

static bool read_field(struct csv_reader *reader, struct error *err)
{
    size_t start = reader->record_bytes;
    size_t line = reader->line;

    if (reader->field_count == CSV_FIELDS_MAX) {
        return fail_at(reader, TEXT_CSV_FIELDS, err);
    }
    if (is_next(reader, '"')) {
        reader->place++;
        if (!read_quoted(reader, err)) {
            return false;
        }
    } else if (!read_plain(reader, err)) {
        return false;
    }
    if (reader->record_bytes + 1 >= CSV_RECORD_BYTES_MAX) {
        return fail_at(reader, TEXT_CSV_RECORD_BYTES, err);
    }
    reader->fields[reader->field_count++] = (struct csv_field){
        .text = reader->record + start, .length = reader->record_bytes - start, .line = line};
    reader->record[reader->record_bytes++] = '\0';
    return true;
}

bool csv_init(struct csv_reader *reader, const char *name, const void *bytes, size_t size_bytes,
              struct error *err)
{
    char *record = malloc(CSV_RECORD_BYTES_MAX);

    if (record == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", name);
    }
    *reader = (struct csv_reader){
        .name = name, .bytes = bytes, .size_bytes = size_bytes, .line = 1, .record = record};
    if (size_bytes >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        reader->place = 3;
    }
    return true;
}

bool csv_next(struct csv_reader *reader, bool *found, struct error *err)
{
    bool has_more = true;

    reader->record_bytes = 0;
    reader->field_count = 0;
    if (reader->fill != NULL && reader->size_bytes - reader->place < CSV_RAW_RECORD_BYTES_MAX &&
        !reader->fill(reader, reader->context, err)) {
        return false;
    }
    if (is_at_end(reader)) {
        *found = false;
        return true;
    }
    while (has_more) {
        if (!read_field(reader, err)) {
            return false;
        }
        has_more = is_next(reader, ',');
        reader->place += has_more ? 1 : 0;
    }
    if (!is_at_end(reader)) { /* read_field stops at a comma, a line end or the end only */
        reader->place += is_next(reader, '\r') ? 2 : 1;
        reader->line++;
    }
    *found = true;
    return true;
}

void csv_fini(struct csv_reader *reader)
{
    free(reader->record);
    *reader = (struct csv_reader){0};
}
