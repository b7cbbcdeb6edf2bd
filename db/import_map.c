/* Applies a format's mapping to one record at a time. It knows no format by name. One thread. */
#include "import_map.h"

#include "../handlers/engine/day.h"
#include "import_rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_BYTES = 64 };

/* The work on one record. */
struct mapping {
    struct import_map *map;
    const struct import_record *record;
    struct import_row *row;
    size_t field;  /* of the format, being filled */
    size_t column; /* of the file, that it is filled from; header_count: none */
    bool is_out_of_memory;
};

size_t import_map_column(const struct import_map *map, const char *name, size_t length)
{
    size_t i = 0;

    while (i < map->header_count &&
           (strlen(map->header[i]) != length || memcmp(map->header[i], name, length) != 0)) {
        i++;
    }
    return i;
}

static size_t column_or_none(const struct import_map *map, const char *name)
{
    return name == NULL ? map->header_count : import_map_column(map, name, strlen(name));
}

static void bind_field(struct import_map *map, size_t place)
{
    const struct import_field *field = &map->format->fields[place];
    const char *from = field->from;

    map->targets[place] = import_column(map->table, field->target);
    for (size_t i = 0; i < IMPORT_CHOICES_MAX; i++) {
        size_t length = from == NULL ? 0 : strcspn(from, "|");

        map->from[place][i] =
            from == NULL ? map->header_count : import_map_column(map, from, length);
        from = from != NULL && from[length] == '|' ? from + length + 1 : NULL;
    }
    map->times[place] = column_or_none(map, field->times);
    map->when[place] = column_or_none(map, field->when);
}

bool import_map_bind(struct import_map *map, const struct csv_field *header, size_t count,
                     struct error *err)
{
    map->header_count = 0;
    map->header = calloc(count, sizeof map->header[0]);
    for (size_t i = 0; map->header != NULL && i < count; i++) {
        map->header[i] = strdup(header[i].text);
        if (map->header[i] == NULL) {
            break;
        }
        map->header_count++;
    }
    if (map->header_count < count) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory to read the header");
    }
    for (size_t i = 0; i < map->format->field_count; i++) {
        bind_field(map, i);
    }
    map->instance = column_or_none(map, map->format->instance);
    map->interconnect = column_or_none(map, map->format->interconnect);
    return true;
}

void import_map_fini(struct import_map *map)
{
    for (size_t i = 0; i < map->header_count; i++) {
        free(map->header[i]);
    }
    free(map->header);
    *map = (struct import_map){0};
}

static struct import_text text_at(const struct mapping *mapping, size_t column)
{
    if (column >= mapping->record->count) {
        return (struct import_text){.text = "", .length = 0};
    }
    return (struct import_text){.text = mapping->record->fields[column].text,
                                .length = mapping->record->fields[column].length};
}

/* Text put together, kept with the row; empty where there is no room, which a field's maximum rules
 * out. */
__attribute__((format(printf, 2, 3))) static struct import_text keep_format(struct import_row *row,
                                                                            const char *format, ...)
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
    int length = snprintf(text, sizeof text, "%.6f", number);

    if (length >= (int)sizeof text) { /* far beyond every column's maximum, which says so */
        return keep_format(row, "%s1000000000000000000", number < 0 ? "-" : "");
    }
    while (text[length - 1] == '0') {
        length--;
    }
    length -= text[length - 1] == '.' ? 1 : 0;
    return keep_format(row, "%.*s", length, text);
}

/* A number of the file, times another; 0 is as good as nothing. What is no number stays as it
 * stands, so that the column's own check says so. */
static struct import_text number_of(struct mapping *mapping, const struct import_text *text)
{
    const struct import_map *map = mapping->map;
    const struct import_field *field = &map->format->fields[mapping->field];
    double number = import_rule_number(text);
    struct import_text other = text_at(mapping, map->times[mapping->field]);

    if (isnan(number)) {
        return *text;
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
static bool is_provider(const struct mapping *mapping, const char *words)
{
    const struct import_row *row = mapping->row;
    size_t column = import_column(row->table, "provider");

    return words != NULL && row->values[column].kind == FACT_VALUE_TEXT &&
           import_rule_is_word(&row->texts[column], words);
}

static double count_of(const struct mapping *mapping)
{
    struct import_text text = text_at(mapping, mapping->map->times[mapping->field]);
    double count = import_rule_number(&text);

    return count >= 1 ? count : 1; /* a slice of a card has the memory of a slice as printed */
}

static struct import_text share_of(struct mapping *mapping, const struct import_text *text)
{
    const struct import_field *field = &mapping->map->format->fields[mapping->field];
    double number = import_rule_number(text);

    if (isnan(number)) {
        return *text;
    }
    return keep_number(mapping->row,
                       is_provider(mapping, field->argument) ? number : number / count_of(mapping));
}

static struct import_text info_of(struct mapping *mapping, const struct import_text *text)
{
    const struct import_field *field = &mapping->map->format->fields[mapping->field];
    double count = is_provider(mapping, field->argument) ? count_of(mapping) : 1;

    return keep_number(mapping->row, import_rule_info_gib(text, count));
}

static struct import_text provider_of(struct mapping *mapping, const struct import_text *text)
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

static struct import_text source_of(struct mapping *mapping, const struct import_text *text)
{
    const struct import_map *map = mapping->map;
    const char *given = map->options->source;
    const char *name = map->format->fields[mapping->field].argument;

    if (given != NULL) {
        return (struct import_text){.text = given, .length = strlen(given)};
    }
    return text->length == 0 ? (struct import_text){.text = name, .length = strlen(name)}
                             : keep_format(mapping->row, "%s; %s", name, text->text);
}

static const char *text_or_null(const struct import_text *text)
{
    return text->length == 0 ? NULL : text->text;
}

/* What the row holds in a column so far; NAN: nothing. */
static double row_number(const struct import_row *row, const char *name)
{
    size_t column = fact_column_find(row->table, name, strlen(name));

    return column < row->table->column_count && row->values[column].kind == FACT_VALUE_REAL
               ? row->values[column].real
               : (double)NAN;
}

/* What a name means, with what the record says beside it. An unknown one is noted once. */
static struct import_meaning meaning_of(struct mapping *mapping, const struct import_text *text)
{
    struct import_map *map = mapping->map;
    struct names_hints hints = names_no_hints();
    struct import_text instance = text_at(mapping, map->instance);
    struct import_text interconnect = text_at(mapping, map->interconnect);
    struct import_meaning meaning = {.tpu_chips = (double)NAN};
    char reason[IMPORT_REASON_BYTES] = "";
    bool is_new = false;

    if (text->length == 0) {
        return meaning;
    }
    hints.memory_gib = row_number(mapping->row, "gpu_memory_gb");
    hints.instance_type = text_or_null(&instance);
    hints.interconnect = text_or_null(&interconnect);
    if (!import_names_find(map->names, text, &hints, &meaning, &is_new, reason)) {
        mapping->is_out_of_memory = true;
    }
    enum import_rule rule = map->format->fields[mapping->field].rule;

    if (is_new && (rule == IMPORT_CARD || rule == IMPORT_CARD_OR_NAME)) {
        import_notes_add(&map->report->review, IMPORT_UNKNOWN_NAME, mapping->record->line,
                         map->header[mapping->column], text->text, reason);
    }
    return meaning;
}

static struct import_text card_of(struct mapping *mapping, const struct import_text *text)
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

/* The text that a field's rule makes of the record's. */
static struct import_text apply(struct mapping *mapping, const struct import_text *text)
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

/* Notes a fault of the field being filled, in the words of the file. */
static void note_fault(struct mapping *mapping, enum import_finding finding,
                       const struct import_text *value, const char *reason)
{
    const struct import_map *map = mapping->map;
    const char *column = mapping->column < map->header_count
                             ? map->header[mapping->column]
                             : map->format->fields[mapping->field].target;

    import_notes_add(&map->report->rejected, finding, mapping->record->line, column, value->text,
                     reason);
}

/* Days on which something was seen; others, as of a launch, may lie ahead. */
static bool is_day_seen(const struct fact_column *column)
{
    return column->type == FACT_DATE && (strcmp(column->name, "observed_on") == 0 ||
                                         strcmp(column->name, "price_observed_on") == 0);
}

/* Checks the text by its column and puts it into the row. False: noted. */
static bool store(struct mapping *mapping, const struct import_text *text)
{
    size_t target = mapping->map->targets[mapping->field];
    const struct fact_column *column = &mapping->row->table->columns[target];
    char reason[FACT_VALUE_REASON_BYTES] = "";
    struct fact_value value;
    int32_t day = DAY_UNKNOWN;

    if (column->type == FACT_MONEY && text->length > 1 && text->text[0] == '-' &&
        import_rule_number(text) < 0) {
        note_fault(mapping, IMPORT_NEGATIVE, text, "is less than nothing");
        return false;
    }
    char *end = (char *)(uintptr_t)text->text + text->length; /* a cut text has more behind it */
    struct import_text whole =
        *end == '\0' ? *text : keep_format(mapping->row, "%.*s", (int)text->length, text->text);

    if (!fact_value_read(column, whole.text, whole.length, &value, reason)) {
        note_fault(mapping, IMPORT_MALFORMED, &whole, reason);
        return false;
    }
    if (is_day_seen(column) && day_parse(whole.text, whole.length, &day) &&
        day > mapping->map->options->today) {
        note_fault(mapping, IMPORT_FUTURE, &whole, "has not come yet");
        return false;
    }
    mapping->row->values[target] = value;
    mapping->row->texts[target] = whole;
    return true;
}

/* Whether the field counts in this record. */
static bool holds(const struct mapping *mapping)
{
    const struct import_map *map = mapping->map;
    struct import_text word = text_at(mapping, map->when[mapping->field]);

    return map->format->fields[mapping->field].when == NULL ||
           import_rule_is_word(&word, map->format->fields[mapping->field].is);
}

/* The first of the field's columns with something in it. */
static struct import_text choose(struct mapping *mapping)
{
    const size_t *from = mapping->map->from[mapping->field];
    struct import_text text = {.text = "", .length = 0};

    mapping->column = from[0];
    for (size_t i = 0; i < IMPORT_CHOICES_MAX && text.length == 0; i++) {
        text = text_at(mapping, from[i]);
        mapping->column = text.length > 0 ? from[i] : mapping->column;
    }
    return text;
}

/* Fills the row field by field. False: a fault was noted. */
static bool fill(struct mapping *mapping)
{
    const struct import_map *map = mapping->map;

    for (mapping->field = 0; mapping->field < map->format->field_count; mapping->field++) {
        if (mapping->row->values[map->targets[mapping->field]].kind != FACT_VALUE_NULL ||
            !holds(mapping)) {
            continue;
        }
        struct import_text given = choose(mapping);
        struct import_text text = apply(mapping, &given);

        if (text.length > 0 && !store(mapping, &text)) {
            return false;
        }
    }
    return true;
}

/* An empty value where the column must have one. */
static bool check_required(struct mapping *mapping)
{
    const struct fact_table *table = mapping->row->table;
    static const struct import_text EMPTY = {.text = "", .length = 0};

    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_required || mapping->row->values[i].kind != FACT_VALUE_NULL) {
            continue;
        }
        mapping->field = 0;
        while (mapping->field + 1 < mapping->map->format->field_count &&
               mapping->map->targets[mapping->field] != i) {
            mapping->field++;
        }
        (void)choose(mapping); /* the column to name */
        note_fault(mapping, IMPORT_MALFORMED, &EMPTY, "must not be empty");
        return false;
    }
    return true;
}

/* A spot price that is not below the one on demand is that one, written twice. */
static void mend_spot(struct import_row *row)
{
    struct fact_value *spot = &row->values[import_column(row->table, "spot_usd_per_hour")];
    const struct fact_value *on_demand =
        &row->values[import_column(row->table, "ondemand_usd_per_hour")];

    if (spot->kind == FACT_VALUE_INTEGER && on_demand->kind == FACT_VALUE_INTEGER &&
        spot->integer >= on_demand->integer) {
        spot->kind = FACT_VALUE_NULL;
    }
}

/* Whether an offer of a foreign file says what is offered and for how much. */
static bool is_offer(const struct import_row *row)
{
    const struct fact_table *table = row->table;

    return row->values[import_column(table, "accelerator")].kind != FACT_VALUE_NULL &&
           (row->values[import_column(table, "ondemand_per_hour")].kind != FACT_VALUE_NULL ||
            row->values[import_column(table, "spot_usd_per_hour")].kind != FACT_VALUE_NULL);
}

bool import_map_record(struct import_map *map, const struct import_record *record,
                       struct import_row *row, enum import_mapped *mapped, struct error *err)
{
    struct mapping mapping = {
        .map = map, .record = record, .row = row, .column = map->header_count};
    bool is_foreign_offer = !map->is_own && strcmp(map->table->name, "cloud_offers") == 0;
    char reason[IMPORT_REASON_BYTES];

    row->table = map->table;
    row->line = record->line;
    row->scratch_used = 0;
    for (size_t i = 0; i < map->table->column_count; i++) {
        row->values[i].kind = FACT_VALUE_NULL;
    }
    *mapped = IMPORT_MAPPED_FAULT;
    if (record->count != map->header_count) {
        (void)snprintf(reason, sizeof reason, "%zu fields, the header has %zu", record->count,
                       map->header_count);
        import_notes_add(&map->report->rejected, IMPORT_MALFORMED, record->line, NULL, NULL,
                         reason);
        return true;
    }
    if (!fill(&mapping)) {
        return !mapping.is_out_of_memory ||
               error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names of a file");
    }
    if (mapping.is_out_of_memory) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names of a file");
    }
    if (is_foreign_offer) {
        mend_spot(row);
        if (!is_offer(row)) {
            *mapped = IMPORT_MAPPED_NOTHING;
            return true;
        }
    }
    *mapped = check_required(&mapping) ? IMPORT_MAPPED_ROW : IMPORT_MAPPED_FAULT;
    return true;
}
