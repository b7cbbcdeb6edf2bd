/* One record being mapped, shared by import_map.c and import_apply.c alone. */
#ifndef GPUWISE_DB_IMPORT_MAPPING_H
#define GPUWISE_DB_IMPORT_MAPPING_H

#include "import_map.h"

/* The work on one record. */
struct import_mapping {
    struct import_map *map;
    const struct import_record *record;
    struct import_row *row;
    size_t field;       /* of the format, being filled */
    size_t column;      /* of the file, that it is filled from; header_count: none */
    size_t name_column; /* of the name looked up last, which means `meaning`; header_count: none */
    double name_memory_gib; /* the memory that was known then */
    struct import_meaning meaning;
    bool is_bad[CSV_FIELDS_MAX]; /* columns of the table whose fault was noted */
    bool is_out_of_memory;
};

/* What the record holds in that column; empty: there is none. */
struct import_text import_mapping_text(const struct import_mapping *mapping, size_t column);

/* The text that the field's rule makes of the record's, for the column's own check; empty: not
 * known. */
struct import_text import_mapping_apply(struct import_mapping *mapping,
                                        const struct import_text *text);

/* Text put together, kept with the row; empty where there is no room, which a field's maximum rules
 * out. */
struct import_text import_mapping_keep(struct import_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
