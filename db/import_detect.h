/* Which format a header is of. Pure. */
#ifndef GPUWISE_DB_IMPORT_DETECT_H
#define GPUWISE_DB_IMPORT_DETECT_H

#include "import_formats.h"
#include "import_row.h"

struct import_choice {
    const struct import_format *format;
    const struct fact_table *table;
    bool is_own; /* our own CSV, whose mapping is below */
    struct import_format own;
    struct import_field own_fields[CSV_FIELDS_MAX];
};

/* Our own CSV where every column is one of a table and none that must be there is missing, else the
 * format with most columns in the header. ERROR_BAD_FILE says what there is, or why that one cannot
 * be imported. *choice must not be moved: it points into itself. */
bool import_detect(const struct import_format *const *formats, size_t format_count,
                   const char *file_name, const struct csv_field *header, size_t count,
                   struct import_choice *choice, struct error *err) MUST_CHECK;

#endif
