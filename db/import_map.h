/* From the records of a file to rows of a table, by the mapping of its format. One thread. */
#ifndef GPUWISE_DB_IMPORT_MAP_H
#define GPUWISE_DB_IMPORT_MAP_H

#include "import.h"
#include "import_formats.h"
#include "import_names.h"

enum { IMPORT_CHOICES_MAX = 4 }; /* columns of which a field takes the first with something in it */

/* A record of CSV or JSON: as many fields as the header has. */
struct import_record {
    const struct csv_field *fields;
    size_t count;
    size_t line;
};

struct import_map {
    const struct import_format *format;
    const struct fact_table *table;
    const struct import_options *options;
    struct import_names *names;
    struct import_report *report; /* takes the notes */
    const char *provider;         /* of the whole file; NULL: none given */
    const char *seen_on;          /* the same; NULL: the file has dates */
    bool is_own;                  /* our own CSV: exact, nothing is mended */
    char **header;                /* names of the file's columns */
    size_t header_count;
    /* by field of the format: columns of the file; header_count: not in it */
    size_t targets[CSV_FIELDS_MAX];
    size_t from[CSV_FIELDS_MAX][IMPORT_CHOICES_MAX];
    size_t times[CSV_FIELDS_MAX], when[CSV_FIELDS_MAX];
    size_t instance, interconnect, vendor;
    /* columns of the table; its column_count: not in it */
    size_t provider_column, memory_column, accelerator_column;
    size_t on_demand_column, on_demand_usd_column, spot_column;
    bool is_foreign_offer; /* offers as others write them */
};

enum import_mapped {
    IMPORT_MAPPED_ROW,
    IMPORT_MAPPED_NOTHING, /* tells nothing we keep */
    IMPORT_MAPPED_FAULT    /* noted in the report */
};

/* In place: finds the columns in the header. The members above header are set by the caller. */
bool import_map_bind(struct import_map *map, const struct csv_field *header, size_t count,
                     struct error *err) MUST_CHECK;

/* Accepts a zeroed map. */
void import_map_fini(struct import_map *map);

/* The column of that name in the file; header_count: none. */
size_t import_map_column(const struct import_map *map, const char *name, size_t length);

/* Forgets the spot price of an offer where it is not below the one on demand: that is written
 * twice. */
void import_map_mend_spot(const struct import_map *map, struct import_row *row);

/* One row of it. Its texts are lent until the next record. False: no memory. */
bool import_map_record(struct import_map *map, const struct import_record *record,
                       struct import_row *row, enum import_mapped *mapped,
                       struct error *err) MUST_CHECK;

#endif
