/* What the rules of a mapping make of a record's values. It knows no format by name. One thread. */
#include "import_mapping.h"

#include "import_rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_TEXT_BYTES = 64 };

static const double WHOLE_MAX = 1e15; /* exact, and of so few digits in either form */

struct import_text import_mapping_text(const struct import_mapping *mapping, size_t column)
{
    if (column >= mapping->record->count) {
        return (struct import_text){.text = "", .length = 0};
    }
    return (struct import_text){.text = mapping->record->fields[column].text,
                                .length = mapping->record->fields[column].length};
}

/* Text put together, kept with the row; empty where there is no room, which a field's maximum rules
 * out. */
struct import_text import_mapping_keep(struct import_row *row, const char *format, ...)
{
    char *place = row->scratch + row->scratch_used;
    size_t room = sizeof row->scratch - row->scratch_used;
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(place, room, format, arguments);

    va_end(arguments);
    if (length < 0 || (size_t)length >= room) {
        return (struct import_text){.text = "", .length = 0};
    }
    row->scratch_used += (size_t)length + 1;
    return (struct import_text){.text = place, .length = (size_t)length};
}

/* A number as our own CSV writes it; not known: empty. */
static struct import_text keep_number(struct import_row *row, double number)
{
    char text[NUMBER_TEXT_BYTES];

    if (isnan(number)) {
        return (struct import_text){.text = "", .length = 0};
    }
    if (fabs(number) < WHOLE_MAX &&
        number == floor(number)) { /* most are, and it is five times faster */
        return import_mapping_keep(row, "%lld", (long long)number);
    }
    int length = snprintf(text, sizeof text, "%.6f", number);

    if (length >= (int)sizeof text) { /* far beyond every column's maximum, which says so */
        return import_mapping_keep(row, "%s1000000000000000000", number < 0 ? "-" : "");
    }
    while (text[length - 1] == '0') {
        length--;
    }
    length -= text[length - 1] == '.' ? 1 : 0;
    return import_mapping_keep(row, "%.*s", length, text);
}

/* As our own CSV writes numbers: digits, perhaps a point and up to six more. */
static bool is_plain(const struct import_text *text)
{
    size_t whole = strspn(text->text, "0123456789");
    size_t decimals = text->text[whole] == '.' ? strspn(text->text + whole + 1, "0123456789") : 0;

    return whole > 0 && decimals <= 6 && whole + decimals + (decimals > 0 ? 1 : 0) == text->length;
}

/* A number of the file, times another; 0 is as good as nothing. What is no number stays as it
 * stands, so that the column's own check says so. */
static struct import_text number_of(struct import_mapping *mapping, const struct import_text *text)
{
    const struct import_map *map = mapping->map;
    const struct import_field *field = &map->format->fields[mapping->field];
    double number = import_rule_number(text);

    if (field->times == NULL && number != 0 && is_plain(text)) {
        return *text;
    }
    struct import_text other = import_mapping_text(mapping, map->times[mapping->field]);

    if (isnan(number)) {
        return field->rule == IMPORT_NUMBER && import_rule_is_range(text)
                   ? (struct import_text){.text = "", .length = 0}
                   : *text;
    }
    if (field->times != NULL) {
        number *= import_rule_number(&other);
    }
    if (number == 0) {
        return (struct import_text){.text = "", .length = 0};
    }
    return keep_number(mapping->row, number);
}

/* Whether the row's provider is one of those words. */
static bool is_provider(const struct import_mapping *mapping, const char *words)
{
    const struct import_row *row = mapping->row;
    size_t column = mapping->map->provider_column;

    return words != NULL && column < row->table->column_count &&
           row->values[column].kind == FACT_VALUE_TEXT &&
           import_rule_is_word(&row->texts[column], words);
}

static double count_of(const struct import_mapping *mapping)
{
    struct import_text text = import_mapping_text(mapping, mapping->map->times[mapping->field]);
    double count = import_rule_number(&text);

    return count >= 1 ? count : 1; /* a slice of a card has the memory of a slice as printed */
}

static struct import_text share_of(struct import_mapping *mapping, const struct import_text *text)
{
    const struct import_field *field = &mapping->map->format->fields[mapping->field];
    double number = import_rule_number(text);

    if (isnan(number)) {
        return *text;
    }
    return keep_number(mapping->row,
                       is_provider(mapping, field->argument) ? number : number / count_of(mapping));
}

static struct import_text info_of(struct import_mapping *mapping, const struct import_text *text)
{
    const struct import_field *field = &mapping->map->format->fields[mapping->field];
    double count = is_provider(mapping, field->argument) ? count_of(mapping) : 1;

    return keep_number(mapping->row, import_rule_info_gib(text, count));
}

static struct import_text provider_of(struct import_mapping *mapping,
                                      const struct import_text *text)
{
    const char *known = NULL;

    if (mapping->map->options->provider != NULL || text->length == 0) {
        const char *given = mapping->map->provider;

        return (struct import_text){.text = given == NULL ? "" : given,
                                    .length = given == NULL ? 0 : strlen(given)};
    }
    known = import_provider_find(text->text, text->length);
    return known == NULL ? *text : (struct import_text){.text = known, .length = strlen(known)};
}

static struct import_text source_of(struct import_mapping *mapping, const struct import_text *text)
{
    const struct import_map *map = mapping->map;
    const char *given = map->options->source;
    const char *name = map->format->fields[mapping->field].argument;

    if (given != NULL) {
        return (struct import_text){.text = given, .length = strlen(given)};
    }
    return text->length == 0 ? (struct import_text){.text = name, .length = strlen(name)}
                             : import_mapping_keep(mapping->row, "%s; %s", name, text->text);
}

static const char *text_or_null(const struct import_text *text)
{
    return text->length == 0 ? NULL : text->text;
}

/* What the row holds in a column so far; NAN: nothing. */
static double row_number(const struct import_row *row, size_t column)
{
    return column < row->table->column_count && row->values[column].kind == FACT_VALUE_REAL
               ? row->values[column].real
               : (double)NAN;
}

static const char *row_text(const struct import_row *row, size_t column)
{
    return column < row->table->column_count && row->values[column].kind == FACT_VALUE_TEXT
               ? row->texts[column].text
               : NULL;
}

/* Looks a name up with what the record says beside it. An unknown one is noted once. */
static void look_up(struct import_mapping *mapping, const struct import_text *text,
                    double memory_gib)
{
    struct import_map *map = mapping->map;
    struct names_hints hints = names_no_hints();
    struct import_text instance = import_mapping_text(mapping, map->instance);
    struct import_text interconnect = import_mapping_text(mapping, map->interconnect);
    struct import_text vendor = import_mapping_text(mapping, map->vendor);
    struct fact_fault fault;
    bool is_new = false;

    hints.memory_gib = memory_gib;
    hints.instance_type = text_or_null(&instance);
    hints.interconnect = text_or_null(&interconnect);
    hints.vendor = text_or_null(&vendor);
    hints.provider = row_text(mapping->row, map->provider_column);
    if (!import_names_find(map->names, text, &hints, &mapping->meaning, &is_new, &fault)) {
        mapping->is_out_of_memory = true;
    }
    if (is_new) {
        struct import_note *note = import_notes_add(
            &map->report->review, IMPORT_UNKNOWN_NAME, mapping->record->line,
            map->header[mapping->column], text->text, SAY(fault.text, fault.first));
        struct names_result near = {0};

        if (note != NULL) { /* it takes milliseconds */
            names_find_gpu(map->names->catalogue, text->text, text->length, &near);
        }
        for (size_t i = 0; i < near.count; i++) {
            import_note_suggest(note, near.gpus[i]->id, near.gpus[i]->name);
        }
    }
}

/* What a name means; several fields may ask the same of a record. */
static struct import_meaning meaning_of(struct import_mapping *mapping,
                                        const struct import_text *text)
{
    double memory_gib = row_number(mapping->row, mapping->map->memory_column);
    bool is_same = mapping->name_column == mapping->column &&
                   (isnan(memory_gib) ? isnan(mapping->name_memory_gib)
                                      : memory_gib >= mapping->name_memory_gib &&
                                            memory_gib <= mapping->name_memory_gib);

    if (text->length == 0) {
        return (struct import_meaning){.tpu_chips = (double)NAN};
    }
    if (!is_same) {
        look_up(mapping, text, memory_gib);
        mapping->name_column = mapping->column;
        mapping->name_memory_gib = memory_gib;
    }
    return mapping->meaning;
}

static struct import_text card_of(struct import_mapping *mapping, const struct import_text *text)
{
    enum import_rule rule = mapping->map->format->fields[mapping->field].rule;
    struct import_meaning meaning = meaning_of(mapping, text);
    const struct import_text none = {.text = "", .length = 0};

    if (rule == IMPORT_TPU_CHIPS) {
        return keep_number(mapping->row, meaning.tpu_chips);
    }
    const char *id = rule == IMPORT_TPU    ? meaning.tpu == NULL ? NULL : meaning.tpu->tpu_slug
                     : meaning.gpu == NULL ? NULL
                                           : meaning.gpu->id;

    if (id != NULL) {
        return (struct import_text){.text = id, .length = strlen(id)};
    }
    return rule == IMPORT_CARD_OR_NAME ? *text : none;
}

struct import_text import_mapping_apply(struct import_mapping *mapping,
                                        const struct import_text *text)
{
    const struct import_map *map = mapping->map;
    const struct import_field *field = &map->format->fields[mapping->field];
    const char *fixed = field->rule == IMPORT_SEEN_ON ? map->seen_on : field->argument;

    switch (field->rule) {
    case IMPORT_TRIMMED:
        return import_rule_trim(text);
    case IMPORT_NUMBER:
    case IMPORT_MONEY:
        return number_of(mapping, text);
    case IMPORT_DAY:
        return import_rule_day(text);
    case IMPORT_CONSTANT:
    case IMPORT_SEEN_ON:
        return (struct import_text){.text = fixed, .length = strlen(fixed)};
    case IMPORT_PROVIDER:
        return provider_of(mapping, text);
    case IMPORT_SOURCE:
        return source_of(mapping, text);
    case IMPORT_CARD:
    case IMPORT_CARD_OR_NAME:
    case IMPORT_TPU:
    case IMPORT_TPU_CHIPS:
        return card_of(mapping, text);
    case IMPORT_INFO_GB:
        return info_of(mapping, text);
    case IMPORT_BRACKET_GB:
        return keep_number(mapping->row, import_rule_bracket_gb(text));
    case IMPORT_SHARE:
        return share_of(mapping, text);
    case IMPORT_AS_IS:
    default:
        return *text;
    }
}
