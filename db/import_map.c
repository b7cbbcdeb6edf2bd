/* Applies a format's mapping to one record at a time. It knows no format by name. One thread. */
#include "import_map.h"

#include "../handlers/engine/day.h"
#include "import_mapping.h"
#include "import_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    map->vendor = column_or_none(map, map->format->vendor);
    map->provider_column = fact_column_find(map->table, "provider", strlen("provider"));
    map->memory_column = fact_column_find(map->table, "gpu_memory_gb", strlen("gpu_memory_gb"));
    map->is_foreign_offer = !map->is_own && strcmp(map->table->name, "cloud_offers") == 0;
    if (map->is_foreign_offer) {
        map->accelerator_column = import_column(map->table, "accelerator");
        map->on_demand_column = import_column(map->table, "ondemand_per_hour");
        map->on_demand_usd_column = import_column(map->table, "ondemand_usd_per_hour");
        map->spot_column = import_column(map->table, "spot_usd_per_hour");
    }
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

/* Notes a fault of the field being filled, in the words of the file. */
static void note_fault(struct import_mapping *mapping, enum import_finding finding,
                       const struct import_text *value, const struct wording *reason)
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
static bool store(struct import_mapping *mapping, const struct import_text *text)
{
    size_t target = mapping->map->targets[mapping->field];
    const struct fact_column *column = &mapping->row->table->columns[target];
    struct fact_fault fault;
    struct fact_value value;
    int32_t day = DAY_UNKNOWN;

    if (column->type == FACT_MONEY && text->length > 1 && text->text[0] == '-' &&
        import_rule_number(text) < 0) {
        note_fault(mapping, IMPORT_NEGATIVE, text, SAY(TEXT_VALUE_NEGATIVE));
        return false;
    }
    char *end = (char *)(uintptr_t)text->text + text->length; /* a cut text has more behind it */
    struct import_text whole =
        *end == '\0' ? *text
                     : import_mapping_keep(mapping->row, "%.*s", (int)text->length, text->text);

    if (!fact_value_read(column, whole.text, whole.length, &value, &fault)) {
        note_fault(mapping, IMPORT_MALFORMED, &whole, SAY(fault.text, fault.first));
        return false;
    }
    if (is_day_seen(column) && day_parse(whole.text, whole.length, &day) &&
        day > mapping->map->options->today) {
        note_fault(mapping, IMPORT_FUTURE, &whole, SAY(TEXT_VALUE_FUTURE));
        return false;
    }
    mapping->row->values[target] = value;
    mapping->row->texts[target] = whole;
    return true;
}

/* Whether the field counts in this record. */
static bool holds(const struct import_mapping *mapping)
{
    const struct import_map *map = mapping->map;
    struct import_text word = import_mapping_text(mapping, map->when[mapping->field]);

    return map->format->fields[mapping->field].when == NULL ||
           import_rule_is_word(&word, map->format->fields[mapping->field].is);
}

/* The first of the field's columns with something in it. */
static struct import_text choose(struct import_mapping *mapping)
{
    const size_t *from = mapping->map->from[mapping->field];
    struct import_text text = {.text = "", .length = 0};

    mapping->column = from[0];
    for (size_t i = 0; i < IMPORT_CHOICES_MAX && text.length == 0; i++) {
        text = import_mapping_text(mapping, from[i]);
        mapping->column = text.length > 0 ? from[i] : mapping->column;
    }
    return text;
}

/* Remembers what the row would hold if the name were not known. */
static void note_name(struct import_mapping *mapping, const struct import_text *given,
                      const struct import_text *text)
{
    enum import_rule rule = mapping->map->format->fields[mapping->field].rule;
    struct import_row *row = mapping->row;
    bool is_same =
        text->length == given->length && memcmp(text->text, given->text, text->length) == 0;

    if (text->length == 0 || is_same || (rule != IMPORT_CARD && rule != IMPORT_CARD_OR_NAME)) {
        return;
    }
    row->name_column = mapping->map->targets[mapping->field];
    row->name_value.kind = rule == IMPORT_CARD ? FACT_VALUE_NULL : FACT_VALUE_TEXT;
    row->name_text = *given;
}

/* Fills the row field by field. False: every field with a fault was noted. */
static bool fill(struct import_mapping *mapping)
{
    const struct import_map *map = mapping->map;
    bool is_good = true;

    for (mapping->field = 0; mapping->field < map->format->field_count; mapping->field++) {
        if (mapping->row->values[map->targets[mapping->field]].kind != FACT_VALUE_NULL ||
            !holds(mapping)) {
            continue;
        }
        struct import_text given = choose(mapping);
        struct import_text text = import_mapping_apply(mapping, &given);

        if (text.length > 0 && !store(mapping, &text)) {
            is_good = false;
            mapping->is_bad[map->targets[mapping->field]] = true;
        }
        note_name(mapping, &given, &text);
    }
    return is_good;
}

/* An empty value where the column must have one: each is noted. */
static bool check_required(struct import_mapping *mapping)
{
    const struct fact_table *table = mapping->row->table;
    bool is_good = true;
    static const struct import_text EMPTY = {.text = "", .length = 0};

    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_required || mapping->is_bad[i] ||
            mapping->row->values[i].kind != FACT_VALUE_NULL) {
            continue;
        }
        mapping->field = 0;
        while (mapping->field + 1 < mapping->map->format->field_count &&
               mapping->map->targets[mapping->field] != i) {
            mapping->field++;
        }
        (void)choose(mapping); /* the column to name */
        note_fault(mapping, IMPORT_MALFORMED, &EMPTY, SAY(TEXT_VALUE_EMPTY));
        is_good = false;
    }
    return is_good;
}

void import_map_mend_spot(const struct import_map *map, struct import_row *row)
{
    struct fact_value *spot = &row->values[map->spot_column];
    const struct fact_value *on_demand = &row->values[map->on_demand_usd_column];

    if (spot->kind == FACT_VALUE_INTEGER && on_demand->kind == FACT_VALUE_INTEGER &&
        spot->integer >= on_demand->integer) {
        spot->kind = FACT_VALUE_NULL;
    }
}

/* Whether an offer of a foreign file says what is offered and for how much. */
static bool is_offer(const struct import_map *map, const struct import_row *row)
{
    return row->values[map->accelerator_column].kind != FACT_VALUE_NULL &&
           (row->values[map->on_demand_column].kind != FACT_VALUE_NULL ||
            row->values[map->spot_column].kind != FACT_VALUE_NULL);
}

bool import_map_record(struct import_map *map, const struct import_record *record,
                       struct import_row *row, enum import_mapped *mapped, struct error *err)
{
    struct import_mapping mapping = {.map = map,
                                     .record = record,
                                     .row = row,
                                     .column = map->header_count,
                                     .name_column = map->header_count};
    char found[24], wanted[24];

    row->table = map->table;
    row->line = record->line;
    row->scratch_used = 0;
    row->name_column = map->table->column_count;
    for (size_t i = 0; i < map->table->column_count; i++) {
        row->values[i].kind = FACT_VALUE_NULL;
    }
    *mapped = IMPORT_MAPPED_FAULT;
    if (record->count != map->header_count) {
        (void)snprintf(found, sizeof found, "%zu", record->count);
        (void)snprintf(wanted, sizeof wanted, "%zu", map->header_count);
        import_notes_add(&map->report->rejected, IMPORT_MALFORMED, record->line, NULL, NULL,
                         SAY(TEXT_IMPORT_FIELDS, found, wanted));
        return true;
    }
    bool is_filled = fill(&mapping);

    if (mapping.is_out_of_memory) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names of a file");
    }
    if (!is_filled) {
        if (!map->is_foreign_offer) { /* others' rows may be none of ours */
            (void)check_required(&mapping);
        }
        return true;
    }
    if (map->is_foreign_offer) {
        import_map_mend_spot(map, row);
        if (!is_offer(map, row)) {
            *mapped = IMPORT_MAPPED_NOTHING;
            return true;
        }
    }
    *mapped = check_required(&mapping) ? IMPORT_MAPPED_ROW : IMPORT_MAPPED_FAULT;
    return true;
}
