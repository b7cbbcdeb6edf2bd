/* Joins parts of machines. It knows no provider. One thread. */
#include "import_hosts.h"

#include "../handlers/engine/import_limits.h"
#include "import_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PRICE_MAX = 1e9; /* so that a sum fits its text; columns allow far less */

struct import_host_row {
    char texts[IMPORT_HOST_COLUMNS_MAX][IMPORT_HOST_TEXT_BYTES]; /* of the columns; "": not known */
};

static bool fail_memory(struct error *err)
{
    return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the machines of a file");
}

static bool fail_size(struct error *err)
{
    return error_say(err, ERROR_TOO_LARGE, SAY(TEXT_FILE_MACHINES));
}

static size_t column_of(const struct import_map *map, const char *name)
{
    return name == NULL ? map->header_count : import_map_column(map, name, strlen(name));
}

static void add_columns(struct import_hosts *hosts, const char *names, bool is_sum)
{
    while (names != NULL && hosts->column_count < IMPORT_HOST_COLUMNS_MAX) {
        size_t length = strcspn(names, ",");

        hosts->columns[hosts->column_count] = import_map_column(hosts->map, names, length);
        hosts->is_sum[hosts->column_count++] = is_sum;
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
}

/* The column that fills the first field of that target. */
static size_t source_of(const struct import_map *map, const char *target, enum import_rule rule)
{
    for (size_t i = 0; i < map->format->field_count; i++) {
        if (strcmp(map->format->fields[i].target, target) == 0 &&
            map->format->fields[i].rule == rule) {
            return map->from[i][0];
        }
    }
    return map->header_count;
}

void import_hosts_init(struct import_hosts *hosts, const struct import_map *map)
{
    *hosts = (struct import_hosts){.map = map};
    hosts->instance = map->instance;
    hosts->accelerator = source_of(map, "accelerator", IMPORT_AS_IS);
    hosts->count = source_of(map, "gpu_count", IMPORT_NUMBER);
    hosts->place = column_of(map, map->format->place);
    add_columns(hosts, map->format->host_takes, false);
    add_columns(hosts, map->format->host_adds, true);
}

void import_hosts_fini(struct import_hosts *hosts)
{
    import_seen_fini(&hosts->seen);
    free(hosts->hosts);
    free(hosts->parts);
    *hosts = (struct import_hosts){0};
}

static const char *field(const struct import_record *record, size_t column)
{
    return column < record->count ? record->fields[column].text : "";
}

static struct import_print print_of(const char *host, const char *place)
{
    static const struct fact_table QUESTION = {.name = "hosts", .column_count = 2};
    struct import_row row;

    row.table = &QUESTION;
    row.values[0].kind = FACT_VALUE_TEXT;
    row.texts[0] = (struct import_text){.text = host, .length = strlen(host)};
    row.values[1].kind = FACT_VALUE_TEXT;
    row.texts[1] = (struct import_text){.text = place, .length = strlen(place)};
    return import_row_print(&row, IMPORT_ALL_COLUMNS);
}

static bool is_host(const struct import_format *format, const char *name)
{
    for (size_t i = 0; i < format->host_count; i++) {
        if (strcmp(format->hosts[i].host, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_hosts(const struct import_format *format, const char *accelerator)
{
    for (size_t i = 0; i < format->host_count; i++) {
        if (strcmp(format->hosts[i].accelerator, accelerator) == 0) {
            return true;
        }
    }
    return false;
}

static bool keep_host(struct import_hosts *hosts, const struct import_record *record,
                      struct error *err)
{
    struct import_print print =
        print_of(field(record, hosts->instance), field(record, hosts->place));

    if (import_seen_find(&hosts->seen, &print) != 0) {
        return true; /* the first one counts */
    }
    if (hosts->host_count == LIMIT_IMPORT_HOSTS) {
        return fail_size(err);
    }
    if (hosts->host_count == hosts->host_room) {
        size_t room = hosts->host_room == 0 ? 256 : hosts->host_room * 2;
        struct import_host_row *larger = realloc(hosts->hosts, room * sizeof *larger);

        if (larger == NULL) {
            return fail_memory(err);
        }
        hosts->hosts = larger;
        hosts->host_room = room;
    }
    struct import_host_row *row = &hosts->hosts[hosts->host_count++];

    for (size_t i = 0; i < hosts->column_count; i++) {
        const char *text = field(record, hosts->columns[i]);

        (void)snprintf(row->texts[i], IMPORT_HOST_TEXT_BYTES, "%s",
                       strlen(text) < IMPORT_HOST_TEXT_BYTES ? text : "");
    }
    return import_seen_add(&hosts->seen, &print, (uint32_t)hosts->host_count) || fail_memory(err);
}

static bool keep_part(struct import_hosts *hosts, const struct import_record *record,
                      struct error *err)
{
    size_t bytes = sizeof record->line;

    for (size_t i = 0; i < record->count; i++) {
        bytes += record->fields[i].length + 1;
    }
    if (hosts->part_bytes + bytes > LIMIT_IMPORT_PARTS_BYTES) {
        return fail_size(err);
    }
    if (hosts->part_bytes + bytes > hosts->part_room) {
        size_t room = hosts->part_room * 2 + bytes + 65536;
        char *larger = realloc(hosts->parts, room);

        if (larger == NULL) {
            return fail_memory(err);
        }
        hosts->parts = larger;
        hosts->part_room = room;
    }
    char *place = hosts->parts + hosts->part_bytes;

    memcpy(place, &record->line, sizeof record->line);
    place += sizeof record->line;
    for (size_t i = 0; i < record->count; i++) {
        memcpy(place, record->fields[i].text, record->fields[i].length + 1);
        place += record->fields[i].length + 1;
    }
    hosts->part_bytes += bytes;
    return true;
}

bool import_hosts_keep(struct import_hosts *hosts, const struct import_record *record,
                       enum import_part *part, struct error *err)
{
    const struct import_format *format = hosts->map->format;
    const char *instance = field(record, hosts->instance);
    const char *accelerator = field(record, hosts->accelerator);

    *part = IMPORT_PART_NONE;
    if (record->count != hosts->map->header_count) {
        return true; /* the map says what is wrong with it */
    }
    if (accelerator[0] == '\0' && is_host(format, instance)) {
        *part = IMPORT_PART_HOST;
        return keep_host(hosts, record, err);
    }
    if (instance[0] == '\0' && has_hosts(format, accelerator)) {
        *part = IMPORT_PART_ACCELERATOR;
        return keep_part(hosts, record, err);
    }
    return true;
}

/* A kept record. Returns where the next begins. */
static const char *read_part(const char *place, size_t count, struct csv_field *fields,
                             size_t *line)
{
    memcpy(line, place, sizeof *line);
    place += sizeof *line;
    for (size_t i = 0; i < count; i++) {
        fields[i] = (struct csv_field){.text = place, .length = strlen(place), .line = *line};
        place += fields[i].length + 1;
    }
    return place;
}

static double number_of(const char *text)
{
    struct import_text number = {.text = text, .length = strlen(text)};

    return import_rule_number(&number);
}

/* The sum of a price of both; empty where one is not known. */
static void add_prices(char text[IMPORT_HOST_TEXT_BYTES], double of_host, double of_part)
{
    if (of_host > 0 && of_part > 0 && of_host + of_part < PRICE_MAX) {
        (void)snprintf(text, IMPORT_HOST_TEXT_BYTES, "%.6f", of_host + of_part);
    } else {
        text[0] = '\0';
    }
}

/* Makes the machine of an accelerator's record and a host, and hands it on. */
static bool join_one(struct import_hosts *hosts, const struct csv_field *part, size_t line,
                     const char *host, const struct import_host_row *row,
                     bool (*take)(void *, const struct import_record *, struct error *),
                     void *context, struct error *err)
{
    char texts[IMPORT_HOST_COLUMNS_MAX][IMPORT_HOST_TEXT_BYTES];
    struct csv_field fields[CSV_FIELDS_MAX + 1]; /* one more, for a column the file lacks */
    size_t count = hosts->map->header_count;
    struct import_record record = {.fields = fields, .count = count, .line = line};
    double host_before = (double)NAN;
    double part_before = (double)NAN;

    memcpy(fields, part, count * sizeof fields[0]);
    fields[hosts->instance].text = host;
    fields[hosts->instance].length = strlen(host);
    for (size_t i = 0; i < hosts->column_count; i++) {
        size_t column = hosts->columns[i];
        double of_host = number_of(row->texts[i]);
        double of_part = column < count ? number_of(part[column].text) : (double)NAN;

        if (!hosts->is_sum[i]) {
            (void)snprintf(texts[i], IMPORT_HOST_TEXT_BYTES, "%s", row->texts[i]); /* as long */
        } else {
            /* what is not below the price before it (on demand) is that one, written twice */
            bool is_known = !(of_host >= host_before) && !(of_part >= part_before);

            add_prices(texts[i], is_known ? of_host : (double)NAN, of_part);
            host_before = of_host;
            part_before = of_part;
        }
        if (column < count) {
            fields[column].text = texts[i];
            fields[column].length = strlen(texts[i]);
        }
    }
    return take(context, &record, err);
}

bool import_hosts_join(struct import_hosts *hosts,
                       bool (*take)(void *context, const struct import_record *record,
                                    struct error *err),
                       void *context, size_t *alone, struct error *err)
{
    const struct import_format *format = hosts->map->format;
    struct csv_field fields[CSV_FIELDS_MAX + 1];
    size_t count = hosts->map->header_count;
    const char *place = hosts->parts;
    size_t line = 0;

    *alone = 0;
    fields[count] = (struct csv_field){.text = "", .length = 0}; /* a column the file lacks */
    while (place != NULL && place < hosts->parts + hosts->part_bytes) {
        bool is_alone = true;

        place = read_part(place, count, fields, &line);
        struct import_text amount = {.text = fields[hosts->count].text,
                                     .length = fields[hosts->count].length};
        double gpus = import_rule_number(&amount);

        for (size_t i = 0; i < format->host_count; i++) {
            const struct import_host *host = &format->hosts[i];
            struct import_print print = print_of(host->host, fields[hosts->place].text);
            uint32_t number = import_seen_find(&hosts->seen, &print);

            if (number == 0 || strcmp(host->accelerator, fields[hosts->accelerator].text) != 0 ||
                fabs(gpus - host->count) > 0.001) {
                continue;
            }
            is_alone = false;
            if (!join_one(hosts, fields, line, host->host, &hosts->hosts[number - 1], take, context,
                          err)) {
                return false;
            }
        }
        *alone += is_alone ? 1 : 0;
    }
    return true;
}
